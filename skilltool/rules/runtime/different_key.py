"""Skill that a runtime loads under a different name than its own.

The model reads the name in the listing and requests it, but the runtime knows the skill by its directory or by a
different spelling, so the call fails. Nothing is reported if the runtime lists each skill under the name that it is
called by, and shows `name` only as a title.

In Claude Code, a skill is called by its directory name. If `name` is different, it works as an alias: the
model can also call the skill by that name, and the user can call it as `/name`. The name does not work as an
alias if it starts with `/`, starts or ends with a space, contains a line break or `<`, is longer than 256
UTF-16 code units, or is the name of a built-in command. Tested with Claude Code 2.1.329 (`claude -p`).

## Bad

```markdown forms/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools
```

```text --runtime nfa
forms/SKILL.md:2:7: warning[different-key]: `nfa` loads this skill as `forms` but lists it as `pdf-tools`
```

## Good

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.text_maps import text_map_of
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.values import LoadedSkill
from skilltool.skill.model import Skill

ID = "different-key"
SEVERITY = Severity.WARNING

_HELP = "give the directory and the skill the same name"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the runtime loads the skill under a key other than its name."""
    if target.load is None or target.specification or target.free_name:
        return
    reading = text_map_of(skill, target)
    if reading is not None and reading.alias_problem is not None:
        key, name = backticked(skill.name), backticked(str(reading.fields.get("name")))
        clause = (f"knows this skill only as {key}", f"know this skill only as {key}")
        message = f"name {name} does not work as an alias, because {reading.alias_problem}"
        yield Finding(message, skill.frontmatter.span("name"), help=_HELP, clause=clause)
        return
    loaded = skill.ask(target.load)
    if isinstance(loaded, LoadedSkill) and loaded.key != loaded.name:
        key, name = backticked(loaded.key), backticked(loaded.name)
        clause = (
            f"loads this skill as {key} but lists it as {name}",
            f"load this skill as {key} but list it as {name}",
        )
        yield Finding("", skill.frontmatter.span("name"), help=_HELP, clause=clause)

"""Field or command that makes a runtime ask the user before a skill may be called.

If a skill has `allowed-tools`, `disallowed-tools` or `hooks`, each call by the model needs permission. In
print mode, `claude -p`, there is nobody to ask, so the call fails. Interactive sessions were not tested. A
user who types `/name` is not asked for permission. To allow the calls, add `Skill(name)` to
`permissions.allow` in the project's `.claude/settings.json`; the rule then reports nothing.

The rule reports `allowed-tools` only if it is a string or a list, and `hooks` only if it is a mapping. Empty
values and values of other types do not require permission.

A command in the body, such as !`make`, also needs permission unless it is read-only, like `git status`, or is
allowed by `allowed-tools` or by the settings (for example, `Bash(make:*)`). Without this permission, the skill does not reach
the model, even if the user types `/name`. Tested with Claude Code 2.1.329.

## Bad

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
allowed-tools: Read Bash(pdftk:*)
---

# PDF tools

Read the form's fields before you fill them in.
```

```text --runtime claude-code
pdf-tools/SKILL.md:4:1: info[permission-prompt]: `claude-code` asks for permission before the model calls a skill that has `allowed-tools` (tested only in print mode, `claude -p`)
```

## Good

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity, listed_names
from skilltool.rules.shared.text_maps import text_map_of
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.text_map import TextMap
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

ID = "permission-prompt"
SEVERITY = Severity.INFO

_MODE = "(tested only in print mode, `claude -p`)"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding at the first of the fields for which the runtime asks, and one at the first command."""
    reading = text_map_of(skill, target)
    if reading is None:
        return
    if reading.asks:
        yield _of_fields(skill, reading)
    if (
        command := next((each for each in reading.commands if each.asks and each.unchecked is None), None)
    ) is not None:
        rest = f"permission to run {backticked(command.text)} {_MODE}; without it, the call fails"
        span = skill.source.line_span(command.at[0])
        yield Finding(
            "",
            Span(command.at[0], min(command.at[1], span.end)),
            help=f"add an entry for the command to `allowed-tools`{_entry(command.text)}, or remove the `!`",
            clause=(f"requires {rest}", f"require {rest}"),
        )


def _entry(command: str) -> str:
    """Return an entry of `allowed-tools` that allows a command, as an example; empty if it has no plain name."""
    name = _NAME.match(command)
    return "" if name is None else f", for example `Bash({name[0]}:*)`"


_NAME = lazy_pattern(r"[\w.-]{1,40}(?=\s|\Z)")


def _of_fields(skill: Skill, reading: TextMap) -> Finding:
    spans = {name: skill.frontmatter.span(name, key=True) for name in reading.asks}
    fields = sorted(spans, key=lambda name: spans[name])
    names = listed_names(fields)
    rest = f"for permission before the model calls a skill that has {names} {_MODE}"
    return Finding(
        "",
        spans[fields[0]],
        help=f"keep the {'field' if len(fields) == 1 else 'fields'}; in projects where `claude -p` calls the skill, allow `Skill(NAME)` in the settings",
        clause=(f"asks {rest}", f"ask {rest}"),
    )

"""Name in a form that a runtime does not allow.

Runtimes use the name as a directory name and as a slash command, and the model uses it to request the skill.
All of them allow lowercase words joined by single hyphens, and many allow nothing else. Names that differ
only in case refer to the same directory on some file systems and to two directories on others.

## Bad

```markdown PDF_Tools/SKILL.md
---
name: PDF_Tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
PDF_Tools/SKILL.md:2:7: error[invalid-name]: name `PDF_Tools` is not lowercase words joined by hyphens; `agent`, `mycodeagent` and `agentskills` do not allow it; 16 of 26 runtimes accept it
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

from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.shared.limits import acceptance, owners_of, schema_violations
from skilltool.rules.shared.names import is_portable, is_taken, named_by, suggested_name, to_kebab_case
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.frontmatter.scalars import quoted_if_needed

ID = "invalid-name"
SEVERITY = Severity.ERROR

_HELP = "use lowercase letters and digits, with single hyphens between words"
_CLAUSE = ("does not allow it", "do not allow it")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the name breaks the runtime's pattern; its fix writes a name that every runtime allows."""
    for violation in schema_violations(skill, target, "pattern"):
        if violation.path == ("name",):
            name = str(violation.value)
            valid = skill.name if _is_short_for(skill.name, name) else suggested_name(name, skill.name)
            taken = bool(valid) and is_taken(skill, valid)
            remedy = f"rename it to `{valid}`" if valid else _HELP
            if taken:
                remedy = f"choose a different name; `{valid}` is the name of a neighboring skill"
            elif valid and (others := named_by(skill, name)) is not None:
                remedy += f" here and in {others}"
                taken = True
            span = violation.span
            edits = (Edit(span.start, span.end, quoted_if_needed(valid)),)
            message = f"name {backticked(name)} is not lowercase words joined by hyphens"
            yield Finding(
                message if name else "name is empty",
                span,
                help=remedy,
                fix=Fix(safe=False, edits=edits) if valid and not taken else None,
                clause=_CLAUSE,
                owners=owners_of(skill, target, violation),
                accepted=acceptance(skill, target, violation),
                cause=_kind(name),
            )


def _is_short_for(directory: str, name: str) -> bool:
    """Return whether a valid directory name has words of the name only: `code-style` for "Forms Code Style"."""
    is_word = len(directory) >= _LEAST_OF_WORD and is_portable(directory)
    return is_word and set(directory.split("-")) <= set(to_kebab_case(name).split("-"))


_LEAST_OF_WORD = 3  # letters; a shorter directory says less than the name


def _kind(name: str) -> str:
    """Return what is wrong with a name: whoever writes one name so, writes others so, too."""
    kinds = ((":", "colon"), (" ", "space"), ("_", "underscore"))
    found = [kind for mark, kind in kinds if mark in name]
    return found[0] if found else "capitals" if name != name.lower() else ""

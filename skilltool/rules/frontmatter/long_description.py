"""Description that is longer than a runtime allows.

Some runtimes reject the skill; others truncate the text. The finding points to where the limit is exceeded.

In Claude Code, the model sees `description` and `when_to_use` together, truncated after 1,536 UTF-16 code
units and followed by `…`. `<` and `>` count as four units each, because they are escaped, and an emoji counts
as two. `skillListingMaxDescChars` in the project's `.claude/settings.json` changes the limit. Tested with
Claude Code 2.1.329 on descriptions of 1,535 to 1,537 units.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms, extracts their fields, and merges what was filled in. Fills in PDF forms, extracts their fields, and merges what was filled in. Fills in PDF forms, extracts their fields, and merges what was filled in. Fills in PDF forms, extracts their fields, and merges what was filled in. Fills in PDF forms, extracts their fields, and merges what was filled in. Fills in PDF forms, extracts their fields, and merges what was filled in. Fills in PDF forms, extracts their fields, and merges what was filled in. Fills in PDF forms, extracts their fields, and merges what was filled in.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:3:514: error[long-description]: description has 591 characters; `agent` allows 500 (`agentskills`: 1,024); 25 of 26 runtimes accept it
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skilltool.emulation import javascript
from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.field_values import span_of_rest
from skilltool.rules.shared.limits import over_limit, schema_violations
from skilltool.rules.shared.text_maps import loaded_part, text_map_of
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.text_map import TextMap
from skilltool.skill.model import Skill

ID = "long-description"
SEVERITY = Severity.ERROR

_LISTED = ("description", "when_to_use")  # in the order of the listing
_SHOWN = 30  # characters before a cut
_HELP = "say what the skill does and when to use it; move details to the body"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the part of the description over the limit."""
    for violation in schema_violations(skill, target, "maxLength"):
        if violation.path == ("description",):
            yield over_limit(skill, target, violation, "description", _HELP)
    if (part := loaded_part(skill, target)) is not None:
        yield _truncated(skill, part)
    reading = text_map_of(skill, target)
    if reading is None or reading.listed is None or reading.cut is None:
        return
    if fields := [name for name in _LISTED if reading.fields.get(name)]:
        yield _cut(skill, reading, fields, reading.listed[: reading.cut])


def _truncated(skill: Skill, part: str) -> Finding:
    """Return the finding for a text of which the runtime loads only a part."""
    length = len(skill.frontmatter.text("description") or "")
    rest = f"at most {len(part):,} and truncates it after {backticked('…' + part[-_SHOWN:])}"
    span = span_of_rest(skill, ("description",), part)
    clause = (f"shows {rest}", f"show {rest.replace('truncates', 'truncate')}")
    return Finding(f"description has {length:,} characters", span, _HELP, Severity.WARNING, clause=clause)


def _cut(skill: Skill, reading: TextMap, fields: Sequence[str], shown: str) -> Finding:
    """Return the finding for a text that the listing cuts, at the part that is not shown."""
    length = javascript.length(reading.listed or "")
    names = " and ".join(f"`{name}`" for name in fields)
    message = f"{names} {'have' if len(fields) > 1 else 'has'} {length:,} UTF-16 code units in the listing"
    rest = f"at most {reading.most:,} and truncates it after {backticked('…' + shown[-_SHOWN:])}"
    span = span_of_rest(skill, fields, shown)
    return Finding(
        message,
        span,
        _HELP,
        Severity.WARNING,
        clause=(f"shows {rest}", f"show {rest.replace('truncates', 'truncate')}"),
    )

"""`$ARGUMENTS` or a named argument in the body that a runtime does not substitute.

The model reads the literal text `$ARGUMENTS` instead of what the user typed.

Claude Code substitutes `$ARGUMENTS`. It also substitutes the arguments that the frontmatter declares:
`arguments: file mode` declares `$file` and `$mode`. It splits the value of `arguments` only at spaces: in
`arguments: file, mode`, the first name is `file,`, so `$file` is not substituted. Tested with Claude Code 2.1.329.

## Bad

```markdown fix-issue/SKILL.md
---
name: fix-issue
description: Fixes an issue of the tracker. Use when the user names one.
---

# Fix an issue

Fix the issue $ARGUMENTS and write a test for it.
```

```text --runtime kodelet
fix-issue/SKILL.md:8:15: info[ignored-arguments]: `kodelet` does not substitute `$ARGUMENTS`
```

## Good

```markdown fix-issue/SKILL.md
---
name: fix-issue
description: Fixes an issue of the tracker. Use when the user names one.
---

# Fix an issue

Fix the issue that the user named and write a test for it.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.about_skills import explains_skills
from skilltool.rules.shared.regions import line_around
from skilltool.rules.shared.text_maps import text_map_of
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import ARGUMENTS, Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

ID = "ignored-arguments"
SEVERITY = Severity.INFO

_PLACEHOLDER = lazy_pattern(r"(?<!\\)\$ARGUMENTS\b")
# On a line about slash commands, `$ARGUMENTS` belongs to the commands.
_SLASH_COMMAND = lazy_pattern(r"\bslash[- ]commands?\b", re.IGNORECASE)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the first placeholder, if neither the target nor a client of it substitutes it.

    Also one for the first name of an argument that keeps a comma, and so is in no body.
    """
    reading = text_map_of(skill, target)
    unsplit = reading.unsplit if reading is not None else ()
    if named := next((name for name in unsplit if _is_in_body(skill, _without_comma(name))), None):
        yield _unsplit(skill, named)
    if ARGUMENTS in target.expands or explains_skills(skill):
        return
    body = skill.frontmatter.envelope.body
    matches = _PLACEHOLDER.finditer(skill.source.text, body.start, body.end)
    spans = (Span(*match.span()) for match in matches)
    if found := next((span for span in spans if not _is_about_slash_command(skill, span)), None):
        clause = (f"does not substitute `{ARGUMENTS}`", f"do not substitute `{ARGUMENTS}`")
        remedy = "say what input is needed, so that the skill works without arguments"
        yield Finding("", found, help=remedy, clause=clause)


def _unsplit(skill: Skill, name: str) -> Finding:
    """Return the finding for a name such as `file,`."""
    clause = (
        f"splits `arguments` only at spaces, so the name is {backticked(name)}",
        f"split `arguments` only at spaces, so the name is {backticked(name)}",
    )
    message = f"`${_without_comma(name)}` in the body is not substituted"
    span = skill.frontmatter.span("arguments")
    remedy = "separate the names with spaces, or use a list"
    return Finding(message, span, help=remedy, severity=Severity.WARNING, clause=clause)


def _without_comma(name: str) -> str:
    return name.strip(",").partition(",")[0]


def _is_in_body(skill: Skill, name: str) -> bool:
    """Return whether a body has the placeholder of an argument: `arguments` may also be a sentence for people."""
    body = skill.frontmatter.envelope.body
    return re.search(rf"\$\{{?{re.escape(name)}\b", skill.source.text[body.start : body.end]) is not None


def _is_about_slash_command(skill: Skill, span: Span) -> bool:
    return _SLASH_COMMAND.search("".join(line_around(skill.text, span))) is not None

"""Description that contains `<...>`.

VS Code deletes anything that looks like a tag when it lists the skill, and claude.ai rejects the skill when
it is uploaded. Runtimes with a skilltool profile show the text unchanged or escaped, so the rule
reports nothing if you lint only for those runtimes.

The severity drops to `info` if the README of the skill's repository does not mention VS Code, claude.ai or
`npx skills`, and does not say that any agent can use the skills. It is also `info` if no model reads the
description (`disable-model-invocation: true`), or if the text in brackets is a type argument (`Span<T>`) and
the README does not mention claude.ai. If several skills have such descriptions, the first finding says how
many others there are, and the other findings are only `info`.

## Bad

```markdown README.md
# Forms

These skills work with Claude Code, Codex and GitHub Copilot.
```

```markdown skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in <form> fields of PDF files. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
skills/pdf-tools/SKILL.md:3:23: warning[angle-bracket-description]: description contains `<form>`, which VS Code deletes and claude.ai rejects
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

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.fields import span_of_text
from skilltool.rules.shared.readme_clients import is_for_claude_ai, is_for_vs_code_or_claude_ai
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern

ID = "angle-bracket-description"
SEVERITY = Severity.WARNING

_TAG = lazy_pattern(r"<[^<>\n]+>")
# `<name>` in `/forms <name>`: what is left says as much. `<form>` is the very word that it is about.
_SLOT = lazy_pattern(r"<[a-z]{1,30}(?:[-_ ][a-z]{1,30}){0,4}>")
_ELEMENTS = frozenset(
    "a article audio b body br button canvas code details dialog div em fieldset footer form head header "  # noqa: SIM905
    "hr html iframe img input label li link main meta nav object ol option p picture pre script section select "
    "slot span strong style sub summary svg table tbody td template textarea th thead title tr ul video".split()
)
_TYPE = lazy_pattern(r"\w<[A-Z]\w?>")  # `Span<T>`, which reads as well without its argument


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the first `<...>`, if the skill is meant for clients that are not known."""
    if not target.specification:
        return
    description = skill.frontmatter.text("description")
    tags = list(_TAG.finditer(description or ""))
    if description and tags:
        types = {match.end() for match in _TYPE.finditer(description)}
        tag = next((each for each in tags if each.end() not in types), tags[0])
        message = f"description contains {backticked(tag[0])}, which VS Code deletes and claude.ai rejects"
        span = span_of_text(skill, "description", tag[0])
        is_hidden = (skill.frontmatter.data or {}).get("disable-model-invocation") is True
        is_type = tag.end() in types and not is_for_claude_ai(skill)
        is_note = is_hidden or is_type or not is_for_vs_code_or_claude_ai(skill)
        is_note = is_note or (all(map(_is_slot, tags)) and not is_for_claude_ai(skill))
        severity = Severity.INFO if is_note else None  # no model reads the description, or only of others
        yield Finding(message, span, help="write the description without angle brackets", severity=severity)


def _is_slot(tag: re.Match[str]) -> bool:
    """Return whether a tag stands for what a user writes there, and is the name of no element of HTML."""
    return _SLOT.fullmatch(tag[0]) is not None and tag[0][1:-1].split()[0] not in _ELEMENTS

"""`allowed-tools` that is not one string of tools separated by spaces, where a runtime requires that.

Lists and commas are what other runtimes read. Here the tools may be taken for one long name, or the
field is rejected.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
allowed-tools: Read, Bash(pdftk:*)
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:4:16: warning[tool-list-format]: [*] `allowed-tools` is separated by commas; `agentskills` expects a space-separated string
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
allowed-tools: Read Bash(pdftk:*)
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool import runtimes
from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.shared.wording import WOULD_DELETE_COMMENT
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.text.frontmatter.comments import holds_comment
from skilltool.text.frontmatter.nodes import Sequence
from skilltool.text.frontmatter.quoting import quoted

ID = "tool-list-format"
SEVERITY = Severity.WARNING

_COMMA = re.compile(r",(?![^()]*\))")
_PARENTHESES = re.compile(r"\([^()]*\)")
_CLAUSE = ("expects a space-separated string", "expect a space-separated string")
_HELP = "write the tools in one string, separated by spaces"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the schema requires a string and the field is anything else, or has commas."""
    if not _requires_string(target):
        return
    owners = _owners(target)
    frontmatter = skill.frontmatter
    tools = (frontmatter.data or {}).get("allowed-tools", "")
    span = frontmatter.span("allowed-tools")
    if not isinstance(tools, str):
        kind = "a list" if isinstance(tools, list) else "empty" if tools is None else "not a string"
        message = f"`allowed-tools` is {kind}"
        node = frontmatter.node("allowed-tools")
        key = frontmatter.span("allowed-tools", key=True)
        if node is not None and holds_comment(skill.source.text, node, key.end):
            yield Finding(
                message, span, help=f"{_HELP}; {WOULD_DELETE_COMMENT}", clause=_CLAUSE, owners=owners
            )
        else:
            fix = _joined(skill, tools)
            yield Finding(message, span, help=_HELP, fix=fix, clause=_CLAUSE, owners=owners)
    elif "," in _PARENTHESES.sub("", tools):
        message = "`allowed-tools` is separated by commas"
        names = [name.strip() for name in _COMMA.split(tools)]
        fix = _joined(skill, names)
        yield Finding(message, span, help=_HELP, fix=fix, clause=_CLAUSE, owners=owners)


def _owners(target: Runtime) -> tuple[str, ...]:
    """Return the runtimes whose format a common ground repeats."""
    return tuple(name for name in target.limits_of if _requires_string(runtimes.get(name)))


def _requires_string(target: Runtime) -> bool:
    field: dict[str, object] = schema.load(target.schema)["properties"].get("allowed-tools", {})
    return field.get("type") == "string"


def _joined(skill: Skill, tools: object) -> Fix | None:
    """Return the fix that writes a list of tools as one string; None if a name is empty or contains a space."""
    node = skill.frontmatter.node("allowed-tools")
    names = tools if isinstance(tools, list) else []
    if node is None or not names or not all(isinstance(name, str) for name in names):
        return None
    if any(" " in _PARENTHESES.sub("", name) or not name for name in names):
        return None
    span, text = node.span, quoted(" ".join(names))
    if isinstance(node, Sequence) and not node.flow:  # the list is on the lines after its key
        key = skill.frontmatter.span("allowed-tools", key=True)
        start = skill.source.text.index(":", key.end) + 1
        return Fix(safe=True, edits=(Edit(start, span.end, f" {text}"),))
    return Fix(safe=True, edits=(Edit(span.start, span.end, text),))

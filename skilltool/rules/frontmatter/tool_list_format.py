"""`allowed-tools` is not written as the target reads it: one string, tools separated by spaces.

A list, or commas between the tools, is what other runtimes read; here the tools may be taken for
one long name, or the field refused.

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
SKILL.md:4:16: warning[tool-list-format]: [*] `allowed-tools` is separated by commas; `agentskills` reads spaces
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
from skilltool.rules.shared.wording import COMMENTED
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
_ONE_STRING = ("reads one string", "read one string")
_REMEDY = "write the tools in one string, separated by spaces"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the schema wants a string and the field is a list, empty, or has commas."""
    if not _is_string(target):
        return
    owners = _owners(target)
    frontmatter = skill.frontmatter
    tools = (frontmatter.data or {}).get("allowed-tools", "")
    place = frontmatter.span("allowed-tools")
    if not isinstance(tools, str):
        kind = "a list" if isinstance(tools, list) else "empty" if tools is None else "not text"
        message = f"`allowed-tools` is {kind}"
        node = frontmatter.node("allowed-tools")
        key = frontmatter.span("allowed-tools", key=True)
        if node is not None and holds_comment(skill.source.text, node, key.end):
            yield Finding(message, place, help=f"{_REMEDY}; {COMMENTED}", clause=_ONE_STRING, owners=owners)
        else:
            fix = _joined(skill, tools)
            yield Finding(message, place, help=_REMEDY, fix=fix, clause=_ONE_STRING, owners=owners)
    elif "," in _PARENTHESES.sub("", tools):
        message, clause = "`allowed-tools` is separated by commas", ("reads spaces", "read spaces")
        names = [name.strip() for name in _COMMA.split(tools)]
        fix = _joined(skill, names)
        yield Finding(message, place, help=_REMEDY, fix=fix, clause=clause, owners=owners)


def _owners(target: Runtime) -> tuple[str, ...]:
    """Return whose format a common ground repeats."""
    return tuple(name for name in target.limits_of if _is_string(runtimes.get(name)))


def _is_string(target: Runtime) -> bool:
    field: dict[str, object] = schema.load(target.schema)["properties"].get("allowed-tools", {})
    return field.get("type") == "string"


def _joined(skill: Skill, tools: object) -> Fix | None:
    """Return the fix that writes the names of tools as one string; None where a name holds a blank."""
    node = skill.frontmatter.node("allowed-tools")
    names = tools if isinstance(tools, list) else []
    if node is None or not names or not all(isinstance(name, str) for name in names):
        return None
    if any(" " in _PARENTHESES.sub("", name) or not name for name in names):
        return None
    span, text = node.span, quoted(" ".join(names))
    if isinstance(node, Sequence) and not node.flow:  # the list stands on the lines behind its key
        key = skill.frontmatter.span("allowed-tools", key=True)
        start = skill.source.text.index(":", key.end) + 1
        return Fix(safe=True, edits=(Edit(start, span.end, f" {text}"),))
    return Fix(safe=True, edits=(Edit(span.start, span.end, text),))

"""`allowed-tools` that is not a single space-separated string, for runtimes that require one.

Most runtimes also accept lists and comma-separated strings, so the severity is usually `info`, but a few
runtimes reject a list.

The fix joins the tools if each is a single word. There is no fix if an item contains a space, such as
`Bash(which stripe)`, because runtimes that split at spaces would break it apart.

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
SKILL.md:4:16: info[tool-list-format]: [*] `allowed-tools` is comma-separated; `agentskills` expects a space-separated string; 24 of 26 runtimes accept commas
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

from collections.abc import Iterator

from skilltool import runtimes
from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.shared.field_values import holds_comment
from skilltool.rules.shared.limits import counted
from skilltool.rules.shared.wording import WOULD_DELETE_COMMENT
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.values import Refused
from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.text.frontmatter.nodes import Plain, Sequence
from skilltool.text.frontmatter.scalars import quoted
from skilltool.text.lazy_pattern import lazy_pattern

ID = "tool-list-format"
SEVERITY = Severity.INFO

_COMMA = lazy_pattern(r",(?![^()]*\))")
_PARENTHESES = lazy_pattern(r"\([^()]*\)")
# A tool that every reader takes for one, whether it splits the string at blanks or at commas.
_ONE_WORD = lazy_pattern(r"[^\s,()]+(?:\([^\s,()]*\))?")
_CLAUSE = ("expects a space-separated string", "expect a space-separated string")
_HELP = "write the tools as one space-separated string"
_WOULD_SPLIT = "(not fixed automatically: an item contains a space or comma)"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the schema requires a string and the field is anything else, or has commas."""
    if not _requires_string(target):
        return
    for finding in _misshapen(skill):
        yield finding._replace(clause=_CLAUSE, owners=_owners(target), accepted=_accepted(skill, target))


def _misshapen(skill: Skill) -> Iterator[Finding]:
    frontmatter = skill.frontmatter
    tools = (frontmatter.data or {}).get("allowed-tools", "")
    span = frontmatter.span("allowed-tools")
    if not isinstance(tools, str):
        kind = "a list" if isinstance(tools, list) else "empty" if tools is None else "not a string"
        message = f"`allowed-tools` is {kind}"
        node = frontmatter.node("allowed-tools")
        key = frontmatter.span("allowed-tools", key=True)
        if node is not None and holds_comment(skill.source.text, node, key.end):
            yield Finding(message, span, help=f"{_HELP}; {WOULD_DELETE_COMMENT}")
        else:
            yield _finding(skill, message, tools)
    elif "," in _PARENTHESES.sub("", tools):
        message = "`allowed-tools` is comma-separated"
        names = [name.strip() for name in _COMMA.split(tools)]
        yield _finding(skill, message, names)


def _finding(skill: Skill, message: str, tools: object) -> Finding:
    """Return the finding about these tools, with a fix only where no item can be taken apart by it."""
    names = tools if isinstance(tools, list) else []
    if names and all(isinstance(name, str) and _ONE_WORD.fullmatch(name) for name in names):
        fix, advice = _joined(skill, names), _HELP
    else:
        fix, advice = None, f"{_HELP} {_WOULD_SPLIT}" if names else _HELP
    span = skill.frontmatter.span("allowed-tools")
    return Finding(message, span, help=advice, fix=fix)


def _owners(target: Runtime) -> tuple[str, ...]:
    """Return the runtimes whose format a common ground repeats."""
    return tuple(name for name in target.limits_of if _requires_string(runtimes.get(name)))


def _accepted(skill: Skill, target: Runtime) -> str | None:
    tools = (skill.frontmatter.data or {}).get("allowed-tools")
    does = "accept commas" if isinstance(tools, str) else "accept it"
    return counted(target, lambda name: _refuses(skill, runtimes.get(name), tools), does)


def _refuses(skill: Skill, runtime: Runtime, tools: Plain) -> bool:
    """Return whether a runtime wants the format of this rule, or does not load a skill with such a value."""
    if _requires_string(runtime) or schema.accepts_type(runtime.schema, ("allowed-tools",), tools):
        return _requires_string(runtime)
    return runtime.load is None or isinstance(skill.ask(runtime.load), Refused)


def _requires_string(target: Runtime) -> bool:
    field: dict[str, object] = schema.load(target.schema)["properties"].get("allowed-tools", {})
    return field.get("type") == "string"


def _joined(skill: Skill, names: list[str]) -> Fix | None:
    """Return the fix that writes tools of one word each as one string."""
    node = skill.frontmatter.node("allowed-tools")
    if node is None:
        return None
    span, text = node.span, quoted(" ".join(names))
    if isinstance(node, Sequence) and not node.flow:  # the list is on the lines after its key
        key = skill.frontmatter.span("allowed-tools", key=True)
        start = skill.source.text.index(":", key.end) + 1
        return Fix(safe=True, edits=(Edit(start, span.end, f" {text}"),))
    return Fix(safe=True, edits=(Edit(span.start, span.end, text),))

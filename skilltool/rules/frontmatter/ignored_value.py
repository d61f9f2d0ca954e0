"""Field value that a runtime silently ignores, or interprets as something else.

For example, a skill with `context: spawn` runs inline, `effort: maximum` has no effect, and the pattern
`./src/**` in `paths` matches no files, so the skill is never listed. There is no error message, except
sometimes in a log.

Each runtime's schema lists these values. The list for Claude Code comes from tests of version 2.1.329 in
print mode.

Claude Code drops an unknown event or a malformed hook and keeps the other hooks. If a `PreToolUse` or
`PermissionRequest` hook is malformed, Claude Code drops all of the skill's hooks and its `allowed-tools`. A
`SessionStart` hook in a skill never runs, because the hook is registered after the session has started.

If a value is a whole sentence, it was written for people, so the severity is only `info`.

## Bad

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
context: spawn
effort: maximum
paths: ./forms/**
---

# PDF tools

Read the form's fields before you fill them in.
```

```text --runtime claude-code
pdf-tools/SKILL.md:4:10: warning[ignored-value]: `context` is `spawn`; `claude-code` runs the skill inline
pdf-tools/SKILL.md:5:9: warning[ignored-value]: `effort` is `maximum`; `claude-code` ignores it
pdf-tools/SKILL.md:6:8: warning[ignored-value]: `./forms/**` in `paths`; `claude-code` matches no files with it
```

## Good

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
context: fork
effort: max
paths: forms/**
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.fields import span_of_text
from skilltool.rules.shared.text_maps import text_map_of
from skilltool.rules.shared.tools import tool_entries
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.tools import tools_of
from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.text.frontmatter import Plain
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

ID = "ignored-value"
SEVERITY = Severity.WARNING

_ROWS = "x-ignored"
_LONGEST = 1_000  # characters of a value that the patterns in the schemas are asked about
_HOOKS = "hooks"
_NAME = lazy_pattern(r"[A-Za-z][\w-]*(?=\(|\Z)", re.ASCII)
_MCP = "mcp__"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each value of which the runtime's schema says that it is ignored, and each hook that does not run."""
    data = skill.frontmatter.data or {}
    for field, about in schema.load(target.schema)["properties"].items():
        if field in data:
            for row in about.get(_ROWS, ()):
                yield from _of_row(skill, target, field, row, data)
    yield from _of_hooks(skill, target)


def _of_row(
    skill: Skill, target: Runtime, field: str, row: Mapping[str, Any], data: Mapping[str, Plain]
) -> Iterator[Finding]:
    if not _stands(row, data):
        return
    for text, span in _asked(skill, target, field, row, data[field]):
        said = f"{text} in `{field}`" if "of" in row else f"`{field}` is {text}"
        severity = (
            Severity.INFO if row.get("note") or ("of" not in row and _is_sentence(data[field], row)) else None
        )
        # An author who believes in a value, or does not know that a field needs another one, does so in every skill.
        cause = f"{field} alone" if "without" in row else said
        yield Finding(said, span, help=row["help"], severity=severity, clause=tuple(row["does"]), cause=cause)


def _is_sentence(value: Plain, row: Mapping[str, Any]) -> bool:
    """Return whether a value is words of the author's own for people, and no slip in a value that clients take."""
    words = value.split() if isinstance(value, str) else []
    return len(words) > _MOST_WORDS and words[0].lower() not in row["help"] and not _LISTED.search(str(value))


_MOST_WORDS = 5
_LISTED = lazy_pattern(r"[,(*/]")  # what a list of items has


def _stands(row: Mapping[str, Any], data: Mapping[str, Plain]) -> bool:
    """Return whether the other fields are those that a row is about."""
    present = all(data.get(key) == value for key, value in row.get("with", {}).items())
    return present and all(data.get(key) != value for key, value in row.get("without", {}).items())


def _asked(
    skill: Skill, target: Runtime, field: str, row: Mapping[str, Any], value: Plain
) -> Iterator[tuple[str, Span]]:
    """Yield what a row is about, for a message, and where it is."""
    match row.get("of"):
        case "tools":
            for entry in tool_entries(skill, target):
                unlisted = not row.get("unlisted") or _is_unlisted(entry.text, target)
                if entry.field == field and entry.fault is None and unlisted and _fits(row, entry.text):
                    yield backticked(entry.text), entry.span
        case "items":
            odd = (
                [at for at, item in enumerate(value) if not isinstance(item, str)]
                if isinstance(value, list)
                else []
            )
            for at in odd[:1]:
                yield f"item {at + 1} (not a string)", skill.frontmatter.span(field, at)
        case "parts":
            for part in _parts(value):
                if _fits(row, part):
                    yield backticked(part), span_of_text(skill, field, part)
                    return
        case _:
            if (
                schema.is_of_type(value, row["type"])
                and not isinstance(value, bool)
                and _fits(row, str(value))
            ):
                yield backticked(value), skill.frontmatter.span(field)


def _fits(row: Mapping[str, Any], text: str) -> bool:
    if len(text) > _LONGEST:
        return False
    found = re.search(row.get("matches", ""), text) is not None
    return found and ("unless" not in row or re.search(row["unless"], text) is None)


def _parts(value: Plain) -> list[str]:
    """Return the texts of a list, or of a text between its commas."""
    texts = value if isinstance(value, list) else [value]
    return [
        part.strip() for text in texts if isinstance(text, str) for part in text.split(",") if part.strip()
    ]


def _is_unlisted(text: str, target: Runtime) -> bool:
    """Return whether a runtime whose tools are known has none of the name in a text."""
    tools, name = tools_of(target.id), _NAME.match(text)
    if tools is None or name is None or name[0].startswith(_MCP):
        return False
    return name[0] not in tools.names and name[0] not in tools.earlier


def _of_hooks(skill: Skill, target: Runtime) -> Iterator[Finding]:
    reading = text_map_of(skill, target) if _HOOKS in (skill.frontmatter.data or ()) else None
    for fault in reading.hook_faults if reading is not None else ():
        place = ".".join(map(str, fault.path))
        span = skill.frontmatter.span(_HOOKS, *fault.path, key=isinstance(fault.path[-1], str))
        message = f"hook {backticked(place)} does not run"
        yield Finding(message, span, help="correct or remove the entry", clause=fault.does, note=fault.why)
    value = (skill.frontmatter.data or {}).get(_HOOKS)
    drops = reading is not None and value is not None and not isinstance(value, dict)
    if drops and "allowed-tools" in (skill.frontmatter.data or ()):
        span = skill.frontmatter.span("allowed-tools", key=True)
        clause = ("drops it, because `hooks` is not a mapping", "drop it, because `hooks` is not a mapping")
        yield Finding(
            "`allowed-tools` has no effect because of `hooks`", span, help="correct `hooks`", clause=clause
        )

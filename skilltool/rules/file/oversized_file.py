"""`SKILL.md` that is too long for a runtime to load, or a body longer than the specification recommends.

The whole body enters the model's context whenever the skill is used. Move rarely needed content to separate
files, and mention those files in the body.

The Agent Skills specification recommends at most 500 lines and 5,000 tokens. Tokens are estimated as a
quarter of the characters, rounded up. If the body reaches twice either limit, the severity is `warning`. If
several skills are that long, only the first is reported as a warning, which says how many others there are; the
others are reported as `info`. To change the limits, set `max-lines` and `max-tokens` in the configuration.

Claude Code does not load a `SKILL.md` of more than 1,000,000 bytes, and reports this only in its log, so the
severity is `error`. Tested with Claude Code 2.1.329 on files of 1,000,000 and 1,000,001 bytes.

## Bad

```markdown lines=505
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Fill in the next field.
```

```text
SKILL.md:505:1: info[oversized-file]: body has 501 lines; the specification recommends at most 500
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

from collections.abc import Iterable, Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.length import Length, recommended, tokens
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "oversized-file"
SEVERITY = Severity.INFO

_HELP = "move rarely needed text to separate files that the body mentions"
_MUCH = 2  # times as long as recommended is a warning


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding: the runtime loads no such file, or the body is longer than it should be."""
    too_large = list(of_size(skill.size, target, skill.frontmatter.opening))
    yield from too_large or _of_length(skill)


def of_size(size: int, target: Runtime, span: Span) -> Iterator[Finding]:
    """Yield one finding, at `span`, if the runtime loads no file of so many bytes."""
    longest = schema.load(target.schema).get("x-max-bytes")
    if longest and size > longest:
        clause = (f"loads no file over {longest:,} bytes", f"load no file over {longest:,} bytes")
        yield Finding(f"file is {size:,} bytes", span, _HELP, Severity.ERROR, clause=clause)


def _of_length(skill: Skill) -> Iterator[Finding]:
    """Yield one finding, at the first line over a limit, if the body has too many lines or tokens."""
    source, start = skill.source, skill.frontmatter.envelope.body.start
    first = source.position(start).line
    size = Length(source.line_count - first + 1, tokens(len(skill.body)))
    most = skill.max_length
    over = [size.lines > most.lines, size.tokens > most.tokens]
    if not any(over):
        return
    has = (f"{size.lines:,} lines", f"about {size.tokens:,} tokens")
    limits = zip((f"{most.lines:,}", f"{most.tokens:,}"), ("lines", "tokens"), strict=True)
    allowed = [f"{limit} {unit}" if all(over) else limit for limit, unit in limits]
    by_lines = source.line_start(first + most.lines) if over[0] else len(source.text)
    at = min(by_lines, start + most.characters)
    is_much = _is_much(size, most)
    if is_much:
        comparison = f", at least twice the {_listed(allowed, over, ' or ')} that {_of_whom(most, over)}"
    else:
        comparison = f"; {_of_whom(most, over)} at most {_listed(allowed, over)}"
    yield Finding(
        f"body has {_listed(has, over)}{comparison}",
        source.line_span(at),
        help=f"{_HELP}; this line is the first over {'a' if all(over) else 'the'} limit",
        severity=Severity.WARNING if is_much else None,
    )


def _listed(words: Iterable[str], over: Iterable[bool], joint: str = " and ") -> str:
    return joint.join(word for word, is_over in zip(words, over, strict=True) if is_over)


def _of_whom(most: Length, over: list[bool]) -> str:
    """Return whose limits they are: a configuration may set one of them, or both."""
    own = [limit != advised for limit, advised in zip(most, recommended(), strict=True)]
    is_configured = any(mine for mine, is_over in zip(own, over, strict=True) if is_over)
    return "the configuration allows" if is_configured else "the specification recommends"


def _is_much(size: Length, most: Length) -> bool:
    return size.lines >= _MUCH * most.lines or size.tokens >= _MUCH * most.tokens

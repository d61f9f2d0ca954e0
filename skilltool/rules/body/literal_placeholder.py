"""Variable in the body that a runtime does not substitute.

`$CLAUDE_SKILL_DIR` without braces, and `${CLAUDE_PLUGIN_ROOT}` in a skill outside a plugin, look as if the
client would substitute them. The client does not substitute them, so the model reads the literal variable and
looks for a path that does not exist. In code blocks, in code spans
with a command, and in code spans that the model is told to run or read, the severity is `warning`; configuration
examples (JSON, YAML, TOML) do not count as code.

A variable is reported only if a path follows it. Lines that explain how variables are substituted, or that
also contain the form with braces, are not reported. Tested with Claude Code 2.1.329.

## Bad

```markdown .claude/skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read $CLAUDE_SKILL_DIR/fields.md before you fill them in.
```

```markdown .claude/skills/pdf-tools/fields.md
# Fields
```

```text --runtime claude-code
.claude/skills/pdf-tools/SKILL.md:8:6: info[literal-placeholder]: `$CLAUDE_SKILL_DIR` is not substituted; `claude-code` replaces only the form with braces
```

## Good

```markdown .claude/skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read ${CLAUDE_SKILL_DIR}/fields.md before you fill them in.
```

```markdown .claude/skills/pdf-tools/fields.md
# Fields
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.regions import code_regions, line_around
from skilltool.rules.shared.text_maps import text_map_of
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

ID = "literal-placeholder"
SEVERITY = Severity.INFO

_ABOUT = lazy_pattern(
    r"\b(?:substitut|expand|interpolat|replac|resolv)\w{1,5}\b|\b(?:variables?|literal(?:ly)?|braces?|braced)\b",
    re.IGNORECASE,
)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield the first of each text that looks like a variable of the runtime and stays as it is."""
    reading = text_map_of(skill, target)
    seen: set[str] = set()
    for literal in reading.literals if reading is not None else ():
        if literal.text not in seen and not _is_about(skill, Span(*literal.at)):
            seen.add(literal.text)
            message = f"{backticked(literal.text)} is not substituted"
            span = Span(*literal.at)
            is_run = _is_run(skill, span.start) and not _is_configuration(skill, span.start)
            severity = Severity.WARNING if is_run else None
            clause = _clause(literal.why)
            yield Finding(message, span, literal.help, severity, clause=clause, cause=literal.text)


def _is_run(skill: Skill, at: int) -> bool:
    """Return whether a text is in a block of code, or in a code span that the model is told to run or to read."""
    if at not in code_regions(skill.text):
        return False
    span = next((code.span for code in skill.markdown.codes if code.span.start <= at < code.span.end), None)
    if span is None or " " in skill.source[span].strip("` "):  # a command
        return True
    return _TOLD.search(skill.source.text, max(span.start - _BEFORE_SPAN, 0), span.start) is not None


_TOLD = lazy_pattern(
    r"\b(?:run|execute|invoke|call|read|open|load|see|use|follow|source|consult|check|copy|start (?:with|from))\b[^.`]{0,60}`{0,2}\Z",
    re.IGNORECASE,
)
_BEFORE_SPAN = 80


def _is_configuration(skill: Skill, at: int) -> bool:
    """Return whether a text is in an example of a file, such as `hooks.json`, whose reader substitutes it."""
    fences = (each for each in skill.markdown.fences if each.span.start <= at < each.span.end)
    return any(each.info.partition(" ")[0].lower() in _CONFIGURATIONS for each in fences)


_CONFIGURATIONS = frozenset({"json", "json5", "jsonc", "toml", "yaml", "yml"})


def _is_about(skill: Skill, at: Span) -> bool:
    """Return whether the line of a variable is about what becomes of variables."""
    line = "".join(line_around(skill.text, at))
    name = skill.source[at].strip("${}")
    others = line.replace(skill.source[at], "", 1)
    is_tested = f"${{{name}:" in others  # `${NAME:+$NAME/scripts}`
    return f"${{{name}}}" in others or is_tested or _ABOUT.search(line) is not None


def _clause(why: str) -> tuple[str, str]:
    verb, _, rest = why.partition(" ")
    return why, f"{verb.removesuffix('s')} {rest}"

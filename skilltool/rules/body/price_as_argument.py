"""Price such as `$5` in the body, which a runtime replaces with one of the user's arguments.

`$0` is replaced with the first word of the arguments, `$1` with the second, and so on, for as many words as
the user passes. If the user types seven words, the `$5` in "costs $5" is replaced with the sixth word, and
the `$1` in `$1,000` with the second.

A backslash before the `$` prevents this. The rule skips skills with `arguments` or `argument-hint`, which
expect arguments. It also skips `$30` and higher numbers, and code, which `positional-in-code` covers. Tested
with Claude Code 2.1.329 (`claude -p`).

## Bad

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

The service takes $5 per form. Ask before you use it.
```

```text --runtime claude-code
pdf-tools/SKILL.md:8:19: info[price-as-argument]: `claude-code` replaces `$5` in `The service takes $5 per form. Ask before you` with the 6th argument (numbering starts at `$0`), if there is one
```

## Good

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

The service takes 5 USD per form. Ask before you use it.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.prices import is_price
from skilltool.rules.shared.regions import code_regions, line_around
from skilltool.rules.shared.text_maps import text_map_of
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.text_map import Position
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

ID = "price-as-argument"
SEVERITY = Severity.INFO

_HELP = "put a backslash before the `$`, or write the currency as a word"
_DECLARED = frozenset({"argument-hint", "arguments"})
_MOST_WORDS = 30  # of a call: more than a person types
_SHOWN = 25  # characters on either side
_SENTENCE = lazy_pattern(r"[.!?](?=\s)")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the price outside code that the shortest call replaces."""
    reading = text_map_of(skill, target)
    if reading is None or _DECLARED & reading.fields.keys():
        return
    prices = [
        position
        for position in reading.positions
        if position.number < _MOST_WORDS and is_price(skill.source.text, *position.at)
    ]
    code = code_regions(skill.text) if prices else ()
    if positions := [position for position in prices if position.at[0] not in code]:
        yield _finding(skill, min(positions, key=lambda price: price.number))


def _finding(skill: Skill, price: Position) -> Finding:
    start, end = price.at
    token = skill.source.text[start:end]
    before, after = line_around(skill.text, Span(start, end))
    before, after = _SENTENCE.split(before)[-1].lstrip()[-_SHOWN:], after[len(token) :][:_SHOWN]
    word = f"the {_ordinal(price.number + 1)} argument (numbering starts at `$0`)"
    rest = f"{backticked(f'${price.number}')} in {backticked(f'{before}{token}{after}')} with {word}, if there is one"
    clause = (f"replaces {rest}", f"replace {rest}")
    return Finding("", Span(start, end), help=_HELP, clause=clause)


def _ordinal(number: int) -> str:
    """Return a number up to 99 as `1st`, `2nd` or `11th`."""
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number // 10 == 1 else ends.get(number % 10, 'th')}"

r"""Text of strangers as HTML: escaped, in lines, and with every invisible character as a label.

A label keeps the code point, so that a script can copy the exact text: HTML itself cannot hold all
characters, and turns `\r` into `\n`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.printable import printable

# Control and format characters, line separators, halves of characters, tags, and spaces that are not U+0020.
_HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200b"
    "\u200e\u200f\u2028-\u202f\u205f-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# U+200C, U+200D and variation selectors are at home in emoji and in other scripts, not beside ASCII.
_HIDDEN_IN_PROSE = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f"
)
_RUN = lazy_pattern(
    rf"(?P<run>(?P<one>[{_HIDDEN}])(?P=one)*|(?<![^\x00-\x7f])(?P<joiner>[\u200c\u200d\ufe00-\ufe0e])(?P=joiner)*"
    rf"|(?<![#*0-9]|[^\x00-\x7f])\ufe0f+)"
)


_INVISIBLE = lazy_pattern(rf"[{_HIDDEN_IN_PROSE}]")


def visible(text: str) -> Markup:
    """Return a text as HTML in which invisible characters are labels."""
    parts: list[str] = []
    end = 0
    for match in _RUN.finditer(text):
        parts += [str(escape(text[end : match.start()])), _label(match["run"])]
        end = match.end()
    return Markup("".join([*parts, str(escape(text[end:]))]))


def message(text: str) -> Markup:
    """Return a message of ours as HTML; what stands between backticks in it is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return visible(text)
    shown = [visible(part) if at % 2 == 0 else _code(part) for at, part in enumerate(parts)]
    return Markup("".join(map(str, shown)))


_WHOLE = 12  # characters of code that a line does not break, such as `---`


def _code(text: str) -> str:
    kind = ' class="whole"' if len(text) <= _WHOLE else ""
    return f"<code{kind}>{visible(text)}</code>"


def _label(run: str) -> str:
    code = ord(run[0])
    shown = f"\\x{code:02x}" if code < 0x100 else f"U+{code:04X}"
    shown = {"\r": "\\r", "\xa0": "nbsp"}.get(run[0], shown)
    times = f" \u00d7{len(run)}" if len(run) > 1 else ""
    name = escape(unicodedata.name(run[0], f"control character U+{code:04X}").lower())
    return f'<span class="char" data-c="{code:x}" data-n="{len(run)}" title="{name}">{shown}{times}</span>'


def clipped(text: str, most: int) -> str:
    """Return a text of at most so many characters, with an ellipsis where something is left out."""
    return text if len(text) <= most else f"{text[: most - 1]}\u2026"


def without_hidden(html: str) -> Markup:
    """Return HTML of ours in which what reorders or hides text is a label, in attributes an escape.

    Typographic spaces stay, as they are at home in prose. No value of an attribute may hold `>`.
    """
    parts = re.split("(<[^>]*>)", html)
    for at, part in enumerate(parts):
        if not part.isprintable():
            parts[at] = printable(part) if at % 2 else _INVISIBLE.sub(lambda match: _label(match[0]), part)
    return Markup("".join(parts))


def marked(text: str, spans: Sequence[tuple[int, int, str]]) -> Markup:
    """Return a text as HTML in which characters are marked.

    `spans` are a start, an end, and the attributes of an element, which are ours. Where two overlap, the one
    that comes later is outside.
    """
    edges = sorted(
        {0, len(text), *(min(max(at, 0), len(text)) for first, last, _ in spans for at in (first, last))}
    )
    parts = []
    for first, last in pairwise(edges):
        html = visible(text[first:last])
        for start, end, attributes in spans:
            if start <= first and last <= end:
                html = Markup(f"<mark {attributes}>{html}</mark>")
        parts.append(html)
    return Markup("").join(parts)


def lines(text: str, common: Sequence[bool] | None = None) -> Markup:
    """Return a text as HTML with an element for each line; those that are not `common` are marked."""
    found = []
    *whole, last = text.split("\n")
    for number, line in enumerate([*(f"{each}\n" for each in whole), *([last] if last else [])]):
        differs = common is not None and number < len(common) and not common[number] and line.strip() != ""
        found.append(f'<span class="line{" differs" if differs else ""}">{visible(line)}</span>')
    return Markup("".join(found))


def environment(folder: Path) -> Environment:
    """Return an environment for the templates in a directory of ours, with the filters that all pages use."""
    made = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "visible": visible,
        "printable": printable,
        "count": lambda number: f"{number:,}",
        "percent": lambda number: f"{number:.3f}",
    }
    return made

"""Markdown texts in which one construct is marked, each in every kind of line end and at an offset."""

from __future__ import annotations

from typing import Any

import pytest

from skilltool.text.source import Span

# Each text holds, between the marks « and », the construct whose span is expected.
LINKS = {
    "inline": "see «[a](b.md)» there",
    "with a title": 'see «[a](b.md "title")»',
    "with an angled destination": "see «[a](<b c.md>)»",
    "empty destination": "«[a]()»",
    "brackets in the text": "x «[a [b] c](d)» y",
    "full reference": "see «[a][ref]» there\n\n[ref]: b.md",
    "collapsed reference": "see «[ref][]» there\n\n[ref]: b.md",
    "shortcut reference": "see «[ref]» there\n\n[ref]: b.md",
    "reference whose label ends with a parenthesis": "«[a (b)]»\n\n[a (b)]: c.md",
    "behind a definition": "[ref]: b.md\nsee «[ref]»",
    "autolink": "see «<https://example.org>» there",
    "mail": "see «<a@example.org>» there",
    "over two lines": "see «[a\nb](c)» there",
    "destination on the next line": "see «[a](\n  c)» there",
    "the same line twice": "a\na\n«[a](b)»\na",
    "in a heading": "# x «[a](b)» y #",
    "in a setext heading": "x\n«[a](b)» y\n===",
    "in a list": "- x\n- «[a](b)»",
    "in a numbered list": "10. x «[a](b)»",
    "in a nested list": "- x\n  - y\n\n    «[a](b)»",
    "continued in a list": "- x\n  y «[a\n  b](c)»",
    "continued lazily in a list": "- x «[a\nb](c)»",
    "in a quote": "> x «[a](b)»",
    "over two lines of a quote": "> x «[a\n> b](c)» y",
    "continued lazily in a quote": "> x «[a\nb](c)» y",
    "in nested quotes": "> > - x\n> >   «[a](b)»",
    "behind tabs": "-\tx\n\n\t«[a](b)»",
    "behind a partly used tab": ">\tx «[a](b)»",
    "behind a tab in the text": "x\t«[a](b)»",
    "behind wide characters": "日本 🚀 e\u0301 «[a](b)»",
    "behind a wide line": "🚀🚀\n«[日本](ü.md)»",
    "behind a NUL": "\0«[a](b)»",
    "behind odd blanks": "\x85\xa0\x0b«[a](b)»\x0b\xa0",
    "under a line of odd blanks": "\xa0\n«[a](b)»",
    "over a line of odd blanks": "«[a](b)»\n\xa0",
    "in emphasis": "x **«[a](b)»** y",
    "around code": "x «[`a`](b)»",
    "first cell": "| x | y |\n|---|---|\n| «[a](b)» | z |",
    "last cell": "x | y\n--|--\nz | «[a](b)»",
    "header cell": "| x | «[a](b)» |\n|---|---|",
    "behind an empty cell": "| x | y |\n|---|---|\n|   | «[a](b)» |",
    "behind an equal cell": "| x | y |\n|---|---|\n| a | «[a](b)» |",
    "behind a bare empty cell": "| x | y |\n|---|---|\n|| «[a](b)» |",
    "in a table in a quote": "> | x | y |\n> |---|---|\n> | a | «[a](b)» |",
    "in a table in a list": "- | x | y |\n  |---|---|\n  | a | «[a](b)» |",
    "behind an escaped pipe": "| x |\n|---|\n| \\| «[a](b)» |",
    "around escaped pipes": "| x | y |\n|---|---|\n| «[a\\|b\\|c](d)» | z |",
    "behind a cell with escaped pipes": "| x | y |\n|---|---|\n| `\\|` \\| | «[a](b)» |",
    "behind an escaped backslash and pipe": "| x | y |\n|---|---|\n| \\\\| «[a](b)» |",
}
IMAGES = {
    "inline": "see «![a](b.png)» there",
    "reference": "see «![ref]» there\n\n[ref]: b.png",
    "with markup": "«![a *b* `c`](d.png)»",
    "in a table": "| x | y |\n|---|---|\n| x | «![a](b.png)» |",
    "behind an exclamation mark": "!«![a](b.png)»",
}
CODES = {
    "plain": "x «`a`» y",
    "two marks": "x «`` a`b ``» y",
    "over two lines": "> x «`a\n> b`» y",
    "in a heading": "## «`a`» ##",
    "in a heading of hashes": "# «`#`» # #",
    "with a backslash": "x «`a\\`» y",
    "with an escaped pipe": "| x | y |\n|---|---|\n| x | «`a\\|b`» |",
    "with only an escaped pipe": "| x | y |\n|---|---|\n| \\| | «`\\|`» |",
    "in a list": "* x\n* «`a`»",
    "in a link": "[x «`a`»](b)",
}
COMMENTS = {
    "a block": "x\n\n«<!-- a -->»\n\ny",
    "inline": "x «<!-- a -->» y",
    "over lines": "«<!-- a\n\nb -->»\n",
    "inline over lines": "x «<!-- a\nb -->» y",
    "in a block of other HTML": "<div>\n  «<!-- a -->»\n</div>",
    "in a list": "- «<!-- a -->»",
    "in a quote": "> «<!-- a\n> b -->»",
    "text behind it": "«<!-- a -->» *x*",
    "the shortest": "«<!-->» x -->\n",
    "never closed": "x\n\n«<!-- a\n\nb»",
}
WAYS = [(newline, base) for newline in ("\n", "\r\n", "\r") for base in (0, 100)]


def marked(text: str) -> tuple[str, Span]:
    """Return `text` without its marks, and the span between them."""
    start, end = text.index("«"), text.index("»")
    return text.replace("«", "").replace("»", ""), Span(start, end - 1)


def spans(cases: dict[str, str]) -> Any:
    """Parametrize with each case, in each kind of line end, with and without an offset."""
    found = []
    for name, case in cases.items():
        for newline, base in WAYS:
            text, span = marked(case.replace("\n", newline))
            found.append(pytest.param(text, base, span.shifted(base), id=f"{name}-{newline!r}-{base}"))
    return pytest.mark.parametrize(("text", "base", "expected"), found)

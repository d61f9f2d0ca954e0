"""Tells a price such as `$5/month` from a placeholder for an argument such as `$1`."""

from __future__ import annotations

import re

from skilltool.text.lazy_pattern import lazy_pattern

# Words that make a price of it: `$5/month`, `$1 per call`, `$0 (never paying)`, `$5 - $9`, and before it `price: `.
_UNITS = (
    r"(?:month|mo|year|yr|annum|week|wk|day|hour|hr|minute|min|user|seat|member|person|head|unit|call|request|query"
    r"|token|gb|tb|mb|credit|lead|click|sale|transaction|customer|licen[cs]e|1?[km])s?\b(?![.-]\w)"
)
_AMOUNT = r"\$\d+"
_PRICE = lazy_pattern(
    rf"{_AMOUNT}(?:\+?(?:[ ]?/[ ]?{_UNITS}){{1,3}}(?!/)|\+?[ ]per\b|[ ](?:each|off|USD|million|billion|thousand|a {_UNITS})\b"
    r"|\+?[ ]\([a-z]+ [a-z]|\+?[ ]?(?:-|\u2013|\u2014|to|or)[ ]?\$\d+(?:\.\d\d)?[+KM]?(?:/|[ ]per\b)"
    rf"|/\$\d+(?:\.\d\d)?(?:[ ]per\b|/{_UNITS}))",
    re.IGNORECASE,
)
_PRICED = lazy_pattern(
    r"\b(?:price|pricing|cost|fee|budget|revenue|spend|refund|paid|pays?)s?(?:[\"'*]{0,2}[:|]|[ ](?:is|of|at|under|over|from))"
    r"[ \t]{1,8}\Z|\d[\w ]{0,20}[ ][\u2013\u2014][ ]\Z",  # `50 credits \u2014 $5`
    re.IGNORECASE,
)
_FREE = lazy_pattern(r"\w[ ]=[ ]\$0(?![\w.])")  # "posts on three sites = $0"
_IN_BRACKETS = lazy_pattern(rf"\({_AMOUNT}(?:[ ][a-z]{{3,20}}){{1,4}}\)")  # `($0 direct cost)`
_DECIMALS = lazy_pattern(rf"{_AMOUNT}(?:,\d{{3}}|\.\d)")
_BEFORE = 40


def is_priced(text: str, at: int) -> bool:
    """Return whether the `$5` at an offset is a price by the words around it."""
    if _PRICE.match(text, at) or _PRICED.search(text[max(at - _BEFORE, 0) : at]):
        return True
    if at > 0 and _IN_BRACKETS.match(text, at - 1) is not None:
        return True
    return at >= len("x = ") and _FREE.match(text, at - len("x = ")) is not None


def is_price(text: str, start: int, end: int) -> bool:
    """Return whether what stands there is a price: two digits or more, `$1,000`, `$0.50`, or by the words around it."""
    return bool(end - start > len("$1") or _DECIMALS.match(text, start) or is_priced(text, start))

"""How do arguments get into a skill's text: which words are there, and what do placeholders become?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_END = frozenset(";|&`\n")
_BLANK = frozenset(" \t\r")


def words(text: str) -> list[str]:
    """Return the words of arguments as a shell sees those of one command, without expanding anything.

    A text with a quote that is never closed is one word.
    """
    found: list[str] = []
    at, end = 0, len(text)
    while at < end:
        character = text[at]
        if character in _BLANK or character in "()" or (character == "\n" and not found):
            at += 1
        elif character in _END or character in "#>":
            break
        else:
            word, raw_end = _word(text, at)
            if word is None:
                return [text]
            if found or not _ASSIGNMENT.match(text, at):
                found.append(word)
            at = raw_end
    return found


def _word(text: str, at: int) -> tuple[str | None, int]:
    """Return the word that begins at an offset and where it ends; None for a quote that is never closed."""
    parts: list[str] = []
    while at < len(text):
        character = text[at]
        if character in _BLANK or character in _END or character in "()":
            break
        if character == "\\" and at + 1 < len(text):
            parts.append(text[at + 1])
            at += 2
        elif character in "\"'":
            close = _closing_quote(text, at)
            if close < 0:
                return None, at
            parts.append(text[at + 1 : close])
            at = close + 1
        elif character == "$" and text[at + 1 : at + 2] in ("(", "{"):
            close = _closing_bracket(text, at + 1)
            parts.append(text[at:close])
            at = close
        else:
            parts.append(character)
            at += 1
    return "".join(parts), at


def _closing_quote(text: str, at: int) -> int:
    quote, at = text[at], at + 1
    while at < len(text) and text[at] != quote:
        at += 2 if quote == '"' and text[at] == "\\" else 1
    return at if at < len(text) else -1


def _closing_bracket(text: str, at: int) -> int:
    opening, closing = text[at], {"(": ")", "{": "}"}[text[at]]
    depth = 0
    for index in range(at, len(text)):
        depth += (text[index] == opening) - (text[index] == closing)
        if depth == 0:
            return index + 1
    return len(text)


def filled(body: str, arguments: str | None, parameters: Sequence[str] = ()) -> str:
    """Return a body with its placeholders replaced; arguments that no placeholder takes go to its end.

    `$ARGUMENTS` is the whole text, `$N` and `$ARGUMENTS[N]` are word N from 0, `$name` is the word of a
    parameter. A word that is missing leaves a number as it stands and a name empty. One backslash before a
    placeholder keeps it, and goes.
    """
    given = arguments or ""
    found = words(given)
    changed = False

    def value(match: re.Match[str]) -> str:
        nonlocal changed
        token = match["token"]
        if match["escape"]:
            return token
        if match["name"] is not None:
            number = list(parameters).index(match["name"])
            new: str | None = found[number] if number < len(found) else ""
        elif token == "$ARGUMENTS":
            new = given
        else:
            number = int(match["index"] or match["number"])
            new = found[number] if number < len(found) else None
        changed = changed or new is not None
        return token if new is None else new

    text = placeholders(tuple(parameters)).sub(value, body)
    return text if changed or not given else f"{text}\n\nARGUMENTS: {given}"


@lru_cache(maxsize=8)
def placeholders(parameters: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of all placeholders: `token`, of the kind `name`, `index` or `number`, or neither.

    A placeholder with `escape` is not replaced.
    """
    names = "|".join(re.escape(name) for name in parameters if name) or r"(?!)"
    return re.compile(
        rf"(?P<escape>(?<!\\)\\)?(?P<token>\$(?:(?P<name>{names})(?![\[\w])"
        r"|ARGUMENTS\[(?P<index>\d{1,9})\]|ARGUMENTS|(?P<number>\d{1,9})(?!\w)))",
        re.ASCII,
    )

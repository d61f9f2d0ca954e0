"""Compiles gitignore patterns to regexes that match what git matches, in time that cannot explode.

Between two `*` the characters are of fixed number, so the leftmost match is as good as any: it is taken for
good (an atomic group), and so is the leftmost match between two `**`. Both sides are bytes, as in git.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from typing import NamedTuple

from skilltool.text.lazy_pattern import lazy_pattern

_WILD = lazy_pattern(rb"[*?[\\]")
_CLASSES = {
    b"alnum": string.ascii_letters + string.digits,
    b"alpha": string.ascii_letters,
    b"blank": " \t",
    b"cntrl": "".join(map(chr, [*range(32), 127])),
    b"digit": string.digits,
    b"graph": string.ascii_letters + string.digits + string.punctuation,
    b"lower": string.ascii_lowercase,
    b"print": string.ascii_letters + string.digits + string.punctuation + " ",
    b"punct": string.punctuation,
    b"space": " \t\n\r",
    b"upper": string.ascii_uppercase,
    b"xdigit": string.hexdigits,
}
_NAMED = lazy_pattern(rb"\[:([^]]*):\]")
_ANY = b"[^/]"
# Tokens that are no regexes: `*`, `**/` and `**` at the end.
_STAR, _LEVELS, _REST = b"*", b"**/", b"**"


class _InvalidError(ValueError):
    """The pattern matches nothing, since it ends within a bracket or after a backslash."""


class Pattern(NamedTuple):
    """One line of a pattern file.

    `include` is False for one that starts with `!`; `directories` tells that it matches directories only,
    `base_name` that it is compared with the last part of a path. `regex` must match from start to end.
    """

    regex: re.Pattern[bytes]
    include: bool
    directories: bool
    base_name: bool

    def matches(self, path: bytes, name: bytes, directory: bool) -> bool:
        """Return whether a path relative to the pattern's directory matches; `name` is its last part."""
        if self.directories and not directory:
            return False
        return self.regex.fullmatch(name if self.base_name else path) is not None


def compile_line(line: bytes) -> Pattern | None:
    """Return the pattern of a line, None for a comment, an empty line and what can match nothing."""
    if line.startswith(b"#"):
        return None
    text = _without_trailing_spaces(line)
    include = not text.startswith(b"!")
    text = text[not include :]
    directories = text.endswith(b"/")
    text = text[: len(text) - directories]
    base_name = b"/" not in text
    text = text if base_name else text.removeprefix(b"/")
    try:
        return Pattern(_regex(text, base_name), include, directories, base_name) if text else None
    except _InvalidError:
        return None


def _without_trailing_spaces(line: bytes) -> bytes:
    """Remove spaces at the end, up to one after a backslash."""
    text = line.rstrip(b" ")
    backslashes = len(text) - len(text.rstrip(b"\\"))
    return text + b" " if backslashes % 2 and len(text) < len(line) else text


def _regex(text: bytes, base_name: bool) -> re.Pattern[bytes]:
    """Translate a pattern without the signs at its ends.

    git compares what stands before the first wildcard by itself, so that `**` right after it is at the start
    of what is left: `a**/b` matches `ax/y/b`.
    """
    wild = _WILD.search(text)
    fixed = 0 if base_name or wild is None else wild.start()
    groups: list[list[bytes]] = [[]]
    for token in _tokens(text, fixed):
        if token == _LEVELS:
            groups.append([])
        else:
            groups[-1].append(token)
    first, *others = map(_group, groups)
    middle = b"".join(b"(?>(?:[^/]*/)*?%b)" % group for group in others[:-1])
    last = b"(?:[^/]*/)*" + others[-1] if others else b""
    return re.compile(first + middle + last, re.DOTALL)


def _tokens(text: bytes, fixed: int) -> Iterator[bytes]:
    """Yield a regex for each character, and the tokens above; `fixed` is where the first wildcard is."""
    at, begins = 0, True
    while at < len(text):
        stars = len(text) - at - len(text[at:].lstrip(b"*"))
        after = text[at + stars : at + stars + 2]
        if stars > 1 and (begins or at == fixed) and (after[:1] in (b"", b"/") or after == b"\\/"):
            yield from (_REST,) if not after else (_LEVELS,) if after[:1] == b"/" else (_STAR, b"/", _LEVELS)
            at += stars + (len(after) if after == b"\\/" else 1)
            begins = True
            continue
        if stars:
            token, at = _STAR, at + stars
        elif text[at : at + 1] == b"[":
            token, at = _bracket(text, at + 1)
        elif text[at : at + 1] == b"?":
            token, at = _ANY, at + 1
        else:
            at += text[at : at + 1] == b"\\"
            token, at = re.escape(text[at : at + 1]), at + 1
            if not token:
                raise _InvalidError
        yield token
        begins = token == b"/"


def _group(tokens: list[bytes]) -> bytes:
    """Return the regex of what stands between two `**`."""
    rest = tokens[-1:] == [_REST]
    parts = _split(tokens[: len(tokens) - rest], b"/")
    return b"/".join(map(_part, parts)) + b".*" * rest


def _part(tokens: list[bytes]) -> bytes:
    """Return the regex of one part of a path, which holds no slash."""
    first, *others = map(b"".join, _split(tokens, _STAR))
    if not others:
        return first
    middle = b"".join(b"(?>[^/]*?%b)" % chunk for chunk in others[:-1] if chunk)
    return first + middle + b"[^/]*" + others[-1] + b"(?![^/])"


def _split(tokens: list[bytes], separator: bytes) -> list[list[bytes]]:
    found: list[list[bytes]] = [[]]
    for token in tokens:
        if token == separator:
            found.append([])
        else:
            found[-1].append(token)
    return found


def _bracket(text: bytes, at: int) -> tuple[bytes, int]:
    """Return the regex of the bracket expression whose content begins at `at`, and where it ends."""
    negated = text[at : at + 1] in (b"!", b"^")
    at += negated
    chosen: set[int] = set()
    previous, first = 0, True
    while first or text[at : at + 1] != b"]":
        first = False
        named = _NAMED.match(text, at)
        if text[at : at + 1] == b"-" and previous and text[at + 1 : at + 2] not in (b"", b"]"):
            end, at = _member(text, at + 1)
            chosen.update(range(previous, end + 1))
            previous = 0
        elif named:
            if named[1] not in _CLASSES:
                raise _InvalidError
            chosen.update(_CLASSES[named[1]].encode())
            previous, at = 0, named.end()
        else:
            previous, at = _member(text, at)
            chosen.add(previous)
    chosen = set(range(256)) - chosen if negated else chosen
    listed = b"".join(b"\\x%02x" % each for each in sorted(chosen - {ord("/")}))
    return (b"[%b]" % listed if listed else b"(?!)"), at + 1


def _member(text: bytes, at: int) -> tuple[int, int]:
    """Return one character of a bracket expression, and where the next begins."""
    at += text[at : at + 1] == b"\\"
    if at >= len(text):
        raise _InvalidError
    return text[at], at + 1

"""Hosts of URLs: which count as somebody's machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from skilltool.needs.words import words
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

_URL = lazy_pattern(
    r"\b(?P<scheme>https?|wss?|ftp|git|ssh)://(?:[^\s/\"'`<>@]{1,100}@)?(?P<host>[A-Za-z0-9\[][\w.:\[\]-]{0,252})"
    r"(?P<rest>[/?#][^\s\"'`<>|(){}\[\]\\^;,]{0,300})?",
    re.ASCII,
)
# Names by which documents are told apart, and which nobody connects to; hosts that RFC 2606 reserves.
_NAMES = words("namespaces")
_RESERVED = lazy_pattern(r"(?:\A|\.)(?:example|test|invalid|example\.(?:com|net|org|edu))\Z")
_OF_PLACEHOLDER = lazy_pattern(
    r"(?:\A|[.-])(?:your|my|some|example)(?:[.-]|[a-z]*\.)|(?:\A|[.-])x{3,}|\A(?:host|hostname|domain|server|url|site|api|base)\Z|\.\."
    r"|(?:\A|\.)(?:target|victim|attacker|evil|company|domain|website|acme|foo|bar|baz|site|worker|server|host|hostname|service"
    r"|myapp|app|abc|xyz|corp|a|b|x)\.(?:internal|local|corp|lan)\Z",
    re.IGNORECASE,
)
_HOST = lazy_pattern(
    r"(?:[\w-]+\.)+[a-z][\w-]*\.?|localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\]", re.IGNORECASE
)


class Url(NamedTuple):
    """A URL in a text: its host without the port, and its span."""

    host: str
    span: Span
    text: str


def urls(text: str, base: int = 0) -> Iterator[Url]:
    """Yield the URLs in a text whose host may be somebody's: no namespace, reserved name or placeholder."""
    for match in _URL.finditer(text) if "://" in text else ():
        host = _named(match["host"])
        if host is not None:
            yield Url(host, Span(*match.span()).shifted(base), match[0].rstrip(".,:"))


def _named(written: str) -> str | None:
    host = written.lower()
    if not host.startswith("["):
        host = host.partition(":")[0]
    host = host.rstrip(".-")
    if host in _NAMES or _RESERVED.search(host) or _OF_PLACEHOLDER.search(host):
        return None
    return host if _HOST.fullmatch(host) else None


def host_of(url: str) -> str | None:
    """Return the host of a text that begins with a URL; None if it begins with none that counts."""
    match = _URL.match(url) if "://" in url else None
    return _named(match["host"]) if match else None

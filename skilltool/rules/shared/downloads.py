"""Finds downloads that a shell or an interpreter runs at once, such as `curl ... | sh`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from skilltool.rules.shared.text_signs import has_downloads, is_shell_script, texts_with
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text import shell
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

if TYPE_CHECKING:
    from ipaddress import IPv4Address

# Every repetition is bounded: lines are untrusted and can be a megabyte long.
_URL = lazy_pattern(
    r"\b(?P<scheme>https?)://(?P<host>[^\s/\"'`<>|(){}\[\]\\^;,?#]{1,253})[^\s\"'`<>|(){}\[\]\\^;]{0,500}"
)
_LOADER = lazy_pattern(
    r"\b(?:curl|wget|irm|iwr|invoke-webrequest|invoke-restmethod|downloadstring)\b", re.IGNORECASE
)
_PREFIX = r"(?:sudo\s{1,9}(?:-\w{1,20}\s{1,9}){0,4})?(?:env\s{1,9})?(?:\w{1,40}=\S{1,100}\s{1,9}){0,4}(?:/(?:usr/)?bin/)?"
_PIPED = lazy_pattern(
    rf"(?P<table>\\?)\|\s{{0,9}}{_PREFIX}"
    r"(?:(?:ba|z|da|k|fi)?sh(?=\s{0,9}(?:\Z|[\r\n;&|)`\"'#>\\]|-(?:\s|\Z)|-[sxel]{1,3}\b|--(?:\s|\Z)))"
    r"|(?:python[0-9.]{0,5}|node|perl|ruby|php|iex|invoke-expression|pwsh|powershell)"
    r"(?=\s{0,9}(?:\Z|[\r\n;&|)`\"'#>\\]|-(?:\s|\Z))))",
    re.IGNORECASE,
)
_SUBSTITUTED = lazy_pattern(
    r"(?:\b(?:(?:ba|z|da|k)?sh|source|eval|python[0-9.]{0,5}|iex|invoke-expression)|(?<!\S)\.)\s{1,9}(?:-\w{1,9}\s{1,9}){0,3}"
    r"[\"']?(?:&\s{0,3}\{\s{0,3})?(?:<\(|\$\(|`|\(+)\s{0,9}(?:new-object\s+(?:system\.)?net\.webclient\)\.downloadstring"
    r"|curl|wget|irm|iwr|invoke-webrequest|invoke-restmethod)\b",
    re.IGNORECASE,
)
_PRINTERS = frozenset({"echo", "printf"})
_MAX_COMMAND = 500  # characters
_MAX_LOADER = len("invoke-webrequest")
_MAX_BLANKS = 10  # and the character before them
_COMMAND_ENDS = lazy_pattern(r"[;`\n]|&&|\|\|")
# Hosts that nobody can register: reserved names (RFC 2606, RFC 6761; `.local` by RFC 6762, `.internal` by ICANN in 2024),
# a word without a dot, `...`, and a variable. `your-company.com` may be anybody's.
_UNOWNED = lazy_pattern(
    r"(?:\A|\.)(?:localhost|local|internal|test|invalid|example|example\.(?:com|net|org))\.?\Z"
    r"|\A(?:[$%]|[A-Za-z_][\w-]*\Z|\.+\Z)"
)


class Download(NamedTuple):
    """A command that runs what `url` returns; `span` is the URL, `encrypted` is False for plain HTTP."""

    url: str
    host: str
    span: Span
    encrypted: bool
    from_ip_address: bool


def all_downloads(skill: Skill) -> Iterator[tuple[Text, Download]]:
    """Yield the downloads in all text files of a skill that are run, each with its file."""
    for text in texts_with(skill, has_downloads):
        yield from ((text, download) for download in downloads(text))


@lru_cache(maxsize=64)
def downloads(document: Text) -> tuple[Download, ...]:
    """Return the downloads in the file that are run, without those from hosts that nobody can register."""
    # Join lines that end in a backslash; the same number of spaces keeps all offsets valid.
    text = document.source.text.replace("\\\r\n", "   ").replace("\\\n", "  ")
    loaded = list(_loaded(text))
    pipes = list(_PIPED.finditer(text)) if loaded else []
    loaders = dict.fromkeys(loader for _url, loader in loaded)
    ends = [0, *(loader.end() for loader in loaders)]
    substituted = {
        loader for loader, end in zip(loaders, ends, strict=False) if _is_substituted(text, loader, end)
    }
    found = tuple(
        download
        for url, loader in loaded
        if (loader in substituted or _is_piped(text, url.end(), pipes))
        and (download := _download(url)) is not None
    )
    if not found or not is_shell_script(document):
        return found
    script = shell.read(document.source.text)
    return tuple(
        download for download in found if not script.complete or _is_in_command(script, download.span)
    )


def _is_in_command(script: shell.Script, span: Span) -> bool:
    """Return whether a script runs what is at a span: it is in no comment, and not only printed."""
    for command in script.commands:
        parts = [command.span, *(redirect.target.span for redirect in command.redirects)]
        is_printed = command.program in _PRINTERS and not command.readers and not command.redirects
        if not is_printed and any(part.start <= span.start < part.end for part in parts):
            return True
    return False


def _loaded(text: str) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """Yield each URL in the command of a loader, with the loader; only what is before a URL is searched."""
    loader, searched = None, 0
    for url in _URL.finditer(text):
        start = max(searched, url.start() - _MAX_COMMAND - _MAX_LOADER)
        searched = url.start()
        matches = list(_LOADER.finditer(text, start, searched))
        loader = matches[-1] if matches else loader
        if loader is not None and _is_one_command(text, loader.end(), searched):
            yield url, loader


def _is_substituted(text: str, loader: re.Match[str], since: int) -> bool:
    """Return whether a shell gets what the loader prints as its command: `sh -c "$(curl`, `iex (iwr`.

    `since` is the end of the loader before it, which cannot be in between. `_SUBSTITUTED` is slow, so it is
    tried only where a bracket, a backtick or a dot is before the loader.
    """
    start, end = loader.span()
    if not text[max(start - _MAX_BLANKS, 0) : start].rstrip().endswith(("(", "`", ".")):
        return False
    before = max(start - _MAX_COMMAND, since)
    return any(match.end() == end for match in _SUBSTITUTED.finditer(text, before, end))


def _is_piped(text: str, at: int, pipes: list[re.Match[str]]) -> bool:
    """Return whether the command that ends at `at` is piped into a shell; the bars of a table do not count."""
    index = bisect_left(pipes, at, key=lambda pipe: pipe.start())
    if index == len(pipes) or not _is_one_command(text, at, pipes[index].start()):
        return False
    line = text.rfind("\n", 0, at) + 1
    return bool(pipes[index]["table"]) or not text[line:at].lstrip().startswith("|")


def _is_one_command(text: str, start: int, end: int) -> bool:
    return end - start <= _MAX_COMMAND and not _COMMAND_ENDS.search(text, start, end)


def _download(url: re.Match[str]) -> Download | None:
    host = url["host"].rpartition("@")[2].rpartition(":")[0] or url["host"].rpartition("@")[2]
    host = host.lower()
    address = _address(host)
    if _UNOWNED.search(host) or (address is not None and not address.is_global):
        return None
    encrypted = url["scheme"].lower() == "https"
    return Download(url[0].rstrip(".,:"), host, Span(*url.span()), encrypted, address is not None)


def _address(host: str) -> IPv4Address | None:
    import ipaddress

    try:
        return ipaddress.IPv4Address(host)
    except ValueError:
        return None

"""The body of a skill as HTML: without HTML of the author's, and without requests to anywhere."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

Address = Callable[[str], str | None]
_IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif")
_WEB = frozenset({"http", "https", "mailto"})


def rendered(body: str, address_of: Address) -> Markup:
    """Return the body as HTML; `address_of` gives the address of a file of the skill, None for others."""
    reader = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    for kind, rule in (
        ("link_open", _link),
        ("link_close", _end),
        ("image", _image),
        ("heading_open", _heading),
        ("heading_close", _heading),
    ):
        reader.renderer.rules[kind] = rule  # type: ignore[attr-defined]
    # What the reader writes is escaped: HTML is off, and the rules below escape what they write.
    return Markup(reader.render(body, {"address_of": address_of}))


def _path(destination: str) -> str | None:
    """Return the path of a destination that may be a file of the skill, None for any other."""
    try:
        parts = urlsplit(destination)
    except ValueError:
        return None
    if parts.scheme or parts.netloc or not parts.path:
        return None
    path = posixpath.normpath(unquote(parts.path))
    return None if path.startswith(("/", "..")) else path


def _is_web(destination: str) -> bool:
    try:
        return urlsplit(destination).scheme.lower() in _WEB
    except ValueError:
        return False


def _link(tokens: Sequence[Token], index: int, options: Any, environment: Any) -> str:
    destination = str(tokens[index].attrGet("href") or "")
    stack = environment.setdefault("open", [])
    if _is_web(destination):
        stack.append("a")
        return f'<a href="{escape(destination)}" rel="noopener noreferrer nofollow" target="_blank">'
    path = _path(destination)
    address = environment["address_of"](path) if path is not None else None
    if address is not None:
        stack.append("a")
        return f'<a href="{escape(address)}">'
    stack.append("span")
    return f'<span class="no-link" title="{escape(f"link to {destination}")}">'


def _end(tokens: Sequence[Token], index: int, options: Any, environment: Any) -> str:
    stack = environment.get("open") or ["span"]
    return f"</{stack.pop()}>"


def _heading(tokens: Sequence[Token], index: int, options: Any, environment: Any) -> str:
    """Return a heading below those of the page, whose look is that of its own level."""
    level = int(tokens[index].tag[1:])
    lower = min(level + 3, 6)
    return f'<h{lower} class="level-{level}">' if tokens[index].nesting > 0 else f"</h{lower}>"


def _image(tokens: Sequence[Token], index: int, options: Any, environment: Any) -> str:
    destination, alt = str(tokens[index].attrGet("src") or ""), tokens[index].content
    path = _path(destination)
    address = environment["address_of"](path) if path is not None else None
    if address is not None and path is not None and path.lower().endswith(_IMAGES):
        return f'<img src="{escape(address)}" alt="{escape(alt)}" loading="lazy">'
    shown = f"image {destination}" if not alt else f"image {destination}: {alt}"
    return f'<span class="no-image">[{escape(shown)}]</span>'

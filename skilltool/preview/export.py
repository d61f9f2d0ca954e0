"""One file for a browser, without a server: the overview as it is, the page of each skill compressed.

A page is unpacked when it is shown, so that hundreds of skills open at once. Each line of a skill is stored
once, and so is what all skills have in common: listings and definitions of tools are part of the overview.
"""

from __future__ import annotations

import re
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256

from markupsafe import Markup, escape

from skilltool.preview import html
from skilltool.preview.html import HERE, Addresses
from skilltool.preview.model import Page, Project
from skilltool.text.lazy_pattern import lazy_pattern

_MODULES = ("text.js", "filter.js", "export.js")  # each after those that it imports
_IMPORT = lazy_pattern(r"^import [^;]*;\n|^export (?=(?:async )?function)", re.MULTILINE)


def exported(
    project: Project,
    page_of: Callable[[str], Page | None],
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """Return the document; `page_of` gives the page of the skill with an id."""
    to = Addresses(is_export=True)
    style, script = (HERE / "static" / "style.css").read_text("utf-8"), _script()
    return html.document(
        html.overview_page(project, to),
        f"{project.name} - skilltool preview",
        policy=_policy(script, style),
        style=Markup(style),
        script=Markup(script),
        store=Markup("\n").join(_pages(project, page_of, to, progress)),
    )


def _pages(
    project: Project,
    page_of: Callable[[str], Page | None],
    to: Addresses,
    progress: Callable[[int, int], None] | None,
) -> Iterator[Markup]:
    for number, row in enumerate(project.rows, 1):
        page = page_of(row.id)
        if page is not None:
            loading = [given for given in page.given if given.view.key is not None]
            others = [given for given in page.given if given.view.key is None]
            content = html.skill_page(page, to, [*loading, *others])
            packed = b64encode(zlib.compress(content.encode("utf-8", "surrogatepass"), 9)).decode()
            # Data that no browser runs; what it holds needs no escape.
            yield Markup(f'<script type="text/plain" id="page={escape(row.id)}">{packed}</script>')
        if progress is not None:
            progress(number, len(project.rows))


def _script() -> str:
    """Return the modules as one, which a file can hold."""
    return "\n".join(_IMPORT.sub("", (HERE / "static" / name).read_text("utf-8")) for name in _MODULES)


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"

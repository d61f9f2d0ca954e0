"""One file for a browser, without a server: the overview as it is, all other pages compressed.

Each distinct line of their HTML, and of the texts in it, is stored once, so what skills and clients have in
common costs little. A page is a list of numbers of lines, which is put together when it is shown.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256

from markupsafe import Markup, escape

from skilltool.preview import html
from skilltool.preview.html import HERE, Addresses, Choice
from skilltool.preview.lines import LineStore
from skilltool.preview.markup import visible
from skilltool.preview.model import Page, Project
from skilltool.preview.routing import Routing
from skilltool.text.lazy_pattern import lazy_pattern

_MODULES = ("text.js", "matrix.js", "skill.js", "export.js")  # each after those that it imports
_IMPORT = lazy_pattern(r"^import [^;]*;\n|^export (?=(?:async )?function)", re.MULTILINE)
_STATIC = HERE / "static"
Progress = Callable[[int, int], None]


def exported(
    project: Project,
    page_of: Callable[[str], Page | None],
    progress: Progress | None = None,
    routing: Routing | None = None,
) -> str:
    """Return the document; `page_of` gives the page of the skill with an id."""
    to = Addresses(is_export=True)
    style, script = (_STATIC / "style.css").read_text("utf-8"), _script()
    return html.document(
        html.overview_page(project, to, routing=routing),
        f"{project.name} - skilltool preview",
        policy=_policy(script, style),
        icon=b64encode((_STATIC / "mark.svg").read_bytes()).decode(),
        style=Markup(style),
        script=Markup(script),
        store=Markup("\n").join(_stored(project, page_of, to, progress, routing)),
    )


def _stored(
    project: Project,
    page_of: Callable[[str], Page | None],
    to: Addresses,
    progress: Progress | None,
    routing: Routing | None,
) -> Iterator[Markup]:
    """Yield all that is shown when it is asked for: rows, skills, clients, and the manuals of their rules."""
    texts, markup, pages = LineStore(), LineStore(), dict[str, str]()
    rules = {finding.rule for finding in project.in_manifests}
    for number, row in enumerate(project.rows, 1):
        page = page_of(row.id)
        if page is not None:
            loading = [given for given in page.given if given.view.key is not None]
            others = [given for given in page.given if given.view.key is None]
            content = html.skill_page(page, to, Choice([*loading, *others]), store=texts)
            pages[f"skill={row.id}"] = markup.numbers(content)
            rules |= {finding.rule for finding in page.findings}
        if progress is not None:
            progress(number, len(project.rows))
    for client in project.clients:
        content = html.client_page(project, client.id, to, store=texts) or ""
        pages[f"listing={client.id}"] = markup.numbers(content)
    if routing is not None:
        pages["routing"] = markup.numbers(html.routing_page(routing, to))
    manuals = {rule: str(html.rule_page(rule) or "") for rule in sorted(rules)}
    yield _packed("rows", html.rows_data(project, to))
    yield _packed("pages", json.dumps(pages))
    yield _packed("markup", "\n".join(markup.lines()))
    yield _packed("texts", "\n".join(map(visible, texts.lines())))
    yield _packed("manuals", json.dumps(manuals, ensure_ascii=False))


def _packed(name: str, text: str) -> Markup:
    """Return data that no browser runs, under a name; what it holds needs no escape."""
    packed = b64encode(zlib.compress(text.encode("utf-8", "surrogatepass"), 9)).decode()
    return Markup(f'<script type="text/plain" id="packed-{escape(name)}">{packed}</script>')


def _script() -> str:
    """Return the modules as one, which a file can hold; no two of them have a name in common."""
    return "\n".join(_IMPORT.sub("", (_STATIC / name).read_text("utf-8")) for name in _MODULES)


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"

"""Pages as HTML, by the templates in `pages/`; every value in them is escaped."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from jinja2 import Environment
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from skilltool.explain.cost import ClientCost, percent_text
from skilltool.findings.diagnostic import Diagnostic
from skilltool.preview import markup
from skilltool.preview.markup import environment
from skilltool.preview.model import Client, Given, Page, Project, Row
from skilltool.preview.page import LineStore
from skilltool.report.resolved import MEANINGS, name_of
from skilltool.skill.length import tokens
from skilltool.text.printable import printable
from skilltool.text.source import Source

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
    return markup.without_hidden(reader.render(body, {"address_of": address_of}))


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


HERE = Path(__file__).parent
SIGNS = {
    "loaded": "\u2713",
    "as KEY": "\u2713",
    "cut": "\u2702",
    "unlisted": "\u2702",
    "shadowed": "\u25d0",
    "not determined": "?",
    "hidden": "\u25cc",
    "refused": "\u2715",
    "unread": "\u2715",
    "failed": "\u2715",
    "unseen": "\u2013",
}


class Addresses(NamedTuple):
    """Where pages are: on a server, or, with `is_export`, all in one file."""

    is_export: bool = False

    def overview(self) -> str:
        """Return the address of the overview."""
        return "#" if self.is_export else "/"

    def skill(self, name: str) -> str:
        """Return the address of the page of a skill."""
        return f"#skill={quote(name)}" if self.is_export else f"/skill/{quote(name)}"

    def client(self, name: str) -> str:
        """Return the address of the section of a client."""
        return f"#client={quote(name)}" if self.is_export else f"/#client={quote(name)}"

    def file(self, name: str, path: str) -> str:
        """Return the address of a file of a skill; a single file holds none."""
        return f"/file/{quote(name)}/{quote(os.fsencode(path))}"


class Line(NamedTuple):
    """A line of the source: its number, its text without the line end, and the findings that begin there."""

    number: int
    text: str
    findings: tuple[Diagnostic, ...]


class Segment(NamedTuple):
    """The part of a bar that a skill takes, in percent of the bar."""

    key: str
    start: float
    width: float
    is_cut: bool
    size: int


class Bar(NamedTuple):
    """A listing against its budget: the segments, and where the budget ends, None without one (percent)."""

    segments: tuple[Segment, ...]
    budget: float | None


def overview_page(project: Project, addresses: Addresses, problem: str = "") -> str:
    """Return the content of the overview; `problem` is why it is not up to date."""
    words = dict.fromkeys(
        kind for row in project.rows for view in row.views.values() for kind, _ in view.words
    )
    legend = [(kind, MEANINGS[kind]) for kind in words if kind in MEANINGS]
    bars = {client.id: bar(client.cost) for client in project.clients}
    return _render(
        "overview.html",
        project=project,
        to=addresses,
        problem=problem,
        bars=bars,
        legend=legend,
        names={kind: name_of(kind) for kind, _ in legend},
        columns=columns(project),
    )


def columns(project: Project) -> list[list[str]]:
    """Return the columns of the matrix: the ids of clients that do the same with every skill share one."""
    found: dict[object, list[str]] = {}
    for runtime in project.runtimes:
        cells = tuple(row.views[runtime].words for row in project.rows)
        found.setdefault(cells, []).append(runtime)
    return list(found.values())


def skill_page(page: Page, addresses: Addresses, shown: Sequence[Given], problem: str = "") -> str:
    """Return the content of the page of a skill, with what some of its clients give."""
    links = page.links

    def address_of(path: str) -> str | None:
        return addresses.file(page.row.id, path) if path in links and not addresses.is_export else None

    source = list(_source(page))
    store = LineStore() if addresses.is_export else None
    numbers = store.runs(line.text for line in source) if store else ""
    body = None if page.source is None else rendered(page.source[page.body_start :], address_of)
    return _render(
        "skill.html",
        page=page,
        row=page.row,
        to=addresses,
        body=body,
        source=source,
        shown=shown,
        problem=problem,
        store=store,
        numbers=numbers,
    )


def document(content: str, title: str, **values: Any) -> str:
    """Return a whole document around the content of a page; bytes that are not UTF-8 are escaped."""
    text = _render("document.html", content=Markup(content), title=printable(title), **values)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def message_page(heading: str, text: str, addresses: Addresses) -> str:
    """Return the content of a page that says one thing, such as that a skill is gone."""
    return _render("message.html", heading=heading, text=text, to=addresses)


def bar(cost: ClientCost) -> Bar:
    """Return the bar of a listing: as long as what is asked, or as the budget if that is more."""
    listed = [(skill.key, skill.listing.asked) for skill in cost.skills if skill.listing is not None]
    others = max(cost.asked - sum(size for _, size in listed), 0)
    whole = max(cost.asked, cost.budget or 0 if cost.is_limited else 0, 1)
    starts = list(accumulate((size for _, size in listed), initial=others))
    segments = [
        Segment(key, 100 * start / whole, 100 * size / whole, key in cost.cut, size)
        for (key, size), start in zip(listed, starts, strict=False)
    ]
    own = [Segment("", 0, 100 * others / whole, False, others)] if others else []
    return Bar((*own, *segments), 100 * (cost.budget or 0) / whole if cost.is_limited else None)


def _source(page: Page) -> Iterator[Line]:
    """Yield the lines of a SKILL.md, each with the findings that begin in it."""
    if page.source is None:
        return
    source = Source(page.source)
    by_line: dict[int, list[Diagnostic]] = {}
    for finding in page.findings:
        by_line.setdefault(finding.location.start.line, []).append(finding)
    for number in range(1, source.line_count + 1):
        text = source.text[source.line_start(number) : source.line_start(number + 1)].removesuffix("\n")
        yield Line(number, text, tuple(by_line.get(number, ())))


def _render(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    made = environment(HERE / "pages")
    made.filters |= {
        "message": markup.message,
        "tokens": tokens,
    }
    made.globals |= {
        "lines": markup.lines,
        "percent_of": _percent_of,
        "signs": SIGNS,
        "of_client": _of_client,
        "is_trouble": _is_trouble,
        "headline_of": _headline_of,
    }
    return made


def _percent_of(cost: ClientCost) -> str:
    return percent_text(cost.percent(built_in=True) or 0)


def _headline_of(client: Client) -> str:
    """Return what `cost` says first of a client, without its name."""
    text = "; ".join(line.strip() for line in client.headline).removeprefix(f"{client.runtime}: ")
    return text[:1].upper() + text[1:]


def _is_trouble(row: Row) -> bool:
    """Return whether some client does not give its model the whole skill, although it looks there."""
    words = {kind for view in row.views.values() for kind, _ in view.words}
    return not words <= {"loaded", "as KEY", "unseen"}


def _of_client(client: Client) -> str:
    return client.runtime if not client.stand_in else f"{client.runtime} with {printable(client.stand_in)}"

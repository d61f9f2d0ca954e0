"""Pages as HTML, by the templates in `pages/`; every value in them is escaped."""

from __future__ import annotations

import json
import os
import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from shlex import join
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from jinja2 import Environment
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from skilltool import runtimes
from skilltool.errors import UnknownNameError
from skilltool.explain.cost import ClientCost, percent_text, unit_text
from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity
from skilltool.lint.habits import without_count
from skilltool.lint.result import count_of
from skilltool.packages.configurations import configuration_of
from skilltool.preview import markup, matrix, rows
from skilltool.preview.fates import fates
from skilltool.preview.lines import LineStore
from skilltool.preview.marks import KINDS, OF_CLIENT, Mark
from skilltool.preview.markup import environment, visible
from skilltool.preview.model import Client, Given, Page, Project, Row
from skilltool.preview.routing import Routing
from skilltool.preview.signs import LEVELS, PROBLEMS, SIGNS, TYPED, UNCALLABLE, WORDS, name
from skilltool.report.resolved import MEANINGS, NOT_ASKED
from skilltool.rules import manual
from skilltool.rules.traits import traits_of
from skilltool.skill.length import tokens
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.printable import printable
from skilltool.text.source import Source

Address = Callable[[str], str | None]
_IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif")
_WEB = frozenset({"http", "https", "mailto"})


def rendered(body: str, address_of: Address, below: int = 3) -> Markup:
    """Return the body as HTML; `address_of` gives the address of a file of the skill, None for others.

    Its headings are `below` levels under their own.
    """
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
    return markup.without_hidden(reader.render(body, {"address_of": address_of, "below": below}))


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
    lower = min(level + environment["below"], 6)
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


class Addresses(NamedTuple):
    """Where pages are: on a server, or, with `is_export`, all in one file."""

    is_export: bool = False

    def overview(self) -> str:
        """Return the address of the overview."""
        return "#" if self.is_export else "/"

    def skill(self, name: str) -> str:
        """Return the address of the page of a skill."""
        return f"#skill={quote(name)}" if self.is_export else f"/skill/{quote(name)}"

    def listed(self, name: str, runtime: str) -> str:
        """Return the address of the page of a skill that shows what the listing of a client has of it."""
        shown = f"client={quote(runtime)}&tab=listing"
        return f"{self.skill(name)}{'&' if self.is_export else '?'}{shown}"

    def client(self, name: str) -> str:
        """Return the address of the page of a client."""
        return f"#listing={quote(name)}" if self.is_export else f"/client/{quote(name)}"

    def routing(self) -> str:
        """Return the address of the page about routing."""
        return "#routing" if self.is_export else "/routing"

    def file(self, name: str, path: str) -> str:
        """Return the address of a file of a skill; a single file holds none."""
        return f"/file/{quote(name)}/{quote(os.fsencode(path))}"


class Line(NamedTuple):
    """A line of the source: its number, and its text without the line end, as HTML with marks.

    `severity` is that of the worst finding in it, empty without one, and `finding` the number of that.
    """

    number: int
    html: Markup
    is_marked: bool
    severity: str
    finding: int


TABS = {
    "listing": "In the listing",
    "tool": "Tool definition",
    "result": "Called by the model",
    "typed": "Typed by the user",
}


class Choice(NamedTuple):
    """What of a skill is shown: what its first and second client give, and one of `TABS`, or empty."""

    shown: Sequence[Given]
    tab: str = ""


def first_tab(given: Given) -> str:
    """Return the tab that is shown first: that a description is truncated is seen in the listing."""
    return "listing" if any(mark.kind == "truncated" for mark in given.marks) else "result"


# What the matrix says that a word means, otherwise than a terminal.
_LEGEND = {
    "loaded": "loaded, and listed with its whole description",
    "as KEY": "loaded under a name other than its directory's",
    TYPED: "loaded; the skill asks to be left out of the listing (`disable-model-invocation`)",
    UNCALLABLE: "loaded, but the model's call fails",
    "invalid": "the file does not meet this specification",
    "valid": "the file meets this specification",
    "unseen": MEANINGS[NOT_ASKED],
}


def overview_page(
    project: Project,
    addresses: Addresses,
    problem: str = "",
    every: bool = False,
    routing: Routing | None = None,
) -> str:
    """Return the content of the overview; `problem` is why it is not up to date.

    It has the rows that are seen first, or all of them for browsers without scripts. With `routing` it has a
    link to that page.
    """
    found = matrix.columns(project)
    listings = [each for each in matrix.listings(project) if not matrix.is_empty(each)]
    words = {matrix.sign(row, column) for row in project.rows for column in found}
    verdict = matrix.verdict(project)
    first = rows.first_rows(project, found, addresses.skill, every)
    return _render(
        "overview.html",
        project=project,
        to=addresses,
        problem=problem,
        verdict=verdict,
        facts=[*verdict[2:], *filter(None, [matrix.leading_without(project)])],
        routing=routing,
        columns=found,
        rows=list(zip(sorted(map(matrix.group, project.rows)), first, strict=False)),  # as rows are ordered
        groups=matrix.groups(project),
        legend=[(kind, name(kind), _meaning(kind, words, project)) for kind in WORDS if kind in words],
        problems={kind for kind in words if LEVELS[kind] in PROBLEMS},
        conditions=sorted({view.told for row in project.rows for view in row.views.values()} - {""}),
        left_out=matrix.left_out(project),
        nobody=matrix.no_reader(project),
        omitted=matrix.is_omitted(project),
        counted=matrix.counted_rows(project),
        in_columns=any("column" in (each.client.cost.budget_unit or "") for each in listings),
        listings=listings,
        away=sorted({each for row in project.rows for each in row.conditions}),
        homes=list(dict.fromkeys(row.stand_in for row in project.rows if row.stand_in)),
        copied=_copied_from(project),
        unknown=[each for column in found for each in column.runtimes if runtimes.get(each).catalog is None],
        other_files=[(each.client.runtime, each.client.files) for each in listings if each.client.files],
        outside=sum(not row.is_here for row in project.rows),
    )


def _copied_from(project: Project) -> list[tuple[str, str]]:
    """Return the directories in the home directory whose copies have skills here, each with its client."""
    first = {row.stand_in: row for row in reversed(project.rows) if row.stand_in}
    owners = [(row.owner, configuration_of(row.directory)) for row in first.values()]
    return sorted({(f"~/{own.place.path}", owner) for owner, own in owners if own is not None})


def _meaning(kind: str, words: set[str], project: Project) -> str:
    """Return what the matrix says of a word; `words` are all that it has."""
    meaning = _LEGEND.get(kind) or MEANINGS.get(kind, "")
    unknown = [name for name in project.runtimes if name in runtimes.REPORTED]
    if kind == "loaded" and unknown:
        them = "they load" if len(unknown) > 1 else "it loads"
        return f"{meaning}; of {' and '.join(unknown)} it is only known that {them} the skill"
    is_asked = kind == "unseen" and not words.isdisjoint({"valid", "invalid"})
    return (
        f"{meaning}; the specification covers `.agents/skills` of this project, and its directories that "
        "belong to no client and no plugin"
        if is_asked
        else meaning
    )


def rows_data(project: Project, addresses: Addresses) -> str:
    """Return all rows of the matrix as JSON, see `rows.data`."""
    found = rows.data(project, matrix.columns(project), addresses.skill)
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def client_page(
    project: Project, name: str, addresses: Addresses, problem: str = "", store: LineStore | None = None
) -> str | None:
    """Return the content of the page of a client with this id, None if there is none.

    With a `store`, texts are numbers of its lines.
    """
    client = next((each for each in project.clients if each.id == name), None)
    if client is None:
        return None
    others = [each for each in project.clients if each.runtime == client.runtime]
    listing = matrix.listing(client, matrix.widest([client.cost]))
    return _render(
        "client.html",
        client=client,
        others=others,
        to=addresses,
        problem=problem,
        listing=listing,
        store=store,
    )


def routing_page(routing: Routing, addresses: Addresses) -> str:
    """Return the content of the page about routing."""
    return _render("routing.html", routing=routing, to=addresses)


def rule_page(name: str) -> Markup | None:
    """Return the manual of a rule as HTML, None if there is no such rule."""
    try:
        manual_page = manual.page(name)
    except UnknownNameError:
        return None
    return rendered(f"{manual_page.summary}\n\n{manual_page.body}", lambda path: None, below=1)


def skill_page(
    page: Page, addresses: Addresses, choice: Choice, problem: str = "", store: LineStore | None = None
) -> str:
    """Return the content of the page of a skill, with what some of its clients give.

    With a `store`, texts are numbers of its lines, and of the source only what is marked is HTML.
    """
    links = page.links
    page = page._replace(findings=tuple(sorted(page.findings, key=lambda each: _order(each, page.row))))

    def address_of(path: str) -> str | None:
        return addresses.file(page.row.id, path) if path in links else None

    source = source_lines(page, choice.shown if addresses.is_export else choice.shown[:1])
    is_rendered = page.source is not None and not addresses.is_export
    return _render(
        "skill.html",
        page=page,
        row=page.row,
        to=addresses,
        body=rendered((page.source or "")[page.body_start :], address_of) if is_rendered else None,
        source=source,
        shown=choice.shown,
        tab=choice.tab or (first_tab(choice.shown[0]) if choice.shown else "result"),
        tabs=TABS,
        fates=fates(page.given, page.findings, page.source),
        kinds=_kinds(choice.shown),
        blocks=_blocks(page, choice.shown),
        note=Severity.INFO,
        problem=problem,
        store=store,
        numbers=store.numbers(page.source or "") if store else "",
    )


def _order(finding: Diagnostic, row: Row) -> tuple[int, bool, bool]:
    """Return the order of findings: the worst first, of several the one that the overview names."""
    return -finding.severity, finding.rule != row.rule.partition(",")[0], not traits_of(finding.rule).is_fatal


def _kinds(shown: Sequence[Given]) -> list[tuple[str, str]]:
    """Return what becomes of characters of the source in what is shown, each with what it means."""
    found = {mark.kind for given in shown for mark in given.marks}
    return [(kind, meaning) for kind, meaning in KINDS.items() if kind in found]


def document(content: str, title: str, **values: Any) -> str:
    """Return a whole document around the content of a page; bytes that are not UTF-8 are escaped."""
    text = _render("document.html", content=Markup(content), title=printable(title), **values)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def message_page(heading: str, text: str, addresses: Addresses) -> str:
    """Return the content of a page that says one thing, such as that a skill is gone."""
    return _render("message.html", heading=heading, text=text, to=addresses)


_MOST_LINES = 3  # that a finding marks; of one about more, the first line


def source_lines(page: Page, shown: Sequence[Given]) -> list[Line]:
    """Return the lines of a SKILL.md, with marks for its findings and for what the clients do."""
    if page.source is None:
        return []
    source = Source(page.source)
    spans = [*_of_clients(shown, source), *_of_findings(page, source)]
    worst: dict[int, int] = {}
    for number, finding in enumerate(page.findings):
        line = finding.location.start.line
        if not finding.file and (line not in worst or finding.severity > page.findings[worst[line]].severity):
            worst[line] = number
    found = []
    for number in range(1, source.line_count + 1):
        start = source.line_start(number)
        text = source.text[start : source.line_start(number + 1)].removesuffix("\n")
        end = start + len(text)
        here = [(a - start, b - start, name) for a, b, name in spans if a < max(end, start + 1) and start < b]
        severity = str(page.findings[worst[number]].severity) if number in worst else ""
        html = markup.marked(text, here) if here else visible(text)
        found.append(Line(number, html, bool(here or severity), severity, worst.get(number, 0)))
    return found


def _of_clients(shown: Sequence[Given], source: Source) -> Iterator[tuple[int, int, str]]:
    """Yield what clients do with characters, each once; of many lines, with the first."""
    for mark, ids in _by_mark(shown).items():
        end = min(mark.end, source.line_start(source.position(mark.start).line + 1))
        title = f"{mark.kind}: {KINDS[mark.kind]}"
        yield mark.start, end, f'class="{mark.kind}" data-of="{" ".join(ids)}" title="{title}"'


def _by_mark(shown: Sequence[Given]) -> dict[Mark, list[str]]:
    found: dict[Mark, list[str]] = {}
    for given in shown:
        for mark in given.marks:
            found.setdefault(mark, []).append(given.view.runtime)
    return found


def _blocks(page: Page, shown: Sequence[Given]) -> str:
    """Return the lines that clients leave out as a whole, `12-40 codex,pi; ...`."""
    source = Source(page.source or "")
    found = [
        (source.position(mark.start).line, source.position(max(mark.end - 1, mark.start)).line, ids)
        for mark, ids in _by_mark(shown).items()
        if mark.kind == "truncated"
    ]
    return "; ".join(f"{first}-{last} {','.join(ids)}" for first, last, ids in found if last > first)


def _of_findings(page: Page, source: Source) -> Iterator[tuple[int, int, str]]:
    for number, finding in enumerate(page.findings):
        first, last = finding.location.start, finding.location.end
        if finding.file:
            continue
        start = source.line_start(first.line) + first.column - 1
        end = source.line_start(last.line) + last.column - 1
        if last.line - first.line >= _MOST_LINES:
            end = source.line_start(first.line + 1)
        title = escape(visible(without_count(finding.message)).striptags())
        yield (
            start,
            max(end, start + 1),
            f'class="finding-{finding.severity}" data-finding="{number}" title="{title}"',
        )


def _command(text: str) -> Markup:
    """Return a command as HTML, with no line end inside an option such as `--fix`."""
    words = re.split(r"(?<=[ ])", text)
    return Markup("").join(
        Markup('<span class="option">{}</span>').format(visible(word))
        if word.startswith("--")
        else visible(word)
        for word in words
    )


def _sentence(text: str) -> str:
    """Return a text that begins with a capital."""
    return text[:1].upper() + text[1:]


def _render(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    made = environment(HERE / "pages")
    made.filters |= {
        "message": markup.message,
        "told": _told,
        "command": _command,
        "sentence": _sentence,
        "tokens": tokens,
        "unit": unit_text,
    }
    made.globals |= {
        "lines": markup.lines,
        "percent_of": _percent_of,
        "signs": SIGNS,
        "of_mark": OF_CLIENT,
        "is_specification": _is_specification,
        "levels": LEVELS,
        "of_client": _of_client,
        "reaching": _reaching,
        "place_of": place_of,
        "headline_of": _headline_of,
        "first_tab": first_tab,
        "fix_command": fix_command,
        "is_owner_fine": is_owner_fine,
        "who": _who,
    }
    return made


def _told(finding: Diagnostic, row: Row | None = None) -> str:
    """Return the message of a finding about one skill; of many clients it says how many of them read it."""
    names = [name for name in finding.runtimes if row is None or _reads(row, name)]
    return _SEVERAL.sub(_who(names or finding.runtimes), without_count(finding.message), count=1)


def _reads(row: Row, runtime: str) -> bool:
    view = row.views.get(runtime)
    return view is not None and view.state != "unseen"


def is_owner_fine(finding: Diagnostic, row: Row) -> bool:
    """Return whether a finding is a note although a client rejects the skill: the owner loads it."""
    owner = row.views.get(row.owner)
    if finding.severity is not Severity.INFO or owner is None or owner.key is None:
        return False
    views = (row.views.get(name) for name in finding.runtimes)
    return any(view is not None and "refused" in dict(view.words) for view in views)


_SEVERAL = lazy_pattern(r"(?:`[\w@.-]+`, ){2,4}`[\w@.-]+` and \d+ more\b")


def fix_command(row: Row, finding: Diagnostic) -> str:
    """Return the command that applies the fix of a finding; empty where it has none."""
    if finding.fix is None:
        return ""
    path = row.shown if row.is_here else row.directory
    unsafe = [] if finding.fix.safe else ["--unsafe-fixes"]
    return join(["skilltool", "lint", path, "--select", finding.rule, "--fix", *unsafe])


def _is_specification(runtime: str) -> bool:
    return runtimes.get(runtime).specification


def _who(ids: Sequence[str]) -> str:
    """Return how many clients and specifications a finding is about: `7 clients and 1 specification`."""
    number = sum(map(_is_specification, ids))
    counts = {"client": len(ids) - number, "specification": number}
    return " and ".join(count_of(each, noun) for noun, each in counts.items() if each)


def _percent_of(cost: ClientCost) -> str:
    return percent_text(cost.percent(built_in=True) or 0)


def _headline_of(client: Client) -> str:
    """Return what `cost` says first of a client, without its name."""
    text = "; ".join(line.strip() for line in client.headline).removeprefix(f"{client.runtime}: ")
    return text[:1].upper() + text[1:]


def _of_client(client: Client) -> str:
    if not client.stand_in:
        return client.runtime
    return f"{client.runtime} {_reaching(client)} {printable(place_of(client))}"


def _reaching(client: Client) -> str:
    """Return the words before `place_of`: how a client comes to its `stand_in`."""
    if is_started(client):
        return "started in"
    return "with the plugin of" if "plugin" in client.condition else "with"


def is_started(client: Client) -> bool:
    """Return whether a client comes to its `stand_in` because it is started in the directory above it."""
    return client.condition == "if started there" and client.stand_in.find("/.") > 0


def place_of(client: Client) -> str:
    """Return the directory in which a client is started, or the one that it is pointed at."""
    return client.stand_in.partition("/.")[0] if is_started(client) else client.stand_in

"""What skills refer to and ask for: as lines for people, and as graphs for Graphviz and Mermaid."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from skilltool.files.paths import display_path
from skilltool.lint.result import count_of
from skilltool.needs import seen
from skilltool.needs.changes import Change, SkillChange
from skilltool.needs.closure import Break, Closure
from skilltool.needs.locks import CHANGED, SAME, Locked
from skilltool.needs.record import Edge, Record, circles
from skilltool.needs.references import MISSING, NOWHERE, OLD_NAME, OUTSIDE, SKILL, SKILL_FILE, Reference
from skilltool.needs.seen import Seen, Unread
from skilltool.packages.installer import table
from skilltool.report.github import MOST
from skilltool.report.style import BOLD, DIM, GREEN, RED, YELLOW, Style
from skilltool.text.printable import SafeText, display_width, printable, without_commands

_TITLES = {
    SKILL: "Other skills",
    SKILL_FILE: "Files in other skills",
    OUTSIDE: "Files outside every skill",
    MISSING: "Missing files",
    NOWHERE: "Not in this repository",
    OLD_NAME: "Old names of skills",
}
_BAD = (MISSING, NOWHERE, OLD_NAME)
_KILO = 1_000
_SEEN_TITLES = {
    seen.NETWORK: "Network",
    seen.LOAD_TIME: "Commands at load time",
    seen.TOOL: "Tools, hooks and servers",
    seen.CREDENTIAL: "Credential files",
    seen.ENVIRONMENT: "Environment variables",
    seen.PATH: "Paths outside",
    seen.PACKAGE: "Packages",
    seen.COMMAND: "Commands",
    seen.LINK: "Links",
}
_COLORS = {seen.NETWORK: YELLOW, seen.LOAD_TIME: RED, seen.CREDENTIAL: RED, seen.TOOL: YELLOW}
_WIDEST = 48  # cells of the first column


def text(chosen: Sequence[Record], found: Sequence[Edge], style: Style, *, details: bool) -> SafeText:
    """Return all that is known of one skill, or a line for each of several; with `details` all of each."""
    lines: list[str] = []
    if len(chosen) == 1 or details:
        for record in chosen:
            lines += (
                ["", *_one(record, found, style, details=details)]
                if lines
                else _one(record, found, style, details=details)
            )
    else:
        lines += _many(chosen, found)
    directories = {record.known.shown for record in chosen}
    for group in circles(found):
        if not directories.isdisjoint(group):
            lines += ["", f"These skills refer to each other in a cycle: {', '.join(map(printable, group))}"]
    return without_commands("".join(f"{line}\n" for line in lines))


def _one(record: Record, found: Sequence[Edge], style: Style, *, details: bool) -> Iterator[str]:
    known = record.known
    yield f"{style.paint(printable(known.name), BOLD)} in {printable(known.shown)}"
    if record.failure is not None:
        yield f"  not read: {printable(record.failure)}"
        return
    yield f"  {count_of(record.files, 'file')}, {record.digest}"
    for to, title in _TITLES.items():
        rows = [each for each in record.references if each.to == to]
        if rows:
            yield from ("", f"  {style.paint(title, BOLD)}")
            color = RED if to in (MISSING, NOWHERE) else YELLOW if to == OLD_NAME else ""
            yield from _rows(
                [(_target(each), f"{each.file}:{each.line}", _how(each)) for each in rows], color, style
            )
    back = [(edge.start, each) for edge in found if edge.end == known.shown for each in edge.references]
    if back:
        yield from ("", f"  {style.paint('Referred to by', BOLD)}")
        yield from _rows([(start, f"{each.file}:{each.line}", _how(each)) for start, each in back], "", style)
    for kind, title in _SEEN_TITLES.items():
        things = [each for each in record.seen if each.kind == kind]
        if things:
            yield from ("", f"  {style.paint(title, BOLD)}")
            yield from _rows(list(_places(things, details=details)), _COLORS.get(kind, ""), style)
    if record.unread:
        yield from ("", f"  {style.paint('Not read', BOLD)}")
        yield from _rows([(each.file, _size(each), each.why) for each in record.unread], YELLOW, style)
    if not record.references and not back and not record.seen:
        yield from (
            "",
            "  Found no reference to another skill or an outside file, and nothing that the skill asks for.",
        )


def _places(rows: Sequence[Seen], *, details: bool) -> Iterator[tuple[str, str, str]]:
    """Yield each thing with its first place and in how many more it is seen; with `details` every place."""
    if details:
        yield from ((_what(row), f"{row.file}:{row.line}", f"{row.how}, {row.where}") for row in rows)
        return
    grouped: dict[tuple[str, str], list[Seen]] = {}
    for row in rows:
        grouped.setdefault((_what(row), row.how), []).append(row)
    for (what, how), group in grouped.items():
        more = f" (+{len(group) - 1})" if len(group) > 1 else ""
        is_plain = how in ("run", "imported", "linked", "read")
        yield (
            what,
            f"{group[0].file}:{group[0].line}{more}",
            group[0].where if is_plain else f"{how}, {group[0].where}",
        )


def _what(row: Seen) -> str:
    return f"{row.what} (no version)" if row.pinned is False else row.what


def _size(unread: Unread) -> str:
    if unread.size is None:
        return ""
    return f"{unread.size:,} bytes" if unread.size < _KILO else f"{unread.size // _KILO:,} kB"


def _target(reference: Reference) -> str:
    return (
        f"{reference.target} (now {reference.leads})"
        if reference.to == OLD_NAME and reference.leads
        else reference.target
    )


def _how(reference: Reference) -> str:
    return f"{reference.by}, a note" if reference.is_note and reference.by != "prose" else reference.by


def _rows(rows: Iterable[tuple[str, str, str]], color: str, style: Style) -> Iterator[str]:
    """Yield rows of three columns, the first in a colour and the last dim; equal ones are shown once."""
    shown = list(
        dict.fromkeys((printable(first), printable(where), printable(how)) for first, where, how in rows)
    )
    widths = [min(max(display_width(row[number]) for row in shown), _WIDEST) for number in (0, 1)]
    for first, where, how in shown:
        gaps = [
            " " * max(width - display_width(part), 0)
            for width, part in zip(widths, (first, where), strict=True)
        ]
        yield f"    {style.paint(first, color)}{gaps[0]}  {where}{gaps[1]}  {style.paint(how, DIM)}"


def _many(chosen: Sequence[Record], found: Sequence[Edge]) -> Iterator[str]:
    titles = ("skill", "skills", "outside", "missing", "used by", "hosts", "commands", "packages", "not read")
    rows = [titles, *(_counts(record, found) for record in chosen)]
    widths = [max(display_width(row[number]) for row in rows) for number in range(len(titles))]
    for row in rows:
        cells = [
            part + " " * (width - display_width(part)) for part, width in zip(row[:1], widths, strict=False)
        ]
        cells += [" " * (width - len(part)) + part for part, width in zip(row[1:], widths[1:], strict=True)]
        yield "  ".join(cells)


def _counts(record: Record, found: Sequence[Edge]) -> tuple[str, ...]:
    shown = printable(record.known.shown)
    if record.failure is not None:
        return (shown, *("?" for _ in range(8)))
    sure = {each.skill for each in record.references if each.to in (SKILL, SKILL_FILE) and not each.is_note}
    outside = {each.leads for each in record.references if each.to in (SKILL_FILE, OUTSIDE)}
    bad = {each.target for each in record.references if each.to in _BAD and not each.is_note}
    by = {edge.start for edge in found if edge.end == record.known.shown and not edge.is_note}
    kinds = (seen.NETWORK, seen.COMMAND, seen.PACKAGE)
    things = [{row.what for row in record.seen if row.kind == kind} for kind in kinds]
    counted: list[Collection[object]] = [sure, outside, bad, by, *things, record.unread]
    return (shown, *(str(len(each)) if each else "" for each in counted))


_SIGNS = {"+": YELLOW, "-": GREEN, "~": YELLOW}


def changes(found: Sequence[SkillChange], style: Style) -> SafeText:
    """Return what is new and what is gone, skill by skill; a sentence where nothing is."""
    lines: list[str] = []
    for each in found:
        if not (each.changes or each.state):
            continue
        known = each.either.known
        state = f" ({printable(each.state)})" if each.state else ""
        lines += ["", f"{style.paint(printable(known.name), BOLD)} in {printable(known.shown)}{state}"]
        rows = [(f"{change.sign} {change.kind}", _place(change), _changed(change)) for change in each.changes]
        widths = [
            min(max((display_width(printable(row[number])) for row in rows), default=0), _WIDEST)
            for number in (0, 1)
        ]
        for row in rows:
            first, where, what = map(printable, row)
            gaps = [
                " " * max(width - display_width(part), 0)
                for width, part in zip(widths, (first, where), strict=True)
            ]
            lines.append(f"  {style.paint(first, _SIGNS[first[0]])}{gaps[0]}  {where}{gaps[1]}  {what}")
    if not lines:
        lines = ["", "No skills, references or requests were added or removed."]
    return _lines(lines[1:])


def _place(change: Change) -> str:
    return f"{change.file}:{change.line}" if change.line else change.file


def _changed(change: Change) -> str:
    return f"{change.what}, {change.how}" if change.how else change.what


def github(found: Iterable[SkillChange], failing: Sequence[tuple[Record, Change]]) -> SafeText:
    """Return annotations for GitHub: an error for each change that fails, a notice for each other new one."""
    bad = [(record.known.shown, change) for record, change in failing]
    new = [
        (each.either.known.shown, change) for each in found for change in each.changes if change.sign != "-"
    ]
    rows = [*(("error", *each) for each in bad), *(("notice", *each) for each in new if each not in bad)]
    shown: dict[str, int] = {}
    lines: list[str] = []
    for kind, directory, change in rows:
        shown[kind] = shown.get(kind, 0) + 1
        statement = f"{directory}/{_place(change)}: {change.statement}"
        if shown[kind] > MOST:
            lines.append(without_commands(f"{printable(statement)}\n"))
            continue
        place = f"file={_property(f'{directory}/{change.file}')},line={max(change.line, 1)}"
        lines.append(f"::{kind} title=skilltool (needs),{place}::{_data(statement)}\n")
    return SafeText("".join(lines))


def _data(text: str) -> str:
    return printable(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def markdown(found: Sequence[SkillChange], since: str) -> SafeText:
    """Return a comment for a pull request: a table for each skill in which something is new or gone."""
    lines = [f"### What skills ask for, compared with {_code(since)}", ""]
    changed = [each for each in found if each.changes or each.state]
    if not changed:
        return _lines([*lines, "Nothing was added or removed."])
    for each in changed:
        state = f", {_words(each.state)}" if each.state else ""
        lines += [f"**{_words(each.either.known.name)}** ({_code(each.either.known.shown)}){state}", ""]
        if not each.changes:
            continue
        lines += ["| | kind | what | where |", "|---|---|---|---|"]
        for change in each.changes:
            what = f"{_code(change.what)} {_words(change.how)}".rstrip()
            lines.append(f"| {change.sign} | {change.kind} | {what} | {_code(_place(change))} |")
        lines.append("")
    return _lines(
        [
            *lines,
            "Found in the text by `skilltool needs`. Programs may do things that the text does not show.",
        ]
    )


def _code(text: str) -> str:
    """Return text in a code span, in which nothing is markup or a mention, also in a cell of a table."""
    shown = printable(text).replace("`", "'").replace("|", "\\|")
    return f"`{shown}`"


def _words(text: str) -> str:
    """Return text of which no character is markup."""
    return re.sub(r"[^\w\s,.()/-]", lambda match: f"&#{ord(match[0])};", printable(text).replace("_", " "))


_MOST_BROKEN = 20


def closures(found: Iterable[Closure], style: Style, *, details: bool) -> SafeText:
    """Return what arrives of each skill, what does not, what breaks, and what to install with it."""
    lines: list[str] = []
    for each in found:
        version = table()["single"][each.installer]["version"]
        name = style.paint(printable(each.name), BOLD)
        title = f"{name} installed by {version} as {printable(each.installed_as)}"
        lines += ["", title, f"  arrives: {count_of(len(each.arrives), 'file')}"]
        if details:
            lines += [f"    {printable(path)}" for path in each.arrives]
        if each.rewrites:
            lines.append("  SKILL.md is rewritten with its source in the metadata, so its bytes differ")
        lines += [f"  left out: {printable(path)}, {why}" for path, why in each.left_out]
        lines += [f"  {printable(remark)}" for remark in each.remarks]
        lines += _broken("breaks", each.breaks, each.name, style)
        for other in each.companions:
            place = f"{other.reference.file}:{other.reference.line}"
            by = "" if other.asked_by == each.name else f" in {other.asked_by}"
            lines.append(f"  also install: {printable(other.name)} ({printable(f'{place}{by}')})")
        if each.companions:
            lines += _broken("still breaks", each.breaks_still, each.name, style)
        if each.broken_before:
            count = count_of(each.broken_before, "reference")
            lines.append(f"  already broken in the repository: {count} (`skilltool needs` shows them)")
        if not each.breaks and not each.breaks_still:
            lines.append("  nothing else breaks" if each.broken_before else "  nothing breaks")
        elif each.companions and not each.breaks_still:
            lines.append("  with these, nothing breaks")
    return _lines(lines[1:])


def _broken(title: str, found: Sequence[Break], own: str, style: Style) -> Iterator[str]:
    for each in found[:_MOST_BROKEN]:
        skill = "" if each.skill == own else f"{each.skill}: "
        yield f"  {style.paint(title, RED)}: {printable(f'{skill}{each.statement}')}"
    if len(found) > _MOST_BROKEN:
        more = f"{len(found) - _MOST_BROKEN:,} more (the JSON output lists them all)"
        yield f"  {style.paint(title, RED)}: {more}"


def locks(found: Sequence[Locked], style: Style) -> SafeText:
    """Return a line for each skill that a lock names."""
    lines = []
    for each in found:
        color = RED if each.state == CHANGED else DIM if each.state != SAME else ""
        source = f"{each.source}@{each.ref}" if each.ref else each.source
        where = display_path(each.directory) if each.directory else ""
        more = "  ".join(filter(None, (printable(source), printable(where), each.why)))
        lines.append(f"{printable(each.name)}  {style.paint(each.state, color)}  {more}")
    return _lines(lines)


def dot(found: Sequence[Edge], skills: Iterable[str], *, notes: bool) -> SafeText:
    """Return the graph of skills in the language of Graphviz.

    With `notes` also what prose says, dashed, and skills that refer to none; else a comment counts both.
    """
    shown, alone, left_out = _drawn(found, skills, notes)
    lines = [*(f"// {line}" for line in left_out), "digraph skills {", "  rankdir=LR;", "  node [shape=box];"]
    for edge in shown:
        dashed = " [style=dashed]" if edge.is_note else ""
        lines.append(f"  {_quoted(edge.start)} -> {_quoted(edge.end)}{dashed};")
    return _lines([*lines, *(f"  {_quoted(name)};" for name in alone), "}"])


def _drawn(
    found: Sequence[Edge], skills: Iterable[str], notes: bool
) -> tuple[list[Edge], list[str], list[str]]:
    """Return the edges that a graph shows, its skills without one, and sentences about what it leaves out."""
    shown = [edge for edge in found if notes or not edge.is_note]
    connected = {name for edge in shown for name in (edge.start, edge.end)}
    alone = [name for name in skills if name not in connected]
    if notes:
        return shown, alone, []
    prose = len(found) - len(shown)
    counted = [(prose, "references that occur only in prose"), (len(alone), "skills without a reference")]
    left_out = [f"left out: {number:,} {what}; --details shows them" for number, what in counted if number]
    return shown, [], left_out


def mermaid(found: Sequence[Edge], skills: Iterable[str], *, notes: bool) -> SafeText:
    """Return the graph of skills in the language of Mermaid, with the same parts as `dot`."""
    shown, alone, left_out = _drawn(found, skills, notes)
    names = list(dict.fromkeys([*(name for edge in shown for name in (edge.start, edge.end)), *alone]))
    ids = {name: f"s{number}" for number, name in enumerate(names)}
    comments = (f"%% {line}" for line in left_out)
    lines = ["flowchart LR", *comments, *(f'  {ids[name]}["{_entities(name)}"]' for name in names)]
    arrows = {True: "-.->", False: "-->"}
    lines.extend(f"  {ids[edge.start]} {arrows[edge.is_note]} {ids[edge.end]}" for edge in shown)
    return _lines(lines)


def _quoted(name: str) -> str:
    return json.dumps(printable(name), ensure_ascii=False)


def _entities(name: str) -> str:
    return "".join(
        each if each.isalnum() or each in "-_./ " else f"#{ord(each)};" for each in printable(name)
    )


def _lines(lines: Iterable[str]) -> SafeText:
    return without_commands("".join(f"{line}\n" for line in lines))

"""Makes the overview of a project: its skills, its clients, and how many findings each skill has."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from skilltool import runtimes
from skilltool.bounds.budget import GivenUpError, InternalReason
from skilltool.errors import PathError, SkilltoolError
from skilltool.explain.captured import notes
from skilltool.explain.copies import Copy, Seen, is_beside, is_other_file, path_of, troubles
from skilltool.explain.cost import ClientCost, cost_of
from skilltool.explain.default_client import default_client_of
from skilltool.explain.render import parts_of, render
from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity
from skilltool.findings.secrets import without_secrets
from skilltool.lint.given_up import INTERNAL_ID
from skilltool.lint.habits import without_count
from skilltool.lint.result import Report, summary
from skilltool.lint.run import check_skills
from skilltool.packages.manifest import leading_clients
from skilltool.preview.fates import explains, named_field
from skilltool.preview.model import Client, Loser, Project, Row, Rung, Shadow, View
from skilltool.preview.sessions import Found, Opened, Source, chosen, fresh, open_all
from skilltool.preview.signs import TYPED, UNCALLABLE
from skilltool.report import resolved
from skilltool.report.costs import headline
from skilltool.report.style import PLAIN
from skilltool.rules.traits import traits_of
from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.loading import display_path
from skilltool.runtimes.values import LoadedSkill
from skilltool.skill.skill_file import FILE_NAME, read_skill_file
from skilltool.skill.tree import bytes_of
from skilltool.text.frontmatter import envelope
from skilltool.text.lazy_pattern import lazy_pattern

NOT_WORD = lazy_pattern(r"[^a-z0-9]+")
_COMMANDS = "commands"  # files that a client loads as it does skills
_TOOL = "definition of the tool"  # in the memory of a session


def client_of(opened: Opened, cost: ClientCost, ids: Mapping[str, str]) -> Client:
    """Return what is shown of a client; `ids` are those of rows by the real path of their directory."""
    session = opened.session
    stand_in = "" if opened.stand_in is None else f"{display_path(session, opened.stand_in)}/"
    keys = {
        skill.key: ""
        if is_beside(skill) or _is_command(skill, session)
        else ids.get(os.path.realpath(skill.directory), "")
        for skill in session.skills
    }
    return Client(
        client_id(opened),
        session.runtime.id,
        session.runtime.title,
        stand_in,
        cost,
        tuple(headline(cost, PLAIN)),
        (*troubles(session), *notes([session.runtime.id])),
        tuple(_ladder(session, keys)),
        tuple(_shadows(session, ids)),
        _text_of(fresh(session).catalog),
        _text_of(lambda: tool_text(session)),
        keys,
        tuple(display_path(session, path_of(skill)) for skill in session.skills if not keys[skill.key]),
        _if_told(opened),
    )


def _is_command(skill: LoadedSkill, session: Session) -> bool:
    """Return whether a client loads a file of a directory of commands, as it does skills."""
    is_file = not os.path.lexists(skill.directory / FILE_NAME)
    return is_file and _is_of_commands(skill.directory, session)


def _is_of_commands(directory: Path, session: Session) -> bool:
    """Return whether a directory is one of commands, or below one, in a project or a home directory."""
    for top in (session.project, session.home):
        if directory.is_relative_to(top):
            return _COMMANDS in directory.relative_to(top).parts
    return directory.name == _COMMANDS


def client_id(opened: Opened) -> str:
    """Return a word that names the section of a client in the overview."""
    word = NOT_WORD.sub("-", opened.session.runtime.id)
    if opened.stand_in is None:
        return word
    return f"{word}-{sha256(os.fsencode(opened.stand_in)).hexdigest()[:6]}"


def tool_text(session: Session) -> str | None:
    """Return the definition of the tool as `render --part tool` prints it, None if there is none."""
    if _TOOL not in session.memory:
        has = "tool" in parts_of(session.runtime)
        session.memory[_TOOL] = render(fresh(session), "tool", None, None).text if has else None
    text: str | None = session.memory[_TOOL]
    return text


def _text_of(ask: object) -> str | None:
    try:
        text = ask() if callable(ask) else None
    except SkilltoolError as error:
        return str(error)
    return without_secrets(text) if isinstance(text, str) else None


def _ladder(session: Session, ids: Mapping[str, str]) -> Iterator[Rung]:
    for root in session.roots:
        skills = tuple((skill.key, ids[skill.key]) for skill in session.skills if skill.role == root.role)
        state = root.problem or (f"{len(skills)} loaded" if root.exists else "does not exist")
        state = f"{state}; {root.unscanned}" if root.exists and root.unscanned else state
        yield Rung(root.role, display_path(session, root.path), state, root.exists, skills)


def _shadows(session: Session, ids: Mapping[str, str]) -> Iterator[Shadow]:
    losers: dict[Path, list[Loser]] = {}
    keys: dict[Path, str] = {}
    for shadowed in session.shadowed:
        lost = shadowed.skill.directory
        if os.path.realpath(lost) == os.path.realpath(shadowed.by.directory):
            continue  # a link to the same skill
        keys[shadowed.by.directory] = shadowed.by.key
        losers.setdefault(shadowed.by.directory, []).append(
            Loser(display_path(session, lost), ids.get(os.path.realpath(lost), ""), shadowed.why)
        )
    for winner, beaten in losers.items():
        shown = display_path(session, winner)
        yield Shadow(keys[winner], shown, ids.get(os.path.realpath(winner), ""), tuple(beaten))


_MAX_WORD = 40
Checked = tuple[Report | None, tuple[str, ...]]


class State(NamedTuple):
    """All that is known of a project, with its sessions: it stays in the process that opened them.

    `main` has the session of the project for each runtime; `costs` and `clients` are by the identity of the
    session, `findings` by the id of a row.
    """

    project: Project
    found: Mapping[str, Found]
    findings: Mapping[str, tuple[Diagnostic, ...]]
    costs: Mapping[int, ClientCost]
    clients: Mapping[int, Client]
    main: Mapping[str, Opened]
    opened: Sequence[Opened]
    asked: Sequence[Runtime]
    report: Report | None


def overview(source: Source, findings: Checked | None = None) -> State:
    """Read a project, and its findings unless they are given; raises `SkilltoolError`."""
    settings = source.settings()
    asked = chosen(source, settings)
    found, opened = open_all(source, asked, settings)
    report, problems = findings or checked(source)
    return stated(source, asked, found, opened, report, problems=problems)


def stated(
    source: Source,
    asked: Sequence[Runtime],
    found: Sequence[Found],
    opened: Sequence[Opened],
    report: Report | None,
    before: State | None = None,
    moved: Set[int] = frozenset(),
    problems: tuple[str, ...] | None = None,
) -> State:
    """Return the state of sessions and findings.

    What is known from `before` of a session that is not among `moved`, by identity, is taken from there.
    """
    costs = {key: cost for key, cost in before.costs.items() if key not in moved} if before else {}
    clients = {key: client for key, client in before.clients.items() if key not in moved} if before else {}
    by_directory = _by_directory(report)
    by_id = {identity(each.copy): each for each in found if not _is_instructions(each)}
    ids = {
        os.path.realpath(value.copy.directory): name
        for name, value in by_id.items()
        if not is_other_file(value.copy)
    }
    defects: list[str] = []
    for each in opened:
        key = id(each.session)
        try:
            costs[key] = costs.get(key) or cost_of(fresh(each.session), reading=False)
            clients[key] = clients.get(key) or client_of(each, costs[key], ids)
        except (GivenUpError, MemoryError):
            raise
        except Exception as error:  # a defect of ours in one client must not hide the others
            defects.append(without_secrets(InternalReason.of(error, f"`{each.session.runtime.id}`")))
    opened = [each for each in opened if id(each.session) in clients]
    said = _said(report)
    rows = [_row(source, name, value, asked, by_directory, ids, said) for name, value in by_id.items()]
    unscanned = {} if source.runtimes() else dict(_not_searching(opened, rows))
    columns = tuple(name for name in _in_order(asked, rows) if name not in unscanned)
    rows = [row._replace(views=_owner_first(row, columns)) for row in rows]
    shown = [each for each in opened if each.stand_in is None or _has_more(each)]
    project = Project(
        source.project.name or str(source.project),
        columns,
        tuple(rows),
        tuple(clients[id(each.session)] for each in shown),
        summary(report) if report else "",
        tuple(dict.fromkeys((*(before.project.problems if before else problems or ()), *defects))),
        tuple(diagnostic for diagnostic in report.diagnostics if diagnostic.path in report.manifests)
        if report
        else (),
        frozenset(runtime.id for runtime in asked if _is_apart(runtime)),
        unscanned=tuple(unscanned.items()),
    )
    by_name = {
        name: by_directory.get(os.path.realpath(value.copy.directory), ()) for name, value in by_id.items()
    }
    main = {each.session.runtime.id: each for each in opened if each.stand_in is None}
    return State(project, by_id, by_name, costs, clients, main, opened, asked, report)


def _has_more(opened: Opened) -> bool:
    """Return whether a session that is told of a directory loads a skill there."""
    top = os.path.realpath(opened.stand_in or opened.session.project)
    return any(os.path.realpath(skill.directory).startswith(f"{top}/") for skill in opened.session.skills)


def _is_instructions(found: Found) -> bool:
    """Return whether a client loads a file of a project as a skill that others read otherwise: AGENTS.md."""
    if found.copy.is_skill_file:
        return False
    loaded = [
        (opened.session.runtime, opened.session.find(seen.key))
        for name, opened in found.opened.items()
        if (seen := found.copy.seen.get(name)) is not None and seen.key is not None
    ]
    return bool(loaded) and all(
        skill is not None and skill.path.name.lower() in map(str.lower, runtime.files)
        for runtime, skill in loaded
    )


def recounted(state: State, name: str, report: Report | None) -> State:
    """Return a state in which one row has other findings, and nothing else differs."""
    diagnostics = _by_directory(report).get(os.path.realpath(state.found[name].copy.directory), ())
    rows = tuple(
        row._replace(
            views=_with_calls(row.views, diagnostics),
            findings=_counts(diagnostics),
            rule=_worst_rule(diagnostics, _said(report), row.views),
        )
        if row.id == name
        else row
        for row in state.project.rows
    )
    project = state.project._replace(rows=rows, summary=summary(report) if report else "")
    return state._replace(project=project, findings={**state.findings, name: diagnostics}, report=report)


def identity(copy: Copy) -> str:
    """Return a word that names a copy as long as its directory has the same path."""
    word = NOT_WORD.sub("-", copy.skill.lower())[:_MAX_WORD].strip("-") or "skill"
    path = f"{copy.directory}\0{'' if copy.is_skill_file else copy.skill}"
    return f"{word}-{sha256(os.fsencode(path)).hexdigest()[:6]}"


def checked(source: Source) -> Checked:
    """Return the findings of all skills, and what could not be read or checked."""
    try:
        report = check_skills(source.settings()._replace(allow_empty=True))
    except PathError as error:
        return None, (str(error),)
    defects = (
        f"{diagnostic.path}: {diagnostic.message}"
        for diagnostic in report.diagnostics
        if diagnostic.rule == INTERNAL_ID
    )
    return report, (*report.problems, *defects)


def _by_directory(report: Report | None) -> dict[str, tuple[Diagnostic, ...]]:
    found: dict[str, list[Diagnostic]] = {}
    for diagnostic in report.diagnostics if report else ():
        found.setdefault(os.path.realpath(diagnostic.directory or "."), []).append(diagnostic)
    return {directory: tuple(diagnostics) for directory, diagnostics in found.items()}


def _row(
    source: Source,
    name: str,
    found: Found,
    asked: Sequence[Runtime],
    findings: Mapping[str, Sequence[Diagnostic]],
    ids: Mapping[str, str],
    said: _Said,
) -> Row:
    copy = found.copy
    is_left_out = _asks_to_be_left_out(copy)
    views = {
        runtime.id: view_of(copy, copy.seen.get(runtime.id), runtime.id, ids, is_left_out)
        for runtime in asked
    }
    told = [opened.stand_in for opened in found.opened.values()]
    stand_in = next(iter(told), None) if all(told) else None
    here = findings.get(os.path.realpath(copy.directory), ())
    views = _with_calls(views, here)
    if stand_in is None:
        views.update({name: views[name]._replace(told=_if_told(each)) for name, each in found.opened.items()})
    has_own = copy.is_skill_file
    is_loaded = any(each.key for each in copy.seen.values())
    opened = next(iter(found.opened.values()), None)
    is_command = opened is not None and _is_of_commands(copy.directory, opened.session)
    is_skill = has_own or (is_loaded and not is_command and not is_other_file(copy))
    return Row(
        name,
        copy.skill,
        copy.shown if has_own else _file_of(found),
        str(copy.directory),
        _description(found),
        views,
        _counts(here),
        copy.directory.is_relative_to(source.project),
        "" if stand_in is None else _shown(source, stand_in),
        default_client_of(copy.directory).runtime.id,
        is_skill,
        tuple(_linked(found)),
        _worst_rule(here, said, views),
        () if stand_in is None else tuple(sorted(set(map(_if_told, found.opened.values())))),
    )


def _if_told(opened: Opened) -> str:
    """Return the condition under which a session knows of a skill, empty if it finds it by itself."""
    if opened.stand_in is None:
        return ""
    if opened.setup is not None and opened.setup.plugin:
        return "if the plugin is installed"
    is_started = opened.setup is not None and opened.setup.project is not None
    return "if started there" if is_started else "if pointed at the directory"


def _with_calls(views: Mapping[str, View], findings: Sequence[Diagnostic]) -> dict[str, View]:
    """Return what becomes of a copy, with a word where every call of it fails, or its fields are lost."""
    lost = {name for each in findings if traits_of(each.rule).tells_loss for name in each.runtimes}
    failing = {name for each in findings if traits_of(each.rule).fails_call for name in each.runtimes}
    found = {}
    for name, view in views.items():
        words = tuple(each for each in view.words if each[0] != UNCALLABLE)
        is_failing = name in failing and view.key is not None
        if name in lost and any(word == "loaded" for word, _ in words):
            words = (*(each for each in words if each[0] != "loaded"), ("cut", "without its fields"))
        found[name] = view._replace(words=(*words, (UNCALLABLE, "call fails")) if is_failing else words)
    return found


def _file_of(found: Found) -> str:
    """Return the path for people: of a file that a client loads like a skill, that of the file."""
    copy = found.copy
    for name, opened in found.opened.items():
        seen = copy.seen.get(name)
        skill = opened.session.find(seen.key) if seen is not None and seen.key is not None else None
        if skill is not None and (path := path_of(skill)).is_relative_to(copy.directory):
            return f"{copy.shown}/{path.relative_to(copy.directory).as_posix()}".removesuffix("/.")
    return copy.shown


def _linked(found: Found) -> Iterator[str]:
    """Yield where else clients find a copy, through a link to its directory, each once."""
    copy, known = found.copy, {found.copy.directory}
    for name, opened in found.opened.items():
        seen = copy.seen.get(name)
        skill = opened.session.find(seen.key) if seen is not None and seen.key is not None else None
        if skill is None or skill.directory in known:
            continue
        known.add(skill.directory)
        if os.path.realpath(skill.directory) == os.path.realpath(copy.directory):
            yield display_path(opened.session, skill.directory)


def _not_searching(opened: Sequence[Opened], rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Yield the clients that look at no skill since they do not search this project, each with the reason."""
    for session in (each.session for each in opened if each.stand_in is None):
        reasons = [root.unscanned for root in session.roots if root.exists and root.unscanned]
        name = session.runtime.id
        if reasons and all(kind == "unseen" for row in rows for kind, _ in row.views[name].words):
            yield name, reasons[0]


def _in_order(asked: Sequence[Runtime], rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the ids of runtimes: owners of skills first, then leading clients, specifications last."""
    owned = Counter(row.owner for row in rows)
    leading = leading_clients()
    return tuple(
        runtime.id
        for runtime in sorted(
            asked,
            key=lambda runtime: (
                _is_apart(runtime),
                -owned[runtime.id],
                leading.index(runtime.id) if runtime.id in leading else len(leading),
                runtime.id,
            ),
        )
    )


def _is_apart(runtime: Runtime) -> bool:
    """Return whether a runtime is a specification or a design document, and not a program to install."""
    return runtime.specification or runtime.id in runtimes.GROUPS["documents"]


def _owner_first(row: Row, columns: Sequence[str]) -> dict[str, View]:
    return {name: row.views[name] for name in sorted(columns, key=lambda name: name != row.owner)}


def _counts(diagnostics: Sequence[Diagnostic]) -> tuple[int, int, int]:
    """Return how many errors, warnings and infos there are."""
    errors, warnings, infos = (
        sum(diagnostic.severity is severity for diagnostic in diagnostics)
        for severity in sorted(Severity, reverse=True)
    )
    return errors, warnings, infos


class _Said(NamedTuple):
    """What lint says of all skills: in `common`, in how many each rule has an error or a warning.

    `counting` has the skill whose finding counts equal ones of others, by its rule and message.
    """

    common: Counter[str]
    counting: dict[tuple[str, str], str]


def _said(report: Report | None) -> _Said:
    told = [each for each in (report.diagnostics if report else ()) if each.severity > Severity.INFO]
    counting = {
        (each.rule, message): each.skill
        for each in told
        if (message := without_count(each.message)) != each.message
    }
    return _Said(Counter(rule for rule, _ in {(each.rule, each.directory) for each in told}), counting)


def _worst_rule(diagnostics: Sequence[Diagnostic], said: _Said, views: Mapping[str, View]) -> str:
    """Return the rule of the worst finding, of notes the one about whoever rejects the skill.

    Where a finding of another skill counts it, that skill follows: `missing-frontmatter, as in pdf-tools`.

    Where lint was not asked about that client it is the client, with the field that it means. Of several it
    is one for which a client rejects the skill or a call fails, else the rarest here.
    """
    rejecting = [name for name, view in views.items() if any(word == "refused" for word, _ in view.words)]
    worst = max(
        diagnostics,
        key=lambda each: (
            each.severity,
            not set(rejecting).isdisjoint(each.runtimes) and explains(each),
            not set(rejecting).isdisjoint(each.runtimes),
            traits_of(each.rule).is_fatal,
            -said.common[each.rule],
        ),
        default=None,
    )
    is_other = bool(rejecting) and worst is not None and set(rejecting).isdisjoint(worst.runtimes)
    if worst is None or (worst.severity is Severity.INFO and is_other):
        return next((f"{name}: {field}" for name in rejecting if (field := named_field(views[name].why))), "")
    counting = said.counting.get((worst.rule, worst.message))
    is_counted = worst.severity is Severity.INFO and counting is not None and counting != worst.skill
    return f"{worst.rule}, as in {counting}" if is_counted else worst.rule


def _shown(source: Source, path: Path) -> str:
    return (
        f"{path.relative_to(source.project).as_posix()}/"
        if path.is_relative_to(source.project)
        else str(path)
    )


def _description(found: Found) -> str:
    """Return the description as the first client that loads the copy reads it, empty if none does."""
    for name, opened in found.opened.items():
        seen = found.copy.seen.get(name)
        skill = opened.session.find(seen.key) if seen is not None and seen.key is not None else None
        if skill is not None:
            return without_secrets(skill.description)
    return ""


def _asks_to_be_left_out(copy: Copy) -> bool:
    """Return whether the frontmatter of a copy says that a model must not call it."""
    raw, _, _ = read_skill_file(copy.directory / FILE_NAME, copy.directory)
    text = raw.decode("utf-8", "replace")
    return _LEFT_OUT.search(text[: envelope.split(text).body.start]) is not None


_LEFT_OUT = lazy_pattern(
    r"^disable[-_]model[-_]invocation:[ \t]{1,8}[\"']?(?:true|yes|on)\b", re.MULTILINE | re.IGNORECASE
)


def view_of(
    copy: Copy, seen: Seen | None, runtime: str, ids: Mapping[str, str], is_left_out: bool = False
) -> View:
    """Return what becomes of a copy in one client; `seen` is None where it does not look there.

    `is_left_out` says that the skill asks to be left out of listings.
    """
    if seen is None:
        return View(runtime, "unseen", (("unseen", resolved.name_of("unseen")),), resolved.LEGEND["unseen"])
    is_plugins = (seen.key or "").endswith(f":{copy.skill}")  # as each skill of a plugin: `review:check`
    said = {"unlisted": (TYPED, "typed only")} if is_left_out else {}
    said |= {"as KEY": ("loaded", resolved.name_of("loaded"))} if is_plugins else {}
    words = tuple(said.get(kind, (kind, text)) for kind, text in resolved.words(seen, copy))
    winner = "" if seen.by is None else ids.get(os.path.realpath(seen.by), "")
    is_same = None if seen.by is None or not winner else _is_same(copy.directory, seen.by)
    return View(
        runtime,
        seen.state,
        words,
        " ".join(seen.why.split()),
        seen.key,
        winner,
        seen.by_shown if seen.by is not None else "",
        is_same=is_same,
    )


def _is_same(one: Path, other: Path) -> bool | None:
    """Return whether the SKILL.md of two directories have the same bytes; None if one cannot be read."""
    texts = [bytes_of(directory / FILE_NAME) for directory in (one, other)]
    return None if None in texts else texts[0] == texts[1]

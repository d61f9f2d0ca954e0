"""What `resolve`, `render`, `cost` and `preview` share: which runtimes they ask, and how sessions are opened.

The runtimes are those that are named or configured, else those that the place serves. The options say in
which directories and with which settings they are asked.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from skilltool.bounds import current_skill
from skilltool.cli.help import option
from skilltool.cli.options import runtimes_option, time_limit_option
from skilltool.cli.output import inform
from skilltool.errors import ConfigError, PathError, SkilltoolError, UnknownNameError
from skilltool.packages.registration import Setup
from skilltool.skill.skill_file import FILE_NAME, is_path

if TYPE_CHECKING:
    from skilltool.explain.default_client import DefaultClient, Open
    from skilltool.explain.find_skill import Surroundings
    from skilltool.runtimes.base import Runtime, Session

_UNDECIDED = frozenset({"all", "auto"})  # names in a configuration that leave the choice of runtimes open
# Files beside a root, or in the project, that decide what a client loads from it.
_SETTINGS_FILES = (
    "settings.json",
    "settings.local.json",
    "config.yaml",
    "kodelet-config.yaml",
    "config.system.yaml",
    "config.user.yaml",
    "config.runtime.yaml",
)
NO_SKILLS = "no skills in this project or in the home directory; create one with `skilltool new`"
_MOST_PROJECTS = 3  # that are named after a table
_MOST_OTHERS, _MOST_COPIES = 8, 3  # clients and copies that a note names

_OPTIONS = (
    runtimes_option(
        "Use these runtimes or groups (comma-separated); `skilltool runtimes` lists them. "
        "[default: the configured runtimes, else chosen by directory]",
        "Runtime",
    ),
    option(
        "Runtime",
        "--project",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="The project directory. [default: the current directory]",
    ),
    option(
        "Runtime",
        "--home",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="The home directory. [default: your own]",
    ),
    option(
        "Runtime",
        "--root",
        "roots",
        multiple=True,
        metavar="ROLE=DIR",
        help="Use DIR as the skills directory with this role; may be repeated.",
    ),
    option(
        "Runtime",
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="Change a runtime setting; may be repeated.",
    ),
    option(
        "Runtime",
        "--no-user-settings",
        "user_settings",
        is_flag=True,
        default=True,
        flag_value=False,
        help="Ignore the runtime's settings files in the home directory.",
    ),
    time_limit_option,
)


def session_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that a `SessionQuestion` is made of."""
    for add in reversed(_OPTIONS):
        function = add(function)
    return function


class SessionQuestion(NamedTuple):
    """The values of the options, from which sessions are opened; `runtimes` are the names as given."""

    runtimes: tuple[str, ...]
    given: SessionOptions

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> SessionQuestion:
        """Return the question of a command's options, by the names of their parameters."""
        taken = [options[name] for name in ("project", "home", "roots", "settings", "user_settings")]
        return cls(options["runtimes"], SessionOptions(*taken))

    def about(self, path: str | None) -> tuple[SessionQuestion, str | None]:
        """Return the question for the project that a path names, and the skill if it names one."""
        if path is None or not os.path.isdir(path) or os.path.exists(Path(path) / "SKILL.md"):
            return self, path
        if self.given.project is not None:
            raise click.UsageError(f"PATH ({path}) and --project both name a project; use only one")
        return self._replace(given=self.given._replace(project=Path(path))), None

    @property
    def is_about_several(self) -> bool:
        """Whether the command line names more than one runtime, or a group of them."""
        from skilltool.runtimes import GROUPS

        return len(set(self.runtimes)) > 1 or any(name in GROUPS for name in self.runtimes)

    @property
    def is_named(self) -> bool:
        """Whether the command line or the configuration names runtimes."""
        return bool(self.runtimes or configured_runtimes(self.given.top))

    def only_runtime(self) -> Runtime | None:
        """Return the runtime if exactly one is named, or configured where none is named; else None."""
        if self.is_about_several:
            return None
        chosen = named_runtimes(self.runtimes) or configured_runtimes(self.given.top)
        return chosen[0] if len(chosen) == 1 else None

    def open_one(self, runtime: Runtime, name: str | None = None) -> Session:
        """Open a session of one runtime, and say so where the command line does not name it."""
        opened = sessions_of((runtime.id,), self.given, name).opened
        one = _answering(opened)
        configured = [] if self.runtimes else [f"for {runtime.id}, which is configured"]
        for each in (*configured, *_assumptions([one], opened)):
            inform(each)
        inform_of_captures([one.session])
        return one.session

    def open_for(self, name: str | None, with_arguments: bool = False) -> ChosenSession:
        """Open the session that answers for a skill, or for none, where no runtime is named; and say why.

        Of several copies, one whose client takes arguments goes first where there are some.
        Raises `SkilltoolError` for options that its runtime does not have: no other would take them.
        """
        chosen = (
            _session_without_skill(self.given)
            if name is None
            else _session_for_skill(self.given, name, with_arguments)
        )
        _check_options([chosen.session.runtime], self.given)
        inform(chosen.why)
        inform_of_captures([chosen.session])
        return chosen

    def open_all(
        self, name: str | None = None, one_each: bool = False
    ) -> tuple[list[Session], list[Runtime]]:
        """Open the sessions of the runtimes that are asked, and return those that are left out, too.

        If none is named and none here has the skill `name`, that is the one that answers for it. A runtime
        has a session for each directory that it is told of, unless it is to have `one_each`.
        """
        from skilltool.explain.candidates import candidates

        opened_sessions = sessions_of(self.runtimes, self.given, name)
        here = [each for each in opened_sessions.opened if name is None or candidates(each.session, name)]
        if name is not None and not here and not self.is_named:
            return [self.open_for(name).session], []
        if rootless := [runtime.id for runtime in opened_sessions.left_out if runtime.id in self.runtimes]:
            inform(f"{listed(rootless)} skipped: no default skills directories; name some with --root DIR")
        opened = opened_sessions.opened
        if one_each:
            opened = [_answering(own) for own in _by_client(opened).values()]
        for note in _assumptions([each for each in opened if each in here], here):
            inform(note)
        sessions = [each.session for each in opened]
        inform_of_captures(sessions)
        return sessions, opened_sessions.left_out


class SessionOptions(NamedTuple):
    """The values of the options from which sessions are opened.

    `configured_at` is the directory that the configuration is searched from, the project where it is None.
    `setup` is what a client is told of beside them. `below_top` says that the rest of the repository
    counts, though a `project` is named, since that stands for the working directory.
    """

    project: Path | None = None
    home: Path | None = None
    roots: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    user_settings: bool = True
    configured_at: Path | None = None
    setup: Setup = Setup()
    below_top: bool = False

    @property
    def top(self) -> Path:
        """The project directory."""
        return self.project or Path()


def _open_session(runtime: Runtime, given: SessionOptions) -> Session:
    """Open a session with the values of the options; raises `SkilltoolError` for one that is invalid."""
    from skilltool.lint import config

    for directory in (given.project, given.home):
        if directory is not None and not os.path.isdir(directory):
            raise SkilltoolError(f"{directory}: no such directory")
    setup = given.setup
    if runtime.any_roots and not (given.roots or setup.roots):
        raise SkilltoolError(f"{runtime.id} has no default skills directories; name some with --root DIR")
    configured = config.find(given.configured_at or given.top).of_runtime(runtime.id)
    values = dict(_parsed_setting(runtime, entry) for entry in given.settings)
    if not given.user_settings and "user_settings" in runtime.settings:
        values["user_settings"] = False
    roots = {**setup.roots, **_directories_of_roots(runtime, given.roots)}
    settings = {**configured, **setup.settings, **values}
    session = runtime.open(setup.project or given.top, given.home, settings, roots)
    current_skill.leave()
    return session


def _check_options(runtimes: Sequence[Runtime], given: SessionOptions) -> None:
    """Raise `SkilltoolError` for a value that is invalid, or that none of the runtimes has."""
    ids = ", ".join(runtime.id for runtime in runtimes)
    which, one = (f"{ids} ", ids) if len(runtimes) == 1 else ("", "ID")
    roles = {root.role for runtime in runtimes for root in runtime.roots}
    for entry in given.roots:
        if not any(runtime.any_roots or _has_role(runtime, entry) for runtime in runtimes):
            role, equals, _ = entry.partition("=")
            if not equals:
                raise SkilltoolError(
                    f"--root {entry}: expected ROLE=DIR; the roles of {ids} are {', '.join(sorted(roles))}"
                )
            raise UnknownNameError(f"{which}root", role, roles, f"skilltool runtimes {one}")
    known = {name for runtime in runtimes for name in _names_of_settings(runtime)}
    for entry in given.settings:
        name, equals, _ = entry.partition("=")
        if equals and name not in known:
            raise UnknownNameError(f"{which}setting", name, known, f"skilltool runtimes {one}")


def _without_others(runtime: Runtime, given: SessionOptions) -> SessionOptions:
    """Return the values without roots and settings that the runtime does not have."""
    names = set(_names_of_settings(runtime))
    return given._replace(
        roots=tuple(entry for entry in given.roots if runtime.any_roots or _has_role(runtime, entry)),
        settings=tuple(
            entry for entry in given.settings if "=" not in entry or entry.partition("=")[0] in names
        ),
    )


def _has_role(runtime: Runtime, entry: str) -> bool:
    role, equals, _ = entry.partition("=")
    return bool(equals) and role in {root.role for root in runtime.roots}


def _names_of_settings(runtime: Runtime) -> list[str]:
    return [name for key, known in runtime.settings.items() for name in (key, *known.aliases)]


def _directories_of_roots(runtime: Runtime, entries: tuple[str, ...]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for number, entry in enumerate(entries, start=1):
        role, equals, directory = entry.partition("=")
        if runtime.any_roots and not (equals and not os.path.exists(entry)):
            role, directory = f"root {number}", entry
        elif not equals:
            roles = ", ".join(root.role for root in runtime.roots)
            raise SkilltoolError(f"--root {entry}: expected ROLE=DIR; the roles of {runtime.id} are {roles}")
        if role in found:
            raise SkilltoolError(f"--root {entry}: the role `{role}` was already given")
        if not os.path.isdir(directory):
            raise SkilltoolError(f"--root {entry}: {directory}: no such directory")
        found[role] = Path(directory)
    return found


def _parsed_setting(runtime: Runtime, entry: str) -> tuple[str, Any]:
    """Split `KEY=VALUE` and parse the value as the type of the setting's default."""
    name, equals, text = entry.partition("=")
    if not equals:
        raise SkilltoolError(f"--set {entry}: expected KEY=VALUE")
    known = next((s for key, s in runtime.settings.items() if name in (key, *s.aliases)), None)
    if known is None or (isinstance(known.default, str) and not text.startswith('"')):
        return name, text
    if isinstance(known.default, list) and not text.startswith("["):
        return name, [part for part in text.split(",") if part]
    try:
        value = json.loads(text)
    except ValueError:
        raise SkilltoolError(
            f'--set {entry}: invalid JSON value; examples are true, 12, "text" and ["a", "b"]'
        ) from None
    if known.default is not None and type(value) is not type(known.default):
        wanted = {bool: "true or false", int: "an integer", list: "a list", str: "a string"}
        raise SkilltoolError(f"--set {entry}: the value must be {wanted[type(known.default)]}")
    return name, value


class ChosenSession(NamedTuple):
    """The session that answers for a skill, the skill's directory, and for people why it is that one."""

    session: Session
    directory: Path | None
    why: str


def named_runtimes(ids: Sequence[str]) -> list[Runtime]:
    """Return the runtimes that `--runtime` or a configuration names, by their ids or those of groups.

    Raises `UnknownNameError`.
    """
    from skilltool import runtimes

    found = (each for name in ids for each in runtimes.GROUPS.get(name, (name,)))
    return [runtimes.get(name) for name in dict.fromkeys(found)]


def configured_runtimes(project: Path) -> list[Runtime]:
    """Return the runtimes that the configuration of a project names; none where it leaves the choice open."""
    from skilltool.lint import config

    found = config.find(project)
    names = found.values.get("runtimes", ())
    try:
        return [] if _UNDECIDED & set(names) else named_runtimes(names)
    except UnknownNameError as error:
        raise ConfigError(f"{found.origin}: `runtimes`: {error}") from None


def surroundings(given: SessionOptions) -> Surroundings:
    """Return what is around the project of a command."""
    from skilltool.explain.find_skill import Surroundings
    from skilltool.runtimes.home import user_home

    return Surroundings(
        given.top, given.home or user_home(), looks_up=given.project is None or given.below_top
    )


class Opened(NamedTuple):
    """A session, and what its client is told of; that is nothing where it looks by itself."""

    session: Session
    setup: Setup = Setup()


class OpenedSessions(NamedTuple):
    """The sessions that were opened, and the runtimes that are left out."""

    opened: list[Opened]
    left_out: list[Runtime]

    @property
    def sessions(self) -> list[Session]:
        """The sessions without what their clients are told of."""
        return [each.session for each in self.opened]


def sessions_of(ids: Sequence[str], given: SessionOptions, name: str | None = None) -> OpenedSessions:
    """Open the sessions of several runtimes.

    The runtimes are those that `ids` name, else the configured ones, else those that have a skills directory
    here. Where no client looks, as in a library or a package, they are told of the skills here (the leading
    clients if none is named); so are those that do not come to the skill that `name` means, if it is a path
    or lies where no client looks, or in their own place in another project. Of several runtimes, those
    without default roots are left out unless they are told of a skill.
    """
    from skilltool import runtimes

    chosen = named_runtimes(ids) or configured_runtimes(given.top)
    asked = chosen or [runtimes.get(each) for each in runtimes.BARE]
    _check_options(asked, given)
    natural = {
        runtime.id: session_opener(given)(runtime, None)
        for runtime in asked
        if given.roots or not runtime.any_roots
    }
    if not chosen:
        natural = {key: session for key, session in natural.items() if _has_own_directory(session)}
        told = _setups_here(given, natural, _owner_or_leading, elsewhere=True, alone=name is not None)
    elif name is None:
        told = _setups_here(given, natural, lambda skill: _who_can_be_told(skill, chosen))
    else:
        told = _setups_for(name, given, chosen, natural)
    found: list[Opened] = []
    for runtime in asked:
        opened = [Opened(session_opener(given)(runtime, setup), setup) for setup in told.get(runtime.id, ())]
        # A client that looks further down loads the skills of another directory as well.
        opened = [each for each in opened if not any(_has_more(one.session, each.session) for one in opened)]
        alone = natural.get(runtime.id)
        if alone is not None and not (opened and (name is not None or _is_part_of(alone, opened[0].session))):
            found.append(Opened(alone))
        found += opened
    if not found and len(chosen) == 1:
        found = [Opened(session_opener(given)(chosen[0], None))]  # which says what is missing
    seen = {each.session.runtime.id for each in found}
    return OpenedSessions(found, [runtime for runtime in asked if runtime.id not in seen])


def inform_of_captures(sessions: Iterable[Session]) -> None:
    """Write to standard error which clients, as they are installed here, were captured and differ from us."""
    from skilltool.explain.captured import notes

    for each in notes([session.runtime.id for session in sessions]):
        inform(each)


def projects_near(
    given: SessionOptions, sessions: Iterable[Session], around: Surroundings | None = None
) -> dict[str, int]:
    """Return other projects of this repository with skills that no session has, and how many each has."""
    seen = {directory for session in sessions for directory in session.directories}
    found = {} if given.roots else (around or surroundings(given)).projects(seen)
    return {_shown_path(path): number for path, number in found.items()}


def inform_of_other_skills(
    given: SessionOptions, sessions: Sequence[Session], takes_skill: bool = True
) -> None:
    """Write to standard error where there are more skills than these sessions have.

    Those in no client's place are left out if the command does not take the path of a skill.
    """
    command = str(click.get_current_context().command.name)
    around = surroundings(given)  # which is walked once
    unseen = _unseen_skills(around, sessions) if takes_skill else {}
    for client, skills in unseen.items():
        more = join(["skilltool", command, skills[0]])
        one = len(skills) == 1
        where = "in directories that no client reads"
        if client:
            where = f"for {client} if {'its' if one else 'their'} package is installed"
        inform(f"{len(skills)} more {where}{': ' if one else ', such as '}`{more}`")
    near = projects_near(given, sessions, around)
    for project, number in list(near.items())[:_MOST_PROJECTS]:
        inform(f"{number} more in {project}: `{join(['skilltool', command, '--project', project])}`")
    if len(near) > _MOST_PROJECTS:
        inform(f"more in {len(near) - _MOST_PROJECTS} other directories")


def _unseen_skills(around: Surroundings, sessions: Iterable[Session]) -> dict[str, list[str]]:
    """Return the paths of the skills here to which no session comes, and that are in no client's place.

    They are by the client that reads them once their package is installed, empty for none.
    """
    from skilltool.explain.default_client import default_client_of
    from skilltool.files.paths import written_as_path

    seen = {directory for session in sessions for directory in session.directories}
    found: dict[str, list[str]] = {}
    for skill in around.in_no_place():
        if skill not in seen:
            owner = default_client_of(skill)
            is_packaged = owner.place and not owner.unknown and not _is_left_out(skill)
            found.setdefault(owner.runtime.id if is_packaged else "", []).append(written_as_path(skill))
    return found


def session_opener(given: SessionOptions) -> Open:
    """Return what opens a session of a runtime with the values of the options that it has."""
    from skilltool.bounds.budget import InternalReason
    from skilltool.explain.contained import contained
    from skilltool.packages.registration import Setup

    def opens(runtime: Runtime, setup: Setup | None) -> Session:
        told = setup or Setup()
        options = _without_others(runtime, given)._replace(setup=told)
        session = contained(runtime.id, _open_session, runtime, options)
        if isinstance(session, InternalReason):
            defect, session = session, _open_session(runtime._replace(scan=None), options)
            session.runtime, session.failure = runtime, defect
        session.shown_from = Path(os.path.abspath(given.top))
        if told.roots:  # what else is in a directory that is told of is not meant for a skill
            session.skipped = [
                refused for refused in session.skipped if os.path.exists(refused.directory / FILE_NAME)
            ]
        return session

    return opens


def _has_own_directory(session: Session) -> bool:
    """Return whether a skills directory of a runtime exists; `skills` in a project is anybody's."""
    shared = {root.role for root in session.runtime.roots if root.path_template == "{project}/skills"}
    return any(root.exists and root.role not in shared for root in session.roots)


def _is_part_of(session: Session, told: Session) -> bool:
    """Return whether a session that is told of skills loses nothing that the other one has."""
    kept = {skill.directory for skill in told.skills}
    return all(skill.directory in kept for skill in session.skills)


def _has_more(one: Session, other: Session) -> bool:
    """Return whether a session has all the skills of another one, and more."""
    return _is_part_of(other, one) and not _is_part_of(one, other)


def _setups_here(
    given: SessionOptions,
    natural: Mapping[str, Session],
    who: Callable[[Path], Iterable[Runtime]],
    elsewhere: bool = False,
    alone: bool = False,
) -> dict[str, list[Setup]]:
    """Return who is told of the skills here, by id, if no client comes to any of this project by itself.

    Skills in the places of clients elsewhere in the repository are left to the projects there; with
    `elsewhere` they count if there are no others. A listing has a plugin's skills beside those in the home
    directory, with one budget; for a question about a single skill, plugins are `alone`.
    """
    from skilltool.explain.default_client import is_in_no_place
    from skilltool.packages.registration import setups_of

    around = surroundings(given)
    owned = [session for session in natural.values() if _has_own_directory(session)]
    seen = [directory for session in owned for directory in session.directories]
    if given.roots or not all(around.is_at_home(path) for path in seen):
        return {}
    skills = sorted(around.in_no_place())
    if packaged := [skill for skill in skills if not is_in_no_place(skill)]:
        skills = [path for path in packaged if _offered(path) or not _is_left_out(path)]
    if elsewhere and not skills:
        skills = around.in_places_around()
    audience: dict[str, tuple[Runtime, list[Path]]] = {}
    for skill in skills:
        for runtime in who(skill):
            if not _comes_to(natural, runtime, skill):
                audience.setdefault(runtime.id, (runtime, []))[1].append(skill)
    return {name: setups_of(runtime, paths, alone) for name, (runtime, paths) in audience.items()}


def _is_left_out(skill: Path) -> bool:
    """Return whether no plugin of a package offers a skill that lies in it, going by its manifests."""
    from skilltool.explain.default_client import default_client_of
    from skilltool.packages.registration import setup_of

    owner = default_client_of(skill)
    return owner.runtime.installed is not None and not setup_of(owner.runtime, skill).plugin


def _owner_or_leading(skill: Path) -> list[Runtime]:
    """Return the clients that a package offers a skill to, else the owner of its place, else the leading."""
    from skilltool import runtimes
    from skilltool.explain.default_client import default_client_of
    from skilltool.packages.manifest import leading_clients

    owner = default_client_of(skill)
    if not owner.place:
        return [runtimes.get(name) for name in leading_clients()]
    return _offered(skill) or [owner.runtime]


def _offered(skill: Path) -> list[Runtime]:
    """Return the runtimes with a plugin that offers a skill, going by the manifests of its package."""
    from skilltool import runtimes
    from skilltool.explain.default_client import default_client_of
    from skilltool.packages.registration import plugin_of

    owner = default_client_of(skill)
    readers = [owner.runtime, *map(runtimes.get, owner.others)]
    return [runtime for runtime in readers if plugin_of(runtime, skill) is not None]


def _who_can_be_told(skill: Path, chosen: Sequence[Runtime]) -> list[Runtime]:
    """Return the runtimes that can be told of a skill: all, but of one in a package only its owner."""
    from skilltool.explain.default_client import is_in_no_place
    from skilltool.packages.registration import setup_of

    programs = [runtime for runtime in chosen if not runtime.ground]
    if is_in_no_place(skill):
        return programs
    return [program for program in programs if _is_tellable(program, skill, setup_of(program, skill))]


def _is_tellable(runtime: Runtime, skill: Path, setup: Setup) -> bool:
    """Return whether a setup for a skill in somebody's place is one for a runtime that has it there, too."""
    from skilltool.packages.registration import plugin_of

    return not setup.roots or plugin_of(runtime, skill) is not None


def _setups_for(
    name: str, given: SessionOptions, chosen: Sequence[Runtime], natural: Mapping[str, Session]
) -> dict[str, list[Setup]]:
    """Return who is told of the skill that a name or a path means, by id: those that do not come to it."""
    from skilltool.explain.default_client import is_in_no_place, open_told

    copies = _directories_meant(name, surroundings(given))[:1]
    told: dict[str, list[Setup]] = {}
    for skill in copies:
        for runtime in chosen:
            if runtime.ground or _comes_to(natural, runtime, skill):
                continue
            setup = open_told(session_opener(given), runtime, skill)[1]
            if is_path(name) or is_in_no_place(skill) or _is_tellable(runtime, skill, setup):
                told[runtime.id] = [setup]
    return told


def _comes_to(natural: Mapping[str, Session], runtime: Runtime, skill: Path) -> bool:
    from skilltool.explain.default_client import comes_to

    return runtime.id in natural and comes_to(natural[runtime.id], skill)


def _answering(opened: Sequence[Opened]) -> Opened:
    """Return the one of a client's sessions that answers where there can be only one.

    That is the one with the most skills among those that are told of skills, if there are any.
    """
    return min(opened, key=lambda each: (each.setup == Setup(), -len(each.session.skills)))


def _by_client(opened: Iterable[Opened]) -> dict[str, list[Opened]]:
    clients: dict[str, list[Opened]] = {}
    for each in opened:
        clients.setdefault(each.session.runtime.id, []).append(each)
    return clients


def _assumptions(shown: Sequence[Opened], among: Sequence[Opened]) -> list[str]:
    """Return which clients do not come to skills by themselves, and what is assumed, in words.

    `shown` are the sessions that answer, of those that were opened.
    """
    clients = _by_client(among)
    alike: dict[str, list[list[Opened]]] = {}
    for name, own in _by_client(shown).items():
        if assumed := _assumption(own, clients[name]):
            alike.setdefault(assumed, []).append(own)
    notes: list[str] = []
    for each in alike.values():
        ids = [own[0].session.runtime.id for own in each]
        assumed = _assumption(each[0], clients[ids[0]], "it" if len(ids) == 1 else "they")
        notes.append(f"{listed(ids)}: {assumed}")
    return notes


def _assumption(shown: Sequence[Opened], among: Sequence[Opened], who: str = "it") -> str:
    """Return in words what one client is told, and of what it is not told in the sessions that are shown."""
    told = [each.setup for each in shown if each.setup != Setup()]
    if not told:
        return ""
    others = [
        _place(each.setup)
        for each in among
        if each.setup != Setup() and not any(_is_part_of(each.session, one.session) for one in shown)
    ]
    left_out = f" (not {listed(others, _MOST_COPIES)})" if others else ""
    return _as_if(told, who) + left_out


def _as_if(told: Sequence[Setup], who: str = "it") -> str:
    """Return in words what is assumed, so that a client comes to skills."""
    if plugins := [f"`{name}`" for setup in told if setup.plugin for name in setup.plugin.split(", ")]:
        verb = "plugin {} were" if len(plugins) == 1 else "plugins {} were"
        return f"as if the {verb.format(listed(plugins, _MOST_COPIES))} installed"
    verb = "started in" if told[0].project is not None else f"{who} read"
    shown = [_place(setup) for setup in sorted(told, key=lambda setup: len(_directory(setup).parts))]
    return f"as if {verb} {listed(shown, _MOST_COPIES)}"


def _directory(setup: Setup) -> Path:
    """Return the directory that a client is told of: its project, else its skills directory."""
    return setup.project or next(iter(setup.roots.values()))


def _place(setup: Setup) -> str:
    """Return for people what a client is told of."""
    return f"the plugin `{setup.plugin}`" if setup.plugin else _shown_path(_directory(setup))


def _session_for_skill(given: SessionOptions, name: str, with_arguments: bool) -> ChosenSession:
    """Open the session that answers for a skill where no runtime is named; see `inspect.default_client`.

    Raises `UnknownNameError` if there is no skill with this name or path.
    """
    from skilltool.explain.default_client import default_client_of, open_for

    around = surroundings(given)
    if first := configured_runtimes(given.top)[:1]:
        return _configured(first[0], given, name)
    copies = _directories_meant(name, around)
    if not copies:
        return _session_with_key(given, name, around)
    answers = [default_client_of(copy) for copy in copies]
    if with_arguments:
        answers.sort(key=lambda answer: answer.runtime.argument is None)
    session, setup = open_for(session_opener(given), answers[0])
    return ChosenSession(session, answers[0].directory, _reason(session, name, answers, setup))


def _directories_meant(name: str, around: Surroundings) -> list[Path]:
    """Return the directories that a name could mean, the nearest first; for `plugin:skill` the plugin's."""
    from skilltool.explain.default_client import default_client_of
    from skilltool.packages.registration import setup_of

    copies = around.named(name)
    plugin = name.rpartition(":")[0]
    if not plugin:
        return copies
    of_plugin = [copy for copy in copies if setup_of(default_client_of(copy).runtime, copy).plugin == plugin]
    return of_plugin or copies


def _session_with_key(given: SessionOptions, name: str, around: Surroundings) -> ChosenSession:
    """Return the first client here that has a key without a directory, such as that of a command."""
    for session in sessions_of((), given).sessions:
        if session.find(name) is not None:
            return ChosenSession(session, None, f"for {session.runtime.id}")
    raise unknown_skill(name, around)


def unknown_skill(name: str, around: Surroundings) -> SkilltoolError:
    """Return the error for a name that no skill has, or for a path that is none of a skill."""
    if os.path.isdir(name):
        return PathError(f"{name} has no SKILL.md; `skilltool resolve` lists the skills here")
    if not around.names():
        return PathError(f"no skill `{name}`: {NO_SKILLS}")
    last = name.rstrip("/").rpartition("/")[2]
    return UnknownNameError("skill", name, around.nearest_names(last), "skilltool resolve")


def _reason(session: Session, name: str, answers: Sequence[DefaultClient], setup: Setup) -> str:
    """Return for whom a text is, for people: the client, why it is that one, and what else there is."""
    from skilltool.packages.registration import Setup

    first = answers[0]
    runtime = first.runtime.id
    if first.unknown:
        runtime = f"{runtime} (what {first.unknown} sends to its model is not known)"
    loaded = session.find(name)
    copy = first.directory if loaded is None else loaded.directory
    text = f"for {runtime}, which reads {_shown_path(copy)}"
    if setup != Setup():
        text = f"for {runtime}, {_as_if([setup])}"
    others = [answer for answer in answers if answer.directory != copy]
    copies = [f"{_shown_path(other.directory)} ({other.unknown or other.runtime.id})" for other in others]
    text += f"; other copies: {listed(copies, _MOST_COPIES)}" if copies else ""
    return f"{text}; use --runtime for others{_other_runtimes(first.others)}"


def _other_runtimes(others: Sequence[str]) -> str:
    return f": {listed(others)}" if others else ""


def listed(names: Sequence[str], most: int = _MOST_OTHERS) -> str:
    """Return names as a list, the first ones and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def _shown_path(path: Path) -> str:
    """Return a path for people: relative to the working directory, with `~` for your home directory."""
    from skilltool.runtimes.home import user_home_or_none

    relative = Path(os.path.relpath(path)).as_posix()
    home = user_home_or_none()
    if home is not None and path.is_relative_to(home) and not Path.cwd().is_relative_to(home):
        return f"~/{path.relative_to(home).as_posix()}"
    return "this directory" if relative == "." else relative


def _session_without_skill(given: SessionOptions) -> ChosenSession:
    """Open the session that answers for what belongs to no skill, such as a listing, where none is named.

    That is the configured runtime, else the first leading client that has a skills directory here, else the
    first of all that has one; where none has, the first leading client, told of the skills that are here.
    """
    from skilltool import runtimes
    from skilltool.explain.default_client import gives_text
    from skilltool.packages.manifest import leading_clients

    if first := configured_runtimes(given.top)[:1]:
        return _configured(first[0], given, None)
    leading = leading_clients()
    clients = _by_client(each for each in sessions_of((), given).opened if gives_text(each.session.runtime))
    ids = sorted(clients, key=lambda each: leading.index(each) if each in leading else len(leading))
    opened = clients[ids[0]] if ids else [Opened(session_opener(given)(runtimes.get(leading[0]), None))]
    one = _answering(opened)
    why = f"{_for(one, opened)}; use --runtime for others{_other_runtimes(ids[1:])}"
    return ChosenSession(one.session, None, why)


def _configured(runtime: Runtime, given: SessionOptions, name: str | None) -> ChosenSession:
    """Open the session of a runtime that the configuration names, for a skill or for none."""
    opened = sessions_of((runtime.id,), given, name).opened
    one = _answering(opened)
    return ChosenSession(one.session, None, _for(one, opened, ", which is configured"))


def _for(one: Opened, among: Sequence[Opened], why: str = "") -> str:
    """Return for whom a text is, for people, and what is assumed of that client."""
    assumed = _assumption([one], among)
    return f"for {one.session.runtime.id}{why}{assumed and f', {assumed}'}"


def asked_runtimes(ids: Sequence[str], given: SessionOptions) -> list[Runtime]:
    """Return the runtimes that are named, else the configured ones, else all."""
    from skilltool import runtimes

    return named_runtimes(ids) or configured_runtimes(given.top) or [*map(runtimes.get, runtimes.BARE)]


def watched_directories(ids: Sequence[str], given: SessionOptions) -> Iterator[Path]:
    """Yield the directories in which the runtimes look, whether they exist or not."""
    from skilltool.explain.find_skill import searched_places as places
    from skilltool.runtimes.home import user_home

    yield from places(asked_runtimes(ids, given), given.top, given.home or user_home())
    for entry in given.roots:
        yield Path(entry.rpartition("=")[2])


def watched_files(given: SessionOptions, directories: Iterable[Path]) -> Iterator[Path]:
    """Yield the files that decide, beside the skills in these directories, what is loaded.

    They are our configuration, and the settings of the clients.
    """
    from skilltool.files.repository import up_to_repository
    from skilltool.lint.config import FILE_NAMES

    yield from (top / name for top in up_to_repository(given.top) for name in FILE_NAMES)
    for parent in {given.top, *(path.parent for path in directories)}:
        yield from (parent / name for name in _SETTINGS_FILES)

"""Which skills does Kimi CLI load when it starts, and which copy of a name wins?

Source: `kimi_cli/skill/__init__.py` of kimi-cli 1.52.0, and runs of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from skilltool.runtimes.base import Session
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.kimi_cli.manifest import Manifest, read, text_of
from skilltool.runtimes.kimi_cli.places import BUILTIN, Place, places
from skilltool.runtimes.loading import (
    children,
    first_wins,
    is_directory_here,
    is_here,
    is_link_here,
    last_wins,
    read_bytes,
)
from skilltool.runtimes.values import SILENTLY, LoadedSkill, Log, Refusal, Refused, unlistable_root
from skilltool.skill.skill_file import FILE_NAME

_LOGGER = "kimi_cli.skill"
_SUFFIX = ".md"
_SCOPE = {"scope": BUILTIN}
_NOT_UTF_8 = "UnicodeDecodeError"
_ENDS = "one SKILL.md that is not UTF-8 ends Kimi CLI when it starts"
_CHANCE = "of directories with one name in one root, the last wins in the order of the file system"
# The skills of the program itself: name, length and digest of the description.
_OWN = {
    "kimi-cli-help": (312, "a5393525f6a1c18874ee6383dd937040f5a7c48053671dd33e7b64d250bd9d7a"),
    "skill-creator": (224, "43598543a0228a3aa8bc1ffc96e30fb1057221c672d5254319ec8cac8fa70795"),
}


class _Ended(Exception):  # noqa: N818 - an outcome of the program
    """Ends the loading as a whole; its text is the program's."""


def scan(session: Session) -> None:
    """Fill a session: of several roots the first copy of a name wins, whatever its case."""
    found, left_out = places(session)
    roles = {root.role for root in (*(place.root for place in found), *left_out)}
    others = (root for root in session.roots if root.role not in roles)
    session.roots = (*(place.root for place in found), *left_out, *others)
    winners: dict[str, LoadedSkill] = {}
    try:
        for place in found:
            for skill in _in_root(session, place):
                winner = winners.setdefault(skill.key.casefold(), skill)
                if winner is not skill:
                    session.shadowed.append(first_wins(session, winner, skill))
    except _Ended as error:
        session.failure = str(error)
        return
    session.skills += _by_name(winners.values())


def own_skills(session: Session) -> list[LoadedSkill]:
    """Return the skills of the program itself that no other copy replaces; they are in no session's list."""
    taken = {skill.key.casefold() for skill in session.skills}
    return [
        LoadedSkill(
            name, name, fixed_text(chars, sha256), Path(f"{{builtin}}/{name}"), "", BUILTIN, extra=_SCOPE
        )
        for name, (chars, sha256) in _OWN.items()
        if name not in taken
    ]


def _by_name(skills: Iterable[LoadedSkill]) -> list[LoadedSkill]:
    return sorted(skills, key=lambda skill: skill.name)


def _in_root(session: Session, place: Place) -> list[LoadedSkill]:
    """Return the skills of one root, sorted by name.

    Of directories with one name the last wins; files that are skills of their own lose to what is there.
    """
    root = place.root
    if not root.exists:
        return []
    try:
        entries = children(root.path)
    except OSError as error:
        session.skipped.append(unlistable_root(root, error))
        message = f"Failed to iterate skills directory {root.path}: {error}"
        session.logs.append(Log("WARNING", _LOGGER, message))
        return []
    found: dict[str, LoadedSkill] = {}
    for skill in _packages(session, place, entries):
        name = skill.key.casefold()
        if name in found:
            lost = last_wins(session, skill, found[name])
            session.shadowed.append(lost._replace(why=_CHANCE, undetermined=True))
        found[name] = skill
    for skill in _single_files(session, place, entries):
        winner = found.setdefault(skill.key.casefold(), skill)
        if winner is not skill:
            session.shadowed.append(first_wins(session, winner, skill))
            message = (
                f"Flat skill {skill.extra['file']} shadowed by subdirectory skill of the same name at "
                f"{winner.directory}; the subdirectory version is used."
            )
            session.logs.append(Log("WARNING", _LOGGER, message))
    return _by_name(found.values())


def _packages(session: Session, place: Place, entries: list[Path]) -> Iterator[LoadedSkill]:
    for directory in entries:
        if not is_directory_here(directory):
            if is_link_here(directory) and not is_here(directory):
                session.skipped.append(_without_file(directory, place.root.role))
            continue
        outcome = _package(directory, place.root.role, place.scope)
        if isinstance(outcome, Refused):
            session.skipped.append(outcome)
            if outcome.ends_loading:
                raise _Ended(outcome.message)
            if outcome.message is not None:
                session.logs.append(Log("INFO", _LOGGER, outcome.message, warns=True))
        else:
            _log_problem(session, outcome)
            yield outcome


def _package(directory: Path, role: str, scope: str) -> LoadedSkill | Refused:
    file = directory / FILE_NAME
    try:
        if not file.is_file():
            return _without_file(directory, role)
        text = text_of(read_bytes(file))
    except OSError as error:
        message = f"Skipping unreadable skill entry {directory}: {error}"
        return Refused(directory, message, f"{FILE_NAME} cannot be read: {error.strerror}", role)
    except Refusal as refusal:
        ends = refusal.kind == _NOT_UTF_8
        why = _ENDS if ends else refusal.why
        return Refused(
            directory, refusal.message, why, role, refusal.kind, refusal.library, ends_loading=ends
        )
    try:
        return _skill(read(text, directory.name), file, role, scope)
    except Refusal as refusal:
        return _refused(directory, refusal, f"Skipping invalid skill at {file}: ", role)


def _single_files(session: Session, place: Place, entries: list[Path]) -> Iterator[LoadedSkill]:
    """Yield the Markdown files directly in a root as skills; a SKILL.md there is none."""
    for file in entries:
        name = file.name
        if not name.lower().endswith(_SUFFIX) or name.upper() == FILE_NAME.upper() or is_directory_here(file):
            continue
        try:
            read_as = read(text_of(read_bytes(file)), name[: -len(_SUFFIX)])
        except (Refusal, OSError) as error:
            words = error.message if isinstance(error, Refusal) else str(error)
            if words is not None:
                message = f"Skipping invalid flat skill at {file}: {words}"
                session.logs.append(Log("INFO", _LOGGER, message, warns=True))
            continue
        skill = _skill(read_as, file, place.root.role, place.scope)
        _log_problem(session, skill)
        yield skill


def _skill(found: Manifest, file: Path, role: str, scope: str) -> LoadedSkill:
    extra = {"scope": scope, "file": file, "manifest": found}
    return LoadedSkill(
        found.name, found.name, found.description, file.parent, found.body, role, str(file), extra
    )


def _log_problem(session: Session, skill: LoadedSkill) -> None:
    """Log what is wrong with a diagram, for which the skill counts as one without a flow."""
    if problem := skill.extra["manifest"].problem:
        message = f"Failed to parse flow skill {skill.name}: {problem}"
        session.logs.append(Log("ERROR", _LOGGER, message))


def _refused(directory: Path, refusal: Refusal, begin: str, role: str) -> Refused:
    message = None if refusal.message is None else begin + refusal.message
    return Refused(directory, message, refusal.why, role, refusal.kind, refusal.library)


def _without_file(directory: Path, role: str) -> Refused:
    what = f"it has no {FILE_NAME}" if is_directory_here(directory) else "it is a link to nothing"
    if is_here(directory / FILE_NAME):
        what = f"{FILE_NAME} is not a regular file"
    return Refused(directory, None, f"{what} {SILENTLY}", role)


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whatever the settings."""
    return _package(directory, "", "project")

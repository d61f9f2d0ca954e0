"""Which skills does Deep Agents load from its sources, and which copy of a name wins?

Source: `deepagents/middleware/skills.py` of deepagents 0.7.32, and runs of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from skilltool.runtimes.base import Session
from skilltool.runtimes.deepagents.backend import LOGGER as BACKEND_LOGGER
from skilltool.runtimes.deepagents.backend import NOT_FOUND, Backend
from skilltool.runtimes.deepagents.manifest import ENDS, Manifest, decoded, read
from skilltool.runtimes.deepagents.sources import Source, backend_of, sources
from skilltool.runtimes.loading import is_here, is_link_here, last_wins
from skilltool.runtimes.values import SILENTLY, LoadedSkill, Log, Refusal, Refused
from skilltool.skill.skill_file import FILE_NAME

LOGGER = "deepagents.middleware.skills"
LOAD_ERRORS = "deepagents: what is wrong with a source"
_ENDS = "this error ends the loading of all skills"


class Ended(Exception):  # noqa: N818 - an outcome of the framework
    """Ends the loading as a whole; its text is the framework's."""


def scan(session: Session) -> None:
    """Fill a session: the last copy of a name wins, at the place in the list that the first one had."""
    winners: dict[str, LoadedSkill] = {}
    errors: list[str] = session.memory.setdefault(LOAD_ERRORS, [])
    try:
        for source in sources(session):
            for skill in of_source(session, backend_of(session), source, errors):
                merge(session, winners, skill)
    except (Ended, ValueError) as error:
        session.failure = str(error)
        return
    session.skills += winners.values()


def merge(session: Session, winners: dict[str, LoadedSkill], skill: LoadedSkill) -> None:
    """Add a skill, which takes the place of an earlier one of its name."""
    earlier = winners.get(skill.key)
    if earlier is not None:
        session.shadowed.append(last_wins(session, skill, earlier))
    winners[skill.key] = skill


def of_source(
    session: Session, backend: Backend, source: Source, errors: list[str], with_tools: bool = True
) -> Iterator[LoadedSkill]:
    """Yield the skills of one source; what is wrong with the source is added to `errors`.

    Raises `Ended`, and `ValueError` for a source outside a virtual file system.
    """
    found = backend.listing(source.path)
    session.logs += [Log("WARNING", BACKEND_LOGGER, words) for words in found.logged]
    if found.error is not None:
        errors.append(f"Cannot load skills from '{source.path}': {found.error}")
        session.logs.append(Log("WARNING", LOGGER, errors[-1]))
    nothing = f"it is a link to nothing {SILENTLY}"
    session.skipped += [Refused(link, None, nothing, source.role) for link in found.links]
    for entry in found.entries:
        if not entry.is_directory:
            continue
        outcome = _package(backend, entry.path, entry.real, source.role, with_tools)
        if isinstance(outcome, Refused):
            session.skipped.append(outcome)
            if outcome.ends_loading:
                raise Ended(outcome.message)
            session.logs += [Log("WARNING", LOGGER, words) for words in _words(outcome, entry.path)]
        else:
            manifest: Manifest = outcome.extra["manifest"]
            session.logs += [Log("WARNING", LOGGER, words) for words in manifest.warnings]
            yield outcome


def _words(refused: Refused, path: str) -> Iterator[str]:
    """Yield what is logged of a directory that is not loaded."""
    if refused.message is None:
        return
    yield refused.message
    if refused.kind is None:
        yield f"Skill at {file_in(path)} failed metadata parse or name validation; skipping"


def file_in(directory: str) -> str:
    """Return the path of the file in a directory, as the framework writes it."""
    return str(PurePosixPath(directory.replace("\\", "/")) / FILE_NAME)


def _package(
    backend: Backend, shown: str, directory: Path, role: str, with_tools: bool
) -> LoadedSkill | Refused:
    """Return what becomes of a directory, whose path the framework writes as `shown`."""
    file = file_in(shown)
    try:
        content = backend.download(file)
        if isinstance(content, str):
            return _without_content(directory, file, content, role)
        manifest = read(decoded(content, file), file, PurePosixPath(file).parent.name, with_tools)
    except OSError as error:
        return Refused(directory, str(error), _ENDS, role, ENDS, ends_loading=True)
    except Refusal as refusal:
        ends = refusal.kind == ENDS
        why = f"{_ENDS}: {refusal.message}" if ends else refusal.why
        return Refused(
            directory, refusal.message, why, role, refusal.kind, refusal.library, ends_loading=ends
        )
    extra = {"manifest": manifest, "path": file}
    name, description = manifest.name, manifest.description
    return LoadedSkill(name, name, description, directory, manifest.body, role, file, extra)


def _without_content(directory: Path, file: str, word: str, role: str) -> Refused:
    if word == NOT_FOUND:
        return Refused(directory, None, f"it has no {FILE_NAME} {SILENTLY}", role, word)
    place = directory / FILE_NAME
    what = {
        "invalid_path": "is a symbolic link, which is not followed",
        "is_directory": "is a directory",
        "permission_denied": "cannot be read: Permission denied",
    }[word]
    if not is_here(place) and not is_link_here(place):
        what = "cannot be reached"
    message = f"Cannot load SKILL.md at {file}: {word}; skipping"
    return Refused(directory, message, f"{FILE_NAME} {what}", role, word)


def load_directory(directory: Path, with_tools: bool = True) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whatever the settings."""
    return _package(Backend(directory), str(directory), directory, "", with_tools)

"""Which skills does Deep Agents load from its sources, and which copy of a name wins?

Source: `deepagents/middleware/skills.py` of deepagents 0.7.32, and runs of it;
`deepagents/backends/filesystem.py` of deepagents 0.7.32, and runs of it with Python 3.11, whose words for a
link that leads to itself these are; `_parse_skill_metadata` in `deepagents/middleware/skills.py` of
deepagents 0.7.32 and 0.7.6, and runs of it.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from skilltool.emulation import fence_pattern
from skilltool.emulation.pyyaml import PyYamlError, safe_load
from skilltool.runtimes import loading, values
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import (
    bytes_beside_skills,
    children,
    exists,
    is_directory,
    is_here,
    is_link_here,
    last_wins,
    read_bytes,
)
from skilltool.runtimes.values import (
    SILENTLY,
    LoadedSkill,
    LoadingEnded,
    Log,
    Refusal,
    Refused,
    ResolvedRoot,
    not_read,
)
from skilltool.skill import schema
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter.nodes import BoundError

BACKEND_LOGGER = "deepagents.backends.filesystem"
NOT_FOUND = "file_not_found"


class Entry(NamedTuple):
    """Something in a directory: its path as the framework writes it, and where it really is."""

    path: str
    real: Path
    is_directory: bool


class Listing(NamedTuple):
    """What is in a directory, what went wrong if something did, and how much of that is logged."""

    entries: tuple[Entry, ...] = ()
    error: str | None = None
    logged: tuple[str, ...] = ()
    links: tuple[Path, ...] = ()
    """The links to nothing, which are passed over."""


class Backend(NamedTuple):
    """A file system as the agent sees it: whole, or, if `virtual`, only what is in `top`, as `/`."""

    top: Path
    virtual: bool = False

    def place(self, path: str) -> Path:
        """Return where a path leads; raises OSError, and ValueError for one that leads out of `top`."""
        if self.virtual:
            return self._below_top(path if path.startswith("/") else f"/{path}")
        found = Path(path)
        if not found.is_absolute():
            return _resolved(self.top / found)
        if _is_loop(found):
            found.stat()  # raises
        return found

    def _below_top(self, path: str) -> Path:
        if ".." in path or path.startswith("~"):
            raise ValueError("Path traversal not allowed")
        top = os.path.realpath(self.top)
        found = _resolved(Path(top) / path.lstrip("/"))
        if not found.is_relative_to(top):
            raise ValueError(f"Path:{found} outside root directory: {top}")
        return found

    def listing(self, path: str) -> Listing:
        """List a directory, sorted by path, where that of a directory ends in `/`; raises ValueError."""
        try:
            directory = self.place(path)
            if not exists(directory):
                return Listing(error=f"Path '{path}': path_not_found")
            if not is_directory(directory):
                return Listing(error=f"Path '{path}': not_a_directory")
        except OSError as error:
            words = f"Cannot list '{path}': {error}"
            return Listing(error=words, logged=(words,))
        entries: list[Entry] = []
        problems: list[str] = []
        try:
            below = children(directory)
        except OSError as error:
            below = []
            problems.append(f"Listing of '{path}' aborted: {error}")
        dead = [child for child in below if not self._add(child, entries, problems)]
        entries.sort(key=lambda entry: entry.path)
        return Listing(tuple(entries), "\n".join(sorted(problems)) or None, tuple(problems), tuple(dead))

    def _add(self, child: Path, entries: list[Entry], problems: list[str]) -> bool:
        """Add what a child is; return False for a link to nothing."""
        try:
            is_folder = is_directory(child)
            is_file = not is_folder and stat.S_ISREG(child.stat().st_mode) if exists(child) else False
        except OSError as error:
            problems.append(f"child error: cannot stat '{child}': {error}")
            return True
        if not is_file and not is_folder:
            if _is_loop(child):
                problems.append(f"child error: cannot resolve '{child}': {_loop(child)}")
            return not is_link_here(child)
        shown = self._shown(child)
        if shown is not None:
            entries.append(Entry(f"{shown}/" if is_folder else shown, child, is_folder))
        return True

    def _shown(self, path: Path) -> str | None:
        """Return a path as the framework writes it, None for one that it passes over."""
        if not self.virtual:
            return str(path)
        top, real = Path(os.path.realpath(self.top)), Path(os.path.realpath(path))
        return f"/{real.relative_to(top).as_posix()}" if real.is_relative_to(top) else None

    def download(self, path: str, of_skill: bool = True) -> bytes | str:
        """Return the content of a file, or the framework's word for what is wrong.

        A file that is a link is not opened. Raises OSError for what it has no word for, and `Refusal` for
        what skilltool does not read.
        """
        try:
            place = self.place(path)
            if is_directory(place):
                return "is_directory"
            if is_link_here(place):
                return "invalid_path"
            return read_bytes(place) if of_skill else bytes_beside_skills(place)
        except ValueError:
            return "invalid_path"
        except OSError as error:
            return _word(error)


def _word(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return NOT_FOUND
    if error.errno == errno.ELOOP or isinstance(error, NotADirectoryError):
        return "invalid_path"
    if isinstance(error, PermissionError):
        return "permission_denied"
    if isinstance(error, IsADirectoryError):
        return "is_directory"
    raise error


def _resolved(path: Path) -> Path:
    """Return a path without links; raises OSError, in words of Python 3.11, for one that leads to itself."""
    if _is_loop(path):
        raise _loop(path)
    return Path(os.path.realpath(path))


def _loop(path: Path) -> OSError:
    error = OSError(f"Symlink loop from '{os.path.realpath(path)}'")
    error.errno = errno.ELOOP
    return error


def _is_loop(path: Path) -> bool:
    if not is_link_here(path):
        return False
    try:
        path.stat()
    except OSError as error:
        return error.errno == errno.ELOOP
    return False


class Source(NamedTuple):
    """A directory of skills, as the framework gets it: its path, its label, and the role of our root."""

    path: str
    label: str
    role: str


def backend_of(session: Session) -> Backend:
    """Return the file system that the agent works in."""
    return Backend(session.project, session.settings["virtual"])


def sources(session: Session) -> list[Source]:
    """Return the sources, low to high: the setting `sources`, else the roots of the session.

    A setting takes the place of the roots, which then are those directories. Raises `ValueError` for a path
    that leads out of a virtual file system.
    """
    given = session.settings["sources"]
    if not given:
        return [Source(str(root.path), label_of(str(root.path)), root.role) for root in session.roots]
    pairs = [(each, label_of(each)) if isinstance(each, str) else tuple(map(str, each)) for each in given]
    found = [Source(path, label, f"root {number}") for number, (path, label) in enumerate(pairs, start=1)]
    session.roots = tuple(
        ResolvedRoot(source.role, _place(session, source.path), source.path) for source in found
    )
    return found


def _place(session: Session, path: str) -> Path:
    try:
        return backend_of(session).place(path)
    except OSError:
        return session.project / path


def label_of(path: str) -> str:
    """Return the label of a source that has none: its last directory, or the one above `skills`."""
    parts = PurePosixPath(path.replace("\\", "/").rstrip("/")).parts
    if not parts:
        return "Unnamed"
    last = parts[-1]
    if last.lower() == "built_in_skills":
        return "Built-in"
    if last.lower() == "skills" and len(parts) > 1:
        above = parts[-2].lstrip(".")
        if above not in ("", "/"):
            return above.replace("_", " ").replace("-", " ").title()
    return last.capitalize()


SCHEMA = "deepagents"
# The class of a refusal that ends the loading of all skills: an error that the framework does not catch.
ENDS = "ends loading"
_SPECIFICATION = (
    "Skill '{name}' in {file} does not follow Agent Skills specification: {why}. Consider renaming for spec "
    "compliance."
)
_LONG_DESCRIPTION = (
    "Skill description in {file} is {length} characters, over the Agent Skills spec limit of {most}. Keeping "
    "only the first {most} characters; the rest is dropped from what the model sees when deciding whether to "
    "use this skill. Shorten the 'description' field in the SKILL.md frontmatter to stay within the limit."
)
_LONG_COMPATIBILITY = (
    "Skill compatibility in {file} is {length} characters, over the Agent Skills spec limit of {most}. "
    "Keeping only the first {most} characters and dropping the rest. Shorten the 'compatibility' field in "
    "the SKILL.md frontmatter to stay within the limit."
)
_SHAPE = "name must be lowercase alphanumeric with single hyphens only"


class Manifest(NamedTuple):
    """The fields and the body of one file, and what the framework warns about while it reads them."""

    name: str
    description: str
    body: str
    license: str | None = None
    compatibility: str | None = None
    allowed_tools: tuple[str, ...] = ()
    metadata: Mapping[str, str] = {}
    warnings: tuple[str, ...] = ()
    is_shortened: bool = False  # the description


def decoded(raw: bytes, file: str) -> str:
    """Return the text of a file, whose line ends stay as they are; raises `Refusal`."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refusal(f"Error decoding {file}: {error}", library=str(error), kind="undecodable") from None


def body_of(text: str) -> str:
    """Return a text without frontmatter and without white space at its end, as a message pins it."""
    parts = fence_pattern.split(text)
    return (text if parts is None else parts.body).rstrip()


def read(text: str, file: str, directory: str, with_tools: bool = True) -> Manifest:
    """Return what the text of a file says; raises `Refusal` with the framework's reason.

    `file` is the path as messages have it, `directory` the name of the directory. With `with_tools` there are
    tools of skills, whose names `metadata.include_tools` lists.
    """
    parts = fence_pattern.split(text)
    if parts is None:
        why = "it does not begin with a line `---`, or no line `---` follows that ends with a line break"
        raise Refusal(f"Skipping {file}: no valid YAML frontmatter found", why)
    found = _fields(parts.inside, file)
    try:
        return _manifest(found, parts.body, file, directory, with_tools)
    except (ValueError, RecursionError) as error:  # no text for an integer of thousands of digits
        raise Refusal(str(error), kind=ENDS, library=str(error)) from None


def _fields(yaml: str, file: str) -> dict[Any, Any]:
    try:
        found = safe_load(yaml)
    except BoundError as error:
        raise not_read(error) from None
    except PyYamlError as error:
        if not error.is_yaml:
            raise Refusal(error.text, kind=ENDS, library=error.text) from None
        words = f"Invalid YAML in {file}: {error.text}"
        raise Refusal(words, f"the YAML is invalid: {error.text}", library=error.text) from None
    if not isinstance(found, dict):
        raise Refusal(f"Skipping {file}: frontmatter is not a mapping", "the frontmatter is not a mapping")
    return found


def _manifest(fields: dict[Any, Any], body: str, file: str, directory: str, with_tools: bool) -> Manifest:
    name, description = (str(fields.get(key, "")).strip() for key in ("name", "description"))
    if not name or not description:
        words = f"Skipping {file}: missing required 'name' or 'description'"
        raise Refusal(words, "`name` or `description` is missing or empty")
    warnings = []
    if problem := _name_problem(name, directory):
        warnings.append(_SPECIFICATION.format(name=name, file=file, why=problem))
    kept = _cut("description", description, _LONG_DESCRIPTION, file, warnings)
    tools = _tools(fields.get("allowed-tools"), file, warnings)
    compatibility = str(fields.get("compatibility", "")).strip()
    compatibility = _cut("compatibility", compatibility, _LONG_COMPATIBILITY, file, warnings)
    return Manifest(
        name,
        kept,
        body.rstrip(),
        str(fields.get("license", "")).strip() or None,
        compatibility or None,
        tools,
        _metadata(fields.get("metadata", {}), file, with_tools, warnings),
        tuple(warnings),
        is_shortened=kept != description,
    )


def _cut(field: str, text: str, message: str, file: str, warnings: list[str]) -> str:
    most: int = schema.load(SCHEMA)["properties"][field]["maxLength"]
    if len(text) > most:
        warnings.append(message.format(file=file, length=len(text), most=most))
    return text[:most]


def _name_problem(name: str, directory: str) -> str | None:
    """Return what the framework says against a name, which it loads all the same."""
    most = schema.load(SCHEMA)["properties"]["name"]["maxLength"]
    if len(name) > most:
        return f"name exceeds {most} characters"
    letters = (each for each in name if each != "-")
    if name.startswith("-") or name.endswith("-") or "--" in name or not all(map(_is_lower, letters)):
        return _SHAPE
    return None if name == directory else f"name '{name}' must match directory name '{directory}'"


def _is_lower(character: str) -> bool:
    return (character.isalpha() and character.islower()) or character.isdigit()


def _tools(given: object, file: str, warnings: list[str]) -> tuple[str, ...]:
    if isinstance(given, str):
        return tuple(filter(None, re.split(r"[\s,]+", given)))
    if isinstance(given, list):
        return tuple(each.strip() for each in given if isinstance(each, str) and each.strip())
    if given is not None:
        got = type(given).__name__
        warnings.append(f"Ignoring 'allowed-tools' in {file}: expected a string or list, got {got}")
    return ()


def _metadata(given: object, file: str, with_tools: bool, warnings: list[str]) -> dict[str, str]:
    if not isinstance(given, dict):
        if given:
            warnings.append(f"Ignoring non-dict metadata in {file} (got {type(given).__name__})")
        return {}
    names = given.get("include_tools")
    if with_tools and (isinstance(names, list) or (isinstance(names, str) and "," in names)):
        words = "should be a space-separated string of tool names"
        warnings.append(f"metadata.include_tools in {file} {words}; got {names!r}")
    return {str(key): str(value) for key, value in given.items()}


def parse(raw: bytes, directory: str | None, with_tools: bool = True) -> values.Manifest:
    """Return the fields, the body and the warnings of a SKILL.md; raises `Refusal`."""
    file = f"{directory}/{FILE_NAME}" if directory else FILE_NAME
    name = (directory or "").replace("\\", "/").rpartition("/")[2]
    manifest = read(decoded(raw, file), file, name, with_tools)
    more = {
        "license": manifest.license,
        "compatibility": manifest.compatibility,
        "allowed_tools": list(manifest.allowed_tools),
        "metadata": dict(manifest.metadata),
        "warnings": list(manifest.warnings),
    }
    own = {key: value for key, value in more.items() if value}
    return values.Manifest(manifest.name, manifest.description, manifest.body, own)


LOGGER = "deepagents.middleware.skills"
LOAD_ERRORS = "deepagents: what is wrong with a source"
_ENDS = "this error prevents all skills from loading"


class Package(NamedTuple):
    """A skill, and the path of its file as the backend of its source writes it."""

    manifest: Manifest
    path: str


def scan(session: Session) -> None:
    """Fill a session: the last copy of a name wins, at the place in the list that the first one had."""
    winners: dict[str, LoadedSkill] = {}
    errors: list[str] = session.memory.setdefault(LOAD_ERRORS, [])
    try:
        for source in sources(session):
            for skill in of_source(session, backend_of(session), source, errors):
                merge(session, winners, skill)
    except ValueError as error:
        session.failure = str(error)
        return
    session.skills += winners.values()
    session.failure = next(filter(None, map(unsendable, session.skills)), None)


def unsendable(skill: LoadedSkill) -> str | None:
    """Return why no request is sent that lists a skill, None if one is."""
    return loading.unsendable(skill, (skill.known_as(Package).path, *_listed(skill)))


def _listed(skill: LoadedSkill) -> Iterator[str]:
    manifest = skill.known_as(Package).manifest
    fields = (skill.name, skill.description, manifest.license, manifest.compatibility)
    yield from (text for text in fields if text)
    yield from manifest.allowed_tools


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

    Raises `LoadingEnded`, and `ValueError` for a source outside a virtual file system.
    """
    listing = backend.listing(source.path)
    session.logs += [Log("WARNING", BACKEND_LOGGER, words) for words in listing.logged]
    if listing.error is not None:
        errors.append(f"Cannot load skills from '{source.path}': {listing.error}")
        session.logs.append(Log("WARNING", LOGGER, errors[-1]))
    nothing = f"it is a broken link {SILENTLY}"
    session.skipped += [Refused(link, None, nothing, source.role) for link in listing.links]
    for entry in listing.entries:
        if not entry.is_directory:
            continue
        outcome = _package(backend, entry.path, entry.real, source.role, with_tools)
        if isinstance(outcome, Refused):
            session.skipped.append(outcome)
            if outcome.ends_loading:
                raise LoadingEnded(outcome.message)
            session.logs += [Log("WARNING", LOGGER, words) for words in _words(outcome, entry.path)]
        else:
            manifest = outcome.known_as(Package).manifest
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
    name, description = manifest.name, manifest.description
    return LoadedSkill(
        name,
        name,
        description,
        directory,
        manifest.body,
        role,
        file,
        details=Package(manifest, file),
        is_shortened=manifest.is_shortened,
    )


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

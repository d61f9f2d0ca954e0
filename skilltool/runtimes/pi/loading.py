"""Where does pi look for skills, in which order, and which copy of a name wins?

Source: `dist/core/package-manager.js` and `dist/core/skills.js` of pi 1.5.2, and records of them;
`dist/core/package-manager.js` of pi 1.5.2. `!GLOB` takes away, `+PATH` brings back, `-PATH` takes away for
good; anything else is a path to add. Of minimatch's globs, alternatives, `*`, `?`, `**` and brackets are
known here; `collectSkillEntries` in `dist/core/package-manager.js` of pi 1.5.2, and records. A directory
with a SKILL.md is a skill, and nothing under it is searched. Other `.md` files count directly in a root of
pi, and below, not in, a root of `.agents`. A linked directory is followed, but not searched twice: that
adds nothing; `addIgnoreRules` in `dist/core/skills.js` of pi 1.5.2, with npm `ignore` 7.0.8, which takes no
notice of case. A pattern of a subdirectory gets the path of that before it, so that it is bound there; a
leading slash is dropped, so that at the root it binds nothing. Ignore files above the root do not count;
`dist/core/skills.js` and `dist/utils/frontmatter.js` of pi 1.5.2, and records of them.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from skilltool.emulation import npm_yaml
from skilltool.emulation.javascript import length, node_words, trim
from skilltool.emulation.picomatch import matches_path
from skilltool.runtimes import values
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import (
    TOO_LARGE,
    TooManyError,
    bytes_beside_skills,
    bytes_of,
    first_wins,
    is_directory_here,
    is_file_here,
    is_here,
    skills_directly_in,
)
from skilltool.runtimes.values import (
    LoadedSkill,
    Log,
    Refusal,
    Refused,
    ResolvedRoot,
    beyond_bound,
    not_read,
    without_skill_file,
)
from skilltool.skill import schema
from skilltool.skill.discovery.wildmatch import Pattern, compile_line
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError
from skilltool.text.lazy_pattern import lazy_pattern


class Flags(NamedTuple):
    """What the options say: paths of skills to add, whether others are loaded, and which tools there are."""

    skills: tuple[str, ...]
    no_skills: bool
    tools: frozenset[str]

    @property
    def reader(self) -> str | None:
        """The tool with which the model reads a skill; None if it has none."""
        return next((name for name in ("read", "bash") if name in self.tools), None)


def parsed(flags: Sequence[str]) -> Flags:
    """Return what a list of options says; unknown ones are ignored."""
    skills: list[str] = []
    tools = {"read", "bash", "edit", "write"}
    given = iter(map(str, flags))
    for flag in given:
        if flag == "--skill":
            skills += islice(given, 1)
        elif flag == "--no-tools":
            tools = set()
        elif flag in ("--tools", "-t"):
            tools = set(_names(next(given, "")))
        elif flag == "--exclude-tools":
            tools -= set(_names(next(given, "")))
    return Flags(tuple(skills), "--no-skills" in flags or "-ns" in flags, frozenset(tools))


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


_SIGNS = ("!", "+", "-")


def entries(file: Path) -> list[str]:
    """Return what a settings file has under `skills`; nothing if it cannot be read."""
    try:
        found = json.loads(bytes_beside_skills(file))
    except (OSError, ValueError, Refusal, RecursionError):
        return []
    given = found.get("skills") if isinstance(found, dict) else None
    return [each for each in given if isinstance(each, str)] if isinstance(given, list) else []


def added(given: Sequence[str], base: Path, home: Path) -> list[Path]:
    """Return the paths to add, absolute; they are relative to the directory of the settings."""
    plain = [each for each in given if not each.startswith(_SIGNS) and not {"*", "?"} & set(each)]
    return [absolute(each.strip(), base, home) for each in plain]


def absolute(path: str, base: Path, home: Path) -> Path:
    """Return a path of the settings, the command line or a call as an absolute one."""
    if path == "~" or path.startswith("~/"):
        expanded = f"{home}/{path[2:]}"
    else:
        expanded = unquote(path.removeprefix("file://")) if path.startswith("file:///") else path
    return Path(os.path.normpath(base / expanded))


def is_enabled(file: Path, given: Sequence[str], base: Path) -> bool:
    """Return whether the patterns of the settings leave a file that was found in one of the usual roots."""
    enabled = not any(_matches(file, each[1:], base) for each in given if each.startswith("!"))
    if any(_is_exactly(file, each[1:], base) for each in given if each.startswith("+")):
        enabled = True
    return enabled and not any(_is_exactly(file, each[1:], base) for each in given if each.startswith("-"))


def is_wanted(file: Path, given: Sequence[str], base: Path) -> bool:
    """Return whether the patterns of the settings leave a file of a path that they add."""
    globs = [each for each in given if not each.startswith(_SIGNS) and {"*", "?"} & set(each)]
    forced = any(_is_exactly(file, each[1:], base) for each in given if each.startswith("+"))
    wanted = not globs or any(_matches(file, glob, base) for glob in globs)
    return forced or (wanted and is_enabled(file, given, base))


def _paths(file: Path, base: Path) -> list[str]:
    """Return the names of a file that patterns are compared with: also those of its skill's directory."""
    paths = [file, file.parent] if file.name == FILE_NAME else [file]
    return [path for each in paths for path in (os.path.relpath(each, base), os.fspath(each))]


def _matches(file: Path, glob: str, base: Path) -> bool:
    names = [file.name, *([file.parent.name] if file.name == FILE_NAME else [])]
    return any(_glob(glob, path) for path in (*names, *_paths(file, base)))


def _glob(glob: str, path: str) -> bool:
    """Return whether a glob matches; a part that begins with a dot needs one in the glob."""
    dotted = any(part.startswith(".") for part in path.split("/"))
    if dotted and not any(part.startswith(".") for part in glob.split("/")):
        return False
    return matches_path([glob.removeprefix("/")], path.removeprefix("/"))


def _is_exactly(file: Path, path: str, base: Path) -> bool:
    return path.removeprefix("./") in _paths(file, base)


_FILES = (".gitignore", ".ignore", ".fdignore")
_MOST_PATTERNS = 10_000


class Ignored:
    """The patterns of one root, in the order in which its directories are walked."""

    def __init__(self) -> None:
        """Begin without patterns."""
        self._patterns: list[Pattern] = []

    def enter(self, directory: Path, prefix: str, names: frozenset[str]) -> None:
        """Add the patterns of a directory whose path under the root is `prefix`, with a slash at its end."""
        for name in _FILES:
            if name in names:
                self._add(directory / name, prefix)

    def _add(self, file: Path, prefix: str) -> None:
        try:
            text = bytes_beside_skills(file).decode("utf-8", "replace")
        except (OSError, Refusal):
            return
        for line in text.replace("\r\n", "\n").split("\n"):
            pattern = _prefixed(line, prefix)
            if pattern is None or len(self._patterns) >= _MOST_PATTERNS:
                continue
            found = compile_line(pattern.lower().encode("utf-8", "surrogateescape"))
            if found is not None:
                self._patterns.append(found)

    def hides(self, path: str, is_directory: bool) -> bool:
        """Return whether a path under the root is ignored; the last pattern that matches decides."""
        if not self._patterns:
            return False
        raw = path.lower().encode("utf-8", "surrogateescape")
        name = raw.rpartition(b"/")[2]
        pattern = next(
            (each for each in reversed(self._patterns) if each.matches(raw, name, is_directory)), None
        )
        return pattern is not None and pattern.include


def _prefixed(line: str, prefix: str) -> str | None:
    """Return the pattern of a line as pi hands it on, None for a blank line or a comment."""
    if not line.strip() or line.strip().startswith("#"):
        return None
    negated = line.startswith("!")
    pattern = line[1:] if negated or line.startswith("\\!") else line
    return f"{'!' if negated else ''}{prefix}{pattern.removeprefix('/')}"


_MOST_DIRECTORIES = 4_000
_Inode = tuple[int, int]


class Found(NamedTuple):
    """The files of a root, and the directories with a file that is named like a SKILL.md and is not one.

    `is_whole` is False beyond 4,000 directories: then the files are those of the directories in the root.
    """

    files: list[Path]
    misnamed: list[Path]
    is_whole: bool = True


def skill_files(root: Path, of_agents: bool) -> Found:
    """Return what a root has: names in byte order, what a directory has in its place."""
    walk = _Walk(of_agents)
    try:
        walk.directory(root, "")
    except TooManyError:
        directly = [path for path in skills_directly_in(root) if not path.name.startswith(".")]
        return Found([path / FILE_NAME for path in directly], [], is_whole=False)
    return Found(walk.found, walk.misnamed)


class _Walk:
    def __init__(self, of_agents: bool) -> None:
        self.found: list[Path] = []
        self.misnamed: list[Path] = []
        self._of_agents = of_agents
        self._ignored = Ignored()
        self._seen: set[_Inode] = set()

    def directory(self, top: Path, prefix: str) -> None:
        """Add the files of the root and of all directories under it."""
        waiting: list[tuple[Path, str, bool]] = [(top, prefix, True)]
        while waiting:  # a loop: a tree may be deeper than Python's recursion limit
            path, below, is_directory = waiting.pop()
            if not is_directory:
                self.found.append(path)
            elif len(self._seen) >= _MOST_DIRECTORIES:
                raise TooManyError(_MOST_DIRECTORIES)
            else:
                waiting += reversed(self._inside(path, below))

    def _inside(self, directory: Path, prefix: str) -> list[tuple[Path, str, bool]]:
        """Return the files and directories that come of one directory, in their order."""
        status = _status(directory)
        if status is None or (status.st_dev, status.st_ino) in self._seen:
            return []
        self._seen.add((status.st_dev, status.st_ino))
        try:
            names = sorted(os.listdir(directory), key=os.fsencode)
        except OSError:
            return []
        self._ignored.enter(directory, prefix, frozenset(names))
        file = directory / FILE_NAME
        if FILE_NAME in names and _is_file(file) and not self._ignored.hides(prefix + FILE_NAME, False):
            return [(file, prefix, False)]
        flat = bool(prefix) == self._of_agents
        if prefix and not flat and any(name.lower() == FILE_NAME.lower() for name in names):
            self.misnamed.append(directory)
        return [
            (directory / name, f"{prefix}{name}/", is_directory)
            for name in names
            if not name.startswith(".") and name != "node_modules"
            for is_directory in self._kind(directory / name, prefix + name, flat)
        ]

    def _kind(self, path: Path, below: str, flat: bool) -> list[bool]:
        """Return [True] for a directory to search, [False] for a file that may be a skill, else nothing."""
        status = _status(path)
        if status is None:
            return []
        if stat.S_ISDIR(status.st_mode):
            return [] if self._ignored.hides(below, True) else [True]
        is_skill = flat and stat.S_ISREG(status.st_mode) and path.name.endswith(".md")
        return [False] if is_skill and not self._ignored.hides(below, False) else []


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except (OSError, ValueError):
        return None


def _is_file(path: Path) -> bool:
    status = _status(path)
    return status is not None and stat.S_ISREG(status.st_mode)


NO_DESCRIPTION = "description is required"
_FENCE = "---"
_NAME = lazy_pattern(r"[a-z0-9-]+")


class Manifest(NamedTuple):
    """What one file says; `hidden` from the model, and the `warnings` that it gives rise to."""

    name: str
    description: str
    body: str
    hidden: bool
    warnings: tuple[str, ...]


def split(raw: bytes) -> tuple[str, str]:
    """Return the YAML of a file, empty if it has none, and its body.

    The YAML begins with the fifth character, whatever follows the first three dashes.
    """
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    text = raw.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    end = text.find(f"\n{_FENCE}", len(_FENCE)) if text.startswith(_FENCE) else -1
    if end < 0:
        return "", text
    return text[len(_FENCE) + 1 : end], trim(text[end + len(_FENCE) + 1 :])


@lru_cache(maxsize=2)
def read(raw: bytes, directory: str) -> Manifest:
    """Return what a file in a directory of this name says; raises `Refusal` with the program's words."""
    yaml, body = split(raw)
    fields = _fields(yaml)
    description = fields.get("description")
    if not isinstance(description, str) or not trim(description):
        raise Refusal(
            NO_DESCRIPTION, "`description` is missing, blank or not a string, or no frontmatter is found"
        )
    given = fields.get("name")
    name = given if isinstance(given, str) and given else directory
    hidden = fields.get("disable-model-invocation") is True
    return Manifest(
        name, description, trim(body), hidden, (*_about_description(description), *_about_name(name))
    )


def _fields(yaml: str) -> dict[str, Any]:
    try:
        data = npm_yaml.load(yaml) if yaml else None
    except BoundError as error:
        raise not_read(error) from None
    except npm_yaml.NotParsedError as error:
        why = f"the frontmatter is not valid YAML: {error}"
        raise Refusal(error.words, why, library=error.words) from None
    return data if isinstance(data, dict) else {}


def _about_description(text: str) -> list[str]:
    most, size = _most("description"), length(text)
    return [f"description exceeds {most} characters ({size})"] if size > most else []


def _about_name(name: str) -> list[str]:
    """Return what pi warns about in a name, which is used all the same."""
    most, size = _most("name"), length(name)
    found = [f"name exceeds {most} characters ({size})"] if size > most else []
    if not _NAME.fullmatch(name):
        found.append("name contains invalid characters (must be lowercase a-z, 0-9, hyphens only)")
    if name.startswith("-") or name.endswith("-"):
        found.append("name must not start or end with a hyphen")
    if "--" in name:
        found.append("name must not contain consecutive hyphens")
    return found


def _most(field: str) -> int:
    """Return the length in UTF-16 units over which a field is warned about."""
    most: int = schema.load("pi")["properties"][field]["x-warned-length"]
    return most


def parse(raw: bytes, directory: str | None) -> values.Manifest:
    """Return name, description and body of a file, and what there is of warnings; raises `Refusal`."""
    manifest = read(raw, directory or "")
    own: dict[str, Any] = {"warnings": list(manifest.warnings)} if manifest.warnings else {}
    own |= {"disable_model_invocation": True} if manifest.hidden else {}
    return values.Manifest(manifest.name, manifest.description, manifest.body, own)


ABOVE = "agents-above"
_UNTRUSTED = "the project is not trusted"
_OFF = "`--no-skills` turns it off"


class Source(NamedTuple):
    """A file that may be a skill: what it belongs to, and whether the settings leave it."""

    file: Path
    role: str
    scope: str
    enabled: bool = True


class Details(NamedTuple):
    """What pi alone knows of a skill: whether the listing leaves it out, what it warns of, for whom it is."""

    hidden: bool
    warnings: tuple[str, ...]
    scope: str


def scan(session: Session) -> None:
    """Fill a session: the first copy of a name wins; the same file by two paths counts once, silently."""
    given = parsed(session.settings["flags"])
    session.roots = tuple(_roots(session, given))
    files: set[str] = set()
    winners: dict[str, LoadedSkill] = {}
    for source in _sources(session, given):
        real = os.path.realpath(source.file)
        if real in files:
            continue
        files.add(real)
        outcome = _loaded(source.file)
        if not source.enabled:
            why = "the settings of `skills` turn it off"
            session.skipped.append(Refused(source.file.parent, None, why, source.role, hidden=True))
        elif outcome is None:
            continue
        elif isinstance(outcome, Refused):
            session.skipped.append(outcome._replace(role=source.role))
            _warn(session, source.file, outcome.message)
        else:
            _add(session, winners, outcome, source)


def _add(session: Session, winners: dict[str, LoadedSkill], skill: LoadedSkill, source: Source) -> None:
    details = skill.known_as(Details)._replace(scope=source.scope)
    skill = skill._replace(role=source.role, details=details)
    for warning in details.warnings:
        _warn(session, source.file, warning)
    winner = winners.setdefault(skill.key, skill)
    if winner is skill:
        session.skills.append(skill)
    else:
        session.shadowed.append(first_wins(session, winner, skill))
        _warn(session, source.file, f'name "{skill.key}" collision')


def _warn(session: Session, file: Path, words: str | None) -> None:
    if words is not None:
        session.logs.append(Log("WARNING", "skills", f"{file}: {words}"))


def _roots(session: Session, given: Flags) -> Iterator[ResolvedRoot]:
    """Yield the usual roots, with the `.agents/skills` above the working directory after its own."""
    trusted = session.settings["trust"]
    for root in session.roots:
        is_project = root.role in ("project", "project-agents")
        why = _OFF if given.no_skills else _UNTRUSTED if is_project and not trusted else None
        yield root._replace(unscanned=why)
        if root.role == "project-agents":
            users = session.root("user-agents")
            for path in _above(session.project):
                if users is None or path != users.path:
                    yield ResolvedRoot(ABOVE, path, str(path), why)


def _above(project: Path) -> Iterator[Path]:
    """Yield `.agents/skills` of the directories above, up to one with `.git`, else to the top."""
    chain = [project, *project.parents]
    top = next((each for each in chain if is_here(each / ".git")), chain[-1])
    for path in chain[1:]:
        if top == project:
            return
        yield path / ".agents" / "skills"
        if path == top:
            return


def _sources(session: Session, given: Flags) -> Iterator[Source]:
    """Yield every file in the order in which it counts, a path only once."""
    known: set[Path] = set()
    for source in (*(() if given.no_skills else _usual(session)), *_of_flags(session, given)):
        if source.file not in known:
            known.add(source.file)
            yield source


def _usual(session: Session) -> Iterator[Source]:
    """Yield what the settings add and the roots have: first the project's, then the user's."""
    home = session.home
    for scope, base in (("project", session.project / ".pi"), ("user", home / ".pi" / "agent")):
        is_read = session.settings["trust"] if scope == "project" else session.settings["user_settings"]
        listed = entries(base / "settings.json") if is_read else []
        for path in added(listed, base, home):
            for file in _files_of(path):
                yield Source(file, "settings", scope, is_wanted(file, listed, base))
        for root in session.roots:
            if root.unscanned or (root.role in ("user", "user-agents")) != (scope == "user"):
                continue
            of_agents = root.role not in ("project", "user")
            beside = root.path.parent if of_agents else base
            found = skill_files(root.path, of_agents)
            session.skipped += [_missing(directory, root.role) for directory in found.misnamed]
            if not found.is_whole:
                session.skipped.append(beyond_bound(root.path, _MOST_DIRECTORIES, "directories", root.role))
            for file in found.files:
                yield Source(file, root.role, scope, is_enabled(file, listed, beside))


def _of_flags(session: Session, given: Flags) -> Iterator[Source]:
    for text in given.skills:
        path = absolute(text, session.project, session.home)
        if not is_here(path):
            _warn(session, path, "skill path does not exist")
        for file in _files_of(path):
            yield Source(file, "--skill", "temporary")


def _files_of(path: Path) -> list[Path]:
    """Return the files of a path that is named: itself, or what a directory has."""
    if is_directory_here(path):
        return skill_files(path, of_agents=False).files
    return [path] if is_file_here(path) and path.suffix == ".md" else []


def _loaded(file: Path) -> LoadedSkill | Refused | None:
    """Return what becomes of a file; None for one that is not called SKILL.md and is not a skill."""
    directory, declared = file.parent, file.name == FILE_NAME
    try:
        raw = bytes_of(file)
        if isinstance(raw, OSError):
            words = node_words(raw, "open", file)
            return Refused(directory, words, f"{file.name} cannot be read: {raw.strerror}")
        manifest = read(raw, directory.name)
    except Refusal as refusal:
        if not declared and refusal.message is not None:
            return None
        return refusal.refused(directory)
    details = Details(manifest.hidden, manifest.warnings, "project")
    name, description, body = manifest.name, manifest.description, manifest.body
    return LoadedSkill(name, name, description, directory, body, "", str(file), file=file, details=details)


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whatever the settings."""
    file = directory / FILE_NAME
    found = _loaded(file) if is_here(file) else None
    return found or _missing(directory)


def _missing(directory: Path, role: str = "") -> Refused:
    return without_skill_file(directory, role)

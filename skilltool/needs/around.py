"""The skills around a skill: all of its repository, by name and by directory, each with its plugins."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from skilltool.errors import PathError
from skilltool.files.paths import cached_realpath, display_path
from skilltool.files.repository import is_repository_root, up_to_repository
from skilltool.packages.manifest import Manifest, file_names, read_manifest, skills_directories
from skilltool.packages.plugins import offers, plugins_of
from skilltool.runtimes.home import user_home_or_none
from skilltool.skill.discovery import discover
from skilltool.skill.skill_file import FILE_NAME, read_skill_file, skill_file
from skilltool.text import frontmatter
from skilltool.text.source import Source

NONE_HERE = f"no directory here contains a {FILE_NAME}, or git ignores all of them"
_PLUGINS = (".claude-plugin/plugin.json", ".claude-plugin/marketplace.json")


class Known(NamedTuple):
    """A skill: its directory (real, absolute), the `name` in its frontmatter, and the plugins that offer it.

    `name` is that of the directory where the frontmatter has none. `shown` is the directory as printed.
    """

    directory: Path
    name: str
    plugins: tuple[str, ...]
    shown: str


class Around:
    """The skills of a repository, or of what was named where there is none.

    `former` maps names that skills had in an earlier revision, and that none has now, to the name that the
    skill has now, empty where it is gone.
    """

    def __init__(self, top: Path, skills: Sequence[Known], plugins: frozenset[str] = frozenset()) -> None:
        """Take the top directory, its skills in the order of their paths, and the names of its plugins."""
        self.former: dict[str, str] = {}
        self.top = top
        self.skills = tuple(skills)
        self.plugins = plugins
        self.by_directory = {skill.directory: skill for skill in skills}
        self._by_name: dict[str, list[Known]] = {}
        for skill in skills:
            for name in {skill.name, skill.directory.name}:
                self._by_name.setdefault(name, []).append(skill)

    @property
    def names(self) -> Iterable[str]:
        """Every name of a skill, of its frontmatter and of its directory."""
        return self._by_name

    def named(self, name: str, near: Path) -> Known | None:
        """Return the skill that a name means for the skill in the directory `near`; None if none has it.

        Of several the one with the most directories in common, which is not `near` itself.
        """
        found = [skill for skill in self._by_name.get(name, ()) if skill.directory != near]
        return max(found, key=lambda skill: _common(skill.directory, near), default=None)

    def at(self, path: Path) -> Known | None:
        """Return the innermost skill that has a path, an absolute one without `..`, in its directory."""
        for directory in (path, *path.parents):
            if directory in self.by_directory:
                return self.by_directory[directory]
        return None


def _common(one: Path, other: Path) -> int:
    return len(os.path.commonpath([one, other]))


def around(paths: Sequence[Path]) -> Around:
    """Return the skills of the repository around the first of some paths, and what the paths name in it.

    What is named counts though git ignores it; a path that does not exist may be the name of a skill in a
    client's skills directory. Without a repository, the skills at and under the paths, and beside a path that
    is a skill.
    """
    there = [path for path in paths if os.path.lexists(path)] or [Path()]
    first = there[0]
    levels = up_to_repository(first if first.is_dir() else first.parent)
    top = Path(os.path.realpath(levels[-1]))
    named = [Path(os.path.abspath(path)) for path in there]
    if is_repository_root(top):
        places = [place for level in levels for place in skills_directories(level)]
        by_name = [place / path for path in paths if len(path.parts) == 1 for place in places]
        return _found(dict.fromkeys([top, *named, *filter(os.path.isdir, by_name)]), top)
    beside = [path.parent if skill_file(_names(path)) else path for path in named]
    return _found(dict.fromkeys(beside), Path(os.path.realpath(beside[0])))


def at_home() -> Around | None:
    """Return the skills in the directories of clients at home, None if there are none."""
    home = user_home_or_none()
    places = [] if home is None else [place for place in skills_directories(home) if place.is_dir()]
    found = _found(places, Path(os.path.realpath(home))) if home is not None and places else None
    return found if found is not None and found.skills else None


def below(top: Path) -> Around:
    """Return the skills under a directory."""
    return _found([top], Path(os.path.realpath(top)))


def chosen(paths: Sequence[str], known: Around) -> list[Known]:
    """Return the skills that arguments mean: a name, or a path to a skill or a directory of skills.

    None means those under the working directory; where none are there, all. Raises `PathError`.
    """
    if not paths:
        here = Path(os.path.realpath(Path.cwd()))
        found = [skill for skill in known.skills if skill.directory.is_relative_to(here)]
        inside = known.at(here)
        return found or ([inside] if inside else list(known.skills))
    found = []
    for path in paths:
        found += _meant(path, known)
    return list(dict.fromkeys(found))


def _meant(path: str, known: Around) -> list[Known]:
    named = [skill for skill in known.skills if path in (skill.name, skill.directory.name)]
    if named and os.sep not in path:
        return named
    if not os.path.lexists(path):
        from skilltool.errors import suggestions

        near = suggestions(path, known.names)
        hint = f"; did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else ""
        raise PathError(f"{path}: no such skill, file or directory{hint}")
    real = Path(os.path.realpath(path))
    found = [skill for skill in known.skills if skill.directory.is_relative_to(real)]
    inside = known.at(real)
    if not found and inside is None:
        raise PathError(f"{path}: no skills found: {NONE_HERE}")
    return found or [inside] if inside is not None else found


def _found(paths: Iterable[Path], top: Path) -> Around:
    discovery = discover(list(paths), wanted=file_names())
    directories = dict.fromkeys(Path(cached_realpath(os.fspath(skill))) for skill in discovery.skills)
    offered = dict(_offered([path for path in discovery.files if path.as_posix().endswith(_PLUGINS)]))
    skills = [_known(directory, offered.get(directory.as_posix(), ())) for directory in directories]
    return Around(top, skills, frozenset(name for names in offered.values() for name in names))


def _known(directory: Path, plugins: Iterable[str]) -> Known:
    file = directory / (skill_file(_names(directory)) or FILE_NAME)
    raw, _, _ = read_skill_file(file, directory)
    name = frontmatter.read(Source.decode(raw)).text("name")
    usable = name is not None and name.strip() and "\n" not in name
    shown = display_path(directory)
    return Known(directory, name.strip() if usable and name else directory.name, tuple(plugins), shown)


def _names(directory: Path) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _offered(files: Iterable[Path]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each directory of a skill that plugins offer (real, with `/`), with the names of the plugins."""
    found: dict[str, dict[str, None]] = {}
    for file in files:
        manifest = read_manifest(file.as_posix())
        for name, directory in _offers(manifest) if manifest is not None else ():
            found.setdefault(os.path.realpath(directory).replace(os.sep, "/"), {})[name] = None
    yield from ((directory, tuple(names)) for directory, names in found.items())


def _offers(manifest: Manifest) -> Iterator[tuple[str, str]]:
    for plugin in plugins_of(manifest):
        for offer in offers(plugin, manifest):
            if plugin.name:
                yield plugin.name, offer.directory

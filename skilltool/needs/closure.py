"""What arrives when one skill is installed, what does not, and what breaks then.

An installer copies one directory and follows nothing. A path of a page leads on where it is installed only if
what it leads to lies there at the same place: another skill does if it is installed, too, and its directory
has the same name there.

Which files each installer copies is in `schemas/installers.json`, with how that is known.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.errors import SkilltoolError, UnknownNameError
from skilltool.explain.installed import read_as_installer
from skilltool.needs.around import Around, Known
from skilltool.needs.record import Record, record_of
from skilltool.needs.references import MISSING, NOWHERE, OUTSIDE, SKILL, SKILL_FILE, Reference
from skilltool.packages.installer import candidates, directory_name, table
from skilltool.packages.manifest import read_manifest
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.lazy_pattern import lazy_pattern

PLUGIN = "claude-plugin"
SCHEMA_VERSION = 1
_MOST_FILES = 20_000
# A place of a client, at home or in a project, where an installed skill may be.
_OF_CLIENT = lazy_pattern(r"(?:\A|/)\.(?:claude|agents|codex|gemini|opencode|qwen|cursor|github)/skills/")


class Break(NamedTuple):
    """A reference that leads nowhere once the skill is installed: the skill it is in, and why."""

    skill: str
    reference: Reference
    why: str

    @property
    def statement(self) -> str:
        """What breaks, with its place: `SKILL.md:9 reads ../shared/SKILL.md, ...`."""
        each = self.reference
        verb = "reads" if each.path else "names"
        return f"{each.file}:{each.line} {verb} {each.path or each.target}, {self.why}"


class Companion(NamedTuple):
    """A skill to install with another one: the first reference to it, and the skill that has that."""

    name: str
    directory: str
    asked_by: str
    reference: Reference


class Closure(NamedTuple):
    """What becomes of one skill that an installer installs.

    `arrives` are paths under the directory that is copied, the skill's or its plugin's, `left_out` what is
    beside them and does not arrive, each with why. `breaks` is what breaks if it is installed alone,
    `companions` are the skills to install with it, and `breaks_still` is what breaks even then.
    `broken_before` counts what leads nowhere in the repository, too.
    """

    installer: str
    name: str
    directory: str
    installed_as: str
    arrives: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]
    rewrites: bool
    breaks: tuple[Break, ...]
    companions: tuple[Companion, ...]
    breaks_still: tuple[Break, ...]
    broken_before: int = 0
    remarks: tuple[str, ...] = ()


def installers() -> tuple[str, ...]:
    """Return the names of the installers of individual skills that are known."""
    return tuple(table()["single"])


def closure(known: Around, name: str, installer: str) -> Closure:
    """Return what becomes of the skill `name`; raises `UnknownNameError` if there is none."""
    own = _named(known, name, installer)
    facts = table()["single"][installer]
    records: dict[Path, Record] = {}

    def read(skill: Known) -> Record:
        if skill.directory not in records:
            records[skill.directory] = record_of(skill, known, is_asked=False)
        return records[skill.directory]

    companions = list(_companions(known, own, read))
    together = [own, *(known.by_directory[each] for each, _ in companions)]
    place = _Plugin(known, own) if installer == PLUGIN else _Flat(known, facts["names"])
    files, left_out = _copied(place.top_of(own), facts)
    whole = place.arriving(together)
    alone = place.breaks(read(own), place.arriving([own]))
    inside = [skill for skill in together if skill in whole]
    still = [each for skill in inside for each in place.breaks(read(skill), whole)]
    there = {skill.directory for skill in place.arriving([own])}
    shown = [each for directory, each in companions if directory not in there]
    return Closure(
        installer,
        own.name,
        own.shown,
        place.installed_as(own),
        tuple(files),
        tuple(left_out),
        facts["rewrites"],
        tuple(alone),
        tuple(shown),
        tuple(still),
        sum(each.to in (MISSING, NOWHERE) and not each.is_note for each in read(own).references),
        tuple(place.remarks(own)),
    )


def _named(known: Around, name: str, installer: str) -> Known:
    """Return the skill that an installer takes for a name: npx skills the first to which it comes.

    The others are told a path; of several skills the one nearest to the top is meant then.
    """
    found = [skill for skill in known.skills if name in (skill.name, skill.directory.name, skill.shown)]
    if not found:
        raise UnknownNameError("skill", name, known.names)
    if installer == PLUGIN:
        offered = [skill for skill in found if skill.plugins]
        if not offered:
            raise SkilltoolError(f"no plugin in this repository offers {found[0].shown}")
        found = offered
    if installer != "skills":
        return min(found, key=lambda skill: len(skill.directory.parts))
    order = [os.path.realpath(each.directory) for each in candidates(known.top.as_posix())]
    taken = [skill for skill in found if os.fspath(skill.directory) in order]
    if not taken:
        raise SkilltoolError(f"npx skills does not look in {found[0].shown}")
    refused = {skill.directory: read_as_installer(os.fspath(skill.directory))[1] for skill in taken}
    taken = [skill for skill in taken if not refused[skill.directory]] or taken
    if why := refused[taken[0].directory]:
        raise SkilltoolError(f"npx skills does not install {taken[0].shown}: {why}")
    return min(taken, key=lambda skill: (skill.name != name, order.index(os.fspath(skill.directory))))


def _companions(known: Around, own: Known, read: Any) -> Iterator[tuple[Path, Companion]]:
    """Yield the skills that a skill asks for, and those that these ask for, each once."""
    shown = {skill.shown: skill for skill in known.skills}
    seen, waiting = {own.directory}, [own]
    while waiting:
        skill = waiting.pop(0)
        for each in read(skill).references:
            other = shown.get(each.skill)
            if each.to not in (SKILL, SKILL_FILE) or each.is_note or other is None:
                continue
            if other.directory not in seen:
                seen.add(other.directory)
                waiting.append(other)
                yield other.directory, Companion(other.name, other.shown, skill.name, each)


def _copied(directory: Path, facts: dict[str, Any]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the files that are copied from a directory, and what is left out, each with why."""
    files: list[str] = []
    left_out: list[tuple[str, str]] = []
    waiting = [("", directory)]
    while waiting and len(files) < _MOST_FILES:
        prefix, folder = waiting.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            left_out.append((prefix or ".", "cannot be read"))
            continue
        for entry in entries:
            path = posixpath.join(prefix, entry.name)
            is_link, is_directory = entry.is_symlink(), entry.is_dir()
            if entry.name in facts["left_out"] and ("." in entry.name[1:]) != is_directory:
                left_out.append((path, "never copied"))
            elif is_link and facts["links"] == "skipped":
                left_out.append((path, "a symbolic link"))
            elif is_link and not os.path.exists(entry.path):
                left_out.append((path, "a broken symbolic link"))
            elif is_directory and not (is_link and directory.is_relative_to(os.path.realpath(entry.path))):
                waiting.append((path, Path(entry.path)))
            elif not is_directory:
                files.append(path)
    return sorted(files), sorted(left_out)


class _Flat:
    """An installer that puts each skill into a directory of its own beside the others."""

    def __init__(self, known: Around, names: str) -> None:
        self._known = known
        self._names = names

    def top_of(self, own: Known) -> Path:
        return own.directory

    def installed_as(self, skill: Known) -> str:
        return directory_name(skill.name) if self._names == "name" else skill.directory.name

    def arriving(self, asked: Sequence[Known]) -> list[Known]:
        return list(asked)

    def breaks(self, record: Record, installed: Sequence[Known]) -> Iterator[Break]:
        """Yield the references of a skill that lead nowhere if only some skills are installed."""
        own = record.known
        shown = {skill.shown: skill for skill in installed}
        places = {self.installed_as(skill): skill for skill in installed}
        for each in record.references:
            why = None if each.is_note else self._why(each, own, shown, places)
            if why is not None:
                yield Break(own.name, each, why)

    def _why(
        self, each: Reference, own: Known, shown: dict[str, Known], places: dict[str, Known]
    ) -> str | None:
        if each.to == OUTSIDE:
            return "which is outside the skill"
        other = shown.get(each.skill) if each.to in (SKILL, SKILL_FILE) else own
        if other is None:
            return f"and {each.skill} is not installed with it"
        if not each.path or other == own:
            return None
        if not each.path.startswith(("../", "./../")):
            return None if _OF_CLIENT.search(each.path) else "which is a path in this repository"
        page = "" if each.file == FILE_NAME else posixpath.dirname(each.file)
        written = each.path.partition("#")[0]
        place = posixpath.normpath(posixpath.join(self.installed_as(own), page, written))
        first, _, rest = place.partition("/")
        if place.startswith("..") or places.get(first) is not other:
            return f"and that skill is installed as {self.installed_as(other)}"
        exists = os.path.lexists(other.directory / rest)
        return None if exists else "which is elsewhere once installed"

    def remarks(self, own: Known) -> Iterator[str]:
        if self.installed_as(own) != own.directory.name:
            yield f"its directory here is {own.directory.name}"


class _Plugin:
    """Claude Code: the whole directory of a plugin is copied, and no path leads out of it."""

    def __init__(self, known: Around, own: Known) -> None:
        self._known = known
        self._top = _top_of_plugin(own, known.top)

    def top_of(self, own: Known) -> Path:
        return self._top

    def installed_as(self, skill: Known) -> str:
        return f"{skill.plugins[0]}:{skill.name}" if skill.plugins else skill.name

    def arriving(self, asked: Sequence[Known]) -> list[Known]:
        own = asked[0]
        inside = [skill for skill in self._known.skills if skill.directory.is_relative_to(self._top)]
        return [own, *(skill for skill in inside if skill != own)]

    def breaks(self, record: Record, installed: Sequence[Known]) -> Iterator[Break]:
        for each in record.references:
            why = None if each.is_note else self._why(each)
            if why is not None:
                yield Break(record.known.name, each, why)

    def _why(self, each: Reference) -> str | None:
        if not each.leads or (self._known.top / each.leads).is_relative_to(self._top):
            return None
        if each.to == SKILL and not each.path:
            other = next((skill for skill in self._known.skills if skill.shown == each.skill), None)
            plugin = other.plugins[0] if other is not None and other.plugins else ""
            return f"a skill in the plugin {plugin}" if plugin else "a skill in no plugin"
        return "which is outside the plugin"

    def remarks(self, own: Known) -> Iterator[str]:
        manifest = read_manifest((self._top / ".claude-plugin" / "plugin.json").as_posix())
        declared = manifest.value("dependencies") if manifest is not None else None
        if declared:
            names = declared if isinstance(declared, list) else list(declared)
            shown = [each if isinstance(each, str) else str(dict(each).get("name")) for each in names]
            yield f"its plugin depends on {', '.join(shown)}, which Claude Code installs with it"


def _top_of_plugin(own: Known, top: Path) -> Path:
    """Return the directory of the plugin around a skill: that of the manifest, else of the `skills` above."""
    above = [parent for parent in own.directory.parents if parent.is_relative_to(top)]
    for parent in (own.directory, *above):
        if (parent / ".claude-plugin" / "plugin.json").is_file():
            return parent
    folder = next((parent for parent in above if parent.name == "skills"), None)
    return folder.parent if folder is not None else own.directory


def data(found: Iterable[Closure]) -> dict[str, Any]:
    """Return what `resolve --installer NAME --skill NAME --output-format json` prints."""
    return {"schema_version": SCHEMA_VERSION, "closures": [_data(each) for each in found]}


def _data(found: Closure) -> dict[str, Any]:
    return {
        "installer": found.installer,
        "skill": found.name,
        "directory": found.directory,
        "installed_as": found.installed_as,
        "arrives": list(found.arrives),
        "left_out": [{"path": path, "why": why} for path, why in found.left_out],
        "rewrites_skill_file": found.rewrites,
        "breaks": [_broken(each) for each in found.breaks],
        "install_with": [
            {
                "skill": each.name,
                "directory": each.directory,
                "asked_by": each.asked_by,
                **_place(each.reference),
            }
            for each in found.companions
        ],
        "breaks_still": [_broken(each) for each in found.breaks_still],
        "broken_before": found.broken_before,
        "remarks": list(found.remarks),
    }


def _broken(each: Break) -> dict[str, Any]:
    return {"skill": each.skill, "why": each.why, **_place(each.reference)}


def _place(each: Reference) -> dict[str, Any]:
    return {"file": each.file, "line": each.line, "target": each.path or each.target, "text": each.text}

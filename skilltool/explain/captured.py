"""What did a client that is installed here really send? Kept captures, read without starting anything.

`skilltool capture` remembers for each client the outcome of its last capture, bound to the program: its path,
size, time and the version in its package. As long as these are the same, the outcome holds. With `-o DIR` it
also keeps what was sent, as records in the form of tests/goldens.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.errors import PathError, SkilltoolError
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.files.user_directories import state_directory
from skilltool.text.lazy_pattern import lazy_pattern

SCHEMA_VERSION = 1
CAPTURE, CASES, REQUESTS = "capture.json", "cases.jsonl", "requests.jsonl"
FIXTURES, MOUNTS = "fixtures.json", "mounts.json"
CHANGED = "changed"

_FOLDER = "captures"
_MOST = 64 * MEBIBYTE
_MOST_METADATA = MEBIBYTE
_IS_VERSION = lazy_pattern(r"\d+\.\d+\.\d+")
_LEVELS = 6  # directories between a program and the metadata of its package


class Stamp(NamedTuple):
    """What identifies one state of a program: path, size in bytes, time in ns, and its package's version."""

    path: str
    size: int
    modified: int
    version: str | None


class Remembered(NamedTuple):
    """The outcome of the last capture of a client, and whether the program is still the same.

    `day` is that of the capture, `outcome` is `same` or `changed`, `changed` are the parts that changed,
    `edition` is the version that was measured.
    """

    client: str
    version: str
    edition: str
    day: str
    outcome: str
    changed: tuple[str, ...]
    is_current: bool

    @property
    def note(self) -> str | None:
        """A line for people if this client differs from what we print; else None."""
        if not self.is_current or self.outcome != CHANGED:
            return None
        return (
            f"the installed {self.client} {self.version} differs from {self.edition}, the version shown "
            f"here, in {', '.join(self.changed)} "
            f"(captured on {self.day}; `skilltool capture {self.client}` shows how)"
        )


def folder() -> Path | None:
    """Return the directory of what is remembered, None if there is no home directory."""
    state = state_directory()
    return None if state is None else state / _FOLDER


def stamp_of(program: Path, package: str) -> Stamp:
    """Return the stamp of a program now; raises OSError."""
    status = program.stat()
    return Stamp(str(program), status.st_size, status.st_mtime_ns, version_beside(program, package))


def version_beside(program: Path, package: str) -> str | None:
    """Return the version in the metadata of the package that a program belongs to; None without any.

    That is a `package.json` with the package's name above the program, the name of the program itself, or the
    `.dist-info` of a Python package in its environment.
    """
    real = Path(os.path.realpath(program))
    if _IS_VERSION.fullmatch(real.name):  # as installers that keep several versions name the program
        return real.name
    for folder in list(real.parents)[:_LEVELS]:
        if (found := _npm_version(folder / "package.json", package)) is not None:
            return found
        # A program for one system is a package of its own beside the one that people install.
        if folder.name.startswith(f"{package.rpartition('/')[2]}-"):
            beside = folder.parent / package.rpartition("/")[2] / "package.json"
            if (found := _npm_version(beside, package)) is not None:
                return found
    name = package.replace("-", "_").lower()
    for site in sorted(program.absolute().parent.parent.glob("lib/python*/site-packages")):
        for info in sorted(site.glob(f"{name}-*.dist-info")):
            return info.name.removeprefix(f"{name}-").removesuffix(".dist-info")
    return None


def _npm_version(file: Path, package: str) -> str | None:
    try:
        data = json.loads(read_bounded(file, _MOST_METADATA))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or data.get("name") != package:
        return None
    version = data.get("version")
    return version if isinstance(version, str) else None


def remember(client: str, package: str, stamp: Stamp, about: Mapping[str, Any]) -> None:
    """Remember what a capture found: `version`, `edition`, `day`, `outcome`, `changed`; raises OSError."""
    from skilltool.files.writing import write_atomically

    if (top := folder()) is None:
        return
    top.mkdir(parents=True, exist_ok=True)
    data = {"client": client, "package": package, "stamp": stamp._asdict(), **about}
    write_atomically(top / f"{client}.json", json.dumps(data, indent=1).encode())


def remembered(client: str) -> Remembered | None:
    """Return what is remembered of a client, None if nothing is, or if it cannot be read."""
    if (top := folder()) is None:
        return None
    try:
        data = json.loads(read_bounded(top / f"{client}.json", MEBIBYTE))
        stamp = Stamp(**data["stamp"])
        try:
            is_current = stamp_of(Path(stamp.path), data["package"]) == stamp
        except OSError:
            is_current = False
        known, edition = str(data["client"]), str(data["edition"])
        day, outcome, changed = str(data["day"]), str(data["outcome"]), tuple(map(str, data["changed"]))
        return Remembered(known, str(data["version"]), edition, day, outcome, changed, is_current)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def notes(runtime_ids: list[str]) -> list[str]:
    """Return a line for each of these runtimes whose client, as it is installed here, differs from us."""
    clients = dict.fromkeys(name.partition("@")[0] for name in runtime_ids)
    found = (remembered(client) for client in clients)
    return [each.note for each in found if each is not None and each.note is not None]


class Kept(NamedTuple):
    """A capture that was kept: the client and its version, and its texts.

    `results` has the text for each called skill by its key.
    """

    client: str
    version: str
    listing: str | None
    tool: Mapping[str, Any] | None
    results: Mapping[str, str]


def read_kept(directory: Path) -> Kept:
    """Return the capture in a directory; raises `PathError`, and `SkilltoolError` where it is not one."""
    try:
        about = json.loads(read_bounded(directory / CAPTURE, _MOST))
        lines = read_bounded(directory / CASES, _MOST).decode("utf-8").split("\n")
        records = [json.loads(line) for line in lines if line]
        texts = {record["op"]: record["expect"] for record in records if "arguments" not in record}
        results = {each["skill"]: each.get("text", each["expect"]) for each in records if "skill" in each}
        for record in records:  # of a client to which the prompt names the skills, and comes first
            sent = [each["text"] for each in record["expect"][1:]] if "skills" in record else []
            results |= dict(zip(record.get("skills", ()), sent, strict=True))
        return Kept(
            str(about["client"]), str(about["version"]), texts.get("catalog"), texts.get("tool"), results
        )
    except OSError as error:
        raise PathError(f"{error.filename or directory}: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise SkilltoolError(f"{directory}: not written by `skilltool capture -o`") from None


def kept_text(kept: Kept, name: str | None, part: str | None) -> str | None:
    """Return the captured text of a part: `result` of a skill (the default), `catalog` or `tool`.

    None if the capture has none. Raises `SkilltoolError` for another part, and without a skill.
    """
    part = part or "result"
    if part == "catalog":
        return kept.listing
    if part == "tool":
        return None if kept.tool is None else json.dumps(kept.tool, indent=2, ensure_ascii=False)
    if part != "result":
        raise SkilltoolError(f"a capture has no part `{part}`; its parts are: result, catalog, tool")
    if name is None:
        raise SkilltoolError("`result` needs a skill; give its name, or use --part catalog or tool")
    return kept.results.get(name)

"""A pack of goldens on disk: its fixture sets, and where each root role of a runtime lies.

A pack is a directory with `fixtures/`, or with `fixtures.json`, the same files as one: path -> text, or
`{"base64": ...}` for what is not UTF-8. Beside it may be `mounts.json` (runtime -> role -> place). A set that
a pack does not have is one of the first pack's, in `tests/goldens/fixtures`.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import tempfile
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Any

_MEMORY, _ROOM = Path("/dev/shm"), 100 << 20  # a tree and the fixtures of a pack take 10 MB

FIRST = Path(__file__).parents[2] / "goldens"

# root role -> where the runs of the first pack had that root, by runtime
PLACES: dict[str, dict[str, str]] = {
    "kodelet": {
        "project": "{project}/.kodelet/skills",
        "user": "{user}/.kodelet/skills",
        "plugin": "{project}/.kodelet/plugins",
        "user-plugin": "{user}/.kodelet/plugins",
    },
    "nfa": {"user": "{user}/.nfa/skills"},
    "mycodeagent": {"project": "{project}/skills"},
    "pickle-bot": {"user": "{user}/.pickle-bot/skills"},
    "agent-base": {
        "bundled": "{project}/bundled_skills",
        "user": "{user}/.agent/skills",
        "plugin": "{project}/plugin_skills",
    },
    "agent-harness": {
        "bundled": "{user}/.agent/_bundled_skills",
        "user": "{user}/.agent/skills",
        "claude": "{project}/.claude/skills",
        "project": "{project}/.agent/skills",
        "plugin": "{user}/.agent/plugins",
    },
}


class Pack:
    """The fixtures and places of one pack; a context manager, because a compact pack is unpacked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._open = ExitStack()

    def __enter__(self) -> Pack:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @cached_property
    def fixtures(self) -> Path:
        """The directory with one folder per fixture set."""
        compact = self.path / "fixtures.json"
        if not compact.is_file():
            return self.path / "fixtures"
        top = Path(self._open.enter_context(scratch("fixtures-")))
        for name, content in json.loads(compact.read_text("utf-8")).items():
            file = top / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(
                content.encode() if isinstance(content, str) else base64.b64decode(content["base64"])
            )
        return top

    def places(self, runtime: str) -> dict[str, str]:
        """Return root role -> place for a runtime (its id without the version)."""
        mounts = self.path / "mounts.json"
        known = json.loads(mounts.read_text("utf-8")) if mounts.is_file() else {}
        found: dict[str, str] = known.get(runtime) or PLACES.get(runtime, {})
        return found

    def fixtures_of(self, name: str) -> Path:
        """Return the directory of fixtures that has the set called `name`: of this pack or the first."""
        return self.fixtures if name in self._sets(self.fixtures) else FIRST / "fixtures"

    def lay_set(self, name: str, root: Path) -> None:
        """Make `root` from a set of a manifest.

        Entries are made in descending byte order of their names: some file systems list the newest first.
        """
        fixtures = self.fixtures_of(name)
        parts = self._sets(fixtures)[name]
        root.mkdir(parents=True)
        made = [(path, kind) for kind in ("dirs", "files", "links") for path in parts.get(kind, ())]
        for path, kind in sorted(made, key=lambda entry: os.fsencode(entry[0]), reverse=True):
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            if kind == "dirs":
                place.mkdir(exist_ok=True)
            elif kind == "files":
                shutil.copyfile(fixtures / name / path, place)
            else:
                place.symlink_to(link_target(parts["links"][path], fixtures, root))

    def _sets(self, fixtures: Path) -> dict[str, Any]:
        manifest = fixtures / "manifest.json"
        sets: dict[str, Any] = json.loads(manifest.read_text("utf-8"))["sets"] if manifest.is_file() else {}
        return sets


def link_target(target: str, fixtures: Path, root: Path) -> str:
    """Return where a link of a manifest leads: `@fixtures` is the pack's folder, `@set` the laid root."""
    return target.replace("@fixtures", str(fixtures)).replace("@set", str(root))


def scratch(prefix: str) -> tempfile.TemporaryDirectory[str]:
    """Return a directory that is deleted at the end, in memory where the system has room for it there.

    To make thousands of directories on a disk and to delete them takes longer than to answer all records.
    """
    in_memory = os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM
    return tempfile.TemporaryDirectory(prefix=prefix, dir=_MEMORY if in_memory else None)

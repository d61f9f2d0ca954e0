"""The project and home directory of a record: laid from fixture sets, edited, and named by placeholders."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.goldens.packs import Pack, link_target

Record = dict[str, Any]

READING = frozenset({"call", "user", "new_session"})  # steps that change no file


@dataclass
class World:
    """Directories of one record; `names` are the placeholders and the paths they stand for.

    `machine` stands for `/`: what lies outside of project and home, such as `/etc`, is laid below it.
    """

    project: Path
    user: Path
    fixtures: Path
    machine: Path
    roots: dict[str, Path] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, str]:
        return {"project": str(self.project), "user": str(self.user), "fixtures": str(self.fixtures)}

    def filled(self, value: Any) -> Any:
        """Replace the placeholders for absolute paths in every text of JSON-like data."""
        return replaced(value, {f"{{{name}}}": path for name, path in self.names.items()})

    def named(self, value: Any) -> Any:
        """Replace absolute paths by their placeholders, the longest first."""
        by_length = sorted(self.names.items(), key=lambda item: -len(item[1]))
        paths = {path: f"{{{name}}}" for name, path in by_length}
        return replaced(value, paths | {str(self.machine): ""})

    def place(self, template: str) -> Path:
        """Return where a place such as `{user}/.agents/skills` or `/etc/codex/skills` is laid."""
        filled: str = self.filled(template)
        return self.machine / filled[1:] if template.startswith("/") else Path(filled)

    def edit(self, step: Record) -> None:
        """Make one change to the files, as `setup` and `before` describe them."""
        root = self.roots[step["role"]]
        path = root / step["path"] if step.get("path") else root
        match step["op"]:
            case "write":
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(step["text"], "utf-8", newline="")
            case "delete" if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            case "delete":
                path.unlink()
            case "rename":
                path.rename(root / step["to"])
            case "chmod":
                path.chmod(int(step["mode"], 8))
            case "mkdir":
                path.mkdir(parents=True, exist_ok=True)
            case "symlink":
                path.parent.mkdir(parents=True, exist_ok=True)
                path.symlink_to(link_target(step["target"], self.fixtures, root))
            case other:
                raise ValueError(other)


def replaced(value: Any, texts: Mapping[str, str]) -> Any:
    """Return JSON-like data with texts replaced in every string, keys included."""
    if isinstance(value, str):
        for old, new in texts.items():
            value = value.replace(old, new)
        return value
    if isinstance(value, list | tuple):
        return [replaced(item, texts) for item in value]
    if isinstance(value, dict):
        return {replaced(key, texts): replaced(item, texts) for key, item in value.items()}
    return value


def lay(pack: Pack, runtime: str, tree: Mapping[str, str], base: Path, setup: Iterable[Record] = ()) -> World:
    """Lay out the fixture sets of `tree` (root role -> set) below `base`, then change what `setup` says.

    `runtime` is the id without its version.
    """
    world = World(base / "project", base / "user", pack.fixtures, base / "machine")
    world.project.mkdir(parents=True)
    world.user.mkdir(parents=True)
    world.roots = {"PROJECT": world.project, "USER": world.user}
    for role, place in pack.places(runtime).items():
        world.roots[role] = world.place(place)
    for role, name in tree.items():
        world.roots[role].parent.mkdir(parents=True, exist_ok=True)
        pack.lay_set(name, world.roots[role])
        world.fixtures = pack.fixtures_of(name)
    for step in setup:
        world.edit(step)
    return world


class Trees:
    """The trees of records, each laid once for all that share it; who changes a tree has one of their own."""

    def __init__(self, pack: Pack, base: Path) -> None:
        self.pack = pack
        self.base = base
        self._laid: dict[str, World] = {}
        self._count = 0

    def of(self, record: Record, runtime: str, more: Any = None) -> World:
        """Return the tree of a record, which also depends on `more`."""
        tree, setup = record.get("tree", {}), record.get("setup", [])
        key = json.dumps([runtime, tree, setup, more], sort_keys=True)
        changes = any(step["op"] not in READING for step in record.get("before", ()))
        if key in self._laid and not changes:
            return self._laid[key]
        world = lay(self.pack, runtime, tree, self.place(), setup)
        if not changes:
            self._laid[key] = world
        return world

    def place(self) -> Path:
        """Return a directory for one more tree."""
        self._count += 1
        return self.base / str(self._count)

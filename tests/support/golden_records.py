"""The goldens: records of what running runtimes did, and the trees of files they did it on.

`tests/goldens/README.md` says what a record means. They are measurements and are never edited.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parents[1] / "goldens"
CASES, FIXTURES = HERE / "cases", HERE / "fixtures"

# root role -> where the goldens' own runs had that root, by runtime
PLACES = {
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

Record = dict[str, Any]


def editions() -> list[str]:
    """The ids of the editions that have records."""
    return sorted(path.name.removesuffix(".jsonl") for path in CASES.glob("*.jsonl"))


def records(edition: str) -> list[Record]:
    """Every record of one edition."""
    lines = (CASES / f"{edition}.jsonl").read_text("utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


@cache
def _sets() -> dict[str, Any]:
    sets: dict[str, Any] = json.loads((FIXTURES / "manifest.json").read_text("utf-8"))["sets"]
    return sets


@dataclass
class World:
    """A project and a home directory with the roots of one record."""

    project: Path
    user: Path
    roots: dict[str, Path]

    def filled(self, value: Any) -> Any:
        """Replace the placeholders for absolute paths in every text of JSON-like data."""
        if isinstance(value, str):
            for name, path in (("project", self.project), ("user", self.user), ("fixtures", FIXTURES)):
                value = value.replace(f"{{{name}}}", str(path))
            return value
        if isinstance(value, list):
            return [self.filled(item) for item in value]
        if isinstance(value, dict):
            return {key: self.filled(item) for key, item in value.items()}
        return value

    def edit(self, step: Record) -> None:
        """Make one change to the files, as `setup` and `before` describe them."""
        root = self.roots[step["role"]]
        path = root / step["path"] if step["path"] else root
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
                path.symlink_to(_target(step["target"], root))
            case other:
                raise ValueError(other)


def lay(edition: str, tree: dict[str, str], base: Path, setup: Iterable[Record] = ()) -> World:
    """Lay out the fixture sets of `tree` (root role -> set) below `base`, then change what `setup` says."""
    world = World(base / "project", base / "user", {})
    world.project.mkdir(parents=True)
    world.user.mkdir(parents=True)
    for role, place in PLACES[edition.partition("@")[0]].items():
        world.roots[role] = Path(place.format(project=world.project, user=world.user))
    for role, name in tree.items():
        _lay_set(name, world.roots[role])
    for step in setup:
        world.edit(step)
    return world


def _lay_set(name: str, root: Path) -> None:
    root.mkdir(parents=True)
    parts = _sets()[name]
    for file in parts["files"]:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(FIXTURES / name / file, root / file)
    for directory in parts["dirs"]:
        (root / directory).mkdir(parents=True, exist_ok=True)
    for link, target in parts["links"].items():
        (root / link).parent.mkdir(parents=True, exist_ok=True)
        (root / link).symlink_to(_target(target, root))


def _target(target: str, root: Path) -> str:
    return target.replace("@fixtures", str(FIXTURES)).replace("@set", str(root))

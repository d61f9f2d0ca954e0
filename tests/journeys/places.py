"""Where people stand: each place as a row of a table, and the directories that are made of it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

VARIANTS = ("no git", "top", "below")  # outside git, at the top of a repository, and under its top


@dataclass(frozen=True)
class Place:
    """A directory with copies of one skill; in paths `{name}` is the skill's, `~/` is the home directory."""

    id: str
    skills: tuple[str, ...]  # the skill's directories: each holds a copy
    client: str = "claude-code"  # who answers for the skill
    path: str = ""  # what a person types as the skill's path; as a rule its first directory
    cwd: str = "."  # where the commands run
    below: str = "src/a/b"  # and where under the top of a repository
    git: str = "."  # the top of the repository in the variant `top`
    files: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    project: str = "project"  # the name of the project's directory
    plugin: str = ""  # the plugin of the skill
    new: str = ""  # where `new` writes; "" where the design does not say
    two: tuple[str, ...] = ("claude-code",)  # who of claude-code and codex has the skill
    above: bool = False  # whether its client also looks above the working directory


def _owned(directory: str, client: str, *, two: tuple[str, ...] = (), above: bool = False) -> Place:
    """A project with a skill in one client's directory."""
    return Place(directory, (f"{directory}/{{name}}",), client, new=directory, two=two, above=above)


_PLUGIN = '{"name": "kit", "version": "1.0.0", "description": "Tables of all kinds."}\n'
_MARKETPLACE = (
    '{"name": "bazaar", "owner": {"name": "Ada"},'
    ' "plugins": [{"name": "kit", "source": "./p", "description": "Tables of all kinds."}]}\n'
)

PLACES = (
    Place("library", ("skills/{name}",), new="skills"),
    Place(
        "copy of ~/.claude",
        ("skills/{name}",),
        files={"CLAUDE.md": "Test.\n", "commands/go.md": "Go.\n"},
        new="skills",
    ),
    _owned(".claude/skills", "claude-code", two=("claude-code",), above=True),
    _owned(".agents/skills", "codex", two=("codex",), above=True),
    _owned(".codex/skills", "codex", two=("codex",), above=True),
    _owned(".gemini/skills", "gemini-cli"),
    _owned(".opencode/skills", "opencode", above=True),
    _owned(".qwen/skills", "qwen-code"),
    _owned(".github/skills", "copilot"),
    _owned(".kodelet/skills", "kodelet"),
    _owned(".crush/skills", "crush", above=True),
    _owned(".goose/skills", "goose"),
    Place(".cursor/skills", (".cursor/skills/{name}",), "cursor", two=(), above=True),
    Place("monorepo", ("packages/api/.claude/skills/{name}",)),
    Place(
        "monorepo package",
        ("packages/api/.claude/skills/{name}",),
        cwd="packages/api",
        below="packages/api/src/a/b",
        new="packages/api/.claude/skills",
        above=True,
    ),
    Place("one skill", ("{name}",), cwd="{name}", below="{name}", git="{name}"),
    Place("parent of one skill", ("{name}",), new="skills"),
    Place("home only", ("~/.claude/skills/{name}",), new="skills", above=True),
    Place(
        "project and home",
        (".claude/skills/{name}", "~/.claude/skills/{name}"),
        new=".claude/skills",
        above=True,
    ),
    Place(
        "plugin",
        ("skills/{name}",),
        files={".claude-plugin/plugin.json": _PLUGIN},
        plugin="kit",
        new="skills",
    ),
    Place(
        "marketplace",
        ("p/skills/{name}",),
        files={".claude-plugin/marketplace.json": _MARKETPLACE, "p/.claude-plugin/plugin.json": _PLUGIN},
        plugin="kit",
    ),
    Place(
        "linked directory",
        ("skills/{name}",),
        path=".claude/skills/{name}",
        links={".claude/skills": "../skills"},
        new=".claude/skills",
        above=True,
    ),
    Place(
        "linked skill",
        ("shared/{name}",),
        path=".claude/skills/{name}",
        links={".claude/skills/{name}": "../../shared/{name}"},
        new=".claude/skills",
        above=True,
    ),
    Place(
        "spaces and non-ASCII",
        (".claude/skills/{name}",),
        project="Ünï cödé/プロ ジェクト",
        new=".claude/skills",
        above=True,
    ),
    Place(
        "copies of several clients",
        (".claude/skills/{name}", ".codex/skills/{name}", ".gemini/skills/{name}"),
        new=".claude/skills",
        above=True,
        two=("claude-code", "codex"),
    ),
)

_SKILL = """\
---
name: {name}
description: Prints {description} tables. Use when the user asks for one.
---

# Tables

Read the {body} rows of {copy}, then [their page](references/{body}.md).
"""  # the page does not exist, so `lint` has one warning


@dataclass(frozen=True)
class World:
    """The directories of one place, made: the commands run in `cwd`, all that they write is under `base`."""

    base: Path
    cwd: Path
    home: Path
    words: Mapping[str, str]


def words(place: Place, variant: str) -> dict[str, str]:
    """Return the words that occur in this place only: the skill's name, and markers of its texts."""
    digest = sha256(f"{place.id}, {variant}".encode()).digest()
    word = "".join("bcdfghjklmnpqrstvwxz"[byte % 20] for byte in digest[:7])
    name = f"print-{word}"
    return {
        "name": name,
        "typo": f"pritn-{word}",
        "other": f"other-{word}",
        "body": f"body{word}",
        "description": f"about{word}",
        "client": place.client,
        "key": f"{place.plugin}:{name}" if place.plugin else name,
        "plugin": place.plugin,
        **{f"copy{number}": f"copy{number}{word}" for number in range(1, 1 + len(place.skills))},
    }


def build(place: Place, variant: str, base: Path) -> World:
    """Make the directories of a place under `base`, which is empty."""
    told = words(place, variant)
    project, home = base / place.project, base / "home"

    def at(path: str) -> Path:
        path = path.format(**told)
        return home / path[2:] if path.startswith("~/") else project / path

    cwd = at(place.below if variant == "below" else place.cwd)
    for directory in (project, home, base / "out", cwd):
        directory.mkdir(parents=True, exist_ok=True)
    for number, skill in enumerate(place.skills, 1):
        _write(at(skill) / "SKILL.md", _SKILL.format(**{**told, "copy": told[f"copy{number}"]}))
    for path, text in place.files.items():
        _write(at(path), text)
    for path, target in place.links.items():
        at(path).parent.mkdir(parents=True, exist_ok=True)
        at(path).symlink_to(target.format(**told), target_is_directory=True)
    if variant != "no git":
        top = at("." if variant == "below" else place.git)
        subprocess.run(["git", "init", "--quiet", "--template=", top], check=True)
    skill_path = at(place.path or place.skills[0])
    path = os.fspath(skill_path) if home in skill_path.parents else os.path.relpath(skill_path, cwd)
    told |= {"path": path, "file": os.fspath(base / "out" / "page.html")}
    if place.new and variant != "below":
        told["new"] = (at(place.new) / told["other"]).relative_to(base).as_posix()
    else:
        told["new"] = f"**/{told['other']}"
    return World(base, cwd, home, MappingProxyType(told))


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")

"""A made-up marketplace of 24 plugins, in which twelve things are wrong: each plugin's name says what."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_BODY = "\n# {name}\n\nRead the file first, then write the result beside it.\n"
_SOUND = (
    "audio",
    "brief",
    "chart",
    "diary",
    "email",
    "forms",
    "graph",
    "house",
    "index",
    "judge",
    "kinds",
    "lists",
)


def build(top: Path) -> Path:
    """Write the marketplace under `top`, and return that."""
    plugins: list[dict[str, Any]] = []
    for name in _SOUND:
        plugins.append({"name": name, "source": f"./plugins/{name}"})
        _plugin(top / "plugins" / name, {"name": name, "version": "1.0.0"})
        for skill in ("read", "write"):
            _skill(top / "plugins" / name / "skills" / f"{name}-{skill}")
    plugins += _wrong(top)
    owner = {"name": "Ada", "email": "ada@example.com"}
    _json(top / ".claude-plugin" / "marketplace.json", {"name": "works", "owner": owner, "plugins": plugins})
    return top


def _wrong(top: Path) -> list[dict[str, Any]]:
    """Write the plugins with mistakes, and return their entries."""
    at = top / "plugins"
    for path in ("rooted/extra/rooted-a", "filed/extra/filed-a", "bare/extra/bare-a", "shared/up-a"):
        _skill(at / path)
    for letter in "abcd":
        _skill(at / "partial" / "extra" / f"partial-{letter}")
    for path in (
        "up/skills/up-b",
        "twice/skills/twice-a",
        "again/skills/again-a",
        "signed/skills/signed-a",
        "sound/skills/a",
    ):
        _skill(at / path)
    _skill(at / "same/skills/same-a")
    _skill(at / "same/old/same-a", "license: MIT\n")
    _skill(at / "hidden/extra/hidden-a", "metadata:\n  internal: true\n")
    _plugin(at / "comma", '{\n  "name": "comma",\n  "version": "1.0.0",\n}\n')
    _skill(at / "comma/skills/comma-a")
    _plugin(at / "strict", {"name": "strict", "skills": ["./extra/strict-a"]})
    _skill(at / "strict/extra/strict-a")
    return [
        _entry("rooted", skills=["./plugins/rooted/extra/rooted-a"]),
        _entry("filed", skills=["./extra/filed-a/SKILL.md"]),
        _entry("bare", skills=["extra/bare-a"]),
        _entry("up", skills=["./../shared/up-a"]),
        _entry("partial", skills=[f"./extra/partial-{letter}" for letter in "abc"]),
        _entry("twice"),
        {"name": "twice", "source": "./plugins/again"},
        _entry("signed", author="Ada"),
        _entry("same", skills=["./old/same-a"]),
        _entry("hidden", skills=["./extra/hidden-a"]),
        _entry("comma"),
        _entry("strict", strict=False, skills=["./extra/strict-a"]),
        {"name": "gone", "source": "./plugins/soundd"},
    ]


def _entry(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "source": f"./plugins/{name}", **fields}


def _plugin(directory: Path, manifest: dict[str, Any] | str) -> None:
    path = directory / ".claude-plugin" / "plugin.json"
    if isinstance(manifest, str):
        path.parent.mkdir(parents=True)
        path.write_text(manifest, "utf-8")
    else:
        _json(path, manifest)


def _json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n", "utf-8")


def _skill(directory: Path, more: str = "") -> None:
    name = directory.name
    directory.mkdir(parents=True)
    about = f"description: Works on {name} files. Use when the user has a file for {name}."
    text = f"---\nname: {name}\n{about}\n{more}---\n" + _BODY.format(name=name)
    (directory / "SKILL.md").write_text(text, "utf-8")

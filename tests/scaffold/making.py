"""The templates that ship with skilltool, and templates written for a test."""

from __future__ import annotations

import json
from pathlib import Path

TEMPLATES = Path(__file__).parents[2] / "templates"
NAMES = sorted(path.name for path in TEMPLATES.iterdir() if path.is_dir())
ROOTS = {
    "kodelet": ".kodelet/skills",
    "agent": ".agent/skills",
    "agentskills": ".agents/skills",
    "mycodeagent": "skills",
}


def leftovers(top: Path) -> list[str]:
    return [path.name for path in top.rglob(".skilltool-*")]


def template(directory: Path, body: str = "Text.", **questions: object) -> Path:
    inside = directory / "{{cookiecutter.name}}"
    inside.mkdir(parents=True)
    (directory / "cookiecutter.json").write_text(json.dumps({"name": "a", **questions}), "utf-8")
    head = "---\nname: {{cookiecutter.name}}\ndescription: Says x. Use when asked.\n---\n\n"
    (inside / "SKILL.md").write_text(f"{head}{body}\n", "utf-8")
    return directory

"""Skills to be mended."""

from __future__ import annotations

from pathlib import Path

from skilltool.lint import settings
from skilltool.lint.config import Config
from skilltool.skill.model import Skill
from skilltool.text.source import Source

EVERYTHING = settings.resolve(Config(), {"runtimes": ["agentskills", "portable", "kodelet"]})

HEAD = "---\nname: a\ndescription: Fills in forms. Use when asked.\n"


def skill_of(text: str) -> Skill:
    return Skill("a", "SKILL.md", Source(text))


def write(directory: Path, text: str, name: str = "SKILL.md") -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    return directory / name

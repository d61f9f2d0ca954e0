"""Generate skills to measure: the same bytes on every machine and in every run, made up as real skills are.

The shares are those measured on some 2,000 public skills of 30 authors, rounded, in November 2026.
"""

from __future__ import annotations

import random
from pathlib import Path

_WORDS = """
read write check parse merge table report field value page form index query column archive before
after while using every another careful short exact result output input directory
""".split()  # noqa: SIM905 - a list of words reads best as words


# Of all skills, in percent.
_SHARES = {
    "other files": 38,
    "quoted description": 22,
    "block description": 12,
    "metadata": 20,
    "list of tags": 7,
    "unknown field": 15,
    "beyond ASCII": 60,
    "table": 40,
    "link": 15,
    "address": 30,
    "HTML": 10,
    "fence in a list": 12,
    "nested fence": 1,
    "$ARGUMENTS": 4,
    "$1": 6,
}


def write_skills(root: Path, count: int, size: int = 5_000) -> None:
    """Write `count` skills under `root`, each with a SKILL.md of some `size` bytes, some with other files."""
    for number in range(count):
        chance = random.Random(number)
        has = {share for share, percent in _SHARES.items() if chance.randrange(100) < percent}
        name = f"{chance.choice(_WORDS)}-{chance.choice(_WORDS)}-{number:05d}"
        skill = root / name
        skill.mkdir(parents=True)
        if "other files" in has:
            _write_files(skill, chance)
        (skill / "SKILL.md").write_text(_skill(chance, name, size, has), "utf-8")


def _write_files(skill: Path, chance: random.Random) -> None:
    (skill / "references").mkdir()
    (skill / "scripts").mkdir()
    (skill / "references" / "guide.md").write_text(f"# Guide\n\n{_prose(chance, 60)}\n", "utf-8")
    (skill / "references" / "fields.md").write_text(f"# Fields\n\n{_prose(chance, 60)}\n", "utf-8")
    (skill / "scripts" / "run.sh").write_text("#!/bin/sh\nexit 0\n", "utf-8")


def _skill(chance: random.Random, name: str, size: int, has: set[str]) -> str:
    parts = [f"---\nname: {name}\n{_fields(chance, has)}---\n\n# {name}\n", *_once(chance, has)]
    while sum(map(len, parts)) < size:
        parts.append(_section(chance, has))
    return "".join(parts)


def _fields(chance: random.Random, has: set[str]) -> str:
    text = f"{_prose(chance, 14).capitalize()}. Use when the user asks to {_prose(chance, 10)}."
    if "block description" in has:
        text = f">-\n  {text}\n  {_prose(chance, 8).capitalize()}."
    elif "quoted description" in has:
        text = f'"{text}"'
    lines = [f"description: {text}\n"]
    if "metadata" in has:
        lines.append('metadata:\n  author: example\n  version: "1.0"\n')
    if "list of tags" in has:
        lines.append(f"tags: [{', '.join(chance.sample(_WORDS, 3))}]\n")
    if "unknown field" in has:
        lines.append(f"category: {chance.choice(_WORDS)}\n")
    return "".join(lines)


def _once(chance: random.Random, has: set[str]) -> list[str]:
    """Return what stands once in the skills that have it."""
    parts = {
        "address": "\nSee https://docs.example.dev/guide for more.\n",
        "HTML": f"\n<details>\n\n{_prose(chance, 20)}\n\n</details>\n",
        "fence in a list": f"\n1. {_prose(chance, 6)}:\n\n   ```sh\n   {_prose(chance, 3)}\n   ```\n",
        "nested fence": "\n````markdown\n```sh\nls\n```\n````\n",
        "$ARGUMENTS": "\nThe user asks for: $ARGUMENTS\n",
        "$1": "\n```sh\nawk '{print $1}' table.txt\n```\n",
    }
    if {"link", "other files"} <= has:
        parts["link"] = "\nSee [the guide](references/guide.md), and run `scripts/run.sh`.\n"
    return [text for share, text in parts.items() if share in has]


def _prose(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(_WORDS, k=words))


def _section(chance: random.Random, has: set[str]) -> str:
    """Return a heading, a paragraph, a list, and often a fence or a table."""
    dash = "\u2014" if "beyond ASCII" in has else "-"
    items = "".join(f"- **{_prose(chance, 2)}** {dash} {_prose(chance, 9)}\n" for _ in range(5))
    name = chance.choice(_WORDS)
    parts = [f"\n## {_prose(chance, 4).capitalize()}\n\n{_prose(chance, 45)} `{name}`.\n\n{items}"]
    if chance.randrange(2):
        parts.append(f"\n```sh\n{name} --{chance.choice(_WORDS)} {chance.choice(_WORDS)}\n```\n")
    if "table" in has and chance.randrange(2):
        row = f"| `{chance.choice(_WORDS)}` | {_prose(chance, 4)} |\n"
        parts.append(f"\n| {_prose(chance, 2)} | {_prose(chance, 2)} |\n|---|---|\n{row * 3}")
    return "".join(parts)

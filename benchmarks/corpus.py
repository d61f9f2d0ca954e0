"""Generate skills to measure: the same bytes on every machine and in every run."""

from __future__ import annotations

import random
from pathlib import Path

_WORDS = """
read write check parse merge table report field value page form index query column archive before
after while using every another careful short exact result output input directory
""".split()  # noqa: SIM905 - a list of words reads best as words


def write_skills(root: Path, count: int, size: int = 5_000) -> None:
    """Write `count` skills below `root`, each with a SKILL.md of about `size` bytes and three other files."""
    for number in range(count):
        chance = random.Random(number)
        name = f"{chance.choice(_WORDS)}-{chance.choice(_WORDS)}-{number:05d}"
        skill = root / name
        (skill / "references").mkdir(parents=True)
        (skill / "scripts").mkdir()
        (skill / "references" / "guide.md").write_text(f"# Guide\n\n{_prose(chance, 60)}\n", "utf-8")
        (skill / "references" / "fields.md").write_text(f"# Fields\n\n{_prose(chance, 60)}\n", "utf-8")
        (skill / "scripts" / "run.sh").write_text("#!/bin/sh\nexit 0\n", "utf-8")
        (skill / "SKILL.md").write_text(_skill(chance, name, size), "utf-8")


def _skill(chance: random.Random, name: str, size: int) -> str:
    description = f"{_prose(chance, 14).capitalize()}. Use when the user asks to {_prose(chance, 6)}."
    parts = [
        f"---\nname: {name}\ndescription: {description}\nlicense: MIT\n"
        f'metadata:\n  author: example\n  version: "1.{number_of(name)}"\n---\n\n# {name}\n'
    ]
    while sum(map(len, parts)) < size:
        parts.append(_section(chance))
    return "".join(parts)


def number_of(name: str) -> int:
    """Return the number at the end of a generated name."""
    return int(name.rpartition("-")[2])


def _prose(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(_WORDS, k=words))


def _section(chance: random.Random) -> str:
    """Return a heading, a paragraph with a link, a list, a fence and a table."""
    return f"""
## {_prose(chance, 4).capitalize()}

{_prose(chance, 45)}. See [the guide](references/guide.md) and `scripts/run.sh`.

1. {_prose(chance, 9)}
2. {_prose(chance, 9)} with **{_prose(chance, 2)}**

```sh
sh scripts/run.sh --{chance.choice(_WORDS)} {chance.choice(_WORDS)}
```

| {_prose(chance, 2)} | {_prose(chance, 2)} |
|---|---|
| `{_prose(chance, 1)}` | [fields](references/fields.md) |
"""

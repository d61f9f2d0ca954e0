"""The skills that notice changes, as files: `probes.json` has each with one thing in which clients differ."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

from skilltool.text.lazy_pattern import lazy_pattern

_LETTERS = lazy_pattern(r"\{letters:(\d+)\}")
_ALPHABET = "abcdefghi "


class Probe(NamedTuple):
    """A file under the skills directory of the project or the user (`where`), and why it is there."""

    where: str
    path: str
    text: str
    why: str


def probes() -> list[Probe]:
    """Return the files of all probes."""
    data = json.loads(Path(__file__).with_name("probes.json").read_text("utf-8"))
    return [Probe(**{**each, "text": _LETTERS.sub(_letters, each["text"])}) for each in data["probes"]]


def crowd() -> list[Probe]:
    """Return skills whose descriptions are together more than any client's listing has room for."""
    return [
        Probe(
            "project",
            f"crowd-{number:02}/SKILL.md",
            _CROWDED.format(number=number, text=_text(_SIZE)),
            "budget",
        )
        for number in range(_CROWD)
    ]


_CROWD, _SIZE = 60, 900
_CROWDED = "---\nname: crowd-{number:02}\ndescription: Number {number}. {text}\n---\nBody.\n"


def lay(files: list[Probe], project: Path, user: Path) -> None:
    """Write probes under the skills directories of a project and of a user; raises OSError."""
    for probe in files:
        file = (project if probe.where == "project" else user) / probe.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(probe.text.encode())


def _letters(match: re.Match[str]) -> str:
    return _text(int(match[1]))


def _text(count: int) -> str:
    return (_ALPHABET * (count // len(_ALPHABET) + 1))[: count - 1] + "."

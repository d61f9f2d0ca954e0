"""No fix changes what a client obeys: same key, same value as YAML core reads it. Only a name may change."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.runtimes.fields import client_fields
from tests.conftest import FULL, Skilltool, slowest
from tests.fix.texts import HEAD, write
from tests.support.obeyed_fields import OBEYED, obeyed, skill_file

TESTS = Path(__file__).parents[1]
PLACES = (TESTS / "goldens", TESTS / "goldens-public", TESTS.parent / "examples")
COMMITTED = sorted(
    file for place in PLACES for file in place.rglob("*.md") if file.name.lower() == "skill.md"
)

VALUES = (
    "true",
    "no",
    "010",
    "1.50",
    "text",
    "'7'",
    "[a, b]",
    "\n  - a b\n  - c",
    "\n  a: true\n  b: 2026-01-02",
)
# Each of these has something to fix beside the field.
SHAPES = (
    HEAD + "{field}\n---\n\nText.\n",
    "\ufeff" + HEAD + "{field}\nowner: me\nversion: 1.0\n---\n\nText.\n",
    "--- \nname: B_c\ndescription: |\n  Fills in forms.\n  For forms.\n{field}\nlicense: 3\n--- \n\nText.\n",
    HEAD
    + "metadata:\n  internal: true\n  since: 1.0\n{field}\nallowed-tools: [A, B]\ntags: x\n---\n\nText.\n",
)
MADE = [
    SHAPES[(order + number) % len(SHAPES)].replace(
        "{field}", f"{field}: {value}" if value[0] != "\n" else f"{field}:{value}"
    )
    for order, field in enumerate(client_fields())
    for number, value in enumerate(VALUES)
    if FULL or (order + number) % 3 == 0
]


def lay(top: Path) -> dict[Path, tuple[str, str]]:
    """Copy every committed skill and every made one; return their texts and directory names by place."""
    laid: dict[Path, tuple[str, str]] = {}
    for number, file in enumerate(COMMITTED):
        place = top / f"c{number}"
        copy = place / file.parent.name / file.name
        copy.parent.mkdir(parents=True)
        shutil.copyfile(file, copy)
        laid[place] = (copy.read_bytes().decode("utf-8", "replace"), file.parent.name)
    for number, text in enumerate(MADE):
        place = top / f"m{number}"
        write(place / "a", text)
        laid[place] = (text, "a")
    return laid


def after(place: Path) -> str:
    """Return the text of the one skill under a place, whatever its directory is called now."""
    (directory,) = place.iterdir()
    file = skill_file(directory)
    assert file is not None
    return file.read_bytes().decode("utf-8", "replace")


def without_comment(words: object, text: str) -> object:
    """Return the words of a description without those that `cut-comment` took back from a comment."""
    if not isinstance(words, list) or "#" not in words or f"description: {' '.join(words)}\n" not in text:
        return words
    return words[: words.index("#")]


@slowest
@pytest.mark.parametrize("options", [["--fix"], ["--fix", "--unsafe-fixes"]], ids=lambda each: each[-1][2:])
def test_no_fix_changes_what_a_client_obeys(skilltool: Skilltool, repo: Path, options: list[str]) -> None:
    laid = lay(repo / "laid")
    every = [option for name in ("all", "portable", "agent-harness@0.3.24") for option in ("--runtime", name)]
    run = skilltool("lint", *options, *every, "--no-cache", "--output-format", "json", "laid")
    assert run.returncode in (0, 1), run.stderr
    changed = seen = 0
    for place, (text, name) in laid.items():
        was, now = obeyed(text, name), after(place)
        changed += now != text
        if was is not None:
            seen += len(was)
            is_now = obeyed(now, name) or {}
            if "--unsafe-fixes" in options:
                is_now = {**is_now, "description": without_comment(is_now.get("description"), text)}
            assert {key: is_now.get(key) for key in was} == was, (place, text, now)
    assert changed > len(MADE) // 2
    assert seen > len(MADE)


def test_every_field_of_every_client_is_tried() -> None:
    assert set(client_fields()) < OBEYED
    tried = {key for text in MADE for key in obeyed(text, "a") or ()}
    assert set(client_fields()) <= tried
    assert runtimes.get("agentskills").schema in {runtimes.get(name).schema for name in runtimes.BARE}

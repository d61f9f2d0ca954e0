"""The characters that Claude Code shows, and the names of directories that it takes, as it was measured."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.runtimes import get
from skilltool.runtimes.claude_code.characters import clean, is_directory_name
from skilltool.runtimes.values import LoadedSkill, Refused

PACK = Path(__file__).parents[1] / "goldens" / "packs" / "claude-code"
# Characters that this Python does not know have no category that could be looked up.
YOUNG = frozenset({0x0897, 0x0CF3, 0x0ECE})


@cache
def measured() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PACK / "characters.json").read_text("utf-8"))
    return found


def codes(ranges: str) -> Iterator[int]:
    for part in ranges.split():
        first, _, last = part.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


@pytest.mark.slow
def test_each_character_alone() -> None:
    tested, blank = (set(codes(measured()["alone"][key])) for key in ("tested", "blank"))
    assert len(tested) > 66_000
    wrong = [code for code in tested - {0x3C, 0x3E} if (clean(chr(code)) == " ") != (code in blank | {0x20})]
    assert [hex(code) for code in wrong] == []


def test_each_character_in_the_name_of_a_directory() -> None:
    tested, refused = (set(codes(measured()["names"][key])) for key in ("tested", "refused"))
    wrong = [code for code in tested if is_directory_name(f"x{chr(code)}y") != (code not in refused)]
    known = [code for code in wrong if code not in YOUNG or unicodedata.category(chr(code)) != "Cn"]
    assert [hex(code) for code in known] == []


def test_emoji_joiners_and_escape_sequences() -> None:
    assert [(text, clean(text), shown) for text, shown in measured()["texts"] if clean(text) != shown] == []


def test_names_of_directories() -> None:
    names = measured()["directories"]
    assert [name for name in names["loaded"] if not is_directory_name(name)] == []
    assert [name for name in names["ignored"] if is_directory_name(name)] == []


@pytest.mark.parametrize(("name", "loaded"), [("in ner", True), ("zw\u200bin", False), ("a  b", False)])
def test_lint_and_session_agree_about_an_odd_directory(tmp_path: Path, name: str, loaded: bool) -> None:
    directory = tmp_path / ".claude" / "skills" / name
    directory.mkdir(parents=True)
    (directory / "SKILL.md").write_text("---\ndescription: Fills in forms.\n---\n\nBody.\n", "utf-8")
    runtime = get("claude-code")
    session = runtime.open(project=tmp_path, home=tmp_path / "home")
    assert [skill.key for skill in session.skills] == [name] * loaded
    assert runtime.load is not None
    assert isinstance(runtime.load(directory), LoadedSkill if loaded else Refused)


@given(st.text())
def test_what_is_shown_stays_the_same_and_has_no_control_character(text: str) -> None:
    shown = clean(text)
    assert clean(shown.replace("&lt;", "").replace("&gt;", "")) == shown.replace("&lt;", "").replace(
        "&gt;", ""
    )
    assert not any(unicodedata.category(character) in ("Cc", "Zl", "Zp", "Co") for character in shown)

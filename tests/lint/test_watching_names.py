"""Names that are not UTF-8 are watched as any other.

The library below takes only text, so what has such names is looked at again and again.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from skilltool.lint.watching import changes
from tests.conftest import MakeSkill

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a name is always text")


@pytest.fixture
def watched(repo: Path, make_skill: MakeSkill) -> Iterator[frozenset[Path]]:
    """A watch on a skill whose directory has a byte in its name that is no text, and on another."""
    for name in ("forms\udcff", "plain"):
        make_skill(repo / ".claude" / "skills" / name)
    found = changes([repo], list, pause=20)
    assert next(found) == frozenset()
    return found


def change(file: Path) -> None:
    file.write_text("# Something else\n", "utf-8")


def test_a_change_in_a_directory_with_such_a_name_is_noticed(
    repo: Path, watched: Iterator[frozenset[Path]]
) -> None:
    directory = repo / ".claude" / "skills" / "forms\udcff"
    change(directory / "SKILL.md")
    assert next(watched) == {directory / "SKILL.md"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["page\udcff.md", "a\nb\x1b[31m.md"], ids=ascii)
def test_a_file_with_such_a_name_is_noticed_and_so_is_the_next_change(
    repo: Path, watched: Iterator[frozenset[Path]], name: str
) -> None:
    directory = repo / ".claude" / "skills" / "plain"
    change(directory / name)
    next(watched)
    change(directory / "SKILL.md")
    assert next(watched) is not None

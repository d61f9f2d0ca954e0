"""After a save in one skill, what is read of that skill alone is what reading everything finds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.cli.preview import CommandSource
from skilltool.cli.sessions import SessionOptions
from skilltool.preview.edits import edited
from skilltool.preview.overview import State, overview
from skilltool.preview.page import page
from tests.preview.test_pages import skill

Edit = Callable[[str], str]
BODY = "\n# Forms\n\nRead $ARGUMENTS and `$1` in [the guide](guide.md).\n"
EDITS: dict[str, Edit] = {
    "a line more": lambda text: text + "\nA line more for $ARGUMENTS.\n",
    "another description": lambda text: text.replace("Fills in", "Reads"),
    "another name": lambda text: text.replace("name: pdf", "name: pdf2"),
    "a name that another skill has": lambda text: text.replace("name: pdf", "name: docx"),
    "broken frontmatter": lambda text: text.replace("description:", "description: ["),
    "no frontmatter": lambda text: text.partition("---\n\n")[2],
    "a field more": lambda text: text.replace("---\n", "---\ndisable-model-invocation: true\n", 1),
    "nothing at all": lambda text: "",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with copies of two skills where many clients look."""
    top = tmp_path / "project"
    (top / ".git").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    for place in (".claude/skills", ".agents/skills", ".kodelet/skills", "skills", "library"):
        for name in ("pdf", "docx"):
            skill(top / place / name, f"Fills in forms of {place}. Use when asked.", BODY)
    monkeypatch.chdir(top)
    return top


def read(ids: tuple[str, ...], checks: bool = True) -> tuple[CommandSource, State]:
    source = CommandSource(Path(), ids, SessionOptions(), None)
    return source, overview(source, None if checks else (None, ()))


def shown(source: CommandSource, state: State) -> dict[str, object]:
    """Return what the pages of all skills show, but for findings."""
    pages = {row.shown: page(source, state, row.id, "a b") for row in state.project.rows}
    return {
        path: each and each._replace(findings=(), row=each.row._replace(findings=(0, 0, 0)))
        for path, each in pages.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("place", [".claude/skills", ".agents/skills", "library"])
@pytest.mark.parametrize("name", EDITS)
def test_all_clients_see_what_they_see_when_all_is_read(project: Path, name: str, place: str) -> None:
    source, before = read(runtimes.BARE, checks=False)
    file = project / place / "pdf" / "SKILL.md"
    file.write_bytes(EDITS[name](file.read_text("utf-8")).encode())
    now = edited(source, before, [file])
    assert now is not None
    _, whole = read(runtimes.BARE, checks=False)
    assert shown(source, now) == shown(source, whole)
    assert now.project.clients == whole.project.clients


def test_findings_about_one_skill_are_new_and_those_about_several_stay(project: Path) -> None:
    source, before = read(("claude-code", "kodelet"))
    file = project / ".claude/skills/pdf/SKILL.md"
    (file.parent / "guide.md").touch()
    row = next(each.id for each in before.project.rows if each.shown == ".claude/skills/pdf")
    rules = {each.rule for each in before.findings[row]}
    assert "broken-link" in rules
    now = edited(source, before, [file.parent / "guide.md"])
    assert now is not None
    assert {each.rule for each in now.findings[row]} == rules - {"broken-link"}
    assert now.findings[row] == overview(source).findings[row]


def test_sessions_that_do_not_see_a_skill_are_not_opened_again(project: Path) -> None:
    source, before = read(("gemini-cli", "kodelet"))
    counted: list[str] = []

    class Counting(CommandSource):
        def open(self, runtime, roots):  # type: ignore[no-untyped-def]
            counted.append(runtime.id)
            return super().open(runtime, roots)

    file = project / ".agents/skills/pdf/SKILL.md"
    file.write_text(EDITS["another description"](file.read_text("utf-8")), "utf-8")
    assert edited(Counting(*source), before, [file]) is not None
    assert set(counted) == {"gemini-cli"}
    counted.clear()
    file.write_text(EDITS["a line more"](file.read_text("utf-8")), "utf-8")
    assert edited(Counting(*source), before, [file]) is not None
    assert counted == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "paths", [["skills/pdf/SKILL.md", "skills/docx/SKILL.md"], ["pyproject.toml"], ["skills"]]
)
def test_what_is_in_no_skill_or_in_several_has_to_be_read_as_a_whole(project: Path, paths: list[str]) -> None:
    source, before = read(("claude-code", "kodelet"))
    assert edited(source, before, [project / path for path in paths]) is None


def test_a_skill_that_is_gone_has_to_be_read_as_a_whole(project: Path) -> None:
    source, before = read(("claude-code",))
    file = project / ".claude/skills/pdf/SKILL.md"
    file.unlink()
    assert edited(source, before, [file]) is None

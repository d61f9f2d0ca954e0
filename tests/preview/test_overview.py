"""What the overview says below the matrix, and of what is not in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from skilltool.cli.preview import CommandSource
from skilltool.cli.sessions import SessionOptions
from skilltool.preview.html import Addresses, client_page, overview_page
from skilltool.preview.matrix import listings
from skilltool.preview.model import Project
from skilltool.preview.overview import overview
from tests.preview.test_pages import skill

TO = Addresses()


@pytest.fixture
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    top = tmp_path / "project"
    (top / ".git").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return top


def read(top: Path, *ids: str, checks: bool = False) -> Project:
    source = CommandSource(top, ids, SessionOptions(top), None)
    return overview(source, None if checks else (None, ())).project


def budgets(page: str) -> dict[str, str]:
    """Return the rows of the table of listings, by client."""
    found = re.findall(r'<tr data-client="([^"]*)">(.*?)</tr>', page, re.DOTALL)
    return dict(found)


def text(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", "", html).split())


def test_a_listing_over_budget_in_which_nothing_is_truncated_is_not_red(top: Path) -> None:
    for number in range(30):
        skill(
            top / f".agents/skills/long-{number}", f"Does {'very ' * 180}much of {number}.", body="\nText\n"
        )
    project = read(top, "qwen-code", "codex")
    made = {each.client.runtime: each for each in listings(project)}
    assert (made["qwen-code"].is_spared, made["codex"].is_spared) == (True, False)
    page = overview_page(project, TO)
    rows = budgets(page)
    assert ('class="over"' in rows["qwen-code"], 'class="over"' in rows["codex"]) == (False, True)
    assert ('class="spared"' in rows["qwen-code"], 'class="spared"' in rows["codex"]) == (True, False)
    assert text(rows["qwen-code"]).endswith("nothing truncated *")
    assert re.search(r"truncated: \d+ over budget$", text(rows["codex"]))
    key = text(re.findall(r'<p class="key">.*?</p>', page)[0])
    assert key == "skills the client's own entries over budget over budget, nothing truncated"
    own = client_page(project, "qwen-code", TO) or ""
    assert 'class="spared"' in own
    assert "over budget, nothing truncated" in own


def test_only_what_a_chart_shows_is_in_its_key(top: Path) -> None:
    skill(top / ".agents/skills/pdf", body="\nText\n")
    page = overview_page(read(top, "codex"), TO)
    assert text(re.findall(r'<p class="key">.*?</p>', page)[0]) == "skills the client's own entries"


def test_numbers_of_a_listing_have_labels_where_the_table_has_no_head(top: Path) -> None:
    skill(top / ".claude/skills/pdf", body="\nText\n")
    (top / ".claude/commands").mkdir()
    for name in ("go", "stop"):
        (top / f".claude/commands/{name}.md").write_text("Go on.\n", "utf-8")
    row = budgets(overview_page(read(top, "claude-code"), TO))["claude-code"]
    assert "1 listed + 2 other files" in text(row)

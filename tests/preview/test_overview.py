"""What the overview says below the matrix, and of what is not in it."""

from __future__ import annotations

import re
from pathlib import Path

from skilltool import runtimes
from skilltool.cli.preview import CommandSource
from skilltool.cli.sessions import SessionOptions
from skilltool.preview.html import Addresses, Choice, client_page, overview_page, rows_data, skill_page
from skilltool.preview.matrix import listings, verdict
from skilltool.preview.model import Project
from skilltool.preview.overview import overview
from skilltool.preview.page import page as page_of
from skilltool.preview.worker import Where, Worker
from tests.preview.browsing import exact
from tests.preview.test_pages import skill

TO = Addresses()


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
    assert text(rows["qwen-code"]).endswith(
        "it sends only the first description line, and no description here has more"
    )
    assert re.search(r"truncated: \d+ over budget$", text(rows["codex"]))
    key = text(re.findall(r'<p class="key">.*?</p>', page)[0])
    assert key == "skills the client's built-in skills over budget over budget, nothing truncated"
    own = client_page(project, "qwen-code", TO) or ""
    assert 'class="spared"' in own
    assert "over budget, nothing truncated" in own


def test_a_note_that_another_skill_counts_names_that_skill(top: Path) -> None:
    for name in ("forms", "mail"):
        path = top / ".claude/skills" / name / "SKILL.md"
        path.parent.mkdir(parents=True)
        path.write_text(f"# {name}\n\nRead the fields.\n", "utf-8")
    rules = {row.name: row.rule for row in read(top, checks=True).rows}
    assert rules == {"forms": "missing-frontmatter", "mail": "missing-frontmatter, as in forms"}


def test_a_budget_has_what_is_used_of_it_in_its_own_unit(top: Path) -> None:
    skill(top / ".claude/skills/pdf", body="\nText\n")
    project = read(top, "claude-code", "crush")
    (cost,) = [each.cost for each in project.clients if each.runtime == "claude-code"]
    row = text(budgets(overview_page(project, TO))["claude-code"])
    used = cost.asked_of_budget(built_in=True)
    assert f"{used:,} of {cost.budget:,} terminal columns" in row
    assert round(100 * used / (cost.budget or 1)) == round(cost.percent(built_in=True) or 0)


def test_clauses_after_the_headline_are_a_list(top: Path) -> None:
    for number, place in enumerate(
        (".claude/skills", ".agents/skills", ".opencode/skills", "packages/a/skills")
    ):
        skill(top / place / "pdf", body=f"\nText {number}\n")
    project = read(top)
    (facts,) = re.findall(r'<ul class="facts">(.*?)</ul>', overview_page(project, TO))
    assert [text(each).lower() for each in re.findall(r"<li>(.*?)</li>", facts)] == [
        each.lower() for each in verdict(project)[2:]
    ]


def test_a_note_for_which_a_client_rejects_a_skill_names_that_client(top: Path) -> None:
    folder = top / ".claude/skills/pdf"
    folder.mkdir(parents=True)
    written = "---\nname: pdf\ndescription: Fills in forms: all of them. Use for forms.\n---\nText\n"
    (folder / "SKILL.md").write_text(written, "utf-8")
    rows = rows_data(read(top, checks=True), TO)
    assert re.search(r"<small>invalid-yaml \(rejected by \d clients\)</small>", rows)


def test_the_field_for_which_a_client_rejects_a_skill_comes_before_others_that_it_reads(top: Path) -> None:
    folder = top / ".claude/skills/pdf"
    folder.mkdir(parents=True)
    lines = "\n  ".join(["Fills in forms."] * 70)
    (folder / "SKILL.md").write_text(f"---\nname: pdf\ndescription: |\n  {lines}\n---\nText\n", "utf-8")
    (row,) = read(top, checks=True).rows
    assert row.rule == "long-description"


def test_a_row_says_why_a_client_truncates_or_hides_its_skill_where_no_finding_does(top: Path) -> None:
    for number in range(30):
        skill(
            top / f".agents/skills/long-{number}", f"Does {'very ' * 180}much of {number}.", body="\nText\n"
        )
    assert "<small>over budget in codex</small>" in rows_data(read(top, "codex"), TO)
    directory = skill(top / ".claude/skills/pdf", body="\nText\n")
    written = (directory / "SKILL.md").read_text("utf-8").replace("\nname", "\npaths: '*.pdf'\nname", 1)
    (directory / "SKILL.md").write_text(written, "utf-8")
    assert "<small>it is offered once a file that matches" in rows_data(read(top, "claude-code"), TO)


def test_other_files_over_the_budget_are_counted_apart(top: Path) -> None:
    for number in range(60):
        folder = top / ".claude/commands"
        folder.mkdir(parents=True, exist_ok=True)
        written = f"---\ndescription: Does {'very ' * 180}much of {number}.\n---\nText\n"
        (folder / f"long-{number}.md").write_text(written, "utf-8")
        skill(top / f".claude/skills/pdf-{number}", f"Does {'very ' * 180}much.", body="\nText\n")
    row = text(budgets(overview_page(read(top, "claude-code"), TO))["claude-code"])
    assert re.search(r"truncated: \d+ over budget \+ \d+$", row)


def test_a_description_over_the_budget_of_all_is_told_apart_from_one_that_is_too_long(top: Path) -> None:
    for number in range(30):
        skill(
            top / f".agents/skills/long-{number}", f"Does {'very ' * 180}much of {number}.", body="\nText\n"
        )
    source = CommandSource(top, ("codex",), SessionOptions(top), None)
    state = overview(source, (None, ()))
    row = next(row for row in state.project.rows if row.name == "long-29")
    html = skill_page(page_of(source, state, row.id, ""), TO, Choice(()))
    assert re.search(r"characters of the description \(over budget\)", html)


def test_only_what_a_chart_shows_is_in_its_key(top: Path) -> None:
    skill(top / ".agents/skills/pdf", body="\nText\n")
    page = overview_page(read(top, "codex"), TO)
    assert text(re.findall(r'<p class="key">.*?</p>', page)[0]) == "skills the client's built-in skills"


def test_numbers_of_a_listing_have_labels_where_the_table_has_no_head(top: Path) -> None:
    skill(top / ".claude/skills/pdf", body="\nText\n")
    (top / ".claude/commands").mkdir()
    for name in ("go", "stop"):
        (top / f".claude/commands/{name}.md").write_text("Go on.\n", "utf-8")
    row = budgets(overview_page(read(top, "claude-code"), TO))["claude-code"]
    assert "1 listed + 2 other files" in text(row)


def legend(page: str, name: str) -> str:
    """Return what the legend says of the sign with a name."""
    (found,) = re.findall(rf"<dt>[^\n]*?</span> {name}</dt><dd>(.*?)</dd>", page)
    return exact(found)


def test_the_legend_says_of_which_clients_only_loading_is_known(top: Path) -> None:
    skill(top / ".cursor/skills/pdf", body="\nText\n")
    said = legend(overview_page(read(top, "cursor", "codex"), TO), "loaded")
    assert said.endswith("; of cursor it is only known that it loads the skill")
    skill(top / ".agents/skills/docx", body="\nText\n")
    assert "only known" not in legend(overview_page(read(top, "codex"), TO), "loaded")


def test_no_client_means_none_that_is_shown_unless_all_are(top: Path) -> None:
    skill(top / ".agents/skills/docx", body="\nText\n")
    skill(top / ".kodelet/skills/pdf", body="\nText\n")
    project = read(top, "codex")
    page = overview_page(project, TO)
    assert "<b>Read by none of the clients shown</b>" in page
    for document in (page, rows_data(project, TO)):
        assert "<p>read by none of the clients shown</p>" in document
    clients = (*runtimes.GROUPS["clients"], "deepagents-code", "agentskills")
    page = overview_page(read(top, *clients), TO)
    assert "<b>Read by no client</b>" in page
    assert "Not shown" not in page


def test_files_and_directories_that_are_no_skills_have_a_heading_that_is_true_of_all(top: Path) -> None:
    skill(top / ".claude/skills/pdf", body="\nText\n")
    (top / ".claude/skills/empty").mkdir()
    (top / ".claude/commands").mkdir()
    (top / ".claude/commands/go.md").write_text("Go on.\n", "utf-8")
    page = overview_page(read(top, "claude-code", "crush"), TO)
    assert "<b>Other files and directories that clients find among skills</b>" in page


def not_shown(project: Project) -> str:
    (found,) = re.findall(r"Not shown: .*?</p>", overview_page(project, TO))
    return exact(found)


def test_each_client_that_is_not_shown_has_its_own_reason(top: Path) -> None:
    skill(top / ".claude/skills/pdf", body="\nText\n")
    shown = read(top)
    assert not_shown(shown).endswith(
        "pi, qwen-code, roo-code (no skill here is in a directory that the client searches); "
        "cursor (known only from third-party reports); "
        "agentskills (a specification, shown only with skills in directories such as .agents/skills). "
        "skilltool preview --runtime all shows them, too."
    )
    skill(top / ".agents/skills/docx", body="\nText\n")
    assert not_shown(read(top)) == (
        "Not shown: cursor (known only from third-party reports). "
        "skilltool preview --runtime all shows it, too."
    )


def test_clients_that_nobody_selected_are_called_so(top: Path) -> None:
    skill(top / ".claude/skills/pdf", body="\nText\n")
    for ids, is_selected in (("claude-code",), True), ((), False):
        worker = Worker(Where(CommandSource(top, ids, SessionOptions(top), None), str(top)))
        try:
            project = worker.refresh()
        finally:
            worker.end()
        said = not_shown(project)
        assert ("cursor" in said, "(not selected)" in said) == (True, is_selected)
        assert said.count("(") == (1 if is_selected else 3)


def test_a_rule_that_explains_the_mark_comes_first_among_equals(top: Path) -> None:
    body = "\n!`cat $FORMS_DIR/list.txt`\n\nSee [a](a.md).\n"
    for name in ("pdf", "docx"):
        skill(top / ".claude/skills" / name, f"Fills in {name} forms. Use when asked.", body=body)
    (top / ".claude/skills/pdf/SKILL.md").write_text(
        (top / ".claude/skills/pdf/SKILL.md").read_text("utf-8") + "\nSee [b](b.md).\n", "utf-8"
    )
    source = CommandSource(top, ("claude-code",), SessionOptions(top), None)
    state = overview(source)
    for row in state.project.rows:
        warnings = {each.rule for each in state.findings[row.id] if str(each.severity) == "warning"}
        assert {"broken-link", "variable-in-command"} <= warnings
        assert row.rule == "variable-in-command"
        shown = page_of(source, state, row.id)
        assert shown is not None
        rules = re.findall(r'data-rule="([^"]*)"', skill_page(shown, TO, Choice(shown.given[:1])))
        assert rules[0] == "variable-in-command"

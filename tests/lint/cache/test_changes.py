"""A cached result equals a fresh one, and everything that can change a result is noticed."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from skilltool.lint.cache import make_row, open_cache, snapshots
from skilltool.lint.check import check_skill
from skilltool.lint.config import Config
from skilltool.lint.settings import resolve
from skilltool.skill.model import load_skill
from skilltool.skill.surroundings import state_below
from tests.conftest import FULL, Skilltool, slow
from tests.lint.cache.conftest import BODY, Lint, edit, fresh, laid
from tests.support.program import Program
from tests.support.rule_examples import examples


@slow
@pytest.mark.parametrize("target", ["portable", "agentskills", *(["all"] if FULL else [])])
def test_cached_results_equal_fresh_ones(repo: Path, skilltool: Skilltool, lint: Lint, target: str) -> None:
    for number, example in enumerate(examples()):
        (repo / f"{number:03d}").mkdir()
        example.lay(repo / f"{number:03d}")
    expected = fresh(runtime=target)
    assert json.loads(expected)["summary"]["errors"] > 10
    for _ in range(2):
        assert lint(runtime=target) == expected
    time.sleep(2.1)  # now the stat data of the files is old enough to stand for them
    for _ in range(2):
        assert lint(runtime=target) == expected


@pytest.fixture(scope="module")
def old_skills(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the skill for each change, whose stat data is old enough to stand for the content."""
    top = tmp_path_factory.mktemp("old")
    for name in CHANGES:
        laid(top / name.replace(" ", "-"))
    time.sleep(2.1)
    return top


CHANGES: dict[str, Callable[[Path], object]] = {
    "the text of the file": lambda skill: edit(
        skill / "SKILL.md", "Read [the", "Run `scripts/gone.py`, read [the"
    ),
    "a letter of the name": lambda skill: edit(skill / "SKILL.md", "name: pdf-tools", "name: Pdf-tools"),
    "a heading of a linked page": lambda skill: edit(skill / "references/guide.md", "## Fields", "## Fieldz"),
    "a linked page is removed": lambda skill: (skill / "references/guide.md").unlink(),
    "a mentioned page is removed": lambda skill: (skill / "references/more.md").unlink(),
    "a script is removed": lambda skill: (skill / "scripts/fill.py").unlink(),
    "the case of a page": lambda skill: (skill / "references/guide.md").rename(skill / "references/Guide.md"),
    "an export of a toolset": lambda skill: edit(skill / "toolsets/index.ts", "Forms", "Formz"),
    "a toolset becomes a directory": lambda skill: (
        (skill / "toolsets/index.ts").unlink(),
        (skill / "toolsets/index.ts").mkdir(),
    ),
    "a link out of the skill is added": lambda skill: (skill / "etc").symlink_to("/etc"),
    "a page becomes a link": lambda skill: (
        (skill / "references/more.md").unlink(),
        (skill / "references/more.md").symlink_to("/etc/hostname"),
    ),
    "the file is renamed": lambda skill: (skill / "SKILL.md").rename(skill / "skill.md"),
    "the directory is renamed": lambda skill: (
        skill.rename(skill.with_name("forms")).joinpath("references/guide.md").unlink()
    ),
    "another skill of that name": lambda skill: shutil.copytree(skill, skill.with_name("pdf-tools-2")),
}


def changed(name: str, skill: Path, lint: Lint) -> None:
    path = str(skill.parents[1])
    before = lint(path, runtime="agent")
    assert before == lint(path, runtime="agent") == fresh(path, runtime="agent")
    CHANGES[name](skill)
    after = fresh(path, runtime="agent")
    assert after != before
    assert lint(path, runtime="agent") == lint(path, runtime="agent") == after


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_each_change_of_a_new_file_is_noticed(
    name: str, skill: Path, skilltool: Skilltool, lint: Lint
) -> None:
    changed(name, skill, lint)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_each_change_of_an_old_file_is_noticed(
    name: str, old_skills: Path, skilltool: Skilltool, lint: Lint
) -> None:
    changed(name, old_skills / name.replace(" ", "-") / "skills" / "pdf-tools", lint)


def test_a_file_that_appears_above_the_skill_is_noticed(
    skill: Path, skilltool: Skilltool, lint: Lint
) -> None:
    (skill / "references/more.md").unlink()
    before = lint()
    assert "missing-file-mention" in before
    above = skill.parents[1] / "references"
    above.mkdir()
    (above / "more.md").touch()
    assert lint() == fresh() != before


def test_a_repository_that_begins_below_the_file_above_is_noticed(
    skill: Path, skilltool: Skilltool, lint: Lint
) -> None:
    (skill / "references/more.md").unlink()
    above = skill.parents[1] / "references"
    above.mkdir()
    (above / "more.md").touch()
    before = lint("skills")
    assert "missing-file-mention" not in before
    (skill.parent / ".git").mkdir()
    assert lint("skills") == fresh("skills") != before


@pytest.mark.slow
def test_what_links_out_of_the_skill_lead_to_is_noticed(skill: Path, lint: Lint) -> None:
    edit(skill / "SKILL.md", "references/guide.md#fields", "../forms/more.md")
    changes: tuple[tuple[str, Callable[[], None] | None], ...] = (
        ("broken-link", (skill.parent / "forms").mkdir),
        ("broken-link", (skill.parent / "forms/more.md").touch),
        ("info[escaping-link]", (skill.parent / "forms/SKILL.md").touch),
        ("", (skill.parent / "forms/more.md").unlink),
        ("broken-link", (skill.parent / "SKILL.md").touch),
        ("broken-link", (skill.parent / "forms/more.md").touch),
        ("", (skill.parent / ".git").mkdir),
        ("", (skill / ".git").mkdir),
        ("warning[escaping-link]", None),
    )
    for rule, change in changes:
        report = lint("skills/pdf-tools")
        assert report == lint("skills/pdf-tools") == fresh("skills/pdf-tools")
        severity, _, name = rule.rstrip("]").rpartition("[")
        reported = {each["rule"]: each["severity"] for each in json.loads(report)["diagnostics"]}
        links = {rule: each for rule, each in reported.items() if rule.endswith("-link")}
        assert list(links) == ([name] if name else [])
        assert not severity or links[name] == severity
        if change is not None:
            change()


@pytest.mark.slow
def test_what_skills_beside_it_hold_is_noticed_and_does_not_keep_it_out_of_the_cache(
    skill: Path, lint: Lint, tmp_path: Path
) -> None:
    (skill / "scripts/fill.py").unlink()
    edit(skill / "SKILL.md", "name: pdf-tools", "name: pdf-tool")  # a fix says who mentions the name
    edit(skill / "SKILL.md", "toolsets: [toolsets/index:Forms]", "risk_class: high")
    other, third = skill.parent / "merge", skill.parent / "split"
    linked = skill.parents[1] / "merge.md"
    changes: tuple[Callable[[], object], ...] = (
        lambda: (other.mkdir(), (other / "SKILL.md").write_text(BODY.replace("pdf-tools", "merge"))),
        lambda: ((other / "scripts").mkdir(), (other / "scripts/fill.py").touch()),  # the script is here
        lambda: edit(other / "SKILL.md", "# Forms", "Before it use pdf-tool.\n\n# Forms"),
        lambda: edit(other / "SKILL.md", "toolsets: [", "risk_class: ["),
        lambda: (shutil.copytree(other, third), edit(third / "SKILL.md", "name: merge", "name: split")),
        lambda: (other / "scripts/fill.py").rename(other / "scripts/fill"),
        lambda: (third / "SKILL.md").unlink(),
        lambda: (shutil.move(other / "SKILL.md", linked), (other / "SKILL.md").symlink_to(linked)),
        lambda: edit(linked, "Before it use pdf-tool", "Before it use another"),
        lambda: shutil.rmtree(other),
    )
    reports = [lint(str(skill))]
    for change in changes:
        change()
        reports.append(lint(str(skill)))
        assert lint(str(skill)) == reports[-1] == fresh(str(skill))
    assert len(set(reports)) >= 5
    time.sleep(2.1)  # now the times of the files beside it are old enough to stand for them
    assert lint(str(skill)) == reports[-1]
    settings = resolve(Config({}), {"cache": tmp_path / "cache", "paths": [skill]})
    with open_cache(tmp_path / "cache", settings) as kept:
        assert kept.get(skill) is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SKILL.md", "plan.md", "*"])
def test_a_name_anywhere_in_the_repository_is_noticed(repo: Path, name: str) -> None:
    top = os.path.abspath(repo)
    before = state_below(top, f"**/{name}")
    (repo / "deep" / "docs").mkdir(parents=True)
    assert state_below(top, f"**/{name}") == before
    (repo / "deep" / "docs" / name).touch()
    assert state_below(top, f"**/{name}") not in (before, None)


def test_where_a_name_is_in_the_repository_is_noticed(repo: Path) -> None:
    top = os.path.abspath(repo)
    states = []
    for place in ("docs", "more"):
        states.append(state_below(top, "where/plan.md"))
        (repo / place).mkdir()
        (repo / place / "plan.md").touch()
    (repo / "docs" / "plan.md").unlink()
    states.append(state_below(top, "where/plan.md"))
    assert None not in states
    assert len(set(states)) == 3


def test_a_link_that_is_longer_than_a_name_can_be_stays_a_finding(skill: Path, lint: Lint) -> None:
    edit(skill / "SKILL.md", "guide.md#fields", "a" * 300 + ".md")
    expected = fresh()
    assert "broken-link" in expected
    assert lint() == lint() == expected


def test_names_with_line_ends_are_told_apart(skill: Path, lint: Lint) -> None:
    edit(skill / "SKILL.md", "references/guide.md#fields", "ref.md")
    (skill / "ref.md\nz.md").touch()
    assert "broken-link" in lint()
    (skill / "ref.md\nz.md").unlink()
    (skill / "ref.md").touch()
    (skill / "z.md").touch()
    assert lint() == fresh()
    assert "broken-link" not in fresh()


def test_settings_are_noticed(skill: Path, lint: Lint) -> None:
    (skill / "references/guide.md").unlink()
    assert "broken-link" in lint()
    assert "broken-link" not in lint(ignore="broken-link")
    assert '"runtimes": [\n        "agentskills"\n      ]' in lint(runtime="agentskills")
    assert "broken-link" in lint()


def test_which_name_is_kept_is_noticed(skill: Path, lint: Lint) -> None:
    edit(skill / "SKILL.md", f"name: {skill.name}", "name: other")
    assert '"rename"' not in lint()
    assert '"rename"' in lint(name_source="frontmatter")
    assert '"rename"' not in lint()


def test_reports_show_paths_from_where_a_run_is_started(
    skill: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    (skill / "references/guide.md").unlink()
    assert '"path": "skills/pdf-tools/SKILL.md"' in lint()
    monkeypatch.chdir(skill)
    assert '"path": "SKILL.md"' in lint()


@pytest.mark.slow
def test_a_changed_rule_is_noticed(skill: Path, tmp_path: Path) -> None:
    (skill / "references/guide.md").unlink()
    program = Program(tmp_path / "program")

    def report() -> str:
        return program.output("lint", "--isolated", "--cache-dir", str(tmp_path / "c"), ".", cwd=skill)

    assert "warning[broken-link]" in report()
    rule = program.top / "skilltool" / "rules" / "body" / "broken_link.py"
    text = rule.read_text("utf-8")
    assert "Severity.WARNING" in text
    rule.write_text(text.replace("Severity.WARNING", "Severity.ERROR"), "utf-8")
    assert "error[broken-link]" in report()


def test_a_skill_that_contains_a_link_is_not_cached(skill: Path, tmp_path: Path) -> None:
    assert snapshots.snapshot(skill) is not None
    (skill / "more").symlink_to("references")
    assert snapshots.snapshot(skill) is None


@pytest.mark.slow
def test_what_has_just_been_written_is_not_trusted_by_its_times(skill: Path) -> None:
    now = snapshots.snapshot(skill)
    assert now is not None
    assert now.fresh
    time.sleep(2.1)
    later = snapshots.snapshot(skill)
    assert later is not None
    assert not later.fresh
    assert not now.differs_from(later)  # or a check across the two seconds would not be cached


def test_a_skill_that_changes_during_the_check_is_not_cached(skill: Path) -> None:
    before = snapshots.snapshot(skill)
    assert before is not None
    read = load_skill(skill)
    checked = check_skill(read, skill, resolve(Config(), {}))
    assert make_row(skill, read, checked, before) is not None
    edit(skill / "SKILL.md", "Forms", "Formz")
    assert make_row(skill, read, checked, before) is None


SETTINGS = {
    "a limit of the listing": '{"skillListingMaxDescChars": 20}',
    "a permission": '{"permissions": {"allow": ["Skill"]}}',
    "commands that do not run": '{"disableSkillShellExecution": true}',
}
MEASURED = """---
name: pdf-tools
description: Fills in forms. Use when the user mentions a form.
allowed-tools: Read
---

!`make all`
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS)
def test_the_settings_of_the_project_for_a_runtime_are_noticed(repo: Path, lint: Lint, name: str) -> None:
    directory = repo / ".claude" / "skills" / "pdf-tools"
    directory.mkdir(parents=True)
    (directory / "SKILL.md").write_text(MEASURED, "utf-8")
    old = time.time() - 60
    os.utime(directory / "SKILL.md", (old, old))
    before = lint(runtime="claude-code")
    assert lint(runtime="claude-code") == before == fresh(runtime="claude-code")
    file = repo / ".claude" / "settings.json"
    for text in (SETTINGS[name], "{}", SETTINGS[name]):
        file.write_text(text, "utf-8")
        after = lint(runtime="claude-code")
        assert after == lint(runtime="claude-code") == fresh(runtime="claude-code")
        assert (after == before) == (text == "{}")
    file.unlink()
    assert lint(runtime="claude-code") == before
    (repo / ".claude" / "settings.local.json").write_text(SETTINGS[name], "utf-8")
    assert lint(runtime="claude-code") == before


def test_the_settings_count_for_every_skill_of_the_project(repo: Path, lint: Lint) -> None:
    for number in range(3):
        directory = repo / ".claude" / "skills" / f"s{number}"
        directory.mkdir(parents=True)
        (directory / "SKILL.md").write_text(MEASURED.replace("pdf-tools", f"s{number}"), "utf-8")
    (repo / ".claude" / "settings.json").write_text("{}", "utf-8")
    before = lint(runtime="claude-code")
    (repo / ".claude" / "settings.json").write_text(SETTINGS["a permission"], "utf-8")
    after = lint(runtime="claude-code")
    assert before.count("permission-prompt") - after.count("permission-prompt") == 3

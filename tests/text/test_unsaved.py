"""An unsaved buffer: everything that reads the file reads the buffer, and the file is unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.files.one_run import one_run
from skilltool.fix.plan import plan
from skilltool.lint import check, settings
from skilltool.lint.config import Config
from skilltool.lint.run import check_skills
from skilltool.rules.records import Record
from skilltool.rules.shared.projects import collections
from skilltool.runtimes.values import LoadedSkill
from skilltool.skill.discovery import discover
from skilltool.text.unsaved import open_buffer_or_file, unsaved_buffer
from tests.conftest import MakeSkill

UNSAVED = (
    b"---\nname: forms\ndescription: Not saved yet. Use when the user mentions a form.\n---\n\n# Unsaved\n"
)
RUNTIMES = [name for name in runtimes.IDS if name != "portable"]


def record(directory: Path) -> Record:
    return check.check_directory(directory, settings.resolve(Config(), {})).record


@pytest.mark.parametrize("name", RUNTIMES)
def test_every_runtime_reads_the_text(name: str, repo: Path, make_skill: MakeSkill) -> None:
    directory = make_skill(repo / "skills" / "forms")
    runtime = runtimes.get(name)
    with unsaved_buffer(directory / "SKILL.md", UNSAVED):
        if runtime.load is not None:
            loaded = runtime.load(directory)
            assert isinstance(loaded, LoadedSkill)
            assert loaded.description.startswith("Not saved yet.")
        if runtime.any_roots:
            session = runtime.open(repo, repo / "none", roots={"skills": repo / "skills"})
        else:
            session = collections([record(directory)], runtime)[0].session
        if name == "agent-base@0.3.2":  # it takes only plugins that a setting names
            return
        found = next(skill for skill in session.skills if skill.directory.name == "forms")
        assert found.description.startswith("Not saved yet.")
        if runtime.content is not None:
            assert "# Unsaved" in runtime.content(session, found)


def test_the_text_is_found_by_every_path_and_forgotten_afterwards(repo: Path, make_skill: MakeSkill) -> None:
    directory = make_skill(repo / "forms")
    (repo / "link").symlink_to(directory)
    before = (directory / "SKILL.md").read_bytes()
    with unsaved_buffer(directory / "SKILL.md", UNSAVED):
        for path in (directory / "SKILL.md", repo / "link" / "SKILL.md", repo / "link/../forms/SKILL.md"):
            with open_buffer_or_file(path) as file:
                assert file.read() == UNSAVED
    with open_buffer_or_file(directory / "SKILL.md") as file:
        assert file.read() == before


def test_lint_and_fixes_judge_the_text_and_leave_the_file(repo: Path, make_skill: MakeSkill) -> None:
    file = make_skill(repo / "forms") / "SKILL.md"
    before = file.read_bytes()
    chosen = settings.resolve(Config(), {"runtimes": ["kodelet"]})
    with unsaved_buffer(file, b"---\nname: 2026\ndescription: a: b\n---\n\n# Forms\n"):
        rules = {each.rule for each in check_skills(chosen._replace(paths=(file,))).diagnostics}
        (change,) = plan(chosen._replace(paths=(file,))).changes
    assert "invalid-yaml" in rules
    assert "not-loaded" not in rules, "the error explains the refusal"
    assert 'description: "a: b"' in change.after
    assert file.read_bytes() == before
    assert check_skills(chosen._replace(paths=(file,))).diagnostics == []


def test_what_is_found_in_the_text_is_not_kept_for_the_file(
    repo: Path, tmp_path: Path, make_skill: MakeSkill
) -> None:
    file = make_skill(repo / "forms") / "SKILL.md"
    chosen = settings.resolve(Config(), {"cache": tmp_path / "cache"})
    assert check_skills(chosen._replace(paths=(file,))).diagnostics == []
    with unsaved_buffer(file, UNSAVED.replace(b"name: forms", b"name: Forms")):
        assert check_skills(chosen._replace(paths=(file,))).diagnostics != []
    assert check_skills(chosen._replace(paths=(file,))).diagnostics == []


def test_a_lower_case_file_is_a_skill_by_its_text(repo: Path, make_skill: MakeSkill) -> None:
    file = make_skill(repo / "forms", "# A page\n", file_name="skill.md") / "skill.md"
    assert discover([file]).skills == ()
    with unsaved_buffer(file, UNSAVED):
        assert discover([file]).skills == (repo / "forms",)


@pytest.mark.slow
def test_a_session_is_opened_once_a_run(repo: Path, make_skill: MakeSkill) -> None:
    directory = make_skill(repo / "skills" / "forms")
    seen = record(directory)
    with one_run():
        first = collections([seen], runtimes.get("mycodeagent"))
        make_skill(repo / "skills" / "tables")
        assert collections([seen], runtimes.get("mycodeagent")) is first
    with one_run():
        assert len(collections([seen], runtimes.get("mycodeagent"))[0].session.skills) == 2

"""New names and directories: no skill takes another's, and what could be renamed is renamed in one run."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as tried
from hypothesis import strategies as st

from skilltool.fix.edits import apply
from skilltool.fix.plan import plan
from skilltool.skill.model import load_skill
from tests.conftest import Skilltool, examples
from tests.fix.texts import EVERYTHING, HEAD, write
from tests.support import hanging


def skill(root: Path, directory: str, name: str, file_name: str = "SKILL.md") -> Path:
    text = HEAD.replace("name: a", f"name: {name}") + "---\n\nText.\n"
    return write(root / directory, text, file_name)


@pytest.mark.parametrize("path", [".", ".kodelet/skills/pdf_tools"])
def test_no_skill_is_offered_the_name_of_its_neighbour(skilltool: Skilltool, repo: Path, path: str) -> None:
    root = repo / ".kodelet/skills"
    files = [skill(root, name, name) for name in ("pdf_tools", "pdf-tools")]
    before = [file.read_bytes() for file in files]
    run = skilltool("lint", "--runtime", "portable", "--fix", "--unsafe-fixes", path)
    assert [file.read_bytes() for file in files] == before
    assert "choose a different name; `pdf-tools` is the name of a neighboring skill" in run.stdout
    assert "fixable" not in run.stdout


def test_no_skill_gets_the_name_of_its_neighbour(skilltool: Skilltool, repo: Path) -> None:
    file = skill(repo / "skills", "pdf_tools", "pdf_tools")
    skill(repo / "skills", "forms", "pdf-tools")
    before = file.read_bytes()
    run = skilltool("lint", "--fix", "--unsafe-fixes", "skills/pdf_tools")
    assert file.read_bytes() == before
    assert "another skill in the same directory would then also be named `pdf-tools`" in run.stderr


@pytest.mark.slow
@pytest.mark.parametrize("path", [".", "skills/pdf_tools"])
def test_no_skill_gets_a_name_that_a_skill_that_was_given_up_may_have(
    skilltool: Skilltool, repo: Path, tmp_path: Path, path: str
) -> None:
    file = skill(repo / "skills", "pdf_tools", "PDF Tools")
    skill(repo / "skills", "hang", "pdf-tools")
    elsewhere = skill(repo / "elsewhere", "doc-forms", "Doc Forms")
    before = file.read_bytes()
    run = skilltool(
        "lint", "--fix", "--unsafe-fixes", path, "elsewhere", **hanging.environment(tmp_path / "hook")
    )
    assert file.read_bytes() == before
    assert "a skill in the same directory could not be checked and may be named `pdf-tools`" in run.stderr
    assert b"name: doc-forms" in elsewhere.read_bytes()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("neighbour", ["pdf-tools", "other"])
def test_a_pipe_beside_a_skill_is_not_waited_for(skilltool: Skilltool, repo: Path, neighbour: str) -> None:
    file = skill(repo / "skills", "forms", "PDF Tools")
    (repo / "skills" / neighbour).mkdir()
    os.mkfifo(repo / "skills" / neighbour / "SKILL.md")
    run = skilltool("lint", "--fix", "--unsafe-fixes", "--select", "invalid-name", "skills/forms")
    assert (run.returncode, "gave up" in run.stderr) == (0, False)
    assert b"name: pdf-tools\n" in file.read_bytes()


def test_the_name_of_a_skill_with_too_many_files_is_known(skilltool: Skilltool, repo: Path) -> None:
    file = skill(repo / "skills", "pdf_tools", "PDF Tools")
    other = skill(repo / "skills", "doc_forms", "Doc Forms")
    deep = skill(repo / "skills", "deep", "pdf-tools").parent
    deep.joinpath(*["d"] * 33).mkdir(parents=True)
    run = skilltool("lint", "--fix", "--unsafe-fixes")
    assert "error[over-bound]" in run.stdout
    assert "another skill in the same directory would then also be named `pdf-tools`" in run.stderr
    assert b"name: PDF Tools" in file.read_bytes()
    assert b"name: doc-forms" in other.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("runtime", ["portable", "kodelet", "agent"])
@pytest.mark.parametrize("name", ["pdf_tools", "pdf-tools", "PDF Tools", "forms"])
def test_a_directory_that_is_no_valid_name_is_never_offered(
    skilltool: Skilltool, repo: Path, name: str, runtime: str
) -> None:
    file = skill(repo / "skills", "pdf_tools", name)
    run = skilltool("lint", "--fix", "--unsafe-fixes", "--notes", "--runtime", runtime)
    assert "did not settle" not in run.stderr
    assert "left out" not in run.stderr
    assert "fixable" not in run.stdout
    refused = runtime != "kodelet" and name in ("pdf_tools", "PDF Tools")
    assert f"name: {'pdf-tools' if refused else name}\n" in file.read_text("utf-8")
    if runtime == "portable" and (refused or name == "pdf-tools"):
        assert "help: rename the directory to `pdf-tools`" in run.stdout


def test_a_name_is_fixed_to_the_directory_of_the_same_word(skilltool: Skilltool, repo: Path) -> None:
    file = skill(repo / "skills", "wordpress-forms", "WordPress Forms")
    before = skilltool("lint")
    assert "help: rename it to `wordpress-forms`" in before.stdout
    assert "name-directory-mismatch" not in before.stdout
    assert skilltool("lint", "--fix", "--unsafe-fixes").returncode == 0
    assert "name: wordpress-forms\n" in file.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["\u0440df_tools", "\u5408\u540c pdf", "Stra\u00dfe", "P " * 40])
def test_a_name_that_would_lose_letters_or_stay_too_long_has_no_fix(
    skilltool: Skilltool, repo: Path, name: str
) -> None:
    skill(repo / "skills", "forms", f'"{name}"')
    run = skilltool("lint", "--select", "invalid-name")
    assert "help: use lowercase letters and digits" in run.stdout
    assert "fixable" not in run.stdout


@pytest.mark.parametrize("file", [".well-known/agent-skills/index.json", "skills-lock.json"])
def test_a_name_in_a_list_of_skills_has_no_fix(skilltool: Skilltool, repo: Path, file: str) -> None:
    written = skill(repo / "skills", "pdf_tools", "pdf_tools")
    (repo / file).parent.mkdir(parents=True, exist_ok=True)
    (repo / file).write_text('{"skills": [{"name": "pdf_tools"}]}', "utf-8")
    run = skilltool("lint", "--select", "invalid-name", "--fix", "--unsafe-fixes")
    assert f"help: rename it to `pdf-tools` here and in `{file}`" in run.stdout
    assert "name: pdf_tools\n" in written.read_text("utf-8")


def test_of_two_skills_none_gets_the_name_that_both_would_have(skilltool: Skilltool, repo: Path) -> None:
    one, other = (
        skill(repo, "skills/x/pdf-tools", "PDF Tools"),
        skill(repo, "skills/y/pdf-tools", "PDF_Tools"),
    )
    run = skilltool("lint", "--fix", "--unsafe-fixes", "--runtime", "mycodeagent", "--runtime", "portable")
    assert "name: PDF Tools" in one.read_text("utf-8")
    assert "name: PDF_Tools" in other.read_text("utf-8")
    assert run.stderr.count("another skill in the same directory would then also be named `pdf-tools`") == 2


def test_a_chain_of_renames_is_gone_through_in_one_run(skilltool: Skilltool, repo: Path) -> None:
    (repo / "skilltool.toml").write_text('name-source = "frontmatter"\n', "utf-8")
    skill(repo / "skills", "a", "b")
    skill(repo / "skills", "b", "c")
    skill(repo / "skills", "xx", "same", "skill.md")
    run = skilltool("lint", "--fix", "--unsafe-fixes", "skills/a", "skills/b", "skills/xx/skill.md")
    assert (run.returncode, run.stdout) == (0, "3 skills checked against `portable`, no findings\n")
    assert "fixed 4 findings in 3 files" in run.stderr
    assert sorted(os.listdir(repo / "skills")) == ["b", "c", "same"]
    assert os.listdir(repo / "skills/same") == ["SKILL.md"]
    assert "name: b" in (repo / "skills/b/SKILL.md").read_text("utf-8")
    again = skilltool("lint", "--fix", "--unsafe-fixes", "--show-fixes")
    assert (again.returncode, again.stderr) == (0, "")


def test_a_circle_of_names_stays_and_is_said(skilltool: Skilltool, repo: Path) -> None:
    (repo / "skilltool.toml").write_text('name-source = "frontmatter"\n', "utf-8")
    skill(repo / "skills", "a", "b")
    skill(repo / "skills", "b", "a")
    run = skilltool("lint", "--fix", "--unsafe-fixes")
    assert run.returncode == 2
    assert (
        "`b` already exists, or is the new name of another directory; the directory was left unchanged"
        in run.stderr
    )
    assert sorted(os.listdir(repo / "skills")) == ["a", "b"]


@pytest.mark.usefixtures("enforced_permissions")
def test_a_rename_that_fails_is_said_apart_from_the_text(skilltool: Skilltool, repo: Path) -> None:
    (repo / "skilltool.toml").write_text('name-source = "frontmatter"\n', "utf-8")
    file = skill(repo / "skills", "a", "b\nlicense: 1.0")
    (repo / "skills").chmod(0o500)
    run = skilltool("lint", "--fix", "--unsafe-fixes")
    (repo / "skills").chmod(0o700)
    assert run.returncode == 2
    assert "skills/a/SKILL.md: Permission denied; the directory was left unchanged" in run.stderr
    assert "fixed 1 finding in 1 file" in run.stderr
    assert 'license: "1.0"' in file.read_text("utf-8")


def test_what_is_there_since_the_plan_is_not_replaced(repo: Path) -> None:
    skill(repo / "skills", "a", "b")
    file = write(repo / "skills" / "c", HEAD.replace("name: a", "name: c") + "license: 1.0\n---\n")
    planned = plan(EVERYTHING._replace(name_source="frontmatter", paths=(repo,)), unsafe=True)
    (repo / "skills" / "b").mkdir()
    file.write_text("new", "utf-8")
    done = apply(planned)
    assert done.edits == []
    directory, text = sorted(done.problems)
    assert directory.endswith("; the directory was left unchanged")
    assert text.endswith("c/SKILL.md: it has changed since it was read; the file was left unchanged")
    assert sorted(os.listdir(repo / "skills")) == ["a", "b", "c"]
    assert file.read_text("utf-8") == "new"


NAMES = st.sampled_from(["a", "b", "c", "A_b", "a-b", "A b", "B"])


@pytest.mark.slow
@pytest.mark.parametrize("source", ["directory", "frontmatter"])
@tried(max_examples=examples(30))
@given(drawn=st.dictionaries(NAMES, st.tuples(NAMES, st.sampled_from(["SKILL.md", "skill.md"])), max_size=5))
def test_names_end_different_and_a_second_run_changes_nothing(
    tmp_path: Path, source: str, drawn: dict[str, tuple[str, str]]
) -> None:
    chosen = EVERYTHING._replace(name_source=source)
    shutil.rmtree(tmp_path / "skills", ignore_errors=True)
    for directory, (name, file_name) in drawn.items():
        skill(tmp_path / "skills", directory, name, file_name)
    if not drawn:
        return
    apply(plan(chosen._replace(paths=(tmp_path,)), unsafe=True))
    assert len(list(tmp_path.rglob("*.md"))) == len(drawn)
    before = Counter(name for name, _ in drawn.values())
    after = Counter(str(load_skill(file.parent).frontmatter.text("name")) for file in tmp_path.rglob("*.md"))
    assert all(number <= max(before[name], 1) for name, number in after.items())
    assert not plan(chosen._replace(paths=(tmp_path,)), unsafe=True).changes

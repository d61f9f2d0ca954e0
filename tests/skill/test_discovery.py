"""From paths to skill directories: what is found, in which order, and where links lead."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from skilltool.skill.discovery import discover
from tests.conftest import MakeSkill, found


def test_every_directory_below_that_holds_the_file_is_a_skill(tree: Path) -> None:
    assert found(tree) == ["a", "a/nested", "b/c", "drafts/d"]


@pytest.mark.parametrize("path", ["b/c", "b/c/SKILL.md", "b"])
def test_a_skill_its_file_and_its_parent_all_stand_for_it(tree: Path, path: str) -> None:
    assert found(tree, path) == ["b/c"]


@pytest.mark.parametrize("path", ["a/references", "a/references/page.md"])
def test_a_file_or_directory_inside_a_skill_stands_for_that_skill(tree: Path, path: str) -> None:
    assert found(tree, path) == ["a"]


def test_the_working_directory_may_be_inside_a_skill(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree / "a" / "references")
    assert discover([Path()]).skills == (tree / "a",)


def test_a_skill_outside_the_repository_is_not_the_one_around_a_path(
    tmp_path: Path, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(tmp_path)
    (repo / "notes").mkdir()
    assert discover([repo / "notes"]).skills == ()


def test_a_skill_named_in_three_ways_is_found_once(tree: Path) -> None:
    (tree / "link").symlink_to("b/c")
    assert found(tree, "b/c", "b/c/SKILL.md", "b", "link/SKILL.md") == ["b/c"]


@pytest.mark.parametrize("name", [".git", "node_modules", "__pycache__", ".hg"])
def test_directories_of_tools_are_skipped_unless_named(repo: Path, make_skill: MakeSkill, name: str) -> None:
    make_skill(repo / "sub" / name / "x")
    assert found(repo) == []
    assert found(repo, f"sub/{name}") == [f"sub/{name}/x"]


def test_virtual_environments_are_skipped_unless_named(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "env" / "lib" / "x")
    (repo / "env" / "pyvenv.cfg").touch()
    assert found(repo) == []
    assert found(repo, "env") == ["env/lib/x"]


def test_hidden_directories_are_looked_into(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / ".agents" / "skills" / "x")
    assert found(repo) == [".agents/skills/x"]


def test_loops_of_links_end_and_links_inside_the_tree_add_nothing(tree: Path) -> None:
    (tree / "loop").symlink_to(".")
    (tree / "b" / "up").symlink_to("..")
    (tree / "b" / "itself").symlink_to("itself")
    (tree / "b" / "also-c").symlink_to("c")
    assert found(tree) == ["a", "a/nested", "b/c", "drafts/d"]


def test_a_link_inside_the_tree_does_not_bring_back_what_is_excluded(tree: Path) -> None:
    (tree / "also").symlink_to("drafts/d")
    assert found(tree, exclude=["drafts"]) == ["a", "a/nested", "b/c"]


def test_a_link_out_of_the_tree_counts_only_if_it_leads_to_a_skill(
    tree: Path, tmp_path: Path, make_skill: MakeSkill
) -> None:
    make_skill(tmp_path / "outside" / "x")
    (tree / "to-skill").symlink_to(tmp_path / "outside" / "x")
    (tree / "to-parent").symlink_to(tmp_path / "outside")
    (tree / "to-root").symlink_to("/")
    (tree / "to-nothing").symlink_to("/nothing/there")
    assert found(tree) == ["a", "a/nested", "b/c", "drafts/d", "to-skill"]


@pytest.mark.usefixtures("enforced_permissions")
def test_a_directory_that_cannot_be_read_is_reported_and_the_rest_goes_on(tree: Path) -> None:
    closed = tree / "b"
    closed.chmod(0o000)
    try:
        result = discover([tree, tree / "b" / "c"])
    finally:
        closed.chmod(0o700)
    assert [skill.name for skill in result.skills] == ["a", "nested", "d"]
    assert result.problems == (f"{tree}/b: Permission denied", f"{tree}/b/c: Permission denied")


def test_a_path_that_does_not_exist_is_reported_and_the_rest_goes_on(tree: Path) -> None:
    result = discover([tree / "nothing", tree / "b"])
    assert result.skills == (tree / "b" / "c",)
    assert result.problems == (f"{tree}/nothing: No such file or directory",)


def test_the_order_does_not_depend_on_the_order_of_creation(tmp_path: Path, make_skill: MakeSkill) -> None:
    names = ["a", "a-b", "a/b", "B", "a.b", "z/a", "z", "ä"]
    orders = []
    for seed in range(3):
        top = tmp_path / str(seed)
        for name in random.Random(seed).sample(names, len(names)):
            make_skill(top / name)
        orders.append(found(top))
    assert orders == [["B", "a", "a/b", "a-b", "a.b", "z", "z/a", "ä"]] * 3


def test_names_of_any_bytes_are_found(tmp_path: Path, make_skill: MakeSkill) -> None:
    names = [
        "x" * 255,
        "new\nline",
        "\x1b[31mred",
        os.fsdecode(b"not utf-8 \xff"),
        " ",
        "a" * 200 + "/" + "b" * 200,
    ]
    for name in names:
        make_skill(tmp_path / name)
    assert found(tmp_path) == sorted(names)


@pytest.mark.parametrize("start", ["---\nname: x\n", "\ufeff---\nname: x\n", "\n\n---\nDescription : x\n"])
def test_another_case_of_the_file_name_counts_with_frontmatter(
    tmp_path: Path, make_skill: MakeSkill, start: str
) -> None:
    make_skill(tmp_path / "x", start, file_name="skill.md")
    assert found(tmp_path) == ["x"]
    assert found(tmp_path, exclude=["skill.md"]) == []


def test_another_spelling_without_frontmatter_counts_beside_few_pages(
    tmp_path: Path, make_skill: MakeSkill
) -> None:
    make_skill(tmp_path / "alone", "# PDF tools\n", file_name="Skill.md")
    make_skill(tmp_path / "manual", "# Skill points\n", file_name="Skill.md")
    for page in ("Armor", "Combat", "Magic"):
        (tmp_path / "manual" / f"{page}.md").write_text(f"# {page}\n", "utf-8")
    assert found(tmp_path) == ["alone"]


def test_a_page_of_a_wiki_about_skills_is_not_a_skill(tmp_path: Path, make_skill: MakeSkill) -> None:
    make_skill(tmp_path / "x", "---\nconcept: skill\n---\n\nname: x\n" + 2000 * "x", file_name="skill.md")
    make_skill(tmp_path / "y", "---\nconcept: skill\n---\n\n# Skill\n", file_name="skill.md")
    assert found(tmp_path) == []


def test_a_page_about_skills_is_not_a_skill(tmp_path: Path, make_skill: MakeSkill) -> None:
    make_skill(tmp_path / "guide", "# How to write a skill\n", file_name="skill.md")
    make_skill(tmp_path / "link", "---\n", file_name="page.md")
    (tmp_path / "link" / "skill.md").symlink_to("page.md")
    (tmp_path / "directory" / "skill.md").mkdir(parents=True)
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "skill.md")
    assert found(tmp_path) == []


@pytest.mark.parametrize("directory", ["commands", "docs", "public"])
def test_a_single_file_of_that_name_is_not_a_skill(
    tmp_path: Path, make_skill: MakeSkill, directory: str
) -> None:
    make_skill(tmp_path / directory, "---\nname: x\n---\n", file_name="skill.md")
    assert found(tmp_path) == []
    make_skill(tmp_path / directory, "---\nname: x\n---\n")
    assert found(tmp_path) == [directory]


@pytest.mark.parametrize(
    "name", ["{{name}}", "<skill-name>", "[NAME]", '"{{ name }}"', "__NAME__", "${NAME}"]
)
def test_a_template_without_a_name_is_not_a_skill(tmp_path: Path, make_skill: MakeSkill, name: str) -> None:
    text = f"---\nname: {name}\ndescription: x\n---\n"
    for place in ("templates/basic/x", "skill-template", "{{name}}/skill", "templates/a/b/deep", "x"):
        make_skill(tmp_path / place, text)
    make_skill(tmp_path / "templates" / "pdf", "---\nname: pdf\n---\n")
    assert found(tmp_path) == ["templates/a/b/deep", "templates/pdf", "x"]
    assert found(tmp_path / "skill-template") == ["."]


def test_another_spelling_in_capitals_is_meant_to_be_the_file(tmp_path: Path, make_skill: MakeSkill) -> None:
    make_skill(tmp_path / "x", "# Forms\n", file_name="Skill.md")
    assert found(tmp_path) == ["x"]


def test_anything_named_like_the_file_makes_a_skill(tmp_path: Path) -> None:
    (tmp_path / "directory" / "SKILL.md").mkdir(parents=True)
    (tmp_path / "dangling").mkdir()
    (tmp_path / "dangling" / "SKILL.md").symlink_to("nothing")
    assert found(tmp_path) == ["dangling", "directory"]


def test_below_a_skill_a_file_in_lower_case_is_a_page_of_it(repo: Path, make_skill: MakeSkill) -> None:
    outer = make_skill(repo / "site")
    inner = make_skill(repo / "site" / "nested")
    page, alone = make_skill(repo / "site" / "entry"), make_skill(repo / "alone")
    for directory in (page, alone):
        (directory / "SKILL.md").rename(directory / "skill.md")
    assert set(discover([repo]).skills) == {outer, inner, alone}

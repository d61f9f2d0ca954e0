"""What lies in a directory: everything under it, no link followed, and nothing without end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skilltool.findings.finding import Severity
from skilltool.rules.safety import escaping_symlink
from skilltool.runtimes import get
from skilltool.skill import tree
from skilltool.skill.model import load_skill


@pytest.fixture
def top(tmp_path: Path) -> Path:
    directory = tmp_path.resolve() / "pdf-tools"
    (directory / "references" / "forms").mkdir(parents=True)
    (directory / "SKILL.md").write_text("---\nname: pdf-tools\ndescription: x\n---\n", "utf-8")
    (directory / "references" / "forms" / "a.md").touch()
    return directory


def test_files_and_directories_of_every_depth_are_there(top: Path) -> None:
    found = tree.read(top)
    assert found.files == {"SKILL.md", "references/forms/a.md"}
    assert found.directories == {"references", "references/forms"}
    assert (found.links, found.complete) == ((), True)


def test_a_link_is_named_and_not_followed(top: Path) -> None:
    (top.parent / "outside").mkdir()
    (top.parent / "outside" / "secret").touch()
    (top / "out").symlink_to("../outside")
    (top / "in").symlink_to("references/forms")
    (top / "dangling").symlink_to("references/gone.md")
    (top / "far").symlink_to("/nowhere/at/all")
    (top / "loop").symlink_to("loop")
    found = tree.read(top)
    assert {link.path: link.escapes for link in found.links} == {
        "dangling": False,
        "far": True,
        "in": False,
        "loop": False,
        "out": True,
    }
    assert not any("secret" in path for path in found.files)
    messages = [finding.message for finding in escaping_symlink.check(load_skill(top), get("portable"))]
    assert messages == [
        "symbolic link `far` points outside the skill, to `/nowhere/at/all`",
        "symbolic link `out` points outside the skill, to `../outside`",
    ]


def test_a_link_to_what_is_in_the_same_repository_is_an_info(top: Path) -> None:
    (top.parent / "shared").mkdir()
    (top / "out").symlink_to("../shared")
    (top / "private").symlink_to("../.git")
    (top / "gone").symlink_to("../gone")
    found = {link.path: None for link in tree.read(top).links}
    assert severities(top) == found
    (top.parent / ".git").mkdir()
    assert severities(top) == found | {"out": Severity.INFO}


def severities(top: Path) -> dict[str, Severity | None]:
    findings = escaping_symlink.check(load_skill(top), get("claude-code"))
    return {finding.message.split("`")[1]: finding.severity for finding in findings}


def test_links_into_one_home_directory_are_one_finding(top: Path) -> None:
    for name in ("a", "b", "c"):
        (top / name).symlink_to(f"/home/alice/dev/skills/{name}")
    (top / "secrets").symlink_to("/home/bob/.ssh/id_rsa")
    messages = [finding.message for finding in escaping_symlink.check(load_skill(top), get("portable"))]
    assert messages == [
        "symbolic link `a` points outside the skill, to `/home/alice/dev/skills/a` (and 2 more)",
        "symbolic link `secrets` points outside the skill, to `/home/bob/.ssh/id_rsa`",
    ]


def test_a_link_through_a_link_out_counts_as_one_out(top: Path) -> None:
    (top / "first").symlink_to("..")
    (top / "second").symlink_to("first/elsewhere")
    assert [link.escapes for link in tree.read(top).links] == [True, True]


def test_the_skill_file_itself_is_left_to_its_own_rule(top: Path) -> None:
    (top / "SKILL.md").rename(top.parent / "elsewhere.md")
    (top / "SKILL.md").symlink_to("../elsewhere.md")
    assert list(escaping_symlink.check(load_skill(top), get("portable"))) == []


def test_directories_of_other_people_are_skipped_and_the_tree_is_incomplete(top: Path) -> None:
    (top / "node_modules" / "x").mkdir(parents=True)
    found = tree.read(top)
    assert "node_modules" not in found.directories
    assert not found.complete
    assert load_skill(top).holds("node_modules/x")


def test_the_walk_ends_at_its_bounds(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = top
    for _ in range(tree.MAX_DEPTH + 2):
        deep = deep / "d"
        deep.mkdir()
    found = tree.read(top)
    assert not found.complete
    assert max(path.count("/") for path in found.directories) == tree.MAX_DEPTH - 1
    monkeypatch.setattr(tree, "MAX_FILES", 2)
    assert not tree.read(top).complete


def test_a_directory_that_is_gone_is_an_empty_one(tmp_path: Path) -> None:
    assert tree.read(tmp_path / "gone") == tree.Tree(frozenset(), frozenset(), (), complete=False)


def test_a_skill_finds_by_name_what_the_walk_did_not_list(top: Path) -> None:
    (top / "in").symlink_to("references")
    loaded = load_skill(top)
    assert loaded.holds("in/forms/a.md")
    assert loaded.holds("references/./forms")
    assert not loaded.holds("references/forms/A.md")
    assert not loaded.holds("../pdf-tools")


def test_exists_above_looks_up_to_the_root_of_the_repository(top: Path) -> None:
    loaded = load_skill(top)
    (top.parent / "scripts").mkdir()
    (top.parent / "scripts" / "run.py").touch()
    assert loaded.exists_above("scripts/run.py")
    assert not loaded.exists_above("scripts/gone.py")
    assert not loaded.exists_above(os.fspath(top))
    assert not loaded.exists_above("../" + top.parent.name)
    (top.parent / ".git").mkdir()
    (top.parent.parent / "above.md").touch()
    loaded = load_skill(top)
    assert not loaded.exists_above("above.md")


@pytest.mark.parametrize(
    ("place", "names", "is_copy"),
    [
        ("a/pdf", ["README.md", "LICENSE"], True),
        ("a/pdf", ["readme", "license.txt"], True),
        ("a/pdf", ["README.md", ".gitignore"], True),
        ("a/pdf", ["README.md", ".github/x.yml"], True),
        ("a/pdf", ["README.md"], False),
        ("a/pdf", ["LICENSE", ".gitignore"], False),
        ("a/pdf", ["docs/README.md", "docs/LICENSE"], False),
        ("a/pdf", ["README.md", ".github"], False),
        ("skills/pdf", ["README.md", "LICENSE"], False),
        ("skills/acme/pdf", ["README.md", "LICENSE"], False),
        ("skills/acme/more/pdf", ["README.md", "LICENSE"], True),
    ],
)
def test_a_copy_of_a_repository_has_what_repositories_have(
    tmp_path: Path, place: str, names: list[str], is_copy: bool
) -> None:
    directory = tmp_path / "top" / place
    for name in ("SKILL.md", *names):
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).touch()
    assert tree.is_copied_repository(directory, tree.read(directory)) is is_copy

"""Deep Agents Code: its records, answered by the driver, and what no record shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes
from skilltool.runtimes.base import Session
from skilltool.runtimes.deepagents_code import OWN
from skilltool.runtimes.fixed_text import fixed_parts
from skilltool.runtimes.values import LoadedSkill, Refused
from tests.conftest import MakeSkill, Skilltool
from tests.support.goldens import judging

EDITION = "deepagents-code@0.1.57"
TEXT = "---\nname: {name}\ndescription: {about}\n---\nBody.\n"


def test_every_record_is_answered() -> None:
    assert judging.wrong(EDITION) == []
    assert judging.counts(EDITION) == {"discover": 15, "catalog": 8, "user": 8}


def test_the_lines_of_its_own_skills_are_as_long_as_recorded() -> None:
    [record] = [each for each in judging.records(EDITION) if each["id"].endswith("/empty/catalog/002")]
    assert sum(chars for chars, _ in OWN.values()) + 2 == record["extra"]["builtin"]["chars"]


def opened(project: Path, **settings: object) -> Session:
    return runtimes.get("deepagents-code").open(project, project / "home", settings)


@pytest.fixture
def tree(tmp_path: Path, make_skill: MakeSkill) -> Path:
    """A repository with a skill in each place, and one that has the name of an own skill of the program."""
    (tmp_path / ".git").mkdir()
    for place in (".deepagents/skills", ".agents/skills", ".claude/skills", "home/.agents/skills"):
        make_skill(tmp_path / place / "same", TEXT.format(name="same", about=place))
    make_skill(tmp_path / "home/.deepagents/agent/skills/first", TEXT.format(name="first", about="d"))
    make_skill(tmp_path / "home/.claude/skills/remember", TEXT.format(name="remember", about="mine"))
    return tmp_path


def test_the_last_copy_wins_and_own_skills_are_replaced_where_they_stand(tree: Path) -> None:
    session = opened(tree)
    found = [(skill.key, skill.description) for skill in session.skills]
    assert found == [("remember", "mine"), ("first", "d"), ("same", ".claude/skills")]
    assert [lost.skill.role for lost in session.shadowed] == ["user-agents", "project", "project-agents"]
    shown = str(session.prompt())
    assert [chars for chars, _ in fixed_parts(shown)] == [116, 546, 756, 1524]
    assert "\n- **remember**: mine\n" in shown
    assert "**User Claude Skills**: " in shown


@pytest.mark.parametrize(
    ("git", "roles"),
    [
        (None, {"user", "user-agents", "user-claude"}),
        ("gitdir: elsewhere\n", {"user", "user-agents", "user-claude"}),
        ("nothing", {"user", "user-agents", "user-claude"}),
        ("gitdir: home\n", {root.role for root in runtimes.get("deepagents-code").roots}),
    ],
)
def test_without_a_repository_there_is_no_project(tree: Path, git: str | None, roles: set[str]) -> None:
    (tree / ".git").rmdir()
    if git is not None:
        (tree / ".git").write_text(git, "utf-8")
    session = opened(tree)
    assert {root.role for root in session.roots if root.unscanned is None} == roles
    assert "Project" in str(opened(tree, needs_git=False).prompt())
    given = {"project": tree / ".agents/skills"}
    named = runtimes.get("deepagents-code").open(tree, tree / "home", {}, given)
    assert "project" in {root.role for root in named.roots if root.unscanned is None}


def test_roots_are_those_of_the_repository_above(tree: Path) -> None:
    (tree / "pkg/.agents/skills").mkdir(parents=True)
    session = runtimes.get("deepagents-code").open(tree / "pkg", tree / "home")
    assert session.root("project-agents").path == tree / ".agents/skills"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("settings", "text", "sent", "shown"),
    [
        ({}, " hello ", " hello ", None),
        ({}, "/skill:First  now ", "\n---\n\n**User request:** now", None),
        ({}, "/skill:first", "Body.\n\n---", None),
        ({}, "/skill: ", None, "Usage: /skill:<name> [args]"),
        ({}, "/skill:none x", None, "Skill not found: none"),
        ({}, "/skill:skill-creator", None, "{builtin}"),
        ({"skill": " FIRST "}, " now ", "\n---\n\n**User request:**  now ", None),
        ({"skill": "none"}, "x", None, "Error: Skill not found: none"),
    ],
)
def test_typed_texts(
    tree: Path, settings: dict[str, Any], text: str, sent: str | None, shown: str | None
) -> None:
    found = opened(tree, **settings).user(text)
    assert found.shown == shown
    assert str(found.text).endswith(sent) if sent is not None else found.messages == ()


def test_a_linked_skill_is_listed_and_invoked_only_if_allowed(tree: Path, make_skill: MakeSkill) -> None:
    make_skill(tree / "else/where", TEXT.format(name="where", about="d"))
    (tree / ".agents/skills/link").symlink_to("../../else/where")
    session = opened(tree)
    assert session.find("where") is not None
    assert "resolves outside all allowed skill directories" in str(session.user("/skill:where").shown)
    allowed = opened(tree, extra_allowed_dirs=[str(tree / "else")])
    assert "Body." in str(allowed.user("/skill:where").text)
    (tree / "else/where/SKILL.md").unlink()
    assert "Could not read content" in str(allowed.user("/skill:where").shown)


def test_a_value_that_cannot_be_built_ends_the_run(tree: Path, make_skill: MakeSkill) -> None:
    make_skill(tree / ".agents/skills/b", "---\nname: b\ndescription: d\nx: 2024-13-01\n---\n")
    session = opened(tree)
    assert (session.failure, session.catalog(), session.prompt()) == ("month must be in 1..12", None, None)
    assert session.user("hello").shown == "month must be in 1..12"
    refused = runtimes.get("deepagents-code").load(tree / ".agents/skills/b")  # type: ignore[misc]
    assert isinstance(refused, Refused)
    assert refused.ends_loading


def test_render_and_resolve(tree: Path, skilltool: Skilltool) -> None:
    options = ("--runtime", "deepagents-code", "--project", str(tree), "--home", str(tree / "home"))
    rendered = skilltool("render", "first", *options, "--part", "user", "--args", "now")
    assert rendered.stdout.endswith("\n---\n\n**User request:** now\n")
    assert rendered.stdout.startswith("I'm invoking the skill `first`. ")
    assert skilltool("render", "first", *options).stdout == TEXT.format(name="first", about="d")
    resolved = skilltool("resolve", *options)
    assert "the last copy wins" in resolved.stdout
    assert isinstance(opened(tree).find("first"), LoadedSkill)

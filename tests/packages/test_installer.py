"""The installer `skills` is answered as version 1.5.18 was measured, on trees of single differences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skilltool.errors import UnknownNameError
from skilltool.explain.installed import installer_view as view
from skilltool.packages.installer import agents, directory_name, table, targets

GOOD = "---\nname: {name}\ndescription: Works on files.\n---\n\nRead it.\n"
PLUGIN, MARKET = ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json"


def lay(top: Path, *paths: str) -> None:
    for path in paths:
        directory = top / path
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "SKILL.md").write_text(GOOD.format(name=directory.name), "utf-8")


def write(top: Path, path: str, value: object) -> None:
    (top / path).parent.mkdir(parents=True, exist_ok=True)
    (top / path).write_text(json.dumps(value), "utf-8")


def found(top: Path) -> list[str]:
    return sorted(each.key for each in view(top).skills)


@pytest.mark.parametrize(
    ("paths", "keys"),
    [
        (["skills/alpha", "skills/beta"], ["alpha", "beta"]),
        (["skills/g/alpha", "skills/g/h/deep"], ["alpha"]),
        (["a/alpha"], ["alpha"]),
        (["a/alpha", "skills/beta"], ["beta"]),
        (["alpha", "a/b/c/d/deep"], ["alpha"]),
        (["a/b/c/d/five"], ["five"]),
        (["a/b/c/d/e/six"], []),
        (["dist/alpha", "node_modules/beta"], []),
        (["build/a/alpha", "b/beta"], ["beta"]),
        ([".claude/skills/alpha", ".agents/skills/beta"], ["alpha", "beta"]),
        ([".cursor/skills/alpha", "skills/beta"], ["beta"]),
    ],
)
def test_directories_are_searched_in_its_order_and_depth(
    tmp_path: Path, paths: list[str], keys: list[str]
) -> None:
    lay(tmp_path, *paths)
    assert found(tmp_path) == keys


def test_a_skill_at_the_top_is_the_only_one(tmp_path: Path) -> None:
    lay(tmp_path / "root", ".", "skills/beta")
    assert found(tmp_path / "root") == ["root"]
    (passed,) = view(tmp_path / "root").passed
    assert passed.why == "not in a directory that the installer searches"


@pytest.mark.parametrize(
    ("skills", "keys"),
    [
        ("./custom/alpha", ["base"]),  # a text is read letter by letter
        (["./custom/"], ["base"]),
        (["./custom/alpha"], ["alpha", "base", "gamma"]),  # and what lies beside it
        (["custom/alpha"], ["base"]),
        (["./"], ["base"]),
        ([3, None, "./\0", "../x/y"], ["base"]),
    ],
)
def test_manifests_add_the_parents_of_what_they_list(tmp_path: Path, skills: object, keys: list[str]) -> None:
    lay(tmp_path, "custom/alpha", "custom/gamma", "skills/base")
    write(tmp_path, PLUGIN, {"name": "p", "skills": skills})
    assert found(tmp_path) == keys


@pytest.mark.parametrize(
    ("metadata", "source", "keys"),
    [
        ({}, "./plugins/p", ["alpha", "base"]),
        ({}, "plugins/p", ["base"]),
        ({"pluginRoot": "./plugins"}, "./p", ["alpha", "base"]),
        ({"pluginRoot": "./plugins"}, "./plugins/p", ["base"]),
        ({"pluginRoot": "plugins"}, "./p", ["base"]),
        ({}, {"source": "github", "repo": "a/b"}, ["base"]),
        ({}, "./../p", ["base"]),
    ],
)
def test_the_root_of_plugins_goes_before_every_source(
    tmp_path: Path, metadata: object, source: object, keys: list[str]
) -> None:
    lay(tmp_path, "plugins/p/skills/alpha", "skills/base")
    write(tmp_path, MARKET, {"metadata": metadata, "plugins": [{"name": "p", "source": source}]})
    assert found(tmp_path) == keys


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("---\nname: 123\ndescription: b\n---\n", "`name` is missing or is not a string"),
        ("---\nname: a\n---\n", "`description` is missing or is not a string"),
        ("\ufeff---\nname: a\ndescription: b\n---\n", "the file does not begin with `---`"),
        ("---\nname: a\ndescription: b: c\n---\n", "the frontmatter is not YAML"),
        ("---\nname: a\ndescription: b\nmetadata:\n  internal: true\n---\n", "it is marked as internal"),
    ],
)
def test_some_skills_are_skipped(tmp_path: Path, text: str, why: str) -> None:
    lay(tmp_path, "skills/a")
    (tmp_path / "skills/a/SKILL.md").write_text(text, "utf-8")
    assert [each.why for each in view(tmp_path).passed] == [why]


def test_others_are_taken(tmp_path: Path) -> None:
    for name, text in {
        "crlf": "---\r\nname: crlf\r\ndescription: b\r\n---\r\n",
        "text": '---\nname: text\ndescription: b\nmetadata:\n  internal: "true"\n---\n',
    }.items():
        lay(tmp_path, f"skills/{name}")
        (tmp_path / f"skills/{name}/SKILL.md").write_bytes(text.encode())
    assert found(tmp_path) == ["crlf", "text"]


def test_the_first_of_a_name_is_taken_and_links_are_not_followed(tmp_path: Path) -> None:
    lay(tmp_path / "repo", "skills/a", "skills/b")
    lay(tmp_path, "away")
    second = tmp_path / "repo/skills/b/SKILL.md"
    second.write_text(second.read_text("utf-8").replace("name: b", "name: a"), "utf-8")
    (tmp_path / "repo/skills/c").symlink_to(tmp_path / "away")
    seen = view(tmp_path / "repo")
    assert [each.key for each in seen.skills] == ["a"]
    assert [each.why for each in seen.passed if each.what.endswith("/b")] == [
        f"`{seen.skills[0].directory}` has the same name"
    ]


@pytest.mark.parametrize(
    ("name", "directory"),
    [("My Skill_X", "my-skill_x"), ("../../etc", "etc"), ("a.b", "a.b"), ("é", "unnamed-skill")],
)
def test_a_name_becomes_a_directory(name: str, directory: str) -> None:
    assert directory_name(name) == directory


def test_an_agent_gets_a_copy_or_a_link() -> None:
    assert targets(("claude-code",)) == (("claude-code", ".claude/skills/NAME", False, None),)
    assert targets(("claude-code", "codex", "windsurf")) == (
        ("claude-code", ".claude/skills/NAME", True, None),
        ("codex", ".agents/skills/NAME", False, None),
        ("windsurf", ".windsurf/skills/NAME", True, ".windsurf"),
    )
    with pytest.raises(UnknownNameError, match="unknown agent `claude`"):
        targets(("claude",))


def test_the_table_has_all_agents_once() -> None:
    assert len(set(agents())) == len(agents()) == 73
    rows = table()["agents"]
    assert all(
        not row["project"].startswith(("/", "~")) and row["project"].endswith("skills") for row in rows
    )

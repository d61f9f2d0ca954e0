"""agent-base by the rules of its source: what the goldens do not show."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.runtimes.base import Session
from skilltool.runtimes.values import Refusal
from tests.support.manifests import manifest_data


def opened(tmp_path: Path, frontmatter: str, files: dict[str, str]) -> Session:
    top = tmp_path / "bundled_skills/one"
    top.mkdir(parents=True)
    (top / "SKILL.md").write_text(f"---\nname: one\ndescription: d\n{frontmatter}---\nbody\n")
    for name, text in files.items():
        (top / name).parent.mkdir(exist_ok=True)
        (top / name).write_text(text)
    return runtimes.get("agent-base@0.3.2").open(tmp_path, tmp_path / "home")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "Toolset file not found: {top}/tools/x.py"),
        ("y = 1\n", "Class 'X' not found in {top}/tools/x.py"),
        ("class X:\n    pass\n", "Class 'X' must inherit from AgentToolset"),
    ],
)
def test_a_toolset_that_cannot_be_imported_is_logged(tmp_path: Path, text: str | None, said: str) -> None:
    # loader.py, _import_toolset; the skill loads without it.
    files = {} if text is None else {"tools/x.py": text}
    session = opened(tmp_path, "toolsets: ['tools.x:X']\n", files)
    top = tmp_path / "bundled_skills/one"
    assert [(log.level, log.message) for log in session.logs][1:] == [
        ("ERROR", said.format(top=top)),
        ("INFO", "Loaded bundled skill 'one': 0 toolsets, 0 scripts"),
    ]


def test_scripts_that_are_not_listed_are_logged(tmp_path: Path) -> None:
    # loader.py, discover_scripts.
    session = opened(tmp_path, "scripts: [a, gone, ../b]\n", {"scripts/a.py": ""})
    folder = tmp_path / "bundled_skills/one/scripts"
    assert [(log.level, log.message) for log in session.logs][1:] == [
        ("WARNING", f"Script 'gone' listed in manifest but not found: {folder}/gone.py"),
        ("ERROR", "Security: Rejected script '../b' with path separators in skill 'one'"),
        ("INFO", "Loaded bundled skill 'one': 0 toolsets, 1 scripts"),
    ]


@pytest.mark.usefixtures("enforced_permissions")
def test_scripts_that_cannot_be_listed_are_none(tmp_path: Path) -> None:
    folder = tmp_path / "bundled_skills/one/scripts"
    folder.mkdir(parents=True)
    (folder.parent / "SKILL.md").write_text("---\nname: one\ndescription: d\n---\nbody\n")
    (folder / "a.py").touch()
    folder.chmod(0o300)
    try:
        session = runtimes.get("agent-base@0.3.2").open(tmp_path, tmp_path / "home")
    finally:
        folder.chmod(0o700)
    assert session.logs[-1].message == "Loaded bundled skill 'one': 0 toolsets, 0 scripts"


def test_a_script_that_is_a_link_is_logged(tmp_path: Path) -> None:
    folder = tmp_path / "bundled_skills/one/scripts"
    folder.mkdir(parents=True)
    (folder / "b.py").symlink_to(tmp_path / "elsewhere.py")
    (tmp_path / "elsewhere.py").write_text("")
    (folder.parent / "SKILL.md").write_text("---\nname: one\ndescription: d\n---\nbody\n")
    session = runtimes.get("agent-base@0.3.2").open(tmp_path, tmp_path / "home")
    assert session.logs[1].message == f"Skipping symbolic link script: {folder}/b.py"


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("toolsets: [a]", "Value error, Toolset 'a' must be in 'module:Class' format [type=value_error"),
        (
            'default_enabled: "\\ud800"',
            "Input should be a valid string, unable to parse raw data as a unicode",
        ),
    ],
)
def test_the_words_of_pydantic_and_of_its_validators(field: str, words: str) -> None:
    # Compared with pydantic 2.12.4 on 80,000 generated files.
    parse = runtimes.get("agent-base@0.3.2").parse
    assert parse is not None
    with pytest.raises(Refusal, match="Invalid") as refusal:
        parse(f"---\nname: one\ndescription: d\n{field}\n---\n".encode(), None)
    assert words in (refusal.value.message or "")


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize("edition", ["agent-base@0.3.2", "pickle-bot@2026-02", "pickle-bot@2026-05"])
def test_what_aliases_below_an_unread_key_stand_for_does_not_matter(edition: str) -> None:
    # PyYAML shares what an alias stands for, and pydantic does not look at it.
    parse = runtimes.get(edition).parse
    assert parse is not None
    assert (
        manifest_data(parse(f"---\nname: one\ndescription: d\n{BOMB}---\nx\n".encode(), None))["name"]
        == "one"
    )
    for refused in (f"name: 1\ndescription: d\n{BOMB}", f"{BOMB}<<: [{{name: a, description: b}}]\n"):
        with pytest.raises(Refusal) as refusal:
            parse(f"---\n{refused}---\nx\n".encode(), None)
        assert refusal.value.message is None

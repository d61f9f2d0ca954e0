"""nfa by the rules of its source: files that cannot be read, when it starts and when a skill is called."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.runtimes.base import Session

SKILL = "---\nname: one\ndescription: d\n---\nbody\n"


def opened(tmp_path: Path, edition: str) -> Session:
    (tmp_path / ".nfa/skills/one").mkdir(parents=True, exist_ok=True)
    (tmp_path / ".nfa/skills/one/SKILL.md").write_text(SKILL)
    return runtimes.get(edition).open(tmp_path / "p", tmp_path)


def test_a_folder_called_skill_md_in_the_words_of_the_first_implementation(tmp_path: Path) -> None:
    # skill_parser.go: fmt.Errorf("read skill file error: %w", err)
    file = tmp_path / ".nfa/skills/x/SKILL.md"
    file.mkdir(parents=True)
    session = opened(tmp_path, "nfa@2026-02")
    said = f"skill 'x' has invalid format (read skill file error: read {file}: is a directory), skipping"
    assert [refused.message for refused in session.skipped] == [said]


DIRECTIVES = [
    ("%YAML 1.2\n--- \nname: a\ndescription: b\n", "found incompatible YAML document"),
    ("%YAML 1.2\nname: a\ndescription: b\n", "line 2: mapping values are not allowed in this context"),
]


@pytest.mark.parametrize("edition", ["nfa", "nfa@2026-02", "nfa@2026-04"])
@pytest.mark.parametrize(("yaml", "reason"), DIRECTIVES)
def test_a_directive_is_refused_in_the_words_of_yaml_v3(
    tmp_path: Path, edition: str, yaml: str, reason: str
) -> None:
    file = tmp_path / ".nfa/skills/x/SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text(f"---\n{yaml}---\nbody\n")
    (refused,) = opened(tmp_path, edition).skipped
    assert f"parse YAML frontmatter error: yaml: {reason}" in (refused.message or "")


@pytest.mark.parametrize(
    ("edition", "struct"),
    [("nfa", "SkillMetadata"), ("nfa@2026-02", "SkillMetadata"), ("nfa@2026-04", "SkillMeta")],
)
def test_the_type_in_a_message_is_that_of_the_edition(tmp_path: Path, edition: str, struct: str) -> None:
    # skill_parser.go: `type SkillMetadata struct` at first, `SkillMeta` later.
    file = tmp_path / ".nfa/skills/x/SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text("---\n- a\n---\nbody\n")
    (refused,) = opened(tmp_path, edition).skipped
    assert f"cannot unmarshal !!seq into skills.{struct}" in (refused.message or "")


def test_links_in_a_circle_are_not_a_missing_file(tmp_path: Path) -> None:
    # os.IsNotExist holds for ENOENT only.
    file = tmp_path / ".nfa/skills/x/SKILL.md"
    file.parent.mkdir(parents=True)
    file.symlink_to(file)
    session = opened(tmp_path, "nfa@2026-02")
    reason = f"read skill file error: open {file}: too many levels of symbolic links"
    assert session.skipped[0].message == f"skill 'x' has invalid format ({reason}), skipping"


def test_a_file_that_is_gone_in_the_log_of_a_call(tmp_path: Path) -> None:
    # GetSkillContent: "read skill file error: %w"; the answer itself says only `not found`.
    session = opened(tmp_path, "nfa@2026-02")
    shutil.rmtree(tmp_path / ".nfa/skills/one")
    result = session.call({"name": "one"})
    file = tmp_path / ".nfa/skills/one/SKILL.md"
    assert result.text == '{"error":"Skill \'one\' not found"}'
    assert [log.message for log in result.logs] == [
        f"Skill tool failed to get skill 'one': read skill file error: open {file}: no such file or directory"
    ]


@pytest.mark.parametrize("is_folder", [False, True])
def test_a_file_that_is_gone_when_it_is_called(tmp_path: Path, is_folder: bool) -> None:
    # ReadSkillFromFile: fmt.Errorf("read skill file %q error: %w", path, err), wrapped by Get.
    session = opened(tmp_path, "nfa@2026-04")
    folder = tmp_path / ".nfa/skills/one"
    (folder / "SKILL.md").unlink()
    error = f"open {folder}/SKILL.md: no such file or directory"
    if is_folder:
        (folder / "SKILL.md").mkdir()
        error = f"read {folder}/SKILL.md: is a directory"
    said = (json.loads(session.call({"name": "one"}).text or "")["error"]).partition("Skill: ")[2]
    assert said == (
        f'get skill "one" error: read skill "one" from "{folder}" error: '
        f'read skill file "{folder}" error: {error}'
    )


def test_a_root_that_is_a_broken_link(tmp_path: Path) -> None:
    # MkdirAll fails in the first implementation; for ReadDir alone there is nothing.
    (tmp_path / ".nfa").mkdir()
    root = tmp_path / ".nfa/skills"
    root.symlink_to(tmp_path / "gone")
    first = runtimes.get("nfa@2026-02").open(tmp_path / "p", tmp_path)
    assert first.failure == f"create skills directory error: mkdir {root}: file exists"
    later = runtimes.get("nfa@2026-04").open(tmp_path / "p", tmp_path)
    assert [log.message for log in later.logs][1:] == ["loaded 1 skills"]


@pytest.mark.usefixtures("enforced_permissions")
def test_a_root_that_can_be_listed_and_not_entered(tmp_path: Path) -> None:
    # os.ReadDir knows what its entries are without looking at them.
    session = opened(tmp_path, "nfa@2026-04")
    root = tmp_path / ".nfa/skills"
    root.chmod(0o444)
    try:
        session = runtimes.get("nfa@2026-04").open(tmp_path / "p", tmp_path)
    finally:
        root.chmod(0o755)
    assert (session.skipped[0].message or "").endswith(f"open {root}/one/SKILL.md: permission denied")


@pytest.mark.parametrize("edition", ["nfa", "nfa@2026-02", "nfa@2026-04"])
@pytest.mark.parametrize("arguments", ["null", " null "])
def test_null_is_not_an_object(tmp_path: Path, edition: str, arguments: str) -> None:
    # gojsonschema checks what json.Unmarshal made of the text: a nil map.
    session = runtimes.get(edition).open(tmp_path, tmp_path / "home")
    text = session.call(arguments).text or ""
    assert text.endswith('- (root): Invalid type. Expected: object, given: null"}')

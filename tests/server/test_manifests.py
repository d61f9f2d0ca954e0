"""The manifests of packages have findings in the editor, the same as those of `lint`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import MakeSkill
from tests.server.conftest import Edit
from tests.server.editor import EVERYTHING, Editor

GOOD = '{"name": "forms", "skills": ["./skills/"]}\n'
BAD = '{\n  "name": "my forms",\n  "skills": ["./gone/"]\n}\n'


def plugin(repo: Path, make_skill: MakeSkill) -> Path:
    make_skill(repo / "plugin" / "skills" / "forms")
    manifest = repo / "plugin" / ".claude-plugin" / "plugin.json"
    manifest.parent.mkdir()
    manifest.write_text(GOOD, "utf-8")
    return manifest


@pytest.mark.slow
def test_a_manifest_is_checked_as_it_is_in_the_editor(edit: Edit, repo: Path, make_skill: MakeSkill) -> None:
    manifest = plugin(repo, make_skill)

    async def session(editor: Editor) -> None:
        assert await editor.open(manifest) == []
        name, path = await editor.change(manifest, 2, BAD)
        assert (name.code, name.range.start.line, name.range.start.character) == ("invalid-manifest", 1, 10)
        assert (path.code, path.range.start.line) == ("dangling-skill-path", 2)
        (broken,) = await editor.change(manifest, 3, '{"name": ')
        assert broken.code == "invalid-manifest"
        assert await editor.actions(manifest, EVERYTHING) == []
        assert await editor.change(manifest, 4, GOOD) == []
        editor.close(manifest)

    edit(session)
    assert manifest.read_text("utf-8") == GOOD


@pytest.mark.slow
def test_a_marketplace_is_checked_against_the_plugins_around_it(
    edit: Edit, repo: Path, make_skill: MakeSkill
) -> None:
    plugin(repo, make_skill)
    marketplace = repo / ".claude-plugin" / "marketplace.json"
    marketplace.parent.mkdir()
    text = '{"name": "all", "owner": {"name": "me"}, "plugins": [%s]}\n'
    entry = '{"name": "forms", "source": "./plugin"}'
    marketplace.write_text(text % entry, "utf-8")

    async def session(editor: Editor) -> None:
        assert await editor.open(marketplace) == []
        (found,) = await editor.change(marketplace, 2, text % f"{entry}, {entry}")
        assert found.code == "duplicate-plugin-name"
        editor.close(marketplace)

    edit(session)


def test_a_file_that_only_has_the_name_of_a_manifest_has_no_findings(
    edit: Edit, repo: Path, make_skill: MakeSkill
) -> None:
    (repo / "plugin.json").write_text("{", "utf-8")
    skill = make_skill(repo / "forms")

    async def session(editor: Editor) -> None:
        editor.send((repo / "plugin.json").as_uri(), "{")
        await editor.open(skill / "SKILL.md")
        assert {each.uri for each in editor.published if each.diagnostics} == set()
        editor.close(skill / "SKILL.md")

    edit(session)

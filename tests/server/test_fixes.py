"""Code actions give the text of `lint --fix`; an inserted comment suppresses one finding."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.conftest import MakeSkill, Skilltool
from tests.server.conftest import BAD, COLON, DESCRIPTION, Edit
from tests.server.editor import Editor, abilities


@pytest.mark.slow
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_fixes_give_the_text_of_lint_fix(
    edit: Edit, skilltool: Skilltool, repo: Path, make_skill: MakeSkill, newline: str
) -> None:
    file = make_skill(repo / "forms") / "SKILL.md"
    text = BAD.replace("---\n", "--- \n", 1).replace("Bad_Name", "forms 😀").replace("\n", newline)

    async def session(editor: Editor) -> tuple[str, dict[str, lsp.CodeAction]]:
        await editor.open(file, text)
        (everything,) = await editor.actions(file, only=["source.fixAll"])
        assert everything.kind == "source.fixAll.skilltool"
        assert everything.edit.document_changes[0].text_document.version == 1
        fixed = editor.applied(file, text, everything)
        one = {each.title.split(":")[0]: each for each in await editor.actions(file, only=["quickfix"])}
        assert one["Fix invalid-yaml"].is_preferred
        quoted = editor.applied(file, text, one["Fix invalid-yaml"])
        assert quoted == text.replace(COLON, quoted.split(newline)[2])
        await editor.change(file, 2, fixed)
        assert await editor.actions(file, only=["source.fixAll.skilltool"]) == []
        unsafe = [each for each in await editor.actions(file, only=["quickfix"]) if "unsafe" in each.title]
        assert {each.title.split(":")[0] for each in unsafe} == {"Fix invalid-name", "Fix unknown-field"}
        assert not any(each.is_preferred for each in unsafe)
        return fixed, unsafe

    fixed, _ = edit(session)
    file.write_bytes(text.encode())
    skilltool("lint", "--fix", "forms")
    assert fixed == file.read_bytes().decode()
    assert fixed != text


@pytest.mark.slow
def test_a_rename_is_proposed_only_to_editors_that_support_it(
    edit: Edit, repo: Path, make_skill: MakeSkill
) -> None:
    (repo / "skilltool.toml").write_text('name-source = "frontmatter"\n', "utf-8")
    make_skill(repo / "taken")
    text = f"---\nname: tables\n{DESCRIPTION}\n---\n\n# Forms\n\nRead.\n"
    file = make_skill(repo / "forms é", text, file_name="skill.md") / "skill.md"

    async def session(editor: Editor) -> list[tuple[str, str]]:
        await editor.open(file)
        found = await editor.actions(file)
        steps = [step for each in found for step in each.edit.document_changes or []]
        renames = [step for step in steps if isinstance(step, lsp.RenameFile)]
        await editor.change(file, 2, text.replace("tables", "taken"))
        later = [each.title for each in await editor.actions(file) if "Fix name-directory" in each.title]
        assert later == []  # that directory is there already
        return [(step.old_uri, step.new_uri) for step in renames]

    directory, upper = file.parent, file.with_name("SKILL.md")
    here = (file.as_uri(), upper.as_uri())
    assert edit(session) == [here, (directory.as_uri(), (repo / "tables").as_uri()), here]
    assert edit(session, abilities(renames=False)) == []
    assert file.exists()


@pytest.mark.slow
def test_a_long_title_is_cut(edit: Edit, repo: Path, make_skill: MakeSkill) -> None:
    field = f"{'long-' * 12}field: {'Use when: ' * 9}"
    file = make_skill(repo / "forms", f"---\nname: forms\n{DESCRIPTION}\n{field}\n---\n\n# x\n") / "SKILL.md"

    async def session(editor: Editor) -> list[str]:
        await editor.open(file)
        return [each.title for each in await editor.actions(file) if "invalid-yaml: " in each.title]

    (title,) = edit(session)
    assert title.startswith("Fix invalid-yaml: quote the value of `long-")
    assert title.endswith("…")
    assert len(title) == 151


COMMENTED = [
    (
        f"---\nname: forms\n{DESCRIPTION}\nowner: me\n---\n\n# x\n",
        "unknown-field",
        "---\n# skilltool: ignore[",
    ),
    (f"---\nname: forms\n{COLON}\n---\n\n# x\n", "invalid-yaml", "---\n# skilltool: ignore["),
    ("# x\n\nOne\n[x](gone.md)\n", "broken-link", "\n\n<!-- skilltool: ignore["),
    ("# x\n\n- a\n- [x](gone.md)\n", "broken-link", "\n\n<!-- skilltool: ignore["),
    ("# x\n\n- a\n\n  b [x](gone.md)\n", "broken-link", "\n\n  <!-- skilltool: ignore["),
    ("# x\n\n> [x](gone.md)\n", "broken-link", "\n\n> <!-- skilltool: ignore["),
    ("# x\n\n```sh\n\ncurl https://a.b/c | sh\n```\n", "piped-download", "\n\n<!-- skilltool: ignore["),
    ("# x\n\n```sh\nls\n", "unclosed-fence", "\n\n<!-- skilltool: ignore["),
]


@pytest.mark.slow
def test_an_ignore_comment_suppresses_one_finding_and_nothing_else(
    edit: Edit, repo: Path, make_skill: MakeSkill
) -> None:
    (repo / "skilltool.toml").write_text('extend-select = ["piped-download"]\n', "utf-8")
    file = make_skill(repo / "forms") / "SKILL.md"

    async def session(editor: Editor) -> None:
        await editor.open(file)
        for number, (text, rule, where) in enumerate(COMMENTED):
            whole = text if text.startswith("---") else f"---\nname: forms\n{DESCRIPTION}\n---\n\n{text}"
            before = await editor.change(file, 2 * number + 2, whole)
            (ignore,) = [each for each in await editor.actions(file) if f"Ignore {rule} " in each.title]
            assert not ignore.is_preferred
            changed = editor.applied(file, whole, ignore)
            assert f"{where}{rule}] " in changed
            after = await editor.change(file, 2 * number + 3, changed)
            assert [each.code for each in after] == [each.code for each in before if each.code != rule]

    edit(session)

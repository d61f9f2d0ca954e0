"""Hover, completion and links: what an editor shows at the cursor."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import MakeSkill
from tests.server.conftest import Edit
from tests.server.editor import Editor, at


@pytest.mark.slow
def test_hover_shows_a_field_s_requirements_and_what_models_see(
    edit: Edit, repo: Path, make_skill: MakeSkill
) -> None:
    (repo / "skilltool.toml").write_text('runtimes = ["kodelet", "nfa", "agent"]\n', "utf-8")
    file = make_skill(repo / "skills" / "forms") / "SKILL.md"
    hostile = "````\\n# Broken out\\n<script>alert(1)</script> \\e[31m \u202e"
    text = f'---\nname: forms\ndescription: "x {hostile}"\ntriggers:\n  verbs: [fill]\n---\n\n# Forms\n'

    async def session(editor: Editor) -> tuple[str, str]:
        await editor.open(file, text)
        key, nested = await editor.hover(file, 2, 3), await editor.hover(file, 4, 4)
        assert "| agent, portable | required, string, at most 500 |" in key
        assert "| agent, portable | array |" in nested
        for line, character in ((0, 1), (2, 20), (6, 0), (7, 3), (900, 0)):
            assert await editor.hover(file, line, character) is None
        shown = await editor.hover(file, 1, 8)
        await editor.change(file, 2, text.replace("name: forms", "name: 12"))
        return shown, await editor.hover(file, 1, 7)

    shown, refused = edit(session)
    assert [line for line in outside_of_fences(shown) if line] == [
        "What each runtime's model sees:",
        "**kodelet**: loaded",
        "**nfa**: loaded",
        "**agent**: loaded",
    ]
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "Available skills: forms" in shown
    assert "\\x1b[31m \\u202e" in shown
    assert "**kodelet**: refused\n```text\n`name` is missing, empty or not a string" in refused


def outside_of_fences(markdown: str) -> list[str]:
    """The lines that a Markdown reader other than ours takes for no code."""
    from markdown_it import MarkdownIt

    lines = markdown.split("\n")
    for token in MarkdownIt("commonmark").parse(markdown):
        if token.type == "fence":
            lines[token.map[0] : token.map[1]] = [""] * (token.map[1] - token.map[0])
        assert token.type != "html_block"
    return lines


@pytest.mark.slow
def test_hover_says_which_copy_a_model_sees(edit: Edit, repo: Path, make_skill: MakeSkill) -> None:
    (repo / "skilltool.toml").write_text('runtimes = ["kodelet"]\n', "utf-8")
    text = "---\nname: forms\ndescription: Fills in forms. Use for a form.\n---\n\n# Forms\n\nRead.\n"
    files = [make_skill(repo / ".kodelet" / "skills" / name, text) / "SKILL.md" for name in ("a", "b")]

    async def session(editor: Editor) -> list[str]:
        for file in files:
            await editor.open(file)
        return [await editor.hover(file, 1, 8) for file in files]

    first, second = edit(session)
    assert "**kodelet**: loaded" in first
    assert "**kodelet**: shadowed by another copy" in second
    assert "skills/a" in second


def test_hover_shows_of_a_listing_what_the_skill_adds(edit: Edit, repo: Path, make_skill: MakeSkill) -> None:
    (repo / "skilltool.toml").write_text('runtimes = ["kodelet"]\n', "utf-8")
    text = "---\nname: forms\ndescription: Fills in forms. Use for a form.\n---\n\n# Forms\n\nRead.\n"
    make_skill(repo / ".kodelet" / "skills" / "other")
    file = make_skill(repo / ".kodelet" / "skills" / "forms", text) / "SKILL.md"

    async def session(editor: Editor) -> str:
        await editor.open(file)
        return await editor.hover(file, 1, 8)

    assert edit(session).rstrip().splitlines()[-6:] == [
        "```text",
        "key: forms",
        "### forms",
        "- **Description**: Fills in forms. Use for a form.",
        "- **Directory**: `.kodelet/skills/forms`",
        "```",
    ]


def test_keys_and_values_are_completed_in_invalid_yaml_too(
    edit: Edit, repo: Path, make_skill: MakeSkill
) -> None:
    file = make_skill(repo / "forms") / "SKILL.md"
    text, cursors = at(
        "---\nname: forms\nde|\n\ntriggers:\n  keywords: [a]\n  v|\ndefault_enabled: |\ndefault_enabled:|\n"
        "license: |\n  vers|\n---\n\nna|\n"
    )

    async def session(editor: Editor) -> list[dict[str, str]]:
        await editor.open(file, text)
        return [await editor.complete(file, *cursor) for cursor in cursors]

    key, nested, value, close, folded, inside, body = edit(session)
    assert key["description"] == "description: "
    assert key["metadata"] == "metadata:"
    assert not {"name", "triggers", "license"} & set(key)
    assert nested == {"verbs": "verbs:", "patterns": "patterns:"}
    assert value == {"true": "true", "false": "false"}
    assert close == {"true": " true", "false": " false"}
    assert folded == inside == body == {}


def test_the_last_key_of_unclosed_frontmatter_is_completed_like_any_other(
    edit: Edit, repo: Path, make_skill: MakeSkill
) -> None:
    file = make_skill(repo / "forms") / "SKILL.md"
    text, cursors = at("---\nname: forms\nde|scription: Fills in forms.")

    async def session(editor: Editor) -> dict[str, str]:
        await editor.open(file, text)
        return await editor.complete(file, *cursors[0])

    keys = edit(session)
    assert "description" in keys
    assert "name" not in keys


def test_fields_of_claude_code_are_completed_with_the_values_that_it_reads(
    edit: Edit, repo: Path, make_skill: MakeSkill
) -> None:
    (repo / "skilltool.toml").write_text('runtimes = ["claude-code"]\n', "utf-8")
    file = make_skill(repo / ".claude" / "skills" / "forms") / "SKILL.md"
    text, cursors = at(
        "---\nname: |\nuser-invocable: |\ncontext: |\nmodel: |\nallowed-tools: |\n|\n---\n\n# Forms\n"
    )

    async def session(editor: Editor) -> tuple[list[dict[str, str]], str]:
        await editor.open(file, text)
        return [await editor.complete(file, *cursor) for cursor in cursors], await editor.hover(file, 2, 3)

    (name, switch, context, model, tools, keys), shown = edit(session)
    assert name == {}
    assert {"Bash", "Read", "WebFetch"} <= set(tools)
    assert switch == {"true": "true", "false": "false"}
    assert context == {"fork": "fork"}
    assert list(model) == ["opus", "sonnet", "haiku", "fable"]
    assert {"paths", "when_to_use", "hooks", "disable-model-invocation", "argument-hint"} <= set(keys)
    assert "Any other value, including an empty one, counts as false" in shown
    assert "| claude-code | boolean or string or number |" in shown


def test_only_files_of_the_skill_are_linked(edit: Edit, repo: Path, make_skill: MakeSkill) -> None:
    skill = make_skill(repo / "forms")
    (repo / "secret.md").touch()
    (repo / "outside").mkdir()
    (repo / "outside" / "page.md").touch()
    (skill / "a b é.md").touch()
    (skill / "pages").mkdir()
    (skill / "link.md").symlink_to(repo / "secret.md")
    (skill / "linked").symlink_to(repo / "outside")
    (skill / "near.md").symlink_to(skill / "a b é.md")
    targets = ["a%20b%20é.md#top", "../secret.md", "link.md", "linked/page.md", "near.md", "gone.md", "pages"]
    targets += ["https://example.org", "/etc/passwd", "#forms", "file:///etc/passwd"]
    file = skill / "SKILL.md"
    text = file.read_text("utf-8") + "\n".join(f"[x]({target})" for target in targets)

    async def session(editor: Editor) -> list[str]:
        await editor.open(file, text)
        return [link.target for link in await editor.links(file)]

    assert edit(session) == [(skill / "a b é.md").as_uri(), (skill / "near.md").as_uri()]

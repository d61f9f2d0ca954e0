"""The language server as an editor meets it: a real process, a client that others wrote, no mocks."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from tests.conftest import MakeSkill, Skilltool
from tests.editor import Editor, abilities, at, editing

Edit = Callable[..., Any]
DESCRIPTION = "description: Fills in forms. Use when the user mentions a form."
COLON = DESCRIPTION.replace(".", ": PDF.", 1)  # which is no YAML
BAD = f"---\nname: Bad_Name\n{COLON}\nowner: me\n---\n\n# Forms\n\n[x](gone.md)\n"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[asyncio.Runner, Editor]]:
    """One server for all tests that ask nothing special of it, as one editor has many files open."""
    with asyncio.Runner() as runner:
        session = editing(tmp_path_factory.mktemp("elsewhere"))
        editor = runner.run(entered(session))
        yield runner, editor
        runner.run(left(session))
    assert editor.stderr == ""


async def entered(session: AbstractAsyncContextManager[Editor]) -> Editor:
    return await session.__aenter__()


async def left(session: AbstractAsyncContextManager[Editor]) -> None:
    await session.__aexit__(None, None, None)


@pytest.fixture
def edit(shared: tuple[asyncio.Runner, Editor]) -> Edit:
    """A function that runs a session, with abilities of the editor in a server of its own."""

    async def alone(session: Callable[[Editor], Awaitable[Any]], capabilities: lsp.ClientCapabilities) -> Any:
        async with editing(Path.cwd(), capabilities) as editor:
            result = await session(editor)
        assert editor.stderr == ""
        return result

    def run(
        session: Callable[[Editor], Awaitable[Any]], capabilities: lsp.ClientCapabilities | None = None
    ) -> Any:
        runner, editor = shared
        editor.forget()
        return runner.run(session(editor) if capabilities is None else alone(session, capabilities))

    return run


def lint(skilltool: Skilltool, *arguments: str) -> list[dict]:
    return json.loads(skilltool("lint", *arguments, "--output-format", "json").stdout)["diagnostics"]


def test_findings_are_those_of_lint_for_the_text_in_the_editor(
    edit: Edit, skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    file = make_skill(repo / "forms") / "SKILL.md"
    clean = file.read_text("utf-8")

    async def session(editor: Editor) -> list[lsp.Diagnostic]:
        assert await editor.open(file) == []
        broken = await editor.change(file, 2, BAD)
        assert await editor.change(file, 3, clean) == []
        assert (await editor.change(file, 4, BAD)) == broken
        editor.close(file)
        await editor.until(lambda: len(editor.published) == 5)
        assert list(editor.published[-1].diagnostics) == []
        return broken

    broken = edit(session)
    assert file.read_text("utf-8") == clean
    file.write_text(BAD, "utf-8")
    said = lint(skilltool, "forms")
    assert len(said) > 1
    severities = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}
    for mine, other in zip(broken, said, strict=True):
        assert mine.code == other["rule"]
        assert mine.severity == severities.get(other["severity"], lsp.DiagnosticSeverity.Information)
        assert mine.message.split("\n")[0] == other["message"]
        assert mine.range.start == lsp.Position(other["line"] - 1, other["column"] - 1)
        assert mine.range.end == lsp.Position(other["end_line"] - 1, other["end_column"] - 1)
        assert (mine.source, mine.code_description) == ("skilltool", None)


def test_a_runtime_judges_the_text_in_the_editor(edit: Edit, repo: Path, make_skill: MakeSkill) -> None:
    (repo / "skilltool.toml").write_text('runtimes = ["kodelet", "agent"]\n', "utf-8")
    file = make_skill(repo / "forms") / "SKILL.md"
    slow = f"---\nname: forms\n{DESCRIPTION}\ntriggers:\n  patterns: ['(a+)+$']\n---\n\n# Forms\n"

    async def session(editor: Editor) -> None:
        found = await editor.open(file, file.read_text("utf-8").replace("name: forms", "name: 2026"))
        assert "not-loaded" in {each.code for each in found}
        # A pattern is tried in a process of its own, which must not touch the conversation.
        assert "slow-trigger-pattern" in {each.code for each in await editor.change(file, 2, slow)}

    edit(session)


@pytest.mark.parametrize(
    ("offered", "chosen", "width"),
    [([], "utf-16", 2), (["utf-8", "utf-16"], "utf-8", 4), (["utf-32"], "utf-32", 1)],
)
def test_positions_count_in_the_units_that_were_agreed_on(
    edit: Edit, repo: Path, make_skill: MakeSkill, offered: list[str], chosen: str, width: int
) -> None:
    file = make_skill(repo / "forms") / "SKILL.md"
    # Neither U+2028 nor a form feed ends a line of the protocol.
    text = f"---\nname: forms\n{DESCRIPTION}\n---\n\n# Forms \u2028\x0c\n\n😀 [x](gone.md) 😀 [y](there.md)\n"
    (file.parent / "there.md").touch()

    async def session(editor: Editor) -> None:
        assert editor.encoding == chosen
        (found,) = await editor.open(file, text)
        begin = width + len(" [x](")
        assert found.range == lsp.Range(lsp.Position(7, begin), lsp.Position(7, begin + len("gone.md")))
        (link,) = await editor.links(file)
        begin += len("gone.md) ") + width + len(" [y](")
        assert link.range == lsp.Range(lsp.Position(7, begin), lsp.Position(7, begin + len("there.md")))
        emoji = text.replace("name: forms", "name: 😀forms")
        (_, found) = sorted(
            await editor.change(file, 2, emoji), key=lambda each: each.range.start, reverse=True
        )
        assert found.range.end.character == len("name: forms") + width
        assert await editor.hover(file, 1, found.range.end.character) is not None

    edit(session, abilities(encodings=offered))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_fixes_make_the_text_that_lint_makes(
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


def test_a_rename_is_proposed_only_to_who_can_do_it(edit: Edit, repo: Path, make_skill: MakeSkill) -> None:
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


def test_a_comment_switches_a_finding_off_and_nothing_else(
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


def test_settings_comments_and_ignores_count_as_for_lint(
    edit: Edit, skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    file = make_skill(repo / "skills" / "forms", BAD) / "SKILL.md"
    vendored = make_skill(repo / "vendor" / "forms", BAD) / "SKILL.md"
    settings = repo / "pyproject.toml"
    per_file = '[tool.skilltool.per-file-ignores]\n"skills/" = ["broken-link"]\n'
    severity = '[tool.skilltool.severity]\ninvalid-yaml = "info"\n'
    settings.write_text(f'[tool.skilltool]\nexclude = ["vendor/"]\n{per_file}{severity}', "utf-8")
    commented = BAD.replace("---\n", "---\n# skilltool: ignore[invalid-yaml] an example\n", 1)

    async def session(editor: Editor) -> None:
        (found,) = await editor.open(file)
        assert (found.code, found.severity) == ("invalid-yaml", lsp.DiagnosticSeverity.Information)
        assert await editor.open(vendored) == []
        assert await editor.change(file, 2, commented) == []
        settings.write_text("[tool.skilltool]\nexclud = []\n", "utf-8")
        assert await editor.change(file, 3, BAD) == []
        assert any("unknown key `exclud`" in text for text in editor.shown)
        settings.write_text('[tool.skilltool]\nselect = ["broken-link"]\n', "utf-8")
        editor.save(file)
        await editor.until(lambda: len(editor.published[-1].diagnostics) == 1)
        assert editor.published[-1].diagnostics[0].code == "broken-link"
        settings.write_text('[tool.skilltool]\nbaseline = "accepted.json"\n', "utf-8")
        skilltool("baseline", "-o", "accepted.json")
        assert await editor.change(file, 4, BAD) == []

    edit(session)


def test_a_configuration_that_changes_on_disk_counts_at_once(
    edit: Edit, repo: Path, make_skill: MakeSkill
) -> None:
    file = make_skill(repo / "forms", BAD) / "SKILL.md"

    async def session(editor: Editor) -> None:
        await editor.until(lambda: editor.watched)
        assert editor.watched == ["**/{skilltool,pyproject}.toml"]
        assert len(await editor.open(file)) > 1
        (repo / "skilltool.toml").write_text('select = ["broken-link"]\n', "utf-8")
        editor.changed(repo / "skilltool.toml")
        await editor.until(lambda: len(editor.published) == 2)
        assert [each.code for each in editor.published[-1].diagnostics] == ["broken-link"]

    edit(session, abilities(watches=True))


def test_what_is_no_skill_gets_nothing(edit: Edit, repo: Path, make_skill: MakeSkill) -> None:
    skill = make_skill(repo / "forms", BAD)
    page = skill / "references.md"
    page.write_text("[x](gone.md)\n", "utf-8")
    docs = make_skill(repo / "docs", "# A page about skills\n", file_name="skill.md") / "skill.md"

    async def session(editor: Editor) -> None:
        editor.send(page.as_uri(), page.read_text("utf-8"))
        editor.send("untitled:SKILL.md", BAD)
        editor.send("https://example.org/SKILL.md", BAD)
        assert await editor.open(docs) == []
        assert await editor.open(skill / "SKILL.md") != []
        assert {each.uri for each in editor.published} == {docs.as_uri(), (skill / "SKILL.md").as_uri()}
        assert await editor.hover(page, 0, 0) is None
        assert await editor.actions(page) == []

    edit(session)


def test_a_file_that_was_never_saved_is_checked_by_its_text(edit: Edit, repo: Path) -> None:
    file = repo / "not yet" / "there" / "SKILL.md"

    async def session(editor: Editor) -> None:
        text = f"---\nname: there\n{DESCRIPTION}\n---\n\n# Forms\n"
        assert await editor.open(file, text) == []
        assert "invalid-yaml" in {each.code for each in await editor.change(file, 2, BAD)}
        assert await editor.hover(file, 1, 7) is None
        assert await editor.links(file) == []

    edit(session)


def test_a_key_shows_its_facts_and_the_name_what_models_see(
    edit: Edit, repo: Path, make_skill: MakeSkill
) -> None:
    (repo / "skilltool.toml").write_text('runtimes = ["kodelet", "nfa", "agent"]\n', "utf-8")
    file = make_skill(repo / "skills" / "forms") / "SKILL.md"
    hostile = "````\\n# Broken out\\n<script>alert(1)</script> \\e[31m \u202e"
    text = f'---\nname: forms\ndescription: "x {hostile}"\ntriggers:\n  verbs: [fill]\n---\n\n# Forms\n'

    async def session(editor: Editor) -> tuple[str, str]:
        await editor.open(file, text)
        key, nested = await editor.hover(file, 2, 3), await editor.hover(file, 4, 4)
        assert "| agent, portable | needed, string, at most 500 |" in key
        assert "| agent, portable | array |" in nested
        for line, character in ((0, 1), (2, 20), (6, 0), (7, 3), (900, 0)):
            assert await editor.hover(file, line, character) is None
        shown = await editor.hover(file, 1, 8)
        await editor.change(file, 2, text.replace("name: forms", "name: 12"))
        return shown, await editor.hover(file, 1, 7)

    shown, refused = edit(session)
    assert [line for line in outside_of_fences(shown) if line] == [
        "What each target's model sees:",
        "**kodelet**: loaded",
        "**nfa**: loaded",
        "**agent**: loaded",
    ]
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "Available skills: forms" in shown
    assert "\\x1b[31m \\u202e" in shown
    assert "**kodelet**: refused\n```text\nkodelet skips it without a word: its name is missing" in refused


def outside_of_fences(markdown: str) -> list[str]:
    """The lines that a Markdown reader other than ours takes for no code."""
    from markdown_it import MarkdownIt

    lines = markdown.split("\n")
    for token in MarkdownIt("commonmark").parse(markdown):
        if token.type == "fence":
            lines[token.map[0] : token.map[1]] = [""] * (token.map[1] - token.map[0])
        assert token.type != "html_block"
    return lines


def test_keys_and_values_are_completed_also_where_the_text_is_broken(
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


def test_links_lead_to_files_of_the_skill_only(edit: Edit, repo: Path, make_skill: MakeSkill) -> None:
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


def test_a_large_text_that_is_typed_in_is_checked_when_the_typing_stops(
    edit: Edit, repo: Path, make_skill: MakeSkill
) -> None:
    file = make_skill(repo / "forms") / "SKILL.md"
    line = "Read [the page](gone.md), run `scripts/x.sh`, and see what it says about the form.\n\n"
    clean = f"---\nname: forms\n{DESCRIPTION}\n---\n\n# Forms\n\n"
    large = clean + "Read the form's fields before you fill them in.\n\n" * (1024 * 1024 // 49 - 200)

    async def session(editor: Editor) -> None:
        assert await editor.open(file, large) == []
        for version in range(2, 42):
            editor.type(file, version, f"{large}{'x' * version}")
        (found,) = await editor.change(file, 42, large + line.replace("`scripts/x.sh`", "it"))
        assert found.code == "broken-link"
        versions = [each.version for each in editor.published]
        assert versions == sorted(set(versions))
        assert len(versions) < 20  # and not 42: who types on is not waited for
        assert await editor.change(file, 43, large + "x" * 20_000) != []  # too large: that is one finding

    edit(session)


def test_a_handler_that_fails_is_logged_and_the_session_goes_on(repo: Path, make_skill: MakeSkill) -> None:
    file = make_skill(repo / "forms", BAD) / "SKILL.md"

    async def run() -> Editor:
        async with editing(repo) as editor:
            editor.send("file:///a%00b/SKILL.md", BAD)  # no file can be called that
            await editor.until(lambda: editor.logged)
            with pytest.raises(JsonRpcException, match="embedded null byte"):
                await editor.hover(Path("/a\0b/SKILL.md"), 1, 1)
            editor.type(repo / "never opened" / "SKILL.md", 2, BAD)
            await editor.until(lambda: any("KeyError" in each for each in editor.logged))
            assert await editor.open(file) != []
            assert await editor.hover(file, 1, 1) is not None
        return editor

    editor = asyncio.run(run())
    assert "internal error, please report it: ValueError" in editor.logged[0]
    assert "Traceback" in editor.stderr


def frame(method: str, number: int | None = None, **params: object) -> bytes:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    body = json.dumps(message if number is None else {**message, "id": number}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


@pytest.mark.parametrize(
    ("messages", "status"),
    [([frame("shutdown", 2), frame("exit")], 0), ([frame("exit")], 1), ([], 1)],
    ids=["shutdown and exit", "exit only", "the editor died"],
)
def test_the_end_of_the_session_ends_the_server(
    repo: Path, make_skill: MakeSkill, messages: list[bytes], status: int
) -> None:
    file = make_skill(repo / "forms", BAD) / "SKILL.md"
    item = {"uri": file.as_uri(), "languageId": "markdown", "version": 1, "text": BAD}
    said = [frame("initialize", 1, capabilities={}, processId=None, rootUri=None), frame("initialized")]
    said += [frame("textDocument/didOpen", textDocument=item), *messages]
    command = [sys.executable, "-m", "skilltool", "server", "--stdio"]
    run = subprocess.run(
        command, cwd=repo, input=b"".join(said), capture_output=True, timeout=60, check=False
    )
    assert (run.returncode, run.stderr) == (status, b"")
    rest = run.stdout
    while rest:  # nothing but messages
        head, _, body = rest.partition(b"\r\n\r\n")
        length = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
        assert json.loads(body[:length])["jsonrpc"] == "2.0"
        rest = body[length:]


def test_without_its_packages_the_command_says_how_to_get_them(repo: Path) -> None:
    program = "import sys; sys.modules['pygls'] = sys.modules['lsprotocol'] = None\n"
    program += "sys.argv = ['skilltool', 'server']\nfrom skilltool.cli import main\nmain()\n"
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=repo, capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    said = "the language server needs lsprotocol; install it with: pip install 'skilltool[server]'"
    assert run.stderr == f"skilltool: {said}\n"

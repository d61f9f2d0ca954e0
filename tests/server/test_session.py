"""The language server as a process: busy, failing, ended, or without its dependencies."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.conftest import MakeSkill
from tests.server.conftest import BAD, DESCRIPTION, Edit
from tests.server.editor import Editor, abilities, editing
from tests.support import hanging


@pytest.mark.slow
def test_a_large_text_is_checked_when_the_typing_stops(edit: Edit, repo: Path, make_skill: MakeSkill) -> None:
    file = make_skill(repo / "forms") / "SKILL.md"
    line = "Read [the page](gone.md), run `scripts/x.sh`, and see what it says about the form.\n\n"
    clean = f"---\nname: forms\n{DESCRIPTION}\n---\n\n# Forms\n\n"
    large = clean + "Read the form's fields before you fill them in.\n\n" * (1024 * 1024 // 49 - 200)

    async def session(editor: Editor) -> None:
        assert [each.code for each in await editor.open(file, large)] == ["oversized-file"]
        for version in range(2, 42):
            editor.type(file, version, f"{large}{'x' * version}")
        found = await editor.change(file, 42, large + line.replace("`scripts/x.sh`", "it"))
        assert {each.code for each in found} == {"broken-link", "oversized-file"}
        versions = [each.version for each in editor.published]
        assert versions == sorted(set(versions))
        assert len(versions) < 20  # not 42: texts that were replaced are not checked
        assert await editor.change(file, 43, large + "x" * 20_000) != []  # too large: that is one finding

    edit(session)


@pytest.mark.slow
def test_a_handler_that_fails_is_logged_and_the_session_goes_on(repo: Path) -> None:
    said = [frame("initialize", 1, capabilities={}, processId=None, rootUri=None), frame("initialized")]
    said += [frame("textDocument/didClose", textDocument={"uri": "file:///a/SKILL.md"})]
    said += [frame("shutdown", 2), frame("exit")]
    program = "from skilltool.server import server, stdio\n"
    program += "server.Server.close_document = None  # a defect of ours\nraise SystemExit(stdio.serve())\n"
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=repo,
        input=b"".join(said),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0
    (logged,) = [each["params"]["message"] for each in messages(run.stdout) if "params" in each]
    assert logged.startswith("skilltool: internal error (please report it): ")
    assert run.stderr.count(b"handlers.py") == 1


@pytest.mark.slow
def test_invalid_messages_are_answered_or_logged_in_one_line(repo: Path, make_skill: MakeSkill) -> None:
    file = make_skill(repo / "forms", BAD) / "SKILL.md"
    nul = "file:///a%00b/SKILL.md"  # no file can be called that

    def hover(number: int, line: object, uri: str = file.as_uri()) -> bytes:
        place = {"line": line, "character": 0}
        return frame("textDocument/hover", number, textDocument={"uri": uri}, position=place)

    opened = {"languageId": "markdown", "version": 1, "text": BAD}
    changed = {"textDocument": {"uri": "file:///never/SKILL.md", "version": 2}, "contentChanges": []}
    said = [frame("initialize", 1, capabilities={}, processId=None, rootUri=None), frame("initialized")]
    said += [frame("textDocument/didOpen", textDocument={"uri": file.as_uri(), **opened})]
    said += [frame("textDocument/didOpen", textDocument={"uri": nul, **opened})]
    said += [hover(2, -1), hover(3, "x"), hover(4, 0, nul), frame("textDocument/didChange", **changed)]
    said += [b"Content-Length: 1\r\n\r\n{", hover(5, 1), frame("shutdown", 6), frame("exit")]
    command = [sys.executable, "-m", "skilltool", "server"]
    run = subprocess.run(
        command, cwd=repo, input=b"".join(said), capture_output=True, timeout=60, check=False
    )
    assert run.returncode == 0
    answers = {each["id"]: each for each in messages(run.stdout) if "id" in each}
    assert [answers[number]["error"]["code"] for number in (2, 3)] == [-32602, -32602]
    assert answers[4]["result"] is None
    assert {5, 6} <= set(answers)
    log = run.stderr.decode().splitlines()
    head = "skilltool: ignored an invalid message from the editor: "
    assert log[:2] == [f"{head}invalid parameters for textDocument/hover"] * 2
    assert log[2] == f"{head}document is not open: file:///never/SKILL.md"
    assert log[3].startswith(f"{head}Expecting property name")
    assert len(log) == 4


@pytest.mark.slow
def test_the_working_directory_may_be_deleted(repo: Path, tmp_path: Path, make_skill: MakeSkill) -> None:
    file = make_skill(repo / "forms", BAD) / "SKILL.md"
    start = tmp_path / "start"
    start.mkdir()

    async def run() -> Editor:
        async with editing(start) as editor:
            start.rmdir()
            assert await editor.open(file) != []
            assert await editor.hover(file, 1, 1) is not None
        return editor

    assert asyncio.run(run()).stderr == ""


def frame(method: str, number: int | None = None, **params: object) -> bytes:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    body = json.dumps(message if number is None else {**message, "id": number}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def messages(rest: bytes) -> list[dict]:
    """The messages on a stream that holds nothing else."""
    found = []
    while rest:
        head, _, body = rest.partition(b"\r\n\r\n")
        length = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
        found.append(json.loads(body[:length]))
        assert found[-1]["jsonrpc"] == "2.0"
        rest = body[length:]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("last", "status"),
    [([frame("shutdown", 2), frame("exit")], 0), ([frame("exit")], 1), ([], 1)],
    ids=["shutdown and exit", "exit only", "the editor died"],
)
def test_the_end_of_the_session_ends_the_server(
    repo: Path, make_skill: MakeSkill, last: list[bytes], status: int
) -> None:
    file = make_skill(repo / "forms", BAD) / "SKILL.md"
    item = {"uri": file.as_uri(), "languageId": "markdown", "version": 1, "text": BAD}
    said = [frame("initialize", 1, capabilities={}, processId=None, rootUri=None), frame("initialized")]
    said += [frame("textDocument/didOpen", textDocument=item), *last]
    command = [sys.executable, "-m", "skilltool", "server", "--stdio"]
    run = subprocess.run(
        command, cwd=repo, input=b"".join(said), capture_output=True, timeout=60, check=False
    )
    assert (run.returncode, run.stderr) == (status, b"")
    assert messages(run.stdout)


@pytest.mark.slow
def test_without_its_dependencies_the_command_says_how_to_install_them(repo: Path) -> None:
    program = "import sys; sys.modules['pygls'] = sys.modules['lsprotocol'] = None\n"
    program += "sys.argv = ['skilltool', 'server']\nfrom skilltool.cli import main\nmain()\n"
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=repo, capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    said = "the language server needs lsprotocol; install it with: pip install 'skilltool[server]'"
    assert run.stderr == f"skilltool: {said}\n"


@pytest.mark.slow
def test_a_skill_that_takes_for_ever_gets_a_finding_and_holds_up_nothing(
    edit: Edit, repo: Path, make_skill: MakeSkill, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in hanging.environment(tmp_path / "hook").items():
        monkeypatch.setenv(name, value)
    slow = make_skill(repo / "list-hang") / "SKILL.md"
    good = make_skill(repo / "good", "---\nname: good\n---\n\nText.\n") / "SKILL.md"

    async def session(editor: Editor) -> None:
        editor.send(slow.as_uri(), slow.read_text("utf-8"))
        editor.send(good.as_uri(), good.read_text("utf-8"))
        (found,) = await editor.findings(slow, 1)
        assert (found.code, found.severity) == ("over-bound", lsp.DiagnosticSeverity.Error)
        assert found.range == lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        assert found.message == "check took more than 2 seconds, skilltool's limit for one skill"
        assert "missing-field" in {each.code for each in await editor.findings(good, 1)}
        assert await editor.hover(slow, 1, 1) is None
        assert await editor.actions(slow) == []
        (again,) = await editor.change(slow, 2, "changed\n")
        assert again.code == "over-bound"
        assert await editor.actions(good) != []

    edit(session, abilities())

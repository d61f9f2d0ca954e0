"""Pages follow changes: what was saved is reloaded, and nothing that vanishes ends the server."""

from __future__ import annotations

import asyncio
import http.client
import shutil
from pathlib import Path
from typing import Any

import pytest

from skilltool.cli.preview import CommandSource
from skilltool.cli.sessions import SessionOptions
from skilltool.preview.app import application
from skilltool.preview.live import Live
from skilltool.preview.worker import Where, Worker
from tests.conftest import MakeSkill, Skilltool
from tests.preview.browsing import Preview
from tests.support.terminal import PATIENCE


@pytest.mark.slow
def test_a_save_is_news_and_a_broken_skill_keeps_its_place(
    repo: Path, make_skill: MakeSkill, tmp_path: Path
) -> None:
    directory = make_skill(repo / ".claude/skills/pdf")
    with Preview(repo, home=tmp_path) as preview:
        ((_, address),) = preview.skills().items()
        connection = http.client.HTTPConnection("127.0.0.1", preview.port, timeout=PATIENCE)
        connection.request("GET", "/events")
        news = connection.getresponse()
        first = [news.readline() for _ in range(3)]
        (directory / "SKILL.md").write_text("---\nname: [\n---\n", "utf-8")
        assert [news.readline() for _ in range(3)] != first
        assert "reloaded" in preview.line()
        assert preview.skills() == {".claude/skills/pdf": address}
        assert "invalid-yaml" in preview.page(address)
        connection.close()


@pytest.mark.slow
def test_a_directory_may_vanish_and_come_back(repo: Path, make_skill: MakeSkill, tmp_path: Path) -> None:
    make_skill(repo / "project/.claude/skills/pdf")
    with Preview(repo, "project", home=tmp_path) as preview:
        ((path, address),) = preview.skills().items()
        shutil.rmtree(repo / "project")
        assert "no such directory" in preview.line()
        assert "Not up to date" in preview.page("/")
        make_skill(repo / "project/.claude/skills/pdf")
        while "reloaded" not in preview.line():
            pass
        assert preview.skills() == {path: address}
        assert "Not up to date" not in preview.page("/")
        assert preview.end() == 130


@pytest.mark.slow
def test_a_skill_that_is_gone_is_waited_for(repo: Path, make_skill: MakeSkill, tmp_path: Path) -> None:
    directory = make_skill(repo / ".claude/skills/pdf")
    with Preview(repo, ".claude/skills/pdf", home=tmp_path) as preview:
        ((_, address),) = preview.skills().items()
        shutil.rmtree(directory)
        preview.line()
        status, _, content = preview.ask(address)
        assert status == 404
        assert b"This skill is gone" in content
        make_skill(directory)
        while preview.ask(address)[0] == 404:
            preview.line()


def test_what_cannot_be_done_is_said_at_once(skilltool: Skilltool, repo: Path) -> None:
    assert "missing: no such directory" in skilltool("preview", "missing", "--no-open").stderr
    assert "--args needs --export" in skilltool("preview", "--args", "x").stderr
    assert skilltool("preview", "--export", "x.html", "--port", "1").returncode == 2


@pytest.mark.slow
def test_a_page_that_is_made_while_something_changes_is_older_than_the_change(
    repo: Path, make_skill: MakeSkill, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_skill(repo / ".claude/skills/pdf")
    monkeypatch.setenv("HOME", str(repo))
    worker = Worker(Where(CommandSource(repo, ("claude-code",), SessionOptions(repo), None), str(repo)))
    try:
        live = Live(worker, worker.refresh(), print)
    finally:
        worker.end()
    sent: list[bytes] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message.get("body", b""))

    async def ask() -> None:
        headers = [(b"host", b"localhost")]
        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": headers}
        answer = asyncio.ensure_future(application(live, worker)(scope, receive, send))
        await asyncio.sleep(0)  # the page is made on another thread now
        live.version += 1
        await answer

    asyncio.run(ask())
    assert b'data-version="1"' in b"".join(sent)

"""One language server for many tests, as one editor has many files open."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from tests.server.editor import Editor, editing

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

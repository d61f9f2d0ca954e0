"""Parts of the language server on arbitrary text: positions round-trip, and no request fails."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from skilltool.findings.finding import applied
from skilltool.server.analysis import Analysis, Editor
from skilltool.server.code_actions import EditCapabilities, _max_findings, code_actions, minimal_edits
from skilltool.server.completion import completions
from skilltool.server.diagnostics import lsp_diagnostics
from skilltool.server.document import Document, Positions, path_from_uri, sibling_uri
from skilltool.server.document_links import document_links
from skilltool.server.hover import hover
from skilltool.server.model_view import code_block
from skilltool.server.worker import Scheduler
from skilltool.text.source import Source

ANY = st.text(st.sampled_from("ab :-\n\r\t`[](){}#'\"|>&*!%@\u2028\x0c\x00\ufeff\U0001f600é"), max_size=60)
LINES = [
    "---",
    "--- ",
    "name: a",
    "name: 2026",
    "description: a: b",
    "triggers:",
    "  verbs: [a]",
    "  patterns:",
]
LINES += [
    "    - '('",
    "[x](a.md) 😀",
    "```sh",
    "- [x](a.md)",
    "> a",
    "",
    "# skilltool: ignore[x] y",
    "\t",
    "\ufeff---",
]
SKILLS = st.lists(st.sampled_from(LINES), max_size=12).flatmap(
    lambda lines: st.sampled_from(["\n", "\r\n", "\r"]).map(lambda end: end.join(lines))
)
ENCODINGS = st.sampled_from(["utf-8", "utf-16", "utf-32"])
EVERYTHING = lsp.Range(lsp.Position(0, 0), lsp.Position(10_000, 0))


@given(ANY, ENCODINGS)
def test_positions_round_trip(text: str, encoding: str) -> None:
    positions = Positions(Source(text), encoding)
    for offset in range(len(text) + 1):
        there = positions.position(offset)
        if text[offset - 1 : offset + 1] != "\r\n":  # not a position of the protocol
            assert positions.offset(there) == offset
    assert positions.offset(lsp.Position(10_000, 3)) == len(text)
    assert positions.offset(lsp.Position(0, 10_000)) == Source(text).line_span(0).end


def test_a_position_inside_a_character_is_its_start() -> None:
    assert Positions(Source("a😀b"), "utf-16").offset(lsp.Position(0, 2)) == 1
    assert Positions(Source("a😀b"), "utf-8").offset(lsp.Position(0, 4)) == 1


@given(ANY, ANY, ANY, ANY)
def test_minimal_edits_turn_one_text_into_the_other(before: str, old: str, new: str, after: str) -> None:
    one, other = before + old + after, before + new + after
    edits = minimal_edits(one, other)
    assert applied(one, edits) == other
    assert len(edits) == (one != other)
    assert all(each.end - each.start <= len(old) or len(new) > 0 for each in edits)


@pytest.mark.parametrize(
    ("length", "lines"), [(2_000, ["x" * 2_000]), (2_001, ["x" * 2_000, "… 1 more characters"])]
)
def test_a_code_block_has_so_many_characters_of_a_text(length: int, lines: list[str]) -> None:
    assert code_block("x" * length).split("\n") == ["```text", *lines, "```"]


@given(ANY)
def test_no_text_ends_its_code_block(text: str) -> None:
    first, *inner, last = code_block(text).split("\n")
    assert first == f"{last}text"
    assert set(last) == {"`"}
    assert not any(last in line for line in inner)
    assert all(line.isprintable() or "\u200d" in line for line in inner)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("repo")
    (top / ".git").mkdir()
    (top / "a").mkdir()
    (top / "a" / "SKILL.md").write_text("---\nname: a\n---\n", "utf-8")
    return top / "a" / "SKILL.md"


@pytest.mark.slow
@given(text=st.one_of(SKILLS, ANY), encoding=ENCODINGS)
def test_every_request_succeeds_for_any_text(file: Path, text: str, encoding: str) -> None:
    analysis = Analysis(Document.of(file.as_uri(), file, 1, text), Editor(encoding))
    with analysis.using_editor_text():
        assert len(lsp_diagnostics(analysis)) == len(analysis.diagnostics)
        code_actions(analysis, EVERYTHING, None, EditCapabilities(True, True))
        document_links(analysis)
        for line in range(text.count("\n") + 2):
            for character in (0, 3, 7):
                hover(analysis, lsp.Position(line, character))
                completions(analysis, lsp.Position(line, character))


POSIX = pytest.mark.skipif(os.name == "nt", reason="a path with a colon")


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b%20c/SKILL.md", "/a/b c/SKILL.md"),
        ("file:///a;b/%F0%9F%98%80%25%3F.md", "/a;b/😀%?.md"),
        ("file://localhost/a.md", "/a.md"),
        pytest.param("file:///a:%FF/b", "/a:\udcff/b", marks=POSIX),
        ("file://server/a.md", None),
        ("untitled:SKILL.md", None),
        ("https://example.org/SKILL.md", None),
        ("file:", None),
        ("file://[/SKILL.md", None),
        ("", None),
    ],
)
def test_only_files_have_paths(uri: str, path: str | None) -> None:
    assert path_from_uri(uri) == (None if path is None else Path(path))


def test_a_sibling_uri_keeps_the_client_s_spelling() -> None:
    uri = "file:///c%3A/a%2Bb/s/SKILL.md"
    assert sibling_uri(uri, "pages/é?.md") == "file:///c%3A/a%2Bb/s/pages/%C3%A9%3F.md"
    assert sibling_uri(uri, "../t") == "file:///c%3A/a%2Bb/t"


def test_only_the_newest_task_of_a_document_runs() -> None:
    done: list[str] = []

    async def typing() -> None:
        scheduler = Scheduler(lambda error: done.append(repr(error)))
        started, hold = threading.Event(), threading.Event()

        async def check(name: str) -> None:
            await scheduler.run_on_thread(lambda: (started.set(), hold.wait(), done.append(name)))

        scheduler.schedule("a", 0, partial(check, "a running"))
        while not started.is_set():
            await asyncio.sleep(0)
        for number in range(40):
            scheduler.schedule("a", 0, partial(check, f"a {number}"))
            scheduler.schedule("b", 0, partial(check, "b"))
            await asyncio.sleep(0)
        scheduler.schedule("c", 60, partial(check, "c"))
        hold.set()
        while len(done) < 3:
            await asyncio.sleep(0)
        await scheduler.run_on_thread(lambda: None)  # what else there is would have been done before
        scheduler.cancel("c")
        scheduler.shutdown()

    asyncio.run(typing())
    assert done == ["a running", "a 39", "b"]


def test_an_exception_in_a_task_is_reported() -> None:
    reported: list[BaseException] = []

    async def failing() -> None:
        scheduler = Scheduler(reported.append)

        async def check() -> None:
            await scheduler.run_on_thread(lambda: 1 // 0)

        scheduler.schedule("a", 0, check)
        while not reported:
            await asyncio.sleep(0)
        scheduler.shutdown()

    asyncio.run(failing())
    assert [type(error) for error in reported] == [ZeroDivisionError]


@pytest.mark.slow
def test_nothing_else_reads_or_writes_the_conversation() -> None:
    program = (
        "import subprocess\nfrom skilltool.server.stdio import _streams\n"
        "read, write = _streams()\nprint('stray', flush=True)\nsubprocess.run(['cat'])\n"
        "subprocess.run(['echo', 'child'])\nwrite.write(read.read())\nwrite.flush()\n"
    )
    run = subprocess.run([sys.executable, "-c", program], input=b"kept", capture_output=True, check=True)
    assert (run.stdout, run.stderr) == (b"kept", b"stray\nchild\n")


@pytest.mark.parametrize(
    ("length", "number"), [(10, 50), (39_999, 50), (40_000, 49), (1_999_999, 1), (5_000_000, 1)]
)
def test_the_longer_a_text_the_fewer_findings_get_actions(length: int, number: int) -> None:
    document = Document.of("file:///a/SKILL.md", Path("/a/SKILL.md"), 1, "x" * length)
    assert _max_findings(Analysis(document, Editor("utf-8"))) == number

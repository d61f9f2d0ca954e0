"""Names that strangers choose, of skills, files, links, the project and the home, in every command.

No name ends a command, reaches a terminal as a control character, or is taken for a command by a CI runner,
and what is printed still says which file is meant.
"""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from skilltool.text.printable import printable
from tests.preview.browsing import Preview, harmful
from tests.support.terminal import PATIENCE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux", reason="elsewhere a name is always text, or has no such signs"
    ),
]
NAMES = [
    "not-utf8-\udcff",
    "half-a-pair-\udced\udca0\udc80",
    "line\nend",
    "return\r",
    "line\n::error file=a",
    "::error title=x",
    "##[error]x",
    "esc\x1b[31mred",
    "link\x1b]8;;x\x1b\\y",
    "c1-\x9b31m",
    "bidi\u202e\u2066",
    "ends\u2028",
    "tag\U000e0041",
    "bell\x07\x08\x7f",
    "tab\t",
    "pipe|",
    "tick`",
    "<script>alert(1)<",
    "[a](b)",
    "quote'\"",
    "per%0Acent",
    "&amp;#{x}*",
    "$(touch x)",
    "--help",
    "-",
]
ODD = "a\udcff\n::error b\x1b]8;;x\x1b\\\u202e|`<script>"
_RAW = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)
_COMMAND = re.compile(r"^[^\S\n]*::|##\[", re.MULTILINE)
_OF_GITHUB = re.compile(r"::(?:error|warning|notice) (?:title|file)=[^\n]*$")


class Places(NamedTuple):
    """A project with a skill of each name, and a home directory; both have odd names, too."""

    project: Path
    home: Path


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    top = tmp_path_factory.mktemp("odd")
    found = Places(top / ODD, top / f"home {ODD}")
    for name in [*NAMES, ODD]:
        _write(found.project / ".claude/skills" / name)
    _write(found.project / "skills" / ODD)
    _write(found.home / ".claude/skills" / ODD)
    (found.project / ".git").mkdir()
    return found


def _write(directory: Path) -> None:
    (directory / "scripts").mkdir(parents=True)
    description = "Fills in forms. Use when asked."
    text = f"---\nname: pdf\ndescription: {description}\n---\n# Forms\n\nSee [f](missing.md).\n"
    (directory / "SKILL.md").write_text(text, "utf-8")
    (directory / f"{directory.name}.md").write_text("[q](nope.md)\n", "utf-8")
    (directory / "scripts" / directory.name).write_text("x", "utf-8")
    (directory / f"link {directory.name}").symlink_to(f"{directory.name}-gone")
    (directory / "link-out").symlink_to(f"/tmp/{directory.name}-gone")


def run(places: Places, *arguments: str, **environment: str) -> tuple[int, str, str]:
    """Return the exit status of a command, and what it wrote to both streams, which must be UTF-8."""
    done = subprocess.run(
        [sys.executable, "-m", "skilltool", *arguments],
        cwd=places.project,
        env={**os.environ, "HOME": str(places.home), **environment},
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE * 4,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


IN_PLACE = f".claude/skills/{ODD}"
COMMANDS: list[tuple[str, ...]] = [
    *(
        ("lint", "--output-format", name)
        for name in ["full", "concise", "grouped", "json", "jsonl", "gitlab", "sarif", "junit", "rdjson"]
    ),
    ("lint", "--statistics"),
    ("lint", "--show-settings"),
    ("lint", "--runtime", "all", "--output-format", "concise"),
    ("lint", "--diff", "--unsafe-fixes"),
    ("lint", IN_PLACE),
    ("lint", f"nope{ODD}"),
    ("lint", "--config", f"nope{ODD}"),
    ("lint", "--select", ODD),
    ("lint", "--runtime", ODD),
    ("lint", "-o", f"no/{ODD}"),
    ("lint", "--baseline", f"nope{ODD}"),
    ("lint", "--exclude", ODD),
    ("resolve",),
    ("resolve", "--runtime", "claude-code"),
    ("resolve", "--runtime", "all"),
    ("resolve", "--output-format", "json"),
    ("resolve", "--explain"),
    ("resolve", ODD),
    ("resolve", IN_PLACE),
    ("resolve", "pdf", "--runtime", "all"),
    ("resolve", "--root", f"x={ODD}"),
    ("resolve", "--set", f"{ODD}=1"),
    ("render", ODD, "--output-format", "json"),
    ("render", ODD, "--part", "prompt", "--runtime", "claude-code", "--output-format", "json"),
    ("render", f"nope{ODD}"),
    ("cost",),
    ("cost", "--details"),
    ("cost", "--output-format", "json"),
    ("cost", "--runtime", "all"),
    ("cost", IN_PLACE),
    ("preview", f"nope{ODD}", "--no-open"),
    ("preview", "--export", f"../{ODD}.html", IN_PLACE),
    ("pack", IN_PLACE),
    ("pack", IN_PLACE, "-o", f"../{ODD}.zip"),
    ("pack", "--check", f"nope{ODD}"),
    ("pack", IN_PLACE, "--index", f"../index {ODD}"),
    ("survey", ".", "--out", f"../tables {ODD}"),
    ("survey", f"nope{ODD}", "--out", "../none"),
    ("baseline", "-o", f"../{ODD}.json"),
    ("new", ODD),
    ("new", "good", "--template", ODD),
    ("new", "good", "--output", f"../new {ODD}", "--no-input"),
    ("clean", "--cache-dir", f"../cache {ODD}"),
    ("rule", ODD),
    ("runtimes", ODD),
    ("schema", ODD),
    ("completion", ODD),
    ("server", ODD),
    (ODD,),
]


@pytest.mark.together
@pytest.mark.parametrize("arguments", COMMANDS, ids=ascii)
def test_names_are_escaped_and_end_no_command(places: Places, arguments: tuple[str, ...]) -> None:
    status, written, said = run(places, *arguments)
    assert status in {0, 1, 2}, said
    assert "Traceback" not in said
    assert "internal error" not in written + said
    for text in (written, said):
        assert _RAW.search(text) is None
        assert _COMMAND.search(text) is None


@pytest.mark.parametrize("name", ["full", "concise", "grouped"])
def test_each_file_is_named(places: Places, name: str) -> None:
    _, written, _ = run(places, "lint", "--output-format", name)
    for each in [*NAMES, ODD]:
        assert printable(f".claude/skills/{each}/SKILL.md") in written


def test_reports_for_programs_are_valid(places: Places) -> None:
    """Nothing in a name ends a value, an element or a line."""
    for name in ("json", "sarif", "gitlab", "rdjson"):
        assert json.loads(run(places, "lint", "--output-format", name)[1])
    lines = run(places, "lint", "--output-format", "jsonl")[1].splitlines()
    paths = {json.loads(line)["path"] for line in lines}
    assert {f".claude/skills/{each}/SKILL.md" for each in NAMES} <= paths or len(paths) > len(NAMES)
    assert len(ElementTree.fromstring(run(places, "lint", "--output-format", "junit")[1])) > 0
    annotations = run(places, "lint", "--output-format", "github")[1].splitlines()
    assert len(annotations) > len(NAMES)
    assert [line for line in annotations if line.startswith("::") and not _OF_GITHUB.match(line)] == []


EXACT = [
    ("pdf", "--runtime", "claude-code"),
    (ODD, "--part", "prompt", "--runtime", "claude-code"),
    (IN_PLACE, "--runtime", "all"),
]


@pytest.mark.parametrize("arguments", EXACT, ids=ascii)
def test_exact_text_is_escaped_in_the_log_of_a_job(places: Places, arguments: tuple[str, ...]) -> None:
    """A pipe gets it byte for byte."""
    _, written, said = run(places, "render", *arguments, GITHUB_ACTIONS="true")
    assert _RAW.search(written + said) is None
    assert _COMMAND.search(written + said) is None


@pytest.mark.parametrize("command", ["lint", "resolve", "cost"])
def test_watching_goes_on(places: Places, command: str) -> None:
    file = places.project / "skills" / ODD / "SKILL.md"
    with subprocess.Popen(
        [sys.executable, "-m", "skilltool", command, "--watch"],
        cwd=places.project,
        env={**os.environ, "HOME": str(places.home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        assert process.stdout is not None
        written = b""
        changed = False
        try:
            while written.count(b"waiting for changes") < 2:
                assert select.select([process.stdout], [], [], PATIENCE)[0], written[-500:]
                more = os.read(process.stdout.fileno(), 65_536)
                assert more, written[-500:]
                written += more
                if b"waiting for changes" in written and not changed:
                    changed = True
                    with file.open("ab") as opened:
                        opened.write(b"More.\n")
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)
    assert _RAW.search(written.decode()) is None


@pytest.fixture(scope="module")
def preview(places: Places) -> Iterator[Preview]:
    with Preview(places.project, home=places.home) as started:
        yield started


def test_each_page_of_the_preview_answers(preview: Preview) -> None:
    """Its text, its title included, holds no control character as such."""
    own = {"script /static/server.js", "link /static/mark.svg", "link /static/style.css"}
    addresses = ["/", *preview.skills().values()]
    assert len(addresses) > len(NAMES)
    for address in addresses:
        page = preview.page(address)
        assert set(harmful(page)) <= own
        raw = _RAW.search(page)
        assert raw is None, page[max(raw.start() - 200, 0) : raw.end() + 60]

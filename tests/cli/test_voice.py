"""Whatever others wrote, no command prints a line that a terminal or a CI runner obeys, in any format."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import chdir
from io import BytesIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.cli import COMMANDS, main
from skilltool.report import FORMATS
from skilltool.report.github import MOST
from skilltool.text.printable import printable, safe_lines, safe_text
from tests.conftest import FULL, MakeSkill, Skilltool, slowest
from tests.support.terminal import Terminal

PARTS = [
    *("::error file=x::y", "\n::add-mask::e", "\r::stop-commands::t", "\n \u3000::group::g", "\u2028::w::x"),
    *("##[command]x", "\n##vso[task.setvariable variable=a]b", "##teamcity[x]", "###[error]", "#", "[error]"),
    *("\x1b[31m", "\x1b]8;;http://x\x07", "\x1b[2J", "\x9b31m", "\x0b", "\x0c", "\x85", "\x7f", "\b", "\t"),
    *("\u202e", "\u2066", "\u200f", "\ufeff", "\U000e0041", "\u2029"),
    *("{{x}}", "`", '"', "\\", "'", " ", "a", "é"),
]
TEXT = st.lists(st.sampled_from(PARTS), min_size=1, max_size=4).map("".join)
BIDIRECTIONAL = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
RUNNER = re.compile(r"(?i)##(vso|teamcity)?\[")
ANNOTATION = re.compile(r"::(error|warning|notice) title=skilltool \([\w-]+\),file=[^:,]*,line=\d+,[^:]*::\S")
COLOUR = re.compile(r"\x1b\[[\d;]*m")


class Run(NamedTuple):
    """What one command line printed in this process."""

    status: int
    out: str
    err: str


def run(arguments: Sequence[str], **environment: str) -> Run:
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8") for _ in range(2))
    with (
        patch.object(sys, "argv", ["skilltool", *arguments]),
        patch.object(sys, "stdout", out),
        patch.object(sys, "stderr", err),
        patch.dict(os.environ, environment),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    texts = (stream.buffer.getvalue().decode("utf-8") for stream in (out, err))  # type: ignore[attr-defined]
    return Run(int(ended.value.code or 0), *texts)


def harmful(printed: str, tabs: bool = False) -> list[str]:
    """Return the lines that move a cursor, reorder text, or that a runner may obey."""
    return [
        line
        for line in printed.split("\n")
        if any(unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} for c in line if not (tabs and c == "\t"))
        or any(c in BIDIRECTIONAL for c in line)
        or line.lstrip().startswith("::")
        or RUNNER.search(line)
    ]


def file_name(text: str) -> str:
    return text.replace("/", "_").replace("\0", "_")[:60]


def write_tree(top: Path, text: str) -> None:
    """Write skills and a configuration in which every name, value and text is `text`."""
    (top / ".git").mkdir()
    name = file_name(text)
    front = f"name: {json.dumps(text)}\ndescription: {json.dumps(text)}\n{json.dumps(text)}: 1\n"
    for each in map(runtimes.get, runtimes.BARE):
        for number, folder in enumerate((name, f"{name}-2")):
            skill = top / each.id / folder
            skill.mkdir(parents=True)
            body = (
                f"---\n{front}---\r\n\n{text}\n[x]({text}) [y](gone.md) <!-- skilltool: ignore[{text}] -->\n"
            )
            if number:
                body = f"---\nname: {text}\ndescription: [{text}\n---\n"
            (skill / "SKILL.md").write_bytes(body.encode())
            (skill / f"{name}.md").write_bytes(text.encode())
    pattern = json.dumps(text, ensure_ascii=True).replace("\x7f", "\\u007f")
    pattern = re.sub(r"\\u([dD][89a-bA-B]..)\\u(....)", "_", pattern)
    (top / "skilltool.toml").write_text(f"[per-file-ignores]\n{pattern} = ['broken-link']\n", "utf-8")
    good = top / "good"
    good.mkdir()
    (good / "SKILL.md").write_text("---\nname: good\ndescription: Fills in forms.\n---\n\nText.\n", "utf-8")
    (good / name.strip(". \t")).write_bytes(text.encode())
    (top / "wrong.toml").write_text(f"{pattern} = {pattern}\n", "utf-8")
    (top / "broken.toml").write_bytes(f"select = [{text}".encode())


def lint_calls(text: str) -> Iterator[list[str]]:
    lint = ["lint", "--no-cache", "--jobs", "1"]
    for output_format in FORMATS:
        every = ["--select", "all", "--runtime", "all", "--output-format", output_format]
        yield [*lint, *every, runtimes.BARE[0], "good"]
    yield from ([*lint, "--statistics"], [*lint, "--diff"], [*lint, "--show-settings"], [*lint, text])
    for option in ("--select", "--runtime", "--config", "--baseline", "--output-format", "--stdin-filename"):
        yield [*lint, option, text]
    yield from ([*lint, "--config", "wrong.toml"], [*lint, "--config", "broken.toml"], [*lint, f"--{text}"])


def calls(text: str) -> Iterator[list[str]]:
    """Yield command lines that print the tree, or `text` as an argument."""
    yield from lint_calls(text)
    name = file_name(text)
    for each in map(runtimes.get, runtimes.BARE):
        root = f"{each.roots[-1].role}={each.id}" if each.roots else each.id
        here = ["--runtime", each.id, "--root", root, "--home", "."]
        yield ["resolve", *here]
        yield ["resolve", *here, "--output-format", "json"]
        for key in dict.fromkeys((text, name)):
            yield ["resolve", *here, "--", key]
            yield ["render", *here, "--", key]
            yield ["render", *here, "--output-format", "json", "--", key]
        yield ["render", *here, "--part", "catalog"]
        yield ["resolve", *here, "--set", text]
        yield ["resolve", *here, "--root", text]
    yield from calls_for_several(text, name)
    for command in COMMANDS:
        if command != "server":
            yield [command, "--", text]
            yield [command, f"--{text}"]
    skill = f"{runtimes.BARE[0]}/{name}"
    yield ["pack", skill, "-o", "out.skill"]
    yield ["pack", "good", "-o", f"./{name}.skill"]
    yield ["pack", "--check", f"./{name}.skill"]
    yield ["pack", "--check", f"{skill}/SKILL.md"]
    yield ["baseline", "--no-cache", "-o", f"./{name}.json"]
    yield ["clean", "--cache-dir", f"./{name}"]
    yield ["new", "--no-input", "--dry-run", "--description", text, "--output", f"./{name}", "made"]
    yield ["new", "--no-input", "--data", text, "made"]
    yield ["new", "--no-input", "--template", text, "made"]
    yield ["lint", "--no-cache", "--fix", "--unsafe-fixes", "--show-fixes", "--jobs", "1"]
    yield [text]


def calls_for_several(text: str, name: str) -> Iterator[list[str]]:
    """Yield command lines that ask several runtimes at once, about copies in the directories of each."""
    roots = ["--root", "project=kodelet", "--root", "user=nfa"]
    for more in (["--home", "."], ["--home", ".", *roots]):
        for form in ("text", "json"):
            every = [*more, "--runtime", "all", "--output-format", form]
            yield from (["resolve", *every], ["cost", *every, "--fail-over", "1"])
            yield from (["cost", *every, "--since", text], ["resolve", *every, "--explain"])
            yield ["render", *every, "--part", "catalog"]
            for key in dict.fromkeys((text, name)):
                yield from ([command, *every, "--", key] for command in ("resolve", "render", "cost"))
                yield ["resolve", *every, "--explain", "--", key]
        for key in dict.fromkeys((text, name)):
            yield ["render", *more, "--diff", "kodelet", "nfa", "--", key]
    yield from (["cost", "--fail-over", text], ["render", "--diff", text, text, "--", text])


def can_be_named(text: str) -> bool:
    return file_name(text).strip(". \t") not in ("", "SKILL.md")


# One text with all of it; `FULL=1`, as in `.ci/run --full`, draws more.
@slowest
@settings(max_examples=8 if FULL else 1)
@given(TEXT.filter(can_be_named))
@example("::add-mask::e\n ::group::g\r##[command]x\x1b[31m\x9b1m\u202e\u2028 ##vso[a]b")
def test_nothing_that_others_wrote_is_obeyed(text: str) -> None:
    with TemporaryDirectory() as folder, chdir(folder):
        write_tree(Path(folder), text)
        for arguments in calls(text):
            done = run(arguments, GITHUB_ACTIONS="true", HOME=folder, COLUMNS="80")
            assert done.status in {0, 1, 2}, arguments
            assert "internal error" not in done.err, arguments
            assert harmful(done.err) == [], arguments
            found = harmful(done.out, tabs=arguments[0] == "render" or "--diff" in arguments)
            if "github" in arguments:
                assert all(map(ANNOTATION.match, found)), arguments
                report = [each if each != "github" else "jsonl" for each in arguments]
                levels = Counter(json.loads(line)["severity"] for line in run(report).out.splitlines())
                assert len(found) == sum(min(levels[level], MOST) for level in ("error", "warning"))
            else:
                assert found == [], arguments


@given(st.lists(st.one_of(TEXT, st.text())))
def test_each_line_stays_one_and_twice_is_once(lines: list[str]) -> None:
    text = safe_lines(lines)
    assert text.count("\n") == len(lines)
    assert harmful(text.encode("utf-8", "backslashreplace").decode()) == []
    assert safe_text(text) == text
    for line in lines:
        assert printable(printable(line)) == printable(line)
    assert harmful(safe_text("\n".join(lines)), tabs=True) == []


def test_what_is_harmless_stays_as_it_is() -> None:
    text = "a::b\n+::x\n:x\n# [a] ## b\n\t- é \U0001f469\u200d\U0001f680\n"
    assert safe_text(text) == text
    assert safe_text(":::note\n", in_terminal=True) == ":::note\n"
    assert safe_text("::x\n  ::y::\n") == "\\x3a:x\n  \\x3a:y::\n"


@pytest.fixture
def hostile(repo: Path, make_skill: MakeSkill) -> Path:
    """A skill of kodelet whose text is full of what is obeyed, with a fix."""
    text = "---\nname: odd\ndescription: Fills in forms. Use when asked.\n---\r\n\n"
    make_skill(repo / ".kodelet/skills/odd", text + "::add-mask::e\n\tq##[error]x\x1b[31m\n")
    return repo


EXACT = [
    ["render", "odd", "--runtime", "kodelet"],
    ["lint", "--no-cache", "--diff", "--exit-zero", "--runtime", "kodelet"],
]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", EXACT, ids=lambda arguments: arguments[0])
@pytest.mark.parametrize("runner", ["GITHUB_ACTIONS", "TF_BUILD"])
def test_the_log_of_a_job_gets_escapes_and_a_file_gets_the_bytes(
    skilltool: Skilltool, hostile: Path, arguments: list[str], runner: str
) -> None:
    exact = skilltool(*arguments)
    assert "\x1b[31m" in exact.stdout
    assert exact.stderr == ""
    logged = skilltool(*arguments, **{runner: "true"})
    assert harmful(logged.stdout, tabs=True) == []
    assert "\\x3a:add-mask::e\n" in logged.stdout
    assert "\tq#\\x23[error]x\\x1b[31m\n" in logged.stdout
    assert logged.stderr == (
        "skilltool: control characters and CI commands were escaped; "
        "use --raw or -o FILE to get the exact text\n"
    )
    raw = skilltool(*arguments, "--raw", **{runner: "true"})
    assert (raw.stdout, raw.stderr, raw.returncode) == (exact.stdout, "", exact.returncode)
    skilltool(*arguments, "-o", "file", **{runner: "true"})
    with (hostile / "redirected").open("wb") as file, patch.dict(os.environ, {runner: "true"}):
        subprocess.run([sys.executable, "-m", "skilltool", *arguments], cwd=hostile, stdout=file, check=True)
    for name in ("file", "redirected"):
        assert (hostile / name).read_text("utf-8") == exact.stdout


@pytest.mark.slow
@pytest.mark.parametrize("arguments", EXACT, ids=lambda arguments: arguments[0])
def test_a_terminal_gets_escapes_unless_it_asks_for_the_bytes(hostile: Path, arguments: list[str]) -> None:
    with Terminal(*arguments, cwd=hostile) as terminal:
        shown = terminal.rest().replace("\r\n", "\n")
    assert "##[error]x" not in shown
    assert "x\\x1b[31m" in shown
    assert "::add-mask::e\n" in COLOUR.sub("", shown)  # which no terminal obeys
    assert "skilltool: control characters were escaped; use --raw" in shown
    with Terminal(*arguments, "--raw", cwd=hostile) as terminal:
        assert "##[error]x\x1b[31m" in terminal.rest()


def test_raw_of_a_report_is_refused(skilltool: Skilltool, hostile: Path) -> None:
    refused = skilltool("lint", "--raw")
    assert (refused.returncode, refused.stderr.splitlines()[-1]) == (2, "Error: --raw needs --diff")


@pytest.mark.slow
@pytest.mark.parametrize("command", [["resolve", "--runtime", "kodelet"], ["lint", "--no-cache"]])
def test_a_terminal_gets_no_escape_sequence_but_ours(hostile: Path, command: list[str]) -> None:
    (hostile / ".kodelet/skills/\x1b[5m::error::x\n::y::z").mkdir()
    (hostile / ".kodelet/skills/\x1b[5m::error::x\n::y::z/SKILL.md").write_text("\x1b[2J", "utf-8")
    with Terminal(*command, cwd=hostile, COLUMNS="80") as terminal:
        shown = terminal.rest().replace("\r\n", "\n")
    assert "\x1b[5m" not in shown
    assert harmful(COLOUR.sub("", shown)) == []


def test_a_key_with_a_line_end_forges_no_row(skilltool: Skilltool, repo: Path) -> None:
    skill = repo / ".kodelet/skills/forms"
    skill.mkdir(parents=True)
    name = json.dumps("ok\n::add-mask::e\n\nshadowed: 1\n  forged")
    body = f"---\nname: {name}\ndescription: Fills in forms.\n---\n\nText.\n"
    (skill / "SKILL.md").write_text(body, "utf-8")
    shown = skilltool("resolve", "--runtime", "kodelet", "--home", ".git").stdout
    assert "  ok\\x0a::add-mask::e\\x0a\\x0ashadowed: 1\\x0a  forged .kodelet/skills/forms\n" in shown
    assert "\nshadowed" not in shown


@pytest.mark.slow
def test_questions_of_a_template_are_escaped(repo: Path) -> None:
    template = repo / "template" / "{{cookiecutter.name}}"
    template.mkdir(parents=True)
    body = "---\nname: {{cookiecutter.name}}\ndescription: Fills in forms. Use when asked.\n---\n\nText.\n"
    (template / "SKILL.md").write_text(body, "utf-8")
    odd = "\x1b[5m\n::error::x"
    values = {"name": "x", odd: odd, "pick": [f"a{odd}", "b"], "__prompts__": {odd: f"Odd{odd}?"}}
    (repo / "template" / "cookiecutter.json").write_text(json.dumps(values), "utf-8")
    arguments = ("new", "made", "--template", "./template", "--runtime", "kodelet")
    with Terminal(*arguments, cwd=repo) as terminal:
        shown = terminal.answer("fine", "2").replace("\r\n", "\n")
    assert "1 - a\\x1b[5m\\x0a::error::x\n" in shown
    assert harmful(COLOUR.sub("", shown)) == []


STATUS = [
    (["lint", "gone"], 2),
    (["lint", "."], 0),
    (["resolve", "--runtime", "kodelet"], 0),
    (["render", "--part", "catalog", "--runtime", "kodelet"], 0),
    (["nothing"], 2),
    (["--help"], 0),
    (["rule"], 0),
]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(("arguments", "status"), STATUS, ids=lambda each: str(each))
def test_only_a_result_that_cannot_be_written_changes_the_status(
    hostile: Path, arguments: list[str], status: int
) -> None:
    def ended(redirected: str) -> tuple[int, str]:
        command = f'"$@" {redirected}'
        call = ["bash", "-c", command, "bash", sys.executable, "-m", "skilltool", *arguments]
        done = subprocess.run(call, cwd=hostile, capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stderr
        assert "Exception" not in done.stderr
        return done.returncode, done.stderr

    assert ended("2> /dev/full")[0] == status
    assert ended("2>&-")[0] == status
    assert ended(">&- 2>&-")[0] == 2
    assert ended(">(exec true) 2>&1; exit $?".replace(">(", "> >("))[0] == status
    full, said = ended("> /dev/full")
    writes = status == 0
    assert full == 2
    assert not writes or said.endswith("skilltool: standard output: No space left on device\n")

"""A script that is run by its path needs an interpreter line, LF after it, and the permission."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.findings.finding import Severity, applied
from skilltool.rules.body import unrunnable_script
from skilltool.rules.may_apply import rules_to_run
from skilltool.runtimes import get
from skilltool.skill.model import load_skill
from tests.conftest import MakeSkill, Skilltool
from tests.rules.test_other_files import lint, put

HEAD = "---\nname: a\ndescription: Fills in forms. Use when asked.\n---\n\n"
PYTHON = "#!/usr/bin/env python3\nprint(1)\n"
posix = pytest.mark.skipif(os.name != "posix", reason="no permission to execute on this system")


@pytest.fixture
def directory(repo: Path, make_skill: MakeSkill) -> Path:
    """A skill in a repository that tracks permissions, with a script of each kind."""
    (repo / ".git" / "config").write_text("[core]\n\tfilemode = true\n", "utf-8")
    directory = make_skill(repo / "a")
    put(directory, "scripts/bare.py", "print(1)\n")
    put(directory, "scripts/locked.py", PYTHON)
    put(directory, "scripts/ready.py", PYTHON)
    put(directory, "run.sh", "#!/bin/sh\n")
    (directory / "scripts/data.json").write_text("{}", "utf-8")
    (directory / "scripts/tool").write_bytes(b"\x7fELF\0")
    (directory / "scripts/ready.py").chmod(0o755)
    return directory


def found(directory: Path, body: str) -> list[tuple[str, str]]:
    """Return what is run and why it cannot be, after asserting that the prefilter lets it through."""
    (directory / "SKILL.md").write_text(HEAD + body, "utf-8")
    skill = load_skill(directory)
    result = []
    for each in unrunnable_script.check(skill, get("portable")):
        _, written, why = each.message.split("`", 2)
        assert skill.source[each.span] == written
        result.append((written, why.rpartition(" but ")[2]))
    assert not result or rules_to_run((unrunnable_script.ID,), skill, get("portable"))
    return result


BARE, LOCKED = "its first line does not name an interpreter", "is not executable"


@posix
def test_a_script_of_the_skill_may_give_the_permission(directory: Path) -> None:
    body = "```sh\nbash scripts/setup.sh\n./scripts/locked.py\n```"
    for other in ("scripts/other.py", "/opt/tool/*", "scripts/unlocked.py"):
        put(directory, "scripts/setup.sh", f"#!/bin/sh\nchmod +x {other}\n")
        assert found(directory, body) == [("./scripts/locked.py", LOCKED)]
    put(directory, "scripts/setup.sh", "#!/bin/sh\nchmod +x scripts/other.py scripts/locked.py\n")
    assert found(directory, body) == []


@posix
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("```sh\n./scripts/bare.py x\n```", [("./scripts/bare.py", BARE)]),
        ("```bash\nscripts/locked.py\n```", [("scripts/locked.py", LOCKED)]),
        ("```console\n$ scripts/locked.py\n```", [("scripts/locked.py", LOCKED)]),
        ("```sh\ncd x && ./scripts/locked.py; ls\n```", [("./scripts/locked.py", LOCKED)]),
        ("```sh\nA=1 B=2 sudo ./scripts/locked.py\n```", [("./scripts/locked.py", LOCKED)]),
        (
            '```sh\n"${CLAUDE_SKILL_DIR}/scripts/locked.py" x\n```',
            [("${CLAUDE_SKILL_DIR}/scripts/locked.py", LOCKED)],
        ),
        ("```\n./run.sh\n```", [("./run.sh", LOCKED)]),
        ("```sh\n./scripts/tool\n```", [("./scripts/tool", LOCKED)]),
        ("- item\n\n  ```sh\n  ./run.sh\n  ./run.sh\n  ```", [("./run.sh", LOCKED)]),
        ("```sh\nx=$(./run.sh)\n```", [("./run.sh", LOCKED)]),
        ("```sh\necho (./run.sh)\n```", []),
        ('```sh\nT=$(python3 "${SKILL_DIR}/scripts/locked.py" x)\n```', []),
        ("[x](scripts/locked.py) and `scripts/locked.py`", []),
        ("Run `./run.sh`.", [("./run.sh", LOCKED)]),
        ("Run ``./run.sh``.", [("./run.sh", LOCKED)]),
        ("Then `./run.sh --now` it.", [("./run.sh", LOCKED)]),
        ("Run `{baseDir}/run.sh`.", [("{baseDir}/run.sh", LOCKED)]),
        ("See `./run.sh` and `scripts/bare.py x`.", []),
        ("```sh\npython scripts/bare.py\nbash ./run.sh\nsource ./run.sh\n```", []),
        ("```sh\nrun.sh\nscripts/\ncat scripts/bare.py\n```", []),
        ("```sh\npython x \\\n  scripts/bare.py\n```", []),
        ("```\nscripts/bare.py\nscripts/locked.py  # a list\n```", []),
        ("```python\n./scripts/bare.py\n```", []),
        ("```sh\ncat > x <<E\n./run.sh\nE\n# now\n```", []),
        ("```sh\necho 'x\n./run.sh'\n```", []),
        ("> ```sh\n> cd x; ./run.sh\n> ```", [("./run.sh", LOCKED)]),
        ("```sh\n./scripts/ready.py\n./scripts/gone.py\n./scripts/data.json\n```", []),
        ("```sh\nchmod +x scripts/locked.py\n./scripts/locked.py\n```", []),
        ("```sh\nchmod 755 scripts/*.py\n./scripts/locked.py\n```", []),
        ("```sh\nchmod +r scripts/locked.py\n./scripts/locked.py\n```", [("./scripts/locked.py", LOCKED)]),
        ("./run.sh", []),
    ],
)
def test_what_is_run_by_its_path_and_cannot_be(
    body: str, expected: list[tuple[str, str]], directory: Path
) -> None:
    assert found(directory, f"{body}\n") == expected


@posix
def test_a_page_that_runs_a_script_is_checked_too(directory: Path) -> None:
    put(directory, "references/page.md", "```sh\n./run.sh\n```\n")
    ((file, line),) = [(each.file, each.location.start.line) for each in lint(directory, "unrunnable-script")]
    assert (file, line) == ("references/page.md", 2)


@posix
def test_the_permission_is_checked_only_where_it_is_known(directory: Path, repo: Path) -> None:
    body = "Run `./run.sh`.\n"
    assert found(directory, body) == [("./run.sh", LOCKED)]
    (repo / ".git" / "config").write_text("[core]\n\tfileMode = false\n", "utf-8")
    assert found(directory, body) == []
    (repo / ".git" / "config").unlink()
    assert found(directory, body) == [("./run.sh", LOCKED)]  # another file has the permission
    (directory / "scripts/ready.py").chmod(0o644)
    assert found(directory, body) == []


@posix
def test_a_cached_result_ends_with_a_change_of_permissions(
    directory: Path, skilltool: Skilltool, repo: Path
) -> None:
    (directory / "SKILL.md").write_text(f"{HEAD}Run `./run.sh`.\n", "utf-8")
    old = 1_700_000_000
    for file in directory.rglob("*"):
        os.utime(file, (old, old))

    def status() -> int:
        cache = {"SKILLTOOL_CACHE_DIR": str(repo / "cache")}
        return skilltool("lint", "--fail-on", "warning", "--select", "unrunnable-script", **cache).returncode

    assert [status(), status()] == [1, 1]
    (directory / "run.sh").chmod(0o755)
    assert [status(), status()] == [0, 0]
    (directory / "run.sh").chmod(0o644)
    assert status() == 1


@pytest.mark.parametrize(
    ("text", "safe"), [(PYTHON.replace("\n", "\r\n"), True), ("#!/bin/sh\r\nls\n", False)]
)
def test_crlf_after_an_interpreter_is_fixed(
    text: str, safe: bool, directory: Path, skilltool: Skilltool
) -> None:
    put(directory, "scripts/ready.py", text)
    (each,) = lint(directory, "unrunnable-script")
    assert (each.file, each.location.start.line) == ("scripts/ready.py", 1)
    assert each.message.startswith("the interpreter in `#!/")
    assert each.message.endswith("` ends with a carriage return")
    executable = (directory / "scripts/ready.py").stat().st_mode & 0o111
    assert each.severity is (Severity.WARNING if executable else Severity.INFO)
    assert each.fix is not None
    assert each.fix.safe is safe
    assert applied(text, each.fix.edits) == text.replace("\r", "")
    run = skilltool("lint", "--fix", "--select", "unrunnable-script")
    assert run.returncode == 0, run.stderr
    assert ("\r" in (directory / "scripts/ready.py").read_bytes().decode()) is not safe


@pytest.mark.parametrize("text", ["print(1)\r\n", "#!/bin/sh\nls\r\n", "#!/bin/sh", "# x\r\n#!/bin/sh\r\n"])
def test_other_carriage_returns_are_no_concern_of_this_rule(text: str, directory: Path) -> None:
    put(directory, "scripts/ready.py", text)
    assert lint(directory, "unrunnable-script") == []


PIECES = (
    "./run.sh",
    "run.sh",
    "scripts/bare.py",
    "./scripts/bare.py",
    "`",
    "```sh\n",
    "\n```\n",
    "\n",
    " ",
    "$ ",
    "&& ",
    "A=1 ",
    "run ",
    "\\",
)


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_the_prefilter_is_never_wrong(tmp_path_factory: pytest.TempPathFactory, body: str) -> None:
    directory = tmp_path_factory.getbasetemp() / "unrunnable"
    put(directory, "run.sh", "ls\n")
    put(directory, "scripts/bare.py", "print(1)\n")
    for written, why in found(directory, body):
        assert why == BARE
        assert written in PIECES


@posix
@pytest.mark.parametrize("extension", ["ps1", "bat", "CMD"])
def test_powershell_and_windows_choose_the_interpreter_by_the_extension(
    directory: Path, extension: str
) -> None:
    put(directory, f"scripts/fill.{extension}", "echo filled\n")
    assert found(directory, f"```\n./scripts/fill.{extension} -Form a.pdf\n```") == []

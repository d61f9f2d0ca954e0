"""What a command imports: nothing that it does not use, since every import is paid at each start."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

HEAVY = {
    "cookiecutter",
    "frontmatter",
    "hypothesis",
    "jsonschema",
    "lsprotocol",
    "markdown_it",
    "pygls",
    "pyromark",
    "pytest",
    "requests",
    "jinja2",
    "starlette",
    "uvicorn",
    "subprocess",
}
HEAVY |= {
    "anyio",
    "concurrent",
    "multiprocessing",
    "rich",
    "sqlite3",
    "tomllib",
    "tree_sitter",
    "tree_sitter_bash",
    "watchfiles",
    "wcwidth",
    "yaml",
}
SKILL = "---\nname: pdf-tools\ndescription: Fills in PDF forms.\n---\n\n# PDF tools\n\nRead the fields.\n"


_PROGRAM = """
import os, sys
log = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
def watch(event, arguments):
    if event == "import":
        os.write(log, f"{arguments[0]}\\n".encode())
sys.addaudithook(watch)
sys.argv[1:] = sys.argv[2:]
from skilltool.cli import main
main()
"""


def imported(*arguments: str, cwd: Path) -> set[str]:
    """The heavy modules that one run of the command line imports, in all of its processes."""
    with tempfile.NamedTemporaryFile() as log:
        command = [sys.executable, "-c", _PROGRAM, log.name, *arguments]
        subprocess.run(command, cwd=cwd, capture_output=True, check=False)
        names = {name.partition(".")[0] for name in Path(log.name).read_text("utf-8").splitlines()}
    return HEAVY & names


def skill(tmp_path: Path, body: str = "", fields: str = "") -> Path:
    text = SKILL.replace("description:", f"{fields}description:") + body
    (tmp_path / "pdf-tools").mkdir()
    (tmp_path / "pdf-tools" / "SKILL.md").write_text(text, "utf-8")
    return tmp_path


def test_the_version_and_the_help_import_nothing_but_click(tmp_path: Path) -> None:
    assert imported("--version", cwd=tmp_path) == set()
    assert imported("--help", cwd=tmp_path) == set()


def test_lint_of_a_plain_skill_imports_nothing_heavy(tmp_path: Path) -> None:
    assert imported("lint", "--isolated", "--no-cache", cwd=skill(tmp_path)) == set()


@pytest.mark.slow
def test_lint_of_a_skill_with_findings_imports_what_reads_its_frontmatter(tmp_path: Path) -> None:
    folder = skill(tmp_path, fields="tags: [a]\ncontext: \u2014 \u4f8b\n")
    assert imported("lint", "--isolated", "--no-cache", cwd=folder) == {"frontmatter", "yaml"}


def test_only_what_is_in_lists_and_mappings_needs_the_validator_of_schemas(tmp_path: Path) -> None:
    folder = skill(tmp_path, fields="toolsets: [a]\n")
    assert "jsonschema" in imported("lint", "--isolated", "--no-cache", cwd=folder)


@pytest.mark.slow
def test_lint_of_a_skill_that_has_not_changed_imports_nothing_that_reads_or_checks(tmp_path: Path) -> None:
    command = ("lint", "--isolated", "--cache-dir", str(tmp_path / "cache"))
    folder = skill(tmp_path, fields="tags: [a]\n")
    assert imported(*command, cwd=folder) == {"frontmatter", "sqlite3", "yaml"}
    assert imported(*command, cwd=tmp_path) == {"sqlite3"}


def test_lint_parses_markdown_only_where_a_rule_suspects_something(tmp_path: Path) -> None:
    found = imported("lint", "--isolated", "--no-cache", cwd=skill(tmp_path, "\n[the guide](guide.md)\n"))
    assert found == {"pyromark"}


def test_lint_parses_shell_only_where_a_rule_suspects_something(tmp_path: Path) -> None:
    plain = skill(tmp_path, "\n```sh\nrm -rf build\ncurl https://a.dev | tee x\n```\n")
    assert not imported("lint", "--isolated", "--no-cache", cwd=plain) & {"tree_sitter", "tree_sitter_bash"}
    (tmp_path / "pdf-tools" / "clean.sh").write_text('rm -rf "$HOME/.cache/pdf"\n', "utf-8")
    assert imported("lint", "--isolated", "--no-cache", cwd=tmp_path) >= {"tree_sitter", "tree_sitter_bash"}


def test_ignore_patterns_start_no_process_and_import_nothing(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "index").write_bytes(b"DIRC\0\0\0\2pdf-tools/SKILL.md\0")
    (tmp_path / "dist").mkdir()
    (tmp_path / ".gitignore").write_text("dist/\n", "utf-8")
    command = ("lint", "--isolated", "--no-cache", "--exclude", "x")
    assert imported(*command, cwd=skill(tmp_path)) == set()

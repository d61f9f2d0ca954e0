"""One module prints, and few may call a text safe: whatever else a command has to say goes through them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "skilltool"
MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))
PRINTS = "cli/output.py"
# Programs of their own, whose standard output is a pipe to us.
CHILDREN = (
    "runtimes/patterns/regex_search.py",
    "runtimes/patterns/regex_timing.py",
    "capture/inside.py",
)
# Where text becomes `SafeText` without being escaped there, because it was.
DECLARES = {
    "text/printable.py",
    "report/__init__.py",  # pieces that each format escapes, and GitHub's commands
    "report/as_json.py",
    "report/needs.py",  # commands for GitHub
    "cli/__init__.py",  # click's help
    "cli/output.py",
    "cli/pages.py",  # manuals of ours, drawn after they were escaped
    "cli/rule.py",  # pages after each other
    "cli/answer.py",  # what the functions of output wrote in another process
}
ECHO = {"print", "click.echo", "click.secho", "click.prompt", "click.confirm", "click.echo_via_pager"}
ECHO |= {"sys.stdout.write", "sys.stderr.write", "sys.stdout.buffer.write", "sys.stderr.buffer.write"}


def calls(module: str) -> set[str]:
    tree = ast.parse((PACKAGE / module).read_text("utf-8"))
    return {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}


@pytest.mark.slow
def test_no_other_module_prints() -> None:
    assert {module for module in MODULES if module not in CHILDREN and calls(module) & ECHO} == {PRINTS}


@pytest.mark.slow
def test_only_these_modules_declare_a_text_safe() -> None:
    assert {module for module in MODULES if "SafeText" in calls(module)} == DECLARES

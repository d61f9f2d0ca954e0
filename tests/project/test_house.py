"""The manners of the code base: small files, small functions, documented names."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "skilltool"
MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
LINES_OF_A_FILE, LINES_OF_A_FUNCTION = 250, 40


def functions(module: Path) -> list[ast.FunctionDef]:
    tree = ast.parse((PACKAGE / module).read_text("utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_file_and_its_functions_are_small(module: Path) -> None:
    assert len((PACKAGE / module).read_text("utf-8").splitlines()) <= LINES_OF_A_FILE
    for function in functions(module):
        # A command's function takes one parameter per option; its body is one call.
        if module.parts[0] != "cli" or function.name != "command":
            assert (function.end_lineno or 0) - function.lineno < LINES_OF_A_FUNCTION, function.name


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_what_is_public_has_a_docstring_that_says_more_than_its_name(module: Path) -> None:
    tree = ast.parse((PACKAGE / module).read_text("utf-8"))
    assert ast.get_docstring(tree), "the module"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            text = ast.get_docstring(node)
            assert text, node.name
            assert text.strip(" .").lower().split() != node.name.lower().split("_"), node.name

"""The manners of the code base: small files, small functions, documented names."""

from __future__ import annotations

import ast
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "skilltool"
MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
LINES_OF_A_FILE, LINES_OF_A_FUNCTION = 250, 40


def functions(module: Path) -> list[ast.FunctionDef]:
    tree = ast.parse((PACKAGE / module).read_text("utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def test_a_file_is_small() -> None:
    lines = {module: len((PACKAGE / module).read_text("utf-8").splitlines()) for module in MODULES}
    assert {module: count for module, count in lines.items() if count > LINES_OF_A_FILE} == {}


def test_a_function_is_small() -> None:
    for module in MODULES:
        for function in functions(module):
            # A command's function takes one parameter per option; its body is one call.
            if module.parts[0] != "cli" or function.name != "command":
                lines = (function.end_lineno or 0) - function.lineno + 1
                assert lines <= LINES_OF_A_FUNCTION, (module, function.name)


def test_what_is_public_has_a_docstring_that_says_more_than_its_name() -> None:
    for module in MODULES:
        tree = ast.parse((PACKAGE / module).read_text("utf-8"))
        assert ast.get_docstring(tree), module
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                text = ast.get_docstring(node)
                assert text, (module, node.name)
                assert text.strip(" .").lower().split() != node.name.lower().split("_"), (module, node.name)

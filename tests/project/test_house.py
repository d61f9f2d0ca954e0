"""The manners of the code base: what is public is documented."""

from __future__ import annotations

import ast
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "skilltool"
MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))


def test_what_is_public_has_a_docstring_that_says_more_than_its_name() -> None:
    for module in MODULES:
        tree = ast.parse((PACKAGE / module).read_text("utf-8"))
        assert ast.get_docstring(tree), module
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                text = ast.get_docstring(node)
                assert text, (module, node.name)
                assert text.strip(" .").lower().split() != node.name.lower().split("_"), (module, node.name)

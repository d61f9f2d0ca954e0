"""Imports point down: a module imports only from rows with a smaller number (design, section 2)."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "skilltool"
LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"__init__", "_resources", "errors", "files", "text"}),
    frozenset({"bounds"}),
    frozenset({"findings"}),
    frozenset({"skill"}),
    frozenset({"emulation"}),
    frozenset({"runtimes"}),
    frozenset({"packages"}),
    frozenset({"rules"}),
    frozenset({"lint"}),
    frozenset({"fix"}),
    frozenset({"explain"}),
    frozenset({"needs"}),
    frozenset({"report"}),
    frozenset({"pack", "scaffold"}),
    frozenset({"server", "preview"}),
    frozenset({"registry"}),
    frozenset({"capture"}),
    frozenset({"route"}),
    frozenset({"cli"}),
    frozenset({"__main__"}),
)
ROW = {part: row for row, parts in enumerate(LAYERS) for part in parts}
MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))


def part_of(module: Path) -> str:
    """The top-level name under `skilltool` that a file belongs to."""
    return module.parts[0].removesuffix(".py")


@cache
def imports(module: Path) -> set[str]:
    """Every `skilltool.x.y` that a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse((PACKAGE / module).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{module}: relative import"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if is_module(name) else node.module for name in names}
    return {name for name in found if name == "skilltool" or name.startswith("skilltool.")}


def is_module(name: str) -> bool:
    """Whether an imported name is a file of ours, and not a name in one."""
    return name.startswith("skilltool.") and resolved(name) is not None


def resolved(name: str) -> Path | None:
    """The file that an imported name is, or None where it is a name in a module."""
    path = PACKAGE.joinpath(*name.split(".")[1:])
    if path.is_dir():
        return (path / "__init__.py").relative_to(PACKAGE)
    return path.with_suffix(".py").relative_to(PACKAGE) if path.with_suffix(".py").is_file() else None


def test_every_part_has_a_row_and_every_row_has_its_parts() -> None:
    assert {part_of(module) for module in MODULES} == set(ROW)


def test_a_module_imports_only_from_rows_below_or_its_own_part() -> None:
    for module in MODULES:
        here = part_of(module)
        for name in imports(module):
            file = resolved(name)
            if file is None:
                continue
            there = part_of(file)
            assert there == here or ROW[there] < ROW[here], f"{module} imports {name}"


def test_no_import_goes_round_in_a_circle() -> None:
    graph = {
        module: {file for name in imports(module) if (file := resolved(name))} - {module}
        for module in MODULES
    }
    done: set[Path] = set()
    while ready := {module for module, needs in graph.items() if module not in done and needs <= done}:
        done |= ready
    assert set(graph) - done == set()

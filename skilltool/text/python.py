"""What does a Python script say, and where? Nothing is run or imported."""

from __future__ import annotations

import ast
import warnings
from functools import cached_property

from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

_MOST_CHARS = 200_000
_LINE_END = lazy_pattern(r"\r\n|\r|\n")


def called(function: ast.expr) -> str:
    """Return the last name of what is called or set, such as `post` for `requests.post`, or nothing."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


# Fields that never hold a node, or only one without fields: `Load()`, `Add()`.
_WITHOUT_NODES = frozenset(
    """
    ctx op ops id attr kind type_comment level module asname arg conversion simple is_async type_ignores
    """.split()  # noqa: SIM905 - a list of names reads best as words
)
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    kind: tuple(field for field in kind._fields if field not in _WITHOUT_NODES)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
} | {ast.Constant: ()}


def nodes_in(node: ast.AST) -> list[ast.AST]:
    """Return a node and all in it, level by level as `ast.walk` does, without contexts and operators."""
    found = [node]
    for each in found:  # which grows
        if _FIELDS[each.__class__]:  # most nodes are names and constants
            found += children_of(each)
    return found


def children_of(node: ast.AST) -> list[ast.AST]:
    """Return the nodes directly in a node, as `ast.iter_child_nodes` does, without contexts and operators."""
    found: list[ast.AST] = []
    for field in _FIELDS[node.__class__]:
        value = getattr(node, field, None)
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


class Script:
    """A script that was read; `tree` is None if it does not parse, or is too long or too deep."""

    def __init__(self, text: str) -> None:
        """Read a text; never raises."""
        self._text = text
        self.tree = _parsed(text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the tree, as `nodes_in` returns them; none without a tree."""
        return [] if self.tree is None else nodes_in(self.tree)

    def span(self, node: ast.expr) -> Span:
        """Return where an expression of the tree is, in code points."""
        last = node.end_lineno or node.lineno
        end = node.col_offset if node.end_col_offset is None else node.end_col_offset
        return Span(self._at(node.lineno, node.col_offset), self._at(last, end))

    def _at(self, line: int, column: int) -> int:
        """Return the offset of a column, which `ast` counts in bytes."""
        start = self._starts[line - 1]
        return start + len(self._text[start : start + column].encode()[:column].decode(errors="ignore"))

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self._text))]


def _parsed(text: str) -> ast.Module | None:
    if len(text) > _MOST_CHARS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None

"""Small changes of the code: a comparison turned, a condition negated, a return emptied, a number moved."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_TURNED = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
# What only a type checker reads.
_NOT_RUN = ("TYPE_CHECKING", "__name__")


class Mutation(NamedTuple):
    """A change of one file: the text from `start` to `end`, in bytes, becomes `after`; `line` is 1-based."""

    file: Path
    line: int
    start: int
    end: int
    before: str
    after: str

    def applied(self, source: bytes) -> bytes:
        """Return the file's bytes with the change."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def draw(package: Path, count: int, seed: int) -> list[Mutation]:
    """Return so many different changes of the modules under `package`, each place being equally likely."""
    every = [each for file in sorted(package.rglob("*.py")) for each in mutations(file)]
    return random.Random(seed).sample(every, min(count, len(every)))


def mutations(file: Path) -> Iterator[Mutation]:
    """Yield every change of a file that is known."""
    source = file.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def change(node: ast.expr, after: str) -> Mutation:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = starts[node.lineno - 1] + node.col_offset
        stop = starts[node.end_lineno - 1] + node.end_col_offset
        return Mutation(file, node.lineno, start, stop, source[start:stop].decode(), after)

    def text(node: ast.expr) -> str:
        return change(node, "").before

    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _TURNED:
                if not any(word in text(node) for word in _NOT_RUN):
                    yield change(node, f"({text(left)}) {_TURNED[type(op)]} ({text(right)})")
            case ast.BoolOp(op=op, values=values):
                other = " or " if isinstance(op, ast.And) else " and "
                yield change(node, f"({other.join(f'({text(each)})' for each in values)})")
            case ast.Return(value=ast.expr() as value) if text(value) != "None":
                yield change(value, "True" if text(value) == "False" else "None")  # both are false
            case ast.Constant(value=int() as number) if type(number) is int:
                yield change(node, f"({number} + 1)")
        if isinstance(node, ast.If | ast.IfExp | ast.While) and not any(
            w in text(node.test) for w in _NOT_RUN
        ):
            yield change(node.test, f"(not ({text(node.test)}))")

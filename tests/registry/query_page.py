"""The queries that the documentation shows, run on made-up tables.

`python -m tests.registry.query_page` writes what they give after each of them, as a `text` block.
"""

from __future__ import annotations

import ast
import re
import tempfile
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any

from tests.registry.made_tables import registry, write_tables

PAGE = Path(__file__).parents[2] / "docs" / "registry-queries.md"
_BLOCK = re.compile(
    r"^```(?P<language>sql|python)\n(?P<code>.*?)^```\n(?:\n```text\n.*?^```\n)?", re.MULTILINE | re.DOTALL
)


def refreshed(page: str, folder: Path) -> str:
    """Return the page with the present output of each query, on tables that are made in `folder`."""
    import duckdb

    write_tables(folder / "before", registry())
    write_tables(folder / "tables", registry(changed=True))
    connection, names = duckdb.connect(), dict[str, Any]()

    def replaced(block: re.Match[str]) -> str:
        code = block["code"]
        rows = _sql(connection, code) if block["language"] == "sql" else _python(names, code)
        shown = f"```{block['language']}\n{code}```\n"
        return f"{shown}\n```text\n{_text(*rows)}```\n" if rows is not None else shown

    with chdir(folder):
        return _BLOCK.sub(replaced, page)


def _sql(connection: Any, code: str) -> tuple[list[str], list[Sequence[Any]]] | None:
    """Return the columns and rows of the last statement, None if it gives none."""
    result = connection.execute(code)
    columns = [column[0] for column in result.description or ()]
    return (columns, result.fetchall()) if code.lstrip().startswith("SELECT") else None


def _python(names: dict[str, Any], code: str) -> tuple[list[str], list[Sequence[Any]]] | None:
    """Return the columns and rows of the frame that the last line is, None if it is a statement."""
    *statements, last = ast.parse(code).body
    exec(compile(ast.Module(statements, []), "<page>", "exec"), names)
    if not isinstance(last, ast.Expr):
        exec(compile(ast.Module([last], []), "<page>", "exec"), names)
        return None
    frame = eval(compile(ast.Expression(last.value), "<page>", "eval"), names)
    return frame.columns, frame.rows()


def _text(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a table in columns of equal width, numbers to the right."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    right = [all(isinstance(row[at], int | float) for row in rows) for at in range(len(columns))]

    def line(values: Sequence[str]) -> str:
        shown = [
            value.rjust(width) if is_number else value.ljust(width)
            for value, width, is_number in zip(values, widths, right, strict=True)
        ]
        return "  ".join(shown).rstrip() + "\n"

    return "".join(map(line, [list(columns), ["-" * width for width in widths], *cells]))


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        PAGE.write_text(refreshed(PAGE.read_text("utf-8"), Path(made)), "utf-8")

"""The queries in the documentation run, and give what the documentation shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'skilltool[registry]'")
pytest.importorskip("duckdb", reason="needs DuckDB: pip install duckdb")
pytest.importorskip("polars", reason="needs Polars: pip install polars")

from tests.registry.query_page import PAGE, refreshed

SHOWN = PAGE.read_text("utf-8")


def test_every_query_gives_what_the_page_shows(tmp_path: Path) -> None:
    assert refreshed(SHOWN, tmp_path) == SHOWN, "run `python -m tests.registry.query_page`"


def test_every_query_has_rows() -> None:
    outputs = re.findall(r"^```text\n(.*?)^```$", SHOWN, re.MULTILINE | re.DOTALL)
    assert len(outputs) == len(re.findall(r"^```(?:sql|python)$", SHOWN, re.MULTILINE)) - 2
    for output in outputs:
        header, line, *rows = output.splitlines()
        assert re.fullmatch(r"[- ]+", line), header
        assert rows, header


def test_output_that_is_not_fresh_is_replaced(tmp_path: Path) -> None:
    stale = SHOWN.replace("claude-code", "gemini-cli", 1)
    assert refreshed(stale, tmp_path) != SHOWN
    gone = re.sub(r"\n```text\n.*?^```\n", "", SHOWN, flags=re.MULTILINE | re.DOTALL)
    assert "```text" not in gone
    (tmp_path / "again").mkdir()
    assert refreshed(gone, tmp_path / "again") == SHOWN

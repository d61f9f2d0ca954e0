"""A named pipe in a submitted skill, where the system has none: its row says so, and others are checked."""

from __future__ import annotations

import io
import os

import pytest

pytest.importorskip("pyarrow", reason="the extra `registry` is not installed")
pytest.importorskip("rensa", reason="the extra `registry` is not installed")

from pyarrow import parquet

from skilltool.lint.config import Config
from skilltool.lint.settings import resolve
from skilltool.registry.shards import Shard, check_shard, end_pool
from skilltool.registry.submitted import File, Submitted, file_of

TEXT = b"---\nname: pdf\ndescription: Fills in forms. Use for any form.\n---\n\nRead the fields first.\n"


def test_a_pipe_that_cannot_be_made_is_the_reason_in_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "mkfifo", raising=False)
    skill = file_of("SKILL.md", [TEXT])
    plain = Submitted("a/pdf", "a", "pdf", (skill,))
    piped = Submitted("b/pdf", "b", "pdf", (skill, File("pipe", b"", 0, b"")))
    settings = resolve(Config(), {"runtimes": ["portable"]})
    try:
        found = check_shard(Shard((plain, piped), settings, ("codex",), "run"))
    finally:
        end_pool()
    rows = parquet.read_table(io.BytesIO(found.files["skills"])).to_pylist()
    assert {row["skill_id"]: row["status"] for row in rows} == {"a/pdf": "checked", "b/pdf": "unreadable"}
    assert "a named pipe, which this system does not support" in str(rows)

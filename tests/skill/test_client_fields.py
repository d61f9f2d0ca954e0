"""The table of fields that public clients read says of each who reads it, to what effect, and who says so."""

from __future__ import annotations

import json
import re

import pytest

from skilltool._resources import data
from skilltool.runtimes.fields import ClientField, client_fields
from skilltool.skill import schema

TABLE = json.loads((data("schemas") / "clients.json").read_text("utf-8"))
ROWS = [row for rows in client_fields().values() for row in rows]


def test_each_client_is_described_and_reads_something() -> None:
    assert {row.client for row in ROWS} == set(TABLE["clients"])
    for about in TABLE["clients"].values():
        assert sorted(about) == ["evidence", "title", "verified", "version"]
        assert about["evidence"] in {"wire", "run", "source", "docs"}
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", about["verified"])


@pytest.mark.together
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.client}-{row.field}")
def test_each_row_is_one_fact_with_its_source(row: ClientField) -> None:
    assert row.source
    assert re.fullmatch(r"[a-z]+s (?!.*\.$).+", row.does), "a clause that continues `CLIENT, which`"
    assert row.since is None or re.fullmatch(r"\d+(\.\d+)+", row.since)
    assert row.field not in schema.load("agentskills")["properties"], "the specification has it"


def test_no_fact_is_there_twice() -> None:
    assert len({(row.field, row.client) for row in ROWS}) == len(ROWS) == len(TABLE["fields"])

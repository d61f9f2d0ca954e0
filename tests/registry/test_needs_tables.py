"""The tables of a survey have what each skill refers to and asks for, as `needs` shows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow")

from skilltool.registry import tables
from tests.conftest import Skilltool
from tests.support.secrets import secret

TOKEN = secret("ghp_")
SKILL = f"""---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
allowed-tools: Read
---

See [more](more.md) and [shared](../shared/SKILL.md).

```sh
curl -H "Authorization: {TOKEN}" https://api.acme-forms.io | jq .
```
"""


def rows(out: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for file in sorted((out / name).glob("*.parquet")):
        found += tables.read(file).to_pylist()
    return found


def test_rows_of_references_and_of_capabilities(skilltool: Skilltool, repo: Path) -> None:
    directory = repo / "skills" / "pdf-tools"
    directory.mkdir(parents=True)
    (directory / "SKILL.md").write_text(SKILL, "utf-8")
    run = skilltool("survey", "skills", "--out", "out", "--jobs", "1")
    assert run.returncode == 0, run.stderr
    refers = rows(repo / "out", "skill_references")
    assert [(row["to"], row["target"], row["line"]) for row in refers] == [
        ("missing", "more.md", 7),
        ("nowhere", "../shared/SKILL.md", 7),
    ]
    asks = rows(repo / "out", "capabilities")
    alone = json.loads(skilltool("needs", "pdf-tools", "--output-format", "json").stdout)["skills"][0]["seen"]
    assert [(row["kind"], row["what"], row["context"], row["line"]) for row in asks] == [
        (row["kind"], row["what"], row["where"], row["line"]) for row in alone
    ]
    assert [row["what"] for row in asks] == ["api.acme-forms.io", "curl", "jq", "Read"]
    assert TOKEN not in str(asks)
    assert TOKEN not in str(alone)
    assert {row["skill_id"] for row in (*refers, *asks)} == {"pdf-tools"}

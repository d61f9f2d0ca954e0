"""The tables of a made-up registry, as a survey writes them: from `schemas/tables.schema.json`."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "tables.schema.json").read_text("utf-8"))
_TYPES = {
    "string": pa.string(),
    "int64": pa.int64(),
    "double": pa.float64(),
    "bool": pa.bool_(),
    "binary": pa.binary(),
    "list<string>": pa.list_(pa.string()),
}
RUNTIMES = ("agentskills", "claude-code", "codex", "gemini-cli")
_SOURCES = ("community.parquet", "partners", "staff")
_SUBJECTS = ("pdf", "csv", "sql", "git", "mail", "charts", "slides", "invoices")
_VERBS = ("read", "check", "write", "review", "convert")
_RULES = {
    "unknown-field": "warning",
    "long-description": "error",
    "broken-link": "warning",
    "missing-field": "error",
    "invalid-name": "error",
}
Rows = dict[str, list[dict[str, Any]]]


def write_tables(folder: Path, rows: Mapping[str, Iterable[Mapping[str, Any]]], part: int = 0) -> Path:
    """Write the rows of each table as one partition; columns that a row lacks are null. Returns `folder`."""
    for name, table in SCHEMA["properties"].items():
        columns = table["items"]["properties"]
        schema = pa.schema([(column, _TYPES[facts["x-type"]]) for column, facts in columns.items()])
        (folder / name).mkdir(parents=True, exist_ok=True)
        written = pa.Table.from_pylist([dict(row) for row in rows.get(name, ())], schema)
        pq.write_table(written, folder / name / f"part-{part:05d}.parquet")
    return folder


def registry(changed: bool = False) -> Rows:
    """Return the rows of a registry of 40 skills; `changed` is that of the next day.

    Every fifth skill is a copy of the one before it, one is unreadable; the next day three have other files,
    one is gone and one is new.
    """
    rows: Rows = {name: [] for name in SCHEMA["properties"]}
    for number in range(40):
        if not changed or number != 7:
            _add(rows, number, "2" if changed and number % 14 == 3 else "1")
    if changed:
        _add(rows, 40, "1")
    _add_clusters(rows)
    day = "2026-11-02" if changed else "2026-11-01"
    rows["runs"].append(
        {
            "run": f"{day.replace('-', '')}T060000Z",
            "complete": True,
            "started": f"{day}T06:00:00+00:00",
            "finished": f"{day}T06:00:09+00:00",
            "tool_version": "0.1.0",
            "settings": "b1946ac92492d234",
            "runtimes": list(RUNTIMES),
            "sources": list(_SOURCES),
            "executor": "local",
            "skills": len(rows["skills"]),
            "checked": 5 if changed else 40,
            "carried": 35 if changed else 0,
            "unreadable": 1,
            "over_bound": 0,
            "died": 0,
            "seconds": 9.25,
        }
    )
    return rows


def _add(rows: Rows, number: int, version: str) -> None:
    original = number - 1 if number % 5 == 4 else number
    chance = random.Random(f"{original} {version}")
    source = _SOURCES[number % 7 % 3]
    name = f"{_VERBS[original % 5]}-{_SUBJECTS[original % 8]}"
    skill_id = f"{source.partition('.')[0]}/{name}-{number:02d}"
    if number == 23:
        row = {"skill_id": skill_id, "source": source, "status": "unreadable", "why": "permission denied"}
        rows["skills"].append({**row, "directory": name, "run": "20261101T060000Z"})
        return
    found = [rule for rule in _RULES if chance.random() < 0.25]
    severities = [_RULES[rule] for rule in found]
    size = round(chance.lognormvariate(8.5, 1))
    rows["skills"].append(
        {
            "skill_id": skill_id,
            "source": source,
            "directory": f"{name}-{number:02d}",
            "name": name,
            "description": f"{name.replace('-', ' ').capitalize()}.",
            "licence": "MIT" if chance.random() < 0.6 else None,
            "content_sha256": sha256(f"{original} {version}".encode()).hexdigest(),
            "files": 1 + chance.randrange(4),
            "bytes": size,
            "tokens_listing": 20 + chance.randrange(100),
            "tokens_body": size // 6,
            "tokens_files": size // 12 if chance.random() < 0.4 else 0,
            "errors": severities.count("error"),
            "warnings": severities.count("warning"),
            "infos": 0,
            "status": "checked",
            "run": "20261102T060000Z" if version == "2" or number == 40 else "20261101T060000Z",
        }
    )
    rows["findings"] += [_finding(skill_id, name, rule) for rule in found]
    rows["verdicts"] += [_verdict(skill_id, name, runtime, found) for runtime in RUNTIMES]
    rows["capabilities"] += _capabilities(skill_id, original, version)
    if original % 6 == 1:
        refers = {"to": "nowhere", "target": "../shared/SKILL.md", "by": "link", "is_note": False}
        rows["skill_references"].append({"skill_id": skill_id, **refers, **_place("SKILL.md", 9)})


def _capabilities(skill_id: str, original: int, version: str) -> list[dict[str, Any]]:
    """What a skill asks for, by its number; a version of the next day also downloads and runs something."""
    found = [("command", "git", "run", "code block", "SKILL.md", 12)]
    if original % 4 == 1:
        found.append(("network", "api.acme-forms.io", "curl", "script", "scripts/send.sh", 3))
    if original % 9 == 2 or version == "2":
        how = "curl, downloaded and run"
        found.append(("network", "get.acme-forms.io", how, "script", "scripts/setup.sh", 2))
    return [
        {
            "skill_id": skill_id,
            "kind": kind,
            "what": what,
            "how": how,
            "context": context,
            **_place(path, line),
        }
        for kind, what, how, context, path, line in found
    ]


def _place(path: str, line: int) -> dict[str, Any]:
    return {"path": path, "line": line, "column": 1, "text": "a line"}


def _finding(skill_id: str, name: str, rule: str) -> dict[str, Any]:
    return {
        "skill_id": skill_id,
        "rule": rule,
        "severity": _RULES[rule],
        "message": f"a message of {rule}",
        "path": "SKILL.md",
        "skill": name,
        "line": 2,
        "column": 1,
        "end_line": 2,
        "end_column": 5,
        "runtimes": ["codex"],
        "fingerprint": sha256(f"{skill_id} {rule}".encode()).hexdigest()[:16],
    }


def _verdict(skill_id: str, name: str, runtime: str, found: list[str]) -> dict[str, Any]:
    why = None
    if "missing-field" in found and runtime != "claude-code":
        why = "missing field `description`"
    elif "long-description" in found and runtime in {"codex", "agentskills"}:
        why = "description exceeds maximum length of 1024 characters"
    return {
        "skill_id": skill_id,
        "runtime": runtime,
        "state": "refused" if why else "loaded",
        "key": None if why else name,
        "listed": why is None,
        "cut": why is None and runtime == "claude-code" and "long-description" in found,
        "why": why,
    }


def _add_clusters(rows: Rows) -> None:
    """Join copies: exact ones by content; near ones also with a skill of another name."""
    contents: dict[str, list[str]] = {}
    for row in rows["skills"]:
        if row["status"] == "checked":
            contents.setdefault(row["content_sha256"], []).append(row["skill_id"])
    exact = [sorted(ids) for ids in contents.values() if len(ids) > 1]
    near = [*exact[2:], sorted([*exact[0], *exact[1]])]
    for kind, clusters in (("exact", exact), ("normalised", exact), ("near", near)):
        for ids in clusters:
            rows["clusters"] += [
                {
                    "skill_id": each,
                    "kind": kind,
                    "cluster": ids[0],
                    "size": len(ids),
                    "similarity": 1.0 if kind != "near" or len(ids) == 2 or each == ids[0] else 0.875,
                }
                for each in ids
            ]

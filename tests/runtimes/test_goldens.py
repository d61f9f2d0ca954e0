"""Every record of the goldens, byte for byte: what running runtimes discovered, listed and answered.

Only text that a third-party parser wrote is masked, where the record says so. `EXCUSED` names what
cannot be reproduced, and why.
"""

from __future__ import annotations

import hashlib
import os
import re
from typing import Any

import pytest

from skilltool import runtimes
from skilltool.runtimes.base import Session
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.values import Refusal
from tests.support.golden_records import Record, Trees, World, editions, records, trees
from tests.support.manifests import manifest_data

EXCUSED: dict[str, str] = {}
DONE = [edition for edition in editions() if edition in runtimes.IDS]
RECORDS = [record for edition in DONE for record in records(edition)]
_MARKER = re.compile(r"\[\.\.\. (?P<chars>\d+) fixed characters, sha256 (?P<sha256>[0-9a-f]{64}) \.\.\.\]")


def test_every_excuse_is_for_a_record_and_there_are_few() -> None:
    assert set(EXCUSED) <= {record["id"] for record in RECORDS}
    assert len(EXCUSED) <= 10


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Trees:
    return trees(tmp_path_factory.mktemp("goldens"))


@pytest.mark.together
@pytest.mark.parametrize(
    "record", [r for r in RECORDS if r["id"] not in EXCUSED], ids=lambda record: record["id"]
)
def test_a_record_is_reproduced(record: Record, laid: Trees) -> None:
    edition = record["id"].split("/")[0]
    settings = dict(record.get("settings", {}))
    if settings.pop("user", "") == "non-root" and os.geteuid() == 0:
        pytest.skip("file permissions do not hold for root")
    world = laid.of(record, edition.partition("@")[0])
    runtime = runtimes.get(edition)
    if record["op"] == "parse":
        check_parse(record, runtime)
        return
    level = record.get("level", "runtime")
    session = runtime.open(world.project, world.user, world.filled(settings), level=level)
    for step in record.get("before", ()):
        if step["op"] == "call":
            session.call(step["arguments"], tool=step.get("tool"))
        else:
            world.edit(step)
    CHECKS[record["op"]](record, session, world)


def check_discover(record: Record, session: Session, world: World) -> None:
    expected = world.filled(record["expect"])
    if "error" in expected:
        assert masked(expected["error"], session.failure, None, record) == session.failure
        return
    assert session.failure is None
    found = [
        {"key": s.key, "name": s.name, "description": s.description, "directory": str(s.directory), **s.told}
        for s in session.skills
    ]
    like_expected_skills = [
        {key: skill.get(key) for key in like} for skill, like in pairs(found, expected["skills"])
    ]
    assert expected["skills"] == like_expected_skills
    lost: list[dict[str, Any]] = [
        {"directory": str(s.skill.directory), "message": None} for s in session.shadowed
    ]
    lost += [
        {"directory": str(s.directory), "message": s.message, "type": s.kind, "library": s.library}
        for s in session.skipped
    ]
    lost.sort(key=lambda entry: entry["directory"])
    wanted = expected["skipped"]
    for entry, like in pairs(lost, wanted):
        message = masked(like["message"], entry["message"], entry.get("library"), like)
        assert {"directory": like["directory"], "message": message} == {
            "directory": entry["directory"],
            "message": entry["message"],
        }
        assert "type" not in like or like["type"] == entry["type"]
    if "logs" in expected:
        assert expected["logs"] == [[log.level, log.logger, log.message] for log in session.logs]


def check_catalog(record: Record, session: Session, world: World) -> None:
    expected = world.filled(record["expect"])
    view = record.get("settings", {}).get("view")
    assert expected == (session.prompt() if view and "cut" not in record else session.catalog())
    if cut := record.get("cut"):
        before = fixed_text(cut["prefix_chars"], cut["prefix_sha256"])
        behind = fixed_text(cut["suffix_chars"], cut["suffix_sha256"])
        prompt = session.prompt()
        assert prompt is not None
        assert f"{before}{expected}{behind}" == prompt or full_text_fits(prompt, expected, cut)


def full_text_fits(prompt: str, expected: str, cut: dict[str, Any]) -> bool:
    """Whether a prompt whose fixed text is in a document has the size and digests of the record."""
    at = cut["prefix_chars"]
    before, behind = prompt[:at], prompt[at + len(expected) :]
    return (
        prompt[at : at + len(expected)] == expected
        and digest(before) == cut["prefix_sha256"]
        and digest(behind) == cut["suffix_sha256"]
    )


def check_tool(record: Record, session: Session, world: World) -> None:
    tool = session.tool()
    if tool and record["expect"] and "description" not in record["expect"]:
        tool = {key: value for key, value in tool.items() if key != "description"}
    expected = world.filled(record["expect"])
    assert like_expected(tool, expected) == expected
    assert order(tool, expected) == order(expected, expected)


def check_call(record: Record, session: Session, world: World) -> None:
    result = session.call(record["arguments"])
    if wanted := record.get("expect_hash"):
        assert result.text is not None
        marker = _MARKER.fullmatch(result.text)
        seen = (
            {"chars": int(marker["chars"]), "sha256": marker["sha256"]} if marker else measured(result.text)
        )
        assert wanted == seen
        return
    expected = world.filled(record["expect"])
    assert masked(expected, result.text, result.library, record) == result.text
    if extra := world.filled(record.get("extra")):
        if "cli" in extra:
            assert masked(extra["cli"], result.display, result.library, record) == result.display
        assert extra.get("metadata") == result.metadata
        assert extra.get("is_error", False) == result.is_error
    if "logs" in record and not record.get("logs_library_text"):
        assert world.filled(record["logs"]) == [[log.level, log.logger, log.message] for log in result.logs]
    for name in ("flow_error", "load_error"):
        if name in record:
            seen_error = getattr(result, name)
            assert masked(world.filled(record[name]), seen_error, result.library, record) == seen_error


def check_context(record: Record, session: Session, world: World) -> None:
    before = len(session.logs)
    assert world.filled(record["expect"]) == session.context(record["query"])
    if "logs" in record:
        assert world.filled(record["logs"]) == [
            [log.level, log.logger, log.message] for log in session.logs[before:]
        ]


def check_parse(record: Record, runtime: Any) -> None:
    arguments, expected = record["arguments"], record["expect"]
    parsed, refusal = parse(runtime, arguments["text"], arguments.get("directory"))
    if refusal is None:
        assert {key: parsed.get(key) for key in expected} == expected
    else:
        assert "error" in expected, refusal.message
        assert masked(expected["error"], refusal.message, refusal.library, record) == refusal.message
        assert "type" not in expected or expected["type"] == refusal.kind


def parse(runtime: Any, text: str, directory: str | None) -> tuple[dict[str, Any], Refusal | None]:
    try:
        return manifest_data(runtime.parse(text.encode("utf-8", "surrogatepass"), directory)), None
    except Refusal as refusal:
        return {}, refusal


CHECKS = {
    "discover": check_discover,
    "catalog": check_catalog,
    "tool": check_tool,
    "call": check_call,
    "context": check_context,
}


def pairs(found: list[Any], expected: list[Any]) -> list[tuple[Any, Any]]:
    """Both lists side by side; their directories must be the same."""
    assert [entry["directory"] for entry in expected] == [entry["directory"] for entry in found]
    return list(zip(found, expected, strict=True))


def masked(expected: str | None, found: str | None, library: str | None, flags: Record) -> str | None:
    """Return `found` if it differs from `expected` only where a third-party library speaks."""
    if expected == found or not flags.get("library_text") or expected is None or found is None or not library:
        return expected
    before, _, behind = found.partition(library)
    fits = expected.startswith(before) and expected.endswith(behind) and len(expected) >= len(before + behind)
    return found if fits else expected


def like_expected(found: Any, expected: Any) -> Any:
    """Return `found` with each text measured where the record has only its size and digest."""
    if isinstance(expected, dict) and set(expected) == {"chars", "sha256"} and isinstance(found, str):
        marker = _MARKER.fullmatch(found)
        return {"chars": int(marker["chars"]), "sha256": marker["sha256"]} if marker else measured(found)
    if isinstance(found, dict) and isinstance(expected, dict):
        return {key: like_expected(value, expected.get(key)) for key, value in found.items()}
    return found


def order(value: Any, like: Any) -> Any:
    """Return the keys of nested data in their order, down to where the record has them."""
    if isinstance(value, dict) and isinstance(like, dict) and set(like) != {"chars", "sha256"}:
        return [(key, order(value[key], like.get(key))) for key in value]
    return None


def measured(text: str) -> dict[str, Any]:
    return {"chars": len(text), "sha256": digest(text)}


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

"""What a capture keeps: records that the driver of our goldens answers, and nothing else of a request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from platformdirs import user_state_path

from skilltool.capture import clients, kept, run
from skilltool.capture.client import Client, Place
from skilltool.capture.compare import Captured
from skilltool.capture.inside import EXITED, Outcome
from skilltool.explain.captured import (
    Stamp,
    folder,
    kept_text,
    notes,
    read_kept,
    remember,
    stamp_of,
    version_beside,
)
from tests.support.goldens.driving import drive
from tests.support.goldens.packs import Pack

EDITIONS = {"gemini-cli": "0.61.0", "claude-code": "2.1.329", "codex": "0.169.0", "pi": "1.5.2"}


def write(client: Client, place: Place, directory: Path, edition: str, measures: bool) -> Captured:
    """Keep what a client sends that does what our profile says."""
    run.lay_probes(client, place)
    run.write_files(client, place)
    asked = run.plan(client, place, with_calls=True)
    session = run.open_session(client, place)
    listing, results = str(asked.expected.listing), asked.expected.results
    where = "messages[1] role=system block 0"
    captured = Captured(listing, session.tool() if client.id != "claude-code" else None, results, where)
    body = {
        "messages": [{"role": "user", "content": f"Secret.\n{listing}\nSecret, too.", "id": "secret" * 9}]
    }
    request = json.dumps(body).replace("{home}", str(place.home))
    outcome = Outcome([["/v1/messages", request]], EXITED, 0, "", "", 1.0, 1.0, True, [])
    about = {"client": client.id, "version": edition}
    kept.write(directory, client, place, asked, outcome, captured, about, measures)
    return captured


@pytest.mark.slow
@pytest.mark.parametrize("name", EDITIONS)
def test_the_records_of_an_edition_are_answered_as_captured(name: str, tmp_path: Path) -> None:
    with run.private_place(tmp_path) as place:
        write(clients.get(name), place, tmp_path / "pack", EDITIONS[name], measures=True)
    lines = (tmp_path / "pack" / "cases.jsonl").read_text("utf-8").splitlines()
    records: list[dict[str, Any]] = [json.loads(line) for line in lines]
    assert len(records) > (1 if name == "codex" else 30)
    with Pack(tmp_path / "pack") as pack:
        answers = list(drive(pack, records))
    wrong = [
        record["id"]
        for record, answer in zip(records, answers, strict=True)
        if answer["answer"] != record["expect"]
    ]
    assert wrong == []


def test_what_is_kept_has_the_texts_and_nothing_else(tmp_path: Path) -> None:
    client = clients.get("gemini-cli")
    with run.private_place(tmp_path) as place:
        captured = write(client, place, tmp_path / "kept", "1.0", measures=False)
        home = str(place.home)
    found = read_kept(tmp_path / "kept")
    assert (found.client, found.version, found.listing) == ("gemini-cli", "1.0", captured.listing)
    assert found.results == captured.results
    assert kept_text(found, "plain", None) == captured.results["plain"]
    assert kept_text(found, "nobody", None) is None
    assert json.loads(kept_text(found, None, "tool") or "") == captured.tool
    requests = (tmp_path / "kept" / "requests.jsonl").read_text("utf-8")
    assert "ecret" not in requests
    assert "Folded over" in requests
    whole = "".join(file.read_text("utf-8") for file in (tmp_path / "kept").iterdir())
    assert home not in whole


def test_the_content_of_files_that_a_skill_names_is_not_kept() -> None:
    """Claude Code sends what a skill names with `@`, and it may name any file of the machine."""
    blocks = [
        "<system-reminder>\nCalled the Read tool with the following input: {}\n</system-reminder>\n",
        "<system-reminder>\nResult of calling the Read tool:\n1\troot:secret\n</system-reminder>\n",
        "Base directory for this skill: /x\n\nSee @/etc/shadow.\n",
    ]
    answer = {"type": "tool_result", "tool_use_id": "toolu_call_0", "content": "Launching skill: a"}
    content = [answer, *({"type": "text", "text": text} for text in blocks)]
    answers = clients.get("claude-code").answers
    assert answers is not None
    found = answers({"messages": [{"role": "user", "content": content}]}, ["a"])
    assert "secret" not in found["a"]
    assert "Result of calling the Read tool:\n{content}\n</system-reminder>\n" in found["a"]
    assert found["a"].endswith("/x\n\nSee @/etc/shadow.\n")


def test_a_version_is_read_beside_the_program(tmp_path: Path) -> None:
    package = tmp_path / "node_modules" / "@x" / "y"
    (package / "dist").mkdir(parents=True)
    (package / "package.json").write_text('{"name": "@x/y", "version": "1.2.3"}', "utf-8")
    (package / "dist" / "cli.js").touch()
    link = tmp_path / "y"
    link.symlink_to(package / "dist" / "cli.js")
    assert version_beside(link, "@x/y") == "1.2.3"
    assert version_beside(link, "@x/z") is None
    native = package.with_name("y-linux") / "y"
    native.parent.mkdir()
    native.touch()
    assert version_beside(native, "@x/y") == "1.2.3"
    program = tmp_path / "versions" / "4.5.6"
    program.parent.mkdir()
    program.touch()
    assert version_beside(program, "@x/y") == "4.5.6"
    site = tmp_path / "venv" / "lib" / "python3.12" / "site-packages" / "some_thing-7.8.dist-info"
    site.mkdir(parents=True)
    assert version_beside(tmp_path / "venv" / "bin" / "python", "some-thing") == "7.8"


@pytest.mark.parametrize("given", ["", "  ", "/elsewhere"])
def test_what_is_remembered_lies_where_the_system_has_state(
    given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", given)
    assert folder() == user_state_path("skilltool", appauthor=False) / "captures"


def test_what_is_remembered_holds_as_long_as_the_program_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    program = tmp_path / "codex"
    program.write_text("one", "utf-8")
    about = {"version": "1", "edition": "2", "day": "2026-11-25", "outcome": "changed", "changed": ["tool"]}
    assert notes(["codex"]) == []
    remember("codex", "@openai/codex", stamp_of(program, "@openai/codex"), about)
    assert notes(["codex@0.169.0", "codex", "pi"]) == [
        "the installed codex 1 differs from 2, the version shown here, in tool (captured on 2026-11-25; "
        "`skilltool capture codex` shows how)"
    ]
    remember("codex", "@openai/codex", stamp_of(program, "@openai/codex"), {**about, "outcome": "same"})
    assert notes(["codex"]) == []
    remember("codex", "@openai/codex", Stamp(str(program), 3, 0, None), about)  # another time
    assert notes(["codex"]) == []
    (tmp_path / ".local/state/skilltool/captures/codex.json").write_text("{", "utf-8")
    assert notes(["codex"]) == []

"""The records of Claude Code, answered by the driver, which never sees what is expected.

`WRONG` lists every record that is not answered, with the reason. Records that hold the output of a command
in a skill do not count: nothing is run, and `{output}` stands for it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

PACK = Path(__file__).parents[1] / "goldens" / "packs" / "claude-code"
DRIVER = Path(__file__).parents[1] / "goldens" / "drive.py"
HIDDEN = ("expect", "expect_hash", "extra", "logs", "flow_error", "load_error", "cut", "note", "volatile")

_ECHO = "the text holds what `echo hello` prints, and no command is run"
_BASH = "the text is what the tool Bash prints, and no command is run"
WRONG = {
    "call/nested/bash": _BASH,
    "call/paths/bash": _BASH,
    "call/permissions/allow-args/sh": _ECHO,
    "call/permissions/allow-prefix/sh": _ECHO,
    "call/permissions/allow-skill/sh": _ECHO,
    "call/permissions/deny-one/sh": _ECHO,
    "call/permissions/skip/sh": _ECHO,
    "catalog/permissions/skip/listing": "553 characters of the program's own follow the listing",
    "user/user/21": _ECHO,
}


@cache
def records() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (PACK / "cases.jsonl").read_text("utf-8").splitlines()]


@cache
def answers() -> dict[str, Any]:
    shown = [{key: value for key, value in each.items() if key not in HIDDEN} for each in records()]
    lines = "".join(json.dumps(each) + "\n" for each in shown)
    command = [sys.executable, str(DRIVER), str(PACK)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, encoding="utf-8", check=True)
    found = map(json.loads, done.stdout.splitlines())
    return {each["id"]: each["answer"] for each in found}


def counts(record: dict[str, Any]) -> bool:
    return "/inject" not in record["id"] and "sh-" not in record["id"]


@pytest.mark.slow
def test_every_record_gets_an_answer() -> None:
    assert list(answers()) == [record["id"] for record in records()]


def test_the_wrong_answers_are_those_with_a_reason_and_few() -> None:
    wrong = [each["id"] for each in records() if counts(each) and answers()[each["id"]] != each["expect"]]
    assert sorted(wrong) == sorted(WRONG)
    assert len(wrong) * 100 <= len(records())


def test_the_right_answers_by_operation() -> None:
    right = Counter(each["op"] for each in records() if counts(each) and each["id"] not in WRONG)
    assert right == {"discover": 274, "catalog": 326, "call": 430, "user": 45}


def test_an_inline_command_is_never_run() -> None:
    """What is answered in its place differs from the record in nothing but the output."""
    same = [each["id"] for each in records() if not counts(each) and answers()[each["id"]] == each["expect"]]
    assert len(same) == 24
    held = [each["id"] for each in records() if not counts(each) and each["id"] not in same]
    assert all("{output}" in json.dumps(answers()[name]) or "sh-write" in name for name in held)


def test_what_the_driver_cannot_answer_says_so() -> None:
    record = {"id": "someone@1/x", "op": "discover", "tree": {}}
    command = [sys.executable, str(DRIVER), str(PACK)]
    done = subprocess.run(command, input=json.dumps(record), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["answer"] == {"unanswered": "no such runtime: someone@1"}

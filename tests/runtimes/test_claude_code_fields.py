"""The records about values of fields of Claude Code, answered without what is expected.

Each is a session: one skill with an odd value, what is listed and logged, which model is asked, and
the answers to the calls. `WRONG` lists every record that is not answered, with the reason; `{output}` stands
for the output of a command.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.goldens.driving import drive
from tests.support.goldens.packs import Pack

PACK = Path(__file__).parents[1] / "goldens" / "packs" / "claude-code"

_LISTING = "553 characters of the program's own follow the listing"
_TOUCH = "what a command would change is named, and no command is looked into"
_FORK = "the tools that the fork used are named, and nothing is run in a fork"
WRONG = {
    "bang2/touch": _TOUCH,
    "bang2/touch-open": _TOUCH,
    "model-call/skip": _LISTING,
    "model-typed/11": "an older model is told of its surroundings in the same message",
    "pluginname/My_Plugin": "the answer counts the plugins that did not load",
    "shell2/bash": _LISTING,
    "shell2/powershell": _LISTING,
    "shell2/powershell-cmdlet": "the command fails, and no command is run",
    "shell2/zsh": _LISTING,
    "tools2/fork-bash": _FORK,
    "tools2/fork-disallowed": _FORK,
    "tools2/fork-none": _FORK,
}


def test_the_wrong_answers_are_those_with_a_reason() -> None:
    lines = (PACK / "fields.jsonl").read_text("utf-8").splitlines()
    records: list[dict[str, Any]] = [json.loads(line) for line in lines]
    shown = [{key: value for key, value in each.items() if key != "expect"} for each in records]
    with Pack(PACK) as pack:
        answers = list(drive(pack, shown))
    pairs = zip(records, answers, strict=True)
    wrong = [record["id"] for record, found in pairs if found["answer"] != record["expect"]]
    assert len(records) == 429
    assert sorted(wrong) == sorted(WRONG)

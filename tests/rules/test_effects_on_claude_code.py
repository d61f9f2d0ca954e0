"""What findings say about commands and permission is what the records of Claude Code show.

A command that stays text is not said to run, and a call that nothing asks about not to need permission.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

PACKS = Path(__file__).parents[1] / "goldens" / "packs"

# What is said where a command runs; in a fence or a comment it is a rule of its own.
RUNS = ("load-time-command", "command-in-fence")
MARKS = ("!`", "```!\n")
ASKS = ("Execute skill: ", "Shell command permission check failed")


def records(pack: str, file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (PACKS / pack / file).read_text("utf-8").splitlines()]


def findings(top: Path, *rules: str) -> Counter[int]:
    """Return how many findings of these rules the project of each number has."""
    options = ["--isolated", "--no-cache", "--runtime", "claude-code", "--select", ",".join(rules), "--notes"]
    command = [sys.executable, "-m", "skilltool", "lint", *options, "--output-format", "json", "."]
    done = subprocess.run(command, cwd=top, capture_output=True, text=True, encoding="utf-8", check=False)
    said = json.loads(done.stdout)["diagnostics"]
    counted: Counter[int] = Counter()
    for each in said:
        others = re.search(r"\(and (\d+) more in this block\)", each["message"])
        counted[int(each["path"].partition("/")[0])] += 1 + (int(others[1]) if others else 0)
    return counted


def test_a_command_is_said_to_run_where_the_program_ran_it(tmp_path: Path) -> None:
    cases = records("claude-code-commands", "cases.jsonl")
    for number, case in enumerate(cases):
        file = tmp_path / str(number) / ".claude" / "skills" / case["skill"] / "SKILL.md"
        file.parent.mkdir(parents=True)
        file.write_text(case["text"], "utf-8")
    said = findings(tmp_path, *RUNS)
    for number, case in enumerate(cases):
        written, sent = (sum(text.count(mark) for mark in MARKS) for text in (case["text"], case["expect"]))
        if case["error"]:  # the program names the first command that it does not run unasked
            assert said[number] >= 1, case["id"]
        else:
            assert said[number] == written - sent, case["id"]


def test_a_field_is_said_to_need_permission_where_the_program_asked(tmp_path: Path) -> None:
    cases = [
        each
        for each in records("claude-code", "fields.jsonl")
        if not each.get("flags") and each["steps"] and each["steps"][0].get("tool") == "Skill"
    ]
    for number, case in enumerate(cases):
        for step in case["setup"]:
            place = step["path"].replace("{project}", str(tmp_path / str(number)))
            if step["op"] == "write" and "{" not in place:
                Path(place).parent.mkdir(parents=True, exist_ok=True)
                Path(place).write_text(step["text"], "utf-8")
    said = findings(tmp_path, "permission-prompt", "variable-in-command")
    asked = [each["id"] for each in cases if any(ask in json.dumps(each["expect"]) for ask in ASKS)]
    assert [cases[number]["id"] for number in sorted(said)] == asked
    assert len(asked) >= 5

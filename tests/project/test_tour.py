"""The tour in `examples/tour`: its defects are there, they do no harm, and nobody takes it for our skills."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from skilltool import runtimes
from skilltool.findings.secrets import secrets_of
from skilltool.text.source import Source
from tests.conftest import slow

ROOT = Path(__file__).parents[2]
TOUR = ROOT / "examples" / "tour"
FILES = sorted(path for path in TOUR.rglob("*") if path.is_file() and not path.is_symlink())
# What a reader of the tour is to see, by skill; notes are not among them.
DEFECTS = {
    ".agents/skills/incident": {"missing-field", "long-description"},
    ".agents/skills/onboarding": {"encoded-command"},
    ".claude/skills/db-backup": {"broken-link", "unbalanced-tool"},
    ".claude/skills/deploy": {"drifted-copy"},
    "plugins/review/.claude-plugin/plugin.json": {"dangling-skill-path"},
    "plugins/review/skills/review-pr": {"hidden-text"},
    "plugins/review/security/threat-model": {"placeholder-description"},
}


def answer(*arguments: str, directory: Path = TOUR, status: int = 0) -> Any:
    """What a command prints as JSON, at home in an empty directory."""
    command = [sys.executable, "-m", "skilltool", *arguments, "--output-format", "json"]
    run = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    assert run.returncode == status, run.stderr
    return json.loads(run.stdout)


def test_each_defect_of_the_tour_is_found_where_it_is() -> None:
    found: dict[str, set[str]] = {}
    for finding in answer("lint", status=1)["diagnostics"]:
        if finding["severity"] != "info":
            found.setdefault(finding["path"].removesuffix("/SKILL.md"), set()).add(finding["rule"])
    assert found == DEFECTS


def test_one_file_has_three_fates() -> None:
    """Claude Code loads it, Codex truncates its description, and Gemini CLI loads nothing."""
    listed = {}
    for client in ("claude-code", "codex", "gemini-cli"):
        catalog = answer("render", "--part", "catalog", "--runtime", client)["text"]
        listed[client] = re.search(r"^- incident: (.*?)(?: \(file: .*)?$", catalog, re.MULTILINE)
    assert listed["claude-code"] is not None
    assert listed["claude-code"][1].endswith("Never use it for planned maintenance.")
    assert listed["codex"] is not None
    assert listed["codex"][1].endswith("...")
    assert "Use when" not in listed["codex"][1]
    assert listed["gemini-cli"] is None
    skipped = answer("resolve", "--runtime", "gemini-cli")["skipped"]
    assert [Path(skill["directory"]).name for skill in skipped] == ["incident"]


def test_its_cases_show_why_a_skill_is_not_called() -> None:
    report = answer("route", "--runtime", "claude-code,codex", status=1)
    found = {(each["kind"], skill) for each in report["problems"] for skill in each["skills"]}
    assert {("not-listed", "changelog"), ("truncated", "incident"), ("names-skill", "db-backup")} <= found


@slow
@pytest.mark.parametrize("client", runtimes.GROUPS["clients"])
def test_no_client_at_the_top_of_this_repository_loads_the_tour(client: str) -> None:
    loaded = answer("resolve", "--runtime", client, "--no-user-settings", directory=ROOT)["skills"]
    assert [skill for skill in loaded if Path(skill["directory"]).is_relative_to(TOUR)] == []


def test_our_own_lint_and_hooks_leave_the_tour_out() -> None:
    report = answer("lint", directory=ROOT)
    assert {Path(finding["path"]).parts[0] for finding in report["diagnostics"]} <= {".agents", "examples"}
    assert report["summary"]["skills"] == 4
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"][0]["hooks"]
    assert [hook["entry"] for hook in hooks if "skilltool lint" in hook["entry"]] == [
        "skilltool lint examples --fail-on=info"
    ]


def test_git_has_every_file_of_the_tour() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("needs the repository: this is an archive of it")
    listed = subprocess.run(
        ["git", "ls-files", "-z", TOUR], cwd=ROOT, capture_output=True, text=True, check=True
    )
    known = {ROOT / name for name in listed.stdout.split("\0") if name}
    assert known == {*FILES, TOUR / ".claude" / "skills" / "incident"}


def test_nothing_in_the_tour_does_harm() -> None:
    for path in FILES:
        text = path.read_text("utf-8")
        assert list(secrets_of(Source(text))) == [], path
        assert re.findall(r"https?://", text) == [], path

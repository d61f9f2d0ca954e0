"""Placeholders in a body that runtimes replace: with arguments, and with the output of commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool.findings.finding import Severity
from skilltool.rules import RULES
from skilltool.runtimes import get
from skilltool.skill.model import load_skill


def findings(
    directory: Path, rule: str, body: str, runtime: str = "agentskills", head: str = ""
) -> list[str]:
    """Write a skill; return the text at the span of each finding of a rule."""
    directory.mkdir(parents=True, exist_ok=True)
    text = f"---\nname: {directory.name}\ndescription: Fills in forms.\n{head}---\n\n{body}\n"
    (directory / "SKILL.md").write_text(text, "utf-8")
    loaded = load_skill(directory)
    return [loaded.source[finding.span] for finding in RULES[rule].check(loaded, get(runtime))]


@pytest.mark.parametrize(
    ("body", "marks"),
    [
        ("`awk '{print $1}'`", ["$1"]),
        ('```sh\necho "$0" $2\n```', ["$0"]),
        ("It costs $1, and $2 more.", []),
        ("Up to `$5/month`, `$0 (never paying)`, `$9 per seat` or `$8/user/month`.", []),
        ("```yaml\nprice: $5\nplans: $1/mo, $3 a year, $2+ / user, $5 million\nfee: $0\n```", []),
        ("```\nFree ($0/mo), Pro ($9 - $12/mo)\n```\n\n`cat $2/month.txt`", ["$2"]),
        ("`$5/month` and `cat $1/years/a.txt | sort`", ["$1"]),
        ('```json\n["posts on three sites = $0)"]\n```', []),
        ("```\nSmall ($1/$5 per MTok), large ($3/$15 per MTok)\n```\n\n`cat $1/$2`", ["$1"]),
        ('```json\n{"note": "<optional note from $2>"}\n```', []),
        ("```sh\nsort <$1 >b\n```", ["$1"]),
        ("```sh\nsort <fields.csv | awk '{print $1}' > b\n```", ["$1"]),
        ("```sh\nawk 'a <b && $1 > 3'\n```", ["$1"]),
        ("```sh\ncat <fields $1 >b\n```", ["$1"]),
        ("```sh\ncp src/$1/$2/file out\n```", ["$1"]),
        ("`WHERE id = $1`", ["$1"]),
        ("`x = $0.log`", ["$0"]),
        ("`cost=$1`, `awk '{print $2 (NR)}'`", ["$1"]),
        ("`$5.00`, `$1,000`, `$2M`, `$5-10`, `$1x`, `\\$1`, `$$1`, `a$1`, `${1}`", []),
        ("Review $ARGUMENTS: `git diff main...$0`.", []),  # the author means the first argument
    ],
)
def test_positions_count_in_code_only(body: str, marks: list[str], tmp_path: Path) -> None:
    assert findings(tmp_path / "a", "positional-in-code", body) == marks


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("It writes `$1` for Postgres.", Severity.INFO),
        ("It writes `$1` for Postgres: `psql -c $2`.", Severity.INFO),
        ("It writes `$1` for Postgres. Run `psql -c $1`.", None),
        ("Run `psql -c $2`.", Severity.INFO),  # nobody passes three words where no arguments are expected
        ("Run `psql -c $2` with the arguments.", None),
        ("Review $ARGUMENTS with `awk '{print $0}'`. Run `awk '{print $1}'`.", None),
        ("| awk | columns | `awk '{print $1}' x` |", Severity.INFO),
        ("```sh\n$1\n```", None),
        ('```json\n{"query": "WHERE id = $1"}\n```', Severity.INFO),
        ('```json\n{"query": "WHERE id = $1"}\n```\n\n```sh\necho $1\n```', None),
        ('```sh\necho "Usage: $0 FILE"\n```', Severity.INFO),
        ('```sh\ncd "$(dirname "$0")"\n```', None),
        ('```sh\ncd "$(dirname "$(realpath "$0")")"\n```', None),
        ('```sh\necho "Usage: $0 FILE"\ncat "$1"\n```', None),
    ],
)
def test_a_position_that_nothing_runs_is_a_note(body: str, severity: Severity | None, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "SKILL.md").write_text(f"---\nname: a\ndescription: b\n---\n\n{body}\n", "utf-8")
    (found,) = RULES["positional-in-code"].check(load_skill(tmp_path / "a"), get("claude-code"))
    assert found.severity is severity


@pytest.mark.parametrize(
    ("language", "is_shell"), [("sh", True), ("", True), ("{.bash}", True), ("sql", False), ("go", False)]
)
def test_only_a_shell_has_another_way_to_write_a_position(
    language: str, is_shell: bool, tmp_path: Path
) -> None:
    findings(tmp_path / "a", "positional-in-code", f"```{language}\nselect $1\n```")
    (found,) = RULES["positional-in-code"].check(load_skill(tmp_path / "a"), get("claude-code"))
    assert ("rewrite it" in str(found.help)) == is_shell
    assert (r"write `\$1`, although other clients show" in str(found.help)) == (not is_shell)
    assert str(found.help).endswith("move the code into a file")


def test_a_skill_that_declares_arguments_or_explains_commands_means_them(tmp_path: Path) -> None:
    rule, body = "positional-in-code", "`gh pr view $1`"
    assert findings(tmp_path / "a", rule, body, head="argument-hint: PR\n") == []
    assert findings(tmp_path / "command-development", rule, body) == []
    assert findings(tmp_path / "a", rule, body) == ["$1"]


def test_arguments_inside_a_longer_word_are_reported_for_mycodeagent(
    tmp_path: Path,
) -> None:
    body = "`$ARGUMENTS` `$1` `$ARGUMENTS_X` `\\$ARGUMENTS`"
    assert findings(tmp_path / "a", "positional-in-code", body, "mycodeagent") == ["$ARGUMENTS"]
    assert findings(tmp_path / "a", "positional-in-code", "`$ARGUMENTS` `$1`", "mycodeagent") == []
    assert findings(tmp_path / "a", "positional-in-code", body, "kodelet") == []


@pytest.mark.parametrize(
    ("runtime", "marks"),
    [
        ("mycodeagent", []),
        ("kodelet", ["$ARGUMENTS"]),
        ("nfa", ["$ARGUMENTS"]),
        ("agentskills", []),
    ],
)
def test_arguments_are_ignored_by_runtimes_that_do_not_substitute_them(
    runtime: str, marks: list[str], tmp_path: Path
) -> None:
    assert findings(tmp_path / "a", "ignored-arguments", "Fix $ARGUMENTS. $ARGUMENTS", runtime) == marks


def test_arguments_of_something_else_are_not_expected(tmp_path: Path) -> None:
    for body in ("\\$ARGUMENTS", "$ARGUMENTSX", "the slash command's contract, `$ARGUMENTS`"):
        assert findings(tmp_path / "a", "ignored-arguments", body, "kodelet") == []
    assert findings(tmp_path / "my-skills", "ignored-arguments", "Fix $ARGUMENTS.", "kodelet") == []


BODY = (
    "Now !`date`, not!`this`.\n\n```sh\n!`ls` x!`no`\n```\n\n```!\nwhoami\nid\n```\n\n~~~md\n`!`pwd`\n~~~\n"
)


def test_a_command_in_a_fence_and_one_outside_are_distinguished(tmp_path: Path) -> None:
    assert findings(tmp_path / "a", "command-in-fence", BODY) == ["!`ls`"]
    assert findings(tmp_path / "a", "load-time-command", BODY) == ["!`date`", "```!"]
    assert findings(tmp_path / "a", "load-time-command", BODY, "kodelet") == []


def test_the_commands_of_hooks_are_listed(tmp_path: Path) -> None:
    head = (
        "hooks:\n  Stop:\n    - hooks: [{type: command, command: ./a.sh}]\n"
        "  PreToolUse:\n    - {matcher: Bash, command: b --now}\n  command: text\n"
    )
    assert findings(tmp_path / "a", "load-time-command", "Text", head=head) == ["./a.sh", "b --now"]


def test_hooks_are_listed_for_clients_that_have_them(tmp_path: Path) -> None:
    head = "hooks:\n  Stop:\n    - hooks: [{type: command, command: ./a.sh}]\n"
    rule, body = "load-time-command", "Now: !`date`"
    assert findings(tmp_path / "a", rule, body, "claude-code", head) == ["./a.sh", "!`date`"]
    assert findings(tmp_path / "a", rule, body, "opencode", head) == ["!`date`"]

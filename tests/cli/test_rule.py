"""`skilltool rule`: pages of rules, tables of groups; and options that take several names."""

from __future__ import annotations

import json
import tomllib

import pytest

from skilltool.rules import GROUP_OF, GROUPS, NAMES, manual
from tests.conftest import Skilltool


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_is_a_table_of_its_rules_with_severity_and_summary(skilltool: Skilltool, group: str) -> None:
    heading, _, state, _, *rows = skilltool("rule", group).stdout.splitlines()
    members = [name for name in NAMES if GROUP_OF[name] == group]
    assert heading == f"# {group}"
    assert state == f"{len(members)} rules, {'opt-in' if group == 'pedantic' else 'run by default'}"
    assert len(rows) == len(members)
    for name, row in zip(members, rows, strict=True):
        page = manual.page(name)
        assert row.split(None, 2) == [name, page.severity, page.summary]


def test_several_rules_and_groups_are_shown_in_their_order(skilltool: Skilltool) -> None:
    page, table = skilltool("rule", "broken-link").stdout, skilltool("rule", "body").stdout
    assert skilltool("rule", "body", "broken-link").stdout == f"{table}\n{page}"
    assert skilltool("rule", "broken-link,body").stdout == f"{page}\n{table}"


def test_json_has_each_rule_once(skilltool: Skilltool) -> None:
    data = json.loads(skilltool("rule", "empty-body", "body", "--output-format", "json").stdout)
    names = [rule["id"] for rule in data["rules"]]
    assert names[0] == "empty-body"
    assert sorted(names) == sorted(name for name in NAMES if GROUP_OF[name] == "body")


def selected(skilltool: Skilltool, *options: str) -> list[str]:
    shown: list[str] = tomllib.loads(skilltool("lint", "--show-settings", *options).stdout)["select"]
    return shown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "names"),
    [
        ("--select", ("empty-body", "broken-link")),
        ("--extend-select", ("orphan-file", "pedantic")),
        ("--ignore", ("empty-body", "safety")),
    ],
)
def test_rules_may_be_separated_by_commas_or_repeated(
    skilltool: Skilltool, option: str, names: tuple[str, str]
) -> None:
    repeated = selected(skilltool, option, names[0], option, names[1])
    assert selected(skilltool, option, ",".join(names)) == repeated
    assert selected(skilltool, option, ", ".join(names)) == repeated
    assert repeated != selected(skilltool, option, names[0])


def test_runtimes_may_be_separated_by_commas(skilltool: Skilltool) -> None:
    shown = skilltool("lint", "--show-settings", "--runtime", "kodelet,nfa", "--runtime", "agent").stdout
    assert tomllib.loads(shown)["runtimes"] == ["kodelet", "nfa", "agent"]


def test_an_empty_name_is_an_unknown_one(skilltool: Skilltool) -> None:
    run = skilltool("lint", "--select", "body,")
    assert run.returncode == 2
    assert "unknown rule or group ``" in run.stderr

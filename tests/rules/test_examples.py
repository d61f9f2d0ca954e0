"""Every rule is in the tables, has a manual, and reports of its examples exactly what the manual shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from skilltool import rules
from skilltool.rules import GROUPS, manual
from tests.support.rule_examples import Example, examples

EXAMPLES = examples()
BAD = [example for example in EXAMPLES if example.bad]
GOOD = [example for example in EXAMPLES if not example.bad]


def test_every_rule_is_a_module_in_the_directory_of_its_group() -> None:
    here = Path(rules.__file__).parent
    for group in GROUPS:
        modules = {path.stem.replace("_", "-") for path in (here / group).glob("*.py")} - {"--init--"}
        assert modules == {name for name in rules.NAMES if rules.GROUP_OF[name] == group}, group


@pytest.mark.together
@pytest.mark.parametrize("name", rules.NAMES)
def test_a_rule_has_a_group_a_summary_and_both_examples(name: str) -> None:
    page = manual.page(name)
    assert page.group in GROUPS
    assert page.summary.endswith((".", ":", "?"))
    if name != "internal-error":  # a skill that gives it has shown a defect
        assert "## Bad" in page.body
        assert "## Good" in page.body
    assert not name.startswith("no-"), "a name says the defect"


@pytest.mark.together
@pytest.mark.parametrize("example", BAD, ids=lambda example: example.rule)
def test_a_bad_example_gives_exactly_the_report_of_the_manual(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = example.lay(tmp_path)
    monkeypatch.chdir(base)
    assert example.expected
    assert example.report(base, everything=False) == example.expected


@pytest.mark.together
@pytest.mark.parametrize("example", GOOD, ids=lambda example: example.rule)
def test_a_good_example_is_clean_by_every_rule(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = example.lay(tmp_path)
    monkeypatch.chdir(base)
    assert example.report(base, everything=True) == ""


@pytest.mark.together
@pytest.mark.parametrize("example", BAD, ids=lambda example: example.rule)
def test_a_message_states_a_fact_in_lower_case_without_a_full_stop(example: Example) -> None:
    for line in example.expected.splitlines():
        message = re.sub(r"^.*?\]: (\[\*\] )?", "", line)
        assert message[0].islower() or message[0] == "`"
        assert not message.endswith((".", "!"))
        assert "please" not in message

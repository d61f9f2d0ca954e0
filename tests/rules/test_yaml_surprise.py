"""A value that the YAML versions read differently is quoted where its type stays what clients expect."""

from __future__ import annotations

import pytest

from skilltool import runtimes
from skilltool.findings.finding import applied
from skilltool.rules import RULES
from tests.fix.texts import skill_of


@pytest.mark.parametrize(
    ("field", "fixed"),
    [
        ("license: no", 'license: "no"'),
        ("compatibility: 010", 'compatibility: "010"'),
        ("no: text", '"no": text'),
    ],
)
def test_a_fix_leaves_the_type_that_clients_expect(field: str, fixed: str | None) -> None:
    text = f"---\nname: a\ndescription: Fills in forms.\n{field}\n---\n\nText.\n"
    (finding,) = RULES["yaml-surprise"].check(skill_of(text), runtimes.get("portable"))
    assert (finding.fix is None) == (fixed is None)
    if finding.fix is not None:
        assert applied(text, finding.fix.edits) == text.replace(field, str(fixed))


@pytest.mark.parametrize("value", ["since: no", "last_verified: 2025-12-08", "sprint: 12:30"])
def test_values_that_no_client_reads_are_not_reported(value: str) -> None:
    text = f"---\nname: a\ndescription: Fills in forms.\nmetadata:\n  {value}\n---\n\nText.\n"
    assert list(RULES["yaml-surprise"].check(skill_of(text), runtimes.get("portable"))) == []

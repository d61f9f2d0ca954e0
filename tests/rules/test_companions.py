"""Files beside a SKILL.md: each defect is found at its line and column, and what clients accept is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from skilltool import runtimes
from skilltool._resources import data
from skilltool.findings.diagnostic import locate
from skilltool.findings.finding import Finding, Severity
from skilltool.rules.file import invalid_companion
from skilltool.skill.companions import companions, surely_fits
from skilltool.skill.model import load_skill
from tests.conftest import MakeSkill

SCHEMAS = {
    companion.schema: json.loads(
        (data("schemas") / "companions" / f"{companion.schema}.schema.json").read_text("utf-8")
    )
    for companion in companions()
}
OPENAI, EVALS = "agents/openai.yaml", "evals/evals.json"
GOOD = {
    OPENAI: (
        "interface:\n  display_name: Forms\n  icon_small: ./assets/a.svg\n  brand_color: '#3B82F6'\n"
        "  other: 1\n"
        "policy:\n  allow_implicit_invocation: false\n  products: [codex]\n"
        "dependencies:\n  tools:\n    - {type: mcp, value: forms}\n"
    ),
    EVALS: '{"skill_name": "forms", "evals": [{"id": 1, "prompt": "\\ud83d\\ude00", "expectations": []}]}',
}


@pytest.fixture
def found(tmp_path: Path, make_skill: MakeSkill) -> Any:
    directory = make_skill(tmp_path / "forms")

    def check(file: str, text: str) -> list[tuple[tuple[int, int], Finding]]:
        path = directory / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        skill = load_skill(directory)
        read = skill.text_of(file)
        assert read is not None
        findings = list(invalid_companion.check(skill, runtimes.get("portable")))
        assert {finding.file for finding in findings} <= {file}
        places = (locate(read.source, finding.span) for finding in findings)
        return [(tuple(place.start), each) for place, each in zip(places, findings, strict=True)]

    return check


@pytest.mark.parametrize("file", GOOD)
def test_what_fits_is_not_reported(file: str, found: Any) -> None:
    assert found(file, GOOD[file]) == []


@pytest.mark.parametrize(
    ("file", "text", "place", "said"),
    [
        (OPENAI, "interface: [\n", (2, 1), "not valid YAML: "),
        (OPENAI, "", (1, 1), "the file is not a mapping"),
        (OPENAI, "interface:\n  display_name: 12\n", (2, 17), "`interface.display_name` is not a string"),
        (OPENAI, "interface: Forms\n", (1, 12), "`interface` is not a mapping"),
        (OPENAI, "interface:\n  display_name: " + "x" * 65, (2, 17), "has 65 characters; the limit is 64"),
        (OPENAI, "interface:\n  brand_color: red\n", (2, 16), "does not have the form `#RRGGBB`"),
        (OPENAI, "interface:\n  icon_small: ../a.png\n", (2, 15), "does not have the form `./assets/...`"),
        (OPENAI, "a: 1\ndisplay_name: Forms\n", (2, 1), "`display_name` is not under `interface`"),
        (OPENAI, "policy:\n  products: [codex, cursor]\n", (2, 21), "`policy.products[1]` is `cursor`"),
        (
            OPENAI,
            "dependencies:\n  tools:\n    - type: mcp\n",
            (3, 7),
            "`dependencies.tools[0]` lacks `value`",
        ),
        (EVALS, '{"skill_name": "a",\n "evals": [}', (2, 12), "not valid JSON: unexpected `}`"),
        (EVALS, "[]", (1, 1), "the file is not a mapping"),
        (EVALS, '{"cases": []}', (1, 1), "the file lacks `skill_name` and `evals`"),
        (EVALS, '{"skill_name": "a", "evals": [\n {"id": 1}]}', (2, 2), "`evals[0]` lacks `prompt`"),
        (EVALS, '{"skill_name": "a", "evals": [\n {"id": 1, "prompt": 2}]}', (2, 22), "is not a string"),
    ],
)
def test_each_defect_is_named_where_it_is(
    file: str, text: str, place: tuple[int, int], said: str, found: Any
) -> None:
    at, finding = found(file, text)[0]
    assert at == place
    assert said in finding.message


def test_a_misplaced_field_is_dropped_and_a_wrong_type_ends_the_file(found: Any) -> None:
    ((_, dropped),) = found(OPENAI, "display_name: Forms\n")
    assert (dropped.owners, dropped.clause[0]) == (("codex",), "drops it")
    ((_, whole),) = found(OPENAI, "policy:\n  allow_implicit_invocation: 'no'\n")
    assert (whole.owners, whole.clause[0]) == (("codex",), "ignores the file")


@pytest.mark.parametrize(("interface", "findings"), [("{display_name: Fill}", 0), ("{}", 1), ("null", 1)])
def test_a_field_that_is_also_where_it_belongs_is_not_misplaced(
    interface: str, findings: int, found: Any
) -> None:
    said = [each.message for _, each in found(OPENAI, f"display_name: Forms\ninterface: {interface}\n")]
    assert said.count("`display_name` is not under `interface`") == findings


def test_only_the_first_of_many_defects_are_reported(found: Any) -> None:
    assert 1 < len(found(EVALS, json.dumps({"skill_name": "a", "evals": [{}] * 5000}))) <= 20


def test_nodes_over_the_bounds_and_files_of_other_names_are_left_alone(found: Any) -> None:
    assert found(OPENAI, "a: [" + "b, " * 20_000 + "]\n") == []
    assert found("agents/other.yaml", "a: [") == []


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_schema_is_valid_and_says_what_it_stands_on(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["$comment"]
    assert SCHEMAS[name]["$id"] == f"urn:skilltool:schema:companion:{name}:1"
    (companion,) = (each for each in companions() if each.schema == name)
    assert companion.source
    assert f"`{companion.file}`" in (invalid_companion.__doc__ or "")


KEYS = st.sampled_from(
    ["interface", "display_name", "policy", "products", "evals", "id", "prompt", "skill_name", "name"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "codex", "x" * 70, "#aabbcc"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
)


@given(value=VALUES, name=st.sampled_from(sorted(SCHEMAS)))
def test_what_surely_fits_is_valid(value: Any, name: str) -> None:
    if surely_fits(value, SCHEMAS[name]):
        assert Draft202012Validator(SCHEMAS[name]).is_valid(value)


def test_keys_without_their_mapping_are_one_finding(found: Any) -> None:
    ((place, finding),) = found(OPENAI, "display_name: Forms\nshort_description: Fills in.\n")
    assert (place, finding.message) == (
        (1, 1),
        "`display_name` and `short_description` are not under `interface`",
    )
    assert (finding.help, finding.clause) == (
        "move them under `interface:`",
        ("drops them", "drop them"),
    )
    ((_, alone),) = found(OPENAI, "display_name: Forms\n")
    assert (alone.message, alone.clause) == (
        "`display_name` is not under `interface`",
        ("drops it", "drop it"),
    )


@pytest.mark.parametrize(("value", "severity"), [("true", Severity.INFO), ("false", Severity.WARNING)])
def test_a_key_that_says_what_is_so_without_it_is_a_note(found: Any, value: str, severity: Severity) -> None:
    ((_, finding),) = found(OPENAI, f"allow_implicit_invocation: {value}\n")
    assert finding.severity is severity


def test_keys_of_two_mappings_are_two_findings(found: Any) -> None:
    both = found(OPENAI, "display_name: Forms\nallow_implicit_invocation: false\n")
    assert [finding.message for _, finding in both] == [
        "`display_name` is not under `interface`",
        "`allow_implicit_invocation` is not under `policy`",
    ]

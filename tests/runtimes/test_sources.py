"""Every fact that `skilltool runtimes ID` shows has its source, and documents have the sections named."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.runtimes import facts
from tests.conftest import Skilltool

COVERAGE = (Path(__file__).parents[2] / "docs/coverage.md").read_text("utf-8")
HEADINGS = {
    number: re.findall(r"^\| #+ (.*?) \|", section, re.MULTILINE)
    for number, section in re.findall(
        r"^## Document (\d{3})(.*?)(?=^## |\Z)", COVERAGE, re.MULTILINE | re.DOTALL
    )
}


@pytest.mark.together
@pytest.mark.parametrize("name", [name for name in runtimes.IDS if name != "portable"])
def test_every_fact_has_its_source(name: str) -> None:
    runtime = runtimes.get(name)
    assert set(runtime.sources) == {"roots", "limits", *runtime.facts}
    for source in runtime.sources.values():
        for part in source.split("; "):
            if found := re.fullmatch(r"document (\d{3}), (.*)", part):
                assert found[2] in HEADINGS[found[1]]


def test_sources_are_shown(skilltool: Skilltool) -> None:
    page = skilltool("runtimes", "kodelet@0.5.36").stdout
    assert "skills directories, in order (from pkg/skills/discovery.go, pkg/plugins/types.go)" in page
    assert "\nparser      goldmark-meta" in page
    assert "\n            from pkg/skills/discovery.go\n" in page
    (data,) = json.loads(skilltool("runtimes", "agent", "--output-format", "json").stdout)["runtimes"]
    assert data["sources"]["loading"] == "document 001, Trigger Matching Flow"
    assert facts.source(runtimes.get("portable"), "key") == runtimes.get("portable").docs


def test_the_measured_clients_are_those_whose_facts_are_of_the_program_itself() -> None:
    measured = {name for name in runtimes.GROUPS["clients"] if runtimes.get(name).evidence in {"wire", "run"}}
    assert set(runtimes.MEASURED) == measured


def test_the_table_of_limited_listings_has_the_runtimes_with_a_budget() -> None:
    assert {name for name in runtimes.IDS if runtimes.get(name).budget is not None} == runtimes.BUDGETED


def test_the_reported_clients_are_those_of_which_nothing_else_is_known() -> None:
    assert set(runtimes.REPORTED) == {
        name for name in runtimes.BARE if runtimes.get(name).evidence == "reported"
    }


def test_the_words_about_evidence_name_it() -> None:
    for runtime in map(runtimes.get, runtimes.IDS):
        words = runtime.verified.partition(", ")[2]
        assert words.partition(":")[0] in {runtime.evidence, words}, runtime.id

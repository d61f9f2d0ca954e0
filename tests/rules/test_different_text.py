"""Descriptions that a runtime reads otherwise than the author wrote them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skilltool.lint.check import check_directory
from skilltool.lint.config import Config
from skilltool.lint.settings import resolve
from skilltool.runtimes import BARE, get
from skilltool.runtimes.values import LoadedSkill
from tests.conftest import examples


def reported(
    directory: Path, description: str, *targets: str, rules: tuple[str, ...] = ("different-text",)
) -> list[tuple[str, str, int]]:
    """Write a skill; return severity, message and column of what the rule finds in its description."""
    directory.mkdir(exist_ok=True)
    text = f"---\nname: {directory.name}\ndescription: {description}\n---\n\nRead the fields.\n"
    (directory / "SKILL.md").write_text(text, "utf-8")
    chosen = resolve(Config(), {"select": [*rules], "runtimes": list(targets)})
    found = check_directory(directory, chosen).diagnostics
    return [(str(each.severity), each.message, each.location.start.column) for each in found]


@pytest.mark.parametrize(
    "description",
    [
        "Fills in forms.  # short",
        "Fills in forms.\t# short",
        '"Fills." # short',
        "Fills in forms. # short",
        "Fills in (PDF) forms (all of them.) # TODO: not short",
    ],
)
def test_a_comment_that_is_meant_as_one_is_no_text(description: str, tmp_path: Path) -> None:
    assert reported(tmp_path / "a", description, "portable", "kodelet", "agentskills") == []
    ((_severity, message, _column),) = reported(tmp_path / "a", description, "mycodeagent")
    assert "`mycodeagent` reads `" in message
    assert "short` in the description instead of" in message


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("target", BARE)
@given(words=st.lists(st.sampled_from(["a", "b#", "#c", "#", "d,", "e#f"]), min_size=1, max_size=6))
@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
def test_one_finding_stands_where_the_runtime_reads_other_words_than_the_line_has(
    target: str, words: list[str], tmp_path: Path
) -> None:
    line = " ".join(["Fills", *words])
    found = reported(tmp_path / "a", line, target, rules=("different-text", "cut-comment"))
    load = get(target).load
    assert load is not None
    loaded = load(tmp_path / "a")
    assert isinstance(loaded, LoadedSkill)
    assert len(found) == (loaded.description.split() != line.split())


def test_what_stands_for_an_empty_description_is_named(tmp_path: Path) -> None:
    found = reported(tmp_path / "a", ">", "claude-code")
    text = "`claude-code` reads `Read the fields.` as the description, because the field is empty"
    assert found == [("warning", text, 14)]

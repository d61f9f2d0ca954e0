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


def reported(directory: Path, description: str, *targets: str) -> list[tuple[str, str, int]]:
    """Write a skill; return severity, message and column of what the rule finds in its description."""
    directory.mkdir(exist_ok=True)
    text = f"---\nname: {directory.name}\ndescription: {description}\n---\n\nRead the fields.\n"
    (directory / "SKILL.md").write_text(text, "utf-8")
    chosen = resolve(Config(), {"select": ["different-text"], "runtimes": list(targets)})
    found = check_directory(directory, chosen).diagnostics
    return [(str(each.severity), each.message, each.location.start.column) for each in found]


CUT = "read `Import C`, the rest of the description is a YAML comment"


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        (("agent", "kodelet", "mycodeagent", "nfa"), f"`agent`, `kodelet` and `nfa` {CUT}"),
        (("kodelet",), f"`kodelet` {CUT.replace('read', 'reads', 1)}"),
        (
            ("kodelet", "nfa", "agentskills", "claude-code"),
            f"`kodelet`, `nfa`, `agentskills` and `claude-code` {CUT}",
        ),
    ],
)
def test_runtimes_that_take_the_end_of_a_line_for_a_comment_are_named(
    targets: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    assert reported(tmp_path / "a", "Import C #data into C code.", *targets) == [("warning", message, 23)]


def test_a_runtime_that_reads_the_whole_line_is_right(tmp_path: Path) -> None:
    assert reported(tmp_path / "a", "Import C #data into C code.", "mycodeagent") == []
    assert reported(tmp_path / "a", "Import C#data into C# code.", *BARE, "portable") == []


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


@pytest.mark.parametrize(
    "description",
    [
        "Fills in forms. # Use it for PDF.",
        "Fills in forms # of PDF",
        "Fills in forms. #pdf is the topic",
        "Which C? # and C code!",
        "Fills in forms. # (Use it for PDF.)",
    ],
)
def test_more_of_the_description_is_no_note(description: str, tmp_path: Path) -> None:
    ((_severity, message, _column),) = reported(tmp_path / "a", description, "kodelet")
    assert "the rest of the description is a YAML comment" in message


def test_of_a_long_description_the_last_words_that_are_read_are_shown(tmp_path: Path) -> None:
    ((_severity, message, _column),) = reported(tmp_path / "a", f"{'fills ' * 30}forms #x", "kodelet")
    assert message.startswith("`kodelet` reads `\u2026")
    assert "fills forms`, the rest" in message


@pytest.mark.parametrize("target", BARE)
@given(words=st.lists(st.sampled_from(["a", "b#", "#c", "#", "d,", "e#f"]), min_size=1, max_size=6))
@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
def test_a_finding_stands_where_the_runtime_reads_other_words_than_the_line_has(
    target: str, words: list[str], tmp_path: Path
) -> None:
    line = " ".join(["Fills", *words])
    found = reported(tmp_path / "a", line, target)
    load = get(target).load
    assert load is not None
    loaded = load(tmp_path / "a")
    assert isinstance(loaded, LoadedSkill)
    assert bool(found) == (loaded.description.split() != line.split())

"""Values that YAML ends at ` #`, where the author meant the rest of the line, too."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.findings.finding import applied
from skilltool.lint.check import check_directory
from skilltool.lint.config import Config
from skilltool.lint.settings import resolve
from skilltool.rules.frontmatter import cut_comment
from skilltool.runtimes import BARE, get
from skilltool.skill.model import Skill
from skilltool.text.frontmatter import read
from skilltool.text.source import Source


def reported(directory: Path, description: str, *targets: str) -> list[tuple[str, str, int]]:
    """Write a skill; return severity, message and column of what the rule finds in its description."""
    directory.mkdir(exist_ok=True)
    text = f"---\nname: {directory.name}\ndescription: {description}\n---\n\nRead the fields.\n"
    (directory / "SKILL.md").write_text(text, "utf-8")
    chosen = resolve(Config(), {"select": ["cut-comment"], "runtimes": list(targets)})
    found = check_directory(directory, chosen).diagnostics
    return [(str(each.severity), each.message, each.location.start.column) for each in found]


CUT = "treat `#data into C code.` as a comment, so the description ends with `Import C`"


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        (("agent", "kodelet", "mycodeagent", "nfa"), f"`agent`, `kodelet` and `nfa` {CUT}"),
        (("kodelet",), f"`kodelet` {CUT.replace('treat', 'treats', 1).replace('their', 'its', 1)}"),
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
        "Fills in forms. # Use it for PDF.",
        "Fills in forms # of PDF",
        "Fills in forms. #pdf is the topic",
        "Which C? # and C code!",
        "Fills in forms. # (Use it for PDF.)",
    ],
)
def test_more_of_the_description_is_no_note(description: str, tmp_path: Path) -> None:
    ((_severity, message, _column),) = reported(tmp_path / "a", description, "kodelet")
    assert f"treats `{description[description.index('#') :]}` as a comment" in message


def test_of_a_long_description_the_last_words_that_are_read_are_shown(tmp_path: Path) -> None:
    ((_severity, message, _column),) = reported(tmp_path / "a", f"{'fills ' * 30}forms #x", "kodelet")
    assert "ends with `\u2026" in message
    assert message.endswith("fills forms`")


@pytest.mark.together
@pytest.mark.parametrize(
    ("line", "cut"),
    [
        ("argument-hint: #number of the issue", "argument-hint"),
        ("when_to_use: After a bug is fixed in #77", "when_to_use"),
        ("metadata:\n  short: Fix issues #fast and often", "metadata.short"),
        ("keywords:\n- a\n- fix issues #fast", "keywords.1"),
        ("compatibility: Needs\tgit \t#and gh", None),
        ("compatibility: Needs git #and gh", "compatibility"),
        ("compatibility: Needs git # and gh", None),
        ("compatibility: Needs git  # and gh", None),
        ("compatibility: Needs git #TODO say more", None),
        ("compatibility: Needs git #------", None),
        ("compatibility: 'Needs git' #and gh", None),
        ("compatibility: Needs a#b and c# too", None),
        ("compatibility: git #and gh", None),
        ("license: MIT #see the file", None),
        ("license: MIT or so #see the file", None),
        ("version: 1 2 #three", None),
        ("allowed-tools: Read Bash(gh issue #12)", None),
        ("metadata: #of mine\n  a: b", None),
        ("metadata: {a: b c} #of mine", None),
        ("when_to_use: >- #x\n  a b", None),
    ],
)
def test_in_other_fields_a_word_after_the_mark_counts(line: str, cut: str | None) -> None:
    skill = Skill("a", "SKILL.md", Source(f"---\nname: a\ndescription: d\n{line}\n---\n# A\n"))
    messages = [each.message for each in cut_comment.check(skill, get("portable"))]
    assert [message.split("`")[1] for message in messages] == ([cut] if cut else [])


@given(
    value=st.text("ab #\"'\\:,.\u00e9", min_size=1, max_size=20),
    key=st.sampled_from(["description", "when_to_use"]),
)
def test_the_fix_makes_yaml_read_the_whole_line(value: str, key: str) -> None:
    text = f"---\nname: a\n{key}: {value}\nlicense: MIT\n---\n# A\n"
    skill = Skill("a", "SKILL.md", Source(text))
    for found in cut_comment.check(skill, get("kodelet")):
        assert found.fix is not None
        assert not found.fix.safe
        after = read(Source(applied(text, found.fix.edits)))
        assert after.text(key) == value.strip()
        assert after.text("license") == "MIT"

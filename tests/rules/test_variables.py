"""Variables for the skill's directory come from the clients' facts, and a client really puts them in."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool._resources import data
from skilltool.rules.body import broken_link, missing_file_mention
from skilltool.rules.shared import links, skill_paths
from skilltool.runtimes.claude_code.answers import text_of
from skilltool.runtimes.claude_code.skills import Entry
from skilltool.runtimes.variables import SKILL, Variable, conventions, own_directory, variables
from skilltool.skill.model import load_skill
from tests.conftest import MakeSkill

TABLE = json.loads((data("schemas") / "variables.json").read_text("utf-8"))
OWN = [row.variable for row in variables() if row.names == SKILL]


@pytest.mark.parametrize("variable", OWN)
def test_a_link_after_a_variable_of_a_client_leads_into_the_skill(
    variable: str, tmp_path: Path, make_skill: MakeSkill
) -> None:
    body = f"[x]({variable}/gone.md) and [y]({variable}/notes.md) and {variable}/scripts/no.py"
    directory = make_skill(tmp_path / "forms", f"---\nname: forms\ndescription: Fills in.\n---\n\n{body}\n")
    (directory / "notes.md").write_text("# Notes\n", "utf-8")
    skill = load_skill(directory)
    said = [finding.message for finding in broken_link.check(skill, runtimes.get("portable"))]
    assert said == [f"link `{variable}/gone.md` points to a file that does not exist"]
    said = [finding.message for finding in missing_file_mention.check(skill, runtimes.get("portable"))]
    assert said == ["mentioned file `scripts/no.py` does not exist"]


@pytest.mark.parametrize(
    "row", [row for row in variables() if row.names != SKILL], ids=lambda row: row.variable
)
def test_a_link_after_a_variable_for_another_directory_is_not_followed(row: Variable) -> None:
    assert links.local_target(f"{row.variable}/notes.md") is None


@pytest.mark.together
@pytest.mark.parametrize("word", conventions().words)
@pytest.mark.parametrize("form", ["$W", "${W}", "$MY_W", "${THIS_W}", "${CLAUDE_W}", "$agent_W"])
def test_the_words_of_authors_are_understood_too(word: str, form: str) -> None:
    target = links.local_target(f"{form.replace('W', word)}/notes.md", "forms", "references")
    assert target is not None
    assert target.path == "notes.md"


def test_a_variable_of_another_skill_is_none_of_this_one() -> None:
    assert links.local_target("${FORMS_SKILL_DIR}/notes.md") is None
    assert re.search(skill_paths.OWNER, "$FORMS_SKILL_DIR/")
    assert "forms" not in skill_paths.VARIABLE_PREFIXES
    assert "claude" in skill_paths.VARIABLE_PREFIXES, "from the name of a client's variable"


@pytest.mark.parametrize("row", variables(), ids=lambda row: row.variable)
def test_each_variable_is_a_fact_with_its_source(row: Variable) -> None:
    assert row.source
    assert row.evidence in {"wire", "run", "source", "docs"}
    assert row.names in {SKILL, "project", "plugin", "data"}
    assert TABLE["conventions"]["source"]


def test_what_was_measured_of_claude_code_is_what_its_profile_puts_in(
    tmp_path: Path, make_skill: MakeSkill
) -> None:
    measured = [row for row in variables() if row.client == "claude-code" and row.evidence == "wire"]
    names = {row.variable: row.names for row in measured}
    body = "\n".join(f"{name}|" for name in names)
    make_skill(
        tmp_path / ".claude/skills/forms", f"---\nname: forms\ndescription: Fills in.\n---\n\n{body}\n"
    )
    session = runtimes.get("claude-code").open(project=tmp_path, home=tmp_path / "home")
    (skill,) = session.skills
    read = text_of(session, skill.known_as(Entry), None).text
    left = {name: f"{name}|" in read for name in names}
    assert left == {name: what == "plugin" for name, what in names.items()}, "no plugin's skill"
    assert f"{skill.directory}|" in read


def test_an_edition_has_the_variable_of_its_client() -> None:
    assert own_directory("claude-code@2.1.329") == own_directory("claude-code") == "${CLAUDE_SKILL_DIR}"
    assert own_directory("kodelet") is None

"""What clients list of a description, and what is asked of a model for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.findings.finding import Severity
from skilltool.route import quality
from skilltool.route.check import checked
from skilltool.route.find_cases import Located, find
from skilltool.route.first_turn import frame
from skilltool.route.listing import Listing
from skilltool.route.plan import How, of_split, plan
from skilltool.route.problems import merged
from skilltool.route.turn import SYSTEM, USER
from skilltool.skill.routing_cases import Case
from tests.route.checking import listing_of, problems_of

LONG = "Paints <walls> & doors, 'quickly'. " * 45 + "Also staircases."


def located(
    prompt: str, expected: tuple[str, ...] | None, rejected: tuple[str, ...] = (), split: str | None = None
) -> Located:
    return Located(Case("1", prompt, expected, rejected, split), f"cases.json#{prompt}", None)


@pytest.mark.parametrize("runtime", ["claude-code", "opencode", "crush"])
def test_a_description_that_is_escaped_is_not_taken_for_truncated(tmp_path: Path, runtime: str) -> None:
    entry = listing_of(tmp_path, {"paint": LONG[:400]}, runtime).entries["paint"]
    assert (entry.shown, entry.lost) == (entry.description, "")


def test_a_description_that_is_escaped_and_truncated_is_found(tmp_path: Path) -> None:
    """Claude Code escapes `<` and `>` and ends at a length of its own; the rest is lost, and no more."""
    entry = listing_of(tmp_path, {"paint": LONG}).entries["paint"]
    assert entry.description.startswith(entry.shown)
    assert 1_000 < len(entry.shown) < len(entry.description)
    assert entry.lost.endswith("Also staircases.")


def test_a_description_of_several_lines_is_found_on_one(tmp_path: Path) -> None:
    entry = listing_of(tmp_path, {"paint": LONG.replace(". ", ".\n\n")}).entries["paint"]
    assert 1_000 < len(entry.shown) < len(entry.description)


def test_where_the_listing_stands_follows_the_client_and_the_model(tmp_path: Path) -> None:
    listing = listing_of(tmp_path, {"paint": "Paints."})
    roles = {
        model: [role for role, _ in frame(listing, model).turn("x").messages]
        for model in ("claude-sonnet-5", "claude-haiku-4-5", "claude-3-5-haiku")
    }
    assert roles == {
        "claude-sonnet-5": [USER, SYSTEM],
        "claude-haiku-4-5": [USER, USER],
        "claude-3-5-haiku": [USER, USER],
    }
    older = frame(listing, "claude-haiku-4-5").turn("x").messages
    assert older[0][1].startswith("<system-reminder>\nThe following skills")
    assert older[1] == (USER, "x")
    opencode = frame(
        Listing(runtimes.get("opencode").open(listing.session.project, listing.session.home)), "m"
    )
    assert [role for role, _ in opencode.turn("x").messages] == [SYSTEM, USER]


def test_a_client_whose_listing_is_in_its_tool_is_sent_it_once(tmp_path: Path) -> None:
    top = listing_of(tmp_path, {"paint": "Paints."}).session.project
    (top / ".claude").rename(top / ".cline")
    turn = frame(Listing(runtimes.get("cline").open(top, top / "home")), "m").turn("x")
    assert [text for _, text in turn.messages] == ["x"]
    assert "paint" in turn.tools[0].description


def test_cases_that_nobody_needs_to_ask_are_told_once(tmp_path: Path) -> None:
    """A client with two sessions is asked in the one that has the skill; what neither has is told."""
    both = [
        listing_of(tmp_path, {"pdf": "Fills in forms."}),
        listing_of(tmp_path, {"docx": "Writes letters."}),
    ]
    cases = [
        located("a", ("pdf",)),
        located("b", ("docx",)),
        located("c", ("gone",)),
        located("d", ()),
        located("e", None, ("gone",)),
    ]
    plans = plan(both, cases, How("m", "chat", "client", 9))
    assert [[question.place for question in each.questions] for each in plans] == [
        ["cases.json#a", "cases.json#d"],
        ["cases.json#b", "cases.json#d"],
    ]
    assert [each.untold for each in plans] == [("cases.json#c", "cases.json#e")] * 2


def test_a_split_has_its_part_and_a_case_may_say_which() -> None:
    cases = [located(f"prompt {number}", ()) for number in range(500)]
    assert 270 < len(of_split(cases, "tune")) < 330
    assert len(of_split(cases, "tune")) + len(of_split(cases, "judge")) == 500
    said = [located("x", (), split="judge"), located("y", (), split="tune")]
    assert [each.case.prompt for each in of_split(said, "judge")] == ["x"]


def test_a_skill_that_is_only_wrong_or_one_of_several_is_a_warning_where_it_is_gone(tmp_path: Path) -> None:
    listing = listing_of(tmp_path, {"pdf": "Fills in forms."})
    cases = [located("a", ("gone",)), located("b", ("pdf", "away")), located("c", ("pdf",), ("lost",))]
    found = {
        each.skills[0]: each.severity for each in checked(listing, cases, [listing], asked=True).problems
    }
    assert found == {"gone": Severity.ERROR, "away": Severity.WARNING, "lost": Severity.WARNING}


def test_a_problem_is_as_bad_as_its_worst_case(tmp_path: Path) -> None:
    listing = listing_of(tmp_path, {"pdf": "Fills in forms."})
    cases = [located("c", ("pdf",), ("gone",)), located("a", ("gone",))]
    (found,) = merged(checked(listing, cases, [listing], asked=True).problems)
    assert (found.severity, found.places) == (Severity.ERROR, ("cases.json#c", "cases.json#a"))


def test_prompts_that_point_clearly_to_one_skill_are_not_ambiguous(tmp_path: Path) -> None:
    skills = {"pdf": "Fills in forms, merges files.", "docx": "Writes letters and reports.", "x": "Paints."}
    clear = [{"prompt": "Fill in forms, merge files for letters and reports", "expected_skill": "pdf"}]
    unclear = [{"prompt": "Merge files for letters and reports", "expected_skill": "pdf"}]
    kinds = [{each.kind for each in problems_of(tmp_path, skills, rows)} for rows in (clear, unclear)]
    assert ["ambiguous" in each for each in kinds] == [False, True]


def test_the_same_prompt_may_be_a_negative_of_several_skills(tmp_path: Path) -> None:
    """As in files with `should_trigger` of two skills; only the same case twice counts double."""
    skills = {"pdf": "Fills in forms.", "docx": "Writes letters."}
    rows = [{"prompt": "Sing", "not_expected_skills": [name]} for name in skills]
    assert "duplicate" not in {each.kind for each in problems_of(tmp_path, skills, rows)}
    assert "duplicate" in {each.kind for each in problems_of(tmp_path, skills, [rows[0], rows[0]])}


def test_a_case_is_named_by_its_id_where_lines_do_not_tell(tmp_path: Path) -> None:
    rows = ['{"id": "a", "prompt": "x", "expected_skill": ""}', '{"prompt": "y", "expected_skill": ""}']
    file = tmp_path / "cases.json"
    file.write_text(f"[{rows[0]}, {rows[1]},\n{rows[1]}]")
    places = [each.place.rpartition("/")[2] for each in find([file], [], tmp_path).cases]
    assert places == ["cases.json#a", "cases.json#2", "cases.json:2"]


def test_a_skill_with_two_names_is_one(tmp_path: Path) -> None:
    """Clients go by the directory or by the frontmatter; cases may use either, and none is near to itself."""
    listing = listing_of(tmp_path, {"pdf-tools": "Fills in forms."})
    file = listing.session.project / ".claude" / "skills" / "pdf-tools" / "SKILL.md"
    file.write_text(file.read_text().replace("name: pdf-tools", "name: forms"))
    sessions = [
        runtimes.get(name).open(listing.session.project, listing.session.home)
        for name in ("claude-code", "opencode")
    ]
    listings = [Listing(session) for session in sessions]
    keys = {key for each in listings for key in each.entries}
    assert keys == {"pdf-tools", "forms"}
    subjects = quality.subjects(listings)
    assert len(subjects) == 1
    cases = [
        located(prompt, (name,))
        for prompt, name in (("Fill in", "forms"), ("A form", "pdf-tools"), ("Form", "forms"))
    ]
    kinds = {
        each.kind
        for each in quality.problems([*cases, located("Sing", ())], subjects, quality.close(subjects))
    }
    assert kinds.isdisjoint({"no-cases", "no-positive", "few-positives", "no-negative"})


def test_clauses_are_what_a_prompt_could_ask_for() -> None:
    text = 'Use when the user asks to fill in a form, mentions "PDF", or wants a report. Do it well.'
    assert quality.clauses(text) == ["fill in a form", "PDF", "a report"]
    assert quality.clauses("Use for CI failures; do not use for drafts, never for merges.") == ["CI failures"]
    assert quality.clauses("Draws charts.") == []
    assert quality.clauses("Draws charts. Never use it for maps. Do not use for tables.") == []
    assert quality.clauses("Use for large pages - not for small ones.") == ["large pages"]


def test_words_of_most_skills_make_nothing_near(tmp_path: Path) -> None:
    """All skills of a house share its name and its manner of speaking."""
    words = " ".join(f"acme{number}" for number in range(40))
    house = {name: f"{words}: {name}" for name in ("paint", "walk", "sing", "swim", "read")}
    assert quality.close(quality.subjects([listing_of(tmp_path, house)])) == []


def test_cases_of_a_project_are_no_skill_s(tmp_path: Path) -> None:
    """A repository in a skill's directory ends the search for the skill that a file belongs to."""
    (tmp_path / "SKILL.md").write_text("---\nname: outer\ndescription: x\n---\n")
    inner = tmp_path / "inner"
    (inner / ".git").mkdir(parents=True)
    file = inner / "triggers.json"
    file.write_text('[{"query": "x", "should_trigger": true}]')
    assert [each.message for each in find([file], [], inner).wrong] == ["`should_trigger` is about no skill"]
    (inner / ".git").rmdir()
    assert find([file], [], inner).cases[0].case.expected == ("outer",)


def test_no_prompt_is_needed_to_know_what_is_wrong(tmp_path: Path) -> None:
    assert problems_of(tmp_path, {"pdf": "Fills in forms."}, [{"prompt": "x", "expected_skill": "pdf"}]) != []

"""`skilltool route` without a model, as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from skilltool.skill import schema
from tests.conftest import MakeSkill, Skilltool

CLAUDE = ("--runtime", "claude-code", "--home", "home")
PDF = "Fills in PDF forms and merges PDF files. Use when the user asks for a form, or for merging."
DOCX = "Writes Word documents. Use when the user wants a letter or a report."


def described(name: str, description: str, more: str = "") -> str:
    return f"---\nname: {name}\ndescription: {description}\n{more}---\n\n# Steps\n\nDo it.\n"


@pytest.fixture
def skills(repo: Path, make_skill: MakeSkill) -> Path:
    (repo / "home").mkdir()
    make_skill(repo / ".claude" / "skills" / "pdf", described("pdf", PDF))
    make_skill(repo / ".claude" / "skills" / "docx", described("docx", DOCX))
    return repo


def cases(top: Path, *rows: dict[str, Any], name: str = "evals/routing.json") -> Path:
    file = top / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"cases": list(rows)}, indent=1))
    return file


def row(prompt: str, expected: str | None = "pdf", **more: Any) -> dict[str, Any]:
    return {"prompt": prompt, "expected_skill": expected, **more}


GOOD = (
    row("Fill in this PDF form for me"),
    row("Merge these two PDF files"),
    row("I have a form to complete"),
    row("Write a letter to my landlord", "docx"),
    row("A report on last month, as a Word document", "docx"),
    row("A document with a letter", "docx"),
    row("What is the capital of France?", ""),
)


def report(run: Any) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(run.stdout)
    Draft202012Validator(schema.load("route")).validate(data)
    return data


def kinds(run: Any) -> set[str]:
    return {each["kind"] for each in report(run)["problems"]}


def test_good_cases_are_clean_and_ranked(skilltool: Skilltool, skills: Path) -> None:
    cases(skills, *GOOD)
    run = skilltool("route", *CLAUDE)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("7 cases in 1 file, 6 with an expected skill\n")
    assert "claude-code              2             6             6           6\n" in run.stdout
    assert "lexical: ranks compare words (BM25); they do not predict what a model would call" in run.stdout
    assert "Problems" not in run.stdout


def test_without_cases_it_says_how_to_begin(skilltool: Skilltool, skills: Path) -> None:
    run = skilltool("route", *CLAUDE)
    assert run.returncode == 0
    assert "`skilltool route --init`" in run.stderr
    begun = skilltool("route", *CLAUDE, "--init")
    rows = json.loads(begun.stdout)["cases"]
    assert {each["expected_skill"] for each in rows} == {"pdf", "docx", ""}
    assert "Use when: merging" in {each["note"] for each in rows}
    (skills / "begun.json").write_text(begun.stdout)
    unfilled = skilltool("route", "begun.json", *CLAUDE)
    assert unfilled.returncode == 1
    assert "error[misformed]: `prompt` is empty" in unfilled.stdout


def test_with_neither_skills_nor_cases_there_is_nothing_to_check(skilltool: Skilltool, repo: Path) -> None:
    (repo / "home").mkdir()
    run = skilltool("route", "--home", "home")
    assert run.returncode == 2
    assert "create one with `skilltool new`" in run.stderr


def test_a_skill_that_is_not_listed_is_an_error_with_the_reason(
    skilltool: Skilltool, skills: Path, make_skill: MakeSkill
) -> None:
    hidden = described("hidden", "Rotates pages.", "disable-model-invocation: true\n")
    make_skill(skills / ".claude" / "skills" / "hidden", hidden)
    cases(skills, *GOOD, row("Rotate a page", "hidden"), row("Sing", "gone"), row("Dance", "gone"))
    run = skilltool("route", *CLAUDE)
    assert run.returncode == 1
    assert "`hidden`: claude-code: offers it only to the user, not to the model" in run.stdout
    assert "`gone`: claude-code: has no skill with this name\n    in evals/routing.json:3" in run.stdout
    assert "6 of 9" in run.stdout
    assert skilltool("route", *CLAUDE, "--fail-on", "never").returncode == 0


def test_a_copy_that_is_shadowed_is_named(skilltool: Skilltool, skills: Path, make_skill: MakeSkill) -> None:
    make_skill(skills / "home" / ".claude" / "skills" / "pdf", described("pdf", DOCX))
    cases(skills, *GOOD)
    run = skilltool("route", *CLAUDE, "--fail-on", "warning")
    assert run.returncode == 1
    assert "warning[shadowed]: `pdf`: claude-code: loads home/.claude/skills/pdf instead of" in run.stdout


def test_words_after_the_end_of_what_is_listed_are_named(
    skilltool: Skilltool, skills: Path, make_skill: MakeSkill
) -> None:
    long = "Paints " + "walls and doors " * 110 + "and also staircases"
    make_skill(skills / ".claude" / "skills" / "paint", described("paint", long))
    cases(
        skills,
        *GOOD,
        row("Do the staircase", "paint"),
        row("Do the doors", "paint"),
        row("Do a wall", "paint"),
    )
    problems = {
        each["kind"]: each
        for each in report(skilltool("route", *CLAUDE, "--output-format", "json"))["problems"]
    }
    truncated = problems["truncated"]
    assert truncated["places"] == ["evals/routing.json:31"]
    assert "`staircase`" in truncated["help"]
    shown = int(truncated["message"].split()[1].replace(",", ""))
    assert 1000 < shown < len(long)


def test_the_words_that_decide_are_told(skilltool: Skilltool, skills: Path) -> None:
    cases(skills, *GOOD, row("Merge the Word documents into one letter"))
    run = skilltool("route", *CLAUDE)
    assert run.returncode == 0
    line = next(line for line in run.stdout.splitlines() if "is 2nd" in line)
    assert line.strip().startswith(
        "evals/routing.json:31: `pdf` is 2nd: it matches `merge`, but `docx` matches "
    )
    assert "Merge the Word" not in run.stdout
    assert "Merge the Word" in skilltool("route", *CLAUDE, "--show-prompts").stdout


@pytest.mark.together
@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        ([row("Write a letter", "docx")], "no-positive"),
        ([row("Fill in the form"), row("Merge it"), row("A form")], "no-negative"),
        ([row("Use the pdf skill for this form")], "names-skill"),
        ([row("/pdf the form")], "names-skill"),
        ([row("Fill in the form"), row("fill in THE form!")], "duplicate"),
        ([row("Fill in the form"), row("fill in the form", "docx")], "contradiction"),
        ([row("Fill in the form"), row("A form, please"), row("Form?")], "untouched-clause"),
        ([row("Fill in the form")], "few-positives"),
        ([row("Merge files for a letter and a report")], "ambiguous"),
        ([row("Fill in the form")], "no-cases"),
        ([row("Fill in the form", "gone")], "not-listed"),
        ([row("")], "misformed"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_cases_is_told(rows: list[dict[str, Any]], kind: str, tmp_path: Path) -> None:
    from tests.route.checking import problems_of

    described_skills = {"pdf": PDF, "docx": DOCX}
    if kind == "no-positive":
        rows = [*rows, row("No form here", None, not_expected_skills=["pdf"])]
        del rows[-1]["expected_skill"]
    assert kind in {each.kind for each in problems_of(tmp_path, described_skills, rows)}
    assert kind not in {each.kind for each in problems_of(tmp_path, described_skills, list(GOOD))}


def test_near_skills_need_cases_that_tell_them_apart(tmp_path: Path) -> None:
    from tests.route.checking import problems_of

    near = {
        "merge": "Merges PDF files in the order that is given.",
        "join": "Joins PDF files in a given order.",
        "x": "Paints.",
    }
    rows = [
        row("Merge these PDF files", "merge"),
        row("Merge the files", "merge"),
        row("Merge", "merge"),
        row("Hi", ""),
    ]
    found = [each for each in problems_of(tmp_path, near, rows) if each.kind == "no-near-negative"]
    assert [(each.skills, "`join`" in each.message) for each in found] == [(("merge",), True)]
    told = problems_of(tmp_path, near, [*rows, row("Join these PDF files", "join")])
    assert [each for each in told if each.kind == "no-near-negative"] == []


def test_prompts_are_in_no_report_unless_asked(skilltool: Skilltool, skills: Path) -> None:
    cases(skills, *GOOD, row("Xylophone form"), row("xylophone form"), row("Xylophone zebra", "gone"))
    for arguments in ((), ("--details",), ("--output-format", "json")):
        run = skilltool("route", *CLAUDE, *arguments)
        assert "ylophone form" not in run.stdout + run.stderr
    assert "Xylophone form" in skilltool("route", *CLAUDE, "--output-format", "json", "--show-prompts").stdout


def test_control_characters_reach_no_terminal(
    skilltool: Skilltool, skills: Path, make_skill: MakeSkill
) -> None:
    bad = "\x1b]0;owned\x07::error::x"
    make_skill(
        skills / ".claude" / "skills" / "odd", described("odd", f'"Odd {json.dumps(bad)[1:-1]} oddly"')
    )
    cases(skills, row(f"Odd {bad}", "odd"), row(f"{bad}", f"n{bad}"), row("x", id=bad), row("y", id=bad))
    for arguments in ((), ("--details", "--show-prompts"), ("--init",), ("--convert",)):
        run = skilltool("route", *CLAUDE, *arguments)
        assert "\x1b" not in run.stdout + run.stderr
        assert "\x07" not in run.stdout + run.stderr
        assert not any(line.startswith("::") for line in run.stdout.splitlines())


def test_named_files_and_directories_are_read_whatever_their_names(
    skilltool: Skilltool, skills: Path
) -> None:
    (skills / "x.yaml").write_text("skill: pdf\nshould_trigger_prompts:\n- prompt: Fill in a form\n")
    run = skilltool("route", "x.yaml", *CLAUDE)
    assert run.stdout.startswith("1 case in 1 file, 1 with an expected skill")
    cases(skills, *GOOD, name="some/where/y.json")
    assert skilltool("route", "some", *CLAUDE).stdout.startswith("7 cases in 1 file")
    (skills / "z.json").write_text('{"scripts": {}}')
    other = skilltool("route", "z.json", *CLAUDE)
    assert (other.returncode, "z.json: no routing cases in this file" in other.stderr) == (2, True)
    (skills / "z.json").write_text('{"scripts":\n {]')
    assert "z.json:2: not valid JSON" in skilltool("route", "z.json", *CLAUDE).stderr
    assert skilltool("route", "nothing.json", *CLAUDE).returncode == 2


def test_cases_in_a_skill_are_about_that_skill(skilltool: Skilltool, skills: Path) -> None:
    file = skills / ".claude" / "skills" / "pdf" / "evals" / "my-set.json"
    file.parent.mkdir()
    file.write_text(
        '[{"query": "Fill in a form", "should_trigger": true}, {"query": "Sing", "should_trigger": false}]'
    )
    data = report(skilltool("route", *CLAUDE, "--output-format", "json"))
    assert [(each["expected"], each["rejected"]) for each in data["cases"]] == [
        (["pdf"], []),
        (None, ["pdf"]),
    ]
    outside = skills.parent / "outside"
    outside.mkdir()
    (outside / "linked.json").write_text('[{"prompt": "x", "expected_skill": "pdf"}]')
    (file.parent / "linked.json").symlink_to(outside / "linked.json")
    assert len(report(skilltool("route", *CLAUDE, "--output-format", "json"))["files"]) == 1


def test_outcome_files_are_named_and_converted(skilltool: Skilltool, skills: Path) -> None:
    file = skills / ".claude" / "skills" / "pdf" / "evals" / "evals.json"
    file.parent.mkdir()
    file.write_text(
        '{"skill_name": "pdf", "evals": [{"id": 7, "prompt": "Fill in", "expected_output": "x"}]}'
    )
    run = skilltool("route", *CLAUDE)
    assert "evals.json says what a prompt should produce, not which skill to call" in run.stderr
    converted = skilltool("route", *CLAUDE, "--convert")
    assert json.loads(converted.stdout)["cases"] == [
        {"id": "7", "prompt": "Fill in", "expected_skill": "pdf"}
    ]


def test_several_clients_share_a_table_and_their_problems(skilltool: Skilltool, skills: Path) -> None:
    cases(skills, *GOOD, row("Dance", "gone"))
    run = skilltool("route", "--runtime", "claude-code,opencode", "--home", "home")
    assert "`gone`: claude-code, opencode: has no skill with this name" in run.stdout
    assert run.stdout.count("error[not-listed]") == 1


def test_skills_in_several_directories_are_each_looked_for_in_all(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    """A client is told of each directory of a library; none is blamed for the skills of the others."""
    home = repo.parent / "home"
    home.mkdir()
    make_skill(repo / "a" / "pdf", described("pdf", PDF))
    make_skill(repo / "b" / "docx", described("docx", DOCX))
    cases(repo, *GOOD)
    run = skilltool("route", "--runtime", "claude-code", "--home", home)
    assert (run.returncode, "Problems" in run.stdout) == (0, False)
    assert "claude-code (a) " in run.stdout
    assert "claude-code (b) " in run.stdout
    cases(repo, *GOOD, row("Dance", "gone"))
    run = skilltool("route", "--runtime", "claude-code", "--home", home)
    assert "`gone`: claude-code (a), claude-code (b): has no skill with this name" in run.stdout


def test_a_session_that_has_all_of_another_one_stands_for_both(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    """Codex looks in all directories under one that it is told of, Claude Code does not."""
    home = repo.parent / "home"
    home.mkdir()
    make_skill(repo / "lib" / "pdf", described("pdf", PDF))
    make_skill(repo / "lib" / "more" / "docx", described("docx", DOCX))
    cases(repo, *GOOD)
    both = skilltool("route", "--runtime", "claude-code,codex", "--home", home).stdout
    rows = [
        line.partition("  ")[0] for line in both.splitlines() if line.startswith(("claude-code", "codex"))
    ]
    assert sorted(rows) == ["claude-code (lib)", "claude-code (lib/more)", "codex"]


def test_options_that_make_no_sense_together_are_told(skilltool: Skilltool, skills: Path) -> None:
    assert skilltool("route", "--init", "--convert").returncode == 2
    assert skilltool("route", "--init", "x.json").returncode == 2


def test_a_case_file_that_does_not_parse_is_an_error_wherever_it_is_found(
    skilltool: Skilltool, skills: Path
) -> None:
    good = cases(skills, *GOOD, name="more/routing.json")
    broken = skills / "evals" / "routing.json"
    broken.parent.mkdir()
    broken.write_text(good.read_text()[:200])
    for arguments in ((), ("evals",), ("evals", "more")):
        run = skilltool("route", *CLAUDE, *arguments)
        assert (run.returncode, "evals/routing.json:" in run.stdout) == (1, True), run.stdout


def test_a_new_case_file_replaces_none(skilltool: Skilltool, skills: Path) -> None:
    file = cases(skills, *GOOD)
    before = file.read_bytes()
    run = skilltool("route", *CLAUDE, "--init", "-o", "evals/routing.json")
    assert (run.returncode, file.read_bytes()) == (2, before)
    assert "evals/routing.json already exists" in run.stderr
    assert skilltool("route", *CLAUDE, "--init", "-o", "evals/new.json").returncode == 0

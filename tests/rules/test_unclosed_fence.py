"""A fence that is not closed: where, and what an author can do about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.findings.finding import Severity
from skilltool.rules.body import unclosed_fence
from skilltool.skill.model import load_skill
from tests.fix.texts import HEAD, skill_of

CLOSE = "add the same fence where the code ends, or remove this line"
REMOVE = "close the block before the next fence, or remove this line"
LONGER = "fence it with 4 backticks, here and on line {}"
WIDEN = "fence it with 4 backticks, or close it before the inner fence"
PAGE = (
    "if this line is meant to close the block opened on line 6, use a longer fence there and here; "
    "otherwise remove this line"
)
NESTED = (
    "line {} closes this code block instead of the one that opens on line {}, so line {} opens another block"
)
NEVER = "code fence is never closed; the rest of the body is code"
LAST = "last line opens a code fence that is never closed"


@pytest.mark.parametrize(
    ("body", "line", "message", "help_text"),
    [
        ("```sh\nx\n", 6, NEVER, CLOSE),
        ("~~~\nx\n", 6, NEVER, CLOSE),
        ("Text.\n```", 7, LAST, "remove this line, or add the code and the same fence after it"),
        (
            "```sh\nls\n```\n```\n\n## B\n\nText.\n\n```sh\nls\n```\n",
            9,
            "code fence is not closed before another one opens on line 15",
            "remove this line: the block above it is closed already",
        ),
        ("```sh\n```sh\nls\n", 6, NEVER, REMOVE),
        (
            "```text\na\n```yaml\n\n## B\n",
            6,
            NEVER,
            "if the block ends on line 8, remove `yaml` there",
        ),
        (
            "```sh\n```sh\n```\n```sh\n",
            6,
            "another code fence opens on the next line, inside this one",
            "remove one of the two lines",
        ),
        (
            "```\n```PLAN\n[The fields]\n```\n```\n\nFill them in.\n",
            6,
            "another code fence opens on the next line, inside this one",
            LONGER.format(10),
        ),
        ("```\n```sh\n```\n", 6, "code fence is not closed before another one opens on line 7", REMOVE),
        ("```md\nx\n```sh\n```\n```\n```sh\n```\n", 6, NESTED.format(9, 8, 10), LONGER.format(10)),
        ("```md\n```sh\n```\n```\nText.\n", 6, NESTED.format(8, 7, 9), LONGER.format(9)),
        ("```md\nx\n```\n[x]\n```\nText.\n", 10, NEVER, PAGE),
        ("```md\nx\n```\n\n```sh\nls\n```\n[x]\n```\nText.\n", 14, NEVER, CLOSE),
        (
            "```\nReview:\n\n```{{language}}\nx\n```\n\nEnd.\n```\n",
            6,
            NESTED.format(11, 9, 14),
            LONGER.format(14),
        ),
    ],
)
def test_an_open_fence_is_found_where_it_opens(body: str, line: int, message: str, help_text: str) -> None:
    skill = skill_of(f"{HEAD}---\n\n{body}")
    (finding,) = unclosed_fence.check(skill, runtimes.get("portable"))
    assert (finding.message, finding.help) == (message, help_text)
    assert skill.source.position(finding.span.start).line == line
    assert skill.source.line_span(finding.span.start).start == finding.span.start


@pytest.mark.parametrize(
    "body",
    [
        "```sh\nx\n```\n",
        "````md\n```sh\nx\n```\n````\n",
        "Text.\n",
        "~~~\n```\n~~~\n",
        "```\n```x``` y\n```\n",
        "<USAGE>\n```sh\nx\n```\n</USAGE>\n",
    ],
)
def test_what_is_closed_is_not_reported(body: str) -> None:
    assert list(unclosed_fence.check(skill_of(f"{HEAD}---\n\n{body}"), runtimes.get("portable"))) == []


@pytest.mark.parametrize(
    ("code", "severity"),
    [
        ("```go\nfunc main() {\n    print(1)\n}\n", Severity.INFO),
        ("```\nfunc main() {\n}\n", None),
        ("```go\nfunc main() {\n}\n\n## Run\n", None),
        ("```go\nfunc main() {\n}\n\n- Run it\n", None),
        ("```go\nfunc main() {\n}\n\nThen run the program.\n", None),
        ("```md\nFields\n", None),
    ],
)
def test_a_page_that_ends_with_its_code_loses_nothing(code: str, severity: Severity | None) -> None:
    (finding,) = unclosed_fence.check(skill_of(f"{HEAD}---\n\n{code}"), runtimes.get("portable"))
    assert finding.severity is severity


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("- Read the fields\n  of the form.\n```\n", Severity.INFO),
        ("Read the fields\nof the form.\n```\n", Severity.INFO),
        ("```\nRead the fields.\n```\n\n```sh\nls\n```\n\nThen fill the form in.\n```\n", Severity.INFO),
        ("```sh\nls\n```\n\n```\nRead the fields.\n```\n\nThen fill the form in.\n```\n", None),
        ("```\nQ: how many?\nA: as many as follow\n```python\nprint(1)\n```\n\nText.\n", Severity.INFO),
        ("```\nThen count all of them.\n```python\nprint(1)\n```\n\nText.\n", None),
    ],
)
def test_a_fence_that_hides_no_text_is_a_note(body: str, severity: Severity | None) -> None:
    (finding,) = unclosed_fence.check(skill_of(f"{HEAD}---\n\n{body}"), runtimes.get("portable"))
    assert finding.severity is severity


@pytest.mark.parametrize(("body", "severity"), [("Read `fields.md`.", None), ("Fill in.", Severity.INFO)])
def test_a_page_that_the_skill_does_not_name_has_a_note(
    tmp_path: Path, body: str, severity: Severity | None
) -> None:
    (tmp_path / "SKILL.md").write_text(f"{HEAD}---\n\n{body}\n", "utf-8")
    (tmp_path / "fields.md").write_text("```sh\nx\n\n## Fields\n", "utf-8")
    (finding,) = unclosed_fence.check(load_skill(tmp_path), runtimes.get("portable"))
    assert (finding.file, finding.severity) == ("fields.md", severity)


@pytest.mark.parametrize(("pages", "messages"), [(10, 10), (11, 1)])
def test_fences_of_many_pages_are_one_finding(tmp_path: Path, pages: int, messages: int) -> None:
    directory = tmp_path / "a"
    directory.mkdir()
    (directory / "SKILL.md").write_text(
        "---\nname: a\ndescription: Fills in forms.\n---\n\nRead the pages in docs/.\n", "utf-8"
    )
    (directory / "docs").mkdir()
    for number in range(pages):
        page = "# Fields\n\n```\nls\n\n# More\n\nFill it in.\n"
        (directory / "docs" / f"{number:02}.md").write_text(page, "utf-8")
    reported = [
        each.message for each in unclosed_fence.check(load_skill(directory), runtimes.get("portable"))
    ]
    assert len(reported) == messages
    assert reported[0].endswith(" (and on 10 more pages of this skill)") == (messages == 1)


@pytest.mark.parametrize(
    ("tail", "severity"), [("", Severity.INFO), ("Then stop.", None), ("```\n\nThen stop.\n\n```", None)]
)
def test_an_outer_fence_after_which_nothing_follows_is_a_note(tail: str, severity: Severity | None) -> None:
    body = f"```text\nAsk first.\n\n```sh\nls\n```\n```\n{tail}\n"
    (finding,) = unclosed_fence.check(skill_of(f"{HEAD}---\n\n{body}"), runtimes.get("portable"))
    assert (finding.severity, finding.message) == (severity, NESTED.format(11, 9, 12))


@pytest.mark.parametrize(
    ("before", "severity"),
    [
        ("- Read it.", Severity.INFO),
        ("> This is all that there is.", Severity.INFO),
        ("print(field)", None),
        ("# done", None),
        ("```\nls\nRead the fields first.\n\n## Next\n```\n\n- Name: the form", None),
    ],
)
def test_a_fence_in_the_last_line_after_text_is_a_note(before: str, severity: Severity | None) -> None:
    skill = skill_of(f"{HEAD}---\n\nText.\n\n{before}\n```\n")
    (finding,) = unclosed_fence.check(skill, runtimes.get("portable"))
    assert (finding.severity, finding.message) == (severity, LAST)


@pytest.mark.parametrize("pages", [1, 2, 3])
def test_a_block_without_a_language_that_contains_another_is_named(pages: int) -> None:
    body = "```\nAsk first.\n\n```sh\nls\n```\n\nThen stop.\n```\n\nText.\n\n" * pages
    (finding,) = unclosed_fence.check(skill_of(f"{HEAD}---\n\n{body}"), runtimes.get("portable"))
    assert (finding.message, finding.help) == (NESTED.format(11, 9, 14), LONGER.format(14))


def test_a_block_in_a_language_to_fill_in_opens_a_block_inside_a_page() -> None:
    body = "```markdown\n# A\n\n```[lang]\nls\n```\n\nThen:\n\n```[lang]\ncd\n```\n```\n\nText.\n"
    (finding,) = unclosed_fence.check(skill_of(f"{HEAD}---\n\n{body}"), runtimes.get("portable"))
    assert finding.message == NESTED.format(11, 9, 18)


STRAY = "code fence is not closed before another one opens on line {}"


@pytest.mark.parametrize(
    ("body", "line", "other", "advice"),
    [
        # An end too many, and much later a block that begins in what CommonMark takes for text.
        (
            "Do:\n```\na\n```\n```\n\n### B\nText:\n```\nb\n```\n\nC:\n\n```sh\nls\n```\n",
            10,
            14,
            "remove this line: the block above it is closed already",
        ),
        # A block of which the first line was lost.
        (
            "Do:\n```yaml\na: 1\n```\nLIST:\n| a |\n\nTotal: 2\n```\n\n"
            "#### B\nText.\n```\nb\n```\n\nC:\n```sh\nls\n```\n",
            14,
            18,
            "remove this line, or add the fence that opens the block above it",
        ),
        # A block that nobody closed before the next one.
        (
            "So:\n\n```\nHello.\n\nWho? (One name)\n\n---\n\n## B\n\nEach says:\n\n"
            "```\n@a: Here.\n```\n\nC:\n\n```sh\nls\n```\n",
            8,
            19,
            "add the same fence where the code ends",
        ),
    ],
)
def test_the_fence_at_which_pairs_go_wrong_is_named(body: str, line: int, other: int, advice: str) -> None:
    skill = skill_of(f"{HEAD}---\n\n{body}")
    (finding,) = unclosed_fence.check(skill, runtimes.get("portable"))
    assert skill.source.position(finding.span.start).line == line
    assert (finding.message, finding.help) == (STRAY.format(other), advice)


def test_an_end_whose_block_never_opened_is_told_as_such() -> None:
    body = "Adapt it:\n\nclass A\n{\n}\n```\n\n# B\n\n- Text.\n\n```sh\nls\n```\n"
    (finding,) = unclosed_fence.check(skill_of(f"{HEAD}---\n\n{body}"), runtimes.get("portable"))
    assert finding.message == "code fence is not closed before another one opens on line 17"
    assert finding.help == "remove this line, or add the fence that opens the block above it"


def test_a_block_that_was_forgotten_to_close_is_not_taken_for_an_outer_one() -> None:
    body = "```\nAsk first.\n\nText.\n\n```sh\nls\n```\n\nThen stop.\n\n```sh\nls\n```\n"
    (finding,) = unclosed_fence.check(skill_of(f"{HEAD}---\n\n{body}"), runtimes.get("portable"))
    assert finding.message == "code fence is not closed before another one opens on line 11"


def test_an_outer_fence_without_an_end_is_said_to_be_open() -> None:
    body = "```\nHello\n\n```sh\nls\n```\n</details>\n```\n"
    (finding,) = unclosed_fence.check(skill_of(f"{HEAD}---\n\n{body}"), runtimes.get("portable"))
    assert finding.message == "code fence is not closed before another one opens on line 9"


@pytest.mark.parametrize("pairs", [0, 1, 2])
def test_the_page_that_a_block_without_a_language_ends_is_named(pairs: int) -> None:
    inner = "```\nls\n```\n\nThen:\n\n" * pairs
    body = f"```markdown\n# A\n\n{inner}```\ncd\n```\n\n```sh\npwd\n```\n```\n\nDone.\n"
    (finding,) = unclosed_fence.check(skill_of(f"{HEAD}---\n\n{body}"), runtimes.get("portable"))
    by_place = "line 9 closes this code block instead of opening another one inside it"
    opening = "line 9 closes this code block instead of opening an inner one, so line 11 opens another block"
    assert finding.message in {opening, by_place}


WELL_PAIRED = (
    "Two pages:\n\n```md\n# Page\n\n```sh\nls\n```\n\nAnother:\n\n```md\n# Form\n```\n\nThe directory:\n\n"
    "```\nforms/fields\n```\n\n"
)


def test_an_example_of_a_page_is_not_blamed_for_a_fence_after_the_next_example() -> None:
    skill = skill_of(f"{HEAD}---\n\n{WELL_PAIRED}## Filling\n\nFill them in.\n```\n\n## Printing\n\nPrint.\n")
    (finding,) = unclosed_fence.check(skill, runtimes.get("portable"))
    assert finding.message == NEVER
    assert skill.source.text[: finding.span.start].endswith("Fill them in.\n")


@pytest.mark.parametrize("between", ["", "The directory:\n\n```\nforms/fields\n```\n\n"])
def test_the_end_of_the_outer_block_is_named_and_not_a_block_inside_it(between: str) -> None:
    body = f"```md\n# Page\n\n```sh\nls\n```\n\n{between}## More\n```\n\nFill them in.\n"
    skill = skill_of(f"{HEAD}---\n\n{body}")
    (finding,) = unclosed_fence.check(skill, runtimes.get("portable"))
    end = skill.source.position(skill.source.text.rindex("```")).line
    assert finding.message == NESTED.format(11, 9, end)


def test_a_page_with_examples_of_pages_may_have_several() -> None:
    body = "```md\n# Page\n\n```md\n# A\n```\n\n```md\n# B\n```\n## More\n```\n\nFill them in.\n"
    (finding,) = unclosed_fence.check(skill_of(f"{HEAD}---\n\n{body}"), runtimes.get("portable"))
    assert finding.message == NESTED.format(11, 9, 17)


PROMPT = (
    "```\nFill the form in.\n\nRead the rules first:\n\n```\nrules.md\n```\n\nAnswer so:\n\n"
    "```\n<!-- fields -->\n```yaml\na: 1\n```\n<!-- end -->\n```\n\n## An example\n\n"
    "```yaml\na: 2\n```\n\nThat is all.\n```\n\nThen print it.\n"
)


def test_the_outermost_block_is_named_where_a_fence_without_a_language_opens_a_block_inside_it() -> None:
    skill = skill_of(f"{HEAD}---\n\n{PROMPT}")
    (finding,) = unclosed_fence.check(skill, runtimes.get("portable"))
    assert skill.source.position(finding.span.start).line == 6
    assert finding.message == "line 11 closes this code block instead of opening another one inside it"
    assert finding.help == "fence it with 4 backticks, here and on line 32"
    wider = PROMPT.replace("```\nFill", "````\nFill").replace("all.\n```", "all.\n````")
    assert list(unclosed_fence.check(skill_of(f"{HEAD}---\n\n{wider}"), runtimes.get("portable"))) == []


def test_no_outer_block_is_named_where_the_places_of_the_fences_leave_one_open() -> None:
    unclear = PROMPT.replace("all.\n```\n\n", "all:\n```\n")
    skill = skill_of(f"{HEAD}---\n\n{unclear}")
    (finding,) = unclosed_fence.check(skill, runtimes.get("portable"))
    assert finding.message.startswith("code fence is not closed before another one opens")


def test_a_page_is_not_blamed_where_a_block_of_its_own_follows_it() -> None:
    page = "```markdown\n## Context\n\nWhat it is.\n```\n\n## Files\n\n```\nforms/\n  fields\n```\n\n"
    skill = skill_of(f"{HEAD}---\n\n{page}## Filling\n\nls forms\n```\n\n## Printing\n\n```sh\nlp\n```\n")
    (finding,) = unclosed_fence.check(skill, runtimes.get("portable"))
    assert "closes this code block" not in finding.message


def test_examples_of_a_comment_and_a_block_that_end_together_are_notes() -> None:
    example = "```\n<!-- Replace the names. -->\n```mermaid\ngraph TD\n```\n"
    (finding,) = unclosed_fence.check(
        skill_of(f"{HEAD}---\n\n{example}\nThe next one.\n\n{example}"), runtimes.get("portable")
    )
    assert finding.severity is Severity.INFO

"""Opt-in rules: absolute paths, deep references, orphan files and leftover placeholders."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool.rules import RULES
from skilltool.rules.may_apply import rules_to_run
from skilltool.runtimes import get
from skilltool.skill.model import load_skill


def findings(directory: Path, rule: str, body: str, **files: str) -> list[str]:
    """Write a skill and files beside it (`__` is `/`, a last `_` a dot); return what a rule says."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = directory / ".".join(name.replace("__", "/").rsplit("_", 1))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    text = f"---\nname: {directory.name}\ndescription: Fills in forms.\n---\n\n{body}\n"
    (directory / "SKILL.md").write_text(text, "utf-8")
    loaded = load_skill(directory)
    found = list(RULES[rule].check(loaded, get("portable")))
    assert not found or rules_to_run((rule,), loaded, get("portable"))
    return [finding.message for finding in found]


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("/Users/anna/x and /Users/anna/y", 1),
        ("`/home/jsmith/x`, C:\\Users\\Anna\\x, c:/Users/berg/x", 3),
        ("/Users/you/x /home/user/x /Users/username/ /home/runner/work/ /home/<name>/x /Users/YOUR_NAME/", 0),
        ("https://x.dev/home/anna/x, ~/home/anna/x, /home/ and /Users", 0),
    ],
)
def test_the_first_path_into_each_home_directory_is_reported(body: str, count: int, tmp_path: Path) -> None:
    assert len(findings(tmp_path / "a", "absolute-path", body)) == count


@pytest.mark.together
@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("TODO: write this", 1),
        ("- [ ] FIXME: that", 1),
        ("## [TODO]", 1),
        ("<!-- TODO: later -->", 1),
        ("Ask [insert name here] and <your name>, {{ company }}.", 3),
        ("List each TODO and FIXME. Search for TODO comments.", 0),
        ("`TODO: x` and\n```\nTODO: x {{y}}\n```", 0),
        ('Say: "I am <your name>."', 0),
        ("[your guide](guide.md) and [insert][ref]", 0),
        ("We make [what you make] because [your reason].", 0),
        ("Ask [your name] or [the guide](guide.md).", 1),
        ("`{{TODO}}`\n\nTODO: write this", 1),
    ],
)
def test_placeholders_outside_code_are_reported(body: str, count: int, tmp_path: Path) -> None:
    assert len(findings(tmp_path / "a", "leftover-placeholder", body)) == count


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("# Ask\n\n## My question\n\n{{question}}", []),
        ("## Task\n\n{{ task_description }}\n\n{{overview}}", ["{{overview}}"]),
        ("`/fill {{form}}`\n\n- **{{form}}**: the form\n- {{page}}", ["{{page}}"]),
        ("```\nFill {{ form }} in.\n```\n\nIf {{form}} is a scan, stop.", []),
        ("Replace each variable, such as {{form}}.\n\nOpen https://a.dev/{{form}}/{{page}}.", []),
        ("In `${{ x }}`, {{y}}", ["{{y}}"]),
        ("`{{cookiecutter.name}}` is {{cookiecutter.name}}", ["{{cookiecutter.name}}"]),
    ],
)
def test_variables_of_a_prompt_template_are_not_leftovers(body: str, left: list[str], tmp_path: Path) -> None:
    said = findings(tmp_path / "a", "leftover-placeholder", body)
    assert said == [f"placeholder `{each}` was never filled in" for each in left]


def test_a_page_that_only_a_page_links_is_reported(tmp_path: Path) -> None:
    pages = {
        "references__a_md": "[b](b.md) [b again](b.md) [back](../SKILL.md) [gone](gone.md)",
        "references__b_md": "",
    }
    (found,) = findings(tmp_path / "a", "deep-reference", "See references/a.md.", **pages)
    assert found == "page `references/b.md` is linked only from `references/a.md`"
    assert (
        findings(tmp_path / "a", "deep-reference", "See references/a.md, `references/b.md`.", **pages) == []
    )


def test_a_file_that_is_mentioned_in_any_way_is_not_an_orphan(tmp_path: Path) -> None:
    files = {
        "scripts__run_py": "import helper",
        "scripts__helper_py": "",
        "assets__logo_png": "",
        "forms__form-tax_md": "",
        "README_md": "see data.json",
        "data_json": "{}",
        "tests__x_py": "",
        "LICENSE_txt": "",
        "inner__SKILL_md": "",
        "inner__x_md": "",
        "references__lost_md": "",
    }
    body = "Run scripts/run.py. Pictures are in `assets/`, forms in form-<kind>.md."
    assert findings(tmp_path / "a", "orphan-file", body, **files) == [
        "file `references/lost.md` is not mentioned in the skill"
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("number", "count"), [(499, 499), (500, 0)])
def test_orphans_are_looked_for_among_so_many_files(number: int, count: int, tmp_path: Path) -> None:
    pages = {f"{at}_md": "" for at in range(number)}
    assert len(findings(tmp_path / "a", "orphan-file", "Go.", **pages)) == count

"""A template's questions work as in cookiecutter: the same answers to both programs give the same files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Skilltool, slow
from tests.scaffold.making import template
from tests.support.terminal import Terminal

QUESTIONS = {
    "loud": True,
    "quiet": False,
    "tongue": ["plainly", "formally", "{{ cookiecutter.name }}"],
    "size": [10, 20],
    "level": 3,
    "title": "All of {{ cookiecutter.name }}",
    "people": {"{{ cookiecutter.name }}": {"age": "7", "tags": ["x", "{{ cookiecutter.tongue }}"]}},
    "_kept": ["{{ cookiecutter.name }}", 1],
    "__made": "{{ cookiecutter.name | upper }}",
    "__prompts__": {
        "name": "What is it called?",
        "loud": "May it shout?",
        "tongue": {"__prompt__": "How does it speak?", "formally": "As in a letter"},
    },
}
KEYS = [key for key in QUESTIONS if key not in ("__prompts__", "people")]
BODY = "\n".join(
    [
        *(f"- {key}: {{{{ cookiecutter.{key} }}}}" for key in KEYS),
        "{% if cookiecutter.loud %}LOUD{% else %}soft{% endif %}",
        "{% for who, facts in cookiecutter.people.items() %}{{ who }} {{ facts | tojson }}{% endfor %}",
    ]
)


@pytest.fixture
def source(repo: Path) -> Path:
    return template(repo / "t", BODY, **QUESTIONS)


def with_cookiecutter(source: Path, *arguments: str, typed: str = "") -> str:
    """The SKILL.md that the program makes, outside the repository."""
    out = source.parents[1] / "cookiecutter"
    subprocess.run(
        [sys.executable, "-m", "cookiecutter", str(source), "-o", str(out), *arguments],
        check=True,
        capture_output=True,
        input=typed,
        encoding="utf-8",
        env={**os.environ, "HOME": str(source.parents[1])},
    )
    (made,) = out.rglob("SKILL.md")
    return made.read_text("utf-8")


@slow
@pytest.mark.parametrize(
    "answers",
    [
        [],
        ["loud=no", "quiet=ON"],
        ["loud=0", "tongue=formally", "size=20", "level=4"],
        ["name=b", "tongue=b", "title=Some: of it"],
    ],
)
def test_answers_on_the_command_line_give_the_files_that_cookiecutter_gives(
    skilltool: Skilltool, repo: Path, source: Path, answers: list[str]
) -> None:
    if "tongue=b" in answers:  # cookiecutter's option --no-input compares with options before it renders them
        expected = with_cookiecutter(source, typed="b\n\n\n3\n\n\nSome: of it\n\n")
    elif "size=20" in answers:  # and it does not find a number among them
        expected = with_cookiecutter(source, typed="\n0\n\n2\n2\n4\n\n\n")
    else:
        expected = with_cookiecutter(source, "--no-input", *answers)
    data = [part for answer in answers if not answer.startswith("name=") for part in ("--data", answer)]
    run = skilltool("new", "b" if "name=b" in answers else "a", "--template", "./t", "--no-input", *data)
    assert run.returncode == 0, run.stderr
    (made,) = (repo / "skills").rglob("SKILL.md")
    assert made.read_text("utf-8") == expected


# The answers to name, loud, quiet, tongue, size, level, title and people.
@slow
@pytest.mark.parametrize(
    "typed",
    [
        ["", "", "", "", "", "", "", ""],
        ["b", "n", "y", "2", "2", "5", "x", '{"who": {"k": "{{ 1 }}"}}'],
        ["b", "false", "t", "3", "1", "", "", "{}"],
    ],
)
def test_answers_on_a_terminal_give_the_files_that_cookiecutter_gives(
    repo: Path, source: Path, typed: list[str]
) -> None:
    expected = with_cookiecutter(source, typed="\n".join([*typed, ""]))
    with Terminal("new", "--template", "./t", "--runtime", "portable", cwd=repo) as terminal:
        shown = terminal.answer(*typed)
    (made,) = (repo / "skills").rglob("SKILL.md")
    assert made.read_text("utf-8") == expected
    for words in ("What is it called?", "May it shout? [y/n]", "How does it speak?", "2 - As in a letter"):
        assert words in shown
    assert "3 - b" in shown or typed[0] != "b"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("loud=perhaps", "`loud` is `perhaps`; answer yes or no"),
        ("tongue=loudly", "`tongue` is `loudly`; choose one of: plainly, formally, a"),
        ("people=[1]", "`people` is not a JSON object"),
        ("people={", "`people` is not a JSON object"),
    ],
)
@pytest.mark.usefixtures("source")
def test_an_answer_of_another_kind_is_2(skilltool: Skilltool, repo: Path, answer: str, words: str) -> None:
    run = skilltool("new", "a", "--template", "./t", "--no-input", "--data", answer)
    assert (run.returncode, words in run.stderr) == (2, True), run.stderr
    assert not (repo / "skills").exists()


@pytest.mark.slow
def test_text_in_an_answer_is_never_rendered(skilltool: Skilltool, repo: Path, source: Path) -> None:
    data = json.dumps({"{{ 1 + 1 }}": ["{{ 2 + 2 }}", {"k": "{% raw %}"}]})
    run = skilltool("new", "a", "--template", "./t", "--no-input", "--data", f"people={data}")
    assert run.returncode == 0, run.stderr
    text = (repo / "skills/a/SKILL.md").read_text("utf-8")
    assert '{{ 1 + 1 }} ["{{ 2 + 2 }}", {"k": "{% raw %}"}]' in text


def test_an_empty_list_of_choices_is_an_error(skilltool: Skilltool, repo: Path) -> None:
    template(repo / "t", none=[])
    run = skilltool("new", "a", "--template", "./t", "--no-input")
    assert (run.returncode, "`none` in cookiecutter.json is an empty list" in run.stderr) == (2, True)

"""Answers are validated before anything is written, and none breaks the frontmatter."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool import runtimes, scaffold
from skilltool.errors import SkilltoolError
from skilltool.scaffold.templates import Template
from skilltool.text.frontmatter import read
from skilltool.text.source import Source
from tests.conftest import Skilltool, examples
from tests.scaffold.making import template
from tests.support.terminal import Terminal

ANSWERS = st.text(st.characters(blacklist_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=60)


@pytest.fixture(scope="module")
def basic() -> Iterator[Template]:
    """One template for many skills: most of the time for one is the start of a process."""
    with scaffold.open_template("basic") as template:
        yield template


@pytest.mark.slow
@settings(max_examples=examples(40))
@given(description=ANSWERS.filter(str.strip))
def test_no_answer_breaks_the_frontmatter(basic: Template, tmp_path: Path, description: str) -> None:
    shutil.rmtree(tmp_path / "out", ignore_errors=True)
    request = scaffold.SkillRequest(
        basic, {"name": "a", "description": description}, runtimes.get("kodelet"), tmp_path / "out"
    )
    skill = scaffold.create_skill(request)
    if skill.installed:
        data = read(Source.decode((skill.directory / "SKILL.md").read_bytes())).data
        assert data is not None
        assert data["description"] == description


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["Bad_Name"],
            "name `Bad_Name` is not lowercase words joined by hyphens; did you mean `bad-name`?",
        ),
        (["../up"], "is not lowercase words"),
        (["x" * 65], "name has 65 characters; portable allows 64; did you mean"),
        (["abcdefg-" * 9 + "h"], "did you mean `" + "-".join(["abcdefg"] * 8) + "`?"),
        (["con"], "name `con` is reserved on Windows; did you mean `con-skill`?"),
        ([""], "name is empty; use a name such as `pdf-tools`"),
        (["été"], "did you mean `ete`?"),
        (["a", "--output", "x", "--scope", "user"], "--scope and --output cannot be used together"),
        (["a", "--description", "x" * 501], "`description` has 501 characters; portable allows 500"),
        (["a", "--description", " "], "`description` is empty"),
        (["a", "--description", "x\ny"], "`description` contains a line break"),
        (["a", "--data", "who=me"], "template basic does not ask for `who` (it asks for: name, description)"),
        (["a", "--data", "who"], "expected KEY=VALUE"),
        (
            ["a", "--runtime", "nfa"],
            "nfa has no project skills directory; use --scope user (~/.nfa/skills) or --output",
        ),
        (
            ["a", "--runtime", "portable", "--scope", "user"],
            "portable has no skills directory of its own; name one with --output DIR",
        ),
        (["a", "--template", "basik"], "unknown template `basik`; did you mean `basic`?"),
        (["a", "--template", "./nowhere"], "./nowhere: no such directory"),
        (["a", "--template", "https://example.org/x.git"], "pass --trust"),
        ([], "missing NAME; run `skilltool new NAME`"),
    ],
)
def test_an_invalid_answer_is_an_error_before_anything_is_written(
    skilltool: Skilltool, repo: Path, arguments: list[str], words: str
) -> None:
    run = skilltool("new", *arguments, "--no-input")
    assert run.returncode == 2
    assert words in run.stderr
    assert os.listdir(repo) == [".git"]


@pytest.mark.slow
def test_only_the_choices_of_a_template_are_accepted(skilltool: Skilltool, repo: Path) -> None:
    template(repo / "t", "Speak {{ cookiecutter.tongue }}.", tongue=["plainly", "formally"])
    run = skilltool("new", "a", "--template", "./t", "--data", "tongue=loudly", "--no-input")
    assert "`tongue` is `loudly`; choose one of: plainly, formally" in run.stderr
    skilltool("new", "a", "--template", "./t", "--no-input")
    assert "Speak plainly." in (repo / "skills/a/SKILL.md").read_text("utf-8")


@pytest.mark.slow
def test_a_template_with_any_number_of_questions_and_choices_is_told_of_in_a_line(
    skilltool: Skilltool, repo: Path
) -> None:
    many = {f"q{number:04}": "x" * number for number in range(1, 999)}
    template(repo / "t", "Text.", tongue=["é" * 9_000, *many], **many)
    unknown = skilltool("new", "a", "--template", "./t", "--data", "who=me", "--no-input").stderr
    assert "does not ask for `who` (it asks for: name, tongue, q0001, " in unknown
    assert unknown.endswith(", and 980 more)\n")
    choice = skilltool("new", "a", "--template", "./t", "--data", "tongue=x", "--no-input").stderr
    assert f"choose one of: {'é' * 60}…, q0001" in choice
    assert max(len(unknown), len(choice)) < 500


@pytest.mark.slow
def test_on_a_terminal_it_asks_until_an_answer_is_valid(repo: Path) -> None:
    answers = ["basik", "basic", "kodlet", "", "Bad Name", "good-name", "Says: what. Use when asked."]
    with Terminal("new", cwd=repo) as terminal:
        text = terminal.answer(*answers)
    assert "did you mean `basic`?" in text
    assert "did you mean `kodelet`?" in text
    assert "runtime [portable]" in text
    assert "name (at most 64 characters)" in text
    assert "did you mean `bad-name`?" in text
    assert "description (at most 500 characters)" in text
    written = (repo / "skills/good-name/SKILL.md").read_text("utf-8")
    assert 'description: "Says: what. Use when asked."' in written


@pytest.mark.slow
def test_on_a_terminal_what_was_given_is_not_asked(repo: Path) -> None:
    given = ("a", "--template", "example", "--runtime", "kodelet", "--description", "Says x. Use when asked.")
    with Terminal("new", *given, cwd=repo) as terminal:
        assert "wrote .kodelet/skills/a" in terminal.rest()
    assert (repo / ".kodelet/skills/a/SKILL.md").is_file()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("directories", "configured", "runtime", "place"),
    [
        ([], "", "portable", "skills"),
        (["skills"], "", "portable", "skills"),
        ([".agents/skills"], "", "agentskills", ".agents/skills"),
        ([".kodelet/skills", "skills"], "", "kodelet", ".kodelet/skills"),
        ([".kodelet/skills"], "mycodeagent", "mycodeagent", "skills"),
        ([".kodelet/skills"], "portable", "portable", "skills"),
    ],
)
def test_the_runtime_is_the_configured_one_else_the_one_that_the_project_has(
    skilltool: Skilltool, repo: Path, directories: list[str], configured: str, runtime: str, place: str
) -> None:
    for directory in directories:
        (repo / directory).mkdir(parents=True)
    if configured:
        (repo / "skilltool.toml").write_text(f'runtimes = ["{configured}"]\n', "utf-8")
    run = skilltool("new", "a", "--no-input")
    assert f"wrote {place}/a\n" in run.stdout
    assert f"--runtime {runtime}" in run.stdout
    last = run.stdout.splitlines()[-1].split()
    assert skilltool(*last[1:]).returncode == 0


CODE = "{{ lipsum.__globals__['os'].popen('touch pwned').read() }}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer", [CODE, "{{ name }}", "${#x} and {#1} comment #}", "{% raw %}", "{{ 'x' * 3000 }}", "\\u0041 \\"]
)
def test_an_answer_is_text_and_never_code(skilltool: Skilltool, repo: Path, answer: str) -> None:
    said = f"{answer} Use when asked."
    run = skilltool("new", "a", "--description", said, "--no-input", "--runtime", "kodelet")
    assert run.returncode == 0
    file = repo / ".kodelet/skills/a/SKILL.md"
    data = read(Source.decode(file.read_bytes())).data
    assert data is not None
    assert data["description"] == said
    assert not list(repo.rglob("pwned"))


@pytest.mark.slow
def test_a_default_built_from_other_answers_is_validated_too(skilltool: Skilltool, repo: Path) -> None:
    title = template(repo / "t", "# {{ cookiecutter.title }}")
    questions = {"name": "a", "title": "All of {{ cookiecutter.name }}"}
    (title / "cookiecutter.json").write_text(json.dumps(questions), "utf-8")
    assert skilltool("new", "b", "--template", "./t", "--no-input").returncode == 0
    assert "# All of b" in (repo / "skills/b/SKILL.md").read_text("utf-8")
    questions = {"name": "{{ 'UP'.lower() }}{{ '/..' }}", "title": "x"}
    (title / "cookiecutter.json").write_text(json.dumps(questions), "utf-8")
    with (
        scaffold.open_template(str(title)) as found,
        pytest.raises(SkilltoolError, match="not lowercase words"),
    ):
        scaffold.create_skill(scaffold.SkillRequest(found, {}, runtimes.get("kodelet"), repo))


@pytest.mark.slow
def test_on_a_terminal_given_answers_are_validated_before_anything_is_asked(repo: Path) -> None:
    with Terminal("new", "A B", cwd=repo) as terminal:
        assert "did you mean `a-b`?" in terminal.rest()

"""copilot, crush, cursor, goose and roo-code: what is known of them from their source or from reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes
from skilltool.findings.finding import Severity
from skilltool.lint.check import check_directory
from skilltool.lint.config import Config
from skilltool.lint.settings import resolve
from skilltool.runtimes.base import Session
from skilltool.runtimes.copilot import without_tags
from skilltool.runtimes.goose import filled
from skilltool.runtimes.loading import anywhere_in
from skilltool.runtimes.values import LoadedSkill, Refused
from tests.conftest import Skilltool

BY_SOURCE = ["copilot", "crush", "goose", "roo-code"]
ALL = [*BY_SOURCE, "cursor"]


def write(directory: Path, head: str = "", body: str = "Body.\n") -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    fields = head or f"name: {directory.name}\ndescription: About it.\n"
    (directory / "SKILL.md").write_text(f"---\n{fields}---\n{body}", "utf-8")
    return directory


def opened(name: str, top: Path, **settings: Any) -> Session:
    (top / "home").mkdir(exist_ok=True)
    (top / "project/.git").mkdir(parents=True, exist_ok=True)
    return runtimes.get(name).open(top / "project", top / "home", settings)


def outcome(name: str, directory: Path) -> LoadedSkill | Refused:
    load = runtimes.get(name).load
    assert load is not None
    return load(directory)


@pytest.mark.parametrize("name", ALL)
def test_what_is_not_known_is_refused_with_a_sentence(
    name: str, skilltool: Skilltool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / ".agents/skills/pdf")
    monkeypatch.chdir(tmp_path)
    for part in ("result", "content", "tool", "context"):
        run = skilltool("render", "pdf", "--runtime", name, "--part", part, "--home", str(tmp_path))
        if run.returncode == 2:
            known = name != "cursor"
            assert (f"{name} has no part `{part}`; it has: " in run.stderr) is known
    assert skilltool("render", "pdf", "--runtime", name, "--part", "user").returncode == 2


@pytest.mark.parametrize("asked", [("pdf",), ("--part", "catalog"), ("--call", "{}"), ("--query", "x")])
def test_nothing_is_rendered_for_cursor(skilltool: Skilltool, asked: tuple[str, ...]) -> None:
    run = skilltool("render", *asked, "--runtime", "cursor")
    sentence = "what cursor sends to its model is not known; choose a different runtime with --runtime"
    assert (run.returncode, run.stderr) == (2, f"skilltool: {sentence}\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no frontmatter\n",
        "---\nname: [a]\ndescription: x: y: z\n---\n",
        "---\nname: A B\n---\n",
        "\ufeff---\n",
    ],
)
def test_reports_of_third_parties_make_neither_an_error_nor_a_warning(text: str, tmp_path: Path) -> None:
    directory = write(tmp_path / "pdf-tools")
    (directory / "SKILL.md").write_text(text, "utf-8")
    settings = resolve(Config(), {"runtimes": ["cursor"]})
    found = check_directory(directory, settings).diagnostics
    assert {each.severity for each in found} <= {Severity.INFO}
    assert {
        each.severity
        for each in check_directory(directory, resolve(Config(), {"runtimes": ["goose"]})).diagnostics
    }


@pytest.mark.parametrize(
    ("name", "winner"),
    [
        ("copilot", "project/.github/skills"),
        ("goose", "project/.agents/skills"),
        ("roo-code", "project/.roo/skills-code"),
        ("cursor", "project/.cursor/skills"),
    ],
)
def test_which_of_all_copies_wins(name: str, winner: str, tmp_path: Path) -> None:
    places = [root.path_template or "" for root in runtimes.get(name).roots]
    for place in places:
        write(Path(place.format(project=tmp_path / "project", home=tmp_path / "home")) / "pdf")
    session = opened(name, tmp_path)
    assert [each.directory for each in session.skills] == [tmp_path / winner / "pdf"]
    assert len(session.shadowed) == len(places) - 1
    assert {each.by.directory for each in session.shadowed} == {tmp_path / winner / "pdf"}


def test_the_last_path_in_lower_case_wins_in_crush(tmp_path: Path) -> None:
    for place in ("project/.agents", "project/.crush", "project/.Cursor", "home/.claude"):
        write(tmp_path / place / "skills/pdf")
    write(tmp_path / "project/.crush/skills/deep/er/Docx", "name: docx\ndescription: d\n")
    session = opened("crush", tmp_path)
    shown = [each.directory.relative_to(tmp_path).as_posix() for each in session.skills]
    assert shown == ["project/.crush/skills/deep/er/Docx", "project/.crush/skills/pdf"]


def test_crush_reads_the_top_of_the_repository_too(tmp_path: Path) -> None:
    write(tmp_path / "project/.crush/skills/pdf")
    (tmp_path / "project/.git").mkdir()
    below = tmp_path / "project/sub"
    below.mkdir()
    session = runtimes.get("crush").open(below, tmp_path / "home")
    assert [each.role for each in session.skills] == ["project-above"]


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("name: PDF\ndescription: d\n", None),
        ("name: pdf\ndescription: 1\nlicense: 2\n", None),
        ("description: d\n", "name is required"),
        ("name: pdf\n", "description is required"),
        ("name: other\ndescription: d\n", 'name "other" must match directory "pdf"'),
        (f"name: pdf\ndescription: {'é' * 512}\n", None),
        (f"name: pdf\ndescription: {'é' * 513}\n", "description exceeds 1024 characters"),
        (f"name: pdf\ndescription: d\ncompatibility: {'c' * 501}\n", "compatibility exceeds 500 characters"),
        ("name: p--f\n", "name must be alphanumeric with hyphens, no leading/trailing/consecutive hyphens\n"),
    ],
)
def test_what_crush_refuses(head: str, message: str | None, tmp_path: Path) -> None:
    found = outcome("crush", write(tmp_path / "pdf", head))
    assert isinstance(found, LoadedSkill) == (message is None)
    if isinstance(found, Refused):
        assert (found.message or "").startswith(message or "")


@pytest.mark.parametrize(
    ("field", "loads"),
    [
        ("user-invocable: true", True),
        ("user-invocable: maybe", False),
        ("disable-model-invocation:", True),
        ("metadata: {a: 1, b: c}", True),
        ("metadata: {a: {b: c}}", False),
        ("metadata: text", False),
    ],
)
def test_the_types_that_crush_wants(field: str, loads: bool, tmp_path: Path) -> None:
    directory = write(tmp_path / "pdf", f"name: pdf\ndescription: d\n{field}\n")
    assert isinstance(outcome("crush", directory), LoadedSkill) == loads


@pytest.mark.parametrize(
    "text",
    ["\n\n --- \nname: a\ndescription: d\n---  \nB", "\ufeff---\r\nname: a\r\ndescription: d\r\n---\r\nB"],
)
def test_fences_that_crush_accepts(text: str, tmp_path: Path) -> None:
    directory = write(tmp_path / "a")
    (directory / "SKILL.md").write_text(text, "utf-8", newline="")
    found = outcome("crush", directory)
    assert isinstance(found, LoadedSkill)
    assert (found.name, found.description, found.body) == ("a", "d", "B")


def test_a_hidden_skill_is_loaded_and_not_listed(tmp_path: Path) -> None:
    head = "name: pdf\ndescription: a < b\ndisable-model-invocation: true\n"
    for place in (".agents", ".github"):
        write(tmp_path / f"project/{place}/skills/pdf", head)
    assert opened("crush", tmp_path).catalog() == "<available_skills>\n</available_skills>"
    copilot = opened("copilot", tmp_path)
    assert ([each.key for each in copilot.skills], copilot.catalog()) == (["pdf"], None)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a < b && c > d", "a  d"),
        ("<>a<b", "<>a<b"),
        ("<b>x</b>", "x"),
        ("a<<b>c", "ac"),
        ("<" * 50_000, "<" * 50_000),
    ],
)
def test_tags_are_removed_as_by_the_pattern(text: str, kept: str) -> None:
    assert without_tags(text) == kept


def test_copilot_takes_the_directory_for_another_name_and_cuts(tmp_path: Path) -> None:
    write(tmp_path / "project/.github/skills/one", f"name: two\ndescription: {'x' * 1100}\n")
    [skill] = opened("copilot", tmp_path).skills
    assert (skill.key, len(skill.description)) == ("one", 1024)


@pytest.mark.parametrize(
    ("body", "args", "text"),
    [
        ("[$1] [$2] [$3] [$0]", "a 'b c'", "[a] [b c] [] []"),
        ("[$ARGUMENTS[0]] [$ARGUMENTS[9]]", "a b", "[a] []"),
        ("[$ARGUMENTS]", "a  b", "[a  b]"),
        ("[$from] [$to] [$nope]", "x y", "[x] [y] [$nope]"),
        ("$ARGUMENTS_X $nope", "a", "$ARGUMENTS_X $nope\n\nARGUMENTS: a"),
        ("plain", "", "plain\n\nARGUMENTS: "),
    ],
)
def test_arguments_of_goose(body: str, args: str, text: str) -> None:
    assert filled(body, args, ["from", "to"]) == text


def test_calls_of_goose(tmp_path: Path) -> None:
    directory = write(
        tmp_path / "project/.goose/skills/a/b/pdf-tools", "name: pdf\ndescription: d\n", "B --- c"
    )
    (directory / "scripts").mkdir()
    (directory / "scripts/run.sh").write_text("echo")
    write(directory / "inner")
    session = opened("goose", tmp_path)
    assert [each.key for each in session.skills] == ["pdf", "inner"]
    text = session.call({"name": "pdf"}).text or ""
    assert text.startswith(
        "# Loaded Skill: pdf (skill)\n\nd\n\n## Content\n\nB --- c\n\n## Supporting Files\n"
    )
    assert text.count("load_skill(name:") == 1
    file = session.call({"name": "pdf/scripts/run.sh"})
    assert file.text == "# Loaded: pdf/scripts/run.sh\n\necho\n\n---\nFile loaded into context."
    errors = {
        "pdf/x": "File 'pdf/x' not found. Available: scripts/run.sh",
        "inner/x": "Skill 'inner' has no supporting files.",
        "PD": "Skill 'PD' not found. Did you mean: pdf?",
        "zzz": "Skill 'zzz' not found.",
        "": "Missing required parameter: name",
    }
    for name, error in errors.items():
        found = session.call({"name": name})
        assert (found.text, found.is_error) == (error, True)
    assert session.call({"name": "pdf", "args": "'open"}).is_error


def test_a_supporting_file_that_is_a_link_out_of_the_skill_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    directory = write(tmp_path / "project/.goose/skills/pdf")
    (directory / "link.txt").symlink_to(tmp_path / "secret.txt")
    found = opened("goose", tmp_path).call({"name": "pdf/link.txt"})
    assert found.is_error
    assert "secret" not in (found.text or "").replace("link", "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("---\nname: a/b\n---\n", "Skill name 'a/b' contains '/', skipping"),
        ("---\nname:\n---\n", "Skill at '{}' is missing a required 'name' in frontmatter, skipping"),
        ("name: a\n", None),
        ("---\nname: a\nname: b\n---\n", "Failed to parse skill frontmatter: duplicate field `name`"),
        (
            "---\nname: a\ndescription: [b]\n---\n",
            "Failed to parse skill frontmatter: description: invalid type",
        ),
    ],
)
def test_what_goose_refuses(text: str, message: str | None, tmp_path: Path) -> None:
    directory = write(tmp_path / "a")
    (directory / "SKILL.md").write_text(text)
    found = outcome("goose", directory)
    assert isinstance(found, Refused)
    assert (found.message or "").startswith((message or "").format(directory))
    assert (found.message is None) == (message is None)


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("name: pdf\n", "is missing required 'description' field"),
        ("name: 1\ndescription: d\n", "is missing required 'name' field"),
        ("name: x\ndescription: d\n", 'Skill name "x" doesn\'t match directory "pdf"'),
        ("name: pdf\ndescription: '  '\n", "must be 1-1024 characters (got 0)"),
        (f"name: pdf\ndescription: {'😀' * 513}\n", "must be 1-1024 characters (got 1026)"),
        ("name: pdf\ndescription: a: b\n", "Failed to load skill at "),
    ],
)
def test_what_roo_code_refuses(head: str, message: str, tmp_path: Path) -> None:
    found = outcome("roo-code", write(tmp_path / "pdf", head))
    assert isinstance(found, Refused)
    assert message in (found.message or "")


def test_the_mode_of_roo_code_decides_which_skills_there_are(tmp_path: Path) -> None:
    write(tmp_path / "project/.roo/skills-ask/only")
    assert opened("roo-code", tmp_path).skills == []
    session = opened("roo-code", tmp_path, mode="ask")
    assert [each.key for each in session.skills] == ["only"]
    result = session.call({"skill": "only", "args": "x"})
    assert (result.text or "").split("\n")[2:4] == ["Provided arguments: x", "Source: project"]
    assert session.call('{"skill": "x"}').text == "Skill 'x' not found. Available skills: only"


def test_folders_are_found_at_any_depth_and_loops_end(tmp_path: Path) -> None:
    write(tmp_path / "a/b/c")
    write(tmp_path / ".git/d")
    (tmp_path / "a/up").symlink_to(tmp_path)
    assert anywhere_in(tmp_path, frozenset({".git"})) == [tmp_path / "a/b/c"]
    with pytest.raises(OSError, match="No such file"):
        anywhere_in(tmp_path / "none")

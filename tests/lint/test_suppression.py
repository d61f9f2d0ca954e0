"""What somebody decided to live with is hidden, counted, and said when it hides nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.lint import settings
from skilltool.lint.config import Config
from skilltool.lint.ignore_comments import ignore_comments
from skilltool.lint.run import check_skills
from skilltool.skill.model import Skill, load_skill
from skilltool.text.source import Source
from tests.conftest import Skilltool

HEAD = "name: a\ndescription: Fills in forms. Use when the user mentions a form.\n"
LINK = "[x](gone.md)"
PARTS = [
    "# skilltool: ignore[",
    "<!-- skilltool: ignore[",
    "]",
    "x",
    "\n",
    "\r\n",
    "-->",
    "---",
    "```",
    " ",
    ":",
    "|",
]


def found(directory: Path, text: str, **options: object) -> tuple[list[str], int]:
    """The rules (with line) that are reported of a skill with this text, and how many are ignored."""
    place = directory / "a"
    place.mkdir(exist_ok=True)
    (place / "SKILL.md").write_text(text, "utf-8", newline="")
    report = check_skills(settings.resolve(Config(dict(options)), {"paths": [place]}))
    return [f"{d.rule}:{d.location.start.line}" for d in report.diagnostics], report.ignored


def test_a_comment_in_the_frontmatter_holds_for_the_whole_file(tmp_path: Path) -> None:
    comment = "# skilltool: ignore[broken-link] written at build time\n"
    assert found(tmp_path, f"---\n{HEAD}---\n\n{LINK}\n\n{LINK}\n") == (["broken-link:6", "broken-link:8"], 0)
    assert found(tmp_path, f"---\n{comment}{HEAD}---\n\n{LINK}\n\n{LINK}\n") == ([], 2)
    assert found(tmp_path, f"---\r\n  {comment}{HEAD}---\n\n{LINK}\n") == (["carriage-return:1"], 1)


def test_what_looks_like_a_comment_inside_a_text_is_text(tmp_path: Path) -> None:
    comment = "# skilltool: ignore[broken-link] no"
    text = f"---\nname: a\ndescription: |\n  Fills in forms. Use when asked.\n  {comment}\n---\n"
    reported, ignored = found(tmp_path, f"{text}\n{LINK}\n", select=["broken-link"])
    assert (reported, ignored) == (["broken-link:8"], 0)


@pytest.mark.parametrize(
    ("body", "reported", "ignored"),
    [
        (f"<!-- skilltool: ignore[broken-link] later -->\n{LINK}\n{LINK}\n\n{LINK}\n", ["broken-link:9"], 2),
        (f"<!-- skilltool: ignore[broken-link] later -->\n\n{LINK}\n\n{LINK}\n", ["broken-link:9"], 1),
        (f"{LINK} <!-- skilltool: ignore[broken-link] later -->\n\n{LINK}\n", ["broken-link:7"], 1),
        (f"<!--skilltool:ignore[ broken-link ,empty-body] later-->\n{LINK}\n", ["unused-ignore:5"], 1),
        (f"<!-- skilltool: ignore[broken-link] -->\n{LINK}\n", ["unused-ignore:5", "broken-link:6"], 0),
        (f"<!-- skilltool: ignore[broken-lnk] x -->\n{LINK}\n", ["unused-ignore:5", "broken-link:6"], 0),
        (f"<!-- skilltool: ignore[] x -->\n{LINK}\n", ["unused-ignore:5", "broken-link:6"], 0),
        (f"```\n<!-- skilltool: ignore[broken-link] x -->\n```\n{LINK}\n", ["broken-link:8"], 0),
    ],
)
def test_a_comment_in_the_body_holds_for_its_line_and_the_block_behind_it(
    tmp_path: Path, body: str, reported: list[str], ignored: int
) -> None:
    assert found(tmp_path, f"---\n{HEAD}---\n{body}") == (reported, ignored)


def test_an_ignore_of_a_rule_that_did_not_run_is_not_called_unused(tmp_path: Path) -> None:
    text = f"---\n# skilltool: ignore[broken-link] later\n{HEAD}---\n\nText.\n"
    assert found(tmp_path, text)[0] == ["unused-ignore:2"]
    assert found(tmp_path, text, ignore=["broken-link"])[0] == []


def test_a_rule_about_many_skills_can_be_ignored_in_one_of_them(skilltool: Skilltool, repo: Path) -> None:
    for name in ("a", "b"):
        (repo / name).mkdir()
        (repo / name / "SKILL.md").write_text(f"---\n{HEAD}---\n\nText.\n", "utf-8")
    run = skilltool("lint", "--select", "duplicate-name", "--fail-on", "info")
    assert (run.returncode, "b/SKILL.md" in run.stdout) == (1, True)
    text = f"---\n# skilltool: ignore[duplicate-name] on purpose\n{HEAD}---\n\nText.\n"
    (repo / "b" / "SKILL.md").write_text(text, "utf-8")
    run = skilltool("lint", "--select", "duplicate-name", "--fail-on", "info")
    assert (run.returncode, run.stdout) == (
        0,
        "2 skills checked against `portable`, no findings (1 ignored)\n",
    )


def test_patterns_of_the_configuration_hide_rules_in_some_files(skilltool: Skilltool, repo: Path) -> None:
    for name in ("vendor/a", "own/a"):
        (repo / name).mkdir(parents=True)
        (repo / name / "SKILL.md").write_text(f"---\n{HEAD}---\n\n{LINK}\n", "utf-8")
    (repo / "skilltool.toml").write_text('[per-file-ignores]\n"vendor/" = ["body"]\n', "utf-8")
    report = json.loads(skilltool("lint", "--select", "broken-link", "--output-format", "json").stdout)
    assert [each["path"] for each in report["diagnostics"]] == ["own/a/SKILL.md"]
    assert report["summary"]["suppressed"] == 1
    inside = skilltool("lint", "a", "--select", "broken-link", cwd=repo / "vendor")
    assert inside.stdout == "1 skill checked against `portable`, no findings (1 ignored)\n"


def test_the_configuration_sets_severities_the_rule_before_its_group(
    skilltool: Skilltool, repo: Path
) -> None:
    (repo / "a").mkdir()
    (repo / "a" / "SKILL.md").write_text(f"---\n{HEAD}---\n\n{LINK} [y](../../b.md)\n", "utf-8")
    (repo / "skilltool.toml").write_text('[severity]\nbroken-link = "error"\nbody = "info"\n', "utf-8")
    run = skilltool("lint", "--output-format", "concise", "--notes")
    assert run.returncode == 1
    assert "error[broken-link]" in run.stdout
    assert "info[escaping-link]" in run.stdout


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[severity]\nbroken-lnk = "error"\n', "`severity`: unknown rule or group `broken-lnk`"),
        ('[severity]\nbroken-link = "fatal"\n', '"error", "warning", "info", not "fatal"'),
        ('[per-file-ignores]\n"x/" = ["nope"]\n', "`per-file-ignores.x/`: unknown rule or group `nope`"),
        ('[per-file-ignores]\n"x/" = "body"\n', "must be a list"),
    ],
)
def test_a_wrong_name_or_value_in_the_configuration_is_said(
    skilltool: Skilltool, repo: Path, text: str, words: str
) -> None:
    (repo / "skilltool.toml").write_text(text, "utf-8")
    run = skilltool("lint")
    assert run.returncode == 2
    assert words in run.stderr


def test_severities_and_ignores_are_shown_as_configuration(skilltool: Skilltool, repo: Path) -> None:
    text = 'baseline = "b.json"\n[severity]\nbody = "info"\n[per-file-ignores]\n"x/" = ["broken-link"]\n'
    (repo / "skilltool.toml").write_text(text, "utf-8")
    shown = skilltool("lint", "--show-settings").stdout
    assert '"broken-link" = "info"' in shown
    (repo / "skilltool.toml").write_text(shown, "utf-8")
    assert skilltool("lint", "--show-settings").stdout == shown


@given(st.lists(st.sampled_from(PARTS)))
def test_any_text_is_searched_for_comments(parts: list[str]) -> None:
    text = "".join(parts)
    skill = Skill("a", "SKILL.md", Source(text))
    for comment in ignore_comments(skill, "a/SKILL.md"):
        assert (
            comment.last is None or comment.first <= comment.last <= text.count("\n") + text.count("\r") + 1
        )


def test_the_model_sees_a_comment_of_the_body_and_none_of_the_frontmatter(tmp_path: Path) -> None:
    (tmp_path / "SKILL.md").write_text(f"---\n# skilltool: ignore[x] y\n{HEAD}---\n<!-- z -->\n", "utf-8")
    assert load_skill(tmp_path).body == "<!-- z -->\n"


@pytest.mark.slow
def test_a_pattern_that_switches_nothing_off_is_told_by_a_run_over_everything(
    skilltool: Skilltool, repo: Path
) -> None:
    found(repo, f"---\n{HEAD}---\n\n{LINK}\n")
    lines = ["[per-file-ignores]", '"a/" = ["broken-link", "empty-body"]', '"gone/" = ["broken-link"]']
    (repo / "skilltool.toml").write_text("\n".join([*lines, '"also/" = ["vague-description"]']), "utf-8")
    run = skilltool("lint", "--output-format", "concise")
    said = "warning[unused-ignore]: pattern `gone/` in `per-file-ignores` suppresses nothing"
    assert run.stdout.splitlines()[0] == f"skilltool.toml:3:2: {said}"
    assert "unused-ignore" not in skilltool("lint", "a").stdout
    for output in ("json", "sarif", "junit", "github", "gitlab", "rdjson"):
        assert "per-file-ignores" in skilltool("lint", "--output-format", output).stdout


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- skilltool: ignore -->",
        "<!-- skilltool: ignore broken-link -->",
        "<!-- Skilltool: disable[x] -->",
    ],
)
def test_a_comment_that_is_nearly_an_ignore_is_told(tmp_path: Path, comment: str) -> None:
    reported, ignored = found(tmp_path, f"---\n# skilltool: x\n{HEAD}---\n\n{comment}\n\nText.\n")
    assert (reported, ignored) == (["unused-ignore:2", "unused-ignore:7"], 0)

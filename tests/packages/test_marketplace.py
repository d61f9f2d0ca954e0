"""What `lint` finds in a made-up marketplace of 24 plugins with twelve mistakes: these, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skilltool.findings.diagnostic import Diagnostic
from skilltool.lint import settings
from skilltool.lint.config import Config
from skilltool.lint.result import Report
from skilltool.lint.run import check_skills
from tests.support.marketplace import build

MARKET, COMMA = ".claude-plugin/marketplace.json", "plugins/comma/.claude-plugin/plugin.json"
FOUND = [
    (MARKET, "error", "dangling-skill-path", '"./plugins/rooted/extra/rooted-a"', "write `./extra/rooted-a`"),
    (MARKET, "error", "skill-path-is-file", '"./extra/filed-a/SKILL.md"', "write `./extra/filed-a`"),
    (MARKET, "error", "invalid-manifest", '"extra/bare-a"', "write `./extra/bare-a`"),
    (
        MARKET,
        "error",
        "path-escapes-plugin",
        '"./../shared/up-a"',
        "move the skills into the plugin, and use a path relative to its directory",
    ),
    (
        MARKET,
        "warning",
        "unlisted-skill",
        '"skills"',
        "add the missing paths, or move skills that should not be installed out of the plugin",
    ),
    (MARKET, "error", "duplicate-plugin-name", '"twice"', "rename or remove one of the two"),
    (MARKET, "error", "invalid-manifest", '"Ada"', 'write `{"name": "Ada"}`'),
    (MARKET, "warning", "name-collision", '"./old/same-a"', "rename one of the two"),
    (
        MARKET,
        "warning",
        "internal-skill-published",
        '"./extra/hidden-a"',
        "remove it from the list, or remove `internal` from its metadata",
    ),
    (
        MARKET,
        "error",
        "invalid-manifest",
        '"strict"',
        "remove `strict`, or list the components in only one of the two",
    ),
    (MARKET, "error", "invalid-manifest", '"./plugins/soundd"', "write `./plugins/sound`"),
    (COMMA, "error", "invalid-manifest", ",", None),
]


@pytest.fixture
def market(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(build(tmp_path))
    return tmp_path


def lint(**options: object) -> Report:
    return check_skills(settings.resolve(Config(), {"paths": [Path()], **options}))


def marked(found: Diagnostic) -> str:
    excerpt = found.location.excerpt
    return excerpt.text[excerpt.start : excerpt.end]


def test_each_mistake_is_found_where_it_is_written_and_nothing_else_is(market: Path) -> None:
    report = lint()
    shown = [(d.path, str(d.severity), d.rule, marked(d), d.help) for d in report.diagnostics]
    assert shown == FOUND
    assert len(report.manifests) == 15
    assert {d.runtimes for d in report.diagnostics} == {("claude-code",)}


def test_without_the_mistakes_there_is_no_finding(market: Path) -> None:
    path = market / MARKET
    text = path.read_text("utf-8")
    for wrong, right in {
        "./plugins/rooted/extra/rooted-a": "./extra/rooted-a",
        "./extra/filed-a/SKILL.md": "./extra/filed-a",
        '"extra/bare-a"': '"./extra/bare-a"',
        "./../shared/up-a": "./skills/up-b",
        '"./extra/partial-c"': '"./extra/partial-c", "./extra/partial-d"',
        '"twice",\n      "source": "./plugins/again"': '"once",\n      "source": "./plugins/again"',
        '"author": "Ada"': '"author": {"name": "Ada"}',
        "./old/same-a": "./skills/same-a",
        "./extra/hidden-a": "./extra",
        '"strict": false': '"strict": true',
        "./plugins/soundd": "./plugins/sound",
    }.items():
        assert text.count(wrong) == 1
        text = text.replace(wrong, right)
    path.write_text(text, "utf-8")
    (market / COMMA).write_text('{"name": "comma"}', "utf-8")
    hidden = market / "plugins/hidden/extra/hidden-a/SKILL.md"
    hidden.write_text(hidden.read_text("utf-8").replace("true", "false"), "utf-8")
    assert [d.message for d in lint().diagnostics] == []


def test_fingerprints_of_all_findings_differ(market: Path) -> None:
    found = [d.fingerprint for d in lint().diagnostics]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(("missing", "findings"), [(3, 3), (5, 1)])
def test_many_sources_that_do_not_exist_are_one_finding(tmp_path: Path, missing: int, findings: int) -> None:
    plugins = [{"name": f"gone-{number}", "source": f"./plugins/gone-{number}"} for number in range(missing)]
    held = {"name": "all", "owner": {"name": "Ada"}, "plugins": plugins}
    (tmp_path / ".claude-plugin").mkdir()
    (tmp_path / ".claude-plugin" / "marketplace.json").write_text(json.dumps(held), "utf-8")
    report = check_skills(settings.resolve(Config(), {"paths": [tmp_path], "select": ["invalid-manifest"]}))
    assert len(report.diagnostics) == findings
    assert (" (and 4 more in this file)" in report.diagnostics[0].message) == (findings == 1)


def test_no_source_of_another_plugin_is_proposed(tmp_path: Path) -> None:
    plugins = [{"name": name, "source": f"./plugins/{name}"} for name in ("spotify", "shopify")]
    held = {"name": "all", "owner": {"name": "Ada"}, "plugins": plugins}
    (tmp_path / "plugins" / "spotify").mkdir(parents=True)
    (tmp_path / ".claude-plugin").mkdir()
    (tmp_path / ".claude-plugin" / "marketplace.json").write_text(json.dumps(held), "utf-8")
    report = check_skills(settings.resolve(Config(), {"paths": [tmp_path], "select": ["invalid-manifest"]}))
    assert [each.help for each in report.diagnostics] == ["correct or remove the path"]


@pytest.mark.parametrize(("many", "findings"), [(3, 3), (5, 1)])
def test_many_files_in_one_list_of_skills_are_one_finding(tmp_path: Path, many: int, findings: int) -> None:
    for number in range(many):
        (tmp_path / f"extra/{number}").mkdir(parents=True)
        (tmp_path / f"extra/{number}/SKILL.md").write_text("---\nname: x\n---\n", "utf-8")
    held = {"name": "pdf", "skills": [f"./extra/{number}/SKILL.md" for number in range(many)]}
    (tmp_path / ".claude-plugin").mkdir()
    (tmp_path / ".claude-plugin" / "plugin.json").write_text(json.dumps(held), "utf-8")
    report = check_skills(settings.resolve(Config(), {"paths": [tmp_path], "select": ["skill-path-is-file"]}))
    assert len(report.diagnostics) == findings
    assert ("and 4 more are files" in report.diagnostics[0].message) == (findings == 1)


def test_a_skill_in_a_submodule_may_be_missing_from_the_clone(tmp_path: Path) -> None:
    for name in ("borrowed", "gone"):
        (tmp_path / "skills" / name).mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    module = '[submodule "x"]\n\tpath = skills/borrowed\n\turl = https://example.com/x.git\n'
    (tmp_path / ".gitmodules").write_text(module, "utf-8")
    held = {"name": "pdf", "skills": ["./skills/borrowed", "./skills/gone"]}
    (tmp_path / ".claude-plugin").mkdir()
    (tmp_path / ".claude-plugin" / "plugin.json").write_text(json.dumps(held), "utf-8")
    (found,) = check_skills(
        settings.resolve(Config(), {"paths": [tmp_path], "select": ["dangling-skill-path"]})
    ).diagnostics
    assert marked(found) == '"./skills/gone"'

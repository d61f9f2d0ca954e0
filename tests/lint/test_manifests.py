"""Manifests are checked once, where the paths of a run hold them, for the clients that are asked about."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from skilltool.errors import PathError
from skilltool.lint import baseline, result, settings
from skilltool.lint.check_packages import check_manifests
from skilltool.lint.config import Config
from skilltool.lint.result import Report
from skilltool.lint.run import check_skills
from skilltool.report import FORMATS, PLAIN, render

SKILL = "---\nname: {name}\ndescription: Works on files. Use when the user has a file.\n---\n\nRead it.\n"
KEYWORDS = "`keywords` is a string, not a list"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: str, text: object) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text if isinstance(text, str) else json.dumps(text), "utf-8")


def plugin(top: str = ".", file: str = ".claude-plugin/plugin.json", **fields: Any) -> None:
    write(f"{top}/{file}", {"name": "p", "keywords": "a", **fields})
    write(f"{top}/skills/a/SKILL.md", SKILL.format(name="a"))


def lint(*paths: str, values: dict[str, Any] | None = None, **options: object) -> Report:
    config = Config(values, Path("skilltool.toml").absolute()) if values else Config()
    return check_skills(settings.resolve(config, {"paths": [*map(Path, paths or ".")], **options}))


def messages(report: Report) -> list[tuple[str, str]]:
    return [(each.path, each.message) for each in report.diagnostics]


def test_manifests_below_the_paths_are_checked_each_once() -> None:
    plugin("x/one")
    plugin("x/two", skills=["./skills/a"])
    expected = [
        ("x/one/.claude-plugin/plugin.json", KEYWORDS),
        ("x/two/.claude-plugin/plugin.json", KEYWORDS),
    ]
    assert messages(lint()) == messages(lint("x", "x/one", ".")) == expected
    assert messages(lint("x/one")) == expected[:1]


def test_a_manifest_can_be_named_and_a_skill_alone_does_not_bring_one() -> None:
    plugin()
    assert len(messages(lint(".claude-plugin/plugin.json"))) == 1
    assert messages(lint("skills/a")) == []


def test_a_package_without_skills_is_something_to_check() -> None:
    write(".claude-plugin/plugin.json", {"name": "p"})
    report = lint()
    assert (report.skills, report.diagnostics) == (0, [])
    assert result.summary(report) == "1 manifest checked, no findings"
    with pytest.raises(PathError):
        lint(ignore=["package"])


@pytest.mark.parametrize(
    ("runtimes", "found"),
    [(["auto"], 1), (["claude-code"], 1), (["claude-code@2.1.329"], 1), (["codex"], 0), (["portable"], 0)],
)
def test_a_manifest_is_checked_for_its_client_only(runtimes: list[str], found: int) -> None:
    plugin()
    assert len(lint(runtimes=runtimes, select=["package"]).diagnostics) == found


def test_what_is_only_reported_of_a_client_is_information() -> None:
    plugin(file=".cursor-plugin/plugin.json")
    assert [str(each.severity) for each in lint().diagnostics if each.rule == "invalid-manifest"] == ["info"]


@pytest.mark.slow
def test_settings_hide_findings_of_manifests_as_any_others(tmp_path: Path) -> None:
    plugin()
    found = lint()
    assert [str(each.severity) for each in found.diagnostics] == ["warning"]
    assert lint(ignore=["package"]).diagnostics == []
    assert lint(values={"per-file-ignores": {"plugin.json": ["invalid-manifest"]}}).diagnostics == []
    assert lint(values={"exclude": [".claude-plugin"]}).diagnostics == []
    worse = lint(values={"severity": {"package": "error"}})
    assert [str(each.severity) for each in worse.diagnostics] == ["error"]
    baseline.write(tmp_path / "baseline.json", found.diagnostics)
    accepted = lint(baseline=tmp_path / "baseline.json")
    assert (accepted.diagnostics, accepted.accepted) == ([], 1)


def test_what_git_ignores_is_not_checked() -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    write(".gitignore", "build/\n")
    plugin("build/p")
    plugin("src")
    assert [path for path, _ in messages(lint())] == ["src/.claude-plugin/plugin.json"]


def test_manifests_inside_of_a_skill_are_its_data() -> None:
    write("maker/SKILL.md", SKILL.format(name="maker"))
    write("maker/assets/.claude-plugin/plugin.json", "{")
    assert messages(lint(select=["package"])) == []
    write("maker/.claude-plugin/plugin.json", "{")
    assert [path for path, _ in messages(lint(select=["package"]))] == ["maker/.claude-plugin/plugin.json"]


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
def test_every_format_shows_the_file_and_the_line(form: str) -> None:
    plugin(keywords=["a"], version=1)
    assert "plugin.json" in render(lint(), form, PLAIN)


def test_the_summary_counts_manifests() -> None:
    plugin()
    where = "`claude-code` (.claude-plugin/plugin.json)"
    said = f"1 warning in 1 of 1 manifest; 1 skill and 1 manifest checked against {where}"
    assert result.summary(lint()) == said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "has more than 64 levels, which skilltool does not read"),
        (" " * (1 << 20) + "{}", "cannot be read: larger than 1 MiB"),
        ("[]", "is not an object"),
        ("", "unexpected end of the file"),
        ('{"name": "\udcff"}', "is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_finding(text: str, message: str) -> None:
    Path(".claude-plugin").mkdir()
    Path(".claude-plugin/plugin.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    (_, said), *_ = messages(lint())
    assert said == f"{message}; `claude-code` does not install the plugin"


@pytest.mark.slow
def test_odd_values_end_nothing() -> None:
    odd: list[Any] = [
        None,
        True,
        3,
        1.5,
        "",
        "\0",
        "..",
        "/",
        "./",
        [],
        {},
        ["./\0", 3, None, ["x"]],
        {"a": []},
    ]
    names = (".claude-plugin/marketplace.json", ".claude-plugin/plugin.json", "p/.codex-plugin/plugin.json")
    files = [Path(name).absolute().as_posix() for name in names]
    asked = settings.resolve(Config(), {"select": ["package"]})
    for value in odd:
        for key in ("name", "skills", "plugins", "source", "metadata", "owner", "strict"):
            entry = {"name": "p", "source": "./p", key: value}
            write(
                ".claude-plugin/marketplace.json", {"name": "m", "owner": {"name": "o"}, "plugins": [entry]}
            )
            write(".claude-plugin/plugin.json", {"name": "p", key: value})
            write("p/.codex-plugin/plugin.json", {key: value})
            assert len(check_manifests(files, asked)[0]) == 3
            other = {"plugins": [{"name": "p", "source": "./p"}, 3], key: value}
            write(".claude-plugin/marketplace.json", other)
            assert check_manifests(files, asked)[1]


@pytest.mark.slow
def test_a_run_that_finds_no_manifest_imports_nothing_for_them() -> None:
    write("a/SKILL.md", SKILL.format(name="a"))
    code = (
        "import sys; from skilltool.cli import main\n"
        "sys.argv[1:] = ['lint', '--isolated', '--no-cache', '.']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if 'check_packages' in name or 'rules.package' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_what_all_entries_of_a_marketplace_lack_is_one_finding() -> None:
    entries: list[dict[str, Any]] = [{"name": f"Form filler {number}"} for number in range(3)]
    write(".claude-plugin/marketplace.json", {"plugins": [*entries, {"name": "ok", "source": "./ok"}]})
    write("ok/skills/a/SKILL.md", SKILL.format(name="a"))
    found = [text.partition("; `claude-code`")[0] for _, text in messages(lint())]
    assert sorted(found) == [
        "`name` `Form filler 0` contains a space (and 2 more entries)",
        "`name` and `owner` are missing",
        "entry 1 of `plugins` has no `source` (and 2 more entries)",
    ]


@pytest.mark.parametrize("number", [1, 4])
def test_sources_below_plugin_root_are_told_with_the_path_that_works(number: int) -> None:
    names = [f"p{at}" for at in range(number)]
    entries = [{"name": name, "source": f"./{name}"} for name in names]
    head = {"name": "m", "owner": {"name": "o"}, "metadata": {"pluginRoot": "./plugins"}}
    write(".claude-plugin/marketplace.json", {**head, "plugins": entries})
    for name in names:
        write(f"plugins/{name}/skills/{name}/SKILL.md", SKILL.format(name=name))
    (told,) = [each for each in lint().diagnostics if each.rule == "invalid-manifest"]
    assert (
        told.help == "write `./plugins/p0` and remove `pluginRoot`, which `claude-code` ignores before `./`"
    )


def test_a_path_that_is_the_plugin_itself_is_told_as_such() -> None:
    write(
        "p/.codex-plugin/plugin.json", {"name": "p", "version": "1.0.0", "description": "d", "skills": "./"}
    )
    write("p/skills/a/SKILL.md", SKILL.format(name="a"))
    assert [text.partition(";")[0] for _, text in messages(lint())] == [
        "`skills` `./` is the plugin's own directory"
    ]


def test_paths_of_all_plugins_that_lack_the_same_beginning_are_one_finding() -> None:
    entries = [
        {"name": name, "source": f"./{name}", "skills": [f"skills/{name}", "extra"]}
        for name in ("a", "b", "c")
    ]
    top = {"name": "m", "owner": {"name": "o"}, "plugins": entries}
    write(".claude-plugin/marketplace.json", top)
    for name in ("a", "b", "c"):
        write(f"{name}/skills/{name}/SKILL.md", SKILL.format(name=name))
    found = [text.partition("; `claude-code`")[0] for _, text in messages(lint())]
    assert found == ["entry 1 of `skills`, `skills/a`, does not begin with `./` (and 5 more entries)"]


def test_a_path_without_its_beginning_that_is_elsewhere_is_corrected_whole() -> None:
    plugin = {"name": "p", "source": "./", "skills": ["forms"]}
    write(".claude-plugin/marketplace.json", {"name": "m", "owner": {"name": "o"}, "plugins": [plugin]})
    write("skills/forms/SKILL.md", SKILL.format(name="forms"))
    (told,) = [each for each in lint().diagnostics if each.rule == "invalid-manifest"]
    assert told.help == "write `./skills/forms`"


@pytest.mark.parametrize(
    ("wrong", "advice"),
    [
        ({"name": "Acme Tools"}, "write `acme-tools`"),
        ({"owner": "Ada <ada@shop.dev>"}, 'write `{"name": "Ada", "email": "ada@shop.dev"}`'),
        ({"owner": None}, "write an object"),
        (
            {"plugins": [{"name": "p", "source": "github:acme/tools"}]},
            'write `{"source": "github", "repo": "acme/tools"}`',
        ),
        (
            {"plugins": [{"name": "p", "source": "https://shop.dev/tools.git"}]},
            'write `{"source": "url", "url": "https://shop.dev/tools.git"}`',
        ),
    ],
)
def test_the_help_says_what_to_write(wrong: dict[str, object], advice: str) -> None:
    write(".claude-plugin/marketplace.json", {"name": "m", "owner": {"name": "o"}, "plugins": [], **wrong})
    write("skills/forms/SKILL.md", SKILL.format(name="forms"))
    assert [each.help for each in lint().diagnostics if each.rule == "invalid-manifest"] == [advice]


def test_a_missing_object_is_shown_with_its_shape() -> None:
    write(".claude-plugin/marketplace.json", {"name": "m", "plugins": []})
    write("skills/forms/SKILL.md", SKILL.format(name="forms"))
    (told,) = [each for each in lint().diagnostics if each.rule == "invalid-manifest"]
    assert told.help == 'add `"owner": {"name": "…"}`'


@pytest.mark.parametrize(("path", "found"), [("tools/forms", 0), ("tools/other", 1)])
def test_a_plugin_in_a_submodule_need_not_be_here(path: str, found: int) -> None:
    write(".gitmodules", f'[submodule "forms"]\n\tpath = {path}\n\turl = https://shop.dev/forms\n')
    Path(".git").mkdir()
    entry = {"name": "forms", "source": "./tools/forms/plugin"}
    write(".claude-plugin/marketplace.json", {"name": "m", "owner": {"name": "o"}, "plugins": [entry]})
    assert len([text for _, text in messages(lint()) if "does not exist" in text]) == found


CODEX = {"name": "p", "version": "1.0.0", "description": "d"}


@pytest.mark.parametrize(
    ("files", "advice"),
    [
        (["extra/a"], "write `./extra`"),
        (["skills/extra/a"], "write `./skills/extra`"),
        (
            ["other/a"],
            "write the path of a directory of the plugin, such as `./skills`; `extra` does not exist",
        ),
    ],
)
def test_a_path_without_its_beginning_is_corrected_to_what_is_there(files: list[str], advice: str) -> None:
    write("p/.codex-plugin/plugin.json", {**CODEX, "skills": "extra"})
    for file in files:
        write(f"p/{file}/SKILL.md", SKILL.format(name="a"))
    found = [each.help for each in lint().diagnostics if each.rule == "invalid-manifest"]
    assert found == [advice]


def test_paths_in_a_manifest_of_codex_take_the_place_of_the_default_directory() -> None:
    write("p/.codex-plugin/plugin.json", {**CODEX, "skills": "./made"})
    for top in ("skills", "made"):
        write(f"p/{top}/a/SKILL.md", SKILL.format(name="a") + f"Of {top}.\n")
    assert "name-collision" not in [each.rule for each in lint().diagnostics]


@pytest.mark.parametrize(
    ("file", "found"),
    [
        ("", 1),
        (".agents/plugins/codex-only.json", 0),
        (".claude-plugin/left-out.json", 0),
        ("left-out.json", 1),
        (".claude-plugin/package.json", 1),
        (".agents/plugins/marketplace.json", 1),  # of a client: a skill is forgotten in one of two lists
    ],
)
def test_a_skill_that_the_author_lists_elsewhere_is_not_forgotten(file: str, found: int) -> None:
    write(".claude-plugin/plugin.json", {"name": "p", "skills": ["./extra/a", "./extra/b"]})
    for name in "abc":
        write(f"extra/{name}/SKILL.md", SKILL.format(name=name))
    if file:
        write(file, {"scripts": {"c": "x"}} if "package" in file else {"skills": ["./extra/c"]})
    assert [each.rule for each in lint().diagnostics].count("unlisted-skill") == found

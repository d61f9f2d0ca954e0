"""Configuration files: which one counts, and what is refused, with file, key and a way out."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from skilltool.errors import ConfigError, UnknownNameError
from skilltool.findings.finding import Severity
from skilltool.lint import config, settings
from skilltool.lint.config import Config
from skilltool.rules import GROUP_OF


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_the_nearest_file_counts(repo: Path) -> None:
    write(repo / "skilltool.toml", 'fail-on = "info"\n')
    inner = write(repo / "a" / "b" / "skilltool.toml", 'fail-on = "warning"\n')
    assert config.find(repo / "a" / "b").path == inner
    assert config.find(repo / "a").path == repo / "skilltool.toml"


def test_the_search_ends_at_the_root_of_the_repository(repo: Path) -> None:
    write(repo.parent / "skilltool.toml", 'fail-on = "info"\n')
    assert config.find(repo) == Config()


def test_a_hidden_file_comes_first_then_a_visible_one_then_pyproject(repo: Path) -> None:
    """The order of ruff, whose users expect it: `.ruff.toml`, `ruff.toml`, `pyproject.toml`."""
    write(repo / "pyproject.toml", '[tool.skilltool]\nfail-on = "info"\n')
    write(repo / "skilltool.toml", 'fail-on = "warning"\n')
    hidden = write(repo / ".skilltool.toml", 'fail-on = "never"\n')
    assert config.find(repo) == Config({"fail-on": "never"}, hidden)
    hidden.unlink()
    assert config.find(repo).values == {"fail-on": "warning"}
    (repo / "skilltool.toml").unlink()
    assert config.find(repo).values == {"fail-on": "info"}


def test_a_hidden_file_that_is_named_is_read_as_one_of_ours(repo: Path) -> None:
    path = write(repo / ".skilltool.toml", 'fail-on = "never"\n')
    assert config.load(path).values == {"fail-on": "never"}


def test_a_pyproject_without_our_table_is_ignored(repo: Path) -> None:
    write(repo / "pyproject.toml", '[tool.skilltool]\nfail-on = "info"\n')
    write(repo / "a" / "pyproject.toml", "[tool.other]\n")
    assert config.find(repo / "a").values == {"fail-on": "info"}
    write(repo / "skilltool.toml", 'fail-on = "never"\n')
    assert config.find(repo / "a").values == {"fail-on": "never"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('runtime = ["portable"]', ["`runtime`", "must be a table", '["portable"]']),
        ("[runtime]\nkodelet = true", ["`runtime.kodelet` must be a table, not true"]),
        ('runtimess = ["portable"]', ["unknown key `runtimess`", "did you mean `runtimes` or `runtime`?"]),
        ("force_exclude = true", ["unknown key `force_exclude`", "`force-exclude`"]),
        ("zebra = 1", ["unknown key `zebra` (see `skilltool schema config`)"]),
        ("ignores = []", ["unknown key `ignores`; did you mean `ignore`?"]),
        ("[tool.skilltool]\nignore = ['body']", ["[tool.skilltool] is for pyproject.toml", "remove"]),
        ("[tool.skilltool.severity]\nbody = 'info'", ["[tool.skilltool] is for pyproject.toml"]),
        ("[tool.other]\nx = 1", ["unknown key `tool`"]),
        ('runtimes = "portable"', ["`runtimes`", "a list"]),
        ("allow-empty = 1", ["`allow-empty`", "true or false"]),
        ('fail-on = "warn"', ["`fail-on`", '"warning"']),
        ('output-format = "xml"', ["`output-format`", '"json"']),
        ("runtimes = [1]", ["`runtimes`, entry 1, must be a string, not 1"]),
        ("runtimes = []", ["`runtimes` must not be empty"]),
        ("a = [1 2]", [":1:8: invalid TOML: unclosed array"]),
        ("# é\nignore = ['body'", [":2:17: invalid TOML: unclosed array"]),
        ("fail-on = ", [":1:11: invalid TOML: invalid value"]),
        ('x = """\n\na', [":3:2: invalid TOML: "]),
        (f"a = {'[' * 5000}", ["nested too deeply"]),
    ],
)
def test_what_is_not_known_is_refused_with_file_key_and_a_way_out(
    repo: Path, text: str, words: list[str]
) -> None:
    path = write(repo / "skilltool.toml", f"{text}\n")
    with pytest.raises(ConfigError) as error:
        config.find(repo)
    for word in [str(path), *words]:
        assert word in str(error.value)


def test_a_file_that_is_no_text_is_refused(repo: Path) -> None:
    (repo / "skilltool.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="not UTF-8"):
        config.find(repo)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to(path)])
def test_what_is_no_file_is_no_configuration(repo: Path, make: Callable[[Path], None]) -> None:
    make(repo / "skilltool.toml")  # reading a pipe would wait for ever
    path = write(repo / "pyproject.toml", '[tool.skilltool]\nfail-on = "info"\n')
    assert config.find(repo).path == path


@pytest.mark.parametrize("text", ["[tool]\nskilltool = 3\n", "[[tool.skilltool]]\nignore = []\n"])
def test_a_table_of_ours_that_is_none_is_refused(repo: Path, text: str) -> None:
    path = write(repo / "pyproject.toml", text)
    with pytest.raises(ConfigError) as error:
        config.find(repo)
    assert str(error.value) == f"{path} [tool.skilltool]: must be a table of keys and values"


def test_an_empty_table_of_ours_ends_the_search(repo: Path) -> None:
    write(repo / "skilltool.toml", 'fail-on = "info"\n')
    path = write(repo / "a" / "pyproject.toml", "[tool.skilltool]\n")
    assert config.find(repo / "a") == Config({}, path)


def test_a_named_file_must_be_there_and_have_our_table(repo: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        config.load(repo / "nothing.toml")
    path = write(repo / "pyproject.toml", "[tool.other]\n")
    with pytest.raises(ConfigError, match=r"missing table \[tool.skilltool\]"):
        config.load(path)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"runtimes": ["portabel"]}, ["runtime `portabel`", "`portable`"]),
        ({"ignore": ["brokenlink"]}, ["`brokenlink`", "`broken-link`"]),
        ({"select": ["boddy"]}, ["`boddy`", "`body`"]),
    ],
)
def test_a_name_in_the_file_that_does_not_exist_is_refused(
    values: dict[str, list[str]], words: list[str]
) -> None:
    with pytest.raises(ConfigError) as error:
        settings.resolve(Config(values, Path("/x/skilltool.toml")), {})
    for word in ["/x/skilltool.toml", next(iter(values)), *words]:
        assert word in str(error.value)


def test_a_name_on_the_command_line_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean `agentskills`"):
        settings.resolve(Config(), {"runtimes": ("agent-skills",)})


def test_the_command_line_replaces_what_the_file_says_and_adds_to_lists_that_add() -> None:
    file = Config(
        {"runtimes": ["agentskills"], "fail-on": "info", "exclude": ["a"], "ignore": ["body"]},
        Path("/x/skilltool.toml"),
    )
    chosen = settings.resolve(file, {"fail-on": "never", "exclude": ("b",), "extend-select": ("pedantic",)})
    assert chosen.runtimes == ("agentskills",)
    assert chosen.fail_on is None
    assert chosen.exclude == ("a", "b")
    assert "broken-link" not in chosen.rules
    assert "vague-description" in chosen.rules


def test_defaults_run_every_rule_that_is_not_opt_in() -> None:
    chosen = settings.resolve(Config(), {})
    assert chosen.runtimes == ("auto",)
    assert chosen.fail_on is Severity.ERROR
    assert "broken-link" in chosen.rules
    assert "vague-description" not in chosen.rules
    assert set(settings.resolve(Config(), {"select": ("all",)}).rules) > set(chosen.rules)
    body = settings.resolve(Config(), {"select": ("body",), "ignore": ("broken-link",)}).rules
    assert {GROUP_OF[rule] for rule in body} == {"body"}
    assert "empty-body" in body
    assert "broken-link" not in body


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"#{'a' * (1 << 20)}", ": larger than 1 MiB; name another file with --config"),
        (f"# one\n{'a.' * 200_000}a = 1\n", ":2: key is nested too deeply; name another file with --config"),
        (f"a = {{{'b.' * 200_000}b = 1}}\n", ":1: key is nested too deeply; name another file with --config"),
        (f"[{'a.' * 200_000}a]\n", ":1: key is nested too deeply; name another file with --config"),
        (
            "exclude = [" + '"a",' * 100_000 + "]",
            ": `exclude` has 100,000 entries, but at most 1,000 are allowed",
        ),
        (
            "exclude = [" + "1," * 100_000 + "]",
            ": `exclude` has 100,000 entries, but at most 1,000 are allowed",
        ),
        (
            "[per-file-ignores]\n" + "".join(f"a{number} = []\n" for number in range(1_001)),
            ": `per-file-ignores` has 1,001 keys, but at most 1,000 are allowed",
        ),
    ],
)
def test_a_file_made_to_hurt_is_refused_with_a_way_out(repo: Path, text: str, message: str) -> None:
    file = write(repo / "skilltool.toml", text)
    with pytest.raises(ConfigError) as refused:
        config.find(repo)
    assert str(refused.value).startswith(f"{file}{message}")


def test_a_long_value_is_not_printed_whole(repo: Path) -> None:
    write(repo / "skilltool.toml", "fail-on = '" + "a" * 10_000 + "'\n")
    with pytest.raises(ConfigError) as refused:
        config.find(repo)
    assert len(str(refused.value)) < 1_000

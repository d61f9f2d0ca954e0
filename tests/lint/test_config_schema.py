"""The schema of our configuration has every key that is read, no other, and a text for each."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from skilltool import runtimes
from skilltool.errors import ConfigError
from skilltool.findings.finding import Severity
from skilltool.lint import config, settings
from skilltool.lint.config import Config
from skilltool.report import FORMATS
from skilltool.skill import schema
from tests.conftest import Skilltool

SCHEMA = schema.load("config")
TABLES = SCHEMA["properties"]["runtime"]["properties"]
# A value of each key that is not its default.
OTHER: dict[str, Any] = {
    "runtimes": ["kodelet"],
    "select": ["broken-link"],
    "extend-select": ["pedantic"],
    "ignore": ["broken-link"],
    "exclude": ["drafts"],
    "force-exclude": True,
    "respect-gitignore": False,
    "allow-empty": True,
    "fail-on": "info",
    "per-path-runtimes": {"**": ["kodelet"]},
    "per-file-ignores": {"drafts": ["broken-link"]},
    "severity": {"broken-link": "error"},
    "baseline": "baseline.json",
    "max-lines": 300,
    "max-tokens": 8000,
    "name-source": "frontmatter",
    "output-format": "concise",
}


@pytest.mark.together
@pytest.mark.parametrize("key", OTHER)
def test_every_key_changes_a_run(key: str, tmp_path: Path) -> None:
    file = tmp_path / "skilltool.toml"
    before = settings.resolve(Config({}, file), {})
    after = settings.resolve(Config({key: OTHER[key]}, file), {})
    assert [name for name in before._fields if getattr(before, name) != getattr(after, name)]
    default = SCHEMA["properties"][key].get("default")
    if default is not None:
        assert settings.resolve(Config({key: default}, file), {}) == before


def test_the_schema_has_these_keys_and_the_values_that_are_read() -> None:
    properties = SCHEMA["properties"]
    assert set(properties) == {*OTHER, "runtime"}
    assert tuple(properties["output-format"]["enum"]) == FORMATS
    levels = [str(severity) for severity in reversed(Severity)]
    assert properties["severity"]["additionalProperties"]["enum"] == levels
    assert properties["fail-on"]["enum"] == [*levels, "never"]
    Draft202012Validator(SCHEMA).validate(OTHER)


@pytest.mark.together
@pytest.mark.parametrize("name", runtimes.IDS)
def test_every_setting_of_a_runtime_has_its_key_and_its_text(name: str) -> None:
    known = runtimes.get(name).settings
    for table in filter(None, (TABLES.get(name), TABLES.get(name.partition("@")[0]))):
        for key, setting in known.items():
            for spelling in (key, *setting.aliases):
                assert table["properties"][spelling]["title"] == key
                assert table["properties"][spelling]["description"].endswith(".")
                Draft202012Validator(table).validate({spelling: setting.default})
    assert bool(known) == (name in TABLES)
    if known:
        spellings = {each for key, setting in known.items() for each in (key, *setting.aliases)}
        exact = set(TABLES[name]["properties"])
        assert exact == spellings if "@" in name else exact >= spellings


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[runtime.kodlet]\nenabled = true", "unknown [runtime] key `kodlet`; did you mean `kodelet`?"),
        (
            "[runtime.kodelet]\nenabld = true",
            "unknown [runtime.kodelet] key `enabld`; did you mean `enabled`?",
        ),
        ("[runtime.agent]\nmax_skills = 'x'", '`runtime.agent.max_skills` must be an integer, not "x"'),
    ],
)
def test_a_wrong_table_of_a_runtime_is_an_error(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "skilltool.toml").write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=f": {re.escape(said)}"):
        config.load(tmp_path / "skilltool.toml")


def test_a_table_without_an_edition_holds_for_all_editions(skilltool: Skilltool, repo: Path) -> None:
    (repo / "skilltool.toml").write_text("[runtime.agent-base]\nmax_skills = 1\n", "utf-8")
    assert skilltool("resolve", "--runtime", "agent-base@0.3.2", "--home", repo).returncode == 0


def test_the_command_prints_the_schema(skilltool: Skilltool) -> None:
    assert json.loads(skilltool("schema", "config").stdout) == SCHEMA

"""A message names the runtimes whose demand a skill breaks, not the common ground that repeats it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from skilltool.findings.finding import Severity
from skilltool.lint.check import check_directory
from skilltool.lint.config import Config
from skilltool.lint.settings import resolve
from skilltool.runtimes import BARE, IDS, get
from skilltool.runtimes.values import LoadedSkill, Refused
from skilltool.skill import schema
from skilltool.skill.model import load_skill

_COUNT = re.compile(r"; \d+ of \d+ runtimes accepts? .*")
NAME, DESCRIPTION = "name: pdf-tools\n", "description: Fills in PDF forms.\n"


def messages(tmp_path: Path, head: str, rule: str, *targets: str) -> list[str]:
    """Return what lint reports of a skill with this frontmatter, by one rule, for these runtimes."""
    directory = tmp_path / "pdf-tools"
    directory.mkdir(exist_ok=True)
    (directory / "SKILL.md").write_text(f"---\n{head}---\n\nRead the fields.\n", "utf-8")
    settings = resolve(Config(), {"select": [rule], "runtimes": list(targets)})
    return [each.message for each in check_directory(directory, settings).diagnostics]


@pytest.mark.parametrize(
    ("head", "rule", "targets", "message"),
    [
        (
            f"name: Pdf_Tools\n{DESCRIPTION}",
            "invalid-name",
            ("portable",),
            "name `Pdf_Tools` is not lowercase words joined by hyphens; "
            "`agent`, `mycodeagent` and `agentskills` do not allow it",
        ),
        (
            f"name: PdfTools\n{DESCRIPTION}",
            "invalid-name",
            ("portable",),
            "name `PdfTools` is not lowercase words joined by hyphens; "
            "`mycodeagent` and `agentskills` do not allow it",
        ),
        (
            f'{NAME}{DESCRIPTION}version: "1.0"\n',
            "invalid-version",
            ("portable",),
            "version `1.0` is not a semantic version; `agent` documents semantic versions",
        ),
        (NAME, "missing-field", ("kodelet",), "field `description` is missing; `kodelet` requires it"),
        (
            NAME,
            "missing-field",
            ("kodelet", "nfa"),
            "field `description` is missing; `kodelet` and `nfa` require it",
        ),
        (
            f"{NAME}{DESCRIPTION}version: 1.0\n",
            "wrong-type",
            ("portable",),
            "`version` is the number `1.0`; `agent` expects a string",
        ),
        (
            f"{NAME}{DESCRIPTION}brief_description: [a]\n",
            "wrong-type",
            ("portable",),
            "`brief_description` is a list; `agent` expects a string",
        ),
        (
            f"{NAME}{DESCRIPTION}toolsets: [x]\n",
            "invalid-toolset",
            ("portable",),
            "invalid toolset `x`; `agent` expects `path:Class`",
        ),
        (
            f"{NAME}{DESCRIPTION}tags: [a]\n",
            "unknown-field",
            ("kodelet", "nfa"),
            "unknown field `tags`; `kodelet` and `nfa` have no such field",
        ),
        (
            f"{NAME}{DESCRIPTION}allowed-tools: [a]\n",
            "tool-list-format",
            ("portable", "kodelet"),
            "`allowed-tools` is a list; `agentskills` expects a space-separated string",
        ),
    ],
)
def test_a_message_names_whose_demand_is_broken(
    head: str, rule: str, targets: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    assert [_COUNT.sub("", each) for each in messages(tmp_path, head, rule, *targets)] == [message]


@pytest.mark.parametrize(
    ("head", "rule"),
    [
        (f"name: Pdf_Tools\n{DESCRIPTION}", "invalid-name"),
        (f"name: pdf-tools\ndescription: {'x' * 600}\n", "long-description"),
        (f"name: pdf-tools\ndescription: {'x' * 2000}\n", "long-description"),
        (NAME, "missing-field"),
        (f"{NAME}description: 12\n", "wrong-type"),
        (f"{NAME}{DESCRIPTION}allowed-tools: [a]\n", "tool-list-format"),
    ],
)
def test_a_common_ground_says_how_many_runtimes_load_the_skill(head: str, rule: str, tmp_path: Path) -> None:
    (message,) = messages(tmp_path, head, rule, "portable")
    loads = [load for name in BARE if (load := get(name).load) is not None]
    loading = sum(isinstance(load(tmp_path / "pdf-tools"), LoadedSkill) for load in loads)
    assert f"; {loading} of {len(BARE)} runtimes accept{'s' if loading == 1 else ''} " in f"{message} "


def test_every_runtime_that_is_named_has_the_violation_itself(tmp_path: Path) -> None:
    (message,) = messages(tmp_path, f"name: Pdf_Tools\n{DESCRIPTION}", "invalid-name", "portable")
    frontmatter = load_skill(tmp_path / "pdf-tools").frontmatter
    for name in get("portable").limits_of:
        broken = {each.path for each in schema.violations(frontmatter, get(name).schema)}
        assert (f"`{name}`" in message) == (("name",) in broken), name


def test_a_portable_skill_that_a_runtime_rejects_names_that_runtime(tmp_path: Path) -> None:
    found = messages(tmp_path, f'"name": pdf-tools\n{DESCRIPTION}', "not-loaded", "portable")
    counted = f"{len(BARE) - 1} of {len(BARE)} runtimes load it"
    reason = "`name` is missing or not lowercase words joined by hyphens"
    assert found == [
        f"`mycodeagent` does not load this skill, although it satisfies `portable` ({counted}): {reason}"
    ]


def test_a_portable_skill_that_a_client_does_not_load_is_a_warning(tmp_path: Path) -> None:
    directory = tmp_path / "pdf-tools"
    directory.mkdir()
    (directory / "skill.md").write_text(f"---\n{NAME}{DESCRIPTION}---\n\nRead the fields.\n", "utf-8")
    settings = resolve(Config(), {"select": ["not-loaded"], "runtimes": ["portable"]})
    (found,) = check_directory(directory, settings).diagnostics
    assert found.severity is Severity.WARNING
    assert found.message.startswith("`claude-code`, ")


@pytest.mark.together
@pytest.mark.parametrize("version", ['"1.0"', "v2", '"2026-11"'])
@pytest.mark.parametrize("target", IDS)
def test_a_version_is_more_than_info_only_where_it_is_refused(
    target: str, version: str, tmp_path: Path
) -> None:
    directory = tmp_path / "pdf-tools"
    directory.mkdir()
    text = f"---\n{NAME}{DESCRIPTION}version: {version}\n---\n\nRead the fields.\n"
    (directory / "SKILL.md").write_text(text, "utf-8")
    settings = resolve(Config(), {"select": ["invalid-version"], "runtimes": [target]})
    load = get(target).load
    refused = load is not None and isinstance(load(directory), Refused)
    worst = max((each.severity for each in check_directory(directory, settings).diagnostics), default=None)
    assert refused or worst in {None, Severity.INFO}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("version", "found"),
    [
        ('"1.0"', True),
        ("v1.2.3", True),
        ("latest", True),
        ('"1.02.3"', True),
        ('"1.2.3\\n"', True),
        ("1.2.3", False),
        ("1.2.3-beta.1+7", False),
        ('"10.20.30"', False),
    ],
)
def test_a_version_is_checked_where_a_document_asks_for_a_semantic_one(
    version: str, found: bool, tmp_path: Path
) -> None:
    directory = tmp_path / "pdf-tools"
    directory.mkdir()
    text = f"---\n{NAME}{DESCRIPTION}version: {version}\n---\n\nRead the fields.\n"
    (directory / "SKILL.md").write_text(text, "utf-8")
    reporting = {"agent", "portable"} if found else set()
    for target in IDS:
        settings = resolve(Config(), {"select": ["invalid-version"], "runtimes": [target]})
        diagnostics = check_directory(directory, settings).diagnostics
        assert bool(diagnostics) == (target in reporting), target
    load = get("agent").load
    assert load is not None
    assert isinstance(load(directory), LoadedSkill)

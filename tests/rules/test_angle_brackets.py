"""Whoever is warned about `<...>` in a description has a client that does not show it."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.findings.finding import Severity
from skilltool.rules.frontmatter import angle_bracket_description
from skilltool.rules.runtime import different_text
from skilltool.skill.model import load_skill
from tests.conftest import MakeSkill
from tests.support.roots import own_root


@pytest.mark.together
@pytest.mark.parametrize("name", [each for each in runtimes.IDS if not runtimes.get(each).any_roots])
def test_only_a_runtime_that_shows_the_text_is_silent(
    name: str, tmp_path: Path, make_skill: MakeSkill
) -> None:
    text = "---\nname: forms\ndescription: Fills in <form> fields.\n---\n\nRead the fields.\n"
    make_skill(tmp_path / "root" / "forms", text)
    target = runtimes.get(name)
    found = list(angle_bracket_description.check(load_skill(tmp_path / "root" / "forms"), target))
    assert bool(found) == target.specification
    if not found:
        root = own_root(target)
        assert root is not None
        roots = {root.role: tmp_path / "root"}
        session = target.open(tmp_path, tmp_path / "home", {}, roots)
        assert "forms" in [skill.name for skill in session.skills]
        listing = unescape(session.catalog() or "")
        skill = load_skill(tmp_path / "root" / "forms")
        told = list(different_text.check(skill, target))  # of a client whose loader is known to delete it
        assert all(finding.help and "angle brackets" in finding.help for finding in told)
        assert told or "<form>" in listing or "Fills" not in listing


@pytest.mark.parametrize(
    ("readme", "severity"),
    [
        ("For GitHub Copilot and others.", None),
        ("Works in VS Code.", None),
        ("Upload it to claude.ai.", None),
        ("Install with `npx skills add acme/forms`.", None),
        ("Works with any agent.", None),
        ("For Claude Code and Codex.", Severity.INFO),
        (None, Severity.INFO),
    ],
)
def test_who_writes_for_neither_client_has_a_note(
    repo: Path, make_skill: MakeSkill, readme: str | None, severity: Severity | None
) -> None:
    if readme is not None:
        (repo / "README.md").write_text(f"# Forms\n\n{readme}\n", "utf-8")
    text = "---\nname: forms\ndescription: Fills in <form> fields.\n---\n\nRead the fields.\n"
    make_skill(repo / "skills" / "forms", text)
    (finding,) = angle_bracket_description.check(
        load_skill(repo / "skills" / "forms"), runtimes.get("portable")
    )
    assert finding.severity is severity


@pytest.mark.parametrize(("value", "severity"), [("true", Severity.INFO), ("false", None)])
def test_a_description_that_no_model_reads_is_a_note(
    tmp_path: Path, make_skill: MakeSkill, value: str, severity: Severity | None
) -> None:
    head = f"---\nname: forms\ndescription: Fills in <form>.\ndisable-model-invocation: {value}\n---\n"
    make_skill(tmp_path / "forms", f"{head}\nRead the fields.\n")
    (tmp_path / "README.md").write_text("Works in VS Code.\n", "utf-8")
    (finding,) = angle_bracket_description.check(load_skill(tmp_path / "forms"), runtimes.get("portable"))
    assert finding.severity is severity


@pytest.mark.parametrize(
    ("words", "severity"),
    [
        ("Uses Span<T> and more.", Severity.INFO),
        ("Uses Span<T> and <form>.", None),
        ("Uses List<Form> a lot.", None),
        ("Fills in <F> fields.", None),
    ],
)
def test_the_argument_of_a_type_is_a_note(
    repo: Path, make_skill: MakeSkill, words: str, severity: Severity | None
) -> None:
    (repo / "README.md").write_text("Works with any agent.\n", "utf-8")
    make_skill(
        repo / "skills" / "forms", f"---\nname: forms\ndescription: {words}\n---\n\nRead the fields.\n"
    )
    skill = load_skill(repo / "skills" / "forms")
    (finding,) = angle_bracket_description.check(skill, runtimes.get("portable"))
    assert finding.severity is severity


@pytest.mark.parametrize(
    ("description", "readme", "severity"),
    [
        ("Fills in <form> files.", "For VS Code.", None),
        ("Uses `<script setup>`.", "For VS Code.", None),
        ("Runs `/forms <name>`.", "For VS Code.", Severity.INFO),  # what is left says as much
        ("Runs `/forms <form-name> <form>`.", "For VS Code.", None),
        ("Runs `/forms <name>`.", "For claude.ai.", None),  # which rejects it
        ("Fills in <form> files.", "For Claude Code.", Severity.INFO),
    ],
)
def test_a_slot_for_what_a_user_writes_is_a_note(
    description: str, readme: str, severity: Severity | None, tmp_path: Path, make_skill: MakeSkill
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "README.md").write_text(readme, "utf-8")
    make_skill(
        tmp_path / "forms", f"---\nname: forms\ndescription: '{description}'\n---\n\nRead the fields.\n"
    )
    (found,) = angle_bracket_description.check(load_skill(tmp_path / "forms"), runtimes.get("portable"))
    assert found.severity is severity

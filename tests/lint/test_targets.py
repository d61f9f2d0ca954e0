"""lint and the runtimes cannot disagree: an error stands exactly where a skill does not load."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.findings.finding import Severity
from skilltool.lint import check, settings
from skilltool.lint.config import Config
from skilltool.lint.run import check_skills
from skilltool.runtimes.values import LoadedSkill
from tests.judges.one_answer import refuses

HERE = Path(__file__).parents[1]
FIXTURES = [HERE / "goldens" / "fixtures", HERE / "goldens-public" / "fixtures"]
SKILLS = sorted({file.parent for top in FIXTURES for file in top.rglob("SKILL.md")})
RUNTIMES = [r.id for r in map(runtimes.get, runtimes.IDS) if r.load and not r.specification]


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("runtime_id", RUNTIMES)
def test_an_error_about_loading_stands_exactly_where_the_runtime_refuses(runtime_id: str) -> None:
    target = runtimes.get(runtime_id)
    assert target.load is not None
    chosen = settings.resolve(Config(), {"runtimes": [target.id]})
    disagreements = []
    for skill in SKILLS:
        checked = check.check_directory(skill, chosen)
        if isinstance(target.load(skill), LoadedSkill) == refuses(checked, target):
            disagreements.append((skill.name, [d.rule for d in checked.diagnostics]))
    assert disagreements == []


CLEAN = tuple(sorted(path.parent for path in (HERE.parent / "examples").glob("*/SKILL.md")))


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("runtime_id", runtimes.IDS)
def test_every_target_checks_the_examples(runtime_id: str) -> None:
    chosen = settings.resolve(Config(), {"runtimes": [runtime_id]})
    result = check_skills(chosen._replace(paths=CLEAN))
    assert result.problems == ()
    assert [d for d in result.diagnostics if d.severity is Severity.ERROR] == []


def test_all_stands_for_the_runtimes_without_their_editions() -> None:
    chosen = settings.resolve(Config(), {"runtimes": ["all"]})
    assert "agentskills" in chosen.runtimes
    assert "kodelet" in chosen.runtimes
    assert "portable" not in chosen.runtimes
    assert not any("@" in name for name in chosen.runtimes)


@pytest.mark.parametrize(
    ("key", "is_slip"),
    [
        *(("metdata", True), ("Version", True), ("licence", True), ("default-Enabled", True)),
        *(("tools", False), ("x", False), ("trigger", False), ("script", False)),
    ],
)
def test_an_unknown_field_is_a_warning_only_where_it_is_a_slip(
    tmp_path: Path, key: str, is_slip: bool
) -> None:
    text = f"---\nname: a\ndescription: Fills in. Use when asked.\n{key}: y\n---\n\nText.\n"
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "SKILL.md").write_text(text, "utf-8")
    chosen = settings.resolve(Config(), {"runtimes": ["agent"], "select": ["unknown-field"]})
    (found,) = check.check_directory(tmp_path / "a", chosen).diagnostics
    assert found.severity is (Severity.WARNING if is_slip else Severity.INFO)

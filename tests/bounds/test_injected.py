"""A defect of ours, put into each rule, fix, runtime and format in turn, harms nothing beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from skilltool import report, rules, runtimes
from skilltool.bounds.budget import InternalReason
from skilltool.bounds.pool import WorkerPool
from skilltool.cli.sessions import SessionOptions, session_opener
from skilltool.explain import compare
from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Edit, Fix
from skilltool.fix.plan import plan
from skilltool.lint import settings
from skilltool.lint.config import Config
from skilltool.lint.result import Report
from skilltool.lint.run import check_skills
from skilltool.packages.registration import Setup
from skilltool.runtimes.base import Runtime
from tests.conftest import Skilltool
from tests.support import failing
from tests.support.rule_examples import Example, examples

pytestmark = pytest.mark.slow

EXAMPLES = {example.rule: example for example in examples() if example.bad}
FUNCTIONS = {
    **dict.fromkeys(rules.RULES, "check"),
    **dict.fromkeys(rules.COLLECTION_RULES, "check_all"),
    **dict.fromkeys(rules.PACKAGE_RULES, "check_manifest"),
}
# Fixes that cannot be applied; the last is no fix at all.
IMPOSSIBLE = [Fix(True, (Edit(0, 1, None),)), Fix(True, (Edit(None, None, ""),)), Fix(True, (None,)), 7]  # type: ignore[arg-type]
NEIGHBOUR = "---\r\nname: neighbour\r\ndescription: Fills in forms. Use it for forms.\r\n---\r\n\r\nRead.\r\n"


def fail(*_arguments: Any, **_options: Any) -> Any:
    raise ValueError("made up")


def failing_at(runtime: Runtime, function: str) -> Runtime:
    changed: dict[str, Any] = {function: fail}
    return runtime._replace(**changed)


def resolved(paths: Path, *names: str) -> settings.Settings:
    options = {"runtimes": list(names), "paths": [paths], "select": ["all"], "jobs": 1}
    return settings.resolve(Config(), options)


def linted(top: Path, example: Example) -> Report:
    return check_skills(resolved(top, example.runtime))


def facts(found: Report) -> set[tuple[Any, ...]]:
    """Return what was found, without the severities: the rule that fails may have eased them."""
    return {(each.path, each.rule, each.location, each.message) for each in found.diagnostics}


def is_defect(diagnostic: Diagnostic) -> bool:
    return diagnostic.rule == "internal-error"


def beside_a_neighbour(example: Example, top: Path) -> tuple[Path, Path]:
    """Lay out an example beside another skill, which can be fixed, and return where both are."""
    example.lay(top)
    neighbour = top / "neighbour" / "SKILL.md"
    neighbour.parent.mkdir()
    neighbour.write_text(NEIGHBOUR, "utf-8", newline="")
    return top, neighbour


@pytest.mark.together
@pytest.mark.parametrize("rule", FUNCTIONS)
def test_all_other_rules_find_what_they_found(
    rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = EXAMPLES[rule]
    top, _ = beside_a_neighbour(example, tmp_path)
    monkeypatch.chdir(top)
    before = linted(top, example)
    if not any(each.rule == rule for each in before.diagnostics):
        pytest.skip("another rule, or the neighbour, explains what this one finds")
    monkeypatch.setattr(rules._module(rule), FUNCTIONS[rule], fail)
    after = linted(top, example)
    told = [each.message for each in after.diagnostics if is_defect(each)] + list(after.problems)
    assert told
    assert all(f"rule `{rule}`" in each and "ValueError: made up" in each for each in told)
    assert {fact for fact in facts(before) if fact[1] != rule} <= facts(after)
    assert not any(each.rule == rule for each in after.diagnostics)


def fixable() -> list[str]:
    """Return the rules about one skill that offer fixes."""
    modules = ((rule, Path(str(rules._module(rule).__file__))) for rule in rules.RULES)
    return [rule for rule, module in modules if "Fix(" in module.read_text("utf-8")]


@pytest.mark.together
@pytest.mark.parametrize("fix", IMPOSSIBLE, ids=str)
@pytest.mark.parametrize("rule", fixable())
def test_a_fix_that_fails_leaves_its_skill_and_no_other(
    rule: str, fix: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top, neighbour = beside_a_neighbour(EXAMPLES[rule], tmp_path)
    monkeypatch.chdir(top)
    module = rules._module(rule)

    def found(skill: Any, target: Runtime, whole: Any = module.check) -> Iterator[Any]:
        for finding in whole(skill, target):
            yield finding if skill.name == "neighbour" else finding._replace(fix=fix)

    monkeypatch.setattr(module, "check", found)
    planned = plan(resolved(top, EXAMPLES[rule].runtime), unsafe=True)
    assert not planned.problems
    assert neighbour.parent.relative_to(top) in {edit.directory.relative_to(top) for edit in planned.changes}
    for directory, reason in planned.given_up.items():
        assert isinstance(reason, InternalReason)
        assert directory != neighbour.parent
        assert not [edit for edit in planned.edits if edit.directory == directory]


@pytest.mark.together
@pytest.mark.parametrize("function", ["load", "parse"])
@pytest.mark.parametrize("name", runtimes.IDS)
def test_lint_asks_the_other_runtimes(
    name: str, function: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top, _ = beside_a_neighbour(EXAMPLES["unknown-field"], tmp_path)
    monkeypatch.chdir(top)
    other = "pi" if name.startswith("codex") else "codex"
    before = check_skills(resolved(top, other))
    whole = runtimes.get
    broken = failing_at(whole(name), function)
    monkeypatch.setattr(runtimes, "get", lambda each: broken if each == name else whole(each))
    after = check_skills(resolved(top, name, other))
    assert {(each.path, each.rule) for each in before.diagnostics} <= {
        (each.path, each.rule) for each in after.diagnostics
    }
    assert all(f"`{name}`" in each.message for each in after.diagnostics if is_defect(each))


ASKED = ("scan", "load", "parse", "catalog", "prompt", "call", "summary")


@pytest.mark.together
@pytest.mark.parametrize(
    ("name", "function"),
    [
        (name, each)
        for name in runtimes.IDS
        for each in ASKED
        if getattr(runtimes.get(name), each) is not None
    ],
)
def test_one_runtime_fails_for_itself(name: str, function: str, tmp_path: Path) -> None:
    runtime = runtimes.get(name)
    (tmp_path / "pdf").mkdir()
    (tmp_path / "pdf" / "SKILL.md").write_text(NEIGHBOUR.replace("neighbour", "pdf"), "utf-8")
    role = "root 1" if runtime.any_roots else runtime.roots[0].role if runtime.roots else ""
    opened = session_opener(SessionOptions(tmp_path, tmp_path))
    session = opened(failing_at(runtime, function), Setup(roots={role: tmp_path} if role else {}))
    told = []
    for part in (None, "catalog", "prompt", "tool"):
        shown = compare.shown_in(session, None if part else "pdf", part, None)
        assert shown.gives_text or shown.problem
        told.append(shown.problem or "")
    if function == "scan":
        assert isinstance(session.failure, InternalReason)
        assert "ValueError: made up" in told[0] or "--runtime" in told[0]
        assert not any("Error" in each and "made up" not in each for each in told)


@pytest.mark.together
@pytest.mark.parametrize("name", report.FORMATS)
def test_a_format_that_fails_is_one_line(
    name: str, tmp_path: Path, skilltool: Skilltool, monkeypatch: pytest.MonkeyPatch
) -> None:
    top, _ = beside_a_neighbour(EXAMPLES["broken-link"], tmp_path)
    program = f"""
    from skilltool.report import {name}
    def render(*arguments):
        raise ValueError("made up")
    {name}.render = render
    """
    broken = failing.environment(tmp_path / "hook", program)
    done = skilltool("lint", str(top), "--output-format", name, **broken)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "internal error" in done.stderr
    written = skilltool("lint", str(top), "--output-format", name, "-o", str(tmp_path / "out"), **broken)
    assert written.returncode == 2
    assert not (tmp_path / "out").exists()


class UnkindError(Exception):
    """An exception that would do something where it is read."""

    def __reduce__(self) -> Any:
        return os._exit, (9,)


def raises(kind: str) -> None:
    if kind == "unkind":
        raise UnkindError("made up")
    raise ValueError(lambda: "cannot be sent")


@pytest.mark.parametrize("kind", ["unkind", "closure"])
def test_an_exception_comes_from_a_process_in_words(tmp_path: Path, kind: str) -> None:
    from skilltool.bounds.budget import InternalError

    with WorkerPool() as pool:
        with pytest.raises(InternalError, match="internal error"):
            pool.call(tmp_path / "one", raises, kind)
        assert pool.call(tmp_path / "two", len, "four") == 4

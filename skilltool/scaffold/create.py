"""Creates a skill: renders its template, lints the result, and moves it into place if it has no error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import gettempdir

from skilltool.bounds.budget import OverBudgetError
from skilltool.bounds.pool import Crew
from skilltool.errors import SkilltoolError
from skilltool.findings.finding import Severity
from skilltool.lint.check import check_directory
from skilltool.lint.config import Config
from skilltool.lint.settings import Settings, resolve
from skilltool.report import Report
from skilltool.rules.frontmatter import placeholder_description
from skilltool.rules.pedantic import leftover_placeholder
from skilltool.rules.records import CheckedSkill
from skilltool.runtimes.base import Runtime
from skilltool.scaffold.answers import check_answers
from skilltool.scaffold.bounded_rendering import render, resolve_options, resolve_variables
from skilltool.scaffold.install import ensure_free, install, staging_directory
from skilltool.scaffold.questions import as_text
from skilltool.scaffold.templates import Template
from skilltool.skill.skill_file import FILE_NAME

# What a template leaves to be written: in the description, and in the pages.
_PLACEHOLDER_RULES = (placeholder_description.ID, leftover_placeholder.ID)


@dataclass(frozen=True, slots=True)
class SkillRequest:
    """What to create: a template with answers (`name` among them), for a runtime, in the directory `root`.

    `force` allows replacing a skill that exists, `trust` rendering outside the sandbox.
    """

    template: Template
    answers: Mapping[str, str]
    runtime: Runtime
    root: Path
    force: bool = False
    trust: bool = False

    @property
    def options(self) -> dict[str, list[str]]:
        """The options of the closed questions, given the answers so far."""
        known = {key: value for key, value in self.answers.items() if key in self.template.questions}
        return resolve_options(self.template, known, self.trust)


@dataclass(frozen=True, slots=True)
class NewSkill:
    """The result: the skill's directory, its files with their sizes in bytes, and lint's report.

    `loads` is False if an error kept the skill from being installed; `installed` is also False in a dry run.
    A template may leave text to write, which is not in the report: `has_todo_description`, a description that
    `placeholder-description` finds, and `has_slots`, what `leftover-placeholder` finds in the pages.
    """

    directory: Path
    files: dict[str, int]
    report: Report
    loads: bool
    installed: bool
    has_todo_description: bool = False
    has_slots: bool = False


def check_request(request: SkillRequest) -> None:
    """Raise `SkilltoolError` for an answer that is not valid, and for a skill that exists already."""
    check_answers(request.template, request.answers, request.options, request.runtime)
    if "name" in request.answers:
        ensure_free(request.root / request.answers["name"], request.force)


def default_answer(request: SkillRequest, question: str) -> str:
    """Return the default of a question, which may depend on the answers given so far."""
    return as_text(resolve_variables(request.template, request.answers, request.trust)[question])


def create_skill(request: SkillRequest, dry_run: bool = False) -> NewSkill:
    """Render a skill next to its destination, lint it for the runtime and, without errors, move it there.

    With `dry_run` it is rendered in the system's temporary directory and not moved. Raises `SkilltoolError`
    for invalid answers, a template that cannot be rendered, and a skill that exists already.
    """
    check_request(request)
    variables = resolve_variables(request.template, request.answers, request.trust)
    request = replace(request, answers={key: as_text(variables[key]) for key in request.template.questions})
    check_request(request)
    target = request.root / request.answers["name"]
    with staging_directory(Path(gettempdir()) if dry_run else request.root) as staging:
        rendered = render(request.template, variables, staging, request.trust)
        if rendered.name != target.name:
            raise SkilltoolError(
                f"template {request.template.name}: creates `{rendered.name}` instead of `{target.name}`"
            )
        report, left = _lint(rendered, target, request.runtime)
        paths = sorted(path for path in rendered.rglob("*") if path.is_file())
        files = {path.relative_to(rendered).as_posix(): path.stat().st_size for path in paths}
        loads = bool(files) and (report.worst or Severity.INFO) is not Severity.ERROR
        installed = loads and not dry_run
        if installed:
            install(rendered, target, staging, request.force)
        return NewSkill(
            target, files, report, loads, installed, *(rule in left for rule in _PLACEHOLDER_RULES)
        )


def _lint(rendered: Path, target: Path, runtime: Runtime) -> tuple[Report, set[str]]:
    """Lint the rendered skill; the report names its files at the destination.

    What is left to write is not in the report: return the ids of the rules that find it beside it.
    """
    settings = resolve(Config(), {"runtimes": [runtime.id], "extend-select": list(_PLACEHOLDER_RULES)})
    directory, found, left = target.as_posix(), [], set()
    for each in _checked(rendered, settings).diagnostics:
        if each.rule in _PLACEHOLDER_RULES:
            left.add(each.rule)
        else:
            found.append(each._replace(path=f"{directory}/{each.file or FILE_NAME}"))
    return Report(sorted(found, key=lambda each: each.order), 1, (runtime.id,)), left


def _checked(rendered: Path, settings: Settings) -> CheckedSkill:
    """Check the rendered skill; raises `SkilltoolError` if that takes more than the budget of a skill."""
    with Crew() as crew:
        try:
            checked = crew.call(rendered, check_directory, rendered, settings)
        except OverBudgetError as error:
            raise SkilltoolError(f"{rendered.name} was not created: its check {error.with_way_out}") from None
    if checked.defect is not None:
        raise SkilltoolError(f"{rendered.name} was not created: {checked.defect}")
    return checked

"""From nothing to a skill that lints: a template, answers, a check, and a move into place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import gettempdir

from skilltool import runtimes
from skilltool.errors import SkilltoolError
from skilltool.findings.finding import Severity
from skilltool.lint.check import check_directory
from skilltool.lint.config import Config
from skilltool.lint.settings import Settings, resolve
from skilltool.report import Report
from skilltool.runtimes.base import Runtime, user_home
from skilltool.scaffold import answers, placing, rendering, templates
from skilltool.scaffold.templates import Template

__all__ = [
    "Made",
    "Order",
    "check",
    "default",
    "default_runtime",
    "make",
    "opened",
    "target_directory",
    "template_names",
]

opened = templates.opened
template_names = templates.names


@dataclass(frozen=True, slots=True)
class Order:
    """What is wanted: a template with answers (`name` among them), for a runtime, in the directory `root`."""

    template: Template
    answers: Mapping[str, str]
    runtime: Runtime
    root: Path
    force: bool = False
    trust: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """What was made: the skill's directory, its files with their sizes in bytes, and what lint says of it.

    `loads` is False where an error kept it from its place; `moved` also where it was only tried.
    """

    directory: Path
    files: dict[str, int]
    report: Report
    loads: bool
    moved: bool


def check(order: Order) -> None:
    """Raise `SkilltoolError` for an answer that does not fit, and for a place that is taken."""
    answers.check(order.template, order.answers, order.runtime)
    if "name" in order.answers:
        placing.ensure_free(order.root / order.answers["name"], order.force)


def default(order: Order, question: str) -> str:
    """Return what a question would be answered with by default, after the answers that there are."""
    return str(rendering.values(order.template, order.answers, order.trust)[question])


def make(order: Order, dry_run: bool = False) -> Made:
    """Make a skill beside its place, check it for the runtime and, if it has no error, move it there.

    With `dry_run` it is made in the system's temporary directory, and not moved. Raises `SkilltoolError`
    for answers that do not fit, a template that cannot be rendered, and a place that is taken.
    """
    check(order)
    variables = rendering.values(order.template, order.answers, order.trust)
    order = replace(order, answers={key: str(variables[key]) for key in order.template.questions})
    check(order)
    target = order.root / order.answers["name"]
    with placing.workshop(Path(gettempdir()) if dry_run else order.root) as shop:
        made = rendering.render(order.template, variables, shop, order.trust)
        if made.name != target.name:
            raise SkilltoolError(f"{order.template.name}: the template calls the skill `{made.name}`")
        checked = check_directory(made, _settings(order.runtime))
        files = {
            p.relative_to(made).as_posix(): p.stat().st_size for p in sorted(made.rglob("*")) if p.is_file()
        }
        shown = f"{target.as_posix()}/SKILL.md"
        findings = [each._replace(path=shown) for each in checked.diagnostics]
        report = Report(sorted(findings, key=lambda each: each.order), 1, (order.runtime.id,))
        broken = not files or (report.worst or Severity.INFO) is Severity.ERROR
        if not (dry_run or broken):
            placing.move(made, target, shop, order.force)
        return Made(target, files, report, loads=not broken, moved=not (dry_run or broken))


def _settings(runtime: Runtime) -> Settings:
    return resolve(Config(), {"runtimes": [runtime.id]})


def target_directory(runtime: Runtime, scope: str, project: Path, home: Path | None = None) -> Path:
    """Return the root in which a new skill belongs; raises `SkilltoolError` if there is none.

    `home` is the user's own unless it is named.
    """
    wanted = [root for root in runtime.roots if root.scope == scope and root.path_template]
    if not wanted:
        other = next(
            (root for root in runtime.roots if root.path_template and root.scope in ("project", "user")), None
        )
        if other is None:
            raise SkilltoolError(f"{runtime.id} has no roots of its own; say where with --output DIR")
        place = str(other.path_template).format(project=".", home="~")
        raise SkilltoolError(
            f"{runtime.id} has no {scope} root; use --scope {other.scope} ({place}) or --output DIR"
        )
    place = str(wanted[0].path_template)
    if "{home}" in place and home is None:
        home = user_home()
    return Path(place.format(project=project, home=home))


def default_runtime(configured: list[str]) -> Runtime:
    """Return the runtime to make a skill for where none is named: the first configured one with roots."""
    for name in configured:
        if name != "all" and runtimes.get(name).roots:
            return runtimes.get(name)
    return runtimes.get("mycodeagent")

"""From nothing to a skill that lints: a template, answers, a check, and a move into place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from skilltool import runtimes
from skilltool.check import check_directory
from skilltool.config import Config
from skilltool.diagnostic import Severity
from skilltool.errors import SkilltoolError
from skilltool.report import Report
from skilltool.runtimes.base import Runtime
from skilltool.scaffold import placing, rendering, templates
from skilltool.scaffold.answers import complete
from skilltool.scaffold.templates import Template
from skilltool.settings import Settings, resolve

__all__ = ["Made", "Order", "default_runtime", "make", "opened", "target_directory", "template_names"]

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

    `moved` is False where it was only tried, or where an error kept it from its place.
    """

    directory: Path
    files: dict[str, int]
    report: Report
    moved: bool


def make(order: Order, dry_run: bool = False) -> Made:
    """Make a skill beside its place, check it for the runtime and, if it has no error, move it there.

    Raises `SkilltoolError` for answers that do not fit, a template that cannot be rendered, and a place
    that is taken.
    """
    answers = complete(order.template, order.answers, order.runtime)
    target = order.root / answers["name"]
    if target.exists() and not (order.force or dry_run):
        raise SkilltoolError(f"{target} exists; use --force to replace it, or another name")
    with placing.workshop(order.root) as shop:
        made = rendering.render(order.template, answers, shop, order.trust)
        if made.name != answers["name"]:
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
        return Made(target, files, report, moved=not (dry_run or broken))


def _settings(runtime: Runtime) -> Settings:
    return resolve(Config(), {"runtimes": [runtime.id]})


def target_directory(runtime: Runtime, scope: str, project: Path, home: Path) -> Path:
    """Return the root in which a new skill belongs; raises `SkilltoolError` if there is none."""
    wanted = [root for root in runtime.roots if root.scope == scope and root.place]
    if not wanted:
        other = next(
            (root for root in runtime.roots if root.place and root.scope in ("project", "user")), None
        )
        if other is None:
            raise SkilltoolError(f"{runtime.id} has no roots of its own; say where with --output DIR")
        place = str(other.place).format(project=".", home="~")
        raise SkilltoolError(
            f"{runtime.id} has no {scope} root; use --scope {other.scope} ({place}) or --output DIR"
        )
    return Path(str(wanted[0].place).format(project=project, home=home))


def default_runtime(configured: list[str]) -> Runtime:
    """Return the runtime to make a skill for where none is named: the first configured one with roots."""
    for name in configured:
        if name != "all" and runtimes.get(name).roots:
            return runtimes.get(name)
    return runtimes.get("mycodeagent")

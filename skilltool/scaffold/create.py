"""Creates a skill: renders its template, lints the result, and moves it into place if it has no error."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import gettempdir

from skilltool import runtimes
from skilltool.bounds.budget import OverBudgetError
from skilltool.bounds.pool import WorkerPool
from skilltool.errors import SkilltoolError
from skilltool.files import writing
from skilltool.files.repository import up_to_repository
from skilltool.findings.finding import Severity
from skilltool.lint.check import check_directory
from skilltool.lint.config import Config
from skilltool.lint.settings import Settings, resolve
from skilltool.packages.manifest import kinds, places
from skilltool.report import Report
from skilltool.rules.frontmatter import placeholder_description
from skilltool.rules.pedantic import leftover_placeholder
from skilltool.rules.records import CheckedSkill
from skilltool.runtimes.base import Root, Runtime
from skilltool.runtimes.home import holds_home, user_home
from skilltool.scaffold.bounded_rendering import render, resolve_options, resolve_variables
from skilltool.scaffold.templates import Template, as_text, check_answers
from skilltool.skill.skill_file import FILE_NAME

# The directory of skills that belongs to no single client.
_SHARED = "skills"


def skills_directory(runtime: Runtime, scope: str, project: Path) -> Path:
    """Return the runtime's own skills directory of a scope, `project` or `user`; it need not exist.

    A common ground, whose roots the user names, has `skills` in the project. In a project, it is the nearest
    that exists from here up to the top; see `_levels`. Raises `SkilltoolError` if the runtime has none.
    """
    levels = _levels(project)
    if runtime.any_roots and scope == "project":
        shared = [level / _SHARED for level in levels]
        return next(filter(os.path.isdir, shared), shared[0])
    roots = [root for root in runtime.roots if root.scope == scope and root.path_template]
    if not roots:
        other = next(
            (root for root in runtime.roots if root.path_template and root.scope in ("project", "user")), None
        )
        if other is None:
            raise SkilltoolError(
                f"{runtime.id} has no skills directory of its own; name one with --output DIR, or a client "
                "with --runtime ID"
            )
        place = str(other.path_template).format(project=".", home="~")
        hint = f"use --scope {other.scope} ({place}) or --output DIR"
        raise SkilltoolError(f"{runtime.id} has no {scope} skills directory; {hint}")
    root, level = _usual(runtime, roots, levels)
    place = str(root.path_template)
    return Path(place.format(project=level, home=user_home() if "{home}" in place else None))


def default_runtime(configured: Sequence[str], scope: str, project: Path) -> Runtime:
    """Return the runtime for a new skill of a scope if none is named.

    That is the first configured one, if possible one with a directory of its own, else the one whose own
    directory the project has, or the home directory for the scope `user`, else `portable`.
    """
    named = [runtimes.get(name) for name in configured if name in runtimes.IDS]
    if named:
        return next((runtime for runtime in named if runtime.roots), named[0])
    tops = [*_levels(project), *([user_home()] if scope == "user" else [])]
    here = (place.client for top in tops for place in places() if os.path.isdir(top / place.path))
    return runtimes.get(next((client for client in here if client in runtimes.IDS), "portable"))


def _levels(project: Path) -> list[Path]:
    """Return a project and the directories above it up to the top of its package or repository, relative.

    The home directory is above no project, even where it is a repository.
    """
    levels = [project]
    for level in up_to_repository(project)[1:]:
        if holds_home(level) or any(os.path.isfile(levels[-1] / kind.file) for kind in kinds()):
            break
        levels.append(Path(os.path.relpath(level)))
    return levels


def _usual(runtime: Runtime, roots: Sequence[Root], levels: Sequence[Path]) -> tuple[Root, Path]:
    """Return the root that is the runtime's own, if possible one that exists, and the level that has it.

    The first root and level if none is.
    """
    mine = {place.path for place in places() if place.client == runtime.id.partition("@")[0]}
    own = [root for root in roots if _below(root) in mine]
    there = (
        (root, level)
        for level in levels
        for root in own
        if root.scope == "project" and os.path.isdir(level / _below(root))
    )
    return next(there, (next(iter([*own, *roots])), levels[0]))


def _below(root: Root) -> str:
    """Return the path of a root under the project or the home directory."""
    return str(root.path_template).partition("}/")[2]


_OLD = "old"
_RANDOM = "[a-z0-9_]{8}"  # what `tempfile.mkdtemp` appends to a prefix
_LEVELS = 3  # from the deepest root of a runtime, `.kodelet/skills`, to the project


@contextmanager
def staging_directory(root: Path) -> Iterator[Path]:
    """Create an empty directory on the file system of `root`, which need not exist; delete it at the end.

    Raises `SkilltoolError` if it cannot be created.
    """
    existing = [path for path in (root, *root.parents) if os.path.isdir(path)]
    for directory in existing[:_LEVELS]:
        _recover(directory)
    try:
        staging = Path(tempfile.mkdtemp(prefix=writing.temporary_prefix(), dir=existing[0]))
    except OSError as error:
        raise SkilltoolError(f"{existing[0]}: {error.strerror}") from None
    try:
        yield staging
    finally:
        _delete(staging)


def ensure_free(target: Path, force: bool) -> None:
    """Raise `SkilltoolError` if the target exists and must not be replaced."""
    if os.path.lexists(target) and not force:
        raise SkilltoolError(f"{target} already exists; use --force to replace it or choose a different name")


def install(rendered: Path, target: Path, staging: Path, force: bool) -> None:
    """Move the directory `rendered` from the staging directory to `target`; raises `SkilltoolError`.

    An existing target is replaced only with `force`, and is restored if the new one cannot be moved in.
    """
    ensure_free(target, force)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not os.path.lexists(target):
            rendered.rename(target)
            return
        old = staging / _OLD / target.name
        old.parent.mkdir()
        target.rename(old)
        try:
            rendered.rename(target)
        except BaseException:
            if not os.path.lexists(target):
                old.rename(target)
            raise
    except OSError as error:
        raise SkilltoolError(f"{target}: {error.strerror}; nothing was changed") from None


def _recover(directory: Path) -> None:
    """Delete the staging directories of killed runs, after restoring the old skills that are missing."""
    for staging in filter(Path.is_dir, writing.stale_temporaries(directory, _RANDOM)):
        for old in (staging / _OLD).glob("*"):
            if not os.path.lexists(directory / old.name):
                old.rename(directory / old.name)
        _delete(staging)


def _delete(directory: Path) -> None:
    """Delete a staging directory, also where it or folders in it are closed, as by a umask of 0777."""
    with suppress(OSError):
        directory.chmod(0o700)
    for folder, folders, _files in os.walk(directory):
        for path in (Path(folder, each) for each in folders):
            if not path.is_symlink():
                path.chmod(0o700)
    shutil.rmtree(directory, ignore_errors=True)


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
    directory, diagnostics, left = target.as_posix(), [], set()
    for diagnostic in _checked(rendered, settings).diagnostics:
        if diagnostic.rule in _PLACEHOLDER_RULES:
            left.add(diagnostic.rule)
        else:
            diagnostics.append(diagnostic._replace(path=f"{directory}/{diagnostic.file or FILE_NAME}"))
    return Report(sorted(diagnostics, key=lambda each: each.order), 1, (runtime.id,)), left


def _checked(rendered: Path, settings: Settings) -> CheckedSkill:
    """Check the rendered skill; raises `SkilltoolError` if that takes more than the budget of a skill."""
    with WorkerPool() as pool:
        try:
            checked = pool.call(rendered, check_directory, rendered, settings)
        except OverBudgetError as error:
            raise SkilltoolError(
                f"{rendered.name} was not created: checking it {error.with_way_out}"
            ) from None
    if checked.defect is not None:
        raise SkilltoolError(f"{rendered.name} was not created: {checked.defect}")
    return checked

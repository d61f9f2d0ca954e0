"""`skilltool new`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from skilltool.cli.completion import complete_templates
from skilltool.cli.help import Command, option
from skilltool.cli.options import Choice, complete_runtimes, quiet_option, time_limit_option
from skilltool.cli.output import ask, note, write, write_error, write_summary
from skilltool.cli.signals import ended_by_sigterm
from skilltool.errors import SkilltoolError
from skilltool.text.printable import safe_lines

if TYPE_CHECKING:
    from skilltool.runtimes.base import Runtime
    from skilltool.scaffold import NewSkill, SkillRequest
    from skilltool.scaffold.templates import Question

_EPILOG = """\b
Examples:
  skilltool new pdf-tools                 use the template `basic`
  skilltool new pdf-tools --template scripts --runtime codex
  skilltool new pdf-tools --no-input --description "Fills in PDF forms."
  skilltool new --list                    list the templates

The skill is written to the runtime's skills directory in the project, or with --scope user to the one in the
home directory, but only if the runtime can load it. On a terminal, `new` asks for missing values. Without a
terminal, or with --no-input, it uses defaults. The template `basic` has a TODO for each part
you need to write. The other templates are finished skills.
"""


@click.command("new", cls=Command, epilog=_EPILOG)
@click.argument("name", required=False)
@option(
    "Template",
    "--template",
    default="basic",
    show_default=True,
    metavar="NAME|DIR|GIT-URL",
    shell_complete=complete_templates,
    help="Template name, directory or git repository URL.",
)
@option("Template", "--list", "show_list", is_flag=True, help="List the templates and exit.")
@option("Template", "--description", metavar="TEXT", help="What the skill does and when to use it.")
@option(
    "Template",
    "--data",
    multiple=True,
    metavar="KEY=VALUE",
    help="Answer one of the template's questions; may be repeated.",
)
@option("Template", "--no-input", is_flag=True, help="Do not prompt; use defaults.")
@option(
    "Template",
    "--trust",
    is_flag=True,
    help="Allow a template that may run code on this machine, such as one from a URL.",
)
@option(
    "Location",
    "--runtime",
    "runtime_id",
    metavar="ID",
    shell_complete=complete_runtimes,
    help="Runtime to create the skill for. [default: the first configured runtime, else the one with "
    "a skills directory in the project (or in the home directory, with --scope user), else portable]",
)
@option(
    "Location",
    "--scope",
    type=Choice(["project", "user"]),
    default="project",
    show_default=True,
    metavar="SCOPE",
    help="Create the skill in the project or in the home directory.",
)
@option(
    "Location",
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Create the skill in this directory, not the runtime's.",
)
@option("Location", "--force", is_flag=True, help="Replace an existing skill.")
@option("Output", "--dry-run", is_flag=True, help="Show what would be written; write nothing.")
@time_limit_option
@quiet_option
@click.pass_context
def command(
    ctx: click.Context,
    name: str | None,
    template: str,
    runtime_id: str | None,
    scope: str,
    output: Path | None,
    description: str | None,
    data: tuple[str, ...],
    no_input: bool,
    dry_run: bool,
    force: bool,
    trust: bool,
    show_list: bool,
) -> int:
    """Create the skill NAME from a template, in a directory that its runtime reads."""
    from skilltool import runtimes, scaffold
    from skilltool.lint import config

    if show_list:
        write(safe_lines(_template_list()))
        return 0
    if output and _is_on_command_line(ctx, "scope"):
        raise click.UsageError("--scope and --output cannot be used together")
    asking = not no_input and sys.stdin.isatty() and sys.stdout.isatty()
    configured = config.find(Path()).values.get("runtimes", [])
    runtime = runtimes.get(runtime_id) if runtime_id else scaffold.default_runtime(configured, scope, Path())
    if asking:
        if name is not None:
            scaffold.check_name(name, runtime)
        template = template if _is_on_command_line(ctx, "template") else _ask_template(template, trust)
        runtime = runtime if runtime_id else _ask_runtime(runtime.id)
    root = output or scaffold.skills_directory(runtime, scope, Path())
    given = dict(_pair(entry) for entry in data)
    given |= {
        key: value for key, value in (("name", name), ("description", description)) if value is not None
    }
    with ended_by_sigterm(), scaffold.open_template(template, trust) as found:
        order = scaffold.SkillRequest(found, given, runtime, root, force, trust)
        if asking:
            order = _ask_answers(order)
        elif "name" not in given:
            raise click.UsageError("missing NAME; run `skilltool new NAME`")
        made = scaffold.create_skill(order, dry_run)
    return _report(made, runtime, dry_run, None if output is None else scope)


def _is_on_command_line(ctx: click.Context, parameter: str) -> bool:
    return ctx.get_parameter_source(parameter) is click.core.ParameterSource.COMMANDLINE


def _pair(entry: str) -> tuple[str, str]:
    key, equals, value = entry.partition("=")
    if not equals:
        raise click.UsageError(f"--data {entry}: expected KEY=VALUE")
    return key, value


def _report(made: NewSkill, runtime: Runtime, dry_run: bool, scope: str | None) -> int:
    """Print what was created, what is wrong with it and what to do next; return the exit status.

    `scope` is the scope of the root that stands for the directory, None where the skill is in its own root.
    """
    from skilltool import report

    where = made.directory.as_posix()
    if made.report.diagnostics:
        note(f"findings for {runtime.id}:")
        write_error(report.render(made.report, "concise"))
    if not made.loads:
        note(
            f"{where} was not created: {runtime.id} would not load it; "
            "fix the template or the answers, or choose a different --runtime"
        )
        return 1
    lines = [f"{'would write' if dry_run else 'wrote'} {where}"]
    lines += [f"  {name}  {size:,} bytes" for name, size in made.files.items()]
    if not dry_run:
        lines += ["", "next:", *(f"  {step}" for step in _next_steps(made, runtime, scope))]
    if dry_run:
        write(safe_lines(lines))
    else:
        write_summary(lines)
    return 0


def _next_steps(made: NewSkill, runtime: Runtime, scope: str | None) -> Iterator[str]:
    """Yield what to do with the skill: edit, lint, and see what the runtime makes of it."""
    from shlex import quote

    from skilltool.explain.render import parts_of

    path, name = quote(made.directory.as_posix()), made.directory.name
    file = quote((made.directory / "SKILL.md").as_posix())
    if made.has_todo_description:
        yield f"write the description in {file}: it is still a TODO"
    else:
        yield f"edit {file}"
    slots = " --extend-select leftover-placeholder" if made.has_slots else ""
    target = "" if _is_linted_for(made, runtime) else f" --runtime {runtime.id}"
    yield f"skilltool lint {path}{slots}{target}"
    what = path if scope is None else name + _root(made, runtime, scope)
    if runtime.any_roots:  # a common ground renders nothing
        root = quote(made.directory.parent.as_posix())
        yield f"skilltool resolve {name} --runtime {runtime.id} --root {root}"
    elif parts_of(runtime):
        arguments = ' --args "..."' if runtime.argument else ""
        yield f"skilltool render {what}{arguments} --runtime {runtime.id}"
    else:  # what its model sees is not known
        yield f"skilltool resolve {what} --runtime {runtime.id}"


def _is_linted_for(made: NewSkill, runtime: Runtime) -> bool:
    """Return whether `lint` checks the skill for the runtime if nobody names one."""
    from skilltool.lint import config
    from skilltool.lint.settings import resolve
    from skilltool.lint.targets import audience_of

    audience = audience_of(resolve(config.find(Path()), {}), made.directory)
    return runtime.id in {*audience.owners, *audience.clients}


def _root(made: NewSkill, runtime: Runtime, scope: str) -> str:
    """Return the option that makes the skill's parent directory a root of the runtime."""
    from shlex import quote

    roots = sorted(runtime.roots, key=lambda root: root.scope != scope)
    role = f"{roots[0].role}=" if roots else ""
    return f" --root {quote(f'{role}{made.directory.parent.as_posix()}')}"


Answer = TypeVar("Answer")


def _ask_template(default: str, trust: bool) -> str:
    """Ask for the name of a template, a directory or a URL, until one can be opened."""
    from skilltool import scaffold

    def opened(source: str) -> str:
        with scaffold.open_template(source, trust):
            return source

    write(safe_lines(["templates:", *_template_list()]))
    return _prompt_until_valid("template", default, opened)


def _ask_runtime(default: str) -> Runtime:
    """Ask for the id of a runtime until there is one."""
    from skilltool import runtimes

    write(safe_lines([f"runtimes: {', '.join((*runtimes.BARE, 'portable'))}"]))
    return _prompt_until_valid("runtime", default, runtimes.get)


def _template_list() -> list[str]:
    """Return a line for each template that ships with skilltool."""
    from skilltool import scaffold

    lines = []
    for name in scaffold.template_names():
        with scaffold.open_template(name) as template:
            lines.append(f"{name:<12} {template.about}")
    return lines


def _ask_answers(order: SkillRequest) -> SkillRequest:
    """Check the answers given, then prompt for the others until each is valid."""
    from skilltool import scaffold

    scaffold.check_request(order)
    for key, question in order.template.questions.items():
        if key not in order.answers:
            order = _with_answer(order, question)
    return order


def _with_answer(order: SkillRequest, question: Question) -> SkillRequest:
    """Return the request with the answer to one more question."""
    from skilltool import scaffold

    default = scaffold.default_answer(order, question.key)
    options = order.options.get(question.key, [])

    def checked(text: str) -> SkillRequest:
        answer = default if text == shown else text
        if options:
            answer = _chosen(question.key, text, options)
        more = replace(order, answers={**order.answers, question.key: answer})
        scaffold.check_request(more)
        return more

    text = question.prompt or question.key
    if options:
        labels = (question.labels.get(option, option) for option in options)
        numbered = [f"    {number} - {label}" for number, label in enumerate(labels, start=1)]
        write(safe_lines([question.prompt or f"Select {question.key}", *numbered]))
        numbers = "/".join(str(number) for number in range(1, len(options) + 1))
        text, shown = f"    Choose from [{numbers}]", "1"
    elif isinstance(question.default, bool):
        text, shown = f"{text} [y/n]", "y" if question.default else "n"
    elif isinstance(question.default, dict):
        shown = "default"
    else:
        text, shown = _with_limit(text, question.key, order.runtime), default
    return _prompt_until_valid(text, shown, checked)


def _chosen(key: str, text: str, options: list[str]) -> str:
    """Return the option with the number that was typed; raises `SkilltoolError` for anything else."""
    if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= len(options):
        return options[int(text[:9]) - 1]
    raise SkilltoolError(f"`{key}`: choose a number from 1 to {len(options)}")


def _with_limit(text: str, key: str, runtime: Runtime) -> str:
    from skilltool.scaffold import templates

    if key in ("name", "description"):
        return f"{text} (at most {templates.max_length(runtime, key):,} characters)"
    return text


def _prompt_until_valid(question: str, default: str, checked: Callable[[str], Answer]) -> Answer:
    """Prompt until `checked` takes the answer, and return what it makes of it."""
    while True:
        text = ask(question, default)
        try:
            return checked(text)
        except SkilltoolError as error:
            note(str(error))

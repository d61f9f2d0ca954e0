"""`skilltool new`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from skilltool.cli import completing
from skilltool.cli.options import Choice
from skilltool.cli.output import note, write
from skilltool.cli.signals import ended_by_sigterm
from skilltool.errors import SkilltoolError

if TYPE_CHECKING:
    from skilltool.runtimes.base import Runtime
    from skilltool.scaffold import NewSkill, SkillRequest

_EPILOG = """\b
Examples:
  skilltool new pdf-tools                                   from the template `basic`
  skilltool new pdf-tools --template scripts --runtime kodelet
  skilltool new pdf-tools --no-input --description "Fills in PDF forms. Use when ..."
  skilltool new --list                                      the templates

The skill lands in the runtime's own project root, or with --scope user in the user's. It is checked before
it is moved there. On a terminal it asks for what was not given; otherwise, and with --no-input, it takes
defaults.
"""


@click.command("new", epilog=_EPILOG)
@click.argument("name", required=False)
@click.option(
    "--template",
    default="basic",
    show_default=True,
    metavar="NAME|DIR|GIT-URL",
    shell_complete=completing.templates,
    help="The template.",
)
@click.option(
    "--runtime",
    "runtime_id",
    metavar="ID",
    shell_complete=completing.runtimes,
    help="For which runtime; default: configured, or mycodeagent.",
)
@click.option(
    "--scope", type=Choice(["project", "user"]), default="project", show_default=True, help="Whose root."
)
@click.option(
    "--output", type=click.Path(path_type=Path), metavar="DIR", help="Make it in this directory instead."
)
@click.option("--description", metavar="TEXT", help="What the skill does, and when to use it.")
@click.option(
    "--data", multiple=True, metavar="KEY=VALUE", help="Another answer of the template; repeatable."
)
@click.option("--no-input", is_flag=True, help="Never ask.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@click.option("--force", is_flag=True, help="Replace a skill that is there.")
@click.option(
    "--trust", is_flag=True, help="Render a template from elsewhere that may run code on this machine."
)
@click.option("--list", "show_list", is_flag=True, help="List the templates.")
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
    """Make a new skill from a template, in the place where its runtime looks."""
    from skilltool import runtimes, scaffold
    from skilltool.lint import config

    if show_list:
        write(_listed())
        return 0
    configured = config.find(Path()).values.get("runtimes", [])
    runtime = runtimes.get(runtime_id) if runtime_id else scaffold.default_runtime(configured)
    if output and ctx.get_parameter_source("scope") is click.core.ParameterSource.COMMANDLINE:
        raise click.UsageError("--scope and --output both say where; give one of them")
    root = output or scaffold.skills_directory(runtime, scope, Path())
    given = dict(_pair(entry) for entry in data)
    given |= {
        key: value for key, value in (("name", name), ("description", description)) if value is not None
    }
    with ended_by_sigterm(), scaffold.open_template(template, trust) as found:
        order = scaffold.SkillRequest(found, given, runtime, root, force, trust)
        if not no_input and sys.stdin.isatty() and sys.stdout.isatty():
            order = _asked(order)
        elif "name" not in given:
            raise click.UsageError("name the skill: skilltool new NAME")
        made = scaffold.create_skill(order, dry_run)
    return _told(made, runtime, dry_run, None if output is None else scope)


def _pair(entry: str) -> tuple[str, str]:
    key, equals, value = entry.partition("=")
    if not equals:
        raise click.UsageError(f"--data {entry}: write KEY=VALUE")
    return key, value


def _asked(order: SkillRequest) -> SkillRequest:
    """Ask for every answer that was not given, until it fits; first look at those that were."""
    from skilltool import scaffold

    scaffold.check_request(order)
    for key in order.template.questions:
        while key not in order.answers:
            among = Choice(order.template.choices[key]) if key in order.template.choices else None
            default = scaffold.default_answer(order, key)
            value = click.prompt(_question(key, order.runtime), default=default, type=among)
            more = replace(order, answers={**order.answers, key: value})
            try:
                scaffold.check_request(more)
            except SkilltoolError as error:
                note(str(error))
            else:
                order = more
    return order


def _question(key: str, runtime: Runtime) -> str:
    from skilltool.scaffold import answers

    if key in ("name", "description"):
        return f"{key} (at most {answers.max_length(runtime, key):,} characters)"
    return key


def _listed() -> str:
    from skilltool import scaffold

    lines = []
    for name in scaffold.template_names():
        with scaffold.open_template(name) as template:
            lines.append(f"{name:<12} {template.about}\n")
    return "".join(lines)


def _told(made: NewSkill, runtime: Runtime, dry_run: bool, scope: str | None) -> int:
    """Say what was made, what is wrong with it, and what to do next; `scope` if it is outside of its root."""
    from shlex import quote

    from skilltool import report
    from skilltool.report.printable import printable

    where = printable(made.directory.as_posix())
    if made.report.diagnostics:
        note(f"what {runtime.id} says of it:")
        click.echo(report.render(made.report, "concise"), nl=False, err=True)
    if not made.loads:
        note(f"{where} was not made: it would not load; mend the template or the answers")
        return 1
    lines = [f"{'would write' if dry_run else 'wrote'} {where}"]
    lines += [f"  {printable(name)}  {size:,} bytes" for name, size in made.files.items()]
    if not dry_run:
        path = quote(where)
        what = path if scope is None else made.directory.name + _root(made, runtime, scope)
        args = ' --args "..."' if runtime.argument else ""
        lines += ["", "next:", f"  edit {quote(f'{where}/SKILL.md')}", f"  skilltool lint {path}"]
        lines += [f"  skilltool render {what}{args} --runtime {runtime.id}"]
    write("\n".join(lines) + "\n")
    return 0


def _root(made: NewSkill, runtime: Runtime, scope: str) -> str:
    """Return the option that puts a root of the runtime where the skill is."""
    from shlex import quote

    role = next((f"{root.role}=" for root in runtime.roots if root.scope == scope), "")
    return f" --root {quote(f'{role}{made.directory.parent.as_posix()}')}"

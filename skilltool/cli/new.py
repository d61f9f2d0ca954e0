"""`skilltool new`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from skilltool.cli import completing
from skilltool.cli.options import Choice
from skilltool.cli.output import note, write

if TYPE_CHECKING:
    from skilltool.runtimes.base import Runtime
    from skilltool.scaffold import Made
    from skilltool.scaffold.templates import Template

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
def command(
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
    from skilltool import config, runtimes, scaffold

    if show_list:
        write(_listed())
        return 0
    configured = config.find(Path()).values.get("runtimes", [])
    runtime = runtimes.get(runtime_id) if runtime_id else scaffold.default_runtime(configured)
    root = output or scaffold.target_directory(runtime, scope, Path(), Path.home())
    given = dict(_pair(entry) for entry in data)
    given |= {
        key: value for key, value in (("name", name), ("description", description)) if value is not None
    }
    with scaffold.opened(template, trust) as found:
        if not no_input and sys.stdin.isatty() and sys.stdout.isatty():
            given = _asked(found, given, runtime)
        elif "name" not in given:
            raise click.UsageError("name the skill: skilltool new NAME")
        made = scaffold.make(scaffold.Order(found, given, runtime, root, force, trust), dry_run)
    return _told(made, runtime, dry_run, is_in_root=output is None)


def _pair(entry: str) -> tuple[str, str]:
    key, equals, value = entry.partition("=")
    if not equals:
        raise click.UsageError(f"--data {entry}: write KEY=VALUE")
    return key, value


def _asked(template: Template, given: dict[str, str], runtime: Runtime) -> dict[str, str]:
    """Ask for every answer that was not given, until it fits."""
    from skilltool.scaffold import answers

    found = dict(given)
    for key, default in template.questions.items():
        while key not in found:
            among = Choice(template.choices[key]) if key in template.choices else None
            value = click.prompt(_question(key, runtime), default=default, type=among)
            problem = answers.problem(runtime, key, value)
            if problem is None:
                found[key] = value
            else:
                note(problem)
    return found


def _question(key: str, runtime: Runtime) -> str:
    from skilltool.scaffold import answers

    if key in ("name", "description"):
        return f"{key} (at most {answers.limit(runtime, key):,} characters)"
    return key


def _listed() -> str:
    from skilltool import scaffold

    lines = []
    for name in scaffold.template_names():
        with scaffold.opened(name) as template:
            lines.append(f"{name:<12} {template.about}\n")
    return "".join(lines)


def _told(made: Made, runtime: Runtime, dry_run: bool, is_in_root: bool) -> int:
    """Say what was made, what is wrong with it, and what to do next."""
    from skilltool import report
    from skilltool.report.printable import printable

    where = printable(made.directory.as_posix())
    if made.report.diagnostics:
        note(f"what {runtime.id} says of it:")
        click.echo(report.render(made.report, "concise"), nl=False, err=True)
    if not made.moved and not dry_run:
        note(f"{where} was not made: it would not load; mend the template or the answers")
        return 1
    lines = [f"{'would write' if dry_run else 'wrote'} {where}"]
    lines += [f"  {printable(name)}  {size:,} bytes" for name, size in made.files.items()]
    if not dry_run:
        args = ' --args "..."' if runtime.argument else ""
        lines += ["", "next:", f"  edit {where}/SKILL.md", f"  skilltool lint {where}"]
        lines += [f"  skilltool render {where}{args} --runtime {runtime.id}"] if is_in_root else []
    write("\n".join(lines) + "\n")
    return 0

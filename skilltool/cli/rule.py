"""`skilltool rule`."""

from __future__ import annotations

import re
from collections.abc import Iterable

import click

from skilltool.cli.color import painted_page, painted_table, use_color
from skilltool.cli.help import Command
from skilltool.cli.options import color_option, complete_rules, format_option, split_at_commas
from skilltool.cli.output import write
from skilltool.report.style import terminal_width
from skilltool.text.printable import SafeText, flowed, safe_text

_EPILOG = """\b
Examples:
  skilltool rule                          list the rules
  skilltool rule broken-link              explain a rule, with an example
  skilltool rule body                     list the rules in a group
  skilltool rule --all --output-format json

Findings show their rule id in brackets: warning[broken-link].
"""


@click.command("rule", cls=Command, epilog=_EPILOG)
@click.argument("names", metavar="[ID]...", nargs=-1, callback=split_at_commas, shell_complete=complete_rules)
@click.option("--all", "everything", is_flag=True, help="Explain every rule.")
@format_option
@color_option
def command(names: tuple[str, ...], everything: bool, output_format: str, color: str) -> int:
    """Explain the rules with these ids, or list the rules in a group. Without ID, list all rules."""
    from skilltool import rules

    if names and everything:
        raise click.UsageError("ID and --all cannot be used together")
    if output_format == "json":
        write(_json(names))
        return 0
    in_color = use_color(color)
    if names or everything:
        write(SafeText("\n".join(_text(name, in_color) for name in names or rules.NAMES)))
    else:
        write(_table(rules.NAMES, in_color))
    return 0


def _text(name: str, in_color: bool) -> SafeText:
    """Return the page of a rule, or the heading and the table of a group."""
    from skilltool import rules
    from skilltool.rules import manual

    if name in rules.GROUPS:
        members = _members(name)
        run = "opt-in" if name in rules.OPT_IN else "run by default"
        heading = f"# {name}\n\n{len(members)} rules, {run}\n\n"
        top = safe_text(heading, painted_page if in_color else str)
        return SafeText(top + _table_of_group(members, in_color))
    text = manual.page(_known(name)).text()
    if (width := terminal_width()) is not None:
        from skilltool.cli.pages import drawn

        return drawn(text, width, in_color)
    return safe_text(text, painted_page if in_color else str)


def _table(names: Iterable[str], in_color: bool) -> SafeText:
    from skilltool.rules import manual

    return _fitted(manual.table([manual.page(name) for name in names]), in_color)


def _fitted(table: str, in_color: bool) -> SafeText:
    """Return a table whose last column holds sentences; on a terminal they go on under their beginning."""
    heads = [re.match(r".*? {2,}(?=[A-Z`])", line) for line in table.splitlines()]
    hang = max((head.end() for head in heads if head), default=0)
    painted = safe_text(table, painted_table if in_color else str)
    return flowed(painted, terminal_width(), hang)


def _table_of_group(names: list[str], in_color: bool) -> SafeText:
    from skilltool.rules import manual

    width = max(map(len, names))
    pages = map(manual.page, names)
    table = "".join(f"{page.rule:<{width}}  {page.severity:<7}  {page.summary}\n" for page in pages)
    return _fitted(table, in_color)


def _json(names: Iterable[str]) -> SafeText:
    """Return the pages of rules and of the members of groups, each once; of all rules without names."""
    from skilltool import rules
    from skilltool.report.as_json import dumps
    from skilltool.rules import manual

    wanted = [rule for name in names for rule in _members(name) or [_known(name)]] or rules.NAMES
    pages = [manual.page(rule).data() for rule in dict.fromkeys(wanted)]
    return dumps({"schema_version": 1, "rules": pages})


def _members(group: str) -> list[str]:
    """Return the ids of the rules of a group; none if there is no such group."""
    from skilltool.rules import GROUP_OF, NAMES

    return [rule for rule in NAMES if GROUP_OF[rule] == group]


def _known(name: str) -> str:
    """Return the id of a rule; raises `UnknownNameError`."""
    from skilltool.errors import UnknownNameError
    from skilltool.rules import GROUPS, NAMES

    if name not in NAMES:
        raise UnknownNameError("rule or group", name, [*NAMES, *GROUPS], "skilltool rule")
    return name

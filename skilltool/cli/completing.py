"""What a shell completes where an option or argument takes a name; asked only when somebody presses Tab."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def runtimes(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the ids of runtimes that begin like `begun`; `all`, too, where several may be given."""
    from skilltool.runtimes import IDS, get

    known = [(name, get(name).title) for name in IDS]
    return _items([*known, ("all", "every runtime")] if parameter.multiple else known, begun)


def rules(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the ids of rules that begin like `begun`; groups and `all`, too, where several may be given."""
    from skilltool.rules import GROUPS, NAMES, manual

    known = [(name, manual.page(name).summary) for name in NAMES]
    if parameter.multiple:
        known += [(group, f"the rules of the group {group}") for group in GROUPS] + [("all", "every rule")]
    return _items(known, begun)


def schemas(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the names of schemas that begin like `begun`."""
    from skilltool.skill import schema

    return _items([(name, str(schema.load(name)["title"])) for name in schema.names()], begun)


def templates(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the names of our templates that begin like `begun`."""
    from skilltool.scaffold.templates import template_names

    return _items([(name, "") for name in template_names()], begun)


def _items(known: Iterable[tuple[str, str]], begun: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(name, help=about) for name, about in known if name.startswith(begun)]

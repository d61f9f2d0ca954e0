"""Completes the names of runtimes, rules, schemas and templates when somebody presses Tab in a shell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def runtimes(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the runtimes whose ids begin with `begun`, and `all` where several may be given."""
    from skilltool.runtimes import IDS, get

    known = [(name, get(name).title) for name in IDS]
    return _items([*known, ("all", "every runtime")] if parameter.multiple else known, begun)


def rules(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the rules and groups whose names begin with `begun`, and `all` for options that take it."""
    from skilltool.rules import GROUPS, NAMES, manual

    known = [(name, manual.page(name).summary) for name in NAMES]
    known += [(group, f"the rules of the group {group}") for group in GROUPS]
    return _items([*known, ("all", "every rule")] if parameter.multiple else known, begun)


def skills(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the keys of skills that a runtime loads here; directories where none begins with `begun`."""
    from click.shell_completion import CompletionItem

    from skilltool.cli.offering import loaded

    return _items(loaded(context.params), begun, lists=False) or [CompletionItem(begun, type="dir")]


def skill_directories(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the directories of skills below this one, by path or name; files where none begins so."""
    from click.shell_completion import CompletionItem

    from skilltool.cli.offering import directories

    found = [(path, name) for path, name in directories() if path.startswith(begun) or name.startswith(begun)]
    return [CompletionItem(path) for path, _ in found] or [CompletionItem(begun, type="file")]


def schemas(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the schemas whose names begin with `begun`, with their titles."""
    from skilltool.skill import schema

    return _items([(name, str(schema.load(name)["title"])) for name in schema.names()], begun)


def templates(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return those of our templates whose names begin with `begun`."""
    from skilltool.scaffold.templates import template_names

    return _items([(name, "") for name in template_names()], begun)


def _items(known: Iterable[tuple[str, str]], begun: str, lists: bool = True) -> list[CompletionItem]:
    """Return the names that begin with what follows the last comma; a shell replaces the whole list.

    Without `lists` a comma is a character like any other.
    """
    from click.shell_completion import CompletionItem

    earlier, comma, last = begun.rpartition(",") if lists else ("", "", begun)
    taken = set(earlier.split(","))
    return [
        CompletionItem(f"{earlier}{comma}{name}", help=about)
        for name, about in known
        if name.startswith(last) and (not lists or name not in taken)
    ]

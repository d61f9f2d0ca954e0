"""What does Claude Code know of one skill or command: an entry of its listing, made from one file."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.emulation.bun_yaml import text_of
from skilltool.emulation.javascript import length, trim
from skilltool.runtimes.claude_code import manifest
from skilltool.runtimes.claude_code.cleaning import clean
from skilltool.runtimes.claude_code.manifest import File
from skilltool.skill.skill_file import FILE_NAME

RESERVED = "anthropic-skills"
_LONGEST_NAME = 256
# The fields for which a call needs permission, with the types of values that count.
ASKING: dict[str, tuple[type, ...]] = {
    "allowed-tools": (str, list),
    "disallowed-tools": (str, list),
    "hooks": (dict,),
}


class Entry(NamedTuple):
    """A skill or a command.

    `key` is its directory or path, which the listing shows and a call names. `name` is the frontmatter's,
    None if it names nothing; `alias` and `label` are that name where it can be called and is shown (see
    `names`). `description` is the frontmatter's or what stands in for it, `described` tells which.
    `directory` is the one its text names, None for a command that is a single file. `source` is the program's
    word for the place it comes from, `role` our root. `scope` is the directory that a nested skill is for,
    with `tail` after its description. `asks` tells that a call needs permission, `parameters` names its
    arguments.
    """

    key: str
    file: Path
    directory: Path | None
    body: str
    description: str
    described: bool
    source: str
    role: str
    name: str | None = None
    alias: str | None = None
    label: str | None = None
    when_to_use: str | None = None
    for_model: bool = True
    for_user: bool = True
    asks: bool = False
    fork: bool = False
    model: str | None = None
    agent: str | None = None
    parameters: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    command: bool = False
    plugin: str | None = None
    plugin_root: Path | None = None
    scope: str | None = None
    tail: str = ""
    read_as: File = File({}, "")

    @property
    def listed(self) -> bool:
        """Whether the model is told of it: a plugin's needs a description of its own."""
        needs_own = self.plugin is not None
        return self.for_model and (self.described or bool(self.when_to_use) or not needs_own)


def made(
    key: str, file: Path, text: str, source: str, role: str, command: bool = False, **more: Any
) -> Entry:
    """Return the entry for the text of a file; raises `Refusal` for what exceeds skilltool's bounds."""
    read = manifest.read(text)
    fields = read.fields
    own = manifest.description(fields)
    invocable = manifest.switch(fields, "user-invocable")
    return Entry(
        key=key,
        file=file,
        directory=file.parent if file.name == FILE_NAME else None,
        body=read.body,
        description=own or manifest.first_line(read.body) or ("Custom command" if command else "Skill"),
        described=own is not None,
        source=source,
        role=role,
        name=None if command else manifest.text_field(fields, "name") or None,
        when_to_use=manifest.when_to_use(fields),
        for_model=manifest.switch(fields, "disable-model-invocation") is not True,
        for_user="user-invocable" not in fields or invocable is True,
        asks=_asks(fields),
        fork=fields.get("context") == "fork",
        model=manifest.text_field(fields, "model"),
        agent=manifest.text_field(fields, "agent"),
        parameters=_parameters(fields.get("arguments")),
        paths=() if command else _paths(fields.get("paths")),
        command=command,
        read_as=read,
        **more,
    )


def _asks(fields: dict[str, Any]) -> bool:
    """Return whether a call needs permission: for tools that it allows or denies, and for hooks."""
    return any(asks_for(fields, name) for name in ASKING)


def asks_for(fields: dict[str, Any], name: str) -> bool:
    """Return whether a field is one for which a call needs permission."""
    value = fields.get(name)
    return bool(value) and isinstance(value, ASKING[name])


def _parameters(value: Any) -> tuple[str, ...]:
    """Return the names of arguments: a list, or a string at its blanks; names of digits do not count."""
    names = value.split() if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(name for name in names if isinstance(name, str) and name.strip() and not name.isdigit())


def _paths(value: Any) -> tuple[str, ...]:
    """Return the patterns of `paths`: a list, or a string at the commas outside braces; `**` sets none."""
    texts = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    parts = [part for text in texts for part in re.split(r",(?![^{}]*\})", text_of(text))]
    patterns = [part.strip().removesuffix("/**") for part in parts if part.strip()]
    return () if all(pattern == "**" for pattern in patterns) else tuple(patterns)


def callable_name(entry: Entry) -> str | None:
    """Return the name by which an entry may be called beside its key, whoever else has that name."""
    name = entry.name
    if name is None or name == entry.key or name.startswith("/"):
        return None
    return name if length(name) <= _LONGEST_NAME and visible(name) else None


def visible(name: str) -> bool:
    """Return whether a name is the same as the listing would show it: on one line, without tags."""
    return name == trim(name) == clean(name)


def shown_name(alias: str) -> bool:
    """Return whether the listing shows a name: letters of any script, digits, and `_ . : -` only."""
    return all(character in "_.:-" or unicodedata.category(character)[0] in "LMN" for character in alias)


def too_long(entry: Entry) -> bool:
    """Return whether the name is longer than Claude Code takes."""
    return entry.name is not None and length(entry.name) > _LONGEST_NAME

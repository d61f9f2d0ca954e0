"""What does Claude Code do with the text of one SKILL.md, place by place?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from skilltool.emulation.javascript import first_units, length
from skilltool.runtimes.claude_code import answers, manifest, settings
from skilltool.runtimes.claude_code.answers import placeholders
from skilltool.runtimes.claude_code.listing import MOST_CHARS, entry_text
from skilltool.runtimes.claude_code.manifest import Fault, fault_in
from skilltool.runtimes.claude_code.settings import facts
from skilltool.runtimes.claude_code.skills import Entry, callable_name, made, too_long
from skilltool.runtimes.inline_commands import glued_commands, inline_commands
from skilltool.runtimes.text_map import (
    Circumstances,
    Command,
    HookFault,
    LeftCommand,
    Literal,
    Mention,
    Position,
    TextMapper,
)
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.lazy_pattern import lazy_pattern

_UNCUT = 1 << 30
_BOM = "\ufeff"
_DROPS = ("ignores this entry", "ignore this entry")
_DROPS_ALL = (
    "drops `allowed-tools` and all of the skill's hooks",
    "drop `allowed-tools` and all of the skill's hooks",
)
_LATE = ("registers it too late", "register it too late")
# The variables of which the form without braces was measured, where a path follows: a text may be about them.
_VARIABLE = lazy_pattern(
    r"\$(?P<braces>\{)?(?P<name>CLAUDE_(?:PLUGIN_ROOT|PLUGIN_DATA|SKILL_DIR))(?(braces)\})(?=/)"
)
_SWITCHES = ("disable-model-invocation", "user-invocable")


class _Reading:
    """One text as Claude Code reads it; see `skilltool.runtimes.text_map.TextMap`."""

    def __init__(self, text: str, around: Circumstances) -> None:
        """Take a text, which may begin with a byte order mark; raises `Refusal` over skilltool's bounds."""
        self._shift = 1 if text.startswith(_BOM) else 0
        self._text = text.removeprefix(_BOM)
        self._around = around
        self._entry: Entry = made(
            around.directory,
            Path(around.directory, FILE_NAME),
            self._text,
            "projectSettings",
            "",
            plugin="plugin" if around.in_plugin else None,
        )

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields that it reads."""
        return self._entry.read_as.fields

    @property
    def end(self) -> int | None:
        """The offset of the `---` that ends the frontmatter."""
        match = manifest.split(self._text)
        return None if match is None else match.end("yaml") + self._shift

    @property
    def problem(self) -> str | None:
        """What the parser says, or that there are no keys."""
        problem = self._entry.read_as.problem
        return problem.removeprefix("YAML Parse error: ") if problem else None

    @property
    def fault(self) -> int | None:
        """The offset of the line at which the parser stops."""
        fault = self._fault
        return None if fault is None or fault.offset is None else fault.offset + self._shift

    @property
    def unrepaired(self) -> str | None:
        """Why the repair of values does not help here."""
        return None if self._fault is None else self._fault.unrepaired

    @cached_property
    def _fault(self) -> Fault | None:
        match = manifest.split(self._text)
        if match is None or self._entry.read_as.problem is None:
            return None
        return fault_in(match["yaml"], match.start("yaml"))

    @property
    def description(self) -> str | None:
        """The frontmatter's own description."""
        return self._entry.description if self._entry.described else None

    @property
    def for_model(self) -> bool:
        """Whether the model may call it, as far as the frontmatter decides."""
        return self._entry.for_model

    @cached_property
    def listed(self) -> str | None:
        """The text of the listing before any cut."""
        return entry_text(self._entry, _UNCUT) if self._entry.listed else None

    @property
    def most(self) -> int:
        """The length from which on it is cut."""
        return int(self._settings.get("skillListingMaxDescChars", MOST_CHARS))

    @property
    def cut(self) -> int | None:
        """The number of code points that are shown."""
        if self.listed is None or length(self.listed) <= self.most:
            return None
        shown = first_units(self.listed, self.most - 1)
        return len(shown) - ("\ud800" <= shown[-1:] <= "\udbff")  # half of a pair shows nothing

    @property
    def alias_problem(self) -> str | None:
        """Why the name is not an alias."""
        entry = self._entry
        if entry.name is None or entry.name == entry.key:
            return None
        if entry.name.startswith("/"):
            return "it starts with `/`"
        if too_long(entry):
            return "it is longer than 256 UTF-16 code units"
        if callable_name(entry) is None:
            return (
                "it starts or ends with a space, or contains a line break, `<`, `>` or an invisible character"
            )
        taken = entry.plugin is None and entry.name in facts()["commands"]["names"]
        return "a built-in command has that name" if taken else None

    @property
    def replaces(self) -> str | None:
        """The program's own skill or command of the directory's name."""
        bundled, name = facts()["bundled"], self._entry.key
        is_own = name in bundled["skills"] or name in bundled["commands"]
        return name if is_own and self._entry.plugin is None else None

    @property
    def misread(self) -> tuple[tuple[str, bool], ...]:
        """The switches that are neither true nor false, which count as false."""
        fields = self._entry.read_as.fields
        return tuple(
            (name, False)
            for name in _SWITCHES
            if name in fields and manifest.switch(fields, name) is None and _is_text(fields[name])
        )

    @property
    def asks(self) -> tuple[str, ...]:
        """The fields that make a call ask, unless the project's settings allow it."""
        names = ("", f"({self._entry.key})", f"({self._entry.key}:*)")
        if any(f"Skill{name}" in self._allowed for name in names):
            return ()
        return self._entry.asks

    @property
    def hook_faults(self) -> tuple[HookFault, ...]:
        """The hooks that are dropped, and those of events that are past."""
        hooks = self._entry.hooks
        dropped = [
            HookFault(fault.path, fault.said, _DROPS_ALL if fault.drops_all else _DROPS)
            for fault in hooks.faults
            if fault.path
        ]
        past = dict.fromkeys(path[:1] for path in hooks.registered if path[0] in facts()["hooks"]["past"])
        return (
            *dropped,
            *(HookFault(path, "the event is over when the skill is called", _LATE) for path in past),
        )

    def runs_hook(self, path: tuple[str | int, ...]) -> bool:
        """Whether a hook is registered, for an event that is to come."""
        return path in self._entry.hooks.registered and path[0] not in facts()["hooks"]["past"]

    @property
    def unsplit(self) -> tuple[str, ...]:
        """The names that keep a comma."""
        value = self.fields.get("arguments")
        return tuple(name for name in self._entry.parameters if "," in name) if isinstance(value, str) else ()

    @cached_property
    def commands(self) -> tuple[Command, ...]:
        """The commands that run before the body is sent."""
        if self._settings.get("disableSkillShellExecution") is True or "!" not in self._body:
            return ()
        granted = [*self._allowed, *self._entry.allows]
        return tuple(
            self._command(match, text, granted)
            for match in inline_commands(self._body)
            if (text := (match["fence"] or match["line"]).strip())
        )

    def _command(self, match: re.Match[str], text: str, granted: list[str]) -> Command:
        sent = placeholders(self._entry.parameters).sub(
            "x", answers.without_variables(text, self._around.in_plugin)
        )
        asks = not answers.runs_unasked(sent, granted)
        return Command(
            self._at(*match.span()), text, asks, answers.unchecked_variable(sent) if asks else None
        )

    @property
    def left_commands(self) -> tuple[LeftCommand, ...]:
        """The commands that stay text."""
        if self._settings.get("disableSkillShellExecution") is True or "!" not in self._body:
            return ()
        return tuple(
            LeftCommand(self._at(*match.span()), match["line"].strip())
            for match in glued_commands(self._body)
        )

    @property
    def mentions(self) -> tuple[Mention, ...]:
        """The `@path` outside code."""
        if "@" not in self._body:
            return ()
        return tuple(Mention(self._at(*span), path) for span, path in answers.mentioned_paths(self._body))

    @property
    def literals(self) -> tuple[Literal, ...]:
        """Variables without braces, and those of plugins elsewhere."""
        return tuple(self._literals()) if "$" in self._body else ()

    def _literals(self) -> Iterator[Literal]:
        for match in _VARIABLE.finditer(self._body):
            name, at = match["name"], self._at(*match.span())
            if match["braces"] is None:
                why, advice = "replaces only the form with braces", f"write `${{{name}}}`"
                yield Literal(at, match[0], why, advice)
            elif "PLUGIN" in name and self._around.in_project:
                why, advice = "replaces it only in a plugin", "write `${CLAUDE_SKILL_DIR}`"
                yield Literal(at, match[0], why, advice)

    @property
    def positions(self) -> tuple[Position, ...]:
        """Each `$N` that is not escaped."""
        return tuple(self._positions()) if "$" in self._body else ()

    def _positions(self) -> Iterator[Position]:
        for match in placeholders(self._entry.parameters).finditer(self._body):
            if match["number"] and not match["escape"]:
                yield Position(self._at(*match.span("token")), int(match["number"]))

    @property
    def _body(self) -> str:
        return self._entry.body

    def _at(self, start: int, end: int) -> tuple[int, int]:
        before = len(self._text) - len(self._body) + self._shift
        return before + start, before + end

    @cached_property
    def _settings(self) -> dict[str, Any]:
        return settings.in_text(self._around.settings)

    @property
    def _allowed(self) -> list[str]:
        permissions = self._settings.get("permissions", {})
        return list(permissions.get("allow", ())) if isinstance(permissions, dict) else []


def _is_text(value: Any) -> bool:
    """Return whether a value is of a type that a switch may have: what is not is a matter of the schema."""
    return isinstance(value, str | int | float)


def read(text: str, around: Circumstances) -> _Reading:
    """Read a text as Claude Code does; raises `Refusal` for what exceeds skilltool's bounds."""
    return _Reading(text, around)


TEXT_MAPPER = TextMapper(
    read,
    settings_file=".claude/settings.json",
    manifest=".claude-plugin/plugin.json",
    omits="descriptions",
)

"""What does Claude Code know of one skill or command: an entry of its listing, made from one file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.emulation.javascript import length, trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.claude_code import hooks, manifest
from skilltool.runtimes.claude_code.characters import clean
from skilltool.runtimes.claude_code.hooks import Hooks
from skilltool.runtimes.claude_code.manifest import File
from skilltool.runtimes.claude_code.settings import Flags, facts, rules_in
from skilltool.skill.skill_file import FILE_NAME

RESERVED = "anthropic-skills"
_LONGEST_NAME = 256
# The fields for which a call needs permission.
ASKING = ("allowed-tools", "disallowed-tools", "hooks")


class Entry(NamedTuple):
    """A skill or a command.

    `key` is its directory or path, which the listing shows and a call names. `name` is the frontmatter's,
    None if it names nothing; `alias` and `label` are that name where it can be called and is shown (see
    `names`). `description` is the frontmatter's or what stands in for it, `described` tells which.
    `directory` is the one its text names, None for a command that is a single file. `source` is the program's
    word for the place it comes from, `role` our root. `scope` is the directory that a nested skill is for,
    with `tail` after its description. `asks` tells that a call needs permission, `parameters` names its
    arguments. `plugin_data` is the name of the plugin's
    directory for data.
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
    hooks: Hooks = Hooks()
    fork: bool = False
    model: str | None = None
    agent: str | None = None
    parameters: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    command: bool = False
    plugin: str | None = None
    plugin_root: Path | None = None
    plugin_data: str | None = None
    scope: str | None = None
    tail: str = ""
    read_as: File = File({}, "")

    @property
    def listed(self) -> bool:
        """Whether the model is told of it: a plugin's needs a description of its own."""
        needs_own = self.plugin is not None
        return self.for_model and (self.described or bool(self.when_to_use) or not needs_own)

    @property
    def asks(self) -> tuple[str, ...]:
        """The fields for which a call needs permission: tools that are allowed or denied, and hooks."""
        given = {"allowed-tools": self.allows, "disallowed-tools": self.denies, "hooks": self.hooks.counts}
        return tuple(name for name in ASKING if given[name])

    @property
    def allows(self) -> list[str]:
        """The rules in `allowed-tools`, which is dropped with some hooks."""
        return [] if self.hooks.drops_tools else _rules_of(self.read_as.fields.get("allowed-tools"))

    @property
    def denies(self) -> list[str]:
        """The rules in `disallowed-tools`."""
        return _rules_of(self.read_as.fields.get("disallowed-tools"))


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
        hooks=hooks.read(fields.get("hooks")),
        fork=fields.get("context") == "fork",
        model=fields["model"] if isinstance(fields.get("model"), str) else None,
        agent=manifest.text_field(fields, "agent"),
        parameters=_parameters(fields.get("arguments")),
        paths=() if command else _paths(fields.get("paths")),
        command=command,
        read_as=read,
        **more,
    )


def _rules_of(value: Any) -> list[str]:
    """Return the rules in a text, or in the texts of a list."""
    texts = value if isinstance(value, list) else [value]
    return [rule for text in texts if isinstance(text, str) for rule in rules_in(text)]


def _parameters(value: Any) -> tuple[str, ...]:
    """Return the names of arguments: a list, or a string at its spaces; names of digits do not count."""
    names = value.split() if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(name for name in names if isinstance(name, str) and name.strip() and not name.isdigit())


def _paths(value: Any) -> tuple[str, ...]:
    """Return the patterns of `paths`: the texts of a list, or a string at the commas outside braces.

    `**` sets none.
    """
    texts = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    parts = [part for text in texts if isinstance(text, str) for part in re.split(r",(?![^{}]*\})", text)]
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


_KEY = "claude-code"


@dataclass
class State:
    """What one session knows.

    `entries` are those that a call may name, in the order of the listing, with those switched off by
    `skillOverrides`. `waiting` are skills with `paths` of which no file has been touched. `rendered` is the
    last text sent for each key, `named` are the commands that the user named in a text. `scoped` maps a key
    to the keys of its nested variants. `granted` and `refused` are the rules for tools of the skills that
    were called.
    """

    flags: Flags
    settings: Mapping[str, Any]
    config: Path
    entries: list[Entry] = field(default_factory=list)
    waiting: list[Entry] = field(default_factory=list)
    rendered: dict[str, str] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    visited: set[Path] = field(default_factory=set)
    scoped: dict[str, list[Entry]] = field(default_factory=dict)
    granted: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def override(self, entry: Entry) -> str | None:
        """Return what `skillOverrides` says about a key, None for nothing or `on`."""
        found = self.settings.get("skillOverrides", {}).get(entry.key)
        return found if isinstance(found, str) and found != "on" else None

    def offered(self, entry: Entry) -> bool:
        """Whether the model may call an entry."""
        return entry.for_model and self.override(entry) not in ("off", "user-invocable-only")


def state_of(session: Session) -> State:
    """Return the state of a session that has been scanned."""
    state: State = session.memory[_KEY]
    return state


def remember(session: Session, state: State) -> None:
    """Keep the state of a session."""
    session.memory[_KEY] = state


_FARTHEST = 2


def with_aliases(entries: Iterable[Entry], taken: Iterable[str] = ()) -> list[Entry]:
    """Return entries with their alias and label: a name that no key, built-in command or earlier name has.

    `taken` are names in use by entries that are not given. In a plugin, a name has the plugin's prefix.
    """
    given = list(entries)
    used = {entry.key for entry in given} | set(taken) | set(facts()["commands"]["names"])
    found = []
    for entry in given:
        name = callable_name(entry)
        if name is not None and entry.plugin is not None:
            prefix = f"{entry.plugin}:"
            name = name if name.startswith(prefix) else prefix + name
        if name is None or name in used or name == entry.key:
            found.append(entry)
            continue
        used.add(name)
        found.append(entry._replace(alias=name, label=name if shown_name(name) else None))
    return found


def find(entries: Iterable[Entry], name: str) -> Entry | None:
    """Return the entry that a name calls: by its key, its alias, or a plugin's by its frontmatter's name."""
    known = list(entries)
    for match in (
        lambda entry: entry.key == name,
        lambda entry: entry.alias == name,
        lambda entry: entry.plugin is not None and entry.name == name,
    ):
        if found := next(filter(match, known), None):
            return found
    return None


def full_name_of(name: str, entries: Iterable[Entry]) -> str | None:
    """Return the key of the plugin's entry that has this name after its prefix, None for none."""
    return next(
        (entry.key for entry in entries if entry.plugin and entry.key == f"{entry.plugin}:{name}"), None
    )


def nearest(name: str, entries: Iterable[Entry], commands: Iterable[str]) -> str | None:
    """Return the key, name or command that is spelled most like `name`, None if none is near."""
    names = [name for entry in entries for name in (entry.key, entry.name) if name]
    known = [name for name in names if length(name) <= _LONGEST_NAME and visible(name)]
    best, least = None, _FARTHEST + 1
    for each in (*known, *commands):
        steps = _distance(name, each, least)
        if steps < least:
            best, least = each, steps
    return best


def _distance(left: str, right: str, limit: int) -> int:
    """Return how many letters must change, or two neighbours change places, up to `limit`."""
    if abs(len(left) - len(right)) >= limit:
        return limit
    above: list[int] = []
    row = list(range(len(right) + 1))
    for number, letter in enumerate(left, start=1):
        two_above, above, row = above, row, [number]
        for at, other in enumerate(right, start=1):
            row.append(min(above[at] + 1, row[-1] + 1, above[at - 1] + (letter != other)))
            if number > 1 < at and letter == right[at - 2] and other == left[number - 2]:
                row[at] = min(row[at], two_above[at - 2] + 1)
    return min(row[-1], limit)


_TOOL = "Skill"


def rules(state: State, kind: str, given: Iterable[str]) -> Iterator[str]:
    """Yield the rules of a kind (`allow`, `deny`) in the settings, then those given by flags."""
    permissions = state.settings.get("permissions", {})
    yield from permissions.get(kind, []) if isinstance(permissions, dict) else []
    yield from given


def _names(known: Iterable[str], names: Iterable[str]) -> bool:
    """Return whether a rule names the tool with one of these names: `Skill(x)` or `Skill(x:*)`."""
    wanted = {f"{_TOOL}({name}{end})" for name in names for end in ("", ":*")}
    return any(rule in wanted for rule in known)


def skill_tool_denied(state: State) -> bool:
    """Return whether the session has no Skill tool."""
    tools = state.flags.tools
    if tools is not None and _TOOL not in tools and "default" not in tools:
        return True
    return any(rule in (_TOOL, f"{_TOOL}(*)") for rule in rules(state, "deny", state.flags.disallowed))


def denied(state: State, entry: Entry, called: str) -> bool:
    """Return whether a rule forbids a skill."""
    return _names(rules(state, "deny", state.flags.disallowed), _names_of(entry, called))


def allowed(state: State, entry: Entry, called: str) -> bool:
    """Return whether a skill runs without asking."""
    if not entry.asks or state.flags.bypasses:
        return True
    known = list(rules(state, "allow", state.flags.allowed))
    return _TOOL in known or _names(known, _names_of(entry, called))


def _names_of(entry: Entry, called: str) -> set[str]:
    return {entry.key, called}


def _models() -> dict[str, Any]:
    found: dict[str, Any] = facts()["models"]
    return found


def model_of(state: State, given: str | None = None) -> str:
    """Return the full name of the model: the flag, the environment, the settings, else the default."""
    environment = {**state.settings.get("env", {}), **state.flags.env}
    named = state.flags.model or given or environment.get("ANTHROPIC_MODEL") or state.settings.get("model")
    return full_name(str(named)) if named else str(_models()["default"])


def _aliases() -> dict[str, str]:
    found: dict[str, str] = _models()["aliases"]
    return found


def full_name(name: str) -> str:
    """Return the model that an alias such as `haiku` stands for, any other name as it is."""
    return _aliases().get(name, name)


def model_of_skill(name: str | None, current: str) -> str:
    """Return the model that is asked for a skill that the user types or that forks: an alias in any case.

    Any other name is sent as it is, `default` too; a call by the model itself does not change the model.
    """
    word = (name or "").strip()
    if not word or word == "inherit":
        return current
    return word if word == "default" else full_name(word.lower()) if word.lower() in _aliases() else word


def is_older(model: str) -> bool:
    """Return whether a model is of the generations before 5."""
    return re.match(_models()["older"], model) is not None


def listing_chars(model: str, fraction: float | None) -> int:
    """Return the budget of the listing in terminal columns."""
    models = _models()
    older = is_older(model)
    kind = "older" if older else "current"
    tokens = models["tokens"]["older_large" if older and model.endswith(models["large"]) else kind]
    share = models["budget_fraction"] if fraction is None else fraction
    return int(tokens * models["chars_per_token"][kind] * share + 1e-6)


def listing_place(model: str) -> str:
    """Return where in the request the listing stands."""
    return "messages[0] role=user block 4" if is_older(model) else "messages[1] role=system block 0"

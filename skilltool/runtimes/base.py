"""What is known of a runtime: facts, and functions that several share by name.

A profile is one `Runtime`. Its functions take the `Session` they are asked in, so that an edition
is `dataclasses.replace(another, ...)` with the few functions that differ.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from skilltool.errors import PathError, UnknownNameError
from skilltool.findings.finding import Severity
from skilltool.runtimes.options import Root, Setting
from skilltool.runtimes.values import LoadedSkill, Log, PlacedRoot, Refused, Result, Shadowed

_NONE: Mapping[str, Any] = MappingProxyType({})

# Marks that a runtime may put something in for: the arguments of a call, one of them, and what a command
# prints that is run when the skill is loaded.
ARGUMENTS, POSITION, COMMAND = "$ARGUMENTS", "$1", "!`command`"


class Runtime(NamedTuple):
    """One target that skills are written for.

    `docs` says where the facts come from and `verified` when, and against which version, they
    were last looked at. `schema` is the name of the frontmatter schema (see `skilltool.schema`),
    which holds every limit of a field. `facts` are sentences for people: `key`, `duplicates`,
    `parser`, `arguments`, `tool`, `loading`; `sources` says where in `docs` each of them stands, and the
    `roots` and `limits`. `parameter` is the tool's parameter that names the
    skill and `argument` the one that takes arguments, None where there is none. `reserved_words`
    may not occur in a name. With `any_roots` the user names the roots, and the first one wins.
    A `specification` is no program: its clients differ, so `lint` judges by the rules and not by `load`.
    `expands` are the marks in a body for which the runtime, or some client of the specification, puts in
    something else: of `ARGUMENTS`, `POSITION`, `COMMAND`. `ground` are the ids of the runtimes that a
    common ground stands for, `limits_of` those whose limits its schema repeats. `severities` are those of
    rules whose defect is worse or milder here than usual.

    The functions, each None where the runtime has no such thing:

    `scan(session)` fills a session that has just been opened.
    `parse(raw, directory)` reads one SKILL.md (bytes, and the directory's name or None) to
    JSON-like data, or raises `Refusal`.
    `load(directory)` says what becomes of one skill directory.
    `catalog(session)`, `prompt(session)`, `content(session, skill)`: text or None.
    `summary(skill)`: what the listing says of a skill where that is not the whole description.
    `tool(session)`: the tool definition as JSON-like data, or None.
    `call(session, arguments, tool)`: what the model gets for a tool call; without `tool`, what the
    runtime's library gives and no model can ask for.
    `context(session, query)`: what is injected for a user message, or None.
    `wrong_toolset(directory, entry)` and `wrong_script(directory, entry)`: why an entry of the frontmatter's
    `toolsets` or `scripts` is not there, or None.
    `budget(session)`: how much the listing may have, in `budget_unit`, and the keys that fall out of it.
    """

    id: str
    title: str
    docs: str
    verified: str
    schema: str
    roots: tuple[Root, ...] = ()
    settings: Mapping[str, Setting] = _NONE
    facts: Mapping[str, str] = _NONE
    sources: Mapping[str, str] = _NONE
    parameter: str | None = None
    argument: str | None = None
    reserved_words: tuple[str, ...] = ()
    any_roots: bool = False
    specification: bool = False
    expands: frozenset[str] = frozenset()
    ground: tuple[str, ...] = ()
    limits_of: tuple[str, ...] = ()
    severities: Mapping[str, Severity] = _NONE
    budget_unit: str = "characters"
    scan: Callable[[Session], None] | None = None
    parse: Callable[[bytes, str | None], dict[str, Any]] | None = None
    load: Callable[[Path], LoadedSkill | Refused] | None = None
    catalog: Callable[[Session], str | None] | None = None
    prompt: Callable[[Session], str | None] | None = None
    content: Callable[[Session, LoadedSkill], str] | None = None
    summary: Callable[[LoadedSkill], str] | None = None
    tool: Callable[[Session], dict[str, Any] | None] | None = None
    call: Callable[[Session, Mapping[str, Any] | str, str | None], Result] | None = None
    context: Callable[[Session, str], str | None] | None = None
    wrong_toolset: Callable[[Path, str], str | None] | None = None
    wrong_script: Callable[[Path, str], str | None] | None = None
    budget: Callable[[Session], tuple[int, tuple[str, ...]]] | None = None

    @property
    def project_roots(self) -> tuple[str, ...]:
        """The roots inside a project, as relative paths with `/`."""
        prefix = "{project}/"
        return tuple(
            r.place.removeprefix(prefix) for r in self.roots if r.place and r.place.startswith(prefix)
        )

    def resolved_settings(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return every setting with its value, `given` laid over the defaults.

        Raises `UnknownNameError` for a setting that the runtime does not have.
        """
        names = {alias: name for name, known in self.settings.items() for alias in (name, *known.aliases)}
        values = {name: known.default for name, known in self.settings.items()}
        for name, value in given.items():
            if name not in names:
                raise UnknownNameError(f"{self.id} setting", name, names, f"skilltool runtimes {self.id}")
            values[names[name]] = value
        return values

    def assumed_settings(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings that are not `given`, and whose default here is not the runtime's own."""
        return {
            name: known.default
            for name, known in self.settings.items()
            if known.assumed and not {name, *known.aliases} & set(given)
        }

    def open(
        self,
        project: Path = Path(),
        home: Path | None = None,
        settings: Mapping[str, Any] | None = None,
        roots: Mapping[str, Path] | None = None,
        level: str = "runtime",
    ) -> Session:
        """Start a session: the state of the runtime after it has loaded its skills.

        `project` is the working directory, `home` the user's (default: the real one); `settings` are
        the runtime's own; `roots` puts roots, by role, in other places than the usual ones. With
        `level="class"` the session shows what the runtime's library gives in states that the
        runtime itself never shows to a model. Raises `UnknownNameError` for a setting or role
        that the runtime does not have.
        """
        return Session(self, project, home or user_home(), settings or {}, roots or {}, level)


def user_home() -> Path:
    """Return the user's home directory; raises `PathError` where the system knows none."""
    try:
        return Path.home()
    except RuntimeError:
        raise PathError("the system knows no home directory of yours; set HOME") from None


class Session:
    """The state of one runtime in one place; see `Runtime.open`.

    `skills` are in the runtime's order. `failure` is the error that ended loading as a whole.
    `assumed` are the settings that nobody gave and that are not as the runtime itself has them.
    `memory` is where the runtime's functions keep what they must remember between calls.
    """

    def __init__(
        self,
        runtime: Runtime,
        project: Path,
        home: Path,
        settings: Mapping[str, Any],
        roots: Mapping[str, Path],
        level: str,
    ) -> None:
        """Resolve settings and roots, and let the runtime load its skills."""
        self.runtime = runtime
        self.project = Path(os.path.abspath(project))
        self.home = Path(os.path.abspath(home))
        self.settings = runtime.resolved_settings(settings)
        self.assumed = runtime.assumed_settings(settings)
        self.level = level
        self.roots = self._placed(roots)
        self.memory: dict[str, Any] = {}
        self.reset()
        if runtime.scan is not None:
            runtime.scan(self)

    def reset(self) -> None:
        """Forget every skill, as a runtime does before it scans again."""
        self.skills: list[LoadedSkill] = []
        self.shadowed: list[Shadowed] = []
        self.skipped: list[Refused] = []
        self.logs: list[Log] = []
        self.failure: str | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the runtime warned of while loading, in its own words."""
        return tuple(log.message for log in self.logs if log.warns or log.level in {"WARNING", "ERROR"})

    def find(self, key: str) -> LoadedSkill | None:
        """Return the loaded skill with this key."""
        return next((skill for skill in self.skills if skill.key == key), None)

    def root(self, role: str) -> PlacedRoot | None:
        """Return the first root with this role."""
        return next((root for root in self.roots if root.role == role), None)

    def catalog(self) -> str | None:
        """Return the listing that depends on the skills; None if nothing is offered."""
        return self.runtime.catalog(self) if self.runtime.catalog else None

    def prompt(self) -> str | None:
        """Return all that skills add to the prompt: the listing in what it stands in."""
        return self.runtime.prompt(self) if self.runtime.prompt else self.catalog()

    def tool(self) -> dict[str, Any] | None:
        """Return the tool definition as JSON-like data, None if the runtime offers no tool."""
        return self.runtime.tool(self) if self.runtime.tool else None

    def call(self, arguments: Mapping[str, Any] | str, tool: str | None = None) -> Result:
        """Call the skill tool (or another `tool`) with arguments, or with their raw text.

        Raises `LookupError` if the runtime has no tool call at all.
        """
        if self.runtime.call is None:
            raise LookupError(f"{self.runtime.id} has no skill tool")
        return self.runtime.call(self, arguments, tool)

    def context(self, query: str) -> str | None:
        """Return what is injected for a user message, None for nothing."""
        return self.runtime.context(self, query) if self.runtime.context else None

    def _placed(self, given: Mapping[str, Path]) -> tuple[PlacedRoot, ...]:
        if self.runtime.any_roots:
            return tuple(
                PlacedRoot(role, Path(os.path.abspath(path)), str(path)) for role, path in given.items()
            )
        known = {root.role for root in self.runtime.roots}
        for role in given:
            if role not in known:
                listed_by = f"skilltool runtimes {self.runtime.id}"
                raise UnknownNameError(f"{self.runtime.id} root", role, known, listed_by)
        placed: list[PlacedRoot] = []
        for root in self.runtime.roots:
            if root.role in given:
                path = Path(os.path.abspath(given[root.role]))
                placed.append(PlacedRoot(root.role, path, str(given[root.role]), root.unscanned))
            elif root.place is not None:
                filled = root.place.format(project=self.project, home=self.home)
                placed.append(PlacedRoot(root.role, Path(filled), filled, root.unscanned))
        return tuple(placed)

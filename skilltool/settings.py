"""What a run is to do: raw configuration and options, checked, in one frozen value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skilltool import runtimes
from skilltool.config import Config
from skilltool.diagnostic import Severity
from skilltool.errors import ConfigError, UnknownNameError
from skilltool.rules import COLLECTION_RULES, RULES, about
from skilltool.rules.base import GROUPS, OPT_IN

DEFAULT_RUNTIME = "portable"


@dataclass(frozen=True, slots=True)
class Settings:
    """A run's settings. Plain data, so that they can be sent to another process.

    `runtimes` and `rules` are ids; `exclude` are patterns as in a `.gitignore` that stands in
    `base`; `fail_on` is the mildest severity that makes the run fail, None for never.
    """

    runtimes: tuple[str, ...] = (DEFAULT_RUNTIME,)
    rules: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    base: Path = Path()
    force_exclude: bool = False
    respect_gitignore: bool = True
    allow_empty: bool = False
    fail_on: Severity | None = Severity.ERROR
    output_format: str = "full"
    config: Path | None = None


def resolve(config: Config, options: Mapping[str, Any]) -> Settings:
    """Lay command line `options` over a configuration file; an option that is None was not given.

    Lists that add (`extend-select`, `exclude`) are joined, everything else is replaced. Raises
    `ConfigError` for a name in the file that does not exist, `UnknownNameError` for one on the
    command line.
    """
    given = {key: value for key, value in options.items() if value not in (None, ())}
    try:
        from_file = _selected(config.values)
    except UnknownNameError as error:
        raise ConfigError(f"{config.place}: {error}") from None
    chosen = _selected({**config.values, **given}) if given else from_file
    merged = {**config.values, **given}
    base = config.path.parent if config.path else Path.cwd()
    fail_on = merged.get("fail-on", "error")
    return Settings(
        runtimes=chosen[0],
        rules=chosen[1],
        exclude=(*config.values.get("exclude", ()), *given.get("exclude", ())),
        base=base,
        force_exclude=merged.get("force-exclude", False),
        respect_gitignore=merged.get("respect-gitignore", True),
        allow_empty=merged.get("allow-empty", False),
        fail_on=None if fail_on == "never" else Severity[fail_on.upper()],
        output_format=merged.get("output-format", "full"),
        config=config.path,
    )


def _selected(values: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of the targets, in the order given, and of the rules, in alphabetical order."""
    targets = tuple(
        dict.fromkeys(runtimes.get(name).id for name in values.get("runtimes", [DEFAULT_RUNTIME]))
    )
    everything = [*RULES, *COLLECTION_RULES]
    chosen = {rule for rule in everything if about(rule).GROUP not in OPT_IN}
    if "select" in values:
        chosen = _expanded(values["select"])
    chosen |= _expanded(values.get("extend-select", ()))
    chosen -= _expanded(values.get("ignore", ()))
    return targets, tuple(sorted(chosen))


def _expanded(names: Iterable[str]) -> set[str]:
    """Return the rules that `names` stand for: rule ids, groups, or `all`."""
    everything = {*RULES, *COLLECTION_RULES}
    found: set[str] = set()
    for name in names:
        members = {rule for rule in everything if name in ("all", rule, about(rule).GROUP)}
        if not members and name not in GROUPS:
            raise UnknownNameError("rule or group", name, {*everything, *GROUPS, "all"})
        found |= members
    return found

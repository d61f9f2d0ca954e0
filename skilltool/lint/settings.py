"""What a run is to do: raw configuration and options, checked, in one frozen value."""

from __future__ import annotations

import glob
import posixpath
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from skilltool import runtimes
from skilltool.errors import ConfigError, UnknownNameError
from skilltool.findings.finding import Severity
from skilltool.lint.config import Config
from skilltool.rules import GROUP_OF, GROUPS, NAMES, OPT_IN

DEFAULT_RUNTIME = "portable"
_EVERY_RULE = frozenset(NAMES)


class Settings(NamedTuple):
    """A run's settings. Plain data, so that they can be sent to another process.

    `runtimes` and `rules` are ids; `matrix` asks for a table of skills and targets. `exclude` are
    patterns as in a `.gitignore` that stands in `base`; `fail_on` is the mildest severity that makes
    the run fail, None for never. `severities` replace those of rules; `per_file_ignores` are patterns
    like `exclude`, each with the rules switched off there; `baseline` is a file of accepted findings.
    `name_source` says which of the two a fix trusts where they differ: `directory` or `frontmatter`.
    `jobs` is the number of processes, 0 for one that suits the machine and the work; `cache` the
    directory in which results are kept, None for none.
    """

    runtimes: tuple[str, ...] = (DEFAULT_RUNTIME,)
    matrix: bool = False
    rules: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    base: Path = Path()
    force_exclude: bool = False
    respect_gitignore: bool = True
    allow_empty: bool = False
    fail_on: Severity | None = Severity.ERROR
    output_format: str = "full"
    config: Path | None = None
    severities: tuple[tuple[str, Severity], ...] = ()
    per_file_ignores: tuple[tuple[str, frozenset[str]], ...] = ()
    baseline: Path | None = None
    name_source: str = "directory"
    jobs: int = 0
    cache: Path | None = None


def resolve(config: Config, options: Mapping[str, Any]) -> Settings:
    """Lay command line `options` over a configuration file; an option that is None was not given.

    Lists that add (`extend-select`, `exclude`) are joined, everything else is replaced. A rule that
    the command line selects by its own id runs even if the file ignores it. Patterns of the
    command line are relative to the working directory. Raises `ConfigError` for a name in the file
    that does not exist, `UnknownNameError` for one on the command line.
    """
    given = {key: value for key, value in options.items() if value not in (None, ())}
    _check_names(config)
    merged = {**config.values, **given}
    merged["extend-select"] = [*config.values.get("extend-select", ()), *given.get("extend-select", ())]
    if "ignore" not in given:
        wanted = {*given.get("select", ()), *given.get("extend-select", ())}
        merged["ignore"] = sorted(_expanded(config.values.get("ignore", ())) - wanted)
    base = config.path.resolve().parent if config.path else Path.cwd()
    fail_on = merged.get("fail-on", "error")
    return Settings(
        runtimes=_targets(merged.get("runtimes", [DEFAULT_RUNTIME])),
        matrix="all" in merged.get("runtimes", ()),
        rules=_rules(merged),
        exclude=_excluded(config, given, base),
        base=base,
        force_exclude=merged.get("force-exclude", False),
        respect_gitignore=merged.get("respect-gitignore", True),
        allow_empty=merged.get("allow-empty", False),
        fail_on=None if fail_on == "never" else Severity[fail_on.upper()],
        output_format=merged.get("output-format", "full"),
        config=config.path,
        severities=_severities(config.values.get("severity", {})),
        per_file_ignores=_per_file(config.values.get("per-file-ignores", {})),
        baseline=_baseline(config, given),
        name_source=config.values.get("name-source", "directory"),
        jobs=given.get("jobs", 0),
        cache=given.get("cache"),
    )


def _excluded(config: Config, given: Mapping[str, Any], base: Path) -> tuple[str, ...]:
    ours = (_from_here(pattern, base) for pattern in given.get("exclude", ()))
    return (*config.values.get("exclude", ()), *ours)


def _per_file(table: Mapping[str, Iterable[str]]) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple((pattern, frozenset(_expanded(names))) for pattern, names in table.items())


def _severities(table: Mapping[str, str]) -> tuple[tuple[str, Severity], ...]:
    """Return the severity of each rule that the table names, by itself or, weaker, by its group."""
    by_group = {rule: level for name, level in table.items() if name in GROUPS for rule in _expanded([name])}
    by_rule = {name: level for name, level in table.items() if name not in GROUPS}
    return tuple((rule, Severity[level.upper()]) for rule, level in sorted({**by_group, **by_rule}.items()))


def _baseline(config: Config, given: Mapping[str, Any]) -> Path | None:
    """Return the file of accepted findings: of the command line, or beside the configuration."""
    if "baseline" in given:
        return Path(given["baseline"])
    named = config.values.get("baseline")
    return config.path.parent / named if named and config.path else None


def _check_names(config: Config) -> None:
    """Raise `ConfigError` for a runtime or rule in the file that does not exist."""
    named = {key: config.values.get(key, ()) for key in ("runtimes", "select", "extend-select", "ignore")}
    named["severity"] = list(config.values.get("severity", ()))
    named |= {f"per-file-ignores.{k}": v for k, v in config.values.get("per-file-ignores", {}).items()}
    for key, names in named.items():
        try:
            (_targets if key == "runtimes" else _expanded)(names)
        except UnknownNameError as error:
            raise ConfigError(f"{config.origin}: `{key}`: {error}") from None


def _targets(names: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of the targets, in the order given; `all` stands for every runtime of a document."""
    wide = [each for name in names for each in (runtimes.BARE if name == "all" else (name,))]
    return tuple(dict.fromkeys(runtimes.known(name) for name in wide))


def _rules(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the ids of the rules to run, in alphabetical order."""
    chosen = {rule for rule in _EVERY_RULE if GROUP_OF[rule] not in OPT_IN}
    if "select" in values:
        chosen = _expanded(values["select"])
    chosen |= _expanded(values["extend-select"])
    return tuple(sorted(chosen - _expanded(values["ignore"])))


def _expanded(names: Iterable[str]) -> set[str]:
    """Return the rules that `names` stand for: rule ids, groups, or `all`."""
    found: set[str] = set()
    for name in names:
        members = {rule for rule in _EVERY_RULE if name in ("all", rule, GROUP_OF[rule])}
        if not members and name not in GROUPS:
            raise UnknownNameError("rule or group", name, {*_EVERY_RULE, *GROUPS, "all"}, "skilltool rule")
        found |= members
    return found


def _from_here(pattern: str, base: Path) -> str:
    """Return a pattern that is relative to the working directory as one that stands in `base`.

    Like in a `.gitignore`, only a pattern with a slash before its end is tied to a directory.
    """
    sign, path = ("!", pattern[1:]) if pattern.startswith("!") else ("", pattern)
    if "/" not in path.rstrip("/"):
        return pattern
    here, top = (glob.escape(directory.as_posix()) for directory in (Path.cwd(), base))
    target = posixpath.normpath(f"{here}/{path.lstrip('/')}")
    below = target.removeprefix(top.rstrip("/") + "/")
    return pattern if below == target else f"{sign}/{below}" + "/" * path.endswith("/")

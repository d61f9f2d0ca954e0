"""The effective settings of a run: configuration file and options, validated, in one frozen value."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from skilltool import runtimes
from skilltool.errors import ConfigError, UnknownNameError
from skilltool.findings.finding import Severity
from skilltool.lint.config import Config
from skilltool.rules import GROUP_OF, GROUPS, NAMES, OPT_IN
from skilltool.skill.length import Length, recommended

AUTO = "auto"  # the runtimes of the place where each skill lies
_EVERY_RULE = frozenset(NAMES)


class Settings(NamedTuple):
    """The settings of a run, as plain data that can be sent to another process.

    `paths` are the files and directories that the user named. `runtimes` and `rules` are ids; `auto` among
    the runtimes stands for those of the place where a skill lies (see `audience`). `per_path_runtimes` are
    patterns like `exclude`, each with the runtimes there, of which the first that matches counts instead;
    `matrix` asks for a table of skills and runtimes. `exclude` are patterns as in a `.gitignore` in the
    directory `base`; `fail_on` is the lowest severity that fails the run, None for never. `severities`
    override those of rules; `per_file_ignores` are patterns like `exclude`, each with the rules ignored
    there; `baseline` is a file of accepted findings. `name_source` says which name a fix keeps when directory
    and frontmatter differ: `directory` or `frontmatter`; `max_length` how long a body may be,
    None for what the specification recommends. `jobs` is the number of processes, 0 to choose one for the
    machine and the work; `cache` the directory of cached results, None for no cache.
    With `looks_up` a run that finds no skill under its paths looks above them, up to the repository's root.
    """

    runtimes: tuple[str, ...] = (AUTO,)
    per_path_runtimes: tuple[tuple[str, tuple[str, ...]], ...] = ()
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
    max_length: Length | None = None
    jobs: int = 0
    cache: Path | None = None
    paths: tuple[Path, ...] = (Path(),)
    looks_up: bool = False

    @property
    def checks_whole_base(self) -> bool:
        """Whether the paths cover all that patterns under `base` can match."""
        return any(self.base.is_relative_to(path.resolve()) for path in self.paths)


def resolve(config: Config, options: Mapping[str, Any]) -> Settings:
    """Override a configuration file with the `options` of the command line; None means not given.

    Additive lists (`extend-select`, `exclude`) are concatenated, everything else is replaced. A rule that
    the command line selects by id runs even if the file ignores it. Patterns on the command line are
    relative to the working directory. Raises `ConfigError` for an unknown rule or runtime in the file,
    `UnknownNameError` for one on the command line.
    """
    given = {key: value for key, value in options.items() if value not in (None, ())}
    _check_names(config)
    merged = {**config.values, **given}
    merged["extend-select"] = [*config.values.get("extend-select", ()), *given.get("extend-select", ())]
    if "ignore" not in given:
        selected = {*given.get("select", ()), *given.get("extend-select", ())}
        merged["ignore"] = sorted(_expand(config.values.get("ignore", ())) - selected)
    base = config.path.resolve().parent if config.path else Path.cwd()
    fail_on = merged.get("fail-on", "error")
    return Settings(
        runtimes=_runtime_ids(merged.get("runtimes", [AUTO])),
        per_path_runtimes=() if "runtimes" in given else _per_path_runtimes(config),
        matrix="all" in merged.get("runtimes", ()),
        rules=_rules(merged),
        exclude=_exclude_patterns(config, given, base),
        base=base,
        force_exclude=merged.get("force-exclude", False),
        respect_gitignore=merged.get("respect-gitignore", True),
        allow_empty=merged.get("allow-empty", False),
        fail_on=None if fail_on == "never" else Severity[fail_on.upper()],
        output_format=merged.get("output-format", "full"),
        config=config.path,
        severities=_severities(config.values.get("severity", {})),
        per_file_ignores=_per_file_ignores(config.values.get("per-file-ignores", {})),
        baseline=_baseline(config, given),
        name_source=config.values.get("name-source", "directory"),
        max_length=_max_length(config.values),
        jobs=given.get("jobs", 0),
        cache=given.get("cache"),
        paths=tuple(given.get("paths", (Path(),))),
        looks_up=given.get("looks-up", False),
    )


def _exclude_patterns(config: Config, given: Mapping[str, Any], base: Path) -> tuple[str, ...]:
    from_options = (_relative_to(base, pattern) for pattern in given.get("exclude", ()))
    return (*config.values.get("exclude", ()), *from_options)


def _per_file_ignores(table: Mapping[str, Iterable[str]]) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple((pattern, frozenset(_expand(names))) for pattern, names in table.items())


def _severities(table: Mapping[str, str]) -> tuple[tuple[str, Severity], ...]:
    """Return the severity of each rule that the table names by its id or its group; the id wins."""
    by_group = {rule: level for name, level in table.items() if name in GROUPS for rule in _expand([name])}
    by_rule = {name: level for name, level in table.items() if name not in GROUPS}
    return tuple((rule, Severity[level.upper()]) for rule, level in sorted({**by_group, **by_rule}.items()))


def _max_length(values: Mapping[str, Any]) -> Length:
    lines, tokens = recommended()
    return Length(int(values.get("max-lines", lines)), int(values.get("max-tokens", tokens)))


def _baseline(config: Config, given: Mapping[str, Any]) -> Path | None:
    """Return the file of accepted findings; one in the configuration is relative to that file."""
    if "baseline" in given:
        return Path(given["baseline"])
    named = config.values.get("baseline")
    return config.path.parent / named if named and config.path else None


def _check_names(config: Config) -> None:
    """Raise `ConfigError` for an unknown runtime, rule or group in the file."""
    named = {key: config.values.get(key, ()) for key in ("runtimes", "select", "extend-select", "ignore")}
    named["severity"] = list(config.values.get("severity", ()))
    named |= {f"per-path-runtimes.{k}": v for k, v in config.values.get("per-path-runtimes", {}).items()}
    named |= {f"per-file-ignores.{k}": v for k, v in config.values.get("per-file-ignores", {}).items()}
    for key, names in named.items():
        try:
            (_runtime_ids if "runtimes" in key.partition(".")[0] else _expand)(names)
        except UnknownNameError as error:
            raise ConfigError(f"{config.origin}: `{key}`: {error}") from None


def _per_path_runtimes(config: Config) -> tuple[tuple[str, tuple[str, ...]], ...]:
    table: Mapping[str, Iterable[str]] = config.values.get("per-path-runtimes", {})
    return tuple((pattern, _runtime_ids(names)) for pattern, names in table.items())


def _runtime_ids(names: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of the runtimes, in the order given, with the members of groups; `auto` stays.

    Raises `UnknownNameError`, also if only groups without members are named.
    """
    named = list(names)
    expanded = [each for name in named for each in runtimes.GROUPS.get(name, (name,))]
    if named and not expanded:
        raise UnknownNameError("runtime", ", ".join(named), runtimes.IDS, "skilltool runtimes")
    return tuple(dict.fromkeys(name if name == AUTO else runtimes.known(name) for name in expanded))


def _rules(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the ids of the rules to run, in alphabetical order."""
    chosen = {rule for rule in _EVERY_RULE if GROUP_OF[rule] not in OPT_IN}
    if "select" in values:
        chosen = _expand(values["select"])
    chosen |= _expand(values["extend-select"])
    return tuple(sorted(chosen - _expand(values["ignore"])))


def _expand(names: Iterable[str]) -> set[str]:
    """Return the rules that `names` stand for: rule ids, groups, or `all`."""
    found: set[str] = set()
    for name in dict.fromkeys(names):
        members = {rule for rule in _EVERY_RULE if name in ("all", rule, GROUP_OF[rule])}
        if not members and name not in GROUPS:
            raise UnknownNameError("rule or group", name, {*_EVERY_RULE, *GROUPS, "all"}, "skilltool rule")
        found |= members
    return found


def _relative_to(base: Path, pattern: str) -> str:
    """Convert a pattern that is relative to the working directory to one relative to `base`.

    As in a `.gitignore`, only a pattern with a slash before its end is anchored to a directory.
    """
    sign, path = ("!", pattern[1:]) if pattern.startswith("!") else ("", pattern)
    if "/" not in path.rstrip("/"):
        return pattern
    import glob

    here, top = (glob.escape(directory.as_posix()) for directory in (Path.cwd(), base))
    target = posixpath.normpath(f"{here}/{path.lstrip('/')}")
    below = target.removeprefix(top.rstrip("/") + "/")
    return pattern if below == target else f"{sign}/{below}" + "/" * path.endswith("/")

"""The output of `lint --show-settings`: the effective settings as a TOML configuration file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from skilltool.lint.find import planned_audiences
from skilltool.lint.settings import Settings
from skilltool.report.audience_lines import audience_lines
from skilltool.text.printable import SafeText, safe_text

# What `safe_text` would escape in a way that TOML does not know.
_COMMAND = re.compile(r"(?<=#)#(?=\w*\[)")
_NUMBER_SIGN = r"\\u0023"


def described(chosen: Settings) -> SafeText:
    """Return settings as TOML that can be used as a configuration.

    Comments name their file, and for whom the skills found would be checked.
    """
    values: dict[str, str | bool | Sequence[str]] = {
        "runtimes": chosen.runtimes,
        "select": chosen.rules,
        "exclude": chosen.exclude,
        "force-exclude": chosen.force_exclude,
        "respect-gitignore": chosen.respect_gitignore,
        "allow-empty": chosen.allow_empty,
        "fail-on": str(chosen.fail_on) if chosen.fail_on else "never",
        "name-source": chosen.name_source,
        "output-format": chosen.output_format,
    }
    if chosen.baseline is not None:
        values["baseline"] = str(chosen.baseline)
    lines = [f"{key} = {_toml(value)}" for key, value in values.items()]
    tables: dict[str, dict[str, str | Sequence[str]]] = {
        "severity": {rule: str(severity) for rule, severity in chosen.severities},
        "per-path-runtimes": dict(chosen.per_path_runtimes),
        "per-file-ignores": {pattern: sorted(rules) for pattern, rules in chosen.per_file_ignores},
    }
    for name, table in tables.items():
        if table:
            lines += ["", f"[{name}]", *(f"{_toml(key)} = {_toml(value)}" for key, value in table.items())]
    where = "".join(map(_toml_character, str(chosen.config or "none")))
    audiences = planned_audiences(chosen)
    names = {each.names for each in audiences.values()}
    found = [f"# checked for {each}" for each in names if len(names) == 1]
    found += [f"# {line}" for line in audience_lines(audiences)]
    return safe_text("\n".join([f"# configuration: {where}", *found, *lines]) + "\n")


def _toml(value: str | bool | Sequence[str]) -> str:
    """Return a value as TOML, with every unprintable character as an escape."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        text = "".join(map(_toml_character, value))
        return f'"{_COMMAND.sub(_NUMBER_SIGN, text)}"'
    if len(value) < 3:
        return f"[{', '.join(map(_toml, value))}]"
    return "\n".join(["[", *(f"    {_toml(entry)}," for entry in value), "]"])


def _toml_character(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() else f"\\U{ord(character):08x}"

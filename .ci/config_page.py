"""The page docs/configuration.md: every key of schemas/config.schema.json, with an example for both files."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from skilltool.cli.lint import command as lint
from skilltool.lint.config import FILE_NAMES

_INTRO = Path(__file__).with_name("configuration-intro.md").read_text("utf-8")
_NAMES = {"string": "string", "boolean": "boolean", "integer": "integer", "array": "list", "object": "table"}


def page(schema: dict[str, Any]) -> str:
    """Return the page as Markdown."""
    keys = schema["properties"]
    intro = _INTRO.replace("FILES", ", ".join(f"`{name}`" for name in FILE_NAMES))
    parts = [intro, "## Keys\n", ", ".join(f"[`{key}`](#{key})" for key in keys) + "\n"]
    parts += ["\n".join(_key(key, about)) + "\n" for key, about in keys.items()]
    return "\n".join([*parts, *_runtimes(keys["runtime"]["properties"])])


def _key(key: str, about: dict[str, Any]) -> Iterator[str]:
    yield f"### {key}\n\n{about['description']}\n"
    yield f"- Type: {_type(about)}"
    yield f"- Default: {_value(about['default'])}" if "default" in about else "- Default: none"
    yield from _option(key)
    for file, table in (("skilltool.toml", ()), ("pyproject.toml", ("tool", "skilltool"))):
        example = _toml(key, about["examples"][0], table)
        yield f"\n`{file}`:\n\n```toml\n{example}\n```"


def _option(key: str) -> Iterator[str]:
    """Yield the option and the variable that have the same meaning, where there are any."""
    for option in lint.params:
        if option.name == key.replace("-", "_"):
            variable = f", environment variable `{option.envvar}`" if option.envvar else ""
            yield f"- Command line: [`{option.opts[-1]}`](cli.md#skilltool-lint){variable}"


def _type(schema: dict[str, Any]) -> str:
    """Return the type of a value in words: `list of strings`, or its possible values."""
    if "enum" in schema:
        return "one of " + ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    name = _NAMES[schema["type"]]
    entries = schema.get("items") or schema.get("additionalProperties")
    if not entries:
        return name
    inner = _type(entries)
    if inner.startswith("one of"):
        return f"{name}, each value {inner}"
    return f"{name} of {inner.replace('list of', 'lists of', 1) if ' of ' in inner else inner + 's'}"


def _toml(key: str, value: object, table: tuple[str, ...]) -> str:
    """Return `key = value` below the header of its table, as TOML; a table gets a header of its own."""
    while isinstance(value, dict) and all(isinstance(inner, dict) for inner in value.values()):
        table, (key, value) = (*table, key), next(iter(value.items()))
    if isinstance(value, dict):
        lines = [f"{_toml_key(name)} = {_toml_value(inner)}" for name, inner in value.items()]
        return "\n".join([f"[{'.'.join((*table, key))}]", *lines])
    header = [f"[{'.'.join(table)}]"] if table else []
    return "\n".join([*header, f"{key} = {_toml_value(value)}"])


def _toml_key(name: str) -> str:
    return name if name.replace("-", "").isalnum() and name.isascii() else json.dumps(name)


def _toml_value(value: object) -> str:
    """Return a string, boolean, number or list of them; JSON writes those as TOML does."""
    return json.dumps(value, ensure_ascii=False)


def _value(value: object) -> str:
    return f"`{_toml_value(value)}`" if value != {} else "an empty table"


def _runtimes(tables: dict[str, Any]) -> Iterator[str]:
    """Yield the settings of each runtime; an edition only where its settings are not those of the bare id."""
    yield "## Per-runtime settings\n"
    yield '`[runtime.ID]` applies to every version of a runtime; `[runtime."ID@VERSION"]` applies to one.\n'
    for name, table in tables.items():
        if table["properties"] == tables.get(name.partition("@")[0], {}).get("properties") and "@" in name:
            continue
        yield f"### {name}\n\n| setting | type | default | meaning |\n|---|---|---|---|"
        for key, about in table["properties"].items():
            kind = _NAMES.get(about.get("type", ""), "any")
            yield f"| `{key}` | {kind} | {_value(about['default'])} | {about['description']} |"
        yield ""

"""How does qwen-code read one file: its frontmatter, the fields that count, and what it refuses?

Source: `skill-manager.ts`, `types.ts` and `skill-load.ts` in `packages/core/src/skills` of 0.24.4; records.
The YAML is that of the npm package `yaml`. What it refuses, or takes for no mapping, is read line by line.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any, NamedTuple

from skilltool.emulation import npm_yaml
from skilltool.emulation.javascript import text_of, trim
from skilltool.runtimes.loading import TOO_LARGE
from skilltool.runtimes.qwen_code import line_parser
from skilltool.runtimes.values import Refusal, not_read
from skilltool.skill.read_file import MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError

PARSE_ERROR = "PARSE_ERROR"
_FRONTMATTER = re.compile(r"---\n(?P<yaml>[\s\S]*?)\n---(?:\n|\Z)")
_NAME_WORDS = r'"name" must match /^[\p{L}\p{N}_:.-]+$/u (letters, digits, _, :, ., -); got '
_DRIVE = re.compile(r"[A-Za-z]:")


class Manifest(NamedTuple):
    """What one file says, as far as it counts.

    `for_model` is False for `disable-model-invocation`, `for_user` for `user-invocable: false`; None means
    that the field says nothing. `by_lines` tells that the YAML was refused, and lines were read instead.
    """

    name: str
    description: str
    body: str
    when_to_use: str | None = None
    argument_hint: str | None = None
    model: str | None = None
    allowed_tools: tuple[str, ...] | None = None
    paths: tuple[str, ...] = ()
    priority: float | None = None
    for_model: bool = True
    for_user: bool | None = None
    hooks: dict[str, Any] | None = None
    by_lines: bool = False


def decoded(raw: bytes) -> str:
    """Return the text of a file: no byte order mark at its start, every line end as `\\n`."""
    text = raw.decode("utf-8", "replace").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")


@lru_cache(maxsize=2)
def read(raw: bytes) -> Manifest:
    """Return what a SKILL.md says; raises `Refusal`, with the program's words, if it does not load."""
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    text = decoded(raw)
    found = _FRONTMATTER.match(text)
    if found is None:
        why = "the file does not begin with a line `---`, or no later line is `---` and nothing else"
        raise _refusal("Invalid format: missing YAML frontmatter", why)
    fields, by_lines = _fields(found["yaml"])
    return _manifest(fields, trim(text[found.end() :]), by_lines)


def _fields(yaml: str) -> tuple[dict[str, Any], bool]:
    """Return the fields without nulls, and whether they were read line by line."""
    try:
        data = npm_yaml.load(yaml)
    except BoundError as error:
        raise not_read(error) from None
    except npm_yaml.NotParsedError:
        data = None
    if data and isinstance(data, dict):
        return _without_nulls(data), False
    return _without_nulls(line_parser.read(yaml)), True


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_nulls(each) for each in value if each is not None]
    return value


def _manifest(fields: dict[str, Any], body: str, by_lines: bool) -> Manifest:
    for field in ("name", "description"):
        if fields.get(field) in (None, ""):
            raise _refusal(f'Missing "{field}" in frontmatter', f"`{field}` is missing, null or empty")
    name = _named(_text(fields["name"], "name"))
    description = _text(fields["description"], "description")
    tools = _texts(fields, "allowedTools", '"allowedTools" must be an array')
    model, paths = _model(fields.get("model")), _paths(fields)
    if not trim(description):
        raise _refusal('Validation failed: "description" cannot be empty', "`description` is blank")
    return Manifest(
        name,
        description,
        body,
        when_to_use=_if_text(fields.get("when_to_use")),
        argument_hint=_if_text(fields.get("argument-hint")),
        model=model,
        allowed_tools=tools,
        paths=paths,
        priority=_number(fields.get("priority")),
        for_model=_switch(fields.get("disable-model-invocation")) is not True,
        for_user=_switch(fields.get("user-invocable")),
        hooks=_hooks(fields.get("hooks")),
        by_lines=by_lines,
    )


def _text(value: Any, field: str) -> str:
    try:
        return text_of(value)
    except TypeError as error:
        raise _refusal(str(error), f"`{field}` is a mapping") from None


def _named(name: str) -> str:
    """Return a name that has only letters, digits and `_:.-`, of any script."""
    if name and all(each in "_:.-" or unicodedata.category(each)[0] in "LN" for each in name):
        return name
    raise _refusal(
        f'{_NAME_WORDS}"{name}"', "`name` has another character than letters, digits, `_`, `:`, `.` and `-`"
    )


def _model(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise _refusal('"model" must be a string', "`model` is not a string")
    found = trim(value or "")
    return None if found in ("", "inherit") else found


def _paths(fields: dict[str, Any]) -> tuple[str, ...]:
    """Return the globs of `paths`, which stay within the project."""
    given = _texts(fields, "paths", '"paths" must be an array of glob patterns') or ()
    globs = tuple(filter(None, map(trim, given)))
    for glob in globs:
        path = glob.replace("\\", "/")
        if path.startswith("/") or _DRIVE.match(path):
            words = (
                "looks absolute; patterns are project-root-relative — drop the leading slash / drive letter"
            )
            raise _refusal(f'"paths" entry "{glob}" {words}', f"`{glob}` in `paths` is absolute")
        if ".." in path.split("/"):
            words = (
                'contains a ".." segment that escapes the project root; patterns must stay within the project'
            )
            raise _refusal(f'"paths" entry "{glob}" {words}', f"`{glob}` in `paths` leaves the project")
    return globs


def _texts(fields: dict[str, Any], field: str, words: str) -> tuple[str, ...] | None:
    if field not in fields:
        return None
    if not isinstance(fields[field], list):
        raise _refusal(words, f"`{field}` is not a list")
    return tuple(_text(each, field) for each in fields[field])


def _switch(value: Any) -> bool | None:
    """Return what a field says: `true` and `false`, also as text; None for anything else."""
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value) if isinstance(value, str) else None


def _if_text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and value - value == 0 else None


def _hooks(value: Any) -> dict[str, Any] | None:
    """Return the events that have hooks; those that do not exist are not told apart."""
    return {key: each for key, each in value.items() if each} if isinstance(value, dict) else None


def _refusal(words: str, why: str) -> Refusal:
    return Refusal(f"Failed to parse skill file: {words}", why, PARSE_ERROR)


def named_fields(found: Manifest) -> dict[str, Any]:
    """Return the optional fields that have a value, by the program's names."""
    named = {
        "argumentHint": found.argument_hint,
        "whenToUse": found.when_to_use,
        "model": found.model,
        "allowedTools": None if found.allowed_tools is None else list(found.allowed_tools),
        "disableModelInvocation": None if found.for_model else True,
        "userInvocable": found.for_user,
        "paths": list(found.paths) or None,
        "priority": found.priority,
        "hooks": found.hooks,
    }
    return {name: value for name, value in named.items() if value is not None}


def parse(raw: bytes, directory: str | None) -> dict[str, Any]:
    """Return the fields of a SKILL.md that have a value; raises `Refusal`."""
    found = read(raw)
    named = {"name": found.name, "description": found.description, "body": found.body, **named_fields(found)}
    return named | ({"by_lines": True} if found.by_lines else {})

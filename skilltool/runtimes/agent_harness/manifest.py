"""How does agent-harness read a SKILL.md? Two markers, YAML 1.2, a strict zod schema.

Source: `src/skills/parser.ts` and `manifest.ts` of danielscholl/agent-harness at dba0a19b.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from skilltool.emulation import npm_yaml, zod
from skilltool.emulation.javascript import trim
from skilltool.runtimes.loading import TOO_LARGE
from skilltool.runtimes.values import Refusal, not_read
from skilltool.skill import schema
from skilltool.skill.read_file import MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError

PARSE_ERROR, VALIDATION_ERROR = "PARSE_ERROR", "VALIDATION_ERROR"
_CLOSING = re.compile(r"\r?\n---(?:\r?\n|\Z)")
_NAME_WORDS = 'Skill name must be lowercase alphanumeric with single hyphens (e.g., "my-skill-name")'


def parse(raw: bytes, directory: str | None) -> dict[str, Any]:
    """Return `{"manifest": ..., "body": ...}` of a SKILL.md in a directory with this name; raises `Refusal`.

    If `directory` is None, `name` may be anything. Invalid UTF-8 is read as U+FFFD.
    """
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    text = trim(raw.decode("utf-8", "replace"))
    if not text.startswith("---"):
        words = "SKILL.md must start with YAML frontmatter (---)"
        raise Refusal(words, "it does not start with `---`", PARSE_ERROR)
    closing = _CLOSING.search(text, 3)
    if closing is None:
        words = "SKILL.md frontmatter is not properly closed with ---"
        raise Refusal(words, "the frontmatter is not closed by a line `---`", PARSE_ERROR)
    values = _values(text[3 : closing.start()])
    problems = zod.strict_object(values, *_shape())
    if problems:
        words = f"Manifest validation failed: {'; '.join(problems)}"
        raise Refusal(words, f"the frontmatter is invalid: {problems[0]}", VALIDATION_ERROR)
    if directory is not None and values["name"] != directory:
        words = f'Skill name "{values["name"]}" does not match directory name "{directory}"'
        raise Refusal(words, "`name` differs from the directory name", VALIDATION_ERROR)
    manifest = {"allowedTools" if key == "allowed-tools" else key: value for key, value in values.items()}
    return {"manifest": manifest, "body": trim(text[closing.end() :])}


def _values(block: str) -> Any:
    try:
        return npm_yaml.load(block)
    except BoundError as error:
        raise not_read(error) from None
    except npm_yaml.NotParsedError as error:
        why = f"the frontmatter is not valid YAML: {error}"
        words = str(error) if error.parse_error else "Invalid YAML syntax"
        library = words if error.parse_error else None
        raise Refusal(f"YAML parse error: {words}", why, PARSE_ERROR, library) from None


@cache
def _shape() -> tuple[dict[str, zod.Check], dict[str, zod.Check]]:
    """Return the checks of the required and of the optional keys; the limits are those of the schema."""
    fields = schema.load("agent-harness")["properties"]

    def limits(field: str, empty: str, what: str) -> tuple[zod.Limit, zod.Limit]:
        high = fields[field]["maxLength"]
        return zod.Limit(fields[field]["minLength"], empty), zod.Limit(
            high, f"{what} cannot exceed {high} characters"
        )

    name = limits("name", "Skill name cannot be empty", "Skill name")
    description = limits("description", "Skill description cannot be empty", "Skill description")
    compatibility = limits("compatibility", "Compatibility cannot be empty if provided", "Compatibility")
    required = {
        "name": zod.bounded_text(*name, pattern=(r"[a-z0-9]+(?:-[a-z0-9]+)*", _NAME_WORDS)),
        "description": zod.bounded_text(*description),
    }
    optional = {
        "license": zod.text,
        "compatibility": zod.bounded_text(*compatibility),
        "metadata": zod.texts,
        "allowed-tools": zod.text_or_list,
    }
    return required, optional

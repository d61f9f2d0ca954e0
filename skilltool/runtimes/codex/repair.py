"""How does Codex repair frontmatter that is not YAML? Line by line, by quotes around values.

Source: the second try of the records of codex 0.169.0, and `skills/src/parser.rs` of openai/codex.
"""

from __future__ import annotations

import re

from skilltool.emulation import rust
from skilltool.emulation.serde_yaml import is_value

_BLANK = f"[{rust.BLANKS}]"
_LINE = re.compile(rf"(?P<key>[^:]*):(?P<gap>{_BLANK}+)(?P<rest>.*)", re.DOTALL)
_COMMENT = re.compile(rf"(?:(?<={_BLANK})|(?<!.))#", re.DOTALL)
_COLON = re.compile(rf":{_BLANK}")


def repaired(yaml: str) -> str | None:
    """Return YAML with single quotes around values that are prose; None if there is no such value.

    That is a value after `key: ` that holds a colon and a blank, or that begins with a bracket, `@` or a
    backtick and is not valid YAML; not one in quotes, and nothing in a block scalar. Raises `BoundError`.
    """
    lines: list[str] = []
    block: int | None = None  # the indent of the key of an open block scalar
    changed = False
    for line in rust.lines(yaml):
        indent = len(line) - len(line.lstrip(" "))
        if block is not None and (not rust.trim(line) or indent > block):
            lines.append(line)
            continue
        block = None
        found = _LINE.fullmatch(line)
        if found is not None and rust.trim(found["key"]):
            value, comment = _without_comment(found["rest"])
            if value[:1] in ("|", ">"):
                block = indent
            elif _is_prose(value):
                quoted = value.replace("'", "''")
                line, changed = f"{found['key']}:{found['gap']}'{quoted}'{comment}", True
        lines.append(line)
    return "\n".join(lines) if changed else None


def _without_comment(text: str) -> tuple[str, str]:
    """Return a value, and the comment after it with the blanks before it."""
    found = _COMMENT.search(text)
    value = (text if found is None else text[: found.start()]).rstrip(rust.BLANKS)
    return value, "" if found is None else text[len(value) :]


def _is_prose(value: str) -> bool:
    if not value or value[0] in "'\"":
        return False
    return bool(_COLON.search(value)) or (value[0] in "[{@`" and not is_value(value))

"""Secrets that nobody has: drawn at random, so that no file of ours holds one."""

from __future__ import annotations

import base64
import json
import random
import re
from typing import Any

from skilltool._resources import data

TABLE = json.loads((data("schemas") / "secrets.json").read_text("utf-8"))
PREFIXES = [row["prefix"] for row in TABLE["formats"]]


def secret(prefix: str, seed: int = 0) -> str:
    """Return a secret of the format with this prefix."""
    draw = random.Random(f"{prefix}{seed}")
    (rest,) = (row["rest"] for row in TABLE["formats"] if row["prefix"] == prefix)
    return prefix + _drawn(re._parser.parse(rest), draw)  # type: ignore[attr-defined]


def private_key(kind: str = "RSA ", size: int = 620, seed: int = 0, end: str = "\n") -> str:
    """Return what looks like a private key of `size` bytes, in lines of 64 characters."""
    draw = random.Random(f"{kind}{seed}")
    text = base64.b64encode(draw.randbytes(size)).decode()
    lines = [text[at : at + 64] for at in range(0, len(text), 64)]
    block = " BLOCK" if kind == "PGP " else ""
    return end.join(
        [f"-----BEGIN {kind}PRIVATE KEY{block}-----", *lines, f"-----END {kind}PRIVATE KEY{block}-----"]
    )


def leaked(text: str, value: str, length: int = 8) -> set[str]:
    """Return the parts of a secret, so many characters each, that a text shows."""
    start = next((len(prefix) for prefix in PREFIXES if value.startswith(prefix)), 0)
    hidden = value[start:-2]
    parts = {hidden[at : at + length] for at in range(len(hidden) - length + 1)}
    return {part for part in parts if part in text and "\n" not in part}


def _drawn(parsed: Any, draw: random.Random) -> str:
    """Return a random text that matches an expression, of the parts that the table has."""
    text = ""
    for operation, argument in parsed:
        match str(operation):
            case "LITERAL":
                text += chr(argument)
            case "IN":
                text += draw.choice([character for each in argument for character in _characters(*each)])
            case "MAX_REPEAT":
                least, most, part = argument
                text += "".join(_drawn(part, draw) for _ in range(draw.randint(least, min(most, least + 20))))
            case "SUBPATTERN":
                text += _drawn(argument[-1], draw)
            case other:
                raise ValueError(f"no text is drawn for {other}")
    return text


def _characters(operation: object, argument: Any) -> list[str]:
    if str(operation) == "LITERAL":
        return [chr(argument)]
    first, last = argument
    return [chr(code) for code in range(first, last + 1)]

"""Fields of frontmatter where a client's own parser is not known: what every YAML parser would read.

Of text that is not YAML, each line `key: value` at the left edge counts as it stands: whether the client
would refuse or repair it is not known.
"""

from __future__ import annotations

import re
from typing import Any

from skilltool.runtimes.readers import fence_lines
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import Mapping, Scalar, YamlError

_LINE = re.compile(r"([A-Za-z][A-Za-z0-9_-]*):[ \t]+(\S.*)")


def fields_of(text: str) -> tuple[dict[str, Any], str]:
    """Return the scalars at the top of the frontmatter, by YAML 1.2, and the body."""
    text = text.removeprefix("\ufeff")
    parts = fence_lines.split(text)
    if parts is None:
        return {}, text
    try:
        root = compose("\n".join(parts.lines)).root
    except YamlError:
        return {
            match[1]: match[2].strip() for line in parts.lines if (match := _LINE.match(line))
        }, parts.body
    entries = root.entries if isinstance(root, Mapping) else ()
    found = {
        key.text: value.value
        for key, value in entries
        if isinstance(key, Scalar) and isinstance(value, Scalar)
    }
    return found, parts.body

"""Fields of frontmatter where a client's own parser is not known: what every YAML parser would read.

Of text that is not YAML, each line `key: value` at the left edge counts as it stands: whether the client
would refuse or repair it is not known.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from skilltool.emulation import fence_lines
from skilltool.runtimes.values import not_read
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import BoundError, Mapping, Scalar, YamlError
from skilltool.text.lazy_pattern import lazy_pattern

_LINE = lazy_pattern(r"([A-Za-z][A-Za-z0-9_-]*):[ \t]+(\S.*)")


class Document(NamedTuple):
    """The scalars at the top of the frontmatter, the body, whether those are lines of what is not YAML.

    `has_fields` is False for a file that is all body.
    """

    fields: dict[str, Any]
    body: str
    by_lines: bool = False
    has_fields: bool = True


def fields_of(text: str) -> Document:
    """Return what a SKILL.md says, by YAML 1.2.

    Raises `Refusal` for what exceeds skilltool's bounds.
    """
    text = text.removeprefix("\ufeff")
    parts = fence_lines.split(text)
    if parts is None:
        return Document({}, text, has_fields=False)
    try:
        root = compose("\n".join(parts.lines)).root
    except BoundError as error:
        raise not_read(error) from None
    except YamlError:
        found = {match[1]: match[2].strip() for line in parts.lines if (match := _LINE.match(line))}
        return Document(found, parts.body, by_lines=True)
    entries = root.entries if isinstance(root, Mapping) else ()
    scalars = {
        key.text: value.value
        for key, value in entries
        if isinstance(key, Scalar) and isinstance(value, Scalar)
    }
    return Document(scalars, parts.body)

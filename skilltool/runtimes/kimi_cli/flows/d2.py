"""How does Kimi CLI read a D2 diagram? Statement by statement; what stands in braces is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from skilltool.runtimes.kimi_cli.flows.d2_statements import statements, unquoted
from skilltool.runtimes.kimi_cli.flows.graph import Builder, Flow, FlowError, at_line

_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]*")
# The last parts of a path such as `a.style.fill`, which is no node.
_PROPERTIES = frozenset(
    {
        *("shape", "style", "label", "link", "icon", "near", "width", "height", "direction", "grid-rows"),
        *("grid-columns", "grid-gap", "font-size", "font-family", "font-color", "stroke", "fill", "opacity"),
        *("padding", "border-radius", "shadow", "sketch", "animated", "multiple", "constraint", "tooltip"),
    }
)


def read(text: str) -> Flow:
    """Return the flow of a diagram; raises `FlowError`."""
    builder = Builder()
    for number, statement in statements(_with_quoted_blocks(text)):
        parts = _split_at_arrows(statement)
        if len(parts) > 1:
            _add_edges(builder, parts, number)
        else:
            _add_node(builder, statement, number)
    return builder.flow()


def _add_edges(builder: Builder, parts: list[str], number: int) -> None:
    *before, last = parts
    target, text = _split_at(last, ":")
    names = [_name(_split_at(part, ":")[0] if ":" in part else part, number) for part in before]
    names.append(_name(target, number))
    if any(map(_is_property, names)):
        return
    label = None if text is None else _label(text, number)
    for start, end in pairwise(names):
        builder.connect(start, end, None)
    if label is not None:
        edges = builder.edges[names[-2]]
        edges[-1] = edges[-1]._replace(label=label)
    for name in names:
        builder.add(name, None, number)


def _add_node(builder: Builder, statement: str, number: int) -> None:
    written, text = _split_at(statement, ":")
    if text is not None and _is_property(written):
        return
    name = _name(written, number)
    if text != "":
        builder.add(name, None if text is None else _label(text, number), number)


def _name(text: str, number: int) -> str:
    text = text.strip()
    if not text:
        raise at_line(number, "Expected node id")
    if _ID.fullmatch(text) is None:
        raise at_line(number, f'Invalid node id "{text}"')
    return text


def _is_property(name: str) -> bool:
    if "." not in name:
        return False
    parts = [part for part in name.split(".") if part]
    if any(part in _PROPERTIES or part.startswith("style") for part in parts[1:]):
        return True
    return parts[-1] in _PROPERTIES


def _label(text: str, number: int) -> str:
    if not text:
        raise at_line(number, "Label cannot be empty")
    if text[0] not in "'\"":
        return text
    found: list[str] = []
    signs = iter(enumerate(text[1:], start=1))
    for position, sign in signs:
        if sign == "\\":
            found += [following for _, following in [next(signs, (0, ""))]]
        elif sign == text[0]:
            if text[position + 1 :].strip():
                raise at_line(number, "Unexpected trailing content")
            return "".join(found)
        else:
            found.append(sign)
    raise at_line(number, "Unclosed quoted label")


def _split_at(text: str, sign: str) -> tuple[str, str | None]:
    """Split a text at a sign outside quotes, once; without one the second part is None."""
    at = next((position for position, each in unquoted(text).signs if each == sign), None)
    return (text.strip(), None) if at is None else (text[:at].strip(), text[at + 1 :].strip())


def _split_at_arrows(text: str) -> list[str]:
    parts: list[str] = []
    begin = 0
    outside = unquoted(text)
    if outside.is_open:  # of a text that began within braces
        raise FlowError("Unclosed string in statement")
    for position, sign in outside.signs:
        if sign == "-" and position >= begin and text.startswith("->", position):
            parts.append(text[begin:position].strip())
            begin = position + 2
    return [*parts, text[begin:].strip()]


def _with_quoted_blocks(text: str) -> str:
    """Return a diagram with each block of Markdown, `key: |md` up to a line `|`, as a text in quotes."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    numbered = iter(enumerate(lines, start=1))
    return "\n".join(line for number, first in numbered for line in _block(numbered, number, first))


def _block(numbered: Iterator[tuple[int, str]], number: int, first: str) -> Iterator[str]:
    before, after = _split_at(first, ":")
    if after is None or _without_comment(after).strip() != "|md":
        yield first
        return
    lines: list[str] = []
    for _, line in numbered:
        if line.strip() == "|":
            break
        lines.append(line)
    else:
        raise at_line(number, "Unclosed markdown block")
    if not lines:
        yield from (f'{before}: ""', "")
        return
    escaped = [line.replace("\\", "\\\\").replace('"', '\\"') for line in _dedented(lines)]
    quoted = f'{before}: "' + "\n".join(escaped) + '"'
    yield from (quoted, "", "")


def _without_comment(text: str) -> str:
    at = next((position for position, sign in unquoted(text).signs if sign == "#"), len(text))
    return text[:at]


def _dedented(lines: list[str]) -> list[str]:
    indents = [len(line) - len(line.lstrip(" \t")) for line in lines if line.strip()]
    return [line[min(indents) :] for line in lines] if indents else [""] * len(lines)

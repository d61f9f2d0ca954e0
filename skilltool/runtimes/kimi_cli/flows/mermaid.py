"""How does Kimi CLI read a Mermaid flowchart? Line by line; what it does not understand is ignored."""

from __future__ import annotations

import re

from skilltool.runtimes.kimi_cli.flows.graph import Builder, Flow, FlowError, at_line

_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*")
_HEADER = re.compile(r"(flowchart|graph)\b", re.IGNORECASE)
_STYLE = ("classdef ", "class ", "style ", "linkstyle ", "click ", "subgraph ", "direction ")
_CLASS = re.compile(r":::[A-Za-z0-9_-]+")
_CLOSING = {"[": "]", "(": ")", "{": "}"}
_PIPES = re.compile(r"\|([^|]*)\|")
# The look behind keeps a long run of such signs from being tried at each of them.
_ARROW = re.compile(r"(?<![-.=])[-.=]++>")

_Spec = tuple[str, str | None]  # the id of a node, and its label


def read(text: str) -> Flow:
    """Return the flow of a diagram; raises `FlowError`."""
    builder = Builder()
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.split("%%", 1)[0].strip()
        if not line or _HEADER.match(line) or line.lower() == "end" or line.lower().startswith(_STYLE):
            continue
        _read_line(builder, _CLASS.sub("", line), number)
    return builder.flow()


def _read_line(builder: Builder, line: str, number: int) -> None:
    try:
        start, position = _node(line, 0, number)
    except FlowError:
        return
    edge = _edge(line, position, number)
    builder.add(*start, number)
    if edge is not None:
        label, end = edge
        builder.add(*end, number)
        builder.connect(start[0], end[0], label)


def _edge(line: str, position: int, number: int) -> tuple[str | None, _Spec] | None:
    """Return the label of an edge and the node at its end; None for a line without one."""
    text, label = _without_label(line)
    position = _skip_blanks(text, position)
    if ">" not in text[position:]:
        if "---" not in text[position:]:
            return None
        text = text[:position] + text[position:].replace("---", "-->", 1)
    text = _ARROW.sub("-->", text)
    try:
        end, _ = _node(text, _skip_blanks(text, text.rfind(">") + 1), number)
    except FlowError:
        return None
    return label, end


def _without_label(line: str) -> tuple[str, str | None]:
    """Return a line without the label of its edge, and the label: between pipes, else within the arrow."""
    label: str | None = None
    if pipes := _PIPES.search(line):
        label = pipes[1].strip() or None
        line = line[: pipes.start()] + line[pipes.end() :]
    if label is None and (found := _label_in_arrow(line)) is not None:
        begin, start, end = found
        label = line[start:end].strip() or None
        line = f"{line[:begin]}-->{line[end + 3 :]}"
    return line, label


def _label_in_arrow(line: str) -> tuple[int, int, int] | None:
    """Return where `-- label -->` begins, and where its label starts and ends: the first that matches.

    It is what a search for `--\\s*([^>-][^>]*)\\s*-->` finds, which takes too long on a line made for that.
    """
    begin = line.find("--")
    while begin >= 0:
        start = _skip_blanks(line, begin + 2)
        if line[start : start + 1] in ("", ">", "-"):
            start -= 1
        end = line.find(">", begin + 2)
        if end < 0:
            return None
        if start >= begin + 2 and line[end - 2 : end] == "--" and end - 2 > start:
            return begin, start, end - 2
        # No label begins before the next `>` unless it ends there.
        begin = line.find("--", begin + 1 if line[end - 2 : end] == "--" else end)
    return None


def _node(line: str, position: int, number: int) -> tuple[_Spec, int]:
    """Return the node at a position, and where it ends; raises `FlowError`."""
    name = _ID.match(line, position)
    if name is None:
        raise at_line(number, "Expected node id")
    end = name.end()
    if end >= len(line) or line[end] not in _CLOSING:
        return (name[0], None), end
    label, end = _label(line, end + 1, _CLOSING[line[end]], number)
    return (name[0], label), end


def _label(line: str, position: int, closing: str, number: int) -> tuple[str, int]:
    if position >= len(line):
        raise at_line(number, "Expected node label")
    if closing == ")" and line[position] == "[":
        label, position = _label(line, position + 1, "]", number)
        return label, _closed(line, position, ")", number)
    if line[position] == '"':
        label, position = _quoted(line, position + 1, number)
        return label, _closed(line, position, closing, number)
    end = line.find(closing, position)
    if end < 0:
        raise at_line(number, "Unclosed node label")
    label = line[position:end].strip()
    if not label:
        raise at_line(number, "Node label cannot be empty")
    return label, end + 1


def _quoted(line: str, position: int, number: int) -> tuple[str, int]:
    """Return the text up to the next quote, where a backslash stands before any sign, and where it ends."""
    found: list[str] = []
    while position < len(line):
        sign = line[position]
        if sign == '"':
            return "".join(found), position + 1
        if sign == "\\" and position + 1 < len(line):
            position += 1
        found.append(line[position])
        position += 1
    raise at_line(number, "Unclosed quoted label")


def _closed(line: str, position: int, closing: str, number: int) -> int:
    position = _skip_blanks(line, position)
    if line[position : position + 1] != closing:
        raise at_line(number, "Unclosed node label")
    return position + 1


def _skip_blanks(line: str, position: int) -> int:
    while position < len(line) and line[position].isspace():
        position += 1
    return position

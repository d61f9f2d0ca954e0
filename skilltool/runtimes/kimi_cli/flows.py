"""Nodes and edges of a flow, and what makes a flow invalid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from skilltool.text.lazy_pattern import lazy_pattern

BEGIN, END, TASK, DECISION = "begin", "end", "task", "decision"


class FlowError(ValueError):
    """What is wrong with a diagram, in the program's own words."""


def at_line(line: int, words: str) -> FlowError:
    """Return the error for a line of a diagram."""
    return FlowError(f"Line {line}: {words}")


class Node(NamedTuple):
    """A node: its label, and its kind: `begin`, `end`, `task` or `decision`."""

    label: str
    kind: str


class Edge(NamedTuple):
    """An edge to the node `to`."""

    to: str
    label: str | None


class Flow(NamedTuple):
    """A valid flow: nodes and the edges that leave them, by id, and the id of the first node."""

    nodes: dict[str, Node]
    edges: dict[str, list[Edge]]
    begin: str


class Builder:
    """Collects the nodes and edges of a diagram."""

    def __init__(self) -> None:
        """Start without any."""
        self.nodes: dict[str, Node] = {}
        self.edges: dict[str, list[Edge]] = {}
        self.defined: set[str] = set()  # the ids of nodes whose label was written

    def add(self, name: str, label: str | None, line: int) -> None:
        """Add a node; one that is only mentioned (`label` is None) changes nothing about a defined one."""
        shown = name if label is None else label
        if not shown:
            raise at_line(line, "Node label cannot be empty")
        word = shown.strip().lower()
        node = Node(shown, word if word in (BEGIN, END) else TASK)
        known = self.nodes.get(name)
        if known is not None and known != node:
            if label is None and name in self.defined:
                return
            if label is None or name in self.defined:
                raise at_line(line, f'Conflicting definition for node "{name}"')
        if known != node:
            self.nodes[name] = node
            self.defined |= {name} if label is not None else set()

    def connect(self, start: str, end: str, label: str | None) -> None:
        """Add an edge."""
        self.edges.setdefault(start, []).append(Edge(end, label))
        self.edges.setdefault(end, [])

    def flow(self) -> Flow:
        """Return the flow; raises `FlowError` for one that is not valid."""
        for name in self.nodes:
            self.edges.setdefault(name, [])
        nodes = {name: self._kind(name, node) for name, node in self.nodes.items()}
        begin, end = (self._only(nodes, kind) for kind in (BEGIN, END))
        reached = self._reached(begin)
        for name in (name for name in nodes if name in reached):
            labels = [edge.label for edge in self.edges[name]]
            if len(labels) > 1 and any(label is None or not label.strip() for label in labels):
                raise FlowError(f'Node "{name}" has an unlabeled edge')
            if len(set(labels)) != len(labels):
                raise FlowError(f'Node "{name}" has duplicate edge labels')
        if end not in reached:
            raise FlowError("END node is not reachable from BEGIN")
        return Flow(nodes, self.edges, begin)

    def _kind(self, name: str, node: Node) -> Node:
        return node._replace(kind=DECISION) if node.kind == TASK and len(self.edges[name]) > 1 else node

    @staticmethod
    def _only(nodes: dict[str, Node], kind: str) -> str:
        found = [name for name, node in nodes.items() if node.kind == kind]
        if len(found) != 1:
            raise FlowError(f"Expected exactly one {kind.upper()} node, found {len(found)}")
        return found[0]

    def _reached(self, begin: str) -> set[str]:
        reached: set[str] = set()
        waiting = [begin]
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += [edge.to for edge in self.edges.get(name, ())]
        return reached


class Unquoted(NamedTuple):
    """The signs of a text that are neither in quotes nor quotes, by position; and if one is left open."""

    signs: tuple[tuple[int, str], ...]
    is_open: bool


def unquoted(text: str) -> Unquoted:
    """Return what of a text is outside quotes."""
    quote, escaped = "", False
    found: list[tuple[int, str]] = []
    for position, sign in enumerate(text):
        if escaped:
            escaped = False
        elif quote:
            escaped = sign == "\\"
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        else:
            found.append((position, sign))
    return Unquoted(tuple(found), bool(quote))


def statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each statement; raises `FlowError` for what is not closed.

    A line end within quotes belongs to its statement, and so does one after a backslash, which goes. What
    follows a brace on its line is left out.
    """
    reader = _Reader()
    position = 0
    while position < len(text):
        if text.startswith("\\\n", position):
            reader.line += 1
            position += 2
            continue
        if text[position] == "#" and not reader.quote:
            end = text.find("\n", position)
            position = len(text) if end < 0 else end
            continue
        yield from reader.take(text[position])
        position += 1
    yield from reader.end()


class _Reader:
    """Reads a diagram sign by sign."""

    def __init__(self) -> None:
        self.line = self.begin = 1
        self.depth = 0
        self.quote = ""
        self.escaped = False
        self.dropped = False  # the rest of the line, after a brace
        self.signs: list[str] = []

    def take(self, sign: str) -> Iterator[tuple[int, str]]:
        """Yield the statement that a sign ends, if it ends one."""
        if sign == "\n":
            yield from self._end_of_line()
            return
        if not self.quote and sign in "{}":
            yield from self._brace(sign)
            return
        if self.escaped:
            self.escaped = False
        elif self.quote:
            self.escaped = sign == "\\"
            self.quote = "" if sign == self.quote else self.quote
        elif sign in "'\"":
            self.quote = sign
        if not self.depth and not self.dropped:
            self.signs.append(sign)

    def _end_of_line(self) -> Iterator[tuple[int, str]]:
        self.line += 1
        if self.quote and not self.depth and not self.dropped:
            self.signs.append("\n")
            return
        if not self.depth and not self.quote and not self.dropped:
            yield from self._statement()
        self.signs.clear()
        self.dropped = False
        self.begin = self.line

    def _brace(self, sign: str) -> Iterator[tuple[int, str]]:
        if sign == "}":
            if not self.depth:
                raise at_line(self.line, "Unmatched '}'")
            self.depth -= 1
            return
        if not self.depth:
            yield from self._statement()
            self.dropped = True
            self.signs.clear()
        self.depth += 1

    def _statement(self) -> Iterator[tuple[int, str]]:
        if statement := "".join(self.signs).strip():
            yield self.begin, statement

    def end(self) -> Iterator[tuple[int, str]]:
        """Yield the last statement; raises `FlowError` if something is open."""
        if self.depth:
            raise at_line(self.line, "Unclosed '{' block")
        if self.quote:
            raise at_line(self.line, "Unclosed string")
        yield from self._statement()


_D2_ID = lazy_pattern(r"[A-Za-z0-9_][A-Za-z0-9_./-]*")
# The last parts of a path such as `a.style.fill`, which is no node.
_PROPERTIES = frozenset(
    {
        *("shape", "style", "label", "link", "icon", "near", "width", "height", "direction", "grid-rows"),
        *("grid-columns", "grid-gap", "font-size", "font-family", "font-color", "stroke", "fill", "opacity"),
        *("padding", "border-radius", "shadow", "sketch", "animated", "multiple", "constraint", "tooltip"),
    }
)


def read_d2(text: str) -> Flow:
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
    label = None if text is None else _d2_label(text, number)
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
        builder.add(name, None if text is None else _d2_label(text, number), number)


def _name(text: str, number: int) -> str:
    text = text.strip()
    if not text:
        raise at_line(number, "Expected node id")
    if _D2_ID.fullmatch(text) is None:
        raise at_line(number, f'Invalid node id "{text}"')
    return text


def _is_property(name: str) -> bool:
    if "." not in name:
        return False
    parts = [part for part in name.split(".") if part]
    if any(part in _PROPERTIES or part.startswith("style") for part in parts[1:]):
        return True
    return parts[-1] in _PROPERTIES


def _d2_label(text: str, number: int) -> str:
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


_MERMAID_ID = lazy_pattern(r"[A-Za-z0-9_][A-Za-z0-9_-]*")
_HEADER = lazy_pattern(r"(flowchart|graph)\b", re.IGNORECASE)
_STYLE = ("classdef ", "class ", "style ", "linkstyle ", "click ", "subgraph ", "direction ")
_CLASS = lazy_pattern(r":::[A-Za-z0-9_-]+")
_CLOSING = {"[": "]", "(": ")", "{": "}"}
_PIPES = lazy_pattern(r"\|([^|]*)\|")
# The look behind keeps a long run of such signs from being tried at each of them.
_ARROW = lazy_pattern(r"(?<![-.=])[-.=]++>")

_Spec = tuple[str, str | None]  # the id of a node, and its label


def read_mermaid(text: str) -> Flow:
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
    name = _MERMAID_ID.match(line, position)
    if name is None:
        raise at_line(number, "Expected node id")
    end = name.end()
    if end >= len(line) or line[end] not in _CLOSING:
        return (name[0], None), end
    label, end = _mermaid_label(line, end + 1, _CLOSING[line[end]], number)
    return (name[0], label), end


def _mermaid_label(line: str, position: int, closing: str, number: int) -> tuple[str, int]:
    if position >= len(line):
        raise at_line(number, "Expected node label")
    if closing == ")" and line[position] == "[":
        label, position = _mermaid_label(line, position + 1, "]", number)
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


_CHOICE = lazy_pattern(r"<choice>([^<]*)</choice>")
_MOST_MOVES = 1000
_AGAIN = (
    "Your last response did not include a valid choice. Reply with one of the choices using "
    "<choice>...</choice>."
)


def messages(flow: Flow, replies: Sequence[str]) -> Iterator[str]:
    """Yield the messages of a flow; without a reply to a decision it is not known how it goes on.

    `replies` are the texts that the model answers, in order.
    """
    answers = iter(replies)
    name = flow.begin
    for _ in range(_MOST_MOVES + 1):
        node, edges = flow.nodes[name], flow.edges[name]
        if node.kind == END or not edges:
            return
        if node.kind == BEGIN:
            name = edges[0].to
            continue
        prompt = _prompt(node, [edge.label for edge in edges if edge.label])
        yield prompt
        answer = next(answers, None)
        if node.kind != DECISION:
            name = edges[0].to
            continue
        targets = {edge.label: edge.to for edge in reversed(edges)}
        while (chosen := _choice(answer)) not in targets:
            if answer is None:
                return
            yield f"{prompt}\n\n{_AGAIN}"
            answer = next(answers, None)
        name = targets[chosen]


def _prompt(node: Node, choices: Sequence[str]) -> str:
    if node.kind != DECISION:
        return node.label
    branches = "".join(f"- {choice}\n" for choice in choices)
    return f"{node.label}\n\nAvailable branches:\n{branches}\nReply with a choice using <choice>...</choice>."


def _choice(answer: str | None) -> str | None:
    """Return the last choice of an answer, None without one."""
    found = _CHOICE.findall(answer or "")
    return (found[-1].strip() or None) if found else None

"""Nodes and edges of a flow, and what makes a flow invalid."""

from __future__ import annotations

from typing import NamedTuple

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

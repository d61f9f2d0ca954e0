"""Which messages does a flow send? One a node; at a decision the model's answer names the edge."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from skilltool.runtimes.kimi_cli.flows.graph import BEGIN, DECISION, END, Flow, Node

_CHOICE = re.compile(r"<choice>([^<]*)</choice>")
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

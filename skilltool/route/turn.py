"""One question to a model, in no protocol: messages and tools; and what a protocol's module does with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from skilltool.capture.protocols import Call

SYSTEM, USER = "system", "user"
# Why an answer counts neither as a call nor as none.
REFUSED, TRUNCATED, MALFORMED = "the model refused", "the answer was cut off", "the answer cannot be read"


class Tool(NamedTuple):
    """A tool that the model is offered: its name, what it is for, and the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]


class Turn(NamedTuple):
    """The first turn of a session: texts with their roles (`SYSTEM`, `USER`) in order, and the tools.

    With `forced` the model has to call the only tool.
    """

    messages: tuple[tuple[str, str], ...]
    tools: tuple[Tool, ...]
    forced: bool = False

    def opening(self) -> tuple[str, Sequence[tuple[str, str]]]:
        """Return the system texts before all others as one, and the messages that follow."""
        number = 0
        while number < len(self.messages) and self.messages[number][0] == SYSTEM:
            number += 1
        return "\n\n".join(text for _, text in self.messages[:number]), self.messages[number:]


class Answer(NamedTuple):
    """What a model answered: the calls in order, how many tokens went in and out, and what is wrong with it.

    A `problem` counts only where there is no call: text beside a call, and thinking before it, do not matter.
    """

    calls: tuple[Call, ...]
    tokens: tuple[int, int] = (0, 0)
    problem: str | None = None


class Protocol(NamedTuple):
    """How one kind of server is asked.

    `keys` are variables with the key, each with the header that carries it, `{}` for the key in it; `bases`
    the variables with the server's address. `path` returns what follows the address for a model, `body` the
    JSON of a turn for a model with at most so many tokens of answer, `read` the answer in the reply's JSON;
    that raises `ValueError`, `TypeError`, `LookupError` or `AttributeError` for JSON of another form.
    """

    id: str
    title: str
    keys: tuple[tuple[str, str, str], ...]
    bases: tuple[str, ...]
    base: str
    path: Callable[[str], str]
    body: Callable[[Turn, str, int], dict[str, Any]]
    read: Callable[[Any], Answer]
    headers: Mapping[str, str] = {}

"""A defect of ours in what one runtime does must not hide what the others do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ParamSpec, TypeVar

from skilltool.bounds import current_skill
from skilltool.bounds.budget import GivenUpError, InternalReason
from skilltool.errors import SkilltoolError
from skilltool.runtimes.base import Session

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
_EXPECTED = (SkilltoolError, OSError, GivenUpError, MemoryError)


def contained(
    runtime: str, function: Callable[Parameters, Result], *args: Parameters.args, **kwargs: Parameters.kwargs
) -> Result | InternalReason:
    """Return what a function returns that does something as a runtime does, or in words what it raised.

    What happens while it reads a skill is raised: that skill is ended, and the others are tried again.
    """
    current_skill.leave()
    try:
        return function(*args, **kwargs)
    except _EXPECTED:
        raise
    except Exception as error:
        if current_skill.is_in_skill():
            raise
        return InternalReason.of(error, f"`{runtime}`")


def defects(sessions: Iterable[Session]) -> list[str]:
    """Return the sentences about sessions in which something happened that nobody expected."""
    return [session.failure for session in sessions if isinstance(session.failure, InternalReason)]

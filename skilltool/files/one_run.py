"""Remembers what was read of the file system for one run, which owns it: it ends with the run.

A run is a command, one pass of `lint`, one question of an editor or of the preview. Files may change between
runs, and are taken to be the same within one. Outside of a run nothing is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

_results: ContextVar[dict[Any, dict[tuple[Any, ...], Any]] | None] = ContextVar("results", default=None)


@contextmanager
def one_run() -> Iterator[None]:
    """Remember within this context, beginning with nothing; a run within another knows nothing of it."""
    token = _results.set({})
    try:
        yield
    finally:
        _results.reset(token)


def once_a_run(most: int = 20_000) -> Callable[[Function], Function]:
    """Make a function keep its results for a run, at most so many; its arguments are hashable, none is named.

    The oldest goes before the next is made.
    """

    def decorate(function: Function) -> Function:
        @wraps(function)
        def remembering(*arguments: Any) -> Any:
            run = _results.get()
            if run is None:
                return function(*arguments)
            try:
                return run[function][arguments]
            except KeyError:
                known = run.setdefault(function, {})
            if len(known) >= most:
                del known[next(iter(known))]
            result = known[arguments] = function(*arguments)
            return result

        return cast(Function, remembering)

    return decorate

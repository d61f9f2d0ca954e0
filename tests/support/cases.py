"""Many cases in one item: `@pytest.mark.together` over `@pytest.mark.parametrize`.

pytest takes a millisecond or two for an item, and a table has hundreds of rows. The item runs every case and
then fails with all that failed, each under its id. `APART=1` makes an item of each case, as without the mark,
so that `-k` chooses one and a debugger stops in it.
"""

from __future__ import annotations

import inspect
import itertools
import os
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

APART = bool(os.environ.get("APART"))
_SHOWN = 20  # more failures than this only have their ids


class Case(NamedTuple):
    """A case: its id, and the arguments that the test gets for it by name."""

    id: str
    arguments: dict[str, Any]


def is_together(test: Callable[..., None]) -> bool:
    """Whether the cases of a test are to be one item."""
    return not APART and any(mark.name == "together" for mark in getattr(test, "pytestmark", ()))


def cases(test: Callable[..., None]) -> list[Case]:
    """Return each case of a test as pytest would make them of `parametrize`; raises `ValueError` if none."""
    marks = [mark for mark in test.pytestmark if mark.name == "parametrize"]  # type: ignore[attr-defined]
    found = [
        Case("-".join(row.id for row in rows), {k: v for row in rows for k, v in row.arguments.items()})
        for rows in itertools.product(*(_rows(*mark.args, **mark.kwargs) for mark in marks))
    ]
    if not found:
        raise ValueError(f"{test.__name__} has no cases")
    return found


def together(test: Callable[..., None]) -> Callable[..., None]:
    """Return a test that calls `test` with each of its cases, and fails with all of their failures.

    A case has a directory `tmp_path` and a `monkeypatch` of its own; any other fixture is that of all cases.
    """
    every = cases(test)
    signature = inspect.signature(test)
    fixtures = [p for name, p in signature.parameters.items() if name not in every[0].arguments]

    def run_all(**shared: Any) -> None:
        __tracebackhide__ = True
        failed: list[tuple[str, pytest.ExceptionInfo[BaseException]]] = []
        skipped: Counter[str] = Counter()
        for number, case in enumerate(every):
            try:
                _run(test, case, number, shared)
            except pytest.skip.Exception as skip:
                skipped[str(skip)] += 1
            except (Exception, pytest.fail.Exception) as error:
                failed.append((case.id, pytest.ExceptionInfo.from_exception(error)))
        if failed:
            pytest.fail(_told(failed, len(every)), pytrace=False)
        if skipped:
            reasons = ", ".join(f"{count} {reason}" for reason, count in skipped.items())
            pytest.skip(f"{len(every) - skipped.total()} of {len(every)} cases passed; {reasons}")

    run_all.__name__, run_all.__doc__, run_all.__module__ = test.__name__, test.__doc__, test.__module__
    run_all.__wrapped__ = test  # type: ignore[attr-defined]  # where pytest says that the item is
    run_all.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
    run_all.pytestmark = [  # type: ignore[attr-defined]
        mark
        for mark in test.pytestmark  # type: ignore[attr-defined]
        if mark.name != "parametrize"
    ]
    return run_all


def _run(test: Callable[..., None], case: Case, number: int, shared: dict[str, Any]) -> None:
    __tracebackhide__ = True
    fixtures = dict(shared)
    if "tmp_path" in shared:
        fixtures["tmp_path"] = Path(shared["tmp_path"], str(number))
        fixtures["tmp_path"].mkdir()
    if "monkeypatch" not in shared:
        test(**fixtures, **case.arguments)
        return
    with pytest.MonkeyPatch.context() as fixtures["monkeypatch"]:
        test(**fixtures, **case.arguments)


def _told(failed: list[tuple[str, pytest.ExceptionInfo[BaseException]]], total: int) -> str:
    lines = [f"{len(failed)} of {total} cases failed (APART=1 makes an item of each, for -k):"]
    lines += [f"  {name}" for name, _ in failed]
    for name, error in failed[:_SHOWN]:
        lines += ["", f"_____ {name} _____", str(error.getrepr(style="short"))]
    return "\n".join(lines)


def _rows(
    names: str | Iterable[str],
    values: Iterable[Any],
    *,
    ids: Iterable[object] | Callable[[Any], object] | None = None,
) -> list[Case]:
    """Return the cases of one `parametrize`; what it does not take here is a `TypeError`."""
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    ids = ids if ids is None or callable(ids) else [*ids]
    rows = []
    for number, value in enumerate(values):
        own = None
        if hasattr(value, "marks"):  # `pytest.param`
            if value.marks:
                raise TypeError("a case of several in one item has no marks of its own")
            own, arguments = value.id, value.values
        else:
            arguments = (value,) if len(names) == 1 else tuple(value)
        if own is None and isinstance(ids, list):
            own = str(ids[number])
        if own is None:
            own = "-".join(_named(argument, ids) for argument in arguments)
        rows.append(Case(own, dict(zip(names, arguments, strict=True))))
    return rows


def _named(argument: Any, ids: Callable[[Any], object] | None) -> str:
    named = ids(argument) if callable(ids) else None
    return ascii(str(argument if named is None else named))[1:-1][:100]

"""Tries a target for some time, with inputs that hypothesis draws from a seed, and keeps what failed."""

from __future__ import annotations

import hashlib
import math
import random
import time
import traceback
from collections import Counter
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz import targets
from tests.fuzz.box import HangError, box

NAMES = tuple(sorted(each.name for each in iter_modules(targets.__path__)))
_BATCH = 50


def target(name: str) -> ModuleType:
    """Return the module of a target: `INPUTS` and `check`."""
    return import_module(f"tests.fuzz.targets.{name}")


def failure(module: ModuleType, value: Any) -> str | None:
    """Try one input; return the traceback of what went wrong, None if all is well."""
    try:
        with box() as place:
            module.check(value, place)
    except (Exception, HangError):
        return traceback.format_exc()
    return None


class Fuzzing:
    """Tries inputs of one target until the time is over; counts them, and keeps one of each failure."""

    def __init__(self, name: str, directory: Path, end: float) -> None:
        self.name = name
        self.module = target(name)
        self.directory = directory
        self.end = end
        self.tried = 0
        self.failures: Counter[str] = Counter()

    def batch(self, number: int) -> None:
        """Try the inputs that hypothesis draws from a seed."""

        @seed(number)
        @settings(
            max_examples=_BATCH,
            deadline=None,
            database=None,
            derandomize=False,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(self.module.INPUTS)
        def attempt(value: Any) -> None:
            if time.monotonic() < self.end:
                self._try(value, number)

        attempt()

    def _try(self, value: Any, number: int) -> None:
        self.tried += 1
        trace = failure(self.module, value)
        if trace is not None:
            where = "\n".join(line for line in trace.splitlines() if line.startswith("  File"))
            self.failures[where] += 1
            if self.failures[where] == 1:
                _keep(self.directory, self.name, number, value, trace)


def fuzz(name: str, seconds: float, directory: Path, number: int | None = None) -> tuple[int, int]:
    """Return how many inputs were tried and how many different failures there were; print and keep these.

    With the `number` of a seed one batch is tried, whatever the time.
    """
    fuzzing = Fuzzing(name, directory, time.monotonic() + seconds if number is None else math.inf)
    if number is not None:
        fuzzing.batch(number)
    while number is None and time.monotonic() < fuzzing.end:
        fuzzing.batch(random.SystemRandom().getrandbits(32))
    return fuzzing.tried, len(fuzzing.failures)


def _keep(directory: Path, name: str, number: int, value: Any, trace: str) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    shown = repr(value)
    file = directory / f"{name}-{hashlib.sha256(shown.encode('utf-8', 'replace')).hexdigest()[:8]}.txt"
    file.write_text(f"{name}, seed {number}\n{shown}\n\n{trace}", "utf-8", "backslashreplace")
    print(f"  {file}: {trace.strip().splitlines()[-1][:200]}")  # noqa: T201

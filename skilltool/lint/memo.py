"""Ask a rule once for all runtimes that are alike in whatever it looks at: for runs for very many runtimes.

A rule is a function of a skill and a runtime, and most look at nothing of the runtime, or at its schema only.
So what each looked at is recorded: for another runtime that has the same there, the answer is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import islice
from typing import Any, TypeVar, cast

from skilltool import runtimes
from skilltool.findings.finding import Finding
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

# Findings of one rule in one skill. A hostile file could have 200,000, and each costs 50 microseconds; real
# ones have at most dozens.
MOST = 1_000

_Answer = TypeVar("_Answer")
Question = Callable[[Skill, Runtime], _Answer]


def first_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Return what a rule finds: at most the first `MOST`, of which the last one says that there are more."""
    first = list(islice(findings, MOST + 1))
    if len(first) > MOST:
        last = first[MOST - 1]
        message = f"{last.message} (further findings are omitted after {MOST:,})"
        first[MOST - 1 :] = [last._replace(message=message)]
    return first


class _Recorder:
    """A runtime that records the names of its attributes that are read."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self.read: dict[str, None] = {}

    def __getattr__(self, name: str) -> Any:
        self.read[name] = None
        return getattr(self._runtime, name)


class Memo:
    """The answers about one skill so far."""

    def __init__(self, skill: Skill) -> None:
        """Start without answers."""
        self._skill = skill
        # By question, and by the attributes that it looked at: an answer for each kind of runtime.
        self._known: dict[Question[Any], dict[tuple[str, ...], dict[int, Any]]] = {}

    def findings(self, check: Question[Iterable[Finding]], runtime: Runtime) -> list[Finding]:
        """Return what the function of a rule finds in the skill for a runtime, as `first_findings` does."""
        return self._answer(check, runtime, first_findings)

    def ask(self, question: Question[_Answer], runtime: Runtime) -> _Answer:
        """Return `question(skill, runtime)`, which must be a value that nobody changes."""
        answer: _Answer = self._answer(question, runtime, lambda answer: answer)
        return answer

    def _answer(self, question: Question[Any], runtime: Runtime, taken: Callable[[Any], _Answer]) -> _Answer:
        known = self._known.setdefault(question, {})
        for names, answers in known.items():
            kind = _kind(names, runtime.id)
            if kind in answers:
                return cast(_Answer, answers[kind])
        recorder = _Recorder(runtime)
        answer: _Answer = taken(question(self._skill, cast(Runtime, recorder)))
        names = tuple(recorder.read)
        known.setdefault(names, {})[_kind(names, runtime.id)] = answer
        return answer


_kinds: dict[tuple[object, ...], int] = {}


@cache
def _kind(names: tuple[str, ...], runtime_id: str) -> int:
    """Return a number that runtimes share which have equal values for these attributes."""
    values = (getattr(runtimes.get(runtime_id), name) for name in names)
    return _kinds.setdefault((names, *map(_hashable, values)), len(_kinds))


def _hashable(value: object) -> object:
    """Return a value, or where it is a mapping what it is written as."""
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value

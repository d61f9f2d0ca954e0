"""Ask a rule once for all runtimes that are alike in whatever it looks at.

A rule is a function of a skill and a runtime, and most look at nothing of the runtime, or at its schema only.
So what each looked at is recorded: for another runtime that has the same there, the answer is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import Any, TypeVar, cast

from skilltool.findings.finding import Finding
from skilltool.rules import RULES
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

# Findings of one rule in one skill. A hostile file could have 200,000, and each costs 50 microseconds; real
# ones have at most dozens.
MOST = 1_000

_Answer = TypeVar("_Answer")
Question = Callable[[Skill, Runtime], _Answer]


class _Watched:
    """A runtime that records which of its attributes are read; `read` has their values."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self.read: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        value = self.read[name] = getattr(self._runtime, name)
        return value


class Answers:
    """The answers about one skill so far."""

    def __init__(self, skill: Skill) -> None:
        """Start without answers."""
        self._skill = skill
        self._known: dict[Question[Any], list[tuple[dict[str, Any], Any]]] = {}

    def findings(self, rule: str, runtime: Runtime) -> tuple[Finding, ...]:
        """Return what the rule with this id finds in the skill for a runtime: at most the first `MOST`."""
        return self.ask(_check(rule), runtime)

    def ask(self, question: Question[_Answer], runtime: Runtime) -> _Answer:
        """Return `question(skill, runtime)`, which must be a value that nobody changes."""
        known = self._known.setdefault(question, [])
        for read, answer in known:
            if all(getattr(runtime, name) == value for name, value in read.items()):
                return cast(_Answer, answer)
        watched = _Watched(runtime)
        found = question(self._skill, cast(Runtime, watched))
        known.append((watched.read, found))
        return found


@cache
def _check(rule: str) -> Question[tuple[Finding, ...]]:
    check = RULES[rule].check

    def findings(skill: Skill, runtime: Runtime) -> tuple[Finding, ...]:
        found = tuple(islice(check(skill, runtime), MOST + 1))
        return found if len(found) <= MOST else (*found[: MOST - 1], _last(found[MOST - 1]))

    return findings


def _last(finding: Finding) -> Finding:
    return finding._replace(message=f"{finding.message} (the rest is left out after {MOST:,} findings)")

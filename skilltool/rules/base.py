"""What a rule is: a module with an id, a severity, a manual and one function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.records import CollectionFinding, Record
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill


class About(Protocol):
    """What every rule says of itself; its docstring is its manual."""

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        """The manual: a first line, why it matters, `## Bad` and `## Good` examples."""

    @property
    def ID(self) -> str:  # noqa: N802 - a constant of the rule's module
        """The rule's name: the defect, in kebab case; the module has the same name."""

    @property
    def SEVERITY(self) -> Severity:  # noqa: N802 - as above
        """How bad the defect is where the target's profile does not say otherwise."""


class Rule(About, Protocol):
    """A rule about one skill; `suspicion` may have a cheap question that decides whether it is asked."""

    def check(self, skill: Skill, target: Runtime) -> Iterator[Finding]:
        """Yield each defect of `skill` for one target."""


class CollectionRule(About, Protocol):
    """A rule about all the skills of a run; it sees the records in the order of their paths.

    A module may also have `UNANIMOUS = True`: what it finds counts only if every target finds it.
    """

    def check_all(self, records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
        """Yield each defect for one target."""

"""What a rule is: a module with an id, a severity, a manual and one function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from skilltool.findings.finding import Finding, Severity
from skilltool.packages.manifest import Manifest
from skilltool.rules.records import CollectionFinding, Record
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill


class About(Protocol):
    """What every rule declares, whichever kind it is; its docstring is its manual."""

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        """The manual: a summary that completes "this rule reports ...", the reason, `## Bad` and `## Good` examples."""

    @property
    def ID(self) -> str:  # noqa: N802 - a constant of the rule's module
        """The defect in kebab case; the module has the same name in snake case."""

    @property
    def SEVERITY(self) -> Severity:  # noqa: N802 - as above
        """How bad the defect is, unless the finding or the runtime's profile sets another severity."""


class Rule(About, Protocol):
    """A rule about one skill; a question in `skilltool.rules.may_apply` may spare it the run."""

    def check(self, skill: Skill, target: Runtime) -> Iterator[Finding]:
        """Yield each defect that `skill` has in the runtime `target`."""


class CollectionRule(About, Protocol):
    """A rule about all the skills of a run, whose records it gets in the order of their paths.

    A module may also set `UNANIMOUS = True`: a finding is then reported only if every target has it for which
    its function `votes(record, target)` is true.
    """

    def check_all(self, records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
        """Yield each defect that one of the skills has in the runtime `target`."""


class PackageRule(About, Protocol):
    """A rule about one manifest of a package; the spans of its findings are offsets into that file."""

    def check_manifest(self, manifest: Manifest) -> Iterator[Finding]:
        """Yield each defect that a manifest has for its client."""

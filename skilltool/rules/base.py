"""What a rule is: a module with an id, a severity, a manual and one function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from skilltool.findings.finding import Finding, Severity
from skilltool.packages.manifest import Manifest
from skilltool.rules.records import CollectionFinding, Record
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill


class Traits(NamedTuple):
    """What the engine must know of a rule beside its severity; a module without `TRAITS` has these defaults.

    `is_refusal`: it says that a runtime does not load the skill, and another error at hand may explain that.
    `folded`: it tells a milder side of the fact for which a runtime may refuse the skill.
    `loses_text`: an error may mean that a skill loads without its fields or description, or is not listed.
    `measured`: it asks a runtime which was measured how bad the defect is there.
    `repairable`: a runtime may repair the defect, and read the frontmatter as it was meant.
    `tells_loss`: it says that all fields are lost; `told_by_loss`: such a finding tells this one, too.
    `for_owners`: a reader of the place has no objection, since the text is for the owner.
    `never_eased`: a stranger's text harms whoever installs it, or nobody can read it; that is so in any place.
    `of_length`: it reports a text over a limit, where the open specification may allow more than the card.
    `cause`: what it is about, a field (`name`) or the YAML; of several such findings at one place one is shown.
    `habitual`: where it is a warning, an author does so in every skill, and one finding counts the others.
    `once_a_run`: a finding with the same message in another skill tells nothing new.
    """

    is_refusal: bool = False
    folded: bool = False
    loses_text: bool = False
    measured: bool = False
    repairable: bool = False
    tells_loss: bool = False
    told_by_loss: bool = False
    for_owners: bool = False
    never_eased: bool = False
    of_length: bool = False
    cause: str = ""
    habitual: bool = False
    once_a_run: bool = False


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

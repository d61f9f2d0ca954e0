"""How bad is a finding? Two tables decide it, whose rows are asked in order: the first one that fits counts.

A rule states a severity, a finding may state its own, and the profile of a runtime may state another.
`FOR_TARGET` makes that agree with what the runtime does with the skill, `FOR_PLACE` with whose place the
skill lies in. At the end come the severities that the user has configured. docs/severity.md shows the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from skilltool import runtimes
from skilltool.findings.finding import Finding, Severity
from skilltool.lint.targets import COMMON, ELSEWHERE, Audience
from skilltool.packages.manifest import leading_clients
from skilltool.rules import GROUP_OF, LOADING_GROUPS, about, severity_of
from skilltool.rules.shared.text_maps import loses_description, loses_fields
from skilltool.rules.traits import traits_of
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.portable import load as load_leniently
from skilltool.runtimes.values import LoadedSkill, Refused
from skilltool.skill.model import Skill


class Rated(NamedTuple):
    """A finding of a rule for one target, with its severity there."""

    rule: str
    finding: Finding
    severity: Severity


class Case(NamedTuple):
    """What is to be rated: a finding of a rule with its severity so far, the skill, and for whom."""

    rule: str
    finding: Finding
    severity: Severity
    skill: Skill
    target: Runtime
    audience: Audience | None = None

    @property
    def outcome(self) -> LoadedSkill | Refused | None:
        """What the target makes of the skill; None for one that loads none, such as a common ground."""
        return None if self.target.load is None else self.skill.ask(self.target.load)


class Row(NamedTuple):
    """A row of a table: when it fits, as a function and in words, and the severity; None keeps it."""

    fits: Callable[[Case], bool]
    words: str
    severity: Severity | None


def _harms(case: Case) -> bool:
    return traits_of(case.rule).never_eased


def _harms_by_text(case: Case) -> bool:
    return _harms(case) and GROUP_OF[case.rule] not in LOADING_GROUPS


def _reported(case: Case) -> bool:
    return case.target.evidence == "reported"


def _mild(case: Case) -> bool:
    return case.severity is not Severity.ERROR or GROUP_OF[case.rule] not in LOADING_GROUPS


def _loads_nothing(case: Case) -> bool:
    return case.target.load is None


def _loaded(case: Case) -> bool:
    return isinstance(case.outcome, LoadedSkill)


def _loaded_and_ends(case: Case) -> bool:
    unsendable, outcome = case.target.unsendable, case.outcome
    return unsendable is not None and isinstance(outcome, LoadedSkill) and unsendable(outcome) is not None


def _loaded_unmeasured(case: Case) -> bool:
    return case.target.text_mapper is None and _loaded(case)


def _loaded_as_asked(case: Case) -> bool:
    return traits_of(case.rule).measured and _loaded(case)


def _loaded_without_description(case: Case) -> bool:
    return traits_of(case.rule).loses_text and _loaded(case) and loses_description(case.skill, case.target)


def _loaded_repaired(case: Case) -> bool:
    return traits_of(case.rule).repairable and _loaded(case) and not loses_fields(case.skill, case.target)


def _failed_before(case: Case) -> bool:
    is_of_fields = GROUP_OF[case.rule] == "frontmatter"
    return is_of_fields and isinstance(case.outcome, Refused) and case.outcome.line is not None


def _any(case: Case) -> bool:
    return True


FOR_TARGET = (
    Row(_harms_by_text, "the text is harmful", None),
    Row(_reported, "the runtime is only known from third-party reports", Severity.INFO),
    Row(_mild, "the finding is not an error, or does not affect whether the skill loads", None),
    Row(_loads_nothing, "the runtime is a format or a common subset of runtimes, which loads nothing", None),
    Row(_loaded_and_ends, "the runtime loads the skill, but cannot send a skill list that contains it", None),
    Row(
        _loaded_unmeasured,
        "the runtime loads the skill; its source code was read, but not run",
        Severity.WARNING,
    ),
    Row(_loaded_as_asked, "the runtime loads the skill, and the rule reports what is lost", None),
    Row(_loaded_without_description, "the runtime loads the skill without its description", None),
    Row(_loaded_repaired, "the runtime repairs the frontmatter and reads the intended values", Severity.INFO),
    Row(_loaded, "the runtime loads the skill", Severity.WARNING),
    Row(_failed_before, "the runtime's parser failed before it reached the field", Severity.WARNING),
    Row(_any, "the runtime does not load the skill", None),
)


def _of_leading_reader(case: Case) -> bool:
    is_leading = case.target.id in leading_clients() and case.severity is Severity.ERROR
    return is_leading and _of_reader(case) and COMMON in (case.audience.owners if case.audience else ())


def _of_reader(case: Case) -> bool:
    return case.audience is not None and case.target.id in case.audience.readers


def _is_common(case: Case) -> bool:
    return case.audience is not None and case.audience.is_common_ground(case.target.id)


def _breaks_card(case: Case) -> bool:
    return _is_common(case) and _breaks(case, ELSEWHERE)


def _of_validator_alone(case: Case) -> bool:
    is_error = case.severity is Severity.ERROR
    return _is_common(case) and is_error and isinstance(case.skill.ask(load_leniently), LoadedSkill)


def _of_validator_parser(case: Case) -> bool:
    return _of_validator_alone(case) and traits_of(case.rule).is_refusal


def _within_specification(case: Case) -> bool:
    is_library = case.audience is not None and case.audience.is_place and case.target.id == ELSEWHERE
    return is_library and traits_of(case.rule).of_length and not _breaks(case, COMMON)


def _breaks(case: Case, name: str) -> bool:
    """Return whether the text of a finding breaks the schema of the runtime `name`, too."""
    from skilltool.skill import schema

    span, schema_name = case.finding.span, runtimes.get(name).schema
    return any(
        violation.keyword in _OF_CARD and violation.span.start <= span.start <= violation.span.end
        for violation in schema.violations(case.skill.frontmatter, schema_name)
    )


# What the customer's card says of a field: its pattern, its length, that it is there, and its type.
_OF_CARD = frozenset({"pattern", "minLength", "maxLength", "required", "type"})

# The severities here are the highest ones: what is milder stays as it is.
FOR_PLACE = (
    Row(_harms, "the text is harmful, or nobody can read it", None),
    Row(
        _of_leading_reader,
        "`.agents/skills`: a leading client that reads this directory does not load the skill",
        Severity.WARNING,
    ),
    Row(_of_reader, "the runtime reads the directory, but it belongs to a different client", Severity.INFO),
    Row(_breaks_card, "`.agents/skills`: the skill also breaks the limits of `portable`", None),
    Row(
        _of_validator_parser,
        "`.agents/skills`: only the validator's parser fails, and every client loads the skill",
        Severity.INFO,
    ),
    Row(
        _of_validator_alone,
        "`.agents/skills`: only the validator rejects the skill; clients load it",
        Severity.WARNING,
    ),
    Row(
        _within_specification,
        "not a client's directory, and the length is allowed by the open specification",
        Severity.WARNING,
    ),
    Row(_any, "anywhere else", None),
)


def for_target(findings: Sequence[tuple[str, Finding]], skill: Skill, target: Runtime) -> list[Rated]:
    """Return the findings of rules, each with its severity for one target."""
    rated = []
    for rule, finding in findings:
        case = Case(rule, finding, finding.severity or severity_of(rule, target), skill, target)
        row = next(row for row in FOR_TARGET if row.fits(case))
        rated.append(Rated(rule, finding, case.severity if row.severity is None else row.severity))
    return rated


def for_place(found: Sequence[Rated], audience: Audience, skill: Skill, target: Runtime) -> Sequence[Rated]:
    """Return the findings of a target with the severities that they have in the place of the skill.

    Where a specification stands for many clients, the severities of its profile do not count.
    """
    is_common = audience.is_common_ground(target.id)
    rated = []
    for each in found:
        stated = each.finding.severity or about(each.rule).SEVERITY
        severity = min(each.severity, stated) if is_common else each.severity
        case = Case(each.rule, each.finding, severity, skill, target, audience)
        most = next(row.severity for row in FOR_PLACE if row.fits(case))
        rated.append(each._replace(severity=severity if most is None else min(severity, most)))
    return _without_told_refusal(rated) if is_common else rated


def of_reader(severity: Severity) -> Severity:
    """Return the severity of what only a reader objects to, or what is known from reports alone."""
    return min(severity, Severity.INFO)


@lru_cache(maxsize=4)
def rules_of_readers(rules: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of `rules` that say how a skill loads: what a reader can object to."""
    return tuple(rule for rule in rules if GROUP_OF[rule] in LOADING_GROUPS)


def _without_told_refusal(found: Sequence[Rated]) -> Sequence[Rated]:
    """Return the findings without a mild refusal of the validator that another one, at its line, tells."""
    begins = [each.finding.span.start for each in found if not traits_of(each.rule).is_refusal]

    def is_told(rated: Rated) -> bool:
        span = rated.finding.span
        mild = traits_of(rated.rule).is_refusal and rated.severity is not Severity.ERROR
        return mild and any(span.start <= begin <= span.end for begin in begins)

    return [each for each in found if not is_told(each)]

"""What an audience makes milder: the findings of readers, and those of a place that many clients read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from skilltool.findings.finding import Severity
from skilltool.lint.audience import Audience
from skilltool.lint.merging import LOADING_GROUPS, REFUSAL, Rated
from skilltool.rules import GROUP_OF, about
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.portable.profile import load as load_leniently
from skilltool.runtimes.values import LoadedSkill
from skilltool.skill.model import Skill

# That a reader ignores a field is no objection: the field is for the owner.
_NO_OBJECTIONS = frozenset({"unknown-field"})


@lru_cache(maxsize=4)
def rules_of_readers(rules: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of `rules` that say how a skill loads: what a reader can object to."""
    return tuple(rule for rule in rules if GROUP_OF[rule] in LOADING_GROUPS and rule not in _NO_OBJECTIONS)


def eased(found: Sequence[Rated], audience: Audience, skill: Skill, target: Runtime) -> Sequence[Rated]:
    """Return the findings of a target with the severities that they have for the audience.

    What only readers object to is information. A place of `agentskills` is read by many clients, which are
    more lenient than its validator: what that alone refuses is a warning, and the severities of the profile
    do not count.
    """
    if target.id in audience.readers:
        return [each._replace(severity=min(each.severity, Severity.INFO)) for each in found]
    return _for_clients(found, skill) if audience.is_common_ground(target.id) else found


def _for_clients(found: Sequence[Rated], skill: Skill) -> Sequence[Rated]:
    milder = []
    for rated in found:
        severity = min(rated.severity, rated.finding.severity or about(rated.rule).SEVERITY)
        if severity is Severity.ERROR and isinstance(skill.ask(load_leniently), LoadedSkill):
            severity = Severity.WARNING
        milder.append(rated._replace(severity=severity))
    return _without_told_refusal(milder)


def _without_told_refusal(found: Sequence[Rated]) -> Sequence[Rated]:
    """Return the findings without a mild refusal of the validator that another one, at its line, tells."""
    begins = [each.finding.span.start for each in found if each.rule != REFUSAL]

    def is_told(rated: Rated) -> bool:
        span = rated.finding.span
        return any(span.start <= begin <= span.end for begin in begins)

    return [
        each for each in found if each.rule != REFUSAL or each.severity is Severity.ERROR or not is_told(each)
    ]

"""All skills of a run together: the rules about many skills, on one short record per skill."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from skilltool import runtimes
from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity, stated
from skilltool.lint.settings import Settings
from skilltool.rules import COLLECTION_RULES, severity_of
from skilltool.rules.prefilters.collection_rules import PREFILTERS
from skilltool.rules.records import CollectionFinding, Record
from skilltool.runtimes.base import Runtime

if TYPE_CHECKING:
    from skilltool.lint.matrix import Row


class Together(NamedTuple):
    """What holds of all skills of a run: findings, and the rows of the matrix where it was asked for."""

    diagnostics: tuple[Diagnostic, ...] = ()
    matrix: tuple[Row, ...] = ()


def check_together(records: Sequence[Record], settings: Settings) -> Together:
    """Return what the rules about many skills find among `records`, in path order, and the matrix."""
    found = tuple(check_collection(records, settings))
    if not settings.matrix:
        return Together(found)
    from skilltool.lint import matrix

    return Together(found, matrix.build(records, list(map(runtimes.get, settings.runtimes))))


def check_collection(records: Sequence[Record], settings: Settings) -> Iterator[Diagnostic]:
    """Yield what the rules about many skills find among `records`, which are in path order."""
    targets = [runtimes.get(each) for each in settings.runtimes]
    for name in (name for name in settings.rules if name in COLLECTION_RULES):
        merged: dict[CollectionFinding, dict[str, Severity]] = {}
        for target in targets:
            if not PREFILTERS[name](records, target):
                continue
            for finding in COLLECTION_RULES[name].check_all(records, target):
                merged.setdefault(finding, {})[target.id] = severity_of(name, target)
        votes = _votes(name) if merged else None
        for finding, severities in merged.items():
            voters = [each for each in targets if votes is not None and votes(finding.record, each)]
            if all(each.id in severities for each in voters):
                yield _diagnostic(name, finding, severities)


def _votes(rule: str) -> Callable[[Record, Runtime], bool] | None:
    """Return the function that says which targets have to agree on a finding; None if one is enough."""
    module = COLLECTION_RULES[rule]
    found: Callable[[Record, Runtime], bool] | None = getattr(module, "votes", None)
    return found if getattr(module, "UNANIMOUS", False) else None


def _diagnostic(rule: str, finding: CollectionFinding, severities: dict[str, Severity]) -> Diagnostic:
    record = finding.record
    return Diagnostic(
        path=record.path,
        location=record.location,
        rule=rule,
        severity=max(severities.values()),
        message=stated(finding.message, finding.clause, list(severities)),
        help=finding.help,
        skill=record.skill,
        runtimes=tuple(severities),
    )

"""All skills of a run together: the rules about many skills, on one short record per skill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skilltool import runtimes
from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity, stated
from skilltool.lint.settings import Settings
from skilltool.rules import COLLECTION_RULES, severity_of
from skilltool.rules.prefilters.collection_rules import PREFILTERS
from skilltool.rules.records import CollectionFinding, Record


def check_collection(records: Sequence[Record], settings: Settings) -> Iterator[Diagnostic]:
    """Yield what the rules about many skills find among `records`, which are in path order."""
    for name in (name for name in settings.rules if name in COLLECTION_RULES):
        merged: dict[CollectionFinding, dict[str, Severity]] = {}
        for target in map(runtimes.get, settings.runtimes):
            if not PREFILTERS[name](records, target):
                continue
            for finding in COLLECTION_RULES[name].check_all(records, target):
                merged.setdefault(finding, {})[target.id] = severity_of(name, target)
        unanimous = bool(merged) and getattr(COLLECTION_RULES[name], "UNANIMOUS", False)
        for finding, severities in merged.items():
            if not unanimous or len(severities) == len(settings.runtimes):
                yield _diagnostic(name, finding, severities)


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

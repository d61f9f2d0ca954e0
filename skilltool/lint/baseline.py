"""A baseline: the findings of today, accepted, so that only new ones are reported.

An entry is a fingerprint of rule, skill and text, with a count. It holds no line number: a finding that
moves is still known. One more of the same kind in the same skill is new.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from skilltool.errors import ConfigError
from skilltool.files import writing
from skilltool.findings.diagnostic import Diagnostic

SCHEMA_VERSION = 1


def dumps(diagnostics: Iterable[Diagnostic]) -> str:
    """Return a baseline of these findings as JSON text, sorted, the same on every machine."""
    counts = Counter((d.skill, d.rule, d.fingerprint) for d in diagnostics)
    findings = [
        {"skill": skill, "rule": rule, "fingerprint": fingerprint, "count": count}
        for (skill, rule, fingerprint), count in sorted(counts.items())
    ]
    return json.dumps({"schema_version": SCHEMA_VERSION, "findings": findings}, indent=2) + "\n"


def write(path: Path, diagnostics: Iterable[Diagnostic]) -> None:
    """Write a baseline to `path`; raises OSError and leaves the old file."""
    writing.write_atomically(path, dumps(diagnostics).encode())


def load(path: Path) -> Counter[str]:
    """Return how often each fingerprint is accepted; raises `ConfigError` for what is no baseline."""
    try:
        data = json.loads(path.read_text("utf-8"))
        if data["schema_version"] != SCHEMA_VERSION:
            raise ConfigError(f"{path}: a baseline of version {data['schema_version']}, not {SCHEMA_VERSION}")
        return Counter({str(entry["fingerprint"]): int(entry["count"]) for entry in data["findings"]})
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; `skilltool baseline` writes one") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ConfigError(f"{path}: not a baseline; `skilltool baseline` writes one") from None


def split(
    diagnostics: Iterable[Diagnostic], accepted: Counter[str]
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Return the findings that are new and those that are accepted, each in their order."""
    left = Counter(accepted)
    new: list[Diagnostic] = []
    known: list[Diagnostic] = []
    for diagnostic in diagnostics:
        if left[diagnostic.fingerprint] > 0:
            left[diagnostic.fingerprint] -= 1
            known.append(diagnostic)
        else:
            new.append(diagnostic)
    return new, known

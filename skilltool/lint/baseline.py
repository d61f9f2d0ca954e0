"""A baseline: today's findings, accepted, so that only new ones are reported.

An entry is a fingerprint (rule, skill, the author's text and an ordinal) and the number of findings that have
it: skills of the same name in several directories share fingerprints. There are no line numbers and no
messages in it, so that a finding is still known after it has moved, and after an update of skilltool.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from skilltool.errors import ConfigError
from skilltool.files import writing
from skilltool.findings.diagnostic import Diagnostic
from skilltool.lint import over_bound

SCHEMA_VERSION = 2  # 1 hashed messages and excerpts, which no later version can compute
EMPTY: Mapping[str, int] = MappingProxyType({})


def dumps(diagnostics: Iterable[Diagnostic]) -> str:
    """Return a baseline of these findings as JSON text, sorted, the same on every machine."""
    counts = Counter((d.skill, d.rule, d.fingerprint) for d in diagnostics)
    findings = [
        {"skill": skill, "rule": rule, "fingerprint": fingerprint, "count": count}
        for (skill, rule, fingerprint), count in sorted(counts.items())
    ]
    return json.dumps({"schema_version": SCHEMA_VERSION, "findings": findings}, indent=2) + "\n"


def write(path: Path, diagnostics: Iterable[Diagnostic]) -> None:
    """Write a baseline to `path`; raises OSError and leaves the old file.

    That a skill could not be checked is never accepted.
    """
    diagnostics = [each for each in diagnostics if each.rule != over_bound.ID]
    writing.write_atomically(path, dumps(diagnostics).encode())


def load(path: Path) -> Mapping[str, int]:
    """Return how often each fingerprint is accepted; raises `ConfigError` for anything but a baseline."""
    try:
        data = json.loads(path.read_text("utf-8"))
        version = data["schema_version"]
        if version == 1:
            raise ConfigError(
                f"{path}: this baseline is of version 1, whose fingerprints changed with every wording; "
                f"renew it with `skilltool baseline -o {path}`"
            )
        if version != SCHEMA_VERSION:
            raise ConfigError(f"{path}: baseline version {version} is not supported, only {SCHEMA_VERSION}")
        return Counter({str(entry["fingerprint"]): int(entry["count"]) for entry in data["findings"]})
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; create one with `skilltool baseline`") from None
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        raise ConfigError(f"{path}: not a baseline; create one with `skilltool baseline`") from None


def split(
    diagnostics: Iterable[Diagnostic], accepted: Mapping[str, int]
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Return the findings that are new and those that are accepted, each in their order."""
    remaining = Counter(accepted)
    new: list[Diagnostic] = []
    known: list[Diagnostic] = []
    for diagnostic in diagnostics:
        if remaining[diagnostic.fingerprint] > 0:
            remaining[diagnostic.fingerprint] -= 1
            known.append(diagnostic)
        else:
            new.append(diagnostic)
    return new, known

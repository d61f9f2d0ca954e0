"""A baseline: today's findings, accepted, so that only new ones are reported.

An entry is a fingerprint (rule, skill, the author's text and an ordinal) and the number of findings that have
it: skills of the same name in several directories share fingerprints. There are no line numbers and no
messages in it, so that a finding is still known after it has moved, and after an update of skilltool.
"""

from __future__ import annotations

import errno
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from skilltool.errors import ConfigError
from skilltool.files import writing
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.findings.diagnostic import Diagnostic
from skilltool.lint import given_up

SCHEMA_VERSION = 2  # 1 hashed messages and excerpts, which no later version can compute
_MAX_BYTES = 16 * MEBIBYTE  # more than a hundred thousand findings
_WAY_OUT = "create one with `skilltool baseline`"
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
    diagnostics = [diagnostic for diagnostic in diagnostics if not given_up.is_given_up(diagnostic)]
    raw = dumps(diagnostics).encode()
    if len(raw) > _MAX_BYTES:
        raise OSError(errno.EFBIG, f"more findings than fit in {_MAX_BYTES // MEBIBYTE} MiB", str(path))
    writing.write_atomically(path, raw)


def load(path: Path) -> Mapping[str, int]:
    """Return how often each fingerprint is accepted; raises `ConfigError` for anything but a baseline."""
    try:
        data = json.loads(read_bounded(path, _MAX_BYTES))
        version = data["schema_version"]
        if version == 1:
            raise ConfigError(
                f"{path}: this baseline has format version 1, which is no longer supported; "
                f"renew it with `skilltool baseline -o {path}`"
            )
        if version != SCHEMA_VERSION:
            raise ConfigError(
                f"{path}: baseline version {version} is not supported; expected {SCHEMA_VERSION}"
            )
        return _counts(path, data["findings"])
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; {_WAY_OUT}") from None
    except json.JSONDecodeError as error:
        where = f"{path}:{error.lineno}:{error.colno}"
        raise ConfigError(f"{where}: not a baseline: not valid JSON; {_WAY_OUT}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ConfigError(f"{path}: not a baseline; {_WAY_OUT}") from None


def _counts(path: Path, findings: list[Mapping[str, object]]) -> Mapping[str, int]:
    """Return the number of each fingerprint; raises `ConfigError` for one that is not a whole number."""
    counts: Counter[str] = Counter()
    for number, entry in enumerate(findings, start=1):
        count = entry["count"]
        if not isinstance(count, int):
            raise ConfigError(
                f"{path}: `count` of entry {number} in `findings` is not an integer; {_WAY_OUT}"
            )
        counts[str(entry["fingerprint"])] = count
    return counts


def split(
    diagnostics: Iterable[Diagnostic], accepted: Mapping[str, int]
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Return the findings that are new and those that are accepted, each in their order.

    A finding that tells what another rule found is accepted where that was: rules that tell one cause change
    from release to release, and the author's text does not.
    """
    remaining = Counter(accepted)
    new: list[Diagnostic] = []
    known: list[Diagnostic] = []
    for diagnostic in diagnostics:
        prints = (diagnostic.fingerprint, *(told.fingerprint for told in diagnostic.also))
        if any(remaining[fingerprint] > 0 for fingerprint in prints):
            remaining.subtract(prints)
            known.append(diagnostic)
        else:
            new.append(diagnostic)
    return new, known

"""Check the manifests of packages: each once, for its client."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from skilltool import runtimes
from skilltool.bounds.budget import GivenUpError, InternalError, InternalReason
from skilltool.files.paths import display_path
from skilltool.findings.diagnostic import Diagnostic, locate
from skilltool.findings.finding import Finding, stated
from skilltool.lint import given_up
from skilltool.lint.settings import AUTO, Settings
from skilltool.lint.severity import of_reader
from skilltool.packages.manifest import Kind, Manifest, read_manifest
from skilltool.rules import PACKAGE_RULES

_MOST = 1_000  # findings of one rule in one manifest


def check_manifests(
    paths: Sequence[str], settings: Settings
) -> tuple[tuple[str, ...], tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """Return the paths, as reports print them, of the manifests that were checked, and what was found.

    A manifest is checked if its client is among the runtimes, or if these go by where a skill lies. What is
    only known from reports of third parties is information. Apart from these are the internal errors: the
    first of each manifest.
    """
    rules = [name for name in settings.rules if name in PACKAGE_RULES]
    checked: list[str] = []
    diagnostics: list[Diagnostic] = []
    defects: dict[str, Diagnostic] = {}
    for path in paths:
        manifest = read_manifest(path)
        if manifest is None or not _is_asked_for(manifest.kind, settings):
            continue
        checked.append(display_path(path))
        for rule in rules:
            try:
                diagnostics += _diagnostics(rule, manifest)
            except (GivenUpError, MemoryError):
                raise
            except Exception as error:
                reason = InternalReason.of(error, f"rule `{rule}`")
                defects.setdefault(path, given_up.diagnostic(Path(path), reason, settings))
    return tuple(checked), tuple(diagnostics), tuple(defects.values())


def _is_asked_for(kind: Kind, settings: Settings) -> bool:
    bare = kind.client.partition("@")[0]
    return (
        kind.has_no_client
        or AUTO in settings.runtimes
        or any(name.partition("@")[0] == bare for name in settings.runtimes)
    )


def _diagnostics(rule: str, manifest: Manifest) -> Iterator[Diagnostic]:
    for number, finding in enumerate(PACKAGE_RULES[rule].check_manifest(manifest)):
        if number >= _MOST:
            return
        yield _diagnostic(rule, finding, manifest)


def _diagnostic(rule: str, finding: Finding, manifest: Manifest) -> Diagnostic:
    client = manifest.kind.client
    severity = finding.severity or PACKAGE_RULES[rule].SEVERITY
    return Diagnostic(
        path=display_path(manifest.path),
        location=locate(manifest.source, finding.span),
        rule=rule,
        severity=of_reader(severity) if client in runtimes.REPORTED else severity,
        message=stated(finding.message, finding.clause, [client] if client else []),
        help=finding.help,
        skill=f"{manifest.top.rpartition('/')[2]}/{manifest.kind.file}",
        runtimes=(client,) if client else (),
        bom=manifest.source.bom,
        cause=finding.cause,
    )


def problem(error: GivenUpError) -> str:
    """Return the problem that the check of the manifests was ended."""
    if isinstance(error, InternalError):
        return error.reason
    return f"gave up: checking the manifests {error.with_way_out}"

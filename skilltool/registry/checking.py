"""Check one skill that stands alone: its findings, what each runtime does with it, and a sketch of its body.

This runs in a process that is ended when the skill exceeds its budget; see `shards`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from skilltool import runtimes
from skilltool.bounds.budget import Budget, GivenUpError, InternalError, InternalReason, out_of_memory
from skilltool.explain.cost import named_paths
from skilltool.files.one_run import one_run
from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity
from skilltool.findings.secrets import without_secrets
from skilltool.lint.check import check_skill
from skilltool.lint.matrix import Cell, cell_of, cells_of
from skilltool.lint.result import report_of_one
from skilltool.lint.settings import Settings
from skilltool.needs.around import Around, Known
from skilltool.needs.reading import read
from skilltool.needs.references import references
from skilltool.registry.clusters.sketch import Sketch, sketch_of
from skilltool.report.json import entry
from skilltool.rules.records import Record
from skilltool.rules.shared.projects import collections
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.values import Refused
from skilltool.skill.length import tokens
from skilltool.skill.model import Skill, load_skill
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.lazy_pattern import lazy_pattern

WORKSPACE = "skilltool-survey-"  # begins the name of the temporary directory in which skills are checked
PARENT = "registry"  # the directory around each skill; some runtime makes it a part of the key
# A path in that directory, absolute or not, up to the directory of the skill.
_TEMPORARY = lazy_pattern(
    rf"(?:[^\s`'\"(]*/)?{WORKSPACE}[a-z0-9_]{{8}}/[0-9]{{5}}(?:/{PARENT})?(?:/|(?![\w-]))"
)


class Surveyed(NamedTuple):
    """What was found in one skill: columns of its row, the rows of other tables, and a sketch of its body."""

    columns: dict[str, Any]
    findings: list[dict[str, Any]]
    verdicts: list[dict[str, Any]]
    references: list[dict[str, Any]]
    capabilities: list[dict[str, Any]]
    sketch: Sketch


# What was found, or the reason why the skill was given up, as in a `GivenUpError`.
Outcome = Surveyed | str


def survey_all(directories: Sequence[str], settings: Settings, ids: Sequence[str]) -> Iterator[Outcome]:
    """Check skills one after the other; `ids` are the runtimes that verdicts are for."""
    for directory in directories:
        try:
            yield survey_one(Path(directory), settings, ids)
        except MemoryError:
            yield out_of_memory(Budget())
        except GivenUpError as error:
            yield error.reason
        except Exception as error:  # a defect of ours in one skill must not hide the others
            yield InternalReason.of(error)


@one_run()
def survey_one(directory: Path, settings: Settings, ids: Sequence[str]) -> Surveyed:
    """Check the skill in a directory that holds nothing else; raises `GivenUpError`."""
    skill = load_skill(directory)
    checked = check_skill(skill, directory, settings)
    if checked.defect is not None:
        raise InternalError(checked.defect)
    diagnostics = report_of_one(checked, settings).diagnostics
    with skill.as_it_is_here():
        verdicts = [row for name in ids for row in _verdicts(checked.record, runtimes.get(name))]
    references, capabilities = needs_rows(skill, directory)
    return Surveyed(
        _columns(skill, diagnostics),
        [finding_row(diagnostic) for diagnostic in diagnostics],
        verdicts,
        references,
        capabilities,
        sketch_of(skill.body),
    )


def needs_rows(skill: Skill, directory: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the rows of what a skill that stands alone refers to, and of what it is seen to ask for."""
    own = Known(directory, directory.name, (), directory.name)
    found = references(skill, own, Around(directory.parent, [own]), runtimes.get("portable"))
    refers = [
        {
            "to": each.to,
            "target": without_secrets(each.target),
            "by": each.by,
            "is_note": each.is_note,
            "path": each.file,
            "line": each.line,
            "column": each.column,
            "text": placeless(each.text),
        }
        for each in found
    ]
    asks = [
        {
            "kind": row.kind,
            "what": row.what,
            "how": placeless(row.how),
            "context": row.where,
            "pinned": row.pinned,
            "path": row.file,
            "line": row.line,
            "column": row.column,
            "text": placeless(row.text),
        }
        for row in read(skill, directory).rows
    ]
    return refers, asks


def finding_row(diagnostic: Diagnostic) -> dict[str, Any]:
    """Return the row of a finding, without the id of its skill; its path is relative to the skill."""
    row: dict[str, Any] = entry(diagnostic)
    row["path"] = diagnostic.file or row["path"].rpartition("/")[2] or FILE_NAME
    for key in ("message", "help"):
        row[key] = row[key] and placeless(row[key])
    for key in ("notes", "fix"):
        row[key] = placeless(json.dumps(row[key])) if row.get(key) else None
    return row


def placeless(text: str) -> str:
    """Return a text without paths of the temporary directory: it must not depend on where that was."""
    return _TEMPORARY.sub("", text) if WORKSPACE in text else text


def _columns(skill: Skill, diagnostics: Sequence[Diagnostic]) -> dict[str, Any]:
    fields = {key: skill.frontmatter.text(key) for key in ("name", "description", "license")}
    fields = {key: text and without_secrets(text) for key, text in fields.items()}
    listed = len(fields["name"] or "") + len(fields["description"] or "")
    texts = (skill.read_text(path) for path in sorted(named_paths(skill)))
    named = sum(len(text) for text in texts if text is not None and "\0" not in text)
    return {
        "name": fields["name"],
        "description": fields["description"],
        "licence": fields["license"],
        "tokens_listing": tokens(listed),
        "tokens_body": tokens(len(skill.body)),
        "tokens_files": tokens(named),
        **severities(diagnostics),
    }


def severities(diagnostics: Sequence[Diagnostic]) -> dict[str, Any]:
    """Return the columns that count findings by severity."""
    levels = [diagnostic.severity for diagnostic in diagnostics]
    counted = {"errors": Severity.ERROR, "warnings": Severity.WARNING, "infos": Severity.INFO}
    return {name: levels.count(severity) for name, severity in counted.items()}


def _verdicts(record: Record, runtime: Runtime) -> Iterator[dict[str, Any]]:
    """Yield what a session of the runtime does with the skill, or what it loads where users name roots."""
    if runtime.any_roots and runtime.load is not None:
        outcome = runtime.load(Path(record.directory))
        yield _verdict(runtime, cell_of(outcome, runtime), outcome if isinstance(outcome, Refused) else None)
    for collection in collections([record], runtime):
        session = collection.session
        for _, cell in cells_of(collection, runtime):
            yield _verdict(runtime, cell, next(iter(session.skipped), None), session.failure)


def _verdict(
    runtime: Runtime, cell: Cell, refused: Refused | None, failure: str | None = None
) -> dict[str, Any]:
    """Return a row of the table; a skill that is not loaded has a reason, where it is known."""
    why = failure if refused is None else refused.message or refused.why
    return {
        "runtime": runtime.id,
        "state": cell.state,
        "key": cell.key and without_secrets(cell.key),
        "listed": cell.listed,
        "cut": cell.cut,
        "why": None if cell.state == "loaded" or why is None else without_secrets(placeless(why)),
    }

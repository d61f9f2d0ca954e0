"""Code actions for a finding: its fix, all safe fixes at once, a comment that suppresses it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from lsprotocol import types as lsp

from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Fix
from skilltool.fix.choose import fix_alone
from skilltool.fix.edits import check_rename
from skilltool.server.analysis import Analysis
from skilltool.server.diagnostics import lsp_diagnostic
from skilltool.server.ignore_edit import ignore_edit
from skilltool.server.workspace_edits import EditCapabilities, minimal_edits, workspace_edit
from skilltool.text.printable import printable

FIX_ALL = "source.fixAll.skilltool"
ACTION_KINDS = (lsp.CodeActionKind.QuickFix, FIX_ALL)
_CHARACTER_BUDGET = 2_000_000  # characters processed for one request
_MAX_TITLE = 150  # characters of a menu entry


def code_actions(
    analysis: Analysis, where: lsp.Range, only: Sequence[str] | None, capabilities: EditCapabilities
) -> list[lsp.CodeAction]:
    """Return the actions for the findings in a range; `only` lists the requested kinds, None means all."""
    found: list[lsp.CodeAction] = []
    if _is_requested(lsp.CodeActionKind.QuickFix, only):
        in_range = (
            each for each in analysis.diagnostics if _overlap(lsp_diagnostic(analysis, each).range, where)
        )
        diagnostics = list(islice(in_range, _max_findings(analysis)))
        for make in (_fix_actions, _ignore_actions):  # fixes come before suppressions
            found += [action for each in diagnostics for action in make(analysis, each, capabilities)]
    if _is_requested(FIX_ALL, only):
        found += _fix_all_actions(analysis, capabilities)
    return found


def _max_findings(analysis: Analysis) -> int:
    """Return how many findings of one range get actions: each action is first tried on the whole text."""
    return max(1, min(50, _CHARACTER_BUDGET // (len(analysis.document.text) + 1)))


def _is_requested(kind: str, only: Sequence[str] | None) -> bool:
    """Return whether a kind is requested, by its own name or by the name of a kind that includes it."""
    return only is None or any(kind == each or kind.startswith(f"{each}.") or not each for each in only)


def _overlap(one: lsp.Range, other: lsp.Range) -> bool:
    return one.start <= other.end and other.start <= one.end


def _fix_actions(
    analysis: Analysis, diagnostic: Diagnostic, capabilities: EditCapabilities
) -> Iterator[lsp.CodeAction]:
    fix = diagnostic.fix
    if fix is None:
        return
    safe = fix.safe and _applies(analysis, diagnostic.rule, fix, unsafe=False)
    if not safe and not _applies(analysis, diagnostic.rule, fix, unsafe=True):
        return
    rename = _feasible_rename(analysis, fix.rename)
    if rename is None and fix.rename is not None:
        return
    edit = workspace_edit(analysis, capabilities, fix.edits, rename)
    if edit is not None:
        title = f"Fix {diagnostic.rule}: {diagnostic.help or diagnostic.message}"
        title = title if len(title) <= _MAX_TITLE else f"{title[:_MAX_TITLE]}…"
        yield lsp.CodeAction(
            title=printable(title if safe else f"{title} (unsafe: changes what runtimes read)"),
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[lsp_diagnostic(analysis, diagnostic)],
            is_preferred=safe,
            edit=edit,
        )


def _applies(analysis: Analysis, rule: str, fix: Fix, unsafe: bool) -> bool:
    """Return whether `--fix`, with `--unsafe-fixes` if `unsafe`, would apply this fix."""
    if analysis.file:  # in which no runtime reads fields or a body
        return fix.safe or unsafe
    result = fix_alone(analysis.skill, (rule, fix), unsafe, analysis.runtimes)
    return not result.refused and bool(result.applied or result.renames)


def _ignore_actions(
    analysis: Analysis, diagnostic: Diagnostic, capabilities: EditCapabilities
) -> Iterator[lsp.CodeAction]:
    comment = ignore_edit(analysis, diagnostic)
    if comment is None:
        return
    in_body = bool(analysis.file) or comment.start >= analysis.text.body_span.start
    yield lsp.CodeAction(
        title=f"Ignore {diagnostic.rule} {'here' if in_body else 'in this file'} (fill in the reason)",
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[lsp_diagnostic(analysis, diagnostic)],
        edit=workspace_edit(analysis, capabilities, [comment]),
    )


def _fix_all_actions(analysis: Analysis, capabilities: EditCapabilities) -> Iterator[lsp.CodeAction]:
    """Yield what `skilltool lint --fix` would do to the file, if it would change anything."""
    if not any(each.fix is not None and each.fix.safe for each in analysis.diagnostics):
        return
    for planned in analysis.planned_fixes:
        rename = _feasible_rename(analysis, planned.rename) if capabilities.renames else None
        edits = minimal_edits(planned.before, planned.after)
        if edits or rename is not None:
            yield lsp.CodeAction(
                title="skilltool: Apply all safe fixes",
                kind=FIX_ALL,
                edit=workspace_edit(analysis, capabilities, edits, rename),
            )


def _feasible_rename(analysis: Analysis, rename: tuple[str, str] | None) -> tuple[str, str] | None:
    """Return a rename, or None if there is none or the file system does not allow it now."""
    if rename is None or not analysis.on_disk:
        return None
    try:
        check_rename(analysis.document.path.parent, rename)
    except OSError:
        return None
    return rename

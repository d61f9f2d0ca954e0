"""What an editor offers for a finding: its fix, all safe fixes at once, a comment that switches it off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from lsprotocol import types as lsp

from skilltool.findings.diagnostic import Diagnostic
from skilltool.fix.choose import fix_alone
from skilltool.fix.plan import fix_of
from skilltool.fix.renames import check_rename
from skilltool.report.printable import printable
from skilltool.server.diagnostics import shown
from skilltool.server.document import Analysis
from skilltool.server.ignore_edit import ignoring
from skilltool.server.workspace_edits import Abilities, difference, proposal

FIX_ALL = "source.fixAll.skilltool"
_CHARACTERS = 2_000_000  # that may be gone through for one question
_TITLE = 150  # characters of a menu's line
KINDS = (lsp.CodeActionKind.QuickFix, FIX_ALL)


def actions(
    analysis: Analysis, where: lsp.Range, only: Sequence[str] | None, abilities: Abilities
) -> list[lsp.CodeAction]:
    """Return what can be done about the findings in a range; `only` are kinds of actions, None for all."""
    found: list[lsp.CodeAction] = []
    if _wanted(lsp.CodeActionKind.QuickFix, only):
        meeting = (each for each in analysis.diagnostics if _meet(shown(analysis, each).range, where))
        concerned = list(islice(meeting, _most(analysis)))
        for make in (_fixing, _ignoring):  # what mends stands before what hides
            found += [action for each in concerned for action in make(analysis, each, abilities)]
    if _wanted(FIX_ALL, only):
        found += _fixing_all(analysis, abilities)
    return found


def _most(analysis: Analysis) -> int:
    """Return for how many findings of one range actions are made: each is tried on the whole text first."""
    return max(1, min(50, _CHARACTERS // (len(analysis.document.text) + 1)))


def _wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Return whether a kind is asked for, by its own name or by the name of a kind that includes it."""
    return only is None or any(kind == each or kind.startswith(f"{each}.") or not each for each in only)


def _meet(one: lsp.Range, other: lsp.Range) -> bool:
    return one.start <= other.end and other.start <= one.end


def _fixing(analysis: Analysis, diagnostic: Diagnostic, abilities: Abilities) -> Iterator[lsp.CodeAction]:
    mended = fix_of(diagnostic, analysis.skill, analysis.settings)
    if mended is None:
        return
    done = fix_alone(analysis.skill, (diagnostic.rule, mended))
    if done.refused or not (done.applied or done.renames):  # `--fix` would leave it as it is, too
        return
    rename = _possible(analysis, mended.rename)
    if rename is None and mended.rename is not None:
        return
    edit = proposal(analysis, abilities, mended.edits, rename)
    if edit is not None:
        title = f"Fix {diagnostic.rule}: {diagnostic.help or diagnostic.message}"
        title = title if len(title) <= _TITLE else f"{title[:_TITLE]}…"
        yield lsp.CodeAction(
            title=printable(title if mended.safe else f"{title} (unsafe: it changes what runtimes read)"),
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[shown(analysis, diagnostic)],
            is_preferred=mended.safe,
            edit=edit,
        )


def _ignoring(analysis: Analysis, diagnostic: Diagnostic, abilities: Abilities) -> Iterator[lsp.CodeAction]:
    comment = ignoring(analysis, diagnostic)
    if comment is None:
        return
    in_body = comment.start >= analysis.skill.frontmatter.envelope.body.start
    yield lsp.CodeAction(
        title=f"Ignore {diagnostic.rule} {'here' if in_body else 'in this file'}, with a reason to fill in",
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[shown(analysis, diagnostic)],
        edit=proposal(analysis, abilities, [comment]),
    )


def _fixing_all(analysis: Analysis, abilities: Abilities) -> Iterator[lsp.CodeAction]:
    """Yield what `skilltool lint --fix` would do to the file, if that is anything."""
    fixes = (fix_of(each, analysis.skill, analysis.settings) for each in analysis.diagnostics)
    if not any(each is not None and each.safe for each in fixes):
        return
    for change in analysis.mended:
        rename = _possible(analysis, change.rename) if abilities.renames else None
        edits = difference(change.before, change.after)
        if edits or rename is not None:
            yield lsp.CodeAction(
                title="Fix all that is safe to fix (skilltool)",
                kind=FIX_ALL,
                edit=proposal(analysis, abilities, edits, rename),
            )


def _possible(analysis: Analysis, rename: tuple[str, str] | None) -> tuple[str, str] | None:
    """Return a rename, None where there is none or something is in its way."""
    if rename is None or not analysis.on_disk:
        return None
    try:
        check_rename(analysis.document.path.parent, rename)
    except OSError:
        return None
    return rename

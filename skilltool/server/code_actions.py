"""Code actions for a finding: its fix, all safe fixes at once, a comment that suppresses it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from lsprotocol import types as lsp

from skilltool.findings.diagnostic import Diagnostic, locate
from skilltool.findings.finding import Edit, Fix, applied
from skilltool.fix.choose import fix_alone
from skilltool.fix.edits import check_rename
from skilltool.lint.ignore_comments import comments_of, ignore_comment, ignore_comments
from skilltool.lint.suppress import RULE
from skilltool.runtimes.edit_effects import Reading, readings_by_runtime
from skilltool.server.analysis import Analysis
from skilltool.server.diagnostics import lsp_diagnostic
from skilltool.server.document import sibling_uri
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.printable import printable
from skilltool.text.source import Source, Span

# A comment without a reason suppresses nothing, and only the author knows the reason.
REASON = "TODO: explain why"
# The ends of files whose comments begin with two slashes.
_SLASHES = tuple(
    ".js .mjs .cjs .ts .tsx .jsx .go .rs .java .c .cpp .cs .swift .kt .php".split()  # noqa: SIM905 - shorter
)
_INDENT = lazy_pattern(r"[ \t>]*")


def ignore_edit(analysis: Analysis, diagnostic: Diagnostic) -> Edit | None:
    """Return the edit: before the block in the body, or the line of a script, else in the frontmatter.

    None where a comment would have no effect, or would change what a runtime reads.
    """
    skill = analysis.skill
    if diagnostic.rule == RULE or not skill.was_read:
        return None
    span = analysis.positions.span(diagnostic.location)
    if analysis.file:
        edit = _in_other_text(analysis.text, diagnostic.rule, span)
        return edit if _covers(analysis, diagnostic, span, edit) else None
    candidates = _candidates(skill, diagnostic.rule, span)
    return next((edit for edit in candidates if _suppresses(skill, diagnostic, span, edit)), None)


def _candidates(skill: Skill, rule: str, span: Span) -> Iterator[Edit]:
    envelope = skill.frontmatter.envelope
    newline = "\r\n" if skill.source.newline == "\r\n" else "\n"
    if span.start >= envelope.body.start:
        at = _block_start(skill.text, span.start)
        indent = _INDENT.match(skill.source.text, at)
        comment = (indent[0] if indent else "") + ignore_comment(rule, REASON, in_body=True)
        yield Edit(at, at, comment + newline)
    if envelope.opening is not None:
        at = envelope.block.start
        yield Edit(at, at, ignore_comment(rule, REASON, in_body=False) + newline)


def _in_other_text(text: Text, rule: str, span: Span) -> Edit:
    """Return the edit before the block of a page, or before the line of a script."""
    source = text.source
    at = _block_start(text, span.start) if text.is_page else source.line_span(span.start).start
    indent = _INDENT.match(source.text, at)
    comment = ignore_comment(rule, REASON, in_body=text.is_page)
    if not text.is_page and text.file.lower().endswith(_SLASHES):
        comment = f"//{comment.removeprefix('#')}"
    newline = "\r\n" if source.newline == "\r\n" else "\n"
    return Edit(at, at, (indent[0] if indent else "") + comment + newline)


def _covers(analysis: Analysis, diagnostic: Diagnostic, span: Span, edit: Edit) -> bool:
    """Return whether the comment in a page or script covers the finding."""
    changed = Text(analysis.file, Source(applied(analysis.text.source.text, [edit])))
    moved = span.shifted(len(edit.text) if edit.start <= span.start else 0)
    there = diagnostic._replace(location=locate(changed.source, moved))
    return any(each.covers(there) for each in comments_of(changed, diagnostic.path, diagnostic.skill))


def _block_start(text: Text, offset: int) -> int:
    """Return where the block around an offset starts: its fence, or the first line after a blank one."""
    fence = next((f for f in text.markdown.fences if f.span.start <= offset < f.span.end), None)
    line = text.source.position(fence.span.start if fence else offset).line
    first = text.source.position(text.body_span.start).line
    while line > first and fence is None:
        above = text.source.line_start(line - 1)
        if not text.source[text.source.line_span(above)].strip(" \t>"):
            break
        line -= 1
    return max(text.source.line_start(line), text.body_span.start)


def _suppresses(skill: Skill, diagnostic: Diagnostic, span: Span, edit: Edit) -> bool:
    """Return whether the comment covers the finding, and every runtime reads the same skill as before."""
    text = applied(skill.source.text, [edit])
    old, new = (readings_by_runtime(each, skill.name) for each in (skill.source.text, text))
    if not all(_reads_the_same(reading, new.get(name), edit, skill) for name, reading in old.items()):
        return False
    changed = skill.with_text(Source(text))
    moved = span.shifted(len(edit.text) if edit.start <= span.start else 0)
    there = diagnostic._replace(location=locate(changed.source, moved))
    return any(each.covers(there) for each in ignore_comments(changed, diagnostic.path))


def _reads_the_same(old: Reading, new: Reading | None, edit: Edit, skill: Skill) -> bool:
    """Compare two readings; a comment in the body may change the body."""
    if new is None or edit.start < skill.frontmatter.envelope.body.start:
        return old == new
    return (old.name, old.description) == (new.name, new.description)


@dataclass(frozen=True, slots=True)
class EditCapabilities:
    """What the editor supports: edits of one version of a document (`versions`), and renames of files."""

    versions: bool = False
    renames: bool = False

    @classmethod
    def of(cls, capabilities: lsp.ClientCapabilities) -> EditCapabilities:
        """Read them from the capabilities that the client announced."""
        workspace = capabilities.workspace
        edit = workspace.workspace_edit if workspace else None
        if edit is None or not edit.document_changes:
            return cls()
        return cls(True, lsp.ResourceOperationKind.Rename in (edit.resource_operations or ()))


def workspace_edit(
    analysis: Analysis,
    capabilities: EditCapabilities,
    edits: Sequence[Edit],
    rename: tuple[str, str] | None = None,
) -> lsp.WorkspaceEdit | None:
    """Combine edits of the document and then a rename; return None if the editor cannot rename.

    `rename` is from and to, relative to the skill's directory, as in a `Fix`.
    """
    if rename is not None and not capabilities.renames:
        return None
    document = analysis.document
    changes = [_text_edit(analysis, edit) for edit in edits]
    if not capabilities.versions:
        return lsp.WorkspaceEdit(changes={document.uri: changes})
    identifier = lsp.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    steps: list[lsp.TextDocumentEdit | lsp.RenameFile | lsp.CreateFile | lsp.DeleteFile] = []
    if changes:
        steps.append(lsp.TextDocumentEdit(identifier, [*changes]))
    if rename is not None:
        # Never overwrite: by the time the editor acts, our own check may be out of date.
        old, new = (sibling_uri(document.uri, name) for name in rename)
        options = lsp.RenameFileOptions(overwrite=False, ignore_if_exists=False)
        steps.append(lsp.RenameFile(old_uri=old, new_uri=new, options=options))
    return lsp.WorkspaceEdit(document_changes=steps)


def minimal_edits(before: str, after: str) -> list[Edit]:
    """Return the one edit from `before` to `after`, without what starts and ends both; none if equal."""
    if before == after:
        return []
    start = _common_prefix(before, after)
    end = _common_prefix(before[start:][::-1], after[start:][::-1])
    return [Edit(start, len(before) - end, after[start : len(after) - end])]


def _common_prefix(one: str, other: str) -> int:
    """Return with how many equal characters two texts start."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _text_edit(analysis: Analysis, edit: Edit) -> lsp.TextEdit:
    start, end, text = edit.start, edit.end, edit.text
    whole = analysis.document.text
    # The protocol has no position between the two characters of a CRLF.
    if whole[start - 1 : start + 1] == "\r\n":
        start, text = start - 1, "\r" + text
    if whole[end - 1 : end + 1] == "\r\n":
        end, text = end + 1, text + "\n"
    return lsp.TextEdit(analysis.positions.range(Span(start, end)), text)


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
            diagnostic
            for diagnostic in analysis.diagnostics
            if _overlap(lsp_diagnostic(analysis, diagnostic).range, where)
        )
        diagnostics = list(islice(in_range, _max_findings(analysis)))
        for make in (_fix_actions, _ignore_actions):  # fixes come before suppressions
            found += [
                action for diagnostic in diagnostics for action in make(analysis, diagnostic, capabilities)
            ]
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
    if not any(diagnostic.fix is not None and diagnostic.fix.safe for diagnostic in analysis.diagnostics):
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

"""Edits and renames in the forms of the protocol, according to what the editor supports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lsprotocol import types as lsp

from skilltool.findings.finding import Edit
from skilltool.server.analysis import Analysis
from skilltool.server.uris import sibling_uri
from skilltool.text.source import Span


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

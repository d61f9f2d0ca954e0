"""Edits and renames as proposals to the editor, in the forms that it understands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lsprotocol import types as lsp

from skilltool.findings.finding import Edit
from skilltool.server.document import Analysis
from skilltool.server.uris import beside
from skilltool.text.source import Span


@dataclass(frozen=True, slots=True)
class Abilities:
    """What the editor can do with a proposal: check the version it was made for, and rename files."""

    versions: bool = False
    renames: bool = False

    @classmethod
    def of(cls, capabilities: lsp.ClientCapabilities) -> Abilities:
        """Read them from what the client said of itself."""
        workspace = capabilities.workspace
        edit = workspace.workspace_edit if workspace else None
        if edit is None or not edit.document_changes:
            return cls()
        return cls(True, lsp.ResourceOperationKind.Rename in (edit.resource_operations or ()))


def proposal(
    analysis: Analysis, abilities: Abilities, edits: Sequence[Edit], rename: tuple[str, str] | None = None
) -> lsp.WorkspaceEdit | None:
    """Return edits of the document, then a rename, as one proposal; None if the editor cannot rename.

    `rename` is from and to, relative to the skill's directory, as in a `Fix`.
    """
    if rename is not None and not abilities.renames:
        return None
    document = analysis.document
    changes = [_text_edit(analysis, edit) for edit in edits]
    if not abilities.versions:
        return lsp.WorkspaceEdit(changes={document.uri: changes})
    identifier = lsp.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    steps: list[lsp.TextDocumentEdit | lsp.RenameFile | lsp.CreateFile | lsp.DeleteFile] = []
    if changes:
        steps.append(lsp.TextDocumentEdit(identifier, [*changes]))
    if rename is not None:
        # Never over something that is there; the check of ours may be old when the editor acts.
        old, new = (beside(document.uri, name) for name in rename)
        options = lsp.RenameFileOptions(overwrite=False, ignore_if_exists=False)
        steps.append(lsp.RenameFile(old_uri=old, new_uri=new, options=options))
    return lsp.WorkspaceEdit(document_changes=steps)


def difference(before: str, after: str) -> list[Edit]:
    """Return the one edit that makes `after` of `before` and leaves alone what begins and ends them alike."""
    if before == after:
        return []
    start = _alike(before, after)
    end = _alike(before[start:][::-1], after[start:][::-1])
    return [Edit(start, len(before) - end, after[start : len(after) - end])]


def _alike(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _text_edit(analysis: Analysis, edit: Edit) -> lsp.TextEdit:
    start, end, text = edit.start, edit.end, edit.text
    whole = analysis.document.text
    # No position of the protocol lies between the two characters of a line end.
    if whole[start - 1 : start + 1] == "\r\n":
        start, text = start - 1, "\r" + text
    if whole[end - 1 : end + 1] == "\r\n":
        end, text = end + 1, text + "\n"
    return lsp.TextEdit(analysis.positions.range(Span(start, end)), text)

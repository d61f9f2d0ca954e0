"""Edits in the form of the protocol are as small as possible, and never end between the parts of a CRLF."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from skilltool.findings.finding import Edit, applied
from skilltool.server.analysis import Analysis, Editor
from skilltool.server.code_actions import EditCapabilities, minimal_edits, workspace_edit
from skilltool.server.document import Document

TEXT = "ab\r\ncd\r\n"
FILE = Path("/a/SKILL.md")


def analysis() -> Analysis:
    return Analysis(Document.of(FILE.as_uri(), FILE, 7, TEXT), Editor("utf-16"))


def written(*edits: Edit) -> list[tuple[int, int, int, int, str]]:
    made = workspace_edit(analysis(), EditCapabilities(), edits)
    assert made is not None
    assert made.changes is not None
    ((uri, found),) = made.changes.items()
    assert uri == FILE.as_uri()
    return [
        (
            each.range.start.line,
            each.range.start.character,
            each.range.end.line,
            each.range.end.character,
            each.new_text,
        )
        for each in found
    ]


@pytest.mark.parametrize(
    ("edit", "sent"),
    [
        (Edit(0, 1, "x"), (0, 0, 0, 1, "x")),
        (Edit(2, 4, "x"), (0, 2, 1, 0, "x")),
        (Edit(4, 5, "x"), (1, 0, 1, 1, "x")),
        (Edit(3, 4, "x"), (0, 2, 1, 0, "\rx")),  # only the line feed
        (Edit(1, 3, "x"), (0, 1, 1, 0, "x\n")),  # only the carriage return
        (Edit(3, 3, "x"), (0, 2, 1, 0, "\rx\n")),
        (Edit(2, 2, "x"), (0, 2, 0, 2, "x")),
        (Edit(8, 8, "x"), (2, 0, 2, 0, "x")),
    ],
)
def test_an_edit_within_a_line_end_takes_all_of_it(edit: Edit, sent: tuple[int, int, int, int, str]) -> None:
    assert written(edit) == [sent]


def test_an_editor_that_knows_versions_gets_one_and_the_rename_comes_last() -> None:
    edits, rename = [Edit(0, 1, "x")], ("SKILL.md", "../b/SKILL.md")
    assert workspace_edit(analysis(), EditCapabilities(True), edits, rename) is None
    for given_edits in (edits, []):
        made = workspace_edit(analysis(), EditCapabilities(True, True), given_edits, rename)
        assert made is not None
        assert made.changes is None
        *before, last = made.document_changes or ()
        assert isinstance(last, lsp.RenameFile)
        assert (last.old_uri, last.new_uri) == ("file:///a/SKILL.md", "file:///b/SKILL.md")
        assert last.options == lsp.RenameFileOptions(overwrite=False, ignore_if_exists=False)
        assert [each.text_document.version for each in before if isinstance(each, lsp.TextDocumentEdit)] == [
            7
        ] * len(given_edits)


@pytest.mark.parametrize(
    ("changes", "operations", "expected"),
    [
        (True, [lsp.ResourceOperationKind.Rename], EditCapabilities(True, True)),
        (True, [lsp.ResourceOperationKind.Create], EditCapabilities(True, False)),
        (True, None, EditCapabilities(True, False)),
        (False, [lsp.ResourceOperationKind.Rename], EditCapabilities(False, False)),
        (None, None, EditCapabilities(False, False)),
    ],
)
def test_what_an_editor_supports_is_what_it_announces(
    changes: bool | None, operations: list[lsp.ResourceOperationKind] | None, expected: EditCapabilities
) -> None:
    edit = lsp.WorkspaceEditClientCapabilities(document_changes=changes, resource_operations=operations)
    client = lsp.ClientCapabilities(workspace=lsp.WorkspaceClientCapabilities(workspace_edit=edit))
    assert EditCapabilities.of(client) == expected
    for nothing in (
        lsp.ClientCapabilities(),
        lsp.ClientCapabilities(workspace=lsp.WorkspaceClientCapabilities()),
    ):
        assert EditCapabilities.of(nothing) == EditCapabilities(False, False)


@given(st.text("ab", max_size=8), st.text("ab", max_size=8))
def test_the_smallest_edit_leaves_what_both_texts_begin_and_end_with(before: str, after: str) -> None:
    edits = minimal_edits(before, after)
    assert applied(before, edits) == after
    assert len(edits) == (before != after)
    for edit in edits:
        removed = before[edit.start : edit.end]
        assert removed[:1] != edit.text[:1] or not removed or not edit.text
        assert removed[-1:] != edit.text[-1:] or not removed or not edit.text

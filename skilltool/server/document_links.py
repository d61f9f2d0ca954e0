"""Links of a page to files of the skill, which an editor can open."""

from __future__ import annotations

from lsprotocol import types as lsp

from skilltool.rules.shared.links import local_target, relative
from skilltool.server.analysis import Analysis
from skilltool.server.document import sibling_uri


def document_links(analysis: Analysis) -> list[lsp.DocumentLink]:
    """Return the links to files that exist inside the skill, symbolic links resolved."""
    skill = analysis.skill
    if not analysis.on_disk or not skill.was_read:
        return []
    found: list[lsp.DocumentLink] = []
    text = analysis.text
    for link in text.markdown.links if text.is_page else ():
        target = local_target(link.target, "", text.directory)
        if target is None or target.escapes or target.path == ".":
            continue
        if skill.file(target.path) is not None:
            where = analysis.positions.range(link.target_span)
            found.append(
                lsp.DocumentLink(
                    where, target=sibling_uri(analysis.document.uri, relative(text, target.path))
                )
            )
    return found

"""Links of the body that lead to files of the skill."""

from __future__ import annotations

from lsprotocol import types as lsp

from skilltool.rules.shared.link_targets import local_target
from skilltool.server.document import Analysis
from skilltool.server.uris import beside


def links(analysis: Analysis) -> list[lsp.DocumentLink]:
    """Return the links that lead to a file that is there and in the skill, also behind symbolic links."""
    skill = analysis.skill
    if not analysis.on_disk or not skill.was_read:
        return []
    found: list[lsp.DocumentLink] = []
    for link in skill.markdown.links:
        place = local_target(link.target)
        if place is None or place.escapes or place.path == ".":
            continue
        if skill.file(place.path) is not None:
            where = analysis.positions.range(link.target_span)
            found.append(lsp.DocumentLink(where, target=beside(analysis.document.uri, place.path)))
    return found

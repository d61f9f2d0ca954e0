"""Handles YAML for python-frontmatter, with exact spans and without constructing Python objects from tags.

The library strips the text, drops a byte order mark and converts CRLF to LF before its handler sees the text,
which would lose the offsets. This handler is created for one text, splits that text itself, and keeps the
node tree for its creator.
"""

from __future__ import annotations

from frontmatter.default_handlers import BaseHandler

from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.envelope import Envelope
from skilltool.text.frontmatter.nodes import Document, Mapping, Plain, mapping
from skilltool.text.source import Span


class SpanHandler(BaseHandler):
    """Reads the frontmatter of one document whose `envelope` is known.

    After `frontmatter.parse("", handler=handler)`, `document` is the node tree, with offsets into the
    document, and `data` the same as plain data.
    """

    START_DELIMITER = END_DELIMITER = "---"

    def __init__(self, text: str, envelope: Envelope) -> None:
        """Take the exact text of the document; the text that the library passes to `split` is ignored."""
        self._text = text
        self._envelope = envelope
        self.document = Document(None, ())
        self.data: dict[str, Plain] = {}

    def detect(self, text: str) -> bool:
        """Return whether the document has both markers."""
        return self._envelope.closing is not None

    def split(self, text: str) -> tuple[str, str]:
        """Return the YAML block and the body; raises ValueError if there is no block."""
        if not self.detect(text):
            raise ValueError("no frontmatter")
        return self._cut(self._envelope.block), self._cut(self._envelope.body)

    def load(self, fm: str) -> dict[str, Plain]:
        """Return the block as plain data, `{}` if it is empty or not a mapping; raises `YamlError`."""
        self.document = compose(fm, self._envelope.block.start)
        if isinstance(self.document.root, Mapping):
            self.data = mapping(self.document.root)
        return self.data

    def _cut(self, span: Span) -> str:
        return self._text[span.start : span.end]

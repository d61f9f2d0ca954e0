"""Parses the body of a skill into headings, links, images, code and comments, each with its exact span."""

from skilltool.text.markdown.anchors import anchors
from skilltool.text.markdown.parts import Code, Comment, Fence, Heading, Link, Markdown
from skilltool.text.markdown.reading import read

__all__ = ["Code", "Comment", "Fence", "Heading", "Link", "Markdown", "anchors", "read"]

"""The text files of a skill: its SKILL.md, and every page, script and data file that a model may read or run.

A file is text if it is UTF-8 and has no NUL among its first `_SNIFFED` bytes; any other is passed over. Links
are not followed, and files of a skill nested in this one belong to that.
"""

from __future__ import annotations

import codecs
import os
import posixpath
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from skilltool.bounds.budget import Budget
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES, read_if
from skilltool.text.frontmatter import envelope
from skilltool.text.source import Source, Span
from skilltool.text.unsaved import buffer_below

if TYPE_CHECKING:
    from skilltool.skill.tree import Tree
    from skilltool.text import markdown, python

MAX_TEXTS = Budget().texts  # bytes of all files of a skill that are read
_SNIFFED = 8192  # bytes
_PAGES = (".md", ".markdown")


Answer = TypeVar("Answer")


class Text:
    """One text file of a skill, and where its Markdown is.

    `file` is its path under the skill with `/`, empty for the SKILL.md itself: that of a finding in it.
    `body_span` is the Markdown of a page, which begins after the frontmatter; all of any other file.
    """

    def __init__(self, file: str, source: Source, body_span: Span | None = None) -> None:
        """Take a path and what was read; nothing is parsed before it is asked for."""
        self.file = file
        self.source = source
        self._body_span = body_span
        self._answers: dict[Callable[[Text], Any], Any] = {}

    def once(self, question: Callable[[Text], Answer]) -> Answer:
        """Return `question(self)`; the answer is kept, because prefilters and rules ask the same."""
        if question not in self._answers:
            self._answers[question] = question(self)
        answer: Answer = self._answers[question]
        return answer

    @property
    def is_page(self) -> bool:
        """Whether the file is Markdown."""
        return not self.file or self.file.lower().endswith(_PAGES)

    @property
    def directory(self) -> str:
        """The directory of the file under the skill, empty for the skill's own: links start there."""
        return posixpath.dirname(self.file)

    @cached_property
    def body_span(self) -> Span:
        """The span of the Markdown of a page, all of any other file."""
        if self._body_span is not None:
            return self._body_span
        text = self.source.text
        return envelope.split(text).body if self.is_page and "---" in text[:8] else Span(0, len(text))

    @property
    def body(self) -> str:
        """The text of `body_span`."""
        return self.source[self.body_span]

    @cached_property
    def markdown(self) -> markdown.Markdown:
        """The parsed Markdown of a page; its spans are offsets into `source`."""
        from skilltool.text import markdown

        return markdown.read(self.body, self.body_span.start)

    @cached_property
    def python(self) -> python.Script:
        """The text of a script, read as Python."""
        from skilltool.text import python

        return python.Script(self.source.text)

    @property
    def folded(self) -> bytes:
        """The text in lower case, as its `source` has it."""
        return self.source.folded


class Unread(NamedTuple):
    """A text file that is not read, and the `limit` that it, or all of them together, is over.

    `others` is how many further files were not even opened, because a limit `of_skill` was reached.
    """

    file: str
    limit: str
    others: int = 0
    of_skill: bool = False

    @property
    def bound(self) -> str:
        """Why it is not read, for a list of such files."""
        return f"{'the skill has ' if self.of_skill else ''}more than {self.limit}"


class Texts(NamedTuple):
    """The text files of a skill other than its SKILL.md, by their paths.

    `considered` are the files that were opened, of which those that are not text are passed over.
    """

    read: dict[str, Text]
    unread: tuple[Unread, ...]
    considered: frozenset[str]


NO_TEXTS = Texts({}, (), frozenset())


def read_texts(directory: Path, tree: Tree, own: str, size: int) -> Texts:
    """Read the text files under `directory`, all but `own`, the skill's file, of `size` bytes. Never raises.

    Pages come first: where there is more text than skilltool reads, other files are left out.
    """
    unsaved = buffer_below(directory)
    files = {*_own_files(tree, own), *([unsaved] if unsaved and unsaved != own else [])}
    read: dict[str, Text] = {}
    unread: list[Unread] = []
    names = sorted(files, key=lambda name: (not name.lower().endswith(_PAGES), name))
    total = size
    for number, name in enumerate(names, start=1):
        raw = _raw(f"{os.fspath(directory)}/{name}")
        source = None if raw is None or len(raw) > MAX_BYTES else _decoded(raw)
        if raw is not None and len(raw) > MAX_BYTES:
            unread.append(Unread(name, f"{MAX_BYTES >> 20} MiB"))
        elif raw is not None and source is not None:
            total += len(raw)
            if total > MAX_TEXTS:
                limit = f"{MAX_TEXTS >> 20} MiB of text"
                unread.append(Unread(name, limit, len(names) - number, of_skill=True))
                break
            read[name] = Text(name, source)
    return Texts(read, tuple(unread), frozenset(names))


def _own_files(tree: Tree, own: str) -> Iterator[str]:
    """Yield the files of a skill without those of the skills nested in it."""
    nested = {posixpath.dirname(name) for name in tree.files if name.endswith(f"/{FILE_NAME}")}
    for name in tree.files:
        if name != own and not (nested and _is_below(name, nested)):
            yield name


def _is_below(name: str, directories: set[str]) -> bool:
    parent = posixpath.dirname(name)
    while parent:
        if parent in directories:
            return True
        parent = posixpath.dirname(parent)
    return False


def _raw(path: str) -> bytes | None:
    """Return the bytes of a file if it begins like text; of a larger one `MAX_BYTES` and one more."""
    try:
        return read_if(_begins_like_text, path, _SNIFFED, MAX_BYTES + 1)
    except (OSError, ValueError):
        return None


def _begins_like_text(first: bytes) -> bool:
    if b"\0" in first:
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(first)  # the last character may be cut
    except UnicodeDecodeError:
        return False
    return True


def _decoded(raw: bytes) -> Source | None:
    try:
        return Source(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return None

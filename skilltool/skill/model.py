"""A skill: one directory with a `SKILL.md`, as the author wrote it."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from skilltool.bounds.budget import OverBudgetError, too_large
from skilltool.files.paths import cached_realpath
from skilltool.skill import tree
from skilltool.skill.length import Length, recommended
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES, SERVERS_FILE, read_skill_file, skill_file
from skilltool.skill.surroundings import Dependencies, Surroundings
from skilltool.skill.texts import MAX_TEXTS, NO_TEXTS, Text, Texts, read_texts
from skilltool.text import frontmatter
from skilltool.text.source import Source
from skilltool.text.unsaved import reading_once, unsaved_buffer

if TYPE_CHECKING:
    from skilltool.text import markdown

Answer = TypeVar("Answer")


class Skill:
    """One skill directory, read once.

    `name` is the name of the directory, `file_name` that of the file that was read: `SKILL.md`, or a file
    whose name differs in case only. `size` is its length in bytes. `unreadable` is the reason why it could
    not be read, for a message; `source` is then empty.
    """

    def __init__(
        self,
        name: str,
        file_name: str,
        source: Source,
        size: int = 0,
        unreadable: str | None = None,
        in_repository_root: bool = False,
        directory: Path = Path(),
        raw: bytes | None = None,
    ) -> None:
        """Take what was read; other files of `directory` are read only when they are asked for.

        `raw` are the bytes of its SKILL.md, if that is a file of its own and no link.
        """
        self.name = name
        self.file_name = file_name
        self.source = source
        self.size = size
        self.unreadable = unreadable
        self.in_repository_root = in_repository_root
        self.dependencies = Dependencies()
        self._directory = directory
        self._raw = raw
        self._unsaved: bytes | None = None
        self._answers: dict[Any, Any] = {}
        self._findings: dict[Any, Any] = {}
        self._read: set[str] = set()  # other files of the skill
        self._held: dict[str, bool] = {}
        self._text_bytes = size

    def with_text(self, source: Source, size: int | None = None, file_name: str | None = None) -> Skill:
        """Return the same skill with another text in its file, which counts as readable.

        `size` is the length of that text in bytes, if it is known; `file_name` a new name for the file.
        """
        size, name = self.size if size is None else size, file_name or self.file_name
        changed = Skill(self.name, name, source, size, None, self.in_repository_root, self._directory)
        changed._unsaved = source.text.encode("utf-8", "replace") if source.is_lossless else None
        if "other_texts" in self.__dict__ and name == self.file_name:
            changed.other_texts = self.other_texts
        return changed

    @cached_property
    def frontmatter(self) -> frontmatter.Frontmatter:
        """The parsed `---` block."""
        return frontmatter.read(self.source)

    @cached_property
    def max_length(self) -> Length:
        """How long the body should be at most; the settings of a run may replace it."""
        return recommended()

    @cached_property
    def text(self) -> Text:
        """The skill's file as the first of its text files."""
        return Text("", self.source, self.frontmatter.envelope.body)

    @cached_property
    def other_texts(self) -> Texts:
        """The other text files of the skill, each read once; none for a text without a directory."""
        if not self._directory.is_absolute():
            return NO_TEXTS
        texts = read_texts(self._directory, self.tree, self.file_name, self.size)
        self.dependencies.files |= texts.considered
        return texts

    @property
    def texts(self) -> tuple[Text, ...]:
        """Every text file of the skill: its own, then the others within the bounds."""
        return self.text, *self.other_texts.read.values()

    def text_of(self, file: str) -> Text | None:
        """Return the text file at a path under the skill, or the skill's own for an empty one; else None."""
        return self.other_texts.read.get(file) if file else self.text

    @property
    def markdown(self) -> markdown.Markdown:
        """The parsed body; its spans are offsets into `source`."""
        return self.text.markdown

    @cached_property
    def tree(self) -> tree.Tree:
        """The files, directories and links in the skill's directory."""
        return tree.read(self._directory)

    def require_size(self) -> None:
        """Raise `OverBudgetError` if the file, or what lies beside it, is larger than skilltool reads."""
        if self.size > MAX_BYTES:
            raise OverBudgetError(too_large(f"{MAX_BYTES >> 20} MiB in {self.file_name}"))
        if self.tree.excess is not None:
            raise OverBudgetError(self.tree.excess)

    @property
    def is_copied_repository(self) -> bool:
        """Whether the directory is a copy of a repository without its `.git`."""
        return tree.is_copied_repository(self._directory, self.tree)

    @property
    def was_read(self) -> bool:
        """Whether there is a text to check: the file could be read and has at most `MAX_BYTES`."""
        return self.unreadable is None and self.size <= MAX_BYTES

    @property
    def body(self) -> str:
        """The text after the frontmatter; the whole text if there is no frontmatter."""
        return self.source[self.frontmatter.envelope.body]

    def holds(self, relative: str) -> bool:
        """Return whether `relative`, a normalized path with `/`, exists in the skill.

        Names are case-sensitive, also on a file system that ignores case, so that a check has the same result
        on every machine. Always False for a path out of the skill.
        """
        if relative in self.tree.files or relative in self.tree.directories:
            return True
        if relative.startswith(("/", "../")) or relative == "..":
            return False
        if relative not in self._held:  # a body may name one path 100,000 times
            self._held[relative] = self._finds(relative)
        return self._held[relative]

    def _finds(self, relative: str) -> bool:
        directory = self._directory
        self.dependencies.unbounded |= not self.tree.complete
        try:
            for part in relative.split("/"):
                if part in {"", "."}:
                    continue
                if part not in os.listdir(directory):
                    return False
                directory /= part
            return directory.exists()
        except OSError:
            return False

    @cached_property
    def surroundings(self) -> Surroundings:
        """The project around the skill."""
        return Surroundings(self._directory, self.dependencies, self.in_repository_root)

    def exists_above(self, relative: str) -> bool:
        """Return whether `relative` exists in a directory of the project above the skill."""
        return self.surroundings.exists_above(relative)

    def is_beside_target(self, path: str) -> bool:
        """Return whether SKILL.md is a link, and there is something at a path beside the file it leads to.

        GitHub resolves the links of that file there; a client starts in the directory of the link.
        """
        file = self._directory / self.file_name
        if not os.path.islink(file):  # noqa: PTH114 - does not raise where it cannot be asked
            return False
        return os.path.exists(f"{cached_realpath(str(file)).rpartition(os.sep)[0]}/{path}")

    def once(self, question: Callable[..., Answer], *more: object) -> Answer:
        """Return `question(skill, *more)`, which several rules ask; the answer lasts as long as the skill."""
        key = (question, *more)
        if key not in self._findings:
            self._findings[key] = question(self, *more)
        answer: Answer = self._findings[key]
        return answer

    def ask(self, question: Callable[[Path], Answer]) -> Answer:
        """Return `question(directory)` for the skill's directory; the answer is cached.

        A text that is not on disk is read as if it were.
        """
        if question not in self._answers:
            self.dependencies.everything |= self._may_name_files
            self.file(SERVERS_FILE)
            with self.as_it_is_here():
                self._answers[question] = question(self._directory)
        answer: Answer = self._answers[question]
        return answer

    def as_it_is_here(self) -> AbstractContextManager[None]:
        """Return the context in which whoever reads the skill's file gets what this object knows of it."""
        if self._unsaved is not None:
            return unsaved_buffer(self._directory / self.file_name, self._unsaved)
        return reading_once(f"{self._directory}/{FILE_NAME}", self._raw)

    @cached_property
    def _may_name_files(self) -> bool:
        """Whether the frontmatter may name files that a runtime reads when it loads the skill."""
        block = self.source[self.frontmatter.envelope.block]
        return "toolsets" in block or "scripts" in block

    def judge(self, question: Callable[[Path, str], Answer], text: str) -> Answer:
        """Return `question(directory, text)` for the skill's directory and an author's text; not cached."""
        self.dependencies.everything = True
        return question(self._directory, text)

    def file(self, relative: str) -> Path | None:
        """Return the path of another file of the skill; None if it is missing, not a file, or a link out."""
        if not self.holds(relative):
            return None
        self.dependencies.files.add(relative)
        path = self._directory / relative
        try:
            inside = path.resolve().is_relative_to(self._directory.resolve())
            return path if inside and path.is_file() else None
        except OSError:
            return None

    def read_text(self, relative: str) -> str | None:
        """Return the text of another file of the skill; None if `file` has none or it is too large.

        Raises `OverBudgetError` if all that was read, with this file, is more text than skilltool reads.
        """
        if "other_texts" in self.__dict__ and (text := self.text_of(relative)) is not None:
            return text.source.text
        path = self.file(relative)
        try:
            if path is None or (size := path.stat().st_size) > MAX_BYTES:
                return None
            self._text_bytes += 0 if relative in self._read else size
            self._read.add(relative)
            if self._text_bytes > MAX_TEXTS:
                raise OverBudgetError(too_large(f"{MAX_TEXTS >> 20} MiB of text"))
            return Source.decode(path.read_bytes()).text
        except OSError:
            return None


def load_skill(directory: Path) -> Skill:
    """Read the skill in `directory`, which must exist; a SKILL.md that cannot be read is not an error.

    Raises OSError if the directory itself cannot be listed.
    """
    resolved = Path(cached_realpath(os.path.abspath(directory)))
    names = os.listdir(directory)
    name = skill_file(names) or FILE_NAME
    file = directory / name
    raw, size, unreadable = read_skill_file(file, resolved)
    is_link = os.path.islink(file)  # noqa: PTH114 - does not raise where it cannot be asked
    skill = Skill(
        name=resolved.name,
        file_name=name,
        source=Source.decode(raw),
        size=size,
        unreadable=unreadable,
        in_repository_root=".git" in names,
        directory=resolved,
        raw=raw if name == FILE_NAME and unreadable is None and size == len(raw) and not is_link else None,
    )
    # What a link leads to is no part of the skill's directory, and may change without it.
    skill.dependencies.unbounded = is_link
    return skill

"""A skill: one directory with a `SKILL.md`, as the author wrote it."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from skilltool.files.paths import real_path
from skilltool.skill import tree
from skilltool.skill.dependencies import Dependencies
from skilltool.skill.skill_file import FILE_NAME, skill_file
from skilltool.text import frontmatter
from skilltool.text.source import Source
from skilltool.text.unsaved import open_file

if TYPE_CHECKING:
    from skilltool.text import markdown

Answer = TypeVar("Answer")

_ABOVE = 4  # a plugin in a collection in a repository: `plugins/NAME/skills/SKILL`
MAX_BYTES = 1024 * 1024  # of SKILL.md; a larger one is reported and not read


class Skill:
    """One skill directory, read once.

    `file_name` is the name of the file that was read: `SKILL.md`, or where there is none a file
    whose name differs in case only. `unreadable` says in a few words why that file could not be
    read; `source` is then empty. `size` is its length in bytes. `name` is the directory's name.
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
    ) -> None:
        """Take what was read, and the skill's directory, in which nothing has been looked at yet."""
        self.name = name
        self.file_name = file_name
        self.source = source
        self.size = size
        self.unreadable = unreadable
        self.in_repository_root = in_repository_root
        self.dependencies = Dependencies()
        self._directory = directory
        self._answers: dict[Any, Any] = {}

    def with_text(self, source: Source, size: int | None = None, file_name: str | None = None) -> Skill:
        """Return the skill as it would be with another text in its file, which can then be read.

        `size` is its length in bytes, if that is known; `file_name` another name of the file.
        """
        size = self.size if size is None else size
        name = file_name or self.file_name
        return Skill(self.name, name, source, size, None, self.in_repository_root, self._directory)

    @cached_property
    def frontmatter(self) -> frontmatter.Frontmatter:
        """The `---` block."""
        return frontmatter.read(self.source)

    @cached_property
    def markdown(self) -> markdown.Markdown:
        """The parsed body; its spans are offsets into `source`."""
        from skilltool.text import markdown

        return markdown.read(self.body, self.frontmatter.envelope.body.start)

    @cached_property
    def tree(self) -> tree.Tree:
        """All that lies in the skill's directory."""
        return tree.read(self._directory)

    @property
    def is_copied_repository(self) -> bool:
        """Whether the directory is a repository without its `.git`: an archive or a copy of one.

        A skill in a collection (`skills/NAME`, `skills/AUTHOR/NAME`) may have such files of its own.
        """
        above = self._directory.parent
        names = {name.lower().partition(".")[0] for name in self.tree.files if "/" not in name}
        marks = "license" in names or ".gitignore" in self.tree.files or ".github" in self.tree.directories
        return "readme" in names and marks and "skills" not in (above.name, above.parent.name)

    @property
    def was_read(self) -> bool:
        """Whether there is a text to judge: the file could be read and is within `MAX_BYTES`."""
        return self.unreadable is None and self.size <= MAX_BYTES

    @property
    def body(self) -> str:
        """All text behind the frontmatter; the whole text where there is none."""
        return self.source[self.frontmatter.envelope.body]

    def holds(self, relative: str) -> bool:
        """Return whether `relative`, a normalized path with `/`, exists in the skill, case and all.

        The case of every name counts on every machine, so that a check says the same on a
        file system that ignores it. A path out of the skill is never looked at.
        """
        if relative in self.tree.files or relative in self.tree.directories:
            return True
        if relative.startswith(("/", "../")) or relative == "..":
            return False
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

    def stands_above(self, relative: str) -> bool:
        """Return whether a directory above the skill, up to the repository's root, holds the path `relative`.

        Without a repository only the nearest four directories are asked; what is there is not read.
        """
        if relative.startswith("/") or ".." in relative.split("/"):
            return False
        return any(self._exists(directory / relative) for directory in self._above)

    @cached_property
    def _above(self) -> tuple[Path, ...]:
        """The directories above the skill that belong to its project."""
        above = list(self._directory.parents)
        roots = (number for number, each in enumerate(above, start=1) if self._exists(each / ".git"))
        return tuple(above[: next(roots, _ABOVE)])

    def _exists(self, path: Path) -> bool:
        try:
            there = path.exists()
        except OSError:
            there = False
        self.dependencies.above[str(path)] = there
        return there

    def ask(self, question: Callable[[Path], Answer]) -> Answer:
        """Return what `question` says of the skill's directory; it is asked once."""
        if question not in self._answers:
            self.dependencies.everything |= self._lists_files
            self._answers[question] = question(self._directory)
        answer: Answer = self._answers[question]
        return answer

    @property
    def _lists_files(self) -> bool:
        """Whether the frontmatter may name files that a runtime reads when it loads the skill."""
        block = self.source[self.frontmatter.envelope.block]
        return "toolsets" in block or "scripts" in block

    def judge(self, verdict: Callable[[Path, str], Answer], text: str) -> Answer:
        """Return what `verdict` says of a text of the author's, in the skill's directory."""
        self.dependencies.everything = True
        return verdict(self._directory, text)

    def file(self, relative: str) -> Path | None:
        """Return another file of the skill, or None if it is missing, no file, or a link out of it."""
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
        """Return another text file of the skill, or None if it is missing, too large or a link out of it."""
        path = self.file(relative)
        try:
            if path is None or path.stat().st_size > MAX_BYTES:
                return None
            return Source.decode(path.read_bytes()).text
        except OSError:
            return None


def load_skill(directory: Path) -> Skill:
    """Read the skill in `directory`, which holds a file that `skill_file` finds. Never raises."""
    resolved = Path(real_path(os.path.abspath(directory)))
    names = os.listdir(directory)
    name = skill_file(names) or FILE_NAME
    raw, size, unreadable = _read(directory / name, resolved)
    return Skill(
        name=resolved.name,
        file_name=name,
        source=Source.decode(raw),
        size=size,
        unreadable=unreadable,
        in_repository_root=".git" in names,
        directory=resolved,
    )


def _read(path: Path, directory: Path) -> tuple[bytes, int, str | None]:
    """Return the bytes, the size, and why there are none; no link is followed out of `directory`."""
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            if path.is_symlink() and not path.resolve().is_relative_to(directory):
                return b"", 0, f"it is a link out of the skill, to `{path.readlink()}`"
            if not path.is_file():
                return b"", 0, _kind(path)
        with open_file(path) as file:
            # Python sets aside what is asked for, and a megabyte for each file costs more than reading it.
            raw = file.read(min(status.st_size, MAX_BYTES) + 1)
            if len(raw) > status.st_size:  # behind a link, held by an editor, or longer by now
                raw += file.read(MAX_BYTES + 1 - len(raw))
            size = len(raw) if len(raw) <= MAX_BYTES else file.seek(0, os.SEEK_END)
        return (raw, size, None) if size <= MAX_BYTES else (b"", size, None)
    except (OSError, RuntimeError) as error:
        return b"", 0, getattr(error, "strerror", None) or "its links go round in a circle"


def _kind(path: Path) -> str:
    """Say what stands where a file is expected."""
    if path.is_dir():
        return "it is a directory"
    if path.exists():
        return "it is not a regular file"
    return "it is a link to nothing"

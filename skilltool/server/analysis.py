"""Everything the server works out about one version of a file of a skill, or of a manifest."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from skilltool.files.one_run import one_run
from skilltool.findings.diagnostic import Diagnostic
from skilltool.fix.edits import PlannedEdit
from skilltool.fix.plan import plan
from skilltool.lint import check, config, given_up, settings
from skilltool.lint.check_alone import check_text
from skilltool.lint.config import Config
from skilltool.lint.result import Report, Together
from skilltool.lint.run import check_skills
from skilltool.lint.settings import Settings
from skilltool.lint.targets import audience_of
from skilltool.server.document import Document, Positions
from skilltool.skill.discovery.walk import skill_around, skill_at
from skilltool.skill.model import Skill, load_skill
from skilltool.skill.skill_file import may_be_skill
from skilltool.skill.texts import Text
from skilltool.text.source import Source
from skilltool.text.unsaved import unsaved_buffer


def leave_deleted_directory() -> None:
    """Change to the root if the working directory was deleted, where nothing works."""
    try:
        Path.cwd()
    except OSError:
        os.chdir(os.sep)


Known = TypeVar("Known")
_COMPARED = 2_000  # characters of a body, of which a client may make a description
_LONGEST = 20.0  # seconds that what is on disk counts as unchanged where no editor says otherwise


class Kept:
    """What was found on disk, kept from one version of a document to the next until a file changes.

    `generation` is a number that changes with the files, as far as the editor tells.
    """

    def __init__(self, generation: int = 0) -> None:
        """Start with nothing."""
        self.generation = generation
        self._made = time.monotonic()
        self._values: dict[tuple[str, str], Any] = {}

    def is_of(self, generation: int) -> bool:
        """Whether it can be used for a generation of the files."""
        return self.generation == generation and time.monotonic() - self._made < _LONGEST

    def once(self, what: str, key: str, make: Callable[[], Known]) -> Known:
        """Return what `make` returns, which is called once for each key."""
        if (what, key) not in self._values:
            self._values[what, key] = make()
        found: Known = self._values[what, key]
        return found


class Editor(NamedTuple):
    """What an editor has said of itself.

    `encoding` is that of positions: `utf-8`, `utf-16` or `utf-32`. `options` are options of `lint`. `manuals`
    is the scheme of URIs at which it shows manuals of rules, empty if it shows none.
    """

    encoding: str
    options: tuple[tuple[str, tuple[str, ...]], ...] = ()
    manuals: str = ""


class Analysis:
    """What is known about one version of a file of a skill; each part is computed on first use.

    Most parts read the disk with the editor's text in place of the file: use them on one thread only, and
    inside `using_editor_text`.
    """

    def __init__(self, document: Document, editor: Editor, kept: Kept | None = None) -> None:
        """Take the document, the editor that has it open, and what is known of other files."""
        self.document = document
        self.editor = editor
        self.kept = kept or Kept()
        self._raw = document.text.encode()

    @contextmanager
    def using_editor_text(self) -> Iterator[None]:
        """Make everything that reads the file within the context read the editor's text instead."""
        leave_deleted_directory()
        with one_run(), unsaved_buffer(self.document.path, self._raw):
            yield

    @cached_property
    def on_disk(self) -> bool:
        """Whether the file exists; one that was never saved does not."""
        return os.path.lexists(self.document.path)

    @cached_property
    def is_checked(self) -> bool:
        """Whether the document is a file of a skill, or a manifest that was saved."""
        path = self.document.path
        if self.document.is_manifest:
            return self.on_disk
        if not may_be_skill(path):
            return bool(self.file)
        return not self.on_disk or skill_at(str(path.parent), os.listdir(path.parent)) == path.name

    @cached_property
    def directory(self) -> Path:
        """The directory of the skill."""
        path = self.document.path
        return path.parent if may_be_skill(path) else skill_around(path) or path.parent

    @cached_property
    def file(self) -> str:
        """The path of the document under the skill, as in a `Diagnostic`: empty for the SKILL.md."""
        path = self.document.path
        inner = not may_be_skill(path) and skill_around(path) is not None
        return path.relative_to(self.directory).as_posix() if inner else ""

    @cached_property
    def text(self) -> Text:
        """The document as a text file of the skill; an empty one if it is none of those that are read."""
        return self.skill.text_of(self.file) or Text(self.file, Source(""))

    @cached_property
    def configuration(self) -> Config:
        """The nearest configuration; raises `ConfigError`."""
        return config.find(self.directory)

    @cached_property
    def settings(self) -> Settings:
        """The settings of `lint`; an excluded file stays excluded, since opening it is not naming it."""
        options = {**dict(self.editor.options), "force-exclude": True, "paths": [self.document.path]}
        return settings.resolve(self.configuration, options)._replace(matrix=False)

    @cached_property
    def runtimes(self) -> tuple[str, ...]:
        """The ids of the runtimes that the skill is checked against."""
        return audience_of(self.settings, self.directory).runtimes

    @cached_property
    def skill(self) -> Skill:
        """The skill with the editor's text."""
        path = self.document.path
        saved = self.on_disk or self.file
        return load_skill(self.directory) if saved else check.skill_of_text(self._raw, path)

    @cached_property
    def positions(self) -> Positions:
        """Converts between offsets into the text and positions of the protocol."""
        return Positions(Source(self.document.text), self.editor.encoding)

    @cached_property
    def report(self) -> Report:
        """The report of `skilltool lint FILE` if the file were saved now.

        What is found by comparing skills is kept until their frontmatter, the beginning of the body or
        another file changes: it takes opening each client's session with all skills.
        """
        if self.on_disk:
            known: list[Together] = self.kept.once("together", self.compared_by, list)
            return check_skills(self.settings, known=known)
        return check_text(self._raw, self.document.path, self.settings)

    @property
    def compared_by(self) -> str:
        """What other skills are compared with: the path, and the text up to the beginning of the body."""
        text = self.document.text
        end = 0 if self.file else self.skill.frontmatter.envelope.body.start + _COMPARED
        return "\0".join((str(self.document.path), repr(self.editor.options), text[:end]))

    @cached_property
    def planned_fixes(self) -> Sequence[PlannedEdit]:
        """The edits of the document by `skilltool lint --fix FILE` if it were saved now; cached."""
        edits = plan(self.settings).edits if self.on_disk else ()
        return [edit for edit in edits if edit.inner == self.file]

    @property
    def diagnostics(self) -> Sequence[Diagnostic]:
        """The findings in the document that are not suppressed, or that its skill was given up."""
        diagnostics = self.report.diagnostics
        return [
            diagnostic
            for diagnostic in diagnostics
            if diagnostic.file == self.file or given_up.is_given_up(diagnostic)
        ]

"""A document as the editor holds it, and everything that skilltool finds out about this version of it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from skilltool.findings.diagnostic import Diagnostic
from skilltool.fix.plan import plan
from skilltool.fix.planned_edits import PlannedEdit
from skilltool.lint import check, config, settings
from skilltool.lint.config import Config
from skilltool.lint.run import Run, check_text, lint_paths
from skilltool.lint.settings import Settings
from skilltool.rules.shared.collections import forget_sessions
from skilltool.server.positions import Positions
from skilltool.skill.discovery.walk import skill_at
from skilltool.skill.model import Skill, load_skill
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.source import Source
from skilltool.text.unsaved import unsaved_buffer

_HALF = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, eq=False)
class Document:
    """One version of one open document: the editor's own number for it, and its text."""

    uri: str
    path: Path
    version: int | None
    text: str

    @classmethod
    def of(cls, uri: str, path: Path, version: int | None, text: str) -> Document:
        """Take what an editor sent; half a surrogate, which no file can hold, becomes U+FFFD."""
        return cls(uri, path, version, _HALF.sub("\ufffd", text))


def may_be_skill(path: Path) -> bool:
    """Return whether a file has the name of a SKILL.md, in whatever case."""
    return path.name.lower() == FILE_NAME.lower()


def _leave_what_is_gone() -> None:
    """Leave a working directory that was deleted: no document needs it, but nothing works in it."""
    try:
        Path.cwd()
    except OSError:
        os.chdir(os.sep)


class Analysis:
    """What is known of one version of a SKILL.md; each part is found out when it is first asked for.

    Its parts are read on disk around the text: ask for them on one thread only, inside of `held`.
    """

    def __init__(self, document: Document, encoding: str) -> None:
        """Take the document, and the units of its client's positions."""
        self.document = document
        self._encoding = encoding
        self._raw = document.text.encode()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let everything read the editor's text in the place of the file."""
        forget_sessions()
        _leave_what_is_gone()
        with unsaved_buffer(self.document.path, self._raw):
            yield

    @cached_property
    def on_disk(self) -> bool:
        """Whether the file is there; one that was never saved is not."""
        return os.path.lexists(self.document.path)

    @cached_property
    def is_skill(self) -> bool:
        """Whether the document is the file that makes its directory a skill."""
        path = self.document.path
        return not self.on_disk or skill_at(str(path.parent), os.listdir(path.parent)) == path.name

    @cached_property
    def configuration(self) -> Config:
        """The nearest configuration; raises `ConfigError`."""
        return config.find(self.document.path.parent)

    @cached_property
    def settings(self) -> Settings:
        """The settings as `lint` finds them. What is excluded stays so: to open a file is not to name it."""
        return settings.resolve(self.configuration, {"force-exclude": True})._replace(matrix=False)

    @cached_property
    def skill(self) -> Skill:
        """The skill with the editor's text."""
        path = self.document.path
        return load_skill(path.parent) if self.on_disk else check.skill_of_text(self._raw, path)

    @cached_property
    def positions(self) -> Positions:
        """Between offsets into the text and positions of the protocol."""
        return Positions(Source(self.document.text), self._encoding)

    @cached_property
    def run(self) -> Run:
        """What `skilltool lint FILE` would say if the file were saved now."""
        path = self.document.path
        if self.on_disk:
            return lint_paths([path], self.settings)
        return Run(check_text(self._raw, path, self.settings), ())

    @cached_property
    def mended(self) -> Sequence[PlannedEdit]:
        """What `skilltool lint --fix FILE` would do if the file were saved now; editors ask for it often."""
        return plan([self.document.path], self.settings).changes if self.on_disk else ()

    @property
    def diagnostics(self) -> Sequence[Diagnostic]:
        """The findings that are not switched off."""
        return self.run.report.diagnostics

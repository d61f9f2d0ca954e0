"""How `preview` reads a project: sessions as `resolve` opens them, findings as `lint` has them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, NamedTuple

from skilltool.cli.answering import SETTINGS_FILES
from skilltool.cli.choosing import configured, named, opened
from skilltool.cli.opening import Given
from skilltool.files.paths import display_path

if TYPE_CHECKING:
    from skilltool.lint.settings import Settings
    from skilltool.packages.standing import Standing
    from skilltool.runtimes.base import Runtime, Session


class CommandSource(NamedTuple):
    """The options of the command; what they stand for is read again each time."""

    top: Path
    ids: tuple[str, ...]
    given: Given
    cache: Path | None

    @property
    def project(self) -> Path:
        """The directory of the project, absolute."""
        return Path(os.path.abspath(self.top))

    def settings(self) -> Settings:
        """Return the settings of `lint` for the project."""
        from skilltool.lint import config, settings

        options = {"paths": (self.top,), "runtimes": self.ids, "allow-empty": True, "cache": self.cache}
        options["looks-up"] = self.given.project is None
        return settings.resolve(config.find(self.top), options)

    def runtimes(self) -> Sequence[Runtime]:
        """Return the runtimes that the command line or the configuration names."""
        return named(self.ids) or configured(self.top)

    def open(self, runtime: Runtime, standing: Standing | None) -> Session:
        """Open a session with the values of the options, which may be told of skills."""
        return opened(self.given)(runtime, standing)

    def command(self, name: str, runtime: str, arguments: str) -> str:
        """Return the `skilltool render` that prints the text of a skill, named by key or path."""
        words = ["skilltool", "render", name, "--runtime", runtime]
        if self.given.project is not None:
            words += ["--project", display_path(self.given.project)]
        if self.given.home is not None:
            words += ["--home", display_path(self.given.home)]
        for entry in self.given.roots:
            words += ["--root", entry]
        for entry in self.given.settings:
            words += ["--set", entry]
        words += [] if self.given.user_settings else ["--no-user-settings"]
        words += ["--args", arguments] if arguments else []
        return join(words)

    def watched(self) -> Iterator[Path]:
        """Yield the directories in which a change counts."""
        from skilltool import runtimes
        from skilltool.inspect.places import places
        from skilltool.runtimes.home import user_home

        yield self.project
        asked = self.runtimes() or [runtimes.get(each) for each in runtimes.BARE]
        yield from places(asked, self.top, self.given.home or user_home())
        for entry in self.given.roots:
            yield Path(entry.rpartition("=")[2])

    def watched_files(self) -> Iterator[Path]:
        """Yield the files in which a change counts, too: our configuration, and the settings of clients."""
        from skilltool.files.repository import up_to_repository
        from skilltool.lint.config import FILE_NAMES

        yield from (top / name for top in up_to_repository(self.top) for name in FILE_NAMES)
        for parent in {self.top, *(path.parent for path in self.watched())}:
            yield from (parent / name for name in SETTINGS_FILES)

"""A made-up project with a home directory of its own, in which commands run as on a reader's machine."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType

from samples import SAMPLES

import skilltool

_TOP = Path(__file__).parents[1]
# What a clone of this repository has that a client started in the tour comes to.
_CLONED = (".agents", ".claude", "examples")
_SHIM = '#!/bin/sh\nexec "{python}" -m skilltool "$@"\n'


class Sandbox:
    """The project `SAMPLES[name]` in `/home/you/project`, a repository; `with` removes it.

    `tour` is `examples/tour` in a clone of this repository, `/home/you/skilltool`.
    """

    def __init__(self, name: str) -> None:
        """Write the files under a temporary directory, which stands for the root of the file system."""
        self._folder = tempfile.TemporaryDirectory()
        self._root = Path(self._folder.name).resolve()
        self._home = self._root / "home" / "you"
        repository = self._home / ("skilltool" if name == "tour" else "project")
        self.project = repository / "examples" / "tour" if name == "tour" else repository
        (repository / ".git").mkdir(parents=True)
        if name == "tour":
            for folder in _CLONED:
                shutil.copytree(_TOP / folder, repository / folder, symlinks=True)
        for path, text in SAMPLES.get(name, {}).items():
            file = self._home / path[2:] if path.startswith("~/") else self.project / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        programs = self._root / "bin"
        programs.mkdir()
        self.program = programs / "skilltool"
        self.program.write_text(_SHIM.format(python=sys.executable), "utf-8")
        self.program.chmod(0o755)

    def environment(self, **more: str) -> dict[str, str]:
        """Return the variables of a command: only PATH is the user's, so that all machines print the same."""
        return {
            "PATH": f"{self._root / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self._home),
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": str(Path(skilltool.__file__).parents[1]),
            "PYTHONUNBUFFERED": "1",  # keeps both streams in the order of writing
            "SKILLTOOL_CACHE_DIR": str(self._root / "cache"),
            "FORCE_HYPERLINK": "0",
            **more,
        }

    def run(self, command: str, columns: int) -> str:
        """Return what a shell command prints on both streams; exit with a message for a status above 1."""
        run = subprocess.run(
            ["sh", "-c", command],
            cwd=self.project,
            env=self.environment(NO_COLOR="1", COLUMNS=str(columns)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        if run.returncode not in (0, 1):
            sys.exit(f"`{command}` failed with status {run.returncode}:\n{run.stdout}")
        return run.stdout.replace(str(self._root), "")

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

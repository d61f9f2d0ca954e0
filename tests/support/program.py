"""A copy of the program, so that a test may change a rule or a table of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import skilltool
from skilltool._resources import data


class Program:
    """The modules and the tables of skilltool under a directory of their own."""

    def __init__(self, top: Path) -> None:
        """Copy them into a new directory `top`."""
        self.top = top
        ours = Path(skilltool.__file__).parent
        shutil.copytree(ours, top / "skilltool", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(data("schemas"), top / "schemas")

    def output(self, *arguments: str, cwd: Path) -> str:
        """Run a command of it in a directory, and return what it prints."""
        command = [sys.executable, "-m", "skilltool", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(self.top)}
        run = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
        return run.stdout

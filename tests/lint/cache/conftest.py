"""A skill whose every file counts, and runs with a cache."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from skilltool.lint.config import Config
from skilltool.lint.run import check_skills
from skilltool.lint.settings import resolve
from skilltool.report import render

COMMAND = [sys.executable, "-m", "skilltool", "lint", "--isolated", "--cache-dir"]

Lint = Callable[..., str]


def report_of(
    cache: Path | None,
    *paths: str,
    runtime: str = "auto",
    ignore: str = "",
    name_source: str = "directory",
) -> str:
    """Lint paths from the working directory and return the JSON report."""
    options = {"cache": cache, "runtimes": [runtime], "ignore": [ignore] if ignore else ()}
    config = Config({"name-source": name_source})
    settings = resolve(config, {**options, "paths": [Path(path) for path in paths or (".",)]})
    report = check_skills(settings)
    assert report.problems == ()
    return render(report, "json")


@pytest.fixture
def lint(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lint:
    """A function that lints with a cache, as `report_of` does."""
    monkeypatch.chdir(repo)
    return partial(report_of, tmp_path / "cache")


fresh = partial(report_of, None)

BODY = """---
name: pdf-tools
description: Fills in forms. Use when the user mentions a form.
toolsets: [toolsets/index:Forms]
scripts: [fill.py]
---

# Forms

Read [the guide](references/guide.md#fields), then run `scripts/fill.py` and read references/more.md.
"""


def laid(repo: Path) -> Path:
    """Write the skill whose every file the rules look at, in a repository of its own."""
    directory = repo / "skills" / "pdf-tools"
    (repo / ".git").mkdir(parents=True, exist_ok=True)
    for name, text in {
        "SKILL.md": BODY,
        "references/guide.md": "# Guide\n\n## Fields\n",
        "references/more.md": "# More\n",
        "scripts/fill.py": "",
        "toolsets/index.ts": "export class Forms {}\n",
    }.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text, "utf-8")
    return directory


@pytest.fixture
def skill(repo: Path) -> Path:
    return laid(repo)


def edit(path: Path, old: str, new: str) -> None:
    """Change a file and give it back its old time; only its `ctime` tells."""
    before = path.stat()
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

"""What does a check of 1 MiB cost, for each construct of Markdown? Processor time, the slowest first."""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.constructs import NAME, Construct, constructs
from skilltool.findings.diagnostic import numbered
from skilltool.lint.check import check_skill
from skilltool.lint.config import Config
from skilltool.lint.settings import resolve
from skilltool.skill.model import load_skill
from skilltool.skill.skill_file import MAX_BYTES

_FRONTMATTER = 4096  # bytes that are left for what is not the body


def report(only: str) -> Iterator[str]:
    """Check each construct whose name contains `only`; yield the lines of a table."""
    yield f"{'body of 1 MiB':<44}{'CPU s':>8}{'findings':>10}"
    bodies = [each for each in constructs() if each.place == "body" and only in each.name]
    rows = sorted(((*_checked(each), each.name) for each in bodies), reverse=True)
    for seconds, findings, name in rows:
        yield f"{name:<44}{seconds:>8.2f}{findings:>10,}"


def _checked(construct: Construct) -> tuple[float, int]:
    """Return the seconds that it takes to read and check a skill, and how many findings it has."""
    gc.set_threshold(20_000)  # as the command does
    size = MAX_BYTES - _FRONTMATTER
    text = construct.skill(size)
    # A construct may have characters of several bytes.
    while (length := len(text.encode())) > MAX_BYTES:
        size = size * (MAX_BYTES - _FRONTMATTER) // length
        text = construct.skill(size)
    settings = resolve(Config(), {})
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder) / NAME
        directory.mkdir()
        (directory / "SKILL.md").write_text(text, "utf-8")
        start = time.process_time()
        checked = check_skill(load_skill(directory), directory, settings)
        numbered(checked.diagnostics)
        return time.process_time() - start, len(checked.diagnostics)

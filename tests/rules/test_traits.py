"""What the engine knows of the rules without importing them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skilltool.rules import GROUP_OF, NAMES
from skilltool.rules.traits import TRAITS

_RUN = """
import sys
from skilltool.cli import main
try:
    main()
finally:
    print(*(name for name in sys.modules if name.startswith("skilltool.rules.")), file=sys.stderr)
"""


def test_traits_are_of_rules() -> None:
    """No entry outlives its rule."""
    assert set(TRAITS) <= set(NAMES)


@pytest.mark.slow
def test_a_report_of_kept_results_imports_no_rule_about_one_skill(tmp_path: Path) -> None:
    """The second of two equal runs shows the same findings without importing the rules that found them."""
    skill = tmp_path / "PDF" / "SKILL.md"
    skill.parent.mkdir()
    skill.write_text("---\nname: PDF\ndescription: Fills in forms.\n---\n[gone](gone.md)\n")
    os.utime(skill, (1_000_000_000, 1_000_000_000))
    command = [
        sys.executable,
        "-c",
        _RUN,
        "lint",
        "--isolated",
        "--cache-dir",
        tmp_path / "cache",
        skill.parent,
    ]
    first, second = (subprocess.run(command, capture_output=True, text=True, check=False) for _ in range(2))
    groups = {*GROUP_OF.values()} - {"collection", "pedantic", "package"}
    imported = [
        name for name in second.stderr.split() if name.split(".")[2] in groups and name.count(".") == 3
    ]
    assert first.stdout == second.stdout
    assert "invalid-name" in first.stdout
    assert not imported

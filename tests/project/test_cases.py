"""What `tests/support/cases.py` makes one item of: as many cases as pytest makes items, no failure lost."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

from tests.support.cases import cases

ROOT = Path(__file__).parents[2]
TABLE = '''
import pytest

@pytest.mark.together
@pytest.mark.parametrize(("number", "word"), [(1, "one"), (2, "two"), pytest.param(3, "no", id="the third")])
@pytest.mark.parametrize("places", [1, 9], ids=lambda places: f"{places}x")
def test_numbers(number, word, places, tmp_path, monkeypatch):
    """A case has what it needs for itself."""
    assert not [*tmp_path.iterdir()]
    (tmp_path / "file").touch()
    if number == 2:
        pytest.skip("has two")
    monkeypatch.setattr(pytest, "skip", None)
    assert len(word) * places in (3, 18), f"it has {len(word)}"

@pytest.mark.together
@pytest.mark.parametrize("number", [1, 2, 3])
def test_some_do_not_run(number):
    if number > 1:
        pytest.skip(f"is {number}")
'''


def run(folder: Path, *options: str, **environment: str) -> str:
    """Return what pytest prints of the table."""
    (folder / "test_table.py").write_text(TABLE, "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n  slow\n  together\n", "utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider", "-ra"]
    done = subprocess.run(
        [*command, "-c", folder / "pytest.ini", *options, folder],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


@pytest.mark.slow
def test_every_failure_of_every_case_is_told_under_its_id(tmp_path: Path) -> None:
    printed = run(tmp_path)
    assert "2 of 6 cases failed" in printed
    assert re.findall(r"^_+ (.*?) _+$", printed, re.MULTILINE) == ["test_numbers", "1x-the third", "9x-1-one"]
    assert "it has 2" in printed
    assert "1 of 3 cases passed; 1 is 2, 1 is 3" in printed
    assert "1 failed, 1 skipped in" in printed


@pytest.mark.slow
def test_apart_each_case_is_an_item_that_can_be_chosen(tmp_path: Path) -> None:
    assert "2 failed, 3 passed, 4 skipped in" in run(tmp_path, APART="1")
    assert "1 failed, 1 passed, 7 deselected in" in run(tmp_path, "-k", "third", APART="1")


@pytest.mark.slow
def test_a_test_has_as_many_cases_as_pytest_makes_items_of_it() -> None:
    files = [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if path != Path(__file__)]
    grouped = [path for path in files if "@pytest.mark.together" in path.read_text("utf-8")]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "--quiet",
        "-p",
        "no:cacheprovider",
        *grouped,
    ]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "APART": "1", "SLOW": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    items = Counter(line.partition("[")[0] for line in done.stdout.splitlines() if "::" in line)
    found = {}
    for path in grouped:
        relative = path.relative_to(ROOT)
        for name, test in vars(import_module(".".join(relative.with_suffix("").parts))).items():
            if any(mark.name == "together" for mark in getattr(test, "pytestmark", ())):
                found[f"{relative.as_posix()}::{name}"] = len(cases(test))
    assert found == {name: items[name] for name in found}
    assert sum(found.values()) > 10_000

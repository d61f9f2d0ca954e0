"""Print the table: `python -m tests.journeys`; `--help` says how to choose rows, columns and the program."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.journeys.cells import CELLS, Cell, Failure, failures
from tests.journeys.forms import FORMS


def main() -> int:
    """Run all cells, or those that the arguments choose; exit 1 if one fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.journeys", description="Places times commands.")
    parser.add_argument("--skilltool", metavar="PROGRAM", help="the program to run, such as an older one")
    parser.add_argument("--place", default="", metavar="TEXT", help="only rows with this text")
    parser.add_argument("--form", default="", metavar="TEXT", help="only columns with this text")
    parser.add_argument("--failures", action="store_true", help="print why each cell fails, after the table")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="places at a time")
    asked = parser.parse_args()
    for name in set(os.environ) - {"PATH", "TMPDIR", "LANG", "LC_ALL"}:
        del os.environ[name]
    os.environ |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    rows: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for cell in CELLS:
        row = f"{cell.place.id}, {cell.variant}"
        if asked.place in row and asked.form in cell.form.id:
            rows[cell.place.id, cell.variant].append(cell)
    program = asked.skilltool and shutil.which(asked.skilltool)
    if asked.skilltool and not program:
        parser.error(f"no program `{asked.skilltool}`")
    program = program and os.path.abspath(program)
    with ProcessPoolExecutor(asked.jobs) as pool:
        found = [*pool.map(_failures_of, rows.values(), [program] * len(rows))]
    failed = {failure.cell.id: failure for failed in found for failure in failed}
    sys.stdout.writelines(f"{line}\n" for line in _table([*rows.values()], failed))
    if asked.failures:
        sys.stdout.writelines(f"\n{failure}\n" for failure in failed.values())
    return bool(failed)


def _failures_of(cells: Sequence[Cell], program: str | None) -> list[Failure]:
    with tempfile.TemporaryDirectory(prefix="journeys") as base:
        return [*failures(cells, Path(base).resolve(), program)]


def _table(rows: Sequence[Sequence[Cell]], failed: dict[str, Failure]) -> list[str]:
    forms = [form for form in FORMS if any(cell.form == form for cells in rows for cell in cells)]
    lines = [f"{number:2} {form.id}" for number, form in enumerate(forms, 1)]
    width = max(len(f"{row[0].place.id}, {row[0].variant}") for row in rows)
    lines += ["", " " * width + "".join(f"{number:3}" for number in range(1, 1 + len(forms)))]
    for cells in rows:
        marks = {cell.form.id: "X" if cell.id in failed else "." for cell in cells}
        row = f"{cells[0].place.id}, {cells[0].variant}".ljust(width)
        row += "".join(f"{marks.get(form.id, ' '):>3}" for form in forms)
        lines.append(f"{row}  {list(marks.values()).count('.'):3} of {len(marks)}")
    total = sum(map(len, rows))
    answered = [cell.form for cells in rows for cell in cells if cell.id not in failed]
    lines += ["answered".ljust(width) + "".join(f"{answered.count(form):3}" for form in forms)]
    return [*lines, "", f"{total - len(failed)} of {total} answered"]


if __name__ == "__main__":
    sys.exit(main())

"""Compare the tables of `survey` with `lint` and with sessions on each skill alone, for every executor.

    python -m tests.judges.survey DIR [EXECUTOR...]

Each skill under DIR is copied to a directory of its own, where `lint --runtime portable` checks it and every
runtime opens a session. Findings and verdicts have to be the same, row by row, with the executors `inline`
(this process), `local` (processes) and `dask` (a cluster on this machine; left out where not installed).
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from skilltool import runtimes
from skilltool.errors import PathError
from skilltool.lint import settings
from skilltool.lint.check_alone import check_one
from skilltool.lint.config import Config
from skilltool.lint.matrix import build
from skilltool.lint.settings import Settings
from skilltool.registry.checking import PARENT
from skilltool.registry.run import Plan, survey
from skilltool.registry.shards import end_pool
from skilltool.registry.sources import open_sources
from skilltool.registry.workers import LocalWorkers, Workers
from skilltool.report.json import entry
from skilltool.rules.records import Record
from skilltool.skill.discovery import discover

COLUMNS = (
    "rule",
    "severity",
    "message",
    "help",
    "line",
    "column",
    "end_line",
    "end_column",
    "runtimes",
    "fingerprint",
)


class Inline(Executor):
    """Checks in this process."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments, **keywords))
        except Exception as error:
            future.set_exception(error)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        end_pool()


def dask() -> Workers:
    from skilltool.registry.dask_workers import DaskWorkers

    return DaskWorkers(None, 2)


EXECUTORS: dict[str, Callable[[], Workers]] = {
    "inline": lambda: Workers(Inline, 1),
    "local": lambda: LocalWorkers(2),
    "dask": dask,
}


def resolved() -> Settings:
    return settings.resolve(Config(), {"runtimes": ("portable",)})


def tables(
    top: Path, out: Path, start: Callable[[], Workers], shard: int = 50
) -> dict[str, list[dict[str, Any]]]:
    """The rows of `findings`, `verdicts` and `skills` of a survey of a directory."""
    from pyarrow import parquet

    survey(Plan(open_sources([top]), (str(top),), out, resolved(), shard=shard), start)
    return {name: parquet.read_table(out / name).to_pylist() for name in ("skills", "findings", "verdicts")}


def findings_of(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Findings of a survey, one text each."""
    return sorted(json.dumps([row["skill_id"], *(row[name] for name in COLUMNS)]) for row in rows)


def verdicts_of(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Verdicts of a survey, one text each."""
    return sorted(
        json.dumps([row[name] for name in ("skill_id", "runtime", "state", "key", "cut")]) for row in rows
    )


def expected(top: Path) -> tuple[list[str], list[str]]:
    """What `lint` finds in each skill alone, and what a session of each runtime does with it."""
    found: list[str] = []
    verdicts: list[str] = []
    targets = [runtimes.get(name) for name in runtimes.BARE]
    with tempfile.TemporaryDirectory() as folder:
        for number, skill in enumerate(discover([top]).skills):
            skill_id = skill.relative_to(top).as_posix() if skill != top else skill.name
            alone = Path(os.path.realpath(folder), f"{number:05d}", PARENT, skill.name)
            shutil.copytree(skill, alone, symlinks=True)
            try:
                entries = [entry(each) for each in check_one(alone, resolved()).diagnostics]
            except PathError:
                continue  # over a bound
            found += [json.dumps([skill_id, *(each[name] for name in COLUMNS)]) for each in entries]
            record = Record(str(alone / "SKILL.md"), str(alone), alone.name, None, check_location())
            cells = build([record], targets)[0].cells
            verdicts += [json.dumps([skill_id, name, c.state, c.key, c.cut]) for name, c in cells.items()]
    return sorted(found), sorted(verdicts)


def check_location() -> Any:
    """A location for records, of which sessions ask nothing."""
    from skilltool.findings.diagnostic import locate
    from skilltool.text.source import Source, Span

    return locate(Source(""), Span(0, 0))


def main() -> None:
    top = Path(sys.argv[1]).resolve()
    names = sys.argv[2:] or [name for name in EXECUTORS if name != "dask" or find_spec("distributed")]
    findings, verdicts = expected(top)
    print(f"{top.name}: lint alone has {len(findings):,} findings, sessions {len(verdicts):,} verdicts")
    differ = 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            rows = tables(top, Path(folder), EXECUTORS[name])
        checked = {row["skill_id"] for row in rows["skills"] if row["status"] == "checked"}
        got = findings_of(row for row in rows["findings"] if row["skill_id"] in checked)
        for what, ours, theirs in (
            ("findings", got, findings),
            ("verdicts", verdicts_of(rows["verdicts"]), verdicts),
        ):
            different = sorted({*ours} ^ {*theirs})
            differ += len(different) + abs(len(ours) - len(theirs))
            print(
                f"  {name}: {len(rows['skills']):,} skills, {len(ours):,} {what}, {len(different):,} differ"
            )
            for line in different[:10]:
                print(f"    {'survey' if line in ours else 'alone'}: {line[:300]}")
    sys.exit(int(differ > 0))


if __name__ == "__main__":
    main()

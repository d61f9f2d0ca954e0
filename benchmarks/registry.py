"""Measure `skilltool survey` on a made-up registry in Parquet: half near-copies, some skills poisoned.

    python -m benchmarks.registry [--skills 200000] [--folder DIR] [--only NAME,...]

It prints wall time, rate and the driver's peak memory of one process, two, Dask with two workers, a run that
has nothing new, and one with 1 % changed; then recall and precision of near clusters against the copies that
were made.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.corpus import write_skills

_POISONED = 20
_BATCH = 500
_SCHEMA = ("skill_id", "path", "bytes")


def poisons() -> list[bytes]:
    """Return files of skills that cost what their size does not show; each is over a bound, or nearly."""
    head = b"---\nname: x\ndescription: y\n"
    aliases = b"a: &a [x, x]\n" + b"".join(
        b"%c: &%c [*%c, *%c]\n" % (n, n, n - 1, n - 1) for n in range(ord("b"), ord("z"))
    )
    return [
        head + b"---\n" + b"x" * (2 << 20),
        head + b"a: " + b"[" * 5_000 + b"\n---\nx\n",
        head + aliases + b"---\nx\n",
        head + b"---\n" + b"[a](" * 100_000,
        head + b"triggers:\n  patterns: ['(a+)+$']\n---\n" + b"> " * 100_000,
    ]


def skills(count: int, changed: int = 0) -> Iterator[tuple[str, dict[str, bytes], int]]:
    """Yield id, files and the number of the original of each skill; `changed` of them differ from before."""
    with tempfile.TemporaryDirectory() as folder:
        originals = (count + 1) // 2
        top = Path(folder)
        write_skills(top, originals)
        every = originals // changed if changed else 0
        for number, directory in enumerate(sorted(top.iterdir(), key=lambda each: each.name[-5:])):
            paths = [path for path in directory.rglob("*") if path.is_file()]
            files = {path.relative_to(directory).as_posix(): path.read_bytes() for path in paths}
            if number < _POISONED and count > _POISONED * 10:
                files["SKILL.md"] = poisons()[number % len(poisons())] + b"%d" % number
            elif every and number % every == 0:
                files["SKILL.md"] += b"\nOne more line, which was not there before.\n"
            yield f"first/{directory.name}", files, number
            if number * 2 + 1 < count:
                yield f"fork/{directory.name}", copied(files, number), number


def copied(files: dict[str, bytes], number: int) -> dict[str, bytes]:
    """Return the files of a near-copy: a few words of the body are others."""
    chance = random.Random(number)
    words = files["SKILL.md"].split(b" ")
    for _ in range(3):
        words[chance.randrange(len(words) * 3 // 4, len(words))] = b"otherwise"
    return {**files, "SKILL.md": b" ".join(words)}


def write_table(path: Path, count: int, changed: int = 0) -> None:
    """Write the skills as a table of files."""
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([("skill_id", pa.string()), ("path", pa.string()), ("bytes", pa.binary())])
    with parquet.ParquetWriter(path, schema) as writer:
        rows: list[dict[str, object]] = []
        for skill_id, files, _ in skills(count, changed):
            rows += [dict(zip(_SCHEMA, (skill_id, name, raw), strict=True)) for name, raw in files.items()]
            if len(rows) >= _BATCH:
                writer.write_table(pa.Table.from_pylist(rows, schema))
                rows = []
        writer.write_table(pa.Table.from_pylist(rows, schema))


def measured(name: str, count: int, *arguments: str) -> float:
    """Run `survey`, print what it cost, and return the seconds of wall time."""
    command = [sys.executable, "-m", "skilltool", "survey", *arguments, "--quiet"]
    start = time.perf_counter()
    process = subprocess.Popen(command)
    memory = 0
    while process.poll() is None:
        memory = max(memory, _peak(process.pid))
        time.sleep(0.2)
    seconds = time.perf_counter() - start
    print(f"{name:<28}{seconds:>9.1f} s{count / seconds:>9.1f}/s{memory / 2**20:>8.0f} MB", flush=True)
    if process.returncode:
        sys.exit(f"{name} failed with {process.returncode}")
    return seconds


def _peak(pid: int) -> int:
    """Return the largest resident size of a process in bytes, without its children; 0 if it is not known."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii")
    except OSError:
        return 0
    found = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
    return int(found[0]) * 1024 if found else 0


def accuracy(out: Path, count: int) -> tuple[float, float]:
    """Return recall and precision of pairs in near clusters, against the copies that were made."""
    from pyarrow import parquet

    rows = parquet.read_table(out / "clusters", filters=[("kind", "=", "near")]).to_pylist()
    cluster_of = {row["skill_id"]: row["cluster"] for row in rows}
    checked = parquet.read_table(out / "skills", filters=[("status", "=", "checked")]).column("skill_id")
    known = {each for each in checked.to_pylist() if int(each[-5:]) >= _POISONED}
    pairs = [name.removeprefix("fork/") for name in known if name.startswith("fork/")]
    found = sum(cluster_of.get(f"first/{name}", "") == cluster_of.get(f"fork/{name}", "-") for name in pairs)
    sizes: dict[str, int] = {}
    for skill_id, cluster in cluster_of.items():
        sizes[cluster] = sizes.get(cluster, 0) + (skill_id in known)
    together = sum(size * (size - 1) // 2 for size in sizes.values())
    return found / max(len(pairs), 1), found / max(together, 1)


def main() -> None:
    """Parse the options, measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.registry", description="Time `survey`.")
    parser.add_argument("--skills", type=int, default=20_000)
    parser.add_argument(
        "--folder", type=Path, help="where tables are written (default: a temporary directory)"
    )
    parser.add_argument("--only", default="one,two,dask,again,changed", help="what to measure")
    options = parser.parse_args()
    count, only = options.skills, options.only.split(",")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        top = Path(folder)
        table = top / "skills.parquet"
        write_table(table, count)
        print(f"{count:,} skills, {table.stat().st_size / 1e6:.0f} MB, {os.cpu_count()} CPUs", flush=True)
        for name, extra in (("one", ("-j1",)), ("two", ("-j2",)), ("dask", ("-j2", "--executor", "dask"))):
            if name in only:
                shutil.rmtree(top / "out", ignore_errors=True)
                measured(name, count, str(table), "--out", str(top / "out"), *extra)
        if "again" in only:
            measured("again", count, str(table), "--out", str(top / "out"), "-j2")
        if "changed" in only:
            write_table(table, count, max(count // 100, 1))
            measured("1 % changed", count, str(table), "--out", str(top / "out"), "-j2")
        recall, precision = accuracy(top / "out", count)
        print(f"near clusters: recall {recall:.4f}, precision {precision:.4f}")


if __name__ == "__main__":
    main()

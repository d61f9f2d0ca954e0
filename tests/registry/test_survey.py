"""`survey`: a row for every skill, the same findings and verdicts as alone, whatever happens to workers."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="the extra `registry` is not installed")
pytest.importorskip("rensa", reason="the extra `registry` is not installed")

from pyarrow import parquet

from skilltool.errors import PathError, SkilltoolError
from skilltool.registry import tables
from skilltool.registry.run import Counts, Plan, survey
from skilltool.registry.shards import Partition, Shard
from skilltool.registry.sources import open_sources
from skilltool.registry.submitted import MAX_FILES
from skilltool.registry.workers import Workers, run_shard
from tests.conftest import Skilltool, slowest
from tests.judges.survey import EXECUTORS, Inline, expected, findings_of, resolved, verdicts_of

GOOD = (
    "---\nname: {name}\ndescription: Fills in PDF forms. Use for forms.\nlicense: MIT\n---\n\n"
    "# Forms\n\nFill it in.\n"
)
NO_FRONTMATTER = "# Nothing\n"
INLINE: Callable[[], Workers] = EXECUTORS["inline"]


def rows(out: Path, table: str) -> list[dict[str, Any]]:
    """The rows of a table, in the order of its partitions."""
    return [
        row
        for file in sorted((out / table).glob("part-*.parquet"))
        for row in parquet.read_table(file).to_pylist()
    ]


def statuses(out: Path) -> dict[str, str]:
    return {row["skill_id"]: row["status"] for row in rows(out, "skills")}


def surveyed(out: Path, *sources: Path, start: Callable[[], Workers] = INLINE, shard: int = 2) -> Counts:
    return survey(Plan(open_sources(sources), tuple(map(str, sources)), out, resolved(), shard=shard), start)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Five skills, one of which no runtime loads."""
    top = tmp_path / "library"
    for name in ("one", "two", "three", "four"):
        (top / name).mkdir(parents=True)
        (top / name / "SKILL.md").write_text(GOOD.format(name=name) + name, "utf-8")
    (top / "broken").mkdir()
    (top / "broken" / "SKILL.md").write_text(NO_FRONTMATTER, "utf-8")
    return top


@pytest.mark.parametrize("name", ["inline", "local", pytest.param("dask", marks=slowest)])
def test_findings_and_verdicts_are_those_of_each_skill_alone(
    name: str, library: Path, tmp_path: Path
) -> None:
    if name == "dask" and find_spec("distributed") is None:
        pytest.skip("the extra `dask` is not installed")
    findings, verdicts = expected(library)
    surveyed(tmp_path / "out", library, start=EXECUTORS[name])
    assert findings
    assert findings_of(rows(tmp_path / "out", "findings")) == findings
    assert verdicts_of(rows(tmp_path / "out", "verdicts")) == verdicts


def test_the_tables_have_the_columns_of_their_schema_and_no_temporary_path(
    library: Path, tmp_path: Path
) -> None:
    surveyed(tmp_path / "out", library)
    for name in tables.NAMES:
        for file in (tmp_path / "out" / name).glob("*.parquet"):
            assert parquet.read_schema(file).equals(tables.arrow_schema(name))
        assert "skilltool-survey" not in str(rows(tmp_path / "out", name))
    (run,) = rows(tmp_path / "out", "runs")
    assert (run["complete"], run["skills"], run["checked"]) == (True, 5, 5)
    by_id = {row["skill_id"]: row for row in rows(tmp_path / "out", "skills")}
    assert by_id["one"]["licence"] == "MIT"
    assert by_id["one"]["tokens_listing"] == 10
    assert by_id["broken"]["errors"] == 1


def test_a_finding_in_another_file_has_its_path_below_the_skill(library: Path, tmp_path: Path) -> None:
    (library / "one" / "references").mkdir()
    (library / "one" / "references" / "page.md").write_text("# Page\n\n[x](gone.md)\n", "utf-8")
    surveyed(tmp_path / "out", library / "one")
    paths = {row["rule"]: row["path"] for row in rows(tmp_path / "out", "findings")}
    assert paths["broken-link"] == "references/page.md"


def test_the_hash_is_the_one_that_coreutils_compute(library: Path, tmp_path: Path) -> None:
    (library / "one" / "a").mkdir()
    (library / "one" / "a" / "b.txt").write_text("b", "utf-8")
    surveyed(tmp_path / "out", library / "one")
    command = r"find . -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum"
    if sys.platform != "linux":
        pytest.skip("only GNU find has -printf")
    found = subprocess.run(
        command, shell=True, cwd=library / "one", capture_output=True, text=True, check=True
    )
    assert rows(tmp_path / "out", "skills")[0]["content_sha256"] == found.stdout.split()[0]


def lines(path: Path, *rows_of_table: dict[str, Any]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows_of_table), "utf-8")
    return path


@pytest.mark.slow
def test_a_table_an_archive_and_a_directory_of_the_same_skills_have_the_same_rows(
    library: Path, tmp_path: Path
) -> None:
    files = [path for path in sorted(library.rglob("*")) if path.is_file()]
    named = [(path.parent.name, path.name, path.read_bytes()) for path in files]
    keys = ("skill_id", "path", "bytes")
    table = lines(
        tmp_path / "t.jsonl",
        *({"skill_id": a, "path": b, "bytes": base64.b64encode(c).decode()} for a, b, c in named),
    )
    import pyarrow as pa

    parquet.write_table(
        pa.Table.from_pylist([dict(zip(keys, each, strict=True)) for each in named]), tmp_path / "t.parquet"
    )
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        for name, file, raw in named:
            archive.writestr(f"{name}/{file}", raw)
    found = []
    for source in (library, table, tmp_path / "t.parquet", tmp_path / "t.zip"):
        out = tmp_path / f"out-{source.name}"
        surveyed(out, source)
        whole = [sorted(json.dumps(row) for row in rows(out, name)) for name in ("findings", "verdicts")]
        skills = {(row["skill_id"], row["content_sha256"], row["tokens_body"]) for row in rows(out, "skills")}
        found.append((whole, skills))
    assert [each == found[0] for each in found] == [True] * 4


def test_every_input_has_a_row_whatever_is_wrong_with_it(tmp_path: Path) -> None:
    table = lines(
        tmp_path / "t.jsonl",
        {"skill_id": "a/good", "path": "SKILL.md", "text": GOOD.format(name="good")},
        {"skill_id": "a/..", "path": "SKILL.md", "text": "x"},
        {"skill_id": "climbs", "path": "../SKILL.md", "text": "x"},
        {"skill_id": "absolute", "path": "/etc/passwd", "text": "x"},
        {"skill_id": "no-bytes", "path": "SKILL.md"},
        {"skill_id": "no-skill", "path": "README.md", "text": "x"},
        {"skill_id": "twice", "path": "SKILL.md", "text": "x"},
        {"skill_id": "twice", "path": "skill.MD", "text": "x"},
        {"skill_id": "half \ud800/good", "path": "SKILL.md", "text": GOOD.format(name='"\\ud800"')},
        {"skill_id": "large", "path": "SKILL.md", "text": "x" * (2 << 20)},
        *({"skill_id": "many", "path": f"{n}", "text": ""} for n in range(MAX_FILES + 1)),
    )
    with table.open("a", encoding="utf-8") as file:
        file.write("not json\n{}\n")
    surveyed(tmp_path / "out", table, shard=3)
    assert statuses(tmp_path / "out") == {
        "a/good": "checked",
        **dict.fromkeys(("a/..", "climbs", "absolute", "no-bytes", "no-skill", "twice"), "unreadable"),
        "half ?/good": "checked",
        "large": "over-bound",
        "many": "over-bound",
        f"t.jsonl:{MAX_FILES + 12}": "unreadable",
        f"t.jsonl:{MAX_FILES + 13}": "unreadable",
    }
    over = {row["skill_id"] for row in rows(tmp_path / "out", "findings") if row["rule"] == "over-bound"}
    assert over == {"large", "many"}
    assert not (tmp_path.parent / "SKILL.md").exists()


def test_rows_of_one_skill_have_to_be_together(tmp_path: Path) -> None:
    row = {"path": "SKILL.md", "text": "x"}
    table = lines(tmp_path / "t.jsonl", *({**row, "skill_id": name} for name in ("a", "b", "a")))
    with pytest.raises(SkilltoolError, match="sort the table"):
        surveyed(tmp_path / "out", table)
    assert [run["complete"] for run in rows(tmp_path / "out" / "incomplete", "runs")] == [False]


def test_an_entry_that_is_not_fit_spoils_only_its_skill(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr("good/SKILL.md", GOOD.format(name="good"))
        archive.writestr("bad/SKILL.md", GOOD.format(name="bad"))
        link = zipfile.ZipInfo("bad/link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    surveyed(tmp_path / "out", tmp_path / "t.zip")
    assert statuses(tmp_path / "out") == {"good": "checked", "bad": "unreadable"}


@pytest.mark.slow
def test_only_what_has_changed_is_checked_again(library: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    surveyed(out, library)
    before = {name: rows(out, name) for name in ("findings", "verdicts", "sketches")}
    assert surveyed(out, library, start=lambda: Workers(Refusing, 1)).carried == 5
    for name, old in before.items():
        assert sorted(map(str, rows(out, name))) == sorted(map(str, old))
    (library / "two" / "SKILL.md").write_text(f"{NO_FRONTMATTER}2\n", "utf-8")
    shutil.copytree(library / "one", library / "copies" / "one")
    shutil.rmtree(library / "three")
    counts = surveyed(out, library)
    assert (counts.skills, counts.carried) == (5, 4)
    assert set(statuses(out)) == {"one", "two", "four", "broken", "copies/one"}
    exact = {row["skill_id"] for row in rows(out, "clusters") if row["kind"] == "exact"}
    assert exact == {"one", "copies/one"}
    assert [run["carried"] for run in rows(out, "runs")] == [0, 5, 4]


@pytest.mark.slow
def test_rows_are_carried_over_from_the_tables_of_another_run(
    library: Path, tmp_path: Path, skilltool: Skilltool
) -> None:
    surveyed(tmp_path / "before", library)
    (library / "two" / "SKILL.md").write_text(f"{NO_FRONTMATTER}2\n", "utf-8")
    command = ("survey", str(library), "-j1", "--earlier", str(tmp_path / "before"))
    again = skilltool(*command, "--out", str(tmp_path / "after"))
    assert (again.returncode, again.stdout.splitlines()[0]) == (0, "5 skills: 5 checked (4 reused)")
    assert [run["carried"] for run in rows(tmp_path / "before", "runs")] == [0]
    other = skilltool(*command, "--out", str(tmp_path / "other"), "--ignore", "missing-frontmatter")
    assert other.stdout.splitlines()[0] == "5 skills: 5 checked"
    assert "nothing is reused from " in other.stderr
    nothing = skilltool(*command[:-1], str(library), "--out", str(tmp_path / "new"))
    assert (nothing.returncode, nothing.stderr) == (2, f"skilltool: {library}: contains no survey tables\n")


class Refusing(Inline):
    """Has no work to do."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        raise AssertionError("a shard was handed out")


def die_of_two(shard: Shard) -> Partition:
    """Check a shard; the process ends at the skill `two`."""
    if any(each.skill_id == "two" for each in shard.skills):
        os._exit(9)
    return run_shard(shard)


class Dying(ProcessPoolExecutor):
    """Processes, one of which ends whenever it gets the skill `two`."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        return super().submit(die_of_two, *arguments)


@pytest.mark.slow
def test_a_skill_that_ends_its_worker_hides_no_other(library: Path, tmp_path: Path) -> None:
    import multiprocessing

    context = multiprocessing.get_context("spawn")
    surveyed(tmp_path / "out", library, start=lambda: Workers(lambda: Dying(2, context), 2))
    found = statuses(tmp_path / "out")
    assert found.pop("two") == "died"
    assert set(found.values()) == {"checked"}
    assert len(found) == 4


@slowest
def test_a_run_whose_workers_and_then_driver_are_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    table = lines(
        tmp_path / "t.jsonl",
        *(
            {"skill_id": f"s{n}", "path": "SKILL.md", "text": GOOD.format(name=f"s{n}") + f"{n}"}
            for n in range(400)
        ),
    )
    out = tmp_path / "out"
    command = [
        sys.executable,
        "-m",
        "skilltool",
        "survey",
        str(table),
        "--out",
        str(out),
        "-j1",
        "--shard",
        "10",
    ]
    driver = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    wait_for(lambda: done(out) > 1)
    for worker in children(driver.pid):
        os.kill(worker, signal.SIGKILL)
    before = done(out)
    wait_for(lambda: done(out) > before + 1)
    driver.kill()
    driver.wait()
    assert not (out / "skills").exists()
    assert subprocess.run([*command, "--quiet"], check=False).returncode == 0
    assert set(statuses(out).values()) == {"checked"}
    assert len(statuses(out)) == 400
    (run,) = rows(out, "runs")
    assert run["carried"] >= 10
    assert sorted(path.name for path in out.iterdir()) == sorted([*tables.NAMES, "lock", "survey.json"])


def done(out: Path) -> int:
    return len(list((out / "incomplete" / "skills").glob("part-*.parquet")))


def children(pid: int) -> list[int]:
    """The worker processes of a driver."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return [int(child) for child in listed if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def wait_for(holds: Callable[[], bool]) -> None:
    while not holds():
        time.sleep(0.05)


def test_a_directory_that_is_not_ours_and_one_that_is_in_use_are_left_alone(
    library: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("keep", "utf-8")
    with pytest.raises(SkilltoolError, match="contains files that are not survey tables"):
        surveyed(tmp_path / "mine", library)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["letter.txt"]
    fcntl = pytest.importorskip("fcntl")
    surveyed(tmp_path / "out", library)
    with (tmp_path / "out" / "lock").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(SkilltoolError, match="another survey"):
            surveyed(tmp_path / "out", library)


def test_a_source_of_no_known_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x", "utf-8")
    (tmp_path / "a.parquet").write_text("x", "utf-8")
    for name, reason in (
        ("a.csv", "not a directory, an archive"),
        ("a.parquet", "not a readable"),
        ("b", "no such"),
    ):
        with pytest.raises(PathError, match=reason):
            open_sources([tmp_path / name])


def test_workers_of_another_version_are_refused(library: Path) -> None:
    with pytest.raises(SkilltoolError, match=r"a worker has skilltool .*, but the main process has 0\.0\.0"):
        run_shard(Shard((), resolved(), (), "", version="0.0.0"))


@pytest.mark.slow
def test_the_command_prints_a_summary_and_writes_a_report(library: Path, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "skilltool",
        "survey",
        str(library),
        "--out",
        str(tmp_path / "out"),
        "-j1",
    ]
    run = subprocess.run(
        [*command, "--report", str(tmp_path / "r.html")], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout.splitlines()[0]) == (0, "5 skills: 5 checked")
    assert "missing-frontmatter (error)" in run.stdout
    assert (tmp_path / "r.html").read_text("utf-8").startswith("<!doctype html>")

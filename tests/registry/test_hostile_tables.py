"""Tables that are damaged or made to hurt who reads them: one sentence, and the other skills are read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="the extra `registry` is not installed")
pytest.importorskip("rensa", reason="the extra `registry` is not installed")

import pyarrow as pa
from pyarrow import parquet

from skilltool.errors import PathError
from skilltool.registry.sources import open_sources
from skilltool.registry.submitted import Input, Submitted, Unread
from tests.conftest import slowest

SKILL = b"---\nname: a\ndescription: Fills in forms.\n---\n\nText.\n"
NOT_UTF8 = b"\xff\xfe"


def table(file: Path, /, **columns: Any) -> Path:
    """Write a table; columns that are not named are those of two skills."""
    whole = {"skill_id": ["a", "b"], "path": ["SKILL.md"] * 2, "bytes": [SKILL] * 2} | columns
    parquet.write_table(pa.table(whole), file, compression="zstd")
    return file


def inputs(*paths: Path) -> tuple[list[Input], list[str]]:
    """The skills of some sources, and what could not be read."""
    found, problems = [], []
    for source in open_sources(paths):
        found += list(source.inputs())
        problems += source.problems
        source.close()
    return found, problems


def outcomes(found: list[Input]) -> dict[str, str]:
    """Of each skill why it cannot be read, nothing if it can."""
    return {each.skill_id: each.why if isinstance(each, Unread) else "" for each in found}


def as_text(values: list[bytes]) -> Any:
    """A column of text that holds any bytes, as a file can."""
    return pa.Array.from_buffers(pa.string(), len(values), pa.array(values, pa.binary()).buffers())


UNFIT = {
    "numbers": pa.array([1, 2]),
    "times": pa.array([2**62] * 2, pa.timestamp("ns")),
    "days": pa.array([2**30 * 86_400_000] * 2, pa.date64()),
    "durations": pa.array([2**62] * 2, pa.duration("us")),
    "lists": pa.array([["a"], ["b"]]),
    "structs": pa.array([{"\x1b[2J": 1}] * 2),
    "nothing": pa.nulls(2),
    "fixed": pa.array([b"abcd"] * 2, pa.binary(4)),
    "uuid": pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"0" * 16] * 2, pa.binary(16))),
}


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("name", ["skill_id", "path", "bytes"])
@pytest.mark.parametrize("kind", UNFIT)
def test_a_column_of_another_type_is_named(tmp_path: Path, name: str, kind: str) -> None:
    with pytest.raises(
        PathError, match=rf"t\.parquet: has a column `{name}` that contains neither strings nor bytes$"
    ):
        open_sources([table(tmp_path / "t.parquet", **{name: UNFIT[kind]})])


@pytest.mark.slow
def test_two_columns_of_a_name_are_ambiguous(tmp_path: Path) -> None:
    columns = [pa.array(["a"]), pa.array(["SKILL.md"]), pa.array([SKILL]), pa.array(["x"])]
    twice = pa.Table.from_arrays(columns, names=["skill_id", "path", "bytes", "path"])
    parquet.write_table(twice, tmp_path / "t.parquet")
    with pytest.raises(PathError, match=r"t\.parquet: has 2 columns `path`$"):
        open_sources([tmp_path / "t.parquet"])


@pytest.mark.slow
def test_text_that_is_not_utf8_spoils_only_its_row(tmp_path: Path) -> None:
    broken = as_text([b"a", NOT_UTF8, b"c"])
    whole = {"path": ["SKILL.md"] * 3, "bytes": [SKILL] * 3}
    found, problems = inputs(table(tmp_path / "t.parquet", skill_id=broken, **whole))
    lacks = "row 1 has no `skill_id` that is a string"
    assert outcomes(found) == {"a": "", "t.parquet:1": lacks, "c": ""}
    whole = {"skill_id": ["a", "b", "c"], "path": as_text([b"SKILL.md", NOT_UTF8, b"SKILL.md"])}
    found, problems = inputs(table(tmp_path / "t.parquet", **whole, bytes=as_text([SKILL, SKILL, NOT_UTF8])))
    assert outcomes(found) == {"a": "", "b": "row 1 has no `path` that is a string", "c": ""}
    assert isinstance(found[2], Submitted)
    assert found[2].files[0].head == NOT_UTF8
    assert problems == []


@pytest.mark.slow
def test_every_type_of_text_and_bytes_is_read(tmp_path: Path) -> None:
    for kind in (pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.string_view()):
        values = pa.array([SKILL.decode()] * 2).cast(kind)
        ids = pa.array(["a", "b"]).cast(kind)
        found, _ = inputs(table(tmp_path / "t.parquet", skill_id=ids, bytes=values))
        assert outcomes(found) == {"a": "", "b": ""}
        assert [each.files[0].head for each in found if isinstance(each, Submitted)] == [SKILL] * 2
    shared = pa.array([SKILL] * 2).dictionary_encode()
    assert outcomes(inputs(table(tmp_path / "t.parquet", bytes=shared))[0]) == {"a": "", "b": ""}


@slowest
def test_a_value_that_many_rows_share_is_in_memory_once(tmp_path: Path) -> None:
    count = 600
    numbers = pa.array([0] * count, pa.int32())
    shared = pa.DictionaryArray.from_arrays(numbers, pa.array([bytes(4 << 20)]))
    ids = [f"s{number}" for number in range(count)]
    file = table(tmp_path / "t.parquet", skill_id=ids, path=["SKILL.md"] * count, bytes=shared)
    assert file.stat().st_size < 1 << 16
    (source,) = open_sources([file])
    read = 0
    for each in source.inputs():
        assert isinstance(each, Submitted)
        assert each.files[0].size == 4 << 20
        read += 1
    assert read == count
    source.close()
    assert source.problems == []


@pytest.mark.slow
def test_a_value_of_a_gibibyte_ends_the_process_that_reads_it_and_not_this_one(tmp_path: Path) -> None:
    good = table(tmp_path / "a.parquet")
    bomb = table(tmp_path / "b.parquet", skill_id=["c"], path=["SKILL.md"], bytes=[bytes(1 << 30)])
    last = table(tmp_path / "c.parquet", skill_id=["d", "e"])
    assert bomb.stat().st_size < 1 << 16
    found, problems = inputs(tmp_path)
    why = "it needs more than the 2 GiB of memory that skilltool allows"
    assert outcomes(found) == {"a": "", "b": f"the rest of the table cannot be read: {why}", "d": "", "e": ""}
    assert problems == [f"{bomb}: {why}"]
    assert good.exists()
    assert last.exists()


@pytest.mark.slow
def test_a_skill_whose_table_breaks_off_is_not_taken_for_whole(tmp_path: Path) -> None:
    ids = [f"s{number // 2:03d}" for number in range(400)]
    contents = [os.urandom(5000) for _ in ids]
    file = tmp_path / "t.parquet"
    whole = pa.table({"skill_id": ids, "path": ["SKILL.md", "b"] * 200, "bytes": contents})
    parquet.write_table(whole, file, row_group_size=25, compression="none", use_dictionary=False)
    raw = bytearray(file.read_bytes())
    raw[len(raw) // 2 : len(raw) // 2 + 150_000] = bytes(150_000)
    file.write_bytes(raw)
    found, problems = inputs(file)
    assert len(problems) == 1
    assert isinstance(found[-1], Unread)
    assert found[-1].why.startswith("the rest of the table cannot be read: ")
    assert all(isinstance(each, Submitted) and len(each.files) == 2 for each in found[:-1])
    assert 0 < len(found) < 200


def test_long_ids_that_begin_alike_stay_two(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    rows = [{"skill_id": "x" * 5000 + end, "path": "SKILL.md", "text": "x"} for end in ("a", "b", "a/c")]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    found, _ = inputs(file)
    assert len(outcomes(found)) == 3
    assert set(outcomes(found).values()) == {"its id is longer than 4,096 characters"}


def test_a_row_without_an_id_says_what_it_lacks(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(
        b'{"path": "SKILL.md", "text": "x"}\n[' + b"[" * 100_000 + b"\n" + b"9" * 5000 + b"\n\xff\xfe\n"
    )
    lacks = {f"t.jsonl:{number}": f"line {number} is not JSON" for number in (2, 3, 4)}
    assert outcomes(inputs(file)[0]) == {"t.jsonl:1": "line 1 has no `skill_id` that is a string", **lacks}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("name", ["t.jsonl", "t.parquet", "t.zip", "t.tar.gz"])
def test_a_pipe_is_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(PathError, match=f"{name}: not a regular file or directory$"):
        open_sources([tmp_path / name])

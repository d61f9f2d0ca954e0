"""Work on a stranger's data ends when it takes too long, takes too much memory, or ends its process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from skilltool.bounds.limited_process import LimitedProcess, LimitedProcessError, call_limited


def test_a_function_answers_with_json() -> None:
    assert call_limited("json:dumps", {"a": [1, None, "\u20ac\n"]}) == '{"a": [1, null, "\\u20ac\\n"]}'
    assert call_limited("math:sqrt", 4) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "request_", "words"),
    [
        ("time:sleep", 60, "takes more than the 0.2 seconds that skilltool allows"),
        ("os:_exit", 0, "crashes the process that reads it"),
        ("json:loads", "{", "crashes the process that reads it"),
        ("no_such_module:name", 0, "crashes the process that reads it"),
    ],
)
def test_what_does_not_answer_is_one_error(function: str, request_: object, words: str) -> None:
    with pytest.raises(LimitedProcessError) as failed:
        call_limited(function, request_, seconds=0.2)
    assert str(failed.value) == words


@pytest.mark.skipif(sys.platform != "linux", reason="no other system enforces a limit of address space")
def test_memory_is_limited() -> None:
    with pytest.raises(LimitedProcessError, match=r"needs more than the 0\.5 GiB of memory"):
        call_limited("builtins:bytearray", 1 << 30, memory=1 << 29)


def test_what_a_function_prints_is_not_an_answer() -> None:
    assert call_limited("builtins:print", "[1]") is None


@pytest.mark.slow
def test_the_time_is_counted_for_all_answers_and_none_is_given_after_it() -> None:
    process = LimitedProcess("time:sleep", seconds=0.1)
    assert process.ask(2) is None
    with pytest.raises(LimitedProcessError, match=r"takes more than the 0\.1 seconds"):
        process.ask(2)
    process.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no limit of processor time")
def test_processor_time_is_limited() -> None:
    with pytest.raises(LimitedProcessError, match="takes more than the 1 seconds"):
        call_limited("builtins:eval", "any(iter(int, 1))", seconds=1)


def test_modules_are_those_of_this_process_and_not_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit", "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert call_limited("math:sqrt", 9) == 3

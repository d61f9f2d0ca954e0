"""A few inputs of each target; `python -m tests.fuzz` tries them for as long as one likes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.conftest import slowest
from tests.fuzz.box import ChangedOutsideError, box, command, write_tree
from tests.fuzz.driver import NAMES, failure, fuzz, target

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links and pipes, and the server's on select")


@slowest  # `.ci/run` fuzzes each of them for longer
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=6, phases=[Phase.generate])
@given(data=st.data())
def test_a_few_inputs_do_no_harm(name: str, data: Any) -> None:
    module = target(name)
    trace = failure(module, data.draw(module.INPUTS))
    assert trace is None, trace


class _Broken:
    """A target that fails."""

    INPUTS = st.integers()

    @staticmethod
    def check(value: int, place: Path) -> None:
        (place.parent / "outside" / "canary").write_text(str(value), "utf-8")


def test_what_goes_wrong_is_seen() -> None:
    assert "ChangedOutsideError" in (failure(_Broken, 1) or "")  # type: ignore[arg-type]
    with pytest.raises(ChangedOutsideError), box() as place:
        (place.parent / "new").mkdir()


@pytest.mark.slow
def test_a_seed_draws_the_same_inputs_again(tmp_path: Path) -> None:
    assert fuzz("reading", 0, tmp_path, 7) == fuzz("reading", 0, tmp_path, 7)


def test_a_tree_is_written_and_the_command_runs_on_it() -> None:
    with box() as place:
        good = b"---\nname: a\ndescription: Fills in forms. Use when asked.\n---\n\n# A\n\nText.\n"
        write_tree(place, {"skills/a/SKILL.md": good, "skills/b": "../../outside/skill"})
        status, out, _ = command("lint", "--no-cache", "--jobs", "1", "skills/a")
        assert (status, out) == (0, b"1 skill checked against `portable`, no findings\n")
        assert (place / "skills" / "b").is_symlink()
        assert command("lint", "--no-cache", "gone")[0] == 2

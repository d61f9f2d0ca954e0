"""A tree is linted for every runtime by all rules, and reported in every format."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from tests.fuzz.box import command, write_tree
from tests.fuzz.trees import TREES

_FORMATS = ("full", "concise", "grouped", "json", "jsonl", "sarif", "github", "gitlab", "junit", "rdjson")

INPUTS = st.tuples(TREES, st.sampled_from(_FORMATS), st.sampled_from(["all", "portable", "kodelet@0.5.36"]))


def check(drawn: tuple[dict[str, bytes | str], str, str], place: Path) -> None:
    files, kind, runtime = drawn
    write_tree(place, files)
    status, _, messages = command(
        *(
            "lint",
            "--no-cache",
            "--jobs",
            "1",
            "--extend-select",
            "pedantic",
            "--runtime",
            runtime,
            "--allow-empty",
        ),
        *("--output-format", kind, "."),
    )
    assert (status == 2) <= ("skilltool: " in messages or bool(messages)), messages

"""Twice as much of anything takes at most about twice as many steps: for lint, fixes and every runtime.

Steps are lines of skilltool's own code that run, which are the same on every machine; `python -m benchmarks
--growth` measures times, and with them what is spent inside regular expressions and libraries.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import skilltool
from benchmarks.constructs import NAME, Construct, constructs
from benchmarks.growth import STEPS, Step
from skilltool.skill.model import load_skill
from tests.conftest import FULL, slow

OWN = str(Path(skilltool.__file__).parent)
PARSER = str(Path(OWN, "text", "markdown"))
# Characters; those of a description are more than any limit that a rule or a runtime has.
SIZES = {"body": 800, "frontmatter": 800, "description": 2_000}
# A block is parsed again after each line that is fixed: at most 200 times, and 5,000,000 characters in all.
FIXED_LINE_BY_LINE = {"keys_with_colons", "many_quoted"}
# Each pair of equal keys has a message of its own in yaml.v3, and so here: at most 10,000.
PAIRS_OF_EQUAL_KEYS = {("nfa", "prose_lines"), ("lint all", "prose_lines")}
ASKED = [name for name in STEPS if name != "lint portable" and "@" not in name]
# Those that were quadratic once; `FULL=1`, as in `.ci/run --full`, tries all.
FEW = {
    "headings_with_links_to_them",
    "headings_with_links_to_each",
    "equal_keys",
    "ignore_comments",
    "bidi_overrides",
}
FEW |= {
    "reference_links",
    "ignore_comments",
    "unknown_ignore_comments",
    "nested_lists",
    "file_mentions",
    "keys_with_colons",
}
CHOSEN = [each for each in constructs() if FULL or each.name in FEW]
NUMBERS = itertools.count(10_000)
MOST = 2.6  # times as many steps; a quadratic part shows as nearly 4 where it matters


def steps(run: Callable[[], object]) -> int:
    """Return how many lines of skilltool run, without those of the Markdown parser."""
    count = 0

    def enter(frame: FrameType, _event: str, _argument: Any) -> Any:
        file = frame.f_code.co_filename
        return line if file.startswith(OWN) and not file.startswith(PARSER) else None

    def line(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


def taken(construct: Construct, size: int, step: Step, directory: Path) -> int:
    directory.mkdir(parents=True)
    number, name = next(NUMBERS), f"name: {NAME}\n"
    text = construct.skill(size).replace("PDF", f"PDF{number}", 1)
    text = text.replace(name, f"{name}license: L{number}\n", 1)  # no cache knows the text or its frontmatter
    (directory / "SKILL.md").write_text(text, "utf-8", newline="")
    skill = load_skill(directory)
    return steps(lambda: step(skill, directory))


@pytest.fixture(scope="module", autouse=True)
def _warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Run all steps once, so that what is kept for the life of a process is there."""
    for name in ASKED:
        taken(constructs()[0], 800, STEPS[name], tmp_path_factory.mktemp("warm") / NAME)


@slow
@pytest.mark.parametrize("construct", CHOSEN, ids=lambda each: f"{each.place}-{each.name}")
def test_steps_grow_with_the_length(construct: Construct, tmp_path: Path) -> None:
    size = SIZES[construct.place]
    for name in ASKED:
        if name in ("lint all", "fix") and construct.name in FIXED_LINE_BY_LINE:
            continue
        if (name, construct.name) in PAIRS_OF_EQUAL_KEYS:
            continue
        short, long = (tmp_path / name / length / NAME for length in ("short", "long"))
        few = taken(construct, size, STEPS[name], short)
        many = taken(construct, 2 * size, STEPS[name], long)
        assert many <= MOST * few, name

"""Every command answers, wherever you stand: real processes, in directories made for them.

About 60 cells of the table, 400 where `CI` is set, all where `FULL` is; `python -m tests.journeys` prints it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conftest import FULL
from tests.journeys.cells import CELLS, failures, spread
from tests.journeys.forms import FORMS
from tests.journeys.places import PLACES, VARIANTS, Place

CHOSEN = CELLS if FULL else spread(400 if os.environ.get("CI") else 60)


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.id)
def test_every_command_answers(place: Place, tmp_path: Path) -> None:
    cells = [cell for cell in CHOSEN if cell.place == place]
    failed = [*failures(cells, tmp_path)]
    assert cells
    if failed:
        pytest.fail(f"{len(failed)} of {len(cells)} cells\n" + "\n".join(map(str, failed)), pytrace=False)


@pytest.mark.slow
@pytest.mark.parametrize("program", ["true", "echo"])
def test_a_program_that_says_nothing_answers_nowhere(tmp_path: Path, program: str) -> None:
    assert [failure.cell for failure in failures(CHOSEN, tmp_path, program)] == [*CHOSEN]


@pytest.mark.parametrize("number", [60, 400])
def test_the_spread_has_every_place_and_every_form(number: int) -> None:
    cells = spread(number)
    assert {cell.place.id for cell in cells} == {place.id for place in PLACES}
    assert {cell.form.id for cell in cells} == {form.id for form in FORMS}
    assert {cell.variant for cell in cells} == {*VARIANTS}
    assert len(cells) == number

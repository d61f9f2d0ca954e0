"""No save of an editor is lost to a fix that is written meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fix.race import SAVES, race


@pytest.mark.slow
def test_no_save_is_lost(tmp_path: Path) -> None:
    counts, lost = race(tmp_path, 200)
    assert lost == []
    assert {name.partition(":")[0] for name in counts} == set(SAVES)

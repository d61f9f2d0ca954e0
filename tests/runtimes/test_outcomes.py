"""What each runtime answers to files and calls that are not as they should be is as recorded.

After a change that is meant, `python -m tests.support.outcomes` records it; read the diff.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.outcomes import KINDS, found, recorded


@pytest.mark.skipif(sys.platform != "linux", reason="the words of system errors, and pipes, are Linux's")
@pytest.mark.parametrize(
    ("kind", "runtime"), [(kind, name) for kind, (_, ids) in KINDS.items() for name in ids]
)
def test_answers_are_as_recorded(tmp_path: Path, kind: str, runtime: str) -> None:
    known, answers = recorded(kind, runtime), found(kind, runtime, tmp_path)
    assert {case: each for case, each in answers.items() if known.get(case) != each} == {}
    assert known.keys() == answers.keys()

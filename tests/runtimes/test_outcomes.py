"""What each runtime answers to files and calls that are not as they should be is as recorded.

After a change that is meant, `python -m tests.support.outcomes` records it; read the diff.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.outcomes import KINDS, found, recorded

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="the words of system errors, and pipes, are Linux's"
)
EVERY = [(kind, name) for kind, (_, ids) in KINDS.items() for name in ids]


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize(("kind", "runtime"), [each for each in EVERY if each[0] != "locked"])
def test_answers_are_as_recorded(tmp_path: Path, kind: str, runtime: str) -> None:
    compare(kind, runtime, tmp_path)


@pytest.mark.usefixtures("enforced_permissions")
@pytest.mark.parametrize(("kind", "runtime"), [each for each in EVERY if each[0] == "locked"])
def test_answers_about_what_may_not_be_read_are_as_recorded(tmp_path: Path, kind: str, runtime: str) -> None:
    compare(kind, runtime, tmp_path)


def compare(kind: str, runtime: str, folder: Path) -> None:
    known, answers = recorded(kind, runtime), found(kind, runtime, folder)
    assert {case: each for case, each in answers.items() if known.get(case) != each} == {}
    assert known.keys() == answers.keys()

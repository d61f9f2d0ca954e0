"""What tests of the preview share: an empty project beside an empty home directory."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository without skills, beside an empty home directory."""
    top = tmp_path / "project"
    (top / ".git").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return top

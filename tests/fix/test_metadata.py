"""Values under `metadata` are free: only who refuses them has a finding, and no fix changes their type."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.fix.edits import apply
from skilltool.fix.plan import plan
from skilltool.lint import check, settings
from skilltool.lint.config import Config
from skilltool.runtimes import agentskills
from tests.fix.texts import HEAD, write

FREE = (
    "metadata:\n  internal: true",
    "metadata:\n  priority: 7\n  ratio: 1.50\n  since: 2026-01-02\n  old: yes\n  mode: 010",
    "metadata:\n  app:\n    needs:\n      - git\n    on: true",
)


@pytest.mark.parametrize("fields", FREE)
def test_values_of_any_type_are_fine_where_the_reference_validator_takes_them(
    tmp_path: Path, fields: str
) -> None:
    file = write(tmp_path / "a", f"{HEAD}{fields}\n---\n\nText.\n")
    assert agentskills.validate(file.parent) == []
    chosen = settings.resolve(Config(), {"runtimes": ["agentskills", "portable"], "select": ["wrong-type"]})
    assert not check.check_directory(file.parent, chosen).diagnostics


@pytest.mark.slow
@pytest.mark.parametrize("fields", FREE)
def test_no_fix_for_any_runtime_changes_their_type(tmp_path: Path, fields: str) -> None:
    text = f"{HEAD}{fields}\n---\n\nText.\n"
    file = write(tmp_path / "a", text)
    for unsafe in (False, True):
        everywhere = settings.resolve(Config(), {"runtimes": list(runtimes.IDS), "paths": [file.parent]})
        apply(plan(everywhere, unsafe))
        assert file.read_text("utf-8") == text


def test_a_runtime_that_refuses_them_has_errors_without_a_fix(tmp_path: Path) -> None:
    file = write(tmp_path / "a", f"{HEAD}metadata:\n  internal: true\n---\n\nText.\n")
    chosen = settings.resolve(Config(), {"runtimes": ["agent-harness@0.3.24"], "select": ["wrong-type"]})
    (found,) = check.check_directory(file.parent, chosen).diagnostics
    assert (str(found.severity), found.fix) == ("error", None)

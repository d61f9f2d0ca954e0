"""However many carriage returns a file has, the fix makes line feeds of all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.findings.finding import applied
from skilltool.rules.file import carriage_return
from skilltool.skill.model import load_skill

HEAD = "---\nname: forms\ndescription: Fills in forms.\n---\n\n# Forms\n"


@pytest.mark.slow
@pytest.mark.parametrize("end", ["\r", "\r\n", "a\r\r\n\n"])
@pytest.mark.parametrize("many", [3, 20_000, 20_001])
def test_the_fix_replaces_every_carriage_return(tmp_path: Path, end: str, many: int) -> None:
    text = f"{HEAD}{end * many}b\n"
    (tmp_path / "SKILL.md").write_bytes(text.encode())
    skill = load_skill(tmp_path)
    [finding] = carriage_return.check(skill, runtimes.get("portable"))
    assert finding.fix is not None
    assert applied(text, finding.fix.edits) == text.replace("\r\n", "\n").replace("\r", "\n")
    assert (len(finding.fix.edits) == 1) == (text.count("\r") > 20_000)

"""Toolsets and scripts: the rules report what the runtimes themselves do not find."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skilltool.rules import RULES
from skilltool.runtimes import get
from skilltool.runtimes.values import LoadedSkill
from skilltool.skill.model import load_skill

FILES = {
    "toolsets/index.ts": "export class FormTools {}\nexport { a as b, OtherTools }\n",
    "toolsets/form.py": "class FormTools(Base):\n    pass\n\n\nclass Bare:\n    pass\n",
    "scripts/fill.py": "print(1)\n",
    "scripts/check.ts": "",
}


def lay(directory: Path, **fields: object) -> Path:
    for name, text in FILES.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text, "utf-8")
    head = "".join(f"{key}: {json.dumps(value)}\n" for key, value in fields.items())
    text = f"---\nname: {directory.name}\ndescription: Fills in forms.\n{head}---\n\nRead the fields.\n"
    (directory / "SKILL.md").write_text(text, "utf-8")
    return directory


def findings(directory: Path, rule: str, runtime: str) -> list[str]:
    return [finding.message for finding in RULES[rule].check(load_skill(directory), get(runtime))]


@pytest.mark.together
@pytest.mark.parametrize("runtime", ["agent", "agent-base@0.3.2"])
@pytest.mark.parametrize(
    "toolset",
    [
        "toolsets/index:FormTools",
        "toolsets/index:OtherTools",
        "toolsets/index:Gone",
        "toolsets/gone:FormTools",
        "toolsets.form:FormTools",
        "toolsets.form:Bare",
        "../a/toolsets/index:FormTools",
        "toolsets/form:FormTools",
    ],
)
def test_a_toolset_is_missing_exactly_where_the_runtime_has_none(
    toolset: str, runtime: str, tmp_path: Path
) -> None:
    directory = lay(tmp_path / "a", toolsets=[toolset])
    load = get(runtime).load
    assert load is not None
    loaded = load(directory)
    assert isinstance(loaded, LoadedSkill)
    assert bool(findings(directory, "missing-toolset", runtime)) == (loaded.told["toolsets"] == [])


@pytest.mark.together
@pytest.mark.parametrize("runtime", ["agent", "agent-base@0.3.2"])
@pytest.mark.parametrize(
    "script", ["fill", "fill.py", "check.ts", "gone.py", "../fill.py", "scripts/fill.py", ""]
)
def test_a_script_is_missing_exactly_where_the_runtime_has_none(
    script: str, runtime: str, tmp_path: Path
) -> None:
    directory = lay(tmp_path / "a", scripts=[script])
    load = get(runtime).load
    assert load is not None
    loaded = load(directory)
    assert isinstance(loaded, LoadedSkill)
    assert bool(findings(directory, "missing-script", runtime)) == (loaded.told["scripts"] == [])


def test_the_document_s_toolset_may_be_named_with_its_suffix_or_be_a_directory(tmp_path: Path) -> None:
    toolsets = ["toolsets/index.ts:FormTools", "toolsets/form.py:Bare", "toolsets:FormTools"]
    load = get("agent").load
    assert load is not None
    loaded = load(
        lay(tmp_path / "a", toolsets=[*toolsets, "toolsets/form.pyc:Bare", "toolsets/index.py:FormTools"])
    )
    assert isinstance(loaded, LoadedSkill)
    assert loaded.told["toolsets"] == toolsets


def test_a_malformed_toolset_is_reported_by_its_own_rule(tmp_path: Path) -> None:
    directory = lay(tmp_path / "a", toolsets=["toolsets/index", ":FormTools", 3])
    assert findings(directory, "missing-toolset", "portable") == []
    assert len(findings(directory, "invalid-toolset", "portable")) == 2


def test_a_runtime_without_toolsets_and_scripts_has_no_such_defect(tmp_path: Path) -> None:
    directory = lay(tmp_path / "a", toolsets=["gone:Gone"], scripts=["gone"])
    for rule in ("missing-toolset", "missing-script"):
        assert findings(directory, rule, "kodelet") == []
        assert len(findings(directory, rule, "portable")) == 1

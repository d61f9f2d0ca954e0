"""The bare runtimes follow their design documents: each case quotes the sentence that it holds to.

Dropping a line into `tests/documents/ID.jsonl` adds a case.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes

HERE = Path(__file__).parents[1] / "documents"
CASES = [
    (path.stem, json.loads(line))
    for path in sorted(HERE.glob("*.jsonl"))
    for line in path.read_text("utf-8").split("\n")
    if line and path.stem in runtimes.IDS
]


@pytest.mark.together
@pytest.mark.parametrize(("runtime_id", "case"), CASES, ids=[case["id"] for _, case in CASES])
def test_a_sentence_of_the_document_holds(runtime_id: str, case: dict[str, Any], tmp_path: Path) -> None:
    assert case["sentence"]
    runtime = runtimes.get(runtime_id)
    project, home = tmp_path / "project", tmp_path / "user"
    for place in (project, home):
        place.mkdir()
    roots: dict[str, Path] = {}
    for root in runtime.roots:
        place = (root.path_template or f"{{project}}/{root.role}").format(project=project, home=home)
        if root.role in case["tree"]:
            roots[root.role] = Path(place)
            lay(Path(place), case["tree"][root.role])

    def filled(value: Any) -> Any:
        text = json.dumps(value).replace("{project}", str(project)).replace("{user}", str(home))
        return json.loads(text)

    elsewhere = {
        root.role: roots[root.role]
        for root in runtime.roots
        if root.path_template is None and root.role in roots
    }
    session = runtime.open(project, home, filled(case.get("settings", {})), elsewhere)
    for step in case.get("before", ()):
        if step["op"] == "call":
            session.call(step["arguments"], tool=step.get("tool"))
        elif step["op"] == "context":
            session.context(step["query"])
        else:
            change(roots, step)
    expected = filled(case["expect"])
    if case["op"] == "discover":
        found = {
            "skills": [skill.key for skill in session.skills],
            "skipped": [[refused.directory.name, refused.message] for refused in session.skipped],
            "warnings": list(session.warnings),
        }
        assert expected == {key: found[key] for key in expected}
    elif case["op"] == "call":
        assert expected == session.call(case["arguments"], tool=case.get("tool")).text
    elif case["op"] == "display":
        result = session.call(case["arguments"])
        assert expected == {"display": result.display, "metadata": result.metadata}
    elif case["op"] == "context":
        assert expected == session.context(case["query"])
    else:
        assert expected == getattr(session, case["op"])()


def lay(root: Path, files: dict[str, str]) -> None:
    root.mkdir(parents=True)
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())


def change(roots: dict[str, Path], step: dict[str, Any]) -> None:
    path = roots[step["role"]] / step["path"]
    if step["op"] == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(step["text"].encode())
    elif step["op"] == "delete":
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    else:
        raise ValueError(step["op"])

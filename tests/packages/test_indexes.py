"""What clients ignore of an index of skills: all of it, or an entry."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from skilltool.packages.manifest import read_manifest
from skilltool.rules.package import ignored_index, outdated_index

SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
ENTRY = {
    "name": "pdf-tools",
    "type": "skill-md",
    "description": "Fills in forms.",
    "url": "pdf-tools/SKILL.md",
    "digest": f"sha256:{'0' * 64}",
}


def said(top: Path, data: Any, place: str = ".well-known/agent-skills/index.json") -> list[str]:
    """The messages about an index under `top`."""
    file = top / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(data), "utf-8")
    manifest = read_manifest(file.as_posix())
    assert manifest is not None
    return [finding.message for finding in ignored_index.check_manifest(manifest)]


def index(**changed: Any) -> dict[str, Any]:
    return {"$schema": SCHEMA, "skills": [{**ENTRY, **changed}]}


DROPPED: dict[str, tuple[dict[str, Any], str]] = {
    "name": ({"name": "SDFrame"}, "`SDFrame` is not a valid skill name: clients drop the entry"),
    "long name": ({"name": "a" * 65}, "is not a valid skill name"),
    "type": ({"type": "documentation"}, "`type` is `documentation`: clients drop the entry"),
    "no description": ({"description": ""}, "`description` has 0 characters"),
    "long": ({"description": "\U0001f600" * 513}, "`description` has 1,026 characters"),
    "branch": (
        {"url": "https://raw.githubusercontent.com/a/b/main/SKILL.md"},
        "changes with the branch `main`",
    ),
    "ref": ({"url": "https://raw.githubusercontent.com/a/b/refs/heads/dev/x.md"}, "the branch `dev`"),
    "page": ({"url": "https://github.com/a/b/blob/v1/SKILL.md"}, "is the web page for a file"),
}


@pytest.mark.together
@pytest.mark.parametrize("case", [*DROPPED, "fine", "tag"])
def test_an_entry_that_clients_drop(tmp_path: Path, case: str) -> None:
    changed, part = DROPPED.get(case, ({}, ""))
    if case == "tag":
        changed = {
            "url": "https://raw.githubusercontent.com/a/b/v1.2/SKILL.md",
            "description": "\U0001f600" * 512,
        }
    found = said(tmp_path, index(**changed))
    assert len(found) == bool(part)
    assert all(part in message for message in found)


WHOLE: dict[str, tuple[Any, str]] = {
    "schema": (
        {"$schema": "https://agentskills.io/schema/v0.2.0/index.schema.json", "skills": [ENTRY]},
        "`$schema` is",
    ),
    "almost": ({"$schema": SCHEMA.replace("schema.json", "x.json"), "skills": []}, "ignore the whole index"),
    "no list": ({"skills": {}}, "the file has no `skills` list"),
    "no files": ({"skills": [ENTRY]}, "`pdf-tools` has no `files` list that contains SKILL.md"),
    "no name": ({"skills": [{"files": ["SKILL.md"], "description": "x"}]}, "is not a valid skill name"),
    "leads out": ({"skills": [{**ENTRY, "files": ["SKILL.md", "../x"]}]}, "`../x` points outside the skill"),
}


@pytest.mark.together
@pytest.mark.parametrize("place", [".well-known/agent-skills/index.json", ".well-known/skills/index.json"])
@pytest.mark.parametrize("case", WHOLE)
def test_an_index_that_clients_ignore(tmp_path: Path, place: str, case: str) -> None:
    data, part = WHOLE[case]
    (message,) = said(tmp_path, data, place)
    assert part in message


def test_an_index_of_the_old_version_is_taken(tmp_path: Path) -> None:
    assert said(tmp_path, {"skills": [{**ENTRY, "files": ["SKILL.md", "x/y.md"]}]}) == []


def zipped(*names: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return held.getvalue()


def tarred(*names: str) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(name))
    return held.getvalue()


ARCHIVES = {
    "zip": (zipped("SKILL.md", "x.md"), False),
    "folder": (zipped("pdf-tools/SKILL.md"), True),
    "tar": (tarred("./SKILL.md"), False),
    "tar with a folder": (tarred("pdf-tools/SKILL.md"), True),
    "broken": (b"PK\3\4 and no more", False),
    "other": (b"\x1f\x8b and no more", False),
}


@pytest.mark.parametrize("case", ARCHIVES)
def test_an_archive_has_its_skill_file_at_the_root(tmp_path: Path, case: str) -> None:
    raw, is_wrong = ARCHIVES[case]
    place = tmp_path / ".well-known" / "agent-skills" / "pdf-tools.skill"
    place.parent.mkdir(parents=True)
    place.write_bytes(raw)
    found = said(tmp_path, index(type="archive", url="pdf-tools.skill"))
    assert bool(found) == is_wrong
    assert all("no SKILL.md at its root; it has `pdf-tools/SKILL.md`" in message for message in found)


def test_a_name_that_is_not_that_of_the_skill(tmp_path: Path) -> None:
    skill = tmp_path / ".well-known" / "agent-skills" / "pdf-tools" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: pdf\ndescription: Fills in forms.\n---\n", "utf-8")
    said(tmp_path, index())
    manifest = read_manifest((skill.parents[1] / "index.json").as_posix())
    assert manifest is not None
    messages = [finding.message for finding in outdated_index.check_manifest(manifest)]
    assert (
        "name `pdf-tools` differs from the one in `.well-known/agent-skills/pdf-tools/SKILL.md`, `pdf`"
        in messages
    )

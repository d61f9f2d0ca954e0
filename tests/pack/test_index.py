"""`pack --index`: archives and the index that a web server offers, and whether the two agree."""

from __future__ import annotations

import json
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import MakeSkill, Skilltool

SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"


@pytest.fixture
def forms(tmp_path: Path, make_skill: MakeSkill) -> Path:
    return make_skill(tmp_path / "forms")


def folder(tmp_path: Path) -> Path:
    return tmp_path / "public" / ".well-known" / "agent-skills"


def index(tmp_path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder(tmp_path) / "index.json").read_text("utf-8"))
    return found


@pytest.mark.slow
def test_an_archive_and_its_entry_are_written(forms: Path, tmp_path: Path, skilltool: Skilltool) -> None:
    public = str(tmp_path / "public")
    run = skilltool("pack", str(forms), "--index", public)
    assert run.returncode == 0
    archive = folder(tmp_path) / "forms.zip"
    (entry,) = index(tmp_path)["skills"]
    assert index(tmp_path)["$schema"] == SCHEMA
    assert (entry["name"], entry["type"], entry["url"]) == ("forms", "archive", "forms.zip")
    assert entry["digest"] == f"sha256:{sha256(archive.read_bytes()).hexdigest()}"
    assert f"description: {entry['description']}\n" in (forms / "SKILL.md").read_text("utf-8")
    assert "SKILL.md" in zipfile.ZipFile(archive).namelist()
    before = (folder(tmp_path) / "index.json").read_bytes()
    assert skilltool("pack", str(forms), "--index", public).returncode == 0
    assert (folder(tmp_path) / "index.json").read_bytes() == before
    assert skilltool("pack", "--check", str(archive), "--index", public).returncode == 0


def test_entries_of_others_and_fields_that_are_not_ours_are_kept(
    forms: Path, tmp_path: Path, skilltool: Skilltool
) -> None:
    folder(tmp_path).mkdir(parents=True)
    other = {"name": "zoo", "type": "skill-md", "url": "zoo/SKILL.md", "x": 1}
    written = {
        "$schema": SCHEMA,
        "skills": [other, {"name": "forms", "url": "old.zip", "licence": "MIT"}],
    }
    (folder(tmp_path) / "index.json").write_text(json.dumps(written), "utf-8")
    assert skilltool("pack", str(forms), "--index", str(tmp_path / "public")).returncode == 0
    mine, kept = index(tmp_path)["skills"]
    assert kept == other
    assert (mine["url"], mine["licence"]) == ("forms.zip", "MIT")


@pytest.mark.slow
def test_an_archive_that_is_another_than_the_index_says_is_not_fit(
    forms: Path, tmp_path: Path, skilltool: Skilltool
) -> None:
    public = str(tmp_path / "public")
    skilltool("pack", str(forms), "--index", public)
    (forms / "notes.md").write_text("More.\n", "utf-8")
    skilltool("pack", str(forms), "--upload", "well-known", "-o", str(tmp_path / "forms.zip"))
    run = skilltool("pack", "--check", str(tmp_path / "forms.zip"), "--index", public)
    assert run.returncode == 1
    assert ", but the archive has `sha256:" in run.stderr
    (tmp_path / "forms.zip").rename(tmp_path / "other.zip")
    run = skilltool("pack", "--check", str(tmp_path / "other.zip"), "--index", public)
    assert (run.returncode, "has no entry for `other.zip`" in run.stderr) == (1, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", ":1:2: unexpected end of the file"),
        ("[]", ": is not an index of version 0.2.0"),
        ('{"skills": []}', ": is not an index of version 0.2.0"),
        (f'{{"$schema": "{SCHEMA}", "skills": [1]}}', ": is not an index of version 0.2.0"),
    ],
)
def test_a_file_that_is_no_index_is_left_alone(
    text: str, said: str, forms: Path, tmp_path: Path, skilltool: Skilltool
) -> None:
    folder(tmp_path).mkdir(parents=True)
    (folder(tmp_path) / "index.json").write_text(text, "utf-8")
    run = skilltool("pack", str(forms), "--index", str(tmp_path / "public"))
    assert (run.returncode, f"index.json{said}" in run.stderr) == (2, True)
    assert (folder(tmp_path) / "index.json").read_text("utf-8") == text
    assert not (folder(tmp_path) / "forms.zip").exists()


def test_a_skill_that_an_index_does_not_take_is_not_written(
    tmp_path: Path, make_skill: MakeSkill, skilltool: Skilltool
) -> None:
    skill = make_skill(tmp_path / "Forms")
    run = skilltool("pack", str(skill), "--runtime", "claude-code", "--index", str(tmp_path / "public"))
    assert (run.returncode, "lowercase words joined by single hyphens, at most" in run.stderr) == (
        2,
        True,
    )
    assert not (tmp_path / "public").exists()


def test_the_archive_of_an_index_has_no_other_name_or_layout(forms: Path, skilltool: Skilltool) -> None:
    for more in (("-o", "a.zip"), ("--upload", "claude.ai"), ("--format", "skill")):
        assert skilltool("pack", str(forms), "--index", "public", *more).returncode == 2

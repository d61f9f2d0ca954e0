"""`pack --upload`: the layout that a place takes, and what of an archive is over its limits."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skilltool._resources import data
from skilltool.pack.uploads import Packed, Upload, excesses, uploads
from tests.conftest import MakeSkill, Skilltool

TABLE = json.loads((data("schemas") / "uploads.json").read_text("utf-8"))
PLACES = sorted(TABLE["places"])
FITTING = Packed(500, {"SKILL.md": 400}, True, "---\nname: forms", "forms", "Fills in forms.")

# What is over each limit of the table, given the limit.
OVER: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "archive-bytes": lambda limit: {"size": limit["most"] + 1},
    "depth": lambda limit: {"files": {"a/" * limit["most"] + "b": 1}},
    "description-length": lambda limit: {"description": "x" * (limit["most"] + 1)},
    "description-tags": lambda _: {"description": "Fills in <b>forms</b>."},
    "file-bytes": lambda limit: {"files": {"a{}.bin": limit["most"] + 1}},
    "files": lambda limit: {"files": dict.fromkeys(map(str, range(limit["most"] + 1)), 1)},
    "first-line": lambda _: {"begins": "\ufeff---\n"},
    "name-length": lambda limit: {"name": "x" * (limit["most"] + 1)},
    "name-pattern": lambda _: {"name": "PDF tools"},
    "name-words": lambda limit: {"name": f"my-{limit['none'][0]}-forms"},
    "path-length": lambda limit: {"files": {"x" * (limit["most"] + 1): 1}},
    "paths": lambda limit: {"files": {limit["none"][0]: 1}},
    "total-bytes": lambda limit: {"files": {"a": limit["most"], "b": 1}},
}
LIMITS = [
    pytest.param(name, limit, id=f"{name}-{limit['limit']}")
    for name in PLACES
    for limit in TABLE["places"][name]["limits"]
]


def fitting(place: Upload) -> Packed:
    return FITTING._replace(in_folder=place.in_folder)


@pytest.mark.parametrize("name", PLACES)
def test_a_plain_skill_fits_everywhere_in_the_layout_of_the_place(name: str) -> None:
    place = uploads()[name]
    assert excesses(place, fitting(place)) == []
    other = excesses(place, FITTING._replace(in_folder=not place.in_folder))
    assert bool(other) is (place.layout in {"folder", "root"})
    assert all(place.source in said for said in other)


@pytest.mark.together
@pytest.mark.parametrize(("name", "limit"), LIMITS)
def test_what_is_over_a_limit_is_named_with_the_limit_and_its_source(
    name: str, limit: dict[str, Any]
) -> None:
    place = uploads()[name]
    over = OVER[limit["limit"]](limit)
    found = excesses(place, fitting(place)._replace(**over))
    source = f"({limit.get('evidence', place.evidence)}: {limit.get('source', place.source)})"
    assert any(said.endswith(source) and f"; {name} " in said for said in found)
    if "most" in limit:
        assert any(f"{limit['most']:,}" in said for said in found)
        assert any(f"{limit['most'] + 1:,}" in said for said in found)


def test_signs_of_less_and_more_are_no_tag() -> None:
    assert (
        excesses(uploads()["claude.ai"], FITTING._replace(description="For 1 < x and x > 3, or a->b.")) == []
    )


def test_a_name_may_be_too_short() -> None:
    (said,) = excesses(uploads()["clawhub"], FITTING._replace(name="ab"))
    assert said.startswith("the name `ab` has 2 characters; clawhub requires at least 3 (source: ")


@pytest.mark.parametrize("name", PLACES)
def test_each_fact_of_the_table_has_a_source(name: str) -> None:
    row = TABLE["places"][name]
    assert row["layout"] in {"folder", "root", "either", "unknown"}
    assert set(row["formats"]) <= {"zip", "skill", "tar.gz"}
    for about in (row, *({**row, **limit} for limit in row["limits"])):
        assert about["source"]
        assert about["evidence"] in {"docs", "source", "reported"}


@pytest.fixture
def skill(repo: Path, make_skill: MakeSkill) -> Path:
    directory = make_skill(repo / "forms")
    (directory / "notes.md").write_text("x" * 100, "utf-8")
    return directory


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "names"),
    [
        ("claude.ai", ["forms/SKILL.md", "forms/notes.md"]),
        ("model-studio", ["SKILL.md", "notes.md"]),
        ("qoder", ["forms/SKILL.md", "forms/notes.md"]),
    ],
)
def test_the_archive_has_the_layout_of_the_place(
    skilltool: Skilltool, repo: Path, skill: Path, place: str, names: list[str]
) -> None:
    run = skilltool("pack", "--upload", place, "forms")
    assert run.returncode == 0, run.stderr
    assert f"known limits of {place} (" in run.stderr
    with zipfile.ZipFile(repo / "forms.zip") as archive:
        assert archive.namelist() == names
    checked = skilltool("pack", "--check", "--upload", place, "forms.zip")
    assert (checked.returncode, checked.stdout.splitlines()[-1]) == (0, run.stdout.splitlines()[-1])


def test_a_root_layout_as_tar_is_checked_under_the_name_in_its_frontmatter(
    skilltool: Skilltool, repo: Path, skill: Path
) -> None:
    assert (
        skilltool("pack", "--upload", "well-known", "--format", "tar.gz", "forms", "-o", "x").returncode == 0
    )
    run = skilltool("pack", "--check", "--upload", "well-known", "x", "--runtime", "agentskills")
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("x  forms, 2 files, ")


@pytest.mark.slow
def test_the_wrong_layout_is_named(skilltool: Skilltool, repo: Path, skill: Path) -> None:
    skilltool("pack", "--upload", "model-studio", "forms")
    run = skilltool("pack", "--check", "--upload", "claude.ai", "forms.zip")
    assert run.returncode == 1
    assert (
        "SKILL.md is at the root of the archive; claude.ai expects it in a folder (reported: " in run.stderr
    )
    again = skilltool("pack", "--check", "forms.zip")
    assert (again.returncode, "expected one top-level directory" in again.stderr) == (1, True)


def test_a_second_skill_file_in_the_root_layout_is_refused(skilltool: Skilltool, repo: Path) -> None:
    with zipfile.ZipFile(repo / "x.zip", "w") as archive:
        for name in ("SKILL.md", "more/SKILL.md"):
            archive.writestr(name, "---\nname: forms\ndescription: Fills in forms.\n---\n\nText.\n")
    run = skilltool("pack", "--check", "--upload", "model-studio", "x.zip")
    assert (run.returncode, "contains a second SKILL.md" in run.stderr) == (1, True)


def test_what_is_over_a_limit_is_not_packed(skilltool: Skilltool, repo: Path, skill: Path) -> None:
    (skill / "big.bin").write_bytes(bytes(1_000_001))
    run = skilltool("pack", "--upload", "langfuse", "forms")
    assert run.returncode == 1
    assert "bytes in total; langfuse allows 1,000,000 (docs: https://langfuse.com/" in run.stderr
    assert "forms was not packed: langfuse does not accept it" in run.stderr
    assert not (repo / "forms.zip").exists()
    assert skilltool("pack", "--upload", "claude.ai", "forms").returncode == 0


def test_a_directory_is_checked_as_it_would_be_packed(skilltool: Skilltool, repo: Path, skill: Path) -> None:
    run = skilltool("pack", "--check", "--upload", "claude.ai", "forms")
    assert (run.returncode, run.stdout.splitlines()[0].startswith("forms  forms, 2 files, ")) == (0, True)
    (skill / ".claude-plugin").mkdir()
    (skill / ".claude-plugin" / "plugin.json").write_text("{}", "utf-8")
    run = skilltool("pack", "--check", "--upload", "claude.ai", "forms")
    assert run.returncode == 1
    assert "the archive contains `.claude-plugin/plugin.json`; claude.ai rejects it (reported: " in run.stderr
    assert not (repo / "forms.zip").exists()


def test_an_unknown_place_is_an_error_that_lists_the_known(
    skilltool: Skilltool, repo: Path, skill: Path
) -> None:
    run = skilltool("pack", "--upload", "claude.ia", "forms")
    assert run.returncode == 2
    assert all(f"'{name}'" in run.stderr for name in PLACES)
    assert "did you mean 'claude.ai'?" in run.stderr


def test_a_format_that_the_place_does_not_take_is_an_error(
    skilltool: Skilltool, repo: Path, skill: Path
) -> None:
    for options in (["--format", "tar.gz"], ["-o", "x.tar.gz"]):
        run = skilltool("pack", "--upload", "claude.ai", "forms", *options)
        assert run.returncode == 2
        assert "--upload claude.ai accepts zip or skill, not tar.gz" in run.stderr


def test_tab_completes_the_places(skilltool: Skilltool, repo: Path) -> None:
    words = {"COMP_WORDS": "skilltool pack --upload cla", "COMP_CWORD": "3"}
    run = skilltool(_SKILLTOOL_COMPLETE="bash_complete", **words)
    assert run.stdout.split() == ["plain,claude-api", "plain,claude.ai", "plain,clawhub"]

"""The table of places agrees with the profiles, and says where each row is from."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool._resources import data
from skilltool.packages.owners import owners_of

TABLE = json.loads((data("schemas") / "places.json").read_text("utf-8"))
SHARED = "skills"  # the directory of a library, which is nobody's, although MyCodeAgent looks there


def test_every_row_is_there_once_and_says_where_it_is_from() -> None:
    assert {row["place"] for row in TABLE["configurations"]} <= {row["path"] for row in TABLE["places"]}
    rows = [*TABLE["places"], *TABLE["manifests"]]
    paths = [row.get("path") or row["file"] for row in rows]
    assert len(set(paths)) == len(paths)
    assert all(row["source"] and row["client"] for row in rows)
    assert not any(path.startswith(("/", "~")) or path.endswith("/") for path in paths)


# Places of a runtime that the table does not have.
WITHOUT_OWNER = {".deepagents/skills", ".deepagents/agent/skills"}


def test_the_runtimes_that_look_in_a_place_are_its_owner_and_its_readers() -> None:
    looking: dict[str, set[str]] = {}
    for runtime in map(runtimes.get, runtimes.BARE):
        for root in runtime.roots:
            top, _, path = (root.path_template or "").partition("/")
            if top and root.scope in ("project", "user") and path.endswith("/skills"):
                looking.setdefault(path, set()).add(runtime.id)
    for row in TABLE["places"]:
        named = {row["client"], *row.get("readers", ())} & set(runtimes.IDS)
        assert looking.pop(row["path"], set()) | {row["client"]} & set(runtimes.IDS) == named
    assert set(looking) <= {SHARED, *WITHOUT_OWNER}


def test_a_package_does_not_own_what_is_hidden_at_its_top(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".claude-plugin").mkdir()
    (tmp_path / ".claude-plugin" / "plugin.json").write_text('{"name": "forms"}', "utf-8")
    found = {}
    for place in (".kiro/skills/pdf", "skills/pdf", "skills/.curated/pdf", ".claude/skills/pdf"):
        (tmp_path / place).mkdir(parents=True)
        owners = owners_of(os.path.realpath(tmp_path / place))
        found[place] = owners and owners.reason
    assert found == {
        ".kiro/skills/pdf": ".kiro/skills",
        "skills/pdf": ".claude-plugin/plugin.json",
        "skills/.curated/pdf": ".claude-plugin/plugin.json",
        ".claude/skills/pdf": ".claude/skills",
    }


def test_a_place_that_the_table_lacks_is_of_the_client_that_the_installer_knows(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    found = {}
    for place in (".kiro/skills/pdf", ".claw/skills/group/pdf", ".github/old/pdf", "skills/.curated/pdf"):
        (tmp_path / place).mkdir(parents=True)
        owners = owners_of(os.path.realpath(tmp_path / place))
        found[place] = owners and owners.clients
    assert found == {
        ".kiro/skills/pdf": ("kiro-cli",),
        ".claw/skills/group/pdf": ("agentskills",),
        ".github/old/pdf": None,
        "skills/.curated/pdf": None,
    }


def test_a_skill_in_the_directory_of_a_manifest_is_of_its_client(tmp_path: Path) -> None:
    for folder in (".claude-plugin", ".codex-plugin"):
        (tmp_path / folder / "skills" / "pdf").mkdir(parents=True)
    (tmp_path / ".claude-plugin/plugin.json").write_text('{"name": "works"}', "utf-8")
    owners = owners_of((tmp_path / ".claude-plugin/skills/pdf").as_posix())
    assert owners is not None
    assert (owners.clients, owners.reason) == (("claude-code",), ".claude-plugin/plugin.json")
    assert owners_of((tmp_path / ".codex-plugin/skills/pdf").as_posix()) is None


DEEP = {"codex": ".codex/skills", "opencode": ".opencode/skills", "crush": ".crush/skills"}


@pytest.mark.parametrize(
    ("client", "place", "is_flat"),
    [(row["client"], row["path"], True) for row in TABLE["places"] if row.get("flat")]
    + [(client, place, False) for client, place in DEEP.items()],
)
def test_a_client_of_a_flat_place_does_not_find_a_skill_inside_another(
    tmp_path: Path, client: str, place: str, is_flat: bool
) -> None:
    top = tmp_path / "project" / place
    for name in ("forms", "forms/pdf"):
        (top / name).mkdir(parents=True)
        text = f"---\nname: {name.rpartition('/')[2]}\ndescription: Fills in forms.\n---\n\nText.\n"
        (top / name / "SKILL.md").write_text(text, "utf-8")
    session = runtimes.get(client).open(tmp_path / "project", tmp_path)
    found = [skill.directory for skill in session.skills]
    assert top / "forms" in found
    assert (top / "forms/pdf" in found) != is_flat

"""The entry with which an MCP server offers a skill, and what hosts would not take."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from skilltool.pack import collect, mcp
from tests.conftest import Skilltool

FIELDS = "name: pdf-tools\ndescription: Fills in forms. Use when the user mentions a form.\n"


def skill(repo: Path, fields: str = FIELDS, name: str = "pdf-tools") -> Path:
    directory = repo / "skills" / name
    directory.mkdir(parents=True)
    (directory / "SKILL.md").write_text(f"---\n{fields}---\n\n# Forms\n\nRead the form first.\n", "utf-8")
    return directory


def test_an_entry_has_uris_frontmatter_digests_and_sizes(skilltool: Skilltool, repo: Path) -> None:
    directory = skill(repo, FIELDS + "metadata:\n  version: '1'\n  tags: [a, 2]\n")
    (directory / "references").mkdir()
    (directory / "references" / "a page.md").write_bytes(b"# A page\r\n")
    run = skilltool("pack", "skills/pdf-tools", "--mcp", "acme/forms", "--runtime", "claude-code")
    assert run.returncode == 0, run.stderr
    entry = json.loads((repo / "pdf-tools.mcp.json").read_text("utf-8"))
    assert entry["uri"] == "skill://acme/forms/pdf-tools/SKILL.md"
    assert entry["frontmatter"]["metadata"] == {"version": "1", "tags": ["a", 2]}
    assert [each["uri"] for each in entry["resources"]] == [
        "skill://acme/forms/pdf-tools/SKILL.md",
        "skill://acme/forms/pdf-tools/references/a%20page.md",
    ]
    page = entry["resources"][1]
    assert page["size"] == 10
    assert page["digest"] == f"sha256:{sha256(b'# A page' + bytes([13, 10])).hexdigest()}"


PROBLEMS = {
    "name": (FIELDS.replace("pdf-tools", "PDF"), "`name` is"),
    "other name": (FIELDS.replace("pdf-tools", "pdf"), "the URI ends in the name of the directory"),
    "no description": ("name: pdf-tools\n", "`description` is missing"),
    "long": (f"name: pdf-tools\ndescription: {'x' * 1_025}\n", "1,025 characters"),
    "reserved": (FIELDS + "metadata:\n  io.modelcontextprotocol/x: '1'\n", "reserved for the protocol"),
    "nan": (FIELDS + "metadata:\n  x: .nan\n", "`metadata.x` is .nan"),
    "date": (FIELDS + "metadata:\n  x: 2026-01-02\n", "a date to some parsers"),
    "alias": (FIELDS + "metadata:\n  x: &a 1\n  y: *a\n", "`metadata.y` is the alias"),
    "tag": (FIELDS + "metadata:\n  x: !!binary aGk=\n", "has the tag"),
    "key": (FIELDS + "metadata:\n  1: x\n", "has the key 1"),
    "not YAML": ("name: [\n", "cannot be read"),
}


@pytest.mark.together
@pytest.mark.parametrize("case", PROBLEMS)
def test_what_hosts_do_not_take(tmp_path: Path, case: str) -> None:
    fields, part = PROBLEMS[case]
    (problem,) = mcp.problems(collect(skill(tmp_path / case, fields)))
    assert part in problem


def test_too_many_files_and_too_many_bytes(tmp_path: Path) -> None:
    directory = skill(tmp_path)
    assert mcp.problems(collect(directory)) == []
    for number in range(512):
        (directory / f"{number}.txt").write_text("x", "utf-8")
    assert mcp.problems(collect(directory)) == ["the skill has 513 files, and hosts take 512"]
    (directory / "0.txt").unlink()
    with (directory / "1.txt").open("wb") as file:
        file.truncate(16 << 20)
    (problem,) = mcp.problems(collect(directory))
    assert "and hosts take 16,777,216" in problem


def test_nothing_is_written_where_a_host_would_not_take_it(skilltool: Skilltool, repo: Path) -> None:
    skill(repo, FIELDS.replace("pdf-tools", "pdf"))
    run = skilltool("pack", "skills/pdf-tools", "--mcp", "acme")
    assert run.returncode == 1
    assert "hosts do not accept it" in run.stderr
    assert not (repo / "pdf-tools.mcp.json").exists()


def test_checking_writes_nothing_and_a_wrong_path_is_refused(skilltool: Skilltool, repo: Path) -> None:
    skill(repo)
    run = skilltool("pack", "skills/pdf-tools", "--mcp", "acme", "--check")
    assert (run.returncode, run.stdout.split()[1]) == (0, "skill://acme/pdf-tools/SKILL.md,")
    assert not (repo / "pdf-tools.mcp.json").exists()
    for wrong in ("../x", "a b", "acme//x"):
        assert skilltool("pack", "skills/pdf-tools", "--mcp", wrong).returncode == 2
    assert skilltool("pack", "skills/pdf-tools", "--mcp", "acme", "--index", "public").returncode == 2


def test_what_an_earlier_run_wrote_into_the_skill_is_not_part_of_it(skilltool: Skilltool, repo: Path) -> None:
    directory = skill(repo)
    (directory / "other.json").write_text("{}\n", "utf-8")
    entry, told = directory / "pdf-tools.mcp.json", set()
    for _ in range(2):
        assert skilltool("pack", ".", "--mcp", "acme", cwd=directory).returncode == 0
        assert skilltool("pack", ".", cwd=directory).returncode == 0
        told.add(entry.read_bytes())
    assert len(told) == 1
    uris = [each["uri"].rpartition("/")[2] for each in json.loads(entry.read_bytes())["resources"]]
    assert uris == ["SKILL.md", "other.json"]
    run = skilltool("pack", "--check", "--mcp", "acme", ".", cwd=directory)
    assert (run.returncode, run.stderr.count("left out: ")) == (0, 2)
    assert "2 files" in run.stdout
    run = skilltool("pack", "--mcp", "acme", ".", "-o", "other.json", cwd=directory)
    assert (run.returncode, run.stdout) == (2, "")
    assert "would replace a file in the skill" in run.stderr


def test_what_pack_writes_is_not_taken_for_a_skill(skilltool: Skilltool, repo: Path) -> None:
    directory = skill(repo)
    skilltool("pack", ".", "--mcp", "acme", cwd=directory)
    skilltool("pack", ".", cwd=directory)
    written = {path.name: path.read_bytes() for path in directory.iterdir()}
    for arguments, says in (
        (("pdf-tools.mcp.json", "--mcp", "acme"), "an entry for an MCP server; name the skill's directory"),
        (("--check", "pdf-tools.mcp.json", "--mcp", "acme"), "an entry for an MCP server"),
        (("pdf-tools.skill",), "use `skilltool pack --check pdf-tools.skill` to check an archive"),
    ):
        run = skilltool("pack", *arguments, cwd=directory)
        assert (run.returncode, run.stdout) == (2, "")
        assert says in run.stderr
    assert {path.name: path.read_bytes() for path in directory.iterdir()} == written

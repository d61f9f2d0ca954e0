"""What arrives when one skill is installed, what breaks, and what to install with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from skilltool.errors import SkilltoolError, UnknownNameError
from skilltool.needs.around import below
from skilltool.needs.closure import Closure, closure, installers
from skilltool.skill import schema
from tests.conftest import Skilltool

HEAD = "---\nname: {}\ndescription: Fills in forms. Use when the user mentions a form.\n---\n\n# Forms\n\n"


def write(directory: Path, body: str = "Read the form first.\n", name: str = "") -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "SKILL.md").write_text(HEAD.format(name or directory.name) + body, "utf-8")
    return directory


@pytest.fixture
def library(repo: Path) -> Path:
    """A plugin whose `fill` refers to `shared`, to `sign` of another plugin, and to a file beside them."""
    body = (
        "Read [shared](../shared/SKILL.md), [fields](../shared/fields.md#x) and "
        "[style](../../../style.md).\n\n"
        "See [sign](../../../signing/skills/sign/SKILL.md), and [gone](../gone/SKILL.md).\n\n"
        "Read `skills/shared/fields.md`.\n\nOr read ~/.claude/skills/shared/fields.md.\n"
    )
    fill = write(repo / "forms" / "skills" / "fill", body)
    (fill / "metadata.json").write_text("{}", "utf-8")
    (fill / "scripts" / "__pycache__").mkdir(parents=True)
    (fill / "scripts" / "__pycache__" / "x.pyc").write_bytes(b"\0")
    (fill / "scripts" / "x.py").write_text("print()\n", "utf-8")
    (fill / "linked.md").symlink_to("../../../style.md")
    (fill / "broken.md").symlink_to("nowhere.md")
    shared = write(repo / "forms" / "skills" / "shared", "Use the `/sign` skill by running `/sign-off`.\n")
    (shared / "fields.md").write_text("# X\n", "utf-8")
    write(repo / "signing" / "skills" / "sign")
    write(repo / "signing" / "skills" / "sign-off")
    for plugin in ("forms", "signing"):
        manifest = repo / plugin / ".claude-plugin" / "plugin.json"
        manifest.parent.mkdir()
        manifest.write_text(json.dumps({"name": plugin, "dependencies": ["base"]}), "utf-8")
    plugins = [{"name": each, "source": f"./{each}"} for each in ("forms", "signing")]
    (repo / ".claude-plugin").mkdir()
    (repo / ".claude-plugin" / "marketplace.json").write_text(
        json.dumps({"name": "acme", "plugins": plugins}), "utf-8"
    )
    (repo / "style.md").write_text("# Style\n", "utf-8")
    return repo


def broken(found: Closure, still: bool = False) -> list[str]:
    """The lines and targets that break."""
    rows = found.breaks_still if still else found.breaks
    return [
        f"{each.skill}:{each.reference.line} {each.reference.path or each.reference.target}" for each in rows
    ]


def test_npx_skills_copies_one_directory_and_follows_links_of_the_file_system(library: Path) -> None:
    found = closure(below(library), "fill", "skills")
    assert found.arrives == ("SKILL.md", "linked.md", "scripts/x.py")
    assert dict(found.left_out) == {
        "broken.md": "a broken symbolic link",
        "metadata.json": "never copied",
        "scripts/__pycache__": "never copied",
    }
    assert not found.rewrites


OTHERS = {
    "gh": ("SKILL.md", "metadata.json", "scripts/__pycache__/x.pyc", "scripts/x.py"),
    "openskills": ("SKILL.md", "linked.md", "metadata.json", "scripts/__pycache__/x.pyc", "scripts/x.py"),
    "codex": ("SKILL.md", "linked.md", "metadata.json", "scripts/__pycache__/x.pyc", "scripts/x.py"),
}


@pytest.mark.parametrize("installer", OTHERS)
def test_other_installers_copy_other_files(library: Path, installer: str) -> None:
    found = closure(below(library), "fill", installer)
    assert found.arrives == OTHERS[installer]
    assert found.rewrites == (installer == "gh")


def test_what_breaks_alone_and_what_even_with_the_other_skills(library: Path) -> None:
    found = closure(below(library), "fill", "skills")
    assert broken(found) == [
        "fill:8 ../shared/SKILL.md",
        "fill:8 ../shared/fields.md#x",
        "fill:8 ../../../style.md",
        "fill:10 ../../../signing/skills/sign/SKILL.md",
        "fill:12 skills/shared/fields.md",
        "fill:14 ~/.claude/skills/shared/fields.md",
    ]
    assert [(each.name, each.asked_by) for each in found.companions] == [
        ("shared", "fill"),
        ("sign", "fill"),
        ("sign-off", "shared"),
    ]
    assert broken(found, still=True) == [
        "fill:8 ../../../style.md",
        "fill:10 ../../../signing/skills/sign/SKILL.md",
        "fill:12 skills/shared/fields.md",
    ]
    assert found.broken_before == 1


def test_a_skill_whose_directory_has_another_name_is_elsewhere(library: Path) -> None:
    write(library / "forms" / "skills" / "shared", name="forms-shared")
    found = closure(below(library), "fill", "skills")
    assert "fill:8 ../shared/SKILL.md" in broken(found, still=True)
    assert "forms-shared" in found.breaks_still[0].why
    by_path = closure(below(library), "fill", "codex")
    assert "fill:8 ../shared/SKILL.md" not in broken(by_path, still=True)


def test_a_plugin_arrives_whole_and_no_path_leads_out_of_it(library: Path) -> None:
    found = closure(below(library), "fill", "claude-plugin")
    assert "skills/shared/fields.md" in found.arrives
    assert broken(found) == ["fill:8 ../../../style.md", "fill:10 ../../../signing/skills/sign/SKILL.md"]
    assert {each.why for each in found.breaks} == {"which is outside the plugin"}
    assert found.installed_as == "forms:fill"
    assert found.remarks == ("its plugin depends on base, which Claude Code installs with it",)


def test_of_several_copies_that_is_meant_to_which_the_installer_comes_first(library: Path) -> None:
    write(library / "skills" / "fill", "Another one.\n")
    assert closure(below(library), "fill", "skills").directory.endswith("repo/skills/fill")
    write(library / "drafts" / "deep" / "er" / "draft")
    with pytest.raises(SkilltoolError, match="does not look in"):
        closure(below(library), "draft", "skills")
    assert closure(below(library), "draft", "codex").name == "draft"
    with pytest.raises(UnknownNameError):
        closure(below(library), "no-such", "codex")


def test_every_installer_says_how_its_facts_are_known() -> None:
    from skilltool.packages.installer import table

    assert set(installers()) == {"skills", "gh", "openskills", "codex", "claude-plugin"}
    for facts in table()["single"].values():
        assert facts["evidence"] in ("run", "source", "docs")
        assert facts["source"]


def test_the_command_shows_it_and_fails_on_request(skilltool: Skilltool, library: Path) -> None:
    at = ("resolve", ".", "--installer", "skills", "--skill", "fill")
    run = skilltool(*at)
    assert run.returncode == 0
    lines = run.stdout.splitlines()
    assert lines[0] == "fill installed by skills 1.7.4 as fill"
    assert "  arrives: 3 files" in lines
    assert (
        "  breaks: SKILL.md:8 reads ../shared/SKILL.md, and forms/skills/shared is not installed with it"
        in lines
    )
    assert "  also install: shared (SKILL.md:8)" in lines
    assert skilltool(*at, "--fail-on", "broken").returncode == 1
    assert "    scripts/x.py" in skilltool(*at, "--explain").stdout.splitlines()
    data = json.loads(skilltool(*at, "--output-format", "json").stdout)
    Draft202012Validator(schema.load("resolve")).validate(data)
    assert [each["skill"] for each in data["closures"][0]["install_with"]] == ["shared", "sign", "sign-off"]
    for wrong in (("--installer", "gh"), ("--skill", "fill"), ("--installer", "skills", "--skill", "no")):
        assert skilltool("resolve", ".", *wrong).returncode == 2


def test_what_an_installer_does_not_take_is_told_and_no_closure(skilltool: Skilltool, repo: Path) -> None:
    directory = repo / "skills" / "pdf"
    directory.mkdir(parents=True)
    (directory / "SKILL.md").write_text("---\ndescription: Fills in forms.\n---\n\nDo it.\n", "utf-8")
    run = skilltool("resolve", ".", "--installer", "skills", "--skill", "pdf")
    assert (run.returncode, run.stdout) == (2, "")
    assert "npx skills does not install skills/pdf: `name` is missing or is not a string" in run.stderr
    run = skilltool("resolve", ".", "--installer", "claude-plugin", "--skill", "pdf")
    assert (run.returncode, run.stdout) == (2, "")
    assert "no plugin in this repository offers skills/pdf" in run.stderr

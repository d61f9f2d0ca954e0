"""What a skill refers to: other skills in each form, files outside, missing files, circles, old names."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes
from skilltool.needs.around import around
from skilltool.needs.references import Reference, cycles, references
from skilltool.skill.model import load_skill
from tests.conftest import Skilltool

HEAD = "---\nname: {}\ndescription: Fills in forms. Use when the user mentions a form.\n{}---\n\n# Forms\n\n"


def write(directory: Path, body: str = "Read the form first.\n", fields: str = "", name: str = "") -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "SKILL.md").write_text(HEAD.format(name or directory.name, fields) + body, "utf-8")
    return directory


@pytest.fixture
def library(repo: Path) -> Path:
    """A plugin `forms` with the skills `fill-forms`, `form-shared` and `pdf`, and a file beside them."""
    for name in ("fill-forms", "form-shared", "pdf"):
        write(repo / "skills" / name)
    (repo / "skills" / "form-shared" / "fields.md").write_text("# Fields\n", "utf-8")
    (repo / "house-style.md").write_text("# Style\n", "utf-8")
    manifest = repo / ".claude-plugin" / "plugin.json"
    manifest.parent.mkdir()
    manifest.write_text(json.dumps({"name": "forms"}), "utf-8")
    return repo


def found(library: Path, body: str, fields: str = "") -> list[Reference]:
    """What `fill-forms` refers to with this body."""
    directory = write(library / "skills" / "fill-forms", body, fields)
    known = around([library])
    own = known.by_directory[directory]
    return list(references(load_skill(directory), own, known, runtimes.get("portable")))


FORMS = {
    "link": ("See [shared](../form-shared/SKILL.md).", "form-shared", "link", False),
    "directory": ("See [shared](../form-shared/).", "form-shared", "link", False),
    "path": ("Read `../form-shared/SKILL.md` first.", "form-shared", "path", False),
    "from the top": ("Read skills/form-shared/SKILL.md first.", "form-shared", "path", False),
    "installed": ("Read ~/.claude/skills/form-shared/SKILL.md first.", "form-shared", "path", False),
    "slash": ("Run `/form-shared` first.", "form-shared", "/name", False),
    "dollar": ("Then use $form-shared.", "form-shared", "$name", False),
    "at": ("- `@form-shared` - what forms have in common", "form-shared", "@name", False),
    "plugin": ("Use forms:pdf for the rest.", "forms:pdf", "plugin:name", False),
    "tool": ('Call Skill("pdf") for the rest.', "pdf", "Skill()", False),
    "tool of a plugin": ('Call Skill(skill="forms:pdf").', "forms:pdf", "Skill()", False),
    "prose": ("The `pdf` skill does the rest.", "pdf", "prose", True),
    "prose before": ("Load the skill `pdf` for the rest.", "pdf", "prose", True),
    "name in a line about skills": ("Related skills: `form-shared`", "form-shared", "prose", True),
    "plain name and the word": ("See the form-shared skill for the fields.", "form-shared", "prose", True),
    "plain name in a line about skills": (
        "**Sub-skills**: other-one, form-shared",
        "form-shared",
        "prose",
        True,
    ),
    "bold item": ("- **form-shared**: what forms have in common", "form-shared", "prose", True),
    "bold item, dash": ("1. **form-shared** - what forms have in common", "form-shared", "prose", True),
    "name of no plugin": ("Use office:form-shared first.", "office:form-shared", "plugin:name", True),
}


@pytest.mark.together
@pytest.mark.parametrize("form", FORMS)
def test_another_skill_is_found_in_every_form(library: Path, form: str) -> None:
    body, target, by, is_note = FORMS[form]
    (one,) = found(library, body + "\n")
    assert (one.to, one.target, one.by, one.is_note) == ("skill", target, by, is_note)
    assert (one.file, one.line) == ("SKILL.md", 8)
    assert one.text == body
    assert one.skill.endswith(target.rpartition(":")[2])


OTHER_TEXT = {
    "a word": "Save it as pdf, and test the pdf.",
    "a file": "Write `/pdf/out.txt` and `form-shared.md`.",
    "a path of a web site": "The page `/pdf` is one of theirs.",
    "itself": "Run `/fill-forms`, or read ../fill-forms/SKILL.md and the `fill-forms` skill.",
    "another plugin": "Use other:pdf for the rest.",
    "a variable": "Print $pdf and $HOME.",
    "an address": "Write to me@form-shared.example.",
    "a package": "Install `@scope/form-shared`.",
    "a longer name": "Run `/form-shared-more` with the skill `my-pdf`.",
    "a URL": "See [it](https://example.com/skills/pdf/SKILL.md).",
    "a plain name": "Its fields are form-shared.",
    "a plain word": "The pdf skill does the rest, says this skill.",
    "an agent": "Skills: start the agent form-shared, or **form-shared** agents.",
    "an agent of a plugin": "Dispatch office:form-shared subagent.",
    "a plain path": "This skill writes out/form-shared and form-shared/out and form-shared.md.",
    "code": "```\nthe form-shared skill\n- **form-shared**: x\n```",
    "a span of code": "The skill runs `make form-shared now`.",
}


@pytest.mark.together
@pytest.mark.parametrize("text", OTHER_TEXT)
def test_other_words_name_no_skill(library: Path, text: str) -> None:
    assert [each for each in found(library, OTHER_TEXT[text] + "\n") if each.to == "skill"] == []


def test_fields_name_skills_and_not_packages_that_have_the_same_name(library: Path) -> None:
    fields = (
        "dependencies: [form-shared, pdf]\nmetadata:\n  related_skills:\n    - slug: pdf\n      relation: x\n"
    )
    by = [(each.target, each.by) for each in found(library, "Fill them in.\n", fields)]
    assert by == [
        ("form-shared", "field dependencies"),
        ("pdf", "field dependencies"),
        ("pdf", "field metadata.related_skills"),
    ]
    assert found(library, "Fill them in.\n", "dependencies: [pdf, requests]\n") == []


def test_files_in_other_skills_outside_and_missing(library: Path) -> None:
    body = (
        "See [the fields](../form-shared/fields.md) and [the style](../../house-style.md).\n\n"
        "Then read [more](more.md), and run `python scripts/fill.py`.\n\n"
        "See also [gone](../gone/SKILL.md).\n"
    )
    (library / "skills" / "fill-forms" / "scripts").mkdir()
    assert [(each.to, each.target, each.leads, each.line) for each in found(library, body)] == [
        ("skill-file", "../form-shared/fields.md", "skills/form-shared/fields.md", 8),
        ("outside", "../../house-style.md", "house-style.md", 8),
        ("missing", "more.md", "", 10),
        ("missing", "scripts/fill.py", "", 10),
        ("nowhere", "../gone/SKILL.md", "", 12),
    ]


def test_a_page_of_the_skill_counts_and_a_template_does_not(library: Path) -> None:
    directory = library / "skills" / "fill-forms"
    for file in ("references/page.md", "assets/template.md"):
        (directory / file).parent.mkdir()
        (directory / file).write_text("Use forms:pdf.\n", "utf-8")
    (one,) = found(library, "See [page](references/page.md).\n")
    assert (one.file, one.line, one.target) == ("references/page.md", 1, "forms:pdf")


def test_circles_are_groups_that_reach_each_other() -> None:
    assert cycles([("a", "b"), ("b", "a"), ("b", "c"), ("d", "d")]) == [("a", "b")]
    assert cycles([("a", "b"), ("b", "c"), ("c", "a"), ("x", "y"), ("y", "x"), ("c", "x")]) == [
        ("a", "b", "c"),
        ("x", "y"),
    ]
    chain = [(f"{number:05}", f"{number + 1:05}") for number in range(5_000)]
    assert cycles(chain) == []
    assert len(cycles([*chain, ("05000", "00000")])[0]) == 5_001


def asked(skilltool: Skilltool, *arguments: str, **more: Any) -> Any:
    run = skilltool("needs", *arguments, "--output-format", "json", **more)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_json_has_references_both_ways_and_circles(skilltool: Skilltool, library: Path) -> None:
    write(library / "skills" / "pdf", "See [it](../fill-forms/SKILL.md).\n")
    write(library / "skills" / "fill-forms", "Use forms:pdf.\n")
    data = asked(skilltool, "pdf")
    (one,) = data["skills"]
    assert (one["name"], one["directory"], one["plugins"]) == ("pdf", "skills/pdf", ["forms"])
    assert [each["target"] for each in one["references"]] == ["fill-forms"]
    assert [(each["from"], each["by"]) for each in one["referred_by"]] == [
        ("skills/fill-forms", "plugin:name")
    ]
    assert data["cycles"] == [["skills/fill-forms", "skills/pdf"]]


def test_the_digest_is_that_of_what_sha256sum_prints(skilltool: Skilltool, library: Path) -> None:
    from hashlib import sha256

    directory = library / "skills" / "form-shared"
    sums = (
        f"{sha256((directory / name).read_bytes()).hexdigest()}  {name}\n"
        for name in ("SKILL.md", "fields.md")
    )
    expected = sha256("".join(sums).encode()).hexdigest()
    (one,) = asked(skilltool, "form-shared")["skills"]
    assert one["digest"] == f"sha256:{expected}"
    (directory / "fields.md").write_text("# Changed\n", "utf-8")
    assert asked(skilltool, "form-shared")["skills"][0]["digest"] != one["digest"]


def test_text_for_one_and_for_several(skilltool: Skilltool, library: Path) -> None:
    write(library / "skills" / "fill-forms", "Use forms:pdf. See [x](../gone/SKILL.md).\n")
    one = skilltool("needs", "fill-forms").stdout
    assert "forms:pdf  SKILL.md:8  plugin:name" in one
    assert "Not in this repository" in one
    assert "../gone/SKILL.md" in one
    assert "Referred to by" in skilltool("needs", "skills/pdf").stdout
    table = skilltool("needs").stdout.splitlines()
    assert table[0].split() == ["skill", "skills", "outside", "missing", "used", "by", *_COUNTED]
    assert len(table) == 4
    assert skilltool("needs", cwd=library / "skills" / "pdf").stdout.startswith("pdf in ")


_COUNTED = ("hosts", "commands", "packages", "not", "read")


def test_graphs_have_an_edge_for_each_pair_and_prose_on_request(skilltool: Skilltool, library: Path) -> None:
    write(library / "skills" / "fill-forms", "Use forms:pdf, then the `form-shared` skill, and forms:pdf.\n")
    dot = skilltool("needs", "--output-format", "dot").stdout
    assert dot.count("->") == 1
    assert '"skills/fill-forms" -> "skills/pdf";' in dot
    assert dot.startswith("// left out: 1 references that occur only in prose; --details shows them\n")
    mermaid = skilltool("needs", "--details", "--output-format", "mermaid").stdout
    assert mermaid.startswith("flowchart LR\n")
    assert mermaid.count("-->") == 1
    assert mermaid.count("-.->") == 1


def git(top: Path, *arguments: str) -> None:
    of_tests = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    subprocess.run(["git", "-C", top, *of_tests, *arguments], check=True, capture_output=True)


def test_a_name_before_a_rename_is_found_where_it_is_still_used(skilltool: Skilltool, library: Path) -> None:
    (library / ".git").rmdir()
    git(library, "init", "--quiet")
    write(library / "skills" / "fill-forms", "Use forms:pdf, or `/form-shared`. Run `/pdf` too.\n")
    git(library, "add", "--all")
    git(library, "commit", "--quiet", "--message", "x")
    (library / "skills" / "form-shared").rename(library / "skills" / "form-common")
    write(library / "skills" / "form-common")
    (one,) = asked(skilltool, "fill-forms", "--since", "HEAD")["skills"]
    changes = [(each["sign"], each["what"], each["how"]) for each in one["changes"]]
    assert changes == [
        ("+", "form-shared", "old-name of form-common, /name"),
        ("-", "form-shared", "skill, /name"),
    ]
    run = skilltool("needs", "fill-forms", "--since", "no-such")
    assert run.returncode == 2
    assert "--since no-such" in run.stderr


def test_an_unknown_name_is_told_with_the_nearest(skilltool: Skilltool, library: Path) -> None:
    run = skilltool("needs", "fil-forms")
    assert run.returncode == 2
    assert "did you mean `fill-forms`?" in run.stderr
    assert skilltool("needs", "--since", "HEAD", "pdf").returncode == 2  # `.git` is empty


def test_what_is_named_counts_though_git_ignores_it(skilltool: Skilltool, repo: Path) -> None:
    write(repo / ".claude/skills/fill-forms")
    (repo / ".gitignore").write_text(".claude/\n", "utf-8")
    nothing = skilltool("needs")
    assert nothing.returncode == 2
    assert "contains a SKILL.md, or git ignores all of them; name a skill" in nothing.stderr
    for named in (".claude/skills/fill-forms", ".claude", "fill-forms"):
        assert skilltool("needs", named).stdout.startswith("fill-forms in .claude/skills/fill-forms\n")
    write(repo / "skills/pdf")
    assert "fill-forms" not in skilltool("needs").stdout
    assert "fill-forms in" in skilltool("needs", "fill-forms").stdout
    (repo / "src").mkdir()
    assert "git ignores all of them" in skilltool("needs", "src").stderr
    assert "fill-forms in" in skilltool("needs", "fill-forms", cwd=repo / "src").stdout


def test_where_a_project_has_none_those_at_home_answer(
    skilltool: Skilltool, repo: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    write(home / ".claude" / "skills" / "pdf", "See [x](gone.md).\n")
    run = skilltool("needs", "pdf", HOME=str(home))
    assert run.returncode == 0
    assert "gone.md" in run.stdout
    assert "the skills in your home directory" in run.stderr
    assert "did you mean `pdf`?" in skilltool("needs", "pdff", HOME=str(home)).stderr
    assert skilltool("needs", HOME=str(tmp_path / "empty")).returncode == 2


def test_a_skill_that_cannot_be_read_does_not_hide_the_others(skilltool: Skilltool, library: Path) -> None:
    file = library / "skills" / "pdf" / "SKILL.md"
    file.unlink()
    file.symlink_to(library.parent / "elsewhere.md")
    (library.parent / "elsewhere.md").write_text("x", "utf-8")
    run = skilltool("needs", "--output-format", "json")
    assert run.returncode == 2
    assert "skills/pdf: not read: it is a symbolic link" in run.stderr
    failures = [each["failure"] is None for each in json.loads(run.stdout)["skills"]]
    assert failures == [True, True, False]
    assert skilltool("needs", "fill-forms").returncode == 0

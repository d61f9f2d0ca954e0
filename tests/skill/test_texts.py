"""Every text file of a skill is read once, within the bounds; all else is passed over."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skilltool.bounds.budget import Budget
from skilltool.lint import settings
from skilltool.lint.config import Config
from skilltool.lint.run import check_skills
from skilltool.rules import RULES
from skilltool.runtimes import get
from skilltool.skill.model import load_skill
from skilltool.text.unsaved import unsaved_buffer
from tests.conftest import MakeSkill

READ = {
    "references/page.md": b"---\ntitle: x\n---\n# Page\n",
    "scripts/run.sh": b"#!/bin/sh\r\necho caf\xc3\xa9\r\n",
    "data.json": b"{}",
    "LICENSE": b"MIT\n",
    "empty.txt": b"",
    "late-nul.txt": b"x" * 9000 + b"\0",
    "cut.txt": b"x" * 8191 + "é".encode(),
}
PASSED_OVER = {
    "logo.png": b"\x89PNG\r\n\x1a\n\0\0",
    "latin.txt": b"caf\xe9\n",
    "utf16.md": "# Page".encode("utf-16"),
    "nul.txt": b"a\0b",
    "late.bin": b"x" * 9000 + b"\xff",
}


@pytest.fixture
def directory(tmp_path: Path, make_skill: MakeSkill) -> Path:
    return make_skill(tmp_path / "forms")


def write(directory: Path, files: dict[str, bytes]) -> None:
    for name, raw in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_bytes(raw)


def test_text_files_are_read_and_others_passed_over(directory: Path) -> None:
    write(directory, READ | PASSED_OVER)
    skill = load_skill(directory)
    assert skill.texts[0].file == ""
    assert skill.texts[0].source is skill.source
    assert {text.file: text.source.text.encode() for text in skill.texts[1:]} == READ
    assert skill.other_texts.unread == ()
    assert skill.dependencies.files >= READ.keys() | PASSED_OVER.keys()
    assert skill.texts[1] is skill.texts[1]


def test_a_page_is_parsed_as_a_body_is_and_a_script_is_not_a_page(directory: Path) -> None:
    write(directory, READ)
    skill = load_skill(directory)
    page, script = skill.text_of("references/page.md"), skill.text_of("scripts/run.sh")
    assert page is not None
    assert script is not None
    assert (page.is_page, page.directory, page.body) == (True, "references", "# Page\n")
    (heading,) = page.markdown.headings
    assert page.source[heading.span].strip() == "# Page"
    assert (script.is_page, script.body) == (False, script.source.text)
    assert skill.text_of("gone.md") is None


def test_links_special_files_and_nested_skills_are_left_alone(
    directory: Path, tmp_path: Path, make_skill: MakeSkill
) -> None:
    (tmp_path / "secret.md").write_text("secret", "utf-8")
    (directory / "out.md").symlink_to("../secret.md")
    (directory / "in.md").symlink_to("SKILL.md")
    os.mkfifo(directory / "pipe.md")
    make_skill(directory / "inner")
    write(directory, {"inner/references/page.md": b"x", "docs/skill.md": b"a page", "docs/b.md": b"b"})
    assert [text.file for text in load_skill(directory).texts] == ["", "docs/b.md", "docs/skill.md"]
    assert len(load_skill(directory / "inner").texts) == 2


def test_a_file_over_the_bound_is_information_and_hides_nothing(directory: Path) -> None:
    most = Budget().file
    write(directory, {"big.txt": b"x" * (most + 1), "fits.txt": b"x" * most, "big.bin": b"\0" * (most + 1)})
    write(directory, {"page.md": b"[x](gone.md)\n", "cut.txt": b"x" * (most - 1) + "é".encode()})
    found = lint(directory)
    assert [(each.rule, each.file, str(each.severity)) for each in found] == [
        ("over-bound", "big.txt", "info"),
        ("over-bound", "cut.txt", "info"),
        ("broken-link", "page.md", "info"),
    ]
    assert found[0].message == "file was not checked: it exceeds skilltool's limit of 1 MiB"


def test_once_there_is_too_much_text_the_rest_is_counted(directory: Path) -> None:
    write(directory, {f"{number:02}.txt": b"x\n" * (Budget().file // 2) for number in range(20)})
    write(directory, {"z.md": b"[x](gone.md)\n"})
    last, link = lint(directory)
    assert (link.rule, link.file) == ("broken-link", "z.md")  # pages are read before data
    assert (last.rule, last.file) == ("over-bound", "15.txt")
    assert last.message.startswith(
        "file and 4 more were not checked: the skill exceeds skilltool's limit of 16 MiB"
    )


def lint(directory: Path) -> list:
    options = {"runtimes": ["portable"], "paths": [directory], "select": ["over-bound", "broken-link"]}
    return list(check_skills(settings.resolve(Config(), options)).diagnostics)


def test_an_unsaved_page_is_read_as_the_editor_has_it(directory: Path) -> None:
    write(directory, {"page.md": b"old"})
    with unsaved_buffer(directory / "page.md", b"new"):
        assert [text.source.text for text in load_skill(directory).texts[1:]] == ["new"]
    with unsaved_buffer(directory / "deep" / "other.md", b"more"):
        texts = {text.file: text.source.text for text in load_skill(directory).texts[1:]}
        assert texts == {"page.md": "old", "deep/other.md": "more"}


PIECES = st.one_of(
    st.binary(max_size=40),
    st.sampled_from(
        [
            b"```\n",
            b"](x y.md)",
            b"](gone.md)",
            b"<img src='a.png'>",
            b"[a]: b.md\n",
            b"---\n",
            b"\r",
            b"\xef\xbb\xbf",
            b"# skilltool: ignore[broken-link] x\n",
            b"<!-- skilltool:",
            b"curl http://a.dev/x | sh\n",
            b"\xe2\x80\xae",
            b"TODO: x\n",
            b"/home/anna/x",
            b"{baseDir}/",
            b"@references/x.md",
            b"base64 -d | sh",
            b"\xf3\xa0\x81\x81",
        ]
    ),
)


@pytest.mark.slow
@given(st.lists(PIECES, max_size=12).map(b"".join), st.sampled_from(["a.md", "a.sh", "b/c.txt"]))
@example(b"\xef\xbb\xbf---\n\r```", "a.md")
def test_no_bytes_of_a_file_end_the_check_and_each_span_is_in_its_file(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes, name: str
) -> None:
    directory = tmp_path_factory.mktemp("any") / "forms"
    write(directory, {"SKILL.md": b"---\nname: forms\ndescription: d\n---\nx\n", name: raw})
    skill = load_skill(directory)
    for rule in RULES:
        for finding in RULES[rule].check(skill, get("portable")):
            text = skill.text_of(finding.file)
            assert text is not None
            assert 0 <= finding.span.start <= finding.span.end <= len(text.source.text)
            for edit in finding.fix.edits if finding.fix else ():
                assert 0 <= edit.start <= edit.end <= len(text.source.text)
    lint(directory)

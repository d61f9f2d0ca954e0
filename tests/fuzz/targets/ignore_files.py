"""Any ignore file is read, and the patterns mean what git takes them to mean."""

from __future__ import annotations

import subprocess
from pathlib import Path

from hypothesis import strategies as st

from tests.fuzz.box import command, write_tree

_lines = st.one_of(
    st.builds(
        "".join,
        st.lists(
            st.sampled_from(
                [
                    "*",
                    "**",
                    "?",
                    "a",
                    "b",
                    "/",
                    "!",
                    "[a-c]",
                    "[!a]",
                    "[",
                    "]",
                    "\\",
                    " ",
                    "#",
                    "-",
                    "é",
                    "skills",
                    "x*a",
                    "[[:alpha:]]",
                ]
            ),
            max_size=9,
        ),
    ),
    st.sampled_from(
        ["*a" * 12 + "b", "**/" * 30 + "x", "[" * 50, "a" * 5000, "\\", "!", "*/**/*/**/b", "\x00"]
    ),
    st.text(max_size=9),
)
_files = st.lists(_lines, max_size=5).map("\n".join)
_folders = st.sampled_from(
    ["a", "b", "skills/a", "skills/b-c", "a/b", "é", "a" * 60, "x y", "[a]", "a*b", "-a"]
)
INPUTS = st.tuples(
    _files,
    st.dictionaries(st.sampled_from(["", "skills/", "a/"]), _files, max_size=2),
    st.lists(_folders, min_size=1, max_size=4),
)


def check(drawn: tuple[str, dict[str, str], list[str]], place: Path) -> None:
    excluded, ignored, folders = drawn
    (place / ".git").rmdir()
    subprocess.run(["git", "init", "-q", "."], cwd=place, check=True)
    (place / ".git" / "info" / "exclude").write_text(excluded, "utf-8", "replace", "")
    skills = {f"{folder}/SKILL.md": b"---\nname: a\ndescription: d\n---\nx\n" for folder in folders}
    write_tree(place, skills)
    write_tree(place, {f"{top}.gitignore": text.encode("utf-8", "replace") for top, text in ignored.items()})
    status, out, messages = command(
        "lint", "--no-cache", "--jobs", "1", "--allow-empty", "--output-format", "json", "."
    )
    assert status != 2, messages
    assert b'"schema_version"' in out

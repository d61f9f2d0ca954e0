"""Generates what a stranger's repository may hold: skills, files beside them, and links."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.fuzz.skills import DOCUMENTS

# A file by its path has its content, or as a str the target of a link.
_folders = st.sampled_from(
    [
        *(
            "a",
            "b-c",
            "A",
            "é",
            "skills/a",
            "skills/b-c",
            "skills/A",
            ".claude/skills/a",
            ".claude/skills/b-c",
        ),
        *(
            ".agents/skills/a",
            ".kodelet/skills/a",
            ".agent/skills/a",
            "skills/a/inner",
            ".hidden/a",
            "x/y/z",
            "a b",
        ),
        *("plugins/p/skills/a", "::error::x", "a\nb", "{{name}}", "-x", "node_modules/a", "*"),
    ]
)
_names = st.sampled_from(["SKILL.md", "SKILL.md", "SKILL.md", "SKILL.md", "skill.md", "Skill.MD", "notes.md"])
_others = st.sampled_from(
    [
        *("references/guide.md", "scripts/run.sh", "img.png", "b.md", "a/b/c/d.txt", "REFERENCE.md", ".env"),
        *("gone.md/x", "SKILL.md.bak", ".gitignore", "toolsets.py", "nul", "é.md", "a\tb.md", "LICENSE"),
    ]
)
_links = st.sampled_from(
    ["SKILL.md", "..", "../../outside/canary", "../../../outside", "/dev/zero", "gone", ".", "../b-c", "a"]
)
_entries = st.one_of(
    st.tuples(st.builds("{}/{}".format, _folders, _names), DOCUMENTS),
    st.tuples(st.builds("{}/{}".format, _folders, _names), DOCUMENTS),
    st.tuples(st.builds("{}/{}".format, _folders, _others), st.one_of(DOCUMENTS, st.binary(max_size=40))),
    st.tuples(st.builds("{}/{}".format, _folders, st.one_of(_names, _others)), _links),
    st.tuples(_folders, _links),
)
TREES: st.SearchStrategy[dict[str, bytes | str]] = st.lists(_entries, min_size=1, max_size=7).map(dict)

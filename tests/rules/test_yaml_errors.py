"""The cause and the location that a message gives for a YAML syntax error."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool.rules import RULES
from skilltool.runtimes import get
from skilltool.skill.model import load_skill


@pytest.mark.together
@pytest.mark.parametrize(
    ("lines", "message", "location"),
    [
        ("tags: [a, b", "list is never closed", (2, 7)),
        ("tags: [a, b\nauthor: x", "list is never closed", (2, 7)),
        ('metadata: {"a": 1\nauthor: x', "mapping is never closed", (2, 11)),
        ("metadata: {\n  a: 1,\n  b: 2\nauthor: x", "mapping is never closed", (2, 11)),
        ("metadata:\n  {\n    a: 1,\n  b: 2\nauthor: x", "mapping is never closed", (3, 3)),
        ("metadata: {a: {b: 1,\n  c: [1, 2}}", "list is never closed", (3, 6)),
        ('metadata: {\n  "a":\n    {\n      "b": 1\n  }\nauthor: x', "mapping is never closed", (2, 11)),
        ("metadata: {\n  a: 1\n  b: 2\n}", "missing comma in the mapping that `{` opens on line 2", (4, 4)),
        ("tags: [\n  'a'\n  'b'\n]", "missing comma in the list that `[` opens on line 2", (4, 3)),
        ("%YAML 1.3", "`%YAML 1.3` is a YAML directive, which cannot follow the opening `---`", (2, 1)),
        ("%TAG ! a:", "`%TAG ! a:` is a YAML directive, which cannot follow the opening `---`", (2, 1)),
        ("a: b\n%YAML 1.1", "`%YAML 1.1` is a YAML directive, which cannot follow the opening `---`", (3, 1)),
        ("%OTHER", "`%OTHER` is a YAML directive, which cannot follow the opening `---`", (2, 1)),
        ("a: b\n% c", "`% c` is not a `key: value` pair", (3, 2)),
        ("hint: [a] b", "text after the closing `]` of a list", (2, 11)),
        ("hint: {a} b", "unquoted value starts with `{` but is not a mapping", (2, 11)),
        (
            "hint: [A-1 or #12 or a]",
            "`#` after a space starts a comment, so the list is never closed",
            (2, 15),
        ),
        (
            "files:\n  - @docs/a.md",
            "unquoted list item starts with `@`, which is YAML syntax",
            (3, 5),
        ),
        (
            "files:\n  - `a.md`",
            "unquoted list item starts with a backtick, which is YAML syntax",
            (3, 5),
        ),
        ("needs: >=1.0", "unquoted value starts with `>`, which is YAML syntax", (2, 9)),
        ("needs: **/*.py", "unquoted value starts with `*`, which is YAML syntax", (2, 9)),
        ('tools: "a", "b"', "text after the closing quote", (2, 11)),
        ("text: a: b", "unquoted value contains `: `", (2, 8)),
        ("text: > b", "text on the same line as the block indicator `>`", (2, 9)),
        ("text: 'a", "missing closing quote", (2, 7)),
        ('text: "a\nmore: "b', "missing closing quote", (3, 8)),
        ('text: "C:\\q"', "unknown escape sequence in double quotes", (2, 10)),
        ('text: "\\ud83d"', "surrogate escapes such as `\\ud83d` are not valid in YAML", (2, 10)),
        (
            "about: fills in forms of all kinds\n  and more: tables",
            "unquoted value of `about` continues here and contains `: `",
            (3, 11),
        ),
        (
            "about: fills in forms of all kinds\nmetadata:\n  a: b\n    c: d",
            "`c:` is indented below a key that already has a value",
            (5, 6),
        ),
        (
            "files:\n  - @docs/x.md: what it is",
            "unquoted list item starts with `@`, which is YAML syntax",
            (3, 5),
        ),
        (
            'hint: ["a # b", c # d]',
            "`#` after a space starts a comment, so the list is never closed",
            (2, 19),
        ),
        ("a: b\n  c: d", "`c:` is indented below a key that already has a value", (3, 4)),
        ("a: b\n- c", "unexpected list item", (3, 1)),
        ("author:x", "text before `name: a` is not a `key: value` pair", (3, 5)),
        (f"author:x\n{'w' * 60}: a", f"text before `{'w' * 39}\u2026` is not a `key: value` pair", (3, 61)),
        ("a: b\nauthor:x", "missing space after `author:`", (3, 1)),
        ("a: b\njust words", "`just words` is not a `key: value` pair", (3, 1)),
        ("a: b\n<<<<<<< ours", "unresolved merge conflict", (3, 1)),
        ("a:\n\tb: c", "line is indented with a tab", (3, 1)),
    ],
)
def test_the_cause_is_named(lines: str, message: str, location: tuple[int, int], tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "SKILL.md").write_text(f"---\n{lines}\nname: a\ndescription: b\n---\n\nGo.\n", "utf-8")
    loaded = load_skill(tmp_path / "a")
    [finding] = RULES["invalid-yaml"].check(loaded, get("portable"))
    position = loaded.source.position(finding.span.start)
    assert (finding.message, (position.line, position.column)) == (message, location)


def test_a_bracket_that_is_open_at_the_end_of_the_frontmatter_is_named(tmp_path: Path) -> None:
    (tmp_path / "SKILL.md").write_text("---\r\nname: a\r\ntags: [\r\n---\r\n", "utf-8", newline="")
    loaded = load_skill(tmp_path)
    [finding] = RULES["invalid-yaml"].check(loaded, get("portable"))
    assert (finding.message, loaded.source.position(finding.span.start)) == ("list is never closed", (3, 7))


@pytest.mark.parametrize(
    ("lines", "message", "marked", "advice"),
    [
        ("a:\n\tb: c", "line is indented with a tab", "\t", "indent with spaces"),
        (
            "a: b\n...\nc: d",
            "frontmatter contains a second YAML document",
            "c",
            "keep a single mapping between the two `---` lines",
        ),
        ("a: [b,\n  c:\nd: e", "list is never closed", "[", "close it with `]`"),
        ("a: {b: 1\nc: d", "mapping is never closed", "{", "close it with `}`"),
        (
            "a: 'x' y",
            "text after the closing quote",
            "y",
            "quote the whole value, and double each `'` in it",
        ),
        (
            'a: "x" y',
            "text after the closing quote",
            "y",
            'quote the whole value, and escape each `"` in it with a backslash',
        ),
        (
            'allowed-tools: "x (1)", "y"',
            "text after the closing quote",
            ",",
            "put the items in a list: `[...]`",
        ),
        (
            'a: "x (1)", "y"',
            "text after the closing quote",
            ",",
            'quote the whole value, and escape each `"` in it with a backslash',
        ),
        (
            f"a: b\n{'w' * 60}",
            f"`{'w' * 39}\u2026` is not a `key: value` pair",
            "w",
            "indent it if it continues the value above, or move it into the body",
        ),
        (
            "a: b\n]:",
            "invalid YAML: did not find expected key",
            "]",
            "check the lines above for a missing quote",
        ),
    ],
)
def test_a_part_of_the_text_is_marked_and_what_to_do_is_said(
    lines: str, message: str, marked: str, advice: str, tmp_path: Path
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "SKILL.md").write_text(f"---\n{lines}\nname: a\ndescription: b\n---\n\nGo.\n", "utf-8")
    loaded = load_skill(tmp_path / "a")
    [finding] = RULES["invalid-yaml"].check(loaded, get("portable"))
    said = (finding.help or "").partition("; the fix ")[0]
    assert (finding.message, loaded.source[finding.span], said) == (message, marked, advice)

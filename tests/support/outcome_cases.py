"""Texts of a SKILL.md, trees of files and calls that are not as they should be."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

GOOD = b"---\nname: %s\ndescription: Fills in forms.\n---\n\n# Forms\n\nRead $ARGUMENTS first, then $1.\n"
_NAMES = (
    *("12", "true", "~", "[a]", "{a: b}", '""', "' '", "B", "A-b", "-a", "a-", "a--b", "a b", "a_b", "é"),
    *("a" * 64, "a" * 65, "a" * 300, "claude-a", "b", "<a>", "a/b", "../a", "2026-01-02", "1e3", '"a\\nb"'),
)
_DESCRIPTIONS = (
    *("12", "true", "~", "[a]", "{a: b}", '""', "' '", ">\n  a\n  b", "|\n  a\n  b", "<a> & b", "a: b"),
    *('"a', "'a", "a #b", "*a", "&a b", "!!binary YQ==", "!!timestamp x", "!x y", "!!float a", "@a", "%a"),
    *("x" * 500, "x" * 501, "x" * 1024, "x" * 1025, "x" * 1536, "x" * 1537, "x" * 5000, '"\\u00e9\\ud800"'),
)
_FIELDS = (
    *("name: b", "license: [a]", "license: 1", "compatibility: 1", f"compatibility: {'x' * 501}"),
    *("metadata: [a]", "metadata: {a: 1}", "metadata: {a: {b: c}}", "metadata: a", "allowed-tools: 1"),
    *("allowed-tools: [a, 1]", "allowed-tools: a(b:*), c", "allowed-tools: {a: b}", "unknown: 1", "on: 1"),
    *("1: a", "~: a", "[a]: b", "? a\n: b", "<<: 1", "<<: {a: b}", "<<: [1]", "a: *b", "a: &b [*b]"),
    *("disable-model-invocation: true", "disable-model-invocation: a", "user-invocable: false"),
    *("user-invocable: a", "when_to_use: a", "when_to_use: [a]", "argument-hint: [a]", "model: 1"),
    *('paths: ["/etc/*"]', 'paths: ["../a"]', "paths: a, b", "paths: {a: b}", "paths: [1]", "paths: ['']"),
    *(
        "triggers: a",
        "triggers: [a]",
        "triggers: [1]",
        "triggers: {keywords: a}",
        "triggers: {keywords: [1]}",
    ),
    *("triggers: {patterns: ['(']}", "triggers: {verbs: {a: b}}", "triggers: {a: [b]}", "triggers: ~"),
    *("toolsets: a", "toolsets: [1]", "toolsets: ['a:B']", "scripts: a", "scripts: [1]", "version: 1.0"),
    *("mcp_tools: a", "mcp_tools: {a: b}", "mcp_tools: {mcpServers: {a: 1}}", "inputs: a", "inputs: [a]"),
    *("type: flow", "hooks: a", "hooks: {PreToolUse: a}", "context: fork", "agent: 1", "- a", "a", "\ta: b"),
    *("a:\n\tb: c", "a: [", "a: }", "a: b: c", "a: 'b", 'a: "\\q"', "a: ]", "...", "--- a", "a: \x00"),
    *("a: \x07", "a: \u2028b", "a: \ud7ff", "# a", "", "a: 0o17", "a: 017", "a: 1_000", "a: 1:30", "a: .inf"),
    *("a: .nan", "a: =", "a: 0x1F", "a: 190:20:30", "a: 2001-12-14t21:59:43.10-05:00", "a: !!set {b}"),
)
_BROKEN = (
    *(b"", b"\n", b"# Title\n", b"---\n", b"---\nname: a\ndescription: d\n", b"---\n---\n", b"---\n~\n---\n"),
    *(b"---\n- a\n---\n", b"---\na\n---\n", b"---\nname: a\n---\n", b"---\ndescription: d\n---\n"),
    *(b"\n---\nname: a\ndescription: d\n---\nb\n", b" ---\nname: a\ndescription: d\n---\nb\n", b"\xff\xfe"),
    *(b"--- \nname: a\ndescription: d\n--- \nb\n", b"----\nname: a\ndescription: d\n----\nb\n"),
    *(b"---\nname: a\ndescription: d\n...\nb\n", b"---\nname: a\ndescription: d\n ---\nb\n"),
    *(b"---\nname: a\ndescription: d\n---b\n", b"---\nname: a\ndescription: \xff\n---\nb\n"),
    *(b"---\nname: a\ndescription: d\n---\n\xff\n", b"---yaml\nname: a\ndescription: d\n---\nb\n"),
    *(
        b"\xef\xbb\xbf" + GOOD % b"a",
        (GOOD % b"a").replace(b"\n", b"\r\n"),
        (GOOD % b"a").replace(b"\n", b"\r"),
    ),
    *(
        b"+++\nname = 'a'\n+++\n",
        b"%YAML 1.3\n---\nname: a\ndescription: d\n---\nb\n",
        b"---\nname: a\ndescription: d\n---",
    ),
    *(b"---\n\n---\nname: a\ndescription: d\n---\nb\n", b"---\nname: a\ndescription: d---\n---\nb\n---\nc\n"),
    *(
        b'{"name": "a"}\n',
        b"---json\n{}\n---\n",
        b";;;\n{}\n;;;\n",
        b"\x00",
        b"---\nname: a\n\ndescription: d\n---\n\n\n",
    ),
)


def _document(lines: str) -> bytes:
    return f"---\n{lines}\n---\nbody\n".encode("utf-8", "surrogatepass")


def _short(raw: bytes) -> str:
    return ascii(raw)[2:-1] if len(raw) < 90 else f"{ascii(raw[:60])[2:-1]}... {len(raw)}"


TEXTS = {
    **{_short(raw): raw for raw in _BROKEN},
    **{f"name: {_short(each.encode())}": _document(f"name: {each}\ndescription: d") for each in _NAMES},
    **{
        f"description: {_short(each.encode())}": _document(f"name: a\ndescription: {each}")
        for each in _DESCRIPTIONS
    },
    **{_short(each.encode()): _document(f"name: a\ndescription: d\n{each}") for each in _FIELDS},
    "65 levels": _document("name: a\ndescription: d\na: " + "[" * 65 + "]" * 65),
    "10,001 nodes": _document("name: a\ndescription: d\na: [" + "b," * 10_001 + "]"),
    "aliases of aliases": _document(
        "name: a\ndescription: d\na0: &a0 [b, b, b, b, b, b, b, b, b]\n"
        + "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9))
    ),
    "more than 1 MiB": _document("name: a\ndescription: d") + b"x" * (1 << 20),
}


def _skill(folder: Path, name: str = "a", raw: bytes | None = None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_bytes(GOOD % name.encode() if raw is None else raw)


def _entry(make: Callable[[Path], object]) -> Callable[[list[Path]], None]:
    """Build a root with a skill `z`, and what `make` makes of the path of an entry `a`."""

    def build(roots: list[Path]) -> None:
        _skill(roots[0] / "z", "z")
        make(roots[0] / "a")

    return build


def _file(make: Callable[[Path], object]) -> Callable[[list[Path]], None]:
    """Build a root with a skill `z`, and a folder `a` whose SKILL.md `make` makes."""

    def build(folder: Path) -> None:
        folder.mkdir()
        make(folder / "SKILL.md")

    return _entry(build)


def _root(make: Callable[[Path], object]) -> Callable[[list[Path]], None]:
    """Build a first root that `make` makes, and a second one with a skill."""

    def build(roots: list[Path]) -> None:
        roots[0].parent.mkdir(parents=True, exist_ok=True)
        make(roots[0])
        if not roots[1].is_relative_to(roots[0]):
            _skill(roots[1] / "z", "z")

    return build


def _copies(names: tuple[str, str]) -> Callable[[list[Path]], None]:
    """Build two skills of one name in folders of the first root, and one more in the second root."""

    def build(roots: list[Path]) -> None:
        for name in names:
            _skill(roots[0] / name, names[0])
        _skill(roots[1] / names[0], names[0])

    return build


def _links(roots: list[Path]) -> None:
    _skill(roots[0] / "z", "z")
    (roots[0] / "a").symlink_to("z")
    _skill(roots[0] / "outside" / "below", "below")
    (roots[0] / "b").symlink_to("outside/below")


def _long(roots: list[Path]) -> None:
    for name in (f"s{number}" for number in range(12)):
        _skill(roots[0] / name, name, _document(f"name: {name}\ndescription: {'long ' * 300}"))


TREES: dict[str, Callable[[list[Path]], None]] = {
    "no root": lambda _: None,
    "empty root": _root(Path.mkdir),
    "root is a file": _root(Path.touch),
    "root is a loop": _root(lambda root: root.symlink_to(root.name)),
    "root is a link to nothing": _root(lambda root: root.symlink_to("nothing")),
    "folder is empty": _entry(Path.mkdir),
    "folder is a file": _entry(Path.touch),
    "folder is a loop": _entry(lambda path: path.symlink_to("a")),
    "folder is a link to nothing": _entry(lambda path: path.symlink_to("nothing")),
    "folder is hidden": lambda roots: _skill(roots[0] / ".a"),
    "folder in upper case": lambda roots: _skill(roots[0] / "A"),
    "folder with a blank": lambda roots: _skill(roots[0] / "a b"),
    "folders in folders": lambda roots: (_skill(roots[0] / "a"), _skill(roots[0] / "a/b/c", "c"))[0],
    "node_modules": lambda roots: _skill(roots[0] / "node_modules/a"),
    "folder not in UTF-8": lambda roots: _skill(Path(os.fsdecode(os.fsencode(roots[0]) + b"/\xff"))),
    "file is a directory": _file(Path.mkdir),
    "file is a loop": _file(lambda path: path.symlink_to("SKILL.md")),
    "file is a link to nothing": _file(lambda path: path.symlink_to("nothing")),
    "file is a pipe": _file(os.mkfifo),
    "file is empty": _file(Path.touch),
    "file is too large": _file(lambda path: path.write_bytes(GOOD % b"a" + b"x" * (1 << 20))),
    "file is not UTF-8": _file(lambda path: path.write_bytes(GOOD % b"a" + b"\xff")),
    "file in lower case": _file(lambda path: path.with_name("skill.md").write_bytes(GOOD % b"a")),
    "file beside folders": _entry(lambda path: path.with_name("x.md").write_bytes(GOOD % b"x")),
    "file in the root": _entry(lambda path: path.with_name("SKILL.md").write_bytes(GOOD % b"x")),
    "invalid YAML": _file(lambda path: path.write_bytes(b"---\nname: a\ndescription: [\n---\nb\n")),
    "no description": _file(lambda path: path.write_bytes(b"---\nname: a\n---\nb\n")),
    "another name": _file(lambda path: path.write_bytes(GOOD % b"other")),
    "copies": _copies(("a", "b")),
    "copies in another case": _copies(("b", "B")),
    "links": _links,
    "long descriptions": _long,
}

# `@` stands for the parameter that names the skill.
CALLS: dict[str, Any] = {
    **{
        text or "nothing": text
        for text in ("", "{", "[1]", '"a"', "null", "1", '{"name": "a"', "{'name': 'a'}", '{"a": NaN}')
    },
    **{
        f"a skill called {value!r}": {"@": value}
        for value in ("nope", "", " ", "A", " a", "a ", "../a", "/a", 1, None, True, ["a"], {"a": "b"})
    },
    **{f"args {value!r}": {"@": "a", "args": value} for value in ("", " ", "x y", "'x y' z", 1, None, ["x"])},
    "no arguments": {},
    "another parameter": {"x": 1},
    "another parameter beside": {"@": "b", "x": 1},
    "the skill": {"@": "a"},
    "the skill again": {"@": "a"},
}
TYPED = (
    "",
    "hi",
    "a",
    "/a",
    "/a x y",
    "/a  'x y'",
    "/A",
    "/nope",
    "/nope x",
    "$a",
    "$a x",
    "@a",
    "/skill:a x",
    "/skills",
    "/",
    "use a and b",
    "what can you do?",
)

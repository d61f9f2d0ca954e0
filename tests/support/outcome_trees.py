"""Trees of files, changes of files and calls that are not as they should be, whatever the runtime."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.outcome_texts import GOOD, TEXTS, document

Build = Callable[[list[Path]], None]


def _skill(folder: Path, name: str = "a", raw: bytes | None = None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_bytes(GOOD % name.encode() if raw is None else raw)


def _entry(make: Callable[[Path], object]) -> Build:
    """Build a root with a skill `z`, and what `make` makes of the path of an entry `a`."""

    def build(roots: list[Path]) -> None:
        _skill(roots[0] / "z", "z")
        make(roots[0] / "a")

    return build


def _file(make: Callable[[Path], object]) -> Build:
    """Build a root with a skill `z`, and a folder `a` whose SKILL.md `make` makes."""

    def build(folder: Path) -> None:
        folder.mkdir()
        make(folder / "SKILL.md")

    return _entry(build)


def _root(make: Callable[[Path], object]) -> Build:
    """Build a first root that `make` makes, and a second one with a skill."""

    def build(roots: list[Path]) -> None:
        roots[0].parent.mkdir(parents=True, exist_ok=True)
        if not roots[1].is_relative_to(roots[0]):
            _skill(roots[1] / "z", "z")
        make(roots[0])

    return build


def _copies(names: tuple[str, str]) -> Build:
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
        _skill(roots[0] / name, name, document(f"name: {name}\ndescription: {'long ' * 300}"))


TREES: dict[str, Build] = {
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
    "file has 1 MiB": _file(lambda path: path.write_bytes((GOOD % b"a").ljust(1 << 20, b"x"))),
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


def _locked_folder(folder: Path) -> None:
    """Lock a folder with a skill; the folder above it has a skill, too."""
    _skill(folder, folder.name)
    _skill(folder.parent, folder.parent.name)
    folder.chmod(0)


def _locked_file(file: Path) -> None:
    file.write_bytes(GOOD % b"a")
    file.chmod(0)


def _naming_what_is_locked(folder: Path) -> None:
    secret = folder.parent / "secret"
    _skill(folder, raw=GOOD % b"a" + f"Read @{secret}/a.md\n".encode())
    _skill(secret)
    secret.chmod(0)


# Trees in which something may not be read, which says nothing where everything is read by root.
LOCKED: dict[str, Build] = {
    "root is locked": _root(_locked_folder),
    "root may be listed and not entered": _entry(lambda path: path.parent.chmod(0o444)),
    "parent of the root is locked": _root(lambda root: _locked_folder(root.parent)),
    "folder is locked": _entry(_locked_folder),
    "file is locked": _file(_locked_file),
    "folder in a folder is locked": _entry(lambda path: _locked_folder(path / "b")),
    "scripts are locked": _entry(lambda path: _locked_folder(path / "scripts")),
    "manifest is locked": _entry(lambda path: _locked_folder(path / ".claude-plugin")),
    "file that a body names is locked": _entry(_naming_what_is_locked),
}


def _replaced(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _linked_to_itself(file: Path) -> None:
    file.unlink(missing_ok=True)
    file.symlink_to(file.name)


def _with(raw: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / "SKILL.md").write_bytes(raw)


# What happens to the folder of a loaded skill before it is asked for.
CHANGES: dict[str, Callable[[Path], object]] = {
    "no change": lambda _: None,
    "folder is gone": shutil.rmtree,
    "file is gone": lambda folder: (folder / "SKILL.md").unlink(),
    "file is a directory": lambda folder: _replaced(folder / "SKILL.md"),
    "file is a loop": lambda folder: _linked_to_itself(folder / "SKILL.md"),
    "file has 1 MiB": _with((GOOD % b"a").ljust(1 << 20, b"x")),
    "file is too large": _with(GOOD % b"a" + b"x" * (1 << 20)),
    "file is not UTF-8": _with(GOOD % b"a" + b"\xff"),
    "file is empty": _with(b""),
    "another text": _with(GOOD % b"a" + b"More.\n"),
    "another name": _with(GOOD % b"other"),
    "invalid YAML": _with(b"---\nname: a\ndescription: [\n---\nb\n"),
    "nested too deep": _with(TEXTS["65 levels"]),
    "more files": lambda folder: [(folder / f"{n}.md").touch() for n in range(12)],
    "a file that is a loop": lambda folder: _linked_to_itself(folder / "a.md"),
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

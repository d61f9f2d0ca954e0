"""Words that are not ours, in all that users read; `python -m tests.support.words [PATH]...` lists them."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
REFUSED = re.compile(
    r"\bmend(?:s|ed|ing|able)?\b|\banew\b|\btherein\b|\bbehind\b|\bit is said\b|\bto live with\b"
    r"|(?<!there )\bis no (?!longer\b|more\b|way\b)[a-z]"
    r"|\b(?:contains?|has|with|after|at) (?:a |two )?blanks?\b(?! line| one)"
    r"|\bseparated by blanks\b|\bruns? of blanks\b"
    r"|\bleft out, since\b|\bthat is to load\b|\bfirst to be cut\b|\bno other copy with this key\b"
    r"|\bwhich is not determined\b|\bWhat the words mean\b|\bgoes on where it was\b|\bthe check failed\b"
    r"|\bloaded, cut\b|\brefuses (?:a|the) skill\b|\bevery edition\b"
    r"|\b(?:skills?|files|levels?|directories|paths?) (?:at or )?below"
    r" (?:the|a|an|its|this|that|DIR|another|`)"
    r"|\bsingle skills\b|\balso (?:with|together with) `|\bhelp texts?\b"
    r"|\bthe target (?:does|allows|reads|loads|takes|has)\b",
    re.IGNORECASE,
)
_FILES = (
    "skilltool/**/*.py",
    "schemas/**/*.json",
    "templates/**/*",
    "docs/**/*.md",
    "examples/**/*.md",
    "*.md",
    "*.yml",
    ".*.yaml",
    ".ci/*.md",
)


def files() -> Iterator[Path]:
    """Every file of which a user reads something, the changelog of releases that are out excepted."""
    for pattern in _FILES:
        yield from (path for path in ROOT.glob(pattern) if path.is_file() and "__pycache__" not in path.parts)


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts of a file, each with its line: the strings of a program, the lines of anything else."""
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for number, line in enumerate(node.value.split("\n")):
                    yield node.lineno + number, line
        return
    lines = path.read_text("utf-8").split("\n")
    released = next((n for n, line in enumerate(lines) if re.match(r"## \[?0\.1\.0", line)), len(lines))
    for number, line in enumerate(lines[:released] if path.name == "CHANGELOG.md" else lines, 1):
        yield number, line


def refused(path: Path) -> Iterator[str]:
    """Yield `path:line: text` for each refused word of a file."""
    if not REFUSED.search(path.read_text("utf-8")):  # the texts of a program are a part of it
        return
    for number, text in texts(path):
        for found in REFUSED.finditer(text):
            yield f"{path.relative_to(ROOT)}:{number}: `{found[0]}` in: {text.strip()[:110]}"


if __name__ == "__main__":
    wanted = [Path(argument).resolve() for argument in sys.argv[1:]] or [ROOT]
    for each in files():
        if any(each.is_relative_to(top) for top in wanted):
            for line in refused(each):
                print(line)  # noqa: T201

"""Which paths below a root do its ignore files hide from pi?

Source: `addIgnoreRules` in `dist/core/skills.js` of pi 1.5.2, with npm `ignore` 7.0.8, which takes no notice
of case. A pattern of a subdirectory gets the path of that before it, so that it is bound there; a
leading slash is dropped, so that at the root it binds nothing. Ignore files above the root do not count.
"""

from __future__ import annotations

from pathlib import Path

from skilltool.runtimes.loading import bytes_beside_skills
from skilltool.runtimes.values import Refusal
from skilltool.skill.discovery.wildmatch import Pattern, compile_line

_FILES = (".gitignore", ".ignore", ".fdignore")
_MOST_PATTERNS = 10_000


class Ignored:
    """The patterns of one root, in the order in which its directories are walked."""

    def __init__(self) -> None:
        """Begin without patterns."""
        self._patterns: list[Pattern] = []

    def enter(self, directory: Path, prefix: str, names: frozenset[str]) -> None:
        """Add the patterns of a directory whose path below the root is `prefix`, with a slash at its end."""
        for name in _FILES:
            if name in names:
                self._add(directory / name, prefix)

    def _add(self, file: Path, prefix: str) -> None:
        try:
            text = bytes_beside_skills(file).decode("utf-8", "replace")
        except (OSError, Refusal):
            return
        for line in text.replace("\r\n", "\n").split("\n"):
            pattern = _prefixed(line, prefix)
            if pattern is None or len(self._patterns) >= _MOST_PATTERNS:
                continue
            found = compile_line(pattern.lower().encode("utf-8", "surrogateescape"))
            if found is not None:
                self._patterns.append(found)

    def hides(self, path: str, is_directory: bool) -> bool:
        """Return whether a path below the root is ignored; the last pattern that matches decides."""
        if not self._patterns:
            return False
        raw = path.lower().encode("utf-8", "surrogateescape")
        name = raw.rpartition(b"/")[2]
        found = next(
            (each for each in reversed(self._patterns) if each.matches(raw, name, is_directory)), None
        )
        return found is not None and found.include


def _prefixed(line: str, prefix: str) -> str | None:
    """Return the pattern of a line as pi hands it on, None for a blank line or a comment."""
    if not line.strip() or line.strip().startswith("#"):
        return None
    negated = line.startswith("!")
    pattern = line[1:] if negated or line.startswith("\\!") else line
    return f"{'!' if negated else ''}{prefix}{pattern.removeprefix('/')}"

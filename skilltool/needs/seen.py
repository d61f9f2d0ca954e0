"""What a skill is seen to ask for: rows, each with its place, from every file that can be read.

| kind | is |
|---|---|
| `network` | a host that a program of the skill connects to, and by what |
| `link` | a host in a link of a page or in a data file |
| `command` | a program that is run |
| `package` | a package that is installed or imported |
| `environment` | a variable of the environment that is read, or that a page says to set |
| `credential` | a file that holds credentials |
| `path` | a path outside the skill and the project |
| `tool` | a tool, a hook or a server of tools that is asked for |
| `load-time` | a command that a client runs when it loads the skill |

A row says that something stands there, and no more: not whether it happens, nor whether it is safe. Shell
text, Python and JavaScript are read by their grammars; of other programs only URLs are read.
"""

from __future__ import annotations

from typing import NamedTuple

from skilltool.findings.secrets import without_secrets
from skilltool.skill.texts import Text
from skilltool.text.source import Span

NETWORK, LINK, COMMAND, PACKAGE = "network", "link", "command", "package"
ENVIRONMENT, CREDENTIAL, PATH, TOOL, LOAD_TIME = "environment", "credential", "path", "tool", "load-time"
KINDS = (NETWORK, COMMAND, PACKAGE, ENVIRONMENT, CREDENTIAL, PATH, TOOL, LOAD_TIME, LINK)

# Where a row stands.
SCRIPT, BLOCK, INLINE, HOOK = "script", "code block", "inline code", "hook"
AT_LOAD, FIELD, FILE, PAGE = "load-time command", "field", "file", "page"


class Seen(NamedTuple):
    """One thing that is seen: `what`, of one of `KINDS`, `how`, and `where`, with its place in a file.

    `pinned` tells of a package whether a version is named; None where that has no meaning. `line` and
    `column` begin with 1; `text` is that line, shortened, without secrets.
    """

    kind: str
    what: str
    how: str
    where: str
    file: str
    line: int
    column: int
    text: str
    pinned: bool | None = None


class Unread(NamedTuple):
    """A file of which nothing, or not all, was read, and why."""

    file: str
    why: str
    size: int | None = None


_READ, _LONGEST = 2_000, 200  # characters of a line in which secrets are hidden, and that are shown
_MOST = 5_000  # rows of one skill


class Rows:
    """Collects what is seen in one skill, each thing once in a line."""

    def __init__(self, own_file: str) -> None:
        """Take the name of the SKILL.md."""
        self._own_file = own_file
        self._found: dict[tuple[str, str, str, str, int], Seen] = {}
        self.unread: list[Unread] = []

    def add(
        self,
        text: Text,
        at: Span | int,
        kind: str,
        what: str,
        how: str,
        where: str,
        pinned: bool | None = None,
    ) -> None:
        """Add a row for what is at a span of a file, or at a line, from 1."""
        start = at.start if isinstance(at, Span) else text.source.line_start(at)
        line, column = text.source.position(start)
        file = text.file or self._own_file
        key = kind, what, how, file, line
        if what and key not in self._found and len(self._found) < _MOST:
            written = without_secrets(text.source[text.source.line_span(start)][:_READ])
            shown = " ".join(written[:_LONGEST].split())
            what, how = (without_secrets(" ".join(part.split())) for part in (what, how))
            self._found[key] = Seen(kind, what, how, where, file, line, column, shown, pinned)

    def rows(self) -> tuple[Seen, ...]:
        """Return all rows: by kind, then by file, the SKILL.md first, in the order of the text."""
        order = sorted(
            self._found.values(),
            key=lambda row: (KINDS.index(row.kind), row.file != self._own_file, row.file, row.line),
        )
        return tuple(order)

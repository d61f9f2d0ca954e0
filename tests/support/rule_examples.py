"""The examples in the docstrings of the rules: laid out as files, and what lint says of them.

A fence in a rule's docstring is a file (```` ```markdown PATH ````, without PATH the skill's
`SKILL.md`), a link (```` ```link PATH ````, its text is `-> target`) or the expected report
(```` ```text OPTIONS ````); its `--runtime ID` holds for the good example, too. `copies=N` lays N files,
`{n}` in path and text replaced by 01, 02, and so on; `escaped` reads `\\xNN` and `\\r\\n` as
bytes; `lines=N` repeats the last line until the file has N lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from skilltool.lint import settings
from skilltool.lint.config import Config
from skilltool.lint.run import check_skills
from skilltool.report import concise
from skilltool.rules import NAMES, manual

_SECTION = re.compile(r"^## (Bad|Good)$", re.MULTILINE)
_FENCE = re.compile(
    r"^(?P<mark>```+)(?P<language>\w+)(?P<info>[^\n]*)\n(?P<text>.*?)^(?P=mark)$", re.MULTILINE | re.DOTALL
)
SKILL = "pdf-tools"


@dataclass
class Example:
    rule: str
    bad: bool
    files: list[tuple[str, str, list[str]]] = field(default_factory=list)  # language, text, info words
    runtime: str = "portable"
    expected: str = ""

    def lay(self, top: Path) -> Path:
        """Write the files under `top` and return the directory to lint from."""
        nested = any("/SKILL.md" in (self._path(info) or "") for _, _, info in self.files)
        base = top if nested else top / SKILL
        base.mkdir(exist_ok=True)
        for language, text, info in self.files:
            path = base / (self._path(info) or "SKILL.md")
            path.parent.mkdir(parents=True, exist_ok=True)
            if language == "link":
                path.symlink_to(text.strip().removeprefix("-> "))
            else:
                path.write_bytes(_content(text, info))
        return base

    @staticmethod
    def _path(info: list[str]) -> str | None:
        return next((word for word in info if "." in word), None)

    def report(self, base: Path, everything: bool) -> str:
        """Return the concise report, of this rule alone or of all that run by default."""
        options: dict[str, object] = {"runtimes": [self.runtime], "paths": [base]}
        options |= {} if everything else {"select": [self.rule]}
        report = check_skills(settings.resolve(Config(), options))
        assert not report.problems
        return "".join(f"{concise.line(diagnostic)}\n" for diagnostic in report.diagnostics)


def _content(text: str, info: list[str]) -> bytes:
    for word in info:
        if word.startswith("lines="):
            lines = text.splitlines(keepends=True)
            text = "".join(lines + lines[-1:] * (int(word[6:]) - len(lines)))
    raw = text.encode()
    if "escaped" in info:
        raw = re.sub(rb"\\r\\n\n|\\n\n", lambda m: m[0][:-1], raw)
        raw = re.sub(rb"\\x([0-9a-f]{2})", lambda m: bytes([int(m[1], 16)]), raw)
        raw = raw.replace(rb"\r", b"\r").replace(rb"\n", b"\n")
    return raw


def _copies(language: str, text: str, info: list[str]) -> list[tuple[str, str, list[str]]]:
    counts = [int(word.removeprefix("copies=")) for word in info if word.startswith("copies=")]
    if not counts:
        return [(language, text, info)]
    numbers = [f"{number:02}" for number in range(1, counts[0] + 1)]
    return [
        (language, text.replace("{n}", number), [word.replace("{n}", number) for word in info])
        for number in numbers
    ]


def examples() -> list[Example]:
    """Return every example of every rule."""
    found: list[Example] = []
    for name in NAMES:
        parts = _SECTION.split(manual.page(name).body)[1:]
        runtime = "portable"
        for title, body in zip(parts[::2], parts[1::2], strict=True):
            example = Example(name, title == "Bad", runtime=runtime)
            for match in _FENCE.finditer(body):
                info = match["info"].split()
                if match["language"] == "text":
                    example.expected = match["text"]
                    if "--runtime" in info:
                        example.runtime = runtime = info[info.index("--runtime") + 1]
                else:
                    example.files += _copies(match["language"], match["text"], info)
            found.append(example)
    return found

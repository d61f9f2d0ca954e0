"""The page docs/severity.md: the tables by which `lint` rates a finding."""

from collections.abc import Sequence
from pathlib import Path

from skilltool.lint.severity import FOR_PLACE, FOR_TARGET, Row

_INTRO = Path(__file__).with_name("severity-intro.md").read_text("utf-8")


def page() -> str:
    """Return the page as Markdown."""
    target = _table("What the runtime does", "severity", "unchanged", FOR_TARGET)
    return _INTRO + target + "\n" + _table("Which directory the skill is in", "at most", "any", FOR_PLACE)


def _table(title: str, column: str, kept: str, rows: Sequence[Row]) -> str:
    lines = [f"## {title}\n", f"| if | {column} |", "|---|---|"]
    for row in rows:
        severity = f"`{row.severity.name.lower()}`" if row.severity is not None else kept
        lines.append(f"| {row.words} | {severity} |")
    return "\n".join(lines) + "\n"

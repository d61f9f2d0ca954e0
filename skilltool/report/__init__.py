"""How is the result of a run shown? Each format is a module with one function from a `Report` to text."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from skilltool.lint.result import Report
from skilltool.report.style import PLAIN, Style, terminal_width
from skilltool.text.printable import SafeText, flowed, without_commands

__all__ = ["FORMATS", "FOR_PEOPLE", "PLAIN", "Report", "Style", "notes", "render", "terminal_width"]

FOR_PEOPLE = ("full", "concise", "grouped")
FORMATS = (*FOR_PEOPLE, "json", "jsonl", "sarif", "github", "gitlab", "junit", "rdjson")


def render(report: Report, output_format: str, style: Style = PLAIN) -> SafeText:
    """Return `report` in one of `FORMATS`; only that format's module is imported.

    `style` is for the formats in `FOR_PEOPLE`; a program gets the same text whoever is looking. Only
    `github` holds commands of a CI runner: one per finding.
    """
    module = import_module(f"skilltool.report.{output_format}")
    if output_format in FOR_PEOPLE:
        text = flowed(str(module.render(report, style)), style.width)
    else:
        text = module.render(report)
    return SafeText(text) if output_format == "github" else without_commands(text)


def notes(report: Report, output_format: str) -> Sequence[str]:
    """Return sentences for the user about what `output_format` had to leave out of `report`."""
    of_format = getattr(import_module(f"skilltool.report.{output_format}"), "notes", None)
    sentences: Sequence[str] = of_format(report) if of_format else ()
    return sentences

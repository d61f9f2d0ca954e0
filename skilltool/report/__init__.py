"""Reports: each format is a module with one function from a `Report` to text."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

from skilltool.lint.result import Report

__all__ = ["FORMATS", "FOR_PEOPLE", "Report", "notes", "render"]

FORMATS = ("full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "rdjson")
FOR_PEOPLE = FORMATS[:2]


class _Format(Protocol):
    def render(self, report: Report, color: bool = False, links: bool = False) -> str: ...


def render(report: Report, output_format: str, color: bool = False, links: bool = False) -> str:
    """Return `report` in one of `FORMATS`; only that format's module is imported.

    `color` and `links` are for formats that a terminal shows; the others hold neither.
    """
    module = cast("_Format", import_module(f"skilltool.report.{output_format}"))
    return module.render(report, color, links)


def notes(report: Report, output_format: str) -> Sequence[str]:
    """Return what a person must be told of `report` in a format: what that format could not hold."""
    found = getattr(import_module(f"skilltool.report.{output_format}"), "notes", None)
    said: Sequence[str] = found(report) if found else ()
    return said

"""Writes the reports in the manuals of the rules, their docstrings, by running their bad examples."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from importlib import import_module
from pathlib import Path

TOP = Path(__file__).parents[1]
sys.path.insert(0, str(TOP))

from skilltool.rules import GROUP_OF  # noqa: E402
from tests.support.rule_examples import Example, examples  # noqa: E402


def refresh() -> None:
    """Rewrite each module of a rule whose bad example gives another report than its manual shows."""
    for example in examples():
        if example.bad:
            _refresh(example)


def _refresh(example: Example) -> None:
    with tempfile.TemporaryDirectory() as place:
        base = example.lay(Path(place))
        with contextlib.chdir(base):
            report = example.report(base, everything=False)
    if report == example.expected:
        return
    name = example.rule.replace("-", "_")
    module = import_module(f"skilltool.rules.{GROUP_OF[example.rule]}.{name}")
    file = Path(str(module.__file__))
    text = file.read_text("utf-8")
    if not example.expected or example.expected not in text:
        raise SystemExit(f"{file}: write the report of the bad example by hand:\n{report}")
    file.write_text(text.replace(example.expected, report), "utf-8")


if __name__ == "__main__":
    refresh()

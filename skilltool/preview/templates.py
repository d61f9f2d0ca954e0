"""How are the templates of our pages read? All is escaped, and a name that is not given is an error."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from skilltool.preview import markup


def environment(folder: Path) -> Environment:
    """Return an environment for the templates in a directory of ours, with the filters that all pages use."""
    made = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "visible": markup.visible,
        "count": lambda number: f"{number:,}",
        "percent": lambda number: f"{number:.3f}",
    }
    return made

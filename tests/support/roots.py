"""Where does a runtime look for skills, in a project of a test?"""

from __future__ import annotations

from pathlib import Path

from skilltool import runtimes
from skilltool.runtimes.base import Root, Runtime

# An edition that does the same as the bare id, or as an earlier edition, is tried once.
_ALL = (runtimes.get(name) for name in runtimes.IDS if name not in runtimes.UNCHANGED)
DISTINCT = sorted({(each.scan, each.load, each.call, each.catalog): each.id for each in _ALL}.values())


def own_root(runtime: Runtime) -> Root | None:
    """The first root of project or user that is scanned as a whole; else the first; None without roots."""
    own = [root for root in runtime.roots if root.scope in ("project", "user") and root.unscanned is None]
    return next(iter(own or runtime.roots), None)


def own_directory(runtime: Runtime, project: Path, home: Path) -> Path | None:
    """The directory of `own_root`, None if the user names it."""
    root = own_root(runtime)
    return None if root is None else _filled(root.path_template, project, home)


def _filled(template: str | None, project: Path, home: Path) -> Path | None:
    return None if template is None else Path(template.format(project=project, home=home))

"""How well is a runtime known? By the word that follows the date in `Runtime.verified`."""

from __future__ import annotations

from skilltool.runtimes.base import Runtime


def is_reported(runtime: Runtime) -> bool:
    """Return whether only third parties say what a runtime does: that makes no error and no warning."""
    return runtime.verified.partition(", ")[2].startswith("reported")

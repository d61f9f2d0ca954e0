"""Tries every target, or those that are named, for some seconds each; the status is 1 if something failed."""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.fuzz.driver import NAMES, fuzz

_BYTES = 4 << 30  # of address space: what takes more fails with a MemoryError, and not the machine


def _limit_memory() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))


def main() -> int:
    """Print a line per target: how many inputs were tried, and how many different failures there were."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help=f"one of {', '.join(NAMES)}; default: all"
    )
    parser.add_argument("--seconds", type=float, default=5.0, help="for each target; default: %(default)s")
    parser.add_argument("--seed", type=int, help="one batch with this seed, which a kept failure names")
    parser.add_argument(
        "--keep", type=Path, help="directory for the inputs that failed; default: a temporary one"
    )
    options = parser.parse_args()
    for name in options.targets:
        if name not in NAMES:
            parser.error(f"unknown target {name}; the targets are {', '.join(NAMES)}")
    _limit_memory()
    keep = options.keep or Path(tempfile.gettempdir()) / "skilltool-fuzz"
    failed = 0
    for name in options.targets or NAMES:
        tried, different = fuzz(name, options.seconds, keep, options.seed)
        print(f"{name:14} {tried:7,} inputs {different:3} failures", flush=True)  # noqa: T201
        failed += different
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())

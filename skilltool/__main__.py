"""The `skilltool` command and `python -m skilltool`, which import the rest where an interrupt is expected."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and leave the process."""
    try:
        from skilltool.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()

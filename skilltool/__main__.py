"""The `skilltool` command and `python -m skilltool`, which import the rest where an interrupt is expected."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line and leave the process.

    Imports make many objects that stay. To look through them for garbage takes a tenth of a start, and as
    long again at the end.
    """
    gc.set_threshold(100_000)
    try:
        from skilltool.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        gc.freeze()


if __name__ == "__main__":
    main()

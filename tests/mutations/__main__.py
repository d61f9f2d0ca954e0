"""Changes the code at random places, one at a time, in a copy, and says which changes no test notices."""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.mutations.drawing import draw
from tests.mutations.reaching import reaching
from tests.mutations.trying import noticed_by

ROOT = Path(__file__).parents[2]


def main() -> int:
    """Print a line per change, and how many were noticed; the status is 1 if a change was not."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("--count", type=int, default=60, help="changes to try; default: %(default)s")
    parser.add_argument("--seed", type=int, help="which changes are drawn; default: a new one, printed")
    parser.add_argument(
        "--near",
        action="store_true",
        help="leave out what takes long: slow tests, the last of very many, those of other rooms",
    )
    parser.add_argument("--workers", type=int, default=2, help="processes of pytest; default: %(default)s")
    parser.add_argument("--start", type=int, default=1, help="number of the first change to try")
    parser.add_argument("--list", action="store_true", help="only print the changes")
    options = parser.parse_args()
    seed = random.SystemRandom().getrandbits(32) if options.seed is None else options.seed
    noticed = 0
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder, "skilltool")
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(top)], check=True)
        drawn = draw(top / "skilltool", options.count, seed)
        print(f"seed {seed}, {len(drawn)} changes", flush=True)
        tried = drawn[options.start - 1 :]
        reached = [None] * len(tried) if options.list else reaching(top, tried, options.workers)
        for number, (change, tests) in enumerate(zip(tried, reached, strict=True), options.start):
            path = change.file.relative_to(top)
            print(f"{number:3} {path}:{change.line}  {change.before!r} -> {change.after!r}", flush=True)
            if options.list:
                continue
            source = change.file.read_bytes()
            change.file.write_bytes(change.applied(source))
            by = noticed_by(top, change.file, options.near, options.workers, tests)
            change.file.write_bytes(source)
            noticed += by is not None
            known = "" if tests is None else f" (of {len(tests)} that execute it)"
            print(f"    {f'noticed by {by}' if by else 'NOT NOTICED'}{known}", flush=True)
    print(f"seed {seed}: {noticed} of {len(tried)} were noticed")
    return int(noticed < len(tried) and not options.list)


if __name__ == "__main__":
    sys.exit(main())

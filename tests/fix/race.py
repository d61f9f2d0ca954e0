"""An editor that saves a file while fixes are written to it: is a save ever lost?

`python -m tests.fix.race [ROUNDS]` prints the counts of each way to save.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from skilltool.fix.edits import FixOutcome, PlannedEdit, apply
from tests.fix.texts import HEAD

OLD, NEW = f"\ufeff{HEAD}---\n\nText.\n", f"{HEAD}---\n\nText.\n"


def _pause() -> None:
    until = time.perf_counter() + random.choice([0, 0, 1e-5, 1e-4, 1e-3])
    while time.perf_counter() < until:
        pass


def _truncate(file: Path, text: str) -> None:
    with file.open("w", encoding="utf-8") as opened:
        _pause()
        opened.write(text)


def _overwrite(file: Path, text: str) -> None:
    with file.open("r+", encoding="utf-8") as opened:
        _pause()
        opened.write(text)
        opened.truncate()


def _rename(file: Path, text: str) -> None:
    file.with_name("draft").write_text(text, "utf-8")
    file.with_name("draft").replace(file)


def _move_away(file: Path, text: str) -> None:
    """Save as vim does with `backupcopy=no`: the file becomes the backup, a new one takes its name."""
    with suppress(FileNotFoundError):
        file.replace(file.with_name("SKILL.md.bak"))
    _pause()
    file.write_text(text, "utf-8")


SAVES: dict[str, Callable[[Path, str], None]] = {
    each.__name__.lstrip("_").replace("_", "-"): each for each in (_truncate, _overwrite, _rename, _move_away)
}


def _editor(file: Path, pipe: Connection, longest: float) -> None:
    """Save once per message, at some moment of the `longest` seconds after it."""
    while (message := pipe.recv()) is not None:
        how, text = message
        pipe.send("ready")
        until = time.perf_counter() + random.uniform(0, longest)
        while time.perf_counter() < until:
            pass
        try:
            SAVES[how](file, text)
            pipe.send("saved")
        except OSError as error:
            pipe.send(f"failed: {error}")


def race(directory: Path, rounds: int, longest: float = 0.006) -> tuple[Counter[str], list[str]]:
    """Return how often each way to save met each outcome, and a line for each save that was lost."""
    file = directory / "SKILL.md"
    ours, theirs = multiprocessing.Pipe()
    editor = multiprocessing.Process(target=_editor, args=(file, theirs, longest), daemon=True)
    editor.start()
    counts: Counter[str] = Counter()
    lost = []
    for number in range(rounds):
        file.write_text(OLD, "utf-8")
        how, saved = list(SAVES)[number % len(SAVES)], OLD.replace("Text.", f"Edit {number}.")
        ours.send((how, saved))
        ours.recv()
        done = apply(FixOutcome([PlannedEdit(directory, "SKILL.md", OLD, NEW, {"byte-order-mark": 1}, {})]))
        answer = ours.recv()
        counts[f"{how}: {'refused' if done.problems else 'fixed'}, {answer}"] += 1
        left = file.read_text("utf-8") if file.exists() else "no file"
        names = {*os.listdir(directory)} - {"SKILL.md", "SKILL.md.bak"}
        if (answer == "saved" and left != saved) or names:
            lost.append(f"{number}: {how}: {done.problems} {left[-40:]!r} {sorted(names)}")
    ours.send(None)
    editor.join()
    return counts, lost


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        counted, missing = race(Path(directory), int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    for name, count in sorted(counted.items()):
        print(f"{count:6} {name}")  # noqa: T201
    print(f"{len(missing)} lost", *missing[:20], sep="\n")  # noqa: T201

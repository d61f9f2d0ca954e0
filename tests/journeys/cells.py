"""Places times commands: which cells are run, how, and what a run lacks."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import subprocess
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from tests.journeys.forms import FORMS, Form, Seen, seen, typed
from tests.journeys.places import PLACES, VARIANTS, Place, World, build
from tests.preview.test_export import pages
from tests.support.warm import run_command

# What a person never sees, whatever the answer is.
_NEVER = re.compile(r"internal error|unknown \S+ root|choose one|gave up|Traceback")
_LINES, _COLUMNS = 5, 600  # of standard error; a line with a sentence and two long paths is within

_CLIENTS = frozenset(place.client for place in PLACES)


class Cell(NamedTuple):
    """One command in one place."""

    place: Place
    variant: str
    form: Form

    @property
    def id(self) -> str:
        return f"{self.place.id}, {self.variant}: {self.form.id}"


class Run(NamedTuple):
    """What a command did: `written` is what is in the files that it wrote."""

    status: int
    out: str
    err: str
    written: str


class Failure(NamedTuple):
    """A cell whose answer is not what must be seen: `lacks` says why, one line each."""

    cell: Cell
    command: str
    run: Run
    lacks: Sequence[str]

    def __str__(self) -> str:
        lines = self.run.err.splitlines()
        shown = [f"    | {line[:160]}" for line in lines[:3]]
        return "\n".join(
            [
                f"{self.cell.id}",
                f"  {self.command}: exit {self.run.status}",
                *(f"  {lack}" for lack in self.lacks),
                *shown,
            ]
        )


CELLS = tuple(
    Cell(place, variant, form)
    for place in PLACES
    for variant in VARIANTS
    for form in FORMS
    if typed(form, place)
)


def spread(number: int) -> list[Cell]:
    """Return so many cells, the same in every run: each place and each form is in one of them."""
    shuffled = sorted(CELLS, key=lambda cell: sha256(cell.id.encode()).digest())
    places, forms = set[str](), set[str]()
    first, rest = list[Cell](), list[Cell]()
    for cell in shuffled:
        known = cell.place.id in places and cell.form.id in forms
        (rest if known else first).append(cell)
        places.add(cell.place.id)
        forms.add(cell.form.id)
    chosen = {cell.id for cell in (first + rest)[:number]}
    return [cell for cell in CELLS if cell.id in chosen]


def failures(cells: Sequence[Cell], base: Path, program: str | None = None) -> Iterator[Failure]:
    """Run cells under `base`, by another installation's `program` if it is given; yield those that fail.

    Commands that only read share the directories of their place.
    """
    worlds: dict[tuple[str, str, str], World] = {}
    for cell in cells:
        key = (cell.place.id, cell.variant, cell.form.id if cell.form.written else "")
        if key not in worlds:
            directory = base / str(len(worlds))
            directory.mkdir(parents=True)
            worlds[key] = build(cell.place, cell.variant, directory)
        world = worlds[key]
        arguments = [part.format(**world.words) for part in shlex.split(cell.form.command)]
        run = _run(arguments, cell.form.written, world, program)
        wished = seen(cell.form, cell.place, cell.variant)
        lacks = [*_unwanted(run)]
        if not any(not [*_lacking(run, wish, world)] for wish in wished):
            lacks += _lacking(run, wished[0], world)
        if lacks:
            yield Failure(cell, shlex.join(["skilltool", *arguments]), run, lacks)


def _run(arguments: Sequence[str], pattern: str, world: World, program: str | None) -> Run:
    environment = {"HOME": os.fspath(world.home), "XDG_CACHE_HOME": os.fspath(world.home / ".cache")}
    try:
        if program is None:
            done = run_command(arguments, world.cwd, **environment)
        else:
            done = subprocess.run(
                [program, *arguments],
                cwd=world.cwd,
                env={**os.environ, **environment},
                capture_output=True,
                encoding="utf-8",
                timeout=60,
                check=False,
            )
    except subprocess.TimeoutExpired:
        return Run(-1, "", "no answer in 60 seconds", "")
    files = sorted(world.base.glob(pattern.format(**world.words))) if pattern else []
    return Run(done.returncode, done.stdout, done.stderr, "\n".join(map(_contents, files)))


def _contents(file: Path) -> str:
    """Return the text in a file: of an archive the texts of its files, of an exported page all its pages."""
    raw = file.read_bytes()
    with suppress(zipfile.BadZipFile), zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())
    text = raw.decode()
    return "\n".join([text, *pages(text).values()])


def _unwanted(run: Run) -> Iterator[str]:
    lines = run.err.splitlines()
    if len(lines) > _LINES:
        yield f"standard error has {len(lines)} lines, more than {_LINES}"
    if any(len(line) > _COLUMNS for line in lines):
        yield f"standard error has a line of {max(map(len, lines)):,} characters"
    for found in _NEVER.findall(f"{run.out}\n{run.err}"):
        yield f"says `{found}`"


def _lacking(run: Run, wish: Seen, world: World) -> Iterator[str]:
    if run.status not in wish.status:
        yield f"exit status {run.status}, not {' or '.join(map(str, wish.status))}"
    either = f"{run.out}\n{run.err}"
    for where, text, wanted in (
        ("standard output", run.out, wish.out),
        ("standard error", run.err, wish.err),
        ("standard output or standard error", either, wish.either),
        ("what was written", run.written, wish.file),
    ):
        missing = [word for word in (word.format(**world.words) for word in wanted) if not _has(text, word)]
        if missing:
            yield f"not on {where}: {', '.join(missing)}".replace("on what", "in what")
    line = wish.line.replace("{client}", re.escape(world.words["client"]))
    if not re.search(line, run.out):
        yield f"no line of standard output matches {line}"
    if wish.noted and not run.err.strip():
        yield "nothing on standard error"
    if wish.json is not None:
        yield from _not_as_json(run.out, wish.json, world)


def _has(text: str, word: str) -> bool:
    """Whether a text has a word; a client's id that is in a path, as in `.codex/skills`, does not count."""
    if word in _CLIENTS:
        return re.search(rf"(?<![\w./-]){re.escape(word)}(?![\w/-])", text) is not None
    return word in text


def _not_as_json(text: str, members: Sequence[tuple[str, str]], world: World) -> Iterator[str]:
    try:
        value = json.loads(text)
    except ValueError:
        yield "standard output is not JSON"
        return
    for name, wanted in members:
        wanted = wanted.format(**world.words)
        if value.get(name) != wanted:
            yield f"JSON has `{name}` {value.get(name)!r}, not {wanted!r}"

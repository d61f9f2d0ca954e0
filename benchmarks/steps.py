"""How many steps does each command take for n of something, and for four times as many?

A step is a call of a function, of Python or of C, in the command's process or in one that it forks; calls
that ask the system about files are counted by themselves, too. Both are the same on every machine, so a test
can hold them to a bound. What happens within one call of C, as in a regular expression, is in neither:
`python -m benchmarks --growth` measures times for that.
"""

from __future__ import annotations

import io
import itertools
import json
import mmap
import os
import struct
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from skilltool.runtimes import BARE

NAME = "pdf"
MOST = 1.2  # times as many steps as in proportion
_LITTLE = 0.1  # of the steps for one
_SKILL = Path(".claude", "skills", NAME)
_DESCRIPTION = "Fills in PDF forms. Use when the user mentions a PDF form."
_FILES = frozenset(
    [
        "access",
        "listdir",
        "lstat",
        "mkdir",
        "open",
        "readlink",
        "rename",
        "replace",
        "scandir",
        "stat",
        "unlink",
    ]
)
_SLOTS = 1 << 16  # processes are told apart by their ids, which count up
_RECORD = struct.Struct("QQ")


class Steps(NamedTuple):
    """Calls of functions, and those among them that ask the system about files."""

    calls: int
    files: int


class Cell(NamedTuple):
    """The steps of a command for one, n and 4n of a subject."""

    subject: str
    command: str
    n: int
    one: Steps
    once: Steps
    four_times: Steps

    @property
    def ratio(self) -> float:
        """How many times as many calls each more takes, or requests about files if that is worse."""
        return max(
            ratio(self.n, *counts) for counts in zip(self.one, self.once, self.four_times, strict=True)
        )


def ratio(n: int, one: int, once: int, four_times: int) -> float:
    """Compare what each more takes up to 4n with up to n; 0 where all is little beside what one takes."""
    if four_times - one < _LITTLE * one:
        return 0.0
    return (four_times - one) / (4 * n - 1) / (max(once - one, 1) / (n - 1))


class Subject(NamedTuple):
    """Something of which there can be many: how many are n, and what writes a project with so many."""

    n: int
    write: Callable[[Path, int], object]


def _skill(project: Path, text: str = "", fields: str = "", description: str = _DESCRIPTION) -> Path:
    """Write the skill `NAME` with this at the end of its body, and of its frontmatter."""
    return _write(project / _SKILL, f"description: {description}\n{fields}", text)


def _write(directory: Path, fields: str, text: str = "") -> Path:
    directory.mkdir(parents=True)
    head = f"---\nname: {directory.name}\n{fields}---\n\n# Forms\n\nRead the fields first.\n\n"
    (directory / "SKILL.md").write_text(head + text, "utf-8", newline="")
    return directory


def _skills(project: Path, many: int) -> None:
    _skill(project)
    for number in range(many):
        words = " ".join(f"w{number}{letter}" for letter in "abcdefgh")
        _write(
            project / ".claude" / "skills" / f"s{number:05}", f"description: Does {words}.\n", f"{words}.\n"
        )


def _equal_skills(project: Path, many: int) -> None:
    _skill(project)
    for number in range(many):
        _write(project / ".claude" / "skills" / f"s{number:05}", f"description: {_DESCRIPTION}\n")


def _copies(project: Path, many: int) -> None:
    _skill(project)
    for number in range(many):
        directory = project / "packages" / f"p{number:05}" / _SKILL
        _write(directory, f"description: {_DESCRIPTION}\n")


def _two_places(project: Path, many: int) -> None:
    _skill(project)
    for number in range(many):
        for place in (".claude", ".agents"):
            _write(project / place / "skills" / f"s{number:05}", f"description: Does w{number} x{number}.\n")


def _files(project: Path, many: int) -> None:
    folder = _skill(project) / "references"
    folder.mkdir()
    for number in range(many):
        (folder / f"f{number:05}.md").write_text(f"# Form {number}\n\nIt has {number} fields.\n", "utf-8")


def _links(project: Path, many: int) -> None:
    folder = _skill(project, "".join(f"- [form](references/f{each:05}.md)\n" for each in range(many)))
    (folder / "references").mkdir()
    for number in range(many):
        (folder / "references" / f"f{number:05}.md").write_text(f"# Form {number}\n", "utf-8")


def _linked_skills(project: Path, many: int) -> None:
    _skill(project)
    for number in range(many):
        directory = _write(project / "library" / f"s{number:05}", f"description: Does w{number} x{number}.\n")
        (project / ".claude" / "skills" / directory.name).symlink_to(
            Path("..", "..", "library", directory.name)
        )


def _siblings(project: Path, many: int) -> None:
    _skill(project)
    for number in range(many):
        (project / ".claude" / "skills" / f"d{number:05}").mkdir()
        (project / ".claude" / "skills" / f"f{number:05}.txt").touch()


def _plugins(project: Path, many: int, listed: bool = True) -> None:
    _skill(project)
    names = [f"p{number:05}" for number in range(many)]
    for name in names:
        plugin = project / "plugins" / name
        _write(plugin / "skills" / f"s-{name}", f"description: Does {name} and x-{name}.\n")
        _json(
            plugin / ".claude-plugin" / "plugin.json", {"name": name, "version": "1.0.0", "description": name}
        )
    if listed:
        entries = [{"name": name, "source": f"./plugins/{name}", "description": name} for name in names]
        market = {"name": "market", "owner": {"name": "A"}, "plugins": entries}
        _json(project / ".claude-plugin" / "marketplace.json", market)


def _json(file: Path, data: Mapping[str, Any]) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(data, indent=2), "utf-8")


def _nested_files(project: Path, many: int) -> None:
    deep = _skill(project).joinpath(*["d"] * many)
    deep.mkdir(parents=True, exist_ok=True)
    (deep / "guide.md").write_text("# Guide\n", "utf-8")


def _nested_projects(project: Path, many: int) -> None:
    _skill(project)
    for depth in range(1, many + 1):
        _write(project.joinpath(*["d"] * depth) / _SKILL, f"description: Does w{depth} and x{depth}.\n")


def _repeated(unit: str, before: str = "") -> Callable[[Path, int], object]:
    """Return what writes a skill that has `unit` many times in its body; `%d` in it is a number."""
    return lambda project, many: _skill(
        project, before + "".join(unit.replace("%d", str(number)) for number in range(many))
    )


SUBJECTS: dict[str, Subject] = {
    "skills": Subject(40, _skills),
    "skills that are equal": Subject(40, _equal_skills),
    "copies in two places": Subject(30, _two_places),
    "copies in packages": Subject(30, _copies),
    "skills that are links": Subject(30, _linked_skills),
    "siblings": Subject(100, _siblings),
    "plugins of a marketplace": Subject(20, _plugins),
    "plugins alone": Subject(20, lambda project, many: _plugins(project, many, listed=False)),
    "projects in each other": Subject(7, _nested_projects),
    "files": Subject(100, _files),
    "directories in each other": Subject(7, _nested_files),
    "links": Subject(80, _links),
    "findings": Subject(80, _repeated("[form](gone-%d.md)\n\n")),
    "findings with fixes": Subject(40, _repeated("[form](references\\f%d.md)\n\n")),
    "mentions": Subject(80, _repeated("Run `scripts/f%d.py`.\n\n")),
    "commands": Subject(80, _repeated("```sh\npython scripts/f%d.py --all\n```\n\n")),
    "lines": Subject(200, _repeated("Read field %d.\n")),
    "sections": Subject(30, _repeated("## Form %d\n\nIt has fields.\n\n")),
    "items in each other": Subject(
        8,
        lambda project, many: _skill(project, "".join(f"{'  ' * depth}- field\n" for depth in range(many))),
    ),
    "frontmatter keys": Subject(
        80,
        lambda project, many: _skill(project, fields="".join(f"key{each}: {each}\n" for each in range(many))),
    ),
    "frontmatter levels": Subject(
        14,
        lambda project, many: _skill(
            project, fields="".join(f"{'  ' * depth}key{depth}:\n" for depth in range(many))
        ),
    ),
    "words of the description": Subject(
        300,
        lambda project, many: _skill(
            project, description="Use " + " ".join(f"w{each}" for each in range(many))
        ),
    ),
}


def _command(*arguments: str) -> Callable[[Path], object]:
    def run(project: Path) -> None:
        from skilltool.cli import group

        home = project / ".." / "home"
        places = ("--home", str(home)) if arguments[0] in ("resolve", "render", "cost", "preview") else ()
        with suppress(SystemExit):
            group.main([*arguments, *places], prog_name="skilltool", standalone_mode=False)

    return run


def _edit(project: Path) -> None:
    """Do what the server does in its worker after an edit."""
    from skilltool.server.analysis import Analysis, Editor
    from skilltool.server.diagnostics import published
    from skilltool.server.document import Document

    file = (project / _SKILL / "SKILL.md").absolute()
    text = file.read_text("utf-8") + "One more.\n"
    analysis = Analysis(Document.of(file.as_uri(), file, 2, text), Editor("utf-16"))
    with analysis.using_editor_text():
        published(analysis)


_LINT = ("lint", "--isolated", "--no-cache", "--jobs", "1")
COMMANDS: dict[str, Callable[[Path], object]] = {
    "lint": _command(*_LINT),
    "lint portable": _command(*_LINT, "--runtime", "portable"),
    "lint all": _command(*_LINT, "--runtime", "all", "--select", "all", "--output-format", "json"),
    "lint --fix": _command(*_LINT, "--fix", "--unsafe-fixes"),
    "lint --diff": _command(*_LINT, "--diff"),
    "resolve": _command("resolve"),
    "resolve all": _command("resolve", "--runtime", "all", "--output-format", "json"),
    "resolve NAME": _command("resolve", NAME),
    "render NAME": _command("render", NAME),
    "render all": _command("render", NAME, "--runtime", "all"),
    "render catalog": _command("render", "--part", "catalog"),
    "cost": _command("cost", "--details"),
    "preview --export": _command("preview", "--export", "preview.html"),
    "pack": _command("pack", str(_SKILL)),
    "survey": _command("survey", ".", "--out", "tables", "--jobs", "1"),
    "server": _edit,
}


# Those that are asked for the clients that `--runtime` names.
CLIENTS = {"lint": _LINT, "resolve": ("resolve",), "render": ("render", NAME), "cost": ("cost",)}


class _Counter:
    """Counts calls in this process and in those that are forked from it."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _RECORD.size * _SLOTS)
        self._numbers = memoryview(self._memory).cast("Q")
        self._slot = 0
        self._choose_slot()
        os.register_at_fork(after_in_child=self._choose_slot)

    def _choose_slot(self) -> None:
        self._slot = 2 * (os.getpid() % _SLOTS)

    def __call__(self, _frame: FrameType, event: str, argument: Any) -> None:
        """Count one event, as a function for `sys.setprofile`."""
        if event == "call":
            self._numbers[self._slot] += 1
        elif event == "c_call":
            self._numbers[self._slot] += 1
            if argument.__name__ in _FILES:
                self._numbers[self._slot + 1] += 1

    @property
    def steps(self) -> Steps:
        """What was counted in all processes."""
        return Steps(sum(self._numbers[::2]), sum(self._numbers[1::2]))


@contextmanager
def _captured() -> Iterator[None]:
    out, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(errors):
        yield


def count(run: Callable[[Path], object], project: Path) -> Steps:
    """Return the steps of a command, in a process that is forked for it: nothing is kept from another."""
    counter = _Counter()
    child = os.fork()
    if not child:
        try:
            os.chdir(project)
            os.environ |= {"HOME": str(project.parent / "home"), "SKILLTOOL_TIMEOUT": "3600"}
            os.environ["SKILLTOOL_CACHE_DIR"] = str(project.parent / "cache")
            with _captured():
                threading.setprofile(counter)
                sys.setprofile(counter)
                try:
                    run(Path())
                finally:
                    sys.setprofile(None)
            os._exit(0)
        except BaseException:
            import traceback

            traceback.print_exc()
            os._exit(1)
    if os.waitpid(child, 0)[1]:
        raise RuntimeError(f"a command failed in {project}")
    return counter.steps


def measured(subject: str, command: str) -> Cell:
    """Count the steps of a command for a subject, each time in a new project."""
    one = SUBJECTS[subject]
    run = COMMANDS[command]
    counts = [_in_project(one.write, many, run) for many in (1, one.n, 4 * one.n)]
    return Cell(subject, command, one.n, *counts)


def _in_project(write: Callable[[Path, int], object], many: int, run: Callable[[Path], object]) -> Steps:
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        (project / ".git").mkdir(parents=True)
        (project.parent / "home").mkdir()
        write(project, many)
        return count(run, project)


def warm(commands: Iterable[str]) -> None:
    """Run each of the commands once here, so that what it imports is not counted."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        (project / ".git").mkdir(parents=True)
        (project.parent / "home").mkdir()
        _skills(project, 2)
        _plugins(project / "more", 2)
        (project.parent / "home").mkdir(exist_ok=True)
        before = Path.cwd()
        os.chdir(project)
        os.environ["SKILLTOOL_CACHE_DIR"] = str(Path(folder) / "cache")
        try:
            for name in commands:
                if name != "lint --fix":
                    with _captured():
                        COMMANDS[name](Path())
        finally:
            os.chdir(before)


def together(command: str) -> float:
    """Return the steps of a command for many clients, as a share of those for each quarter of them."""
    ids = BARE[: len(BARE) // 4 * 4]
    counts = []
    for chosen in (ids, *(ids[part::4] for part in range(4))):
        run = _command(*CLIENTS[command], "--runtime", ",".join(chosen))
        counts.append(_in_project(_skills, 4, run).calls)
    return counts[0] / sum(counts[1:])


def report(only: str = "") -> Iterator[str]:
    """Count each subject and command that `only` is part of, as `files/pack`; yield lines of a table."""
    warm(COMMANDS)
    yield f"{'':<28}{'':<18}{'n':>5}{'calls n':>11}{'calls 4n':>12}{'files 4n':>10}{'ratio':>7}"
    above = []
    for subject, command in itertools.product(SUBJECTS, COMMANDS):
        if only in f"{subject}/{command}":
            cell = measured(subject, command)
            above += [f"{subject}/{command}"] if cell.ratio > MOST else []
            yield (
                f"{subject:<28}{command:<18}{cell.n:>5}{cell.once.calls:>11,}{cell.four_times.calls:>12,}"
                f"{cell.four_times.files:>10,}{cell.ratio:>7.2f}"
            )
    for command in CLIENTS:
        if only in f"clients/{command}":
            yield f"{'clients':<28}{command:<18}{'':>38}{together(command):>7.2f}"
    yield f"above {MOST} x: {', '.join(above) or 'none'}"

"""Where one input is tried: a directory to work in, and files beside it that must stay as they are."""

from __future__ import annotations

import io
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from types import FrameType

import click

from skilltool.cli import group
from skilltool.errors import SkilltoolError

CPU_SECONDS = 20.0  # of one input; a machine that has other work does not make it less


class HangError(BaseException):
    """The input took too long; nothing that skilltool catches."""


class ChangedOutsideError(Exception):
    """A file outside the directory was made, changed or deleted."""


@contextmanager
def box() -> Iterator[Path]:
    """Enter a new directory, limit the time, and look at the files beside it afterwards."""
    before, home = Path.cwd(), os.environ.get("HOME")
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # a disk takes longer than the input
    top = Path(os.path.realpath(tempfile.mkdtemp(prefix="fuzz-", dir=memory)))
    try:
        inside = top / "repo"
        for folder in (inside / ".git", top / "outside" / "skill", top / "home"):
            folder.mkdir(parents=True)
        (top / "outside" / "canary").write_text("\ufeff---\nname: x\n---\n", "utf-8")
        (top / "outside" / "skill" / "SKILL.md").write_text("\ufeff---\nname: 1\n---\n", "utf-8")
        known = _state(top)
        os.chdir(inside)
        os.environ["HOME"] = str(top / "home")
        with _limited():
            yield inside
        if (now := _state(top)) != known:
            raise ChangedOutsideError(sorted({name for name, _ in known.items() ^ now.items()}))
    finally:
        os.chdir(before)
        if home is not None:
            os.environ["HOME"] = home
        shutil.rmtree(top, ignore_errors=True)


def _state(top: Path) -> dict[str, bytes]:
    """Return all that is beside `repo`: the content of regular files by name; a pipe or a link has none."""
    found: dict[str, bytes] = {}
    for folder, folders, names in os.walk(top):
        if Path(folder) == top:
            folders.remove("repo")
        for name in (*folders, *names):
            path = Path(folder, name)
            is_regular = path.is_file() and not path.is_symlink()
            found[str(path.relative_to(top))] = path.read_bytes() if is_regular else b""
    return found


@contextmanager
def _limited() -> Iterator[None]:
    def late(_number: int, _frame: FrameType | None) -> None:
        raise HangError(f"more than {CPU_SECONDS:g} s")

    if not hasattr(signal, "setitimer"):
        yield
        return
    previous = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def write_tree(top: Path, files: Mapping[str, bytes | str]) -> None:
    """Write files, and links where the content is a str; what the file system refuses is left out."""
    for name, content in files.items():
        path = top / name
        with suppress(OSError, ValueError):
            if not Path(os.path.realpath(path)).is_relative_to(top):
                continue  # a link leads out, and it is not for the generator to write there
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, str):
                path.symlink_to(content)
            else:
                path.write_bytes(content)


def command(*arguments: str) -> tuple[int, bytes, str]:
    """Run the command in this process; return status, output and messages. An internal error is raised."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = group.main(list(arguments), prog_name="skilltool", standalone_mode=False)
        except (SkilltoolError, click.ClickException, OSError) as error:
            status = 2
            err.write(f"{error}\n")
        except SystemExit as ended:
            status = ended.code
        out.flush()
        err.flush()
    status = status if isinstance(status, int) else 0
    assert status in {0, 1, 2}, status
    messages = err.buffer.getvalue().decode("utf-8")
    assert "internal error" not in messages, messages
    assert b"internal error" not in out.buffer.getvalue(), out.buffer.getvalue()
    return status, out.buffer.getvalue(), messages

"""Writing to standard output and standard error: nothing else in the command line does.

Results are `SafeText`; what a runtime's text or a diff needs byte for byte goes through `exact_or_escaped`.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable
from errno import EBADF
from pathlib import Path
from typing import TextIO

import click

from skilltool.cli.options import is_quiet
from skilltool.errors import PathError
from skilltool.text.printable import SafeText, flowed, printable, safe_lines, safe_text

# The variables by which a job knows that its output becomes the log of GitHub Actions or Azure Pipelines.
_RUNNERS = ("GITHUB_ACTIONS", "TF_BUILD")


def write(text: SafeText | bytes) -> None:
    """Write a result to standard output; text is UTF-8 unless it is for a terminal, bytes stay as they are.

    A reader that has gone away (`| head`) does not change the exit status. Raises `PathError` if standard
    output cannot be written.
    """
    try:
        click.echo(text, nl=False, color=True)
    except OSError as error:
        abandon(sys.stdout)
        if not isinstance(error, BrokenPipeError):
            raise PathError(unwritable(error)) from None


def unwritable(error: OSError) -> str:
    """Return why standard output cannot be written."""
    return (
        "standard output is closed" if error.errno == EBADF else f"standard output: {error.strerror or error}"
    )


def write_error(text: SafeText) -> None:
    """Write lines to standard error; nothing if it cannot be written, and the exit status stays the same."""
    if sys.stderr.isatty():
        from shutil import get_terminal_size

        text = flowed(text, get_terminal_size().columns)
    try:
        click.echo(text, nl=False, err=True, color=True)
    except OSError:
        abandon(sys.stderr)


def abandon(stream: TextIO) -> None:
    """Send what is still written to a stream to nowhere: Python flushes it at exit, and would complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def note(text: str) -> None:
    """Write an error or a warning to standard error, as one line that begins with the program's name."""
    write_error(safe_lines([f"skilltool: {text}"]))


def inform(text: str) -> None:
    """Write what is good to know to standard error, as `note` does; nothing with `--quiet`."""
    if not is_quiet():
        note(text)


def write_summary(lines: Iterable[str]) -> None:
    """Write lines about what was done to standard output; nothing with `--quiet`."""
    if not is_quiet():
        write(safe_lines(lines))


def ask(question: str, default: str) -> str:
    """Prompt for a line of text on the terminal, and return it; `default` if nothing is typed."""
    text = f"{printable(question)} [{printable(default)}]"
    answer: str = click.prompt(text, default=default, show_default=False)
    return answer


def exact_or_escaped(
    text: str, raw: bool, paint: Callable[[str], str] | None = None
) -> tuple[SafeText | bytes, str | None]:
    """Return text that is asked for byte for byte, as standard output may get it, and a remark or None.

    A pipe and a file get the bytes. A terminal, the log of a CI job and a reader who wants colour (`paint`)
    get escapes, unless `raw`; the remark says so where anything was escaped.
    """
    in_terminal = sys.stdout.isatty()
    if raw or not (in_terminal or paint or _is_log()):
        return exact(text), None
    shown = safe_text(text, in_terminal=in_terminal)
    what = "control characters" if in_terminal else "control characters and CI commands"
    remark = f"{what} were escaped; use --raw or -o FILE to get the exact text"
    return SafeText(paint(shown)) if paint else shown, remark if shown != text else None


def _is_log() -> bool:
    """Return whether standard output may be the log of a CI job: not a file, and a runner runs this."""
    if not any(os.environ.get(name) for name in _RUNNERS):
        return False
    try:
        return not stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except OSError:
        return True


def exact(text: str) -> bytes:
    """Encode a runtime's text as UTF-8, including half a character (a lone surrogate) that it cut off."""
    return text.encode("utf-8", "surrogatepass")


def write_file(path: Path, raw: bytes) -> None:
    """Write a result to a file atomically; raises `PathError`."""
    from skilltool.files.writing import write_atomically

    try:
        write_atomically(path, raw)
    except OSError as error:
        raise PathError(f"{path}: {error.strerror}") from None

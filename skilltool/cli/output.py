"""Writing to standard output and standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import click

from skilltool.cli.options import is_quiet
from skilltool.errors import PathError

NOTHING = "no skills found; nothing was checked"


def exact(text: str) -> bytes:
    """Encode a runtime's text as UTF-8, including half a character (a lone surrogate) that it cut off."""
    return text.encode("utf-8", "surrogatepass")


def write(text: str | bytes) -> None:
    """Write a result to standard output unchanged; text is UTF-8 unless it is for a terminal.

    A reader that has gone away (`| head`) does not change the exit status. Raises `PathError` if standard
    output cannot be written.
    """
    try:
        click.echo(text, nl=False, color=True)
    except OSError as error:
        # Python flushes its buffer when it exits, and would complain: let that go to nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise PathError(f"standard output: {error.strerror}") from None


def note(text: str) -> None:
    """Write an error or a warning to standard error, as one line that cannot move the cursor."""
    from skilltool.report.printable import printable

    click.echo(f"skilltool: {printable(text)}", err=True)


def inform(text: str) -> None:
    """Write what is good to know to standard error, as `note` does; nothing with `--quiet`."""
    if not is_quiet():
        note(text)


def write_summary(text: str) -> None:
    """Write lines about what was done to standard output, escaped; nothing with `--quiet`."""
    if not is_quiet():
        write(escaped(text) + "\n")


def write_escaped(text: str, paint: Callable[[str], str] = str) -> None:
    """Write text for people, escaped and then coloured by `paint`; on a terminal say what was escaped."""
    write(paint(escaped(text)))
    if sys.stdout.isatty() and escaped(text) != text:
        inform("control characters are shown as escapes; in a pipe the bytes are exact")


def escaped(text: str) -> str:
    """Return text with its lines kept, and the control characters within them as visible escapes."""
    from skilltool.report.printable import printable

    return "\n".join(printable(line) for line in text.split("\n"))


def write_file(path: Path, raw: bytes) -> None:
    """Write a result to a file atomically; raises `PathError`."""
    from skilltool.files.writing import write_atomically

    try:
        write_atomically(path, raw)
    except OSError as error:
        raise PathError(f"{path}: {error.strerror}") from None

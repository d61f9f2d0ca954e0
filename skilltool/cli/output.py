"""Writing to standard output and standard error."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from skilltool.errors import PathError

NOTHING = "no skill to check; that is allowed here"


def exact(text: str) -> bytes:
    """Return the bytes of a runtime's text, also of half a character that it cut off."""
    return text.encode("utf-8", "surrogatepass")


def write(text: str | bytes) -> None:
    """Write a result to standard output as it is; text is UTF-8 unless it is for a terminal.

    A reader that has gone away (`| head`) is no failure: the exit status stays what it would
    have been. Raises `PathError` where standard output cannot be written.
    """
    try:
        click.echo(text, nl=False, color=True)
    except OSError as error:
        # What is left in the buffer must go somewhere, or Python complains when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise PathError(f"standard output: {error.strerror}") from None


def note(text: str) -> None:
    """Write one line to standard error; nothing in `text` moves the cursor or breaks the line."""
    from skilltool.report.printable import printable

    click.echo(f"skilltool: {printable(text)}", err=True)


def write_shown(text: str) -> None:
    """Write text for people, as `shown` returns it."""
    write(shown(text))
    if sys.stdout.isatty() and shown(text) != text:
        note("control characters are shown as escapes; in a pipe the bytes are exact")


def shown(text: str) -> str:
    """Return text with every line as it is, and control characters in it as visible escapes."""
    from skilltool.report.printable import printable

    return "\n".join(printable(line) for line in text.split("\n"))


def write_file(path: Path, raw: bytes) -> None:
    """Write a result to a file, whole or not at all; raises `PathError`."""
    from skilltool.files.writing import write_atomically

    try:
        write_atomically(path, raw)
    except OSError as error:
        raise PathError(f"{path}: {error.strerror}") from None

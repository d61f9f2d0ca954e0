"""A real terminal in which a test runs the command: what it prints, as it prints it."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType

# How long to wait for what must come; a slow machine is no failure. What comes is returned at once.
PATIENCE = 60.0
_WIDE = 300  # columns: no sentence is broken, but where a test sets COLUMNS


class Terminal:
    """The command in a pseudo-terminal; `with` ends it."""

    def __init__(self, *arguments: str, cwd: Path, **environment: str) -> None:
        """Start `skilltool` with these arguments and further variables; TERM is xterm."""
        self._screen, inside = pty.openpty()
        termios.tcsetwinsize(inside, (50, _WIDE))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "skilltool", *arguments],
            cwd=cwd,
            env={**os.environ, "TERM": "xterm", **environment},
            stdin=inside,
            stdout=inside,
            stderr=inside,
        )
        os.close(inside)

    def until(self, *texts: str) -> str:
        """Return what has been printed since the last call when all `texts` have come, in this order."""
        wanted = re.compile(".*".join(map(re.escape, texts)) + r"[^\n]*\n\Z", re.DOTALL)
        shown = b""
        last = time.monotonic() + PATIENCE
        while time.monotonic() < last and (more := self._read(0.1)) is not None:
            shown += more
            text = shown.decode(errors="replace")
            if wanted.search(text):
                return text
        raise AssertionError(f"{texts!r} did not come; what did: {shown.decode()!r}")

    def quiet(self, seconds: float) -> bool:
        """Return whether nothing at all is printed for a while."""
        return self._read(seconds) == b""

    def rest(self) -> str:
        """Return all that is printed until the process ends."""
        shown = b""
        while (more := self._read(PATIENCE)) not in (None, b""):
            shown += more or b""
        self.process.wait(PATIENCE)
        return shown.decode()

    def answer(self, *lines: str) -> str:
        """Type each line when a question waits for it; return all that is printed until the process ends."""
        shown = b""
        for line in lines:
            last = time.monotonic() + PATIENCE
            part = b""
            while not re.search(rb": \Z", part) and time.monotonic() < last:
                if (more := self._read(0.1)) is None:
                    raise AssertionError(f"ended before {line!r}: {(shown + part).decode()!r}")
                part += more
            shown += part
            os.write(self._screen, f"{line}\n".encode())
        return shown.decode() + self.rest()

    def interrupt(self) -> int:
        """End the process as Ctrl-C does; return its exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)

    def _read(self, seconds: float) -> bytes | None:
        """Return what is printed within some seconds; None where the process has ended."""
        if not select.select([self._screen], [], [], seconds)[0]:
            return b""
        try:
            return os.read(self._screen, 65_536) or None
        except OSError:  # Linux's way to say that the other side is closed
            return None

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._screen)

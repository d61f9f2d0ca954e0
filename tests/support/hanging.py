"""Skills that take for ever: whoever reads one waits, and nothing but its end interrupts that.

The processes that are started import `sitecustomize`, and that installs a hook of the interpreter, which sees
each file that is opened and each directory that is listed.
"""

from __future__ import annotations

import os
from pathlib import Path

# The file of a skill called `hang...`, and the directory of one called `list-hang`, since a server reads the
# text of its client and not the file.
_HOOK = r"""
import signal, sys, time
def watch(event, arguments):
    path = str(arguments[0]) if arguments else ""
    if event == "open" and "/hang" in path and path.endswith("SKILL.md") or (
        event == "os.listdir" and path.endswith("/list-hang")
    ):
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM, signal.SIGPROF, signal.SIGINT})
        while time.process_time() < 120:
            pass
sys.addaudithook(watch)
"""


def environment(folder: Path, seconds: float = 2.0) -> dict[str, str]:
    """Return the environment of a process for which such a skill takes for ever."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(_HOOK, "utf-8")
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    return {"PYTHONPATH": path.rstrip(os.pathsep), "SKILLTOOL_TIMEOUT": str(seconds)}

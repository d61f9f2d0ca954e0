"""Bring the ```console blocks of a Markdown page up to date: run their commands, and write what they print.

`<!-- project: NAME -->` on a line of its own makes the project NAME of `samples.py`; the blocks after it run
in it, one after another. `sh` runs each line `$ COMMAND`; its output replaces the lines after it.
"""

import re
from contextlib import ExitStack

from sandbox import Sandbox

COLUMNS = 100  # of output that fits the width; lines of a pipe are not wrapped
_PART = re.compile(
    r"^<!-- project: (?P<project>[\w-]+) -->$|^```console\n(?P<block>.*?)^```$", re.MULTILINE | re.DOTALL
)
_COMMAND = re.compile(r"^\$ (.+)$", re.MULTILINE)


def refreshed(page: str) -> str:
    """Return the page with the present output of each command."""
    with ExitStack() as projects:
        sandbox = projects.enter_context(Sandbox("empty"))

        def replaced(part: re.Match[str]) -> str:
            nonlocal sandbox
            if part["project"]:
                sandbox = projects.enter_context(Sandbox(part["project"]))
                return part[0]
            steps = [
                f"$ {command}\n{_output(sandbox, command)}" for command in _COMMAND.findall(part["block"])
            ]
            return f"```console\n{''.join(steps)}```"

        return _PART.sub(replaced, page)


def _output(sandbox: Sandbox, command: str) -> str:
    """Return what a command prints, with a line end at its end."""
    printed = sandbox.run(command, COLUMNS)
    if not printed and command.endswith("--help"):
        raise ValueError(f"`{command}` printed nothing")
    if _COMMAND.search(printed) or "```" in printed:
        raise ValueError(f"the output of `{command}` would be read as a command or as the end of the block")
    return printed if printed.endswith("\n") or not printed else f"{printed}\n"

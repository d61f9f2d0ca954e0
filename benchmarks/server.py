"""What do a key press, a completion and a hover in an editor take, on a long page among many skills?

CPU time is that of the server and of its process that answers, as Linux counts it; elsewhere only wall time.
"""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.corpus import write_skills
from benchmarks.measure import environment

_SIZE = 50_000  # bytes of the page
_MANY = 289  # skills of the project
_FIRST = 3  # rounds that are not counted


class _Client:
    """The client's side of one session."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._to, self._from = process.stdin, process.stdout
        self._pid = process.pid
        self._ids = itertools.count(1)

    def notify(self, method: str, **params: Any) -> None:
        self._send(method=method, params=params)

    def request(self, method: str, **params: Any) -> Any:
        """Send a request and return its answer."""
        number = next(self._ids)
        self._send(id=number, method=method, params=params)
        while (message := self.receive()).get("id") != number:
            pass
        return message.get("result")

    def cpu(self) -> float:
        """Return the milliseconds of CPU time of the server and its processes until now; 0 if unknown."""
        try:
            tasks = Path(f"/proc/{self._pid}/task").glob("*/children")
            pids = {self._pid, *(int(child) for task in tasks for child in task.read_text().split())}
            files = [file for pid in pids for file in Path(f"/proc/{pid}/task").glob("*/schedstat")]
            return sum(int(file.read_text().split()[0]) for file in files) / 1e6
        except OSError:
            return 0.0

    def receive(self) -> dict[str, Any]:
        length = 0
        while line := self._from.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        message: dict[str, Any] = json.loads(self._from.read(length))
        return message

    def _send(self, **message: Any) -> None:
        raw = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._to.write(b"Content-Length: %d\r\n\r\n%b" % (len(raw), raw))
        self._to.flush()


class _Round:
    """One edit and what follows it: the milliseconds of each step, as wall and CPU time."""

    def __init__(self, client: _Client) -> None:
        self._client = client
        self.times: dict[str, tuple[float, float]] = {}

    def step(self, name: str, do: Callable[[], object]) -> None:
        """Do one step and note what it took."""
        wall, cpu = time.perf_counter(), self._client.cpu()
        do()
        self.times[name] = (1000 * (time.perf_counter() - wall), self._client.cpu() - cpu)


def report(runs: int, corpus: Path | None = None) -> str:
    """Return a table: the medians of `runs` edits of a page of 50 KB, and of the requests after each.

    The page is in `.claude/skills` of a project with 289 skills: generated ones, or copies from `corpus`.
    """
    with tempfile.TemporaryDirectory() as folder:
        skills = Path(folder) / ".claude" / "skills"
        if corpus is None:
            write_skills(skills, _MANY - 1)
        else:
            _copy(corpus, skills)
        (Path(folder) / ".git").mkdir()
        page = _write_page(skills)
        with _session() as client:
            rounds = list(_rounds(client, page, runs + _FIRST))[_FIRST:]
    lines = [f"{'language server, a page of 50 KB':<40}{'wall ms':>10}{'CPU ms':>10}"]
    for name in rounds[0].times:
        wall, cpu = (median(each.times[name][at] for each in rounds) for at in (0, 1))
        lines.append(f"{name:<40}{wall:>10.1f}{cpu:>10.1f}")
    return "\n".join(lines) + "\n"


def _write_page(skills: Path) -> Path:
    """Write the skill whose page is edited; return its SKILL.md."""
    write_skills(skills / "written", 1, _SIZE)
    (file,) = (skills / "written").glob("*/SKILL.md")
    file.write_text(file.read_text("utf-8").replace(f"name: {file.parent.name}", "name: long-page"), "utf-8")
    file.parent.rename(skills / "long-page")
    (skills / "written").rmdir()
    return skills / "long-page" / "SKILL.md"


def _copy(corpus: Path, skills: Path) -> None:
    """Copy the first skills of a directory, each under a number, so that none hides another."""
    found = sorted(corpus.rglob("SKILL.md"))[: _MANY - 1]
    for number, file in enumerate(found):
        shutil.copytree(file.parent, skills / f"{number:03d}-{file.parent.name}", symlinks=True)


@contextmanager
def _session() -> Iterator[_Client]:
    command = [sys.executable, "-m", "skilltool", "server"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment(), **pipes) as process:
        client = _Client(process)
        client.request("initialize", processId=None, rootUri=None, capabilities={})
        client.notify("initialized")
        yield client
        client.request("shutdown")
        client.notify("exit")


def _rounds(client: _Client, file: Path, many: int) -> Iterator[_Round]:
    """Edit a word in the middle of the body, and ask what editors ask after that."""
    text = file.read_text("utf-8") + "\n[fields](references/fields.md) and [x](ref"
    uri, line = file.as_uri(), text.count("\n")
    document = {"uri": uri, "languageId": "markdown", "version": 0, "text": text}
    client.notify("textDocument/didOpen", textDocument=document)
    _await_findings(client, 0)
    name_line = text.split("\n").index(next(row for row in text.split("\n") if row.startswith("name:")))

    def ask(method: str, line: int, character: int) -> Callable[[], object]:
        place = {"line": line, "character": character}
        return lambda: client.request(method, textDocument={"uri": uri}, position=place)

    for version in range(1, many + 1):
        edited = f"{text[: _SIZE // 2]} edit {version} {text[_SIZE // 2 :]}"
        change = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": edited}]}

        def edit(change: dict[str, Any] = change, version: int = version) -> None:
            client.notify("textDocument/didChange", **change)
            _await_findings(client, version)

        each = _Round(client)
        each.step("findings after a key press", edit)
        each.step(
            "completion of a link", ask("textDocument/completion", line, len(text) - text.rfind("\n") - 1)
        )
        each.step("completion of a field", ask("textDocument/completion", 1, 0))
        each.step("hover of a link", ask("textDocument/hover", line, 12))
        each.step("hover of a field", ask("textDocument/hover", name_line, 1))
        each.step("hover of the name", ask("textDocument/hover", name_line, 8))
        each.step("hover of the name, again", ask("textDocument/hover", name_line, 8))
        yield each


def _await_findings(client: _Client, version: int) -> None:
    while True:
        message = client.receive()
        is_published = message.get("method") == "textDocument/publishDiagnostics"
        if is_published and message["params"].get("version") == version:
            return

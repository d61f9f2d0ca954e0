"""A program that behaves as our profile of Claude Code does, but for what its author has changed in it.

`write` makes one. What it sends is what our own session says, so that the tests are about captures.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.request
from pathlib import Path
from typing import Any

from skilltool import runtimes

PACKAGE = "@anthropic-ai/claude-code"
_TEXT = """#!{python}
import sys
sys.path[:] = {path!r}
from tests.support.fake_claude import main
main({changes!r})
"""


def write(folder: Path, version: str = "9.9.9", **changes: str) -> Path:
    """Write the program `claude` and its package; `changes` are texts that it sends in place of others."""
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(json.dumps({"name": PACKAGE, "version": version}), "utf-8")
    program = folder / "bin" / "claude"
    pairs = [change.split(" -> ") for change in changes.values()]
    program.write_text(_TEXT.format(python=sys.executable, path=sys.path, changes=pairs), "utf-8")
    program.chmod(0o755)
    return program


def main(changes: list[list[str]]) -> None:
    """Ask the model, load what it calls, and end."""
    session = runtimes.get("claude-code").open(Path(), Path(os.environ["HOME"]))
    tool = json.loads(json.dumps(session.tool()).replace("[... 1417 fixed characters ...]", "d" * 1417))
    system = {"role": "system", "content": f"{session.catalog()}\n\nToday's date is today."}
    messages: list[dict[str, Any]] = [{"role": "user", "content": "hello"}, system]
    reply = ask({"messages": messages, "tools": [tool]}, changes)
    calls = [block for block in reply["content"] if block["type"] == "tool_use"]
    if not calls:
        return
    results, texts = [], []
    for call in calls:
        first, *more = session.call(call["input"]).messages[0]["content"]
        results.append({**first, "tool_use_id": call["id"]})
        texts += more
    texts = [{**text, "text": f"{text['text']}\n"} for text in texts[:-1]] + texts[-1:]
    messages += [{"role": "assistant", "content": calls}, {"role": "user", "content": results + texts}]
    ask({"messages": messages, "tools": [tool]}, changes)


def ask(body: dict[str, Any], changes: list[list[str]]) -> Any:
    raw = json.dumps(body)
    for old, new in changes:
        raw = raw.replace(old, new)
    url = f"{os.environ['ANTHROPIC_BASE_URL']}/v1/messages"
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(urllib.request.Request(url, raw.encode()), timeout=60) as answer:
        return json.load(answer)

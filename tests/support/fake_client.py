"""A client of the tests' own: it lists skills to a model in one of four protocols, and loads those it calls.

`python fake_client.py PROTOCOL [stream]` asks the model at $BASE. Another first argument is how it fails.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

HEADING, END, TOOL = "SKILLS:", "END OF SKILLS", "load"
SLEEP = "import time; time.sleep(60)"
PATHS = {
    "messages": "/v1/messages",
    "responses": "/v1/responses",
    "chat": "/v1/chat/completions",
    "gemini": "/v1beta/models/m:generateContent",
}
PARAMETERS = {"type": "object", "properties": {"name": {"type": "string"}}}


def listing() -> str:
    entries = "".join(f"- {file.parent.name}\n" for file in sorted(Path("skills").glob("*/SKILL.md")))
    return f"{HEADING}\n{entries}{END}"


def body(protocol: str, stream: bool, calls: list[dict], results: list[str]) -> dict:
    """The request: at first, or with calls after them."""
    text = f"You are a model. {listing()} Good luck."
    tool = {"name": TOOL, "description": "Loads a skill."}
    if protocol == "messages":
        messages = [{"role": "user", "content": text}]
        if calls:
            blocks = [
                {
                    "type": "tool_result",
                    "tool_use_id": call["id"],
                    "content": [{"type": "text", "text": result}],
                }
                for call, result in zip(calls, results, strict=True)
            ]
            messages += [{"role": "assistant", "content": calls}, {"role": "user", "content": blocks}]
        return {"stream": stream, "messages": messages, "tools": [{**tool, "input_schema": PARAMETERS}]}
    if protocol == "chat":
        sent = [{"role": "system", "content": text}]
        answers = [
            {"role": "tool", "tool_call_id": call["id"], "content": result}
            for call, result in zip(calls, results, strict=True)
        ]
        function = {"type": "function", "function": {**tool, "parameters": PARAMETERS}}
        return {"stream": stream, "messages": sent + answers, "tools": [function]}
    if protocol == "responses":
        items = [{"role": "developer", "content": [{"type": "input_text", "text": text}]}]
        outputs = [
            {"type": "function_call_output", "call_id": call["call_id"], "output": result}
            for call, result in zip(calls, results, strict=True)
        ]
        return {"stream": stream, "input": items + outputs, "tools": [{"type": "function", **tool}]}
    parts = [
        {"functionResponse": {"name": TOOL, "response": {"output": result}}}
        for call, result in zip(calls, results, strict=True)
    ]
    contents = [
        {"role": "user", "parts": [{"text": "hello"}]},
        *([{"role": "user", "parts": parts}] if parts else []),
    ]
    declared = [{"functionDeclarations": [{**tool, "parametersJsonSchema": PARAMETERS}]}]
    return {"systemInstruction": {"parts": [{"text": text}]}, "contents": contents, "tools": declared}


def called(protocol: str, stream: bool, raw: str) -> list[dict]:
    """The calls in a reply, each as the protocol has it, with `name` and `arguments`."""
    if not stream:
        data = json.loads(raw)
        if protocol == "messages":
            return [_call(b, b["name"], b["input"]) for b in data["content"] if b["type"] == "tool_use"]
        if protocol == "chat":
            found = data["choices"][0]["message"].get("tool_calls", [])
            return [_call(c, c["function"]["name"], json.loads(c["function"]["arguments"])) for c in found]
        if protocol == "responses":
            found = [item for item in data["output"] if item["type"] == "function_call"]
            return [_call(c, c["name"], json.loads(c["arguments"])) for c in found]
        parts = data["candidates"][0]["content"]["parts"]
        return [
            _call({}, p["functionCall"]["name"], p["functionCall"]["args"])
            for p in parts
            if "functionCall" in p
        ]
    events = [json.loads(line[6:]) for line in raw.split("\n") if line.startswith("data: {")]
    if protocol == "messages":
        starts = [e["content_block"] for e in events if e["type"] == "content_block_start"]
        deltas = [e["delta"] for e in events if e["type"] == "content_block_delta"]
        pairs = [(s, d) for s, d in zip(starts, deltas, strict=True) if s["type"] == "tool_use"]
        return [_call(s, s["name"], json.loads(d["partial_json"])) for s, d in pairs]
    if protocol == "chat":
        found = [c for e in events for c in e["choices"][0]["delta"].get("tool_calls", [])]
        return [_call(c, c["function"]["name"], json.loads(c["function"]["arguments"])) for c in found]
    if protocol == "responses":
        found = [e["item"] for e in events if e["type"] == "response.output_item.done"]
        found = [item for item in found if item["type"] == "function_call"]
        return [_call(c, c["name"], json.loads(c["arguments"])) for c in found]
    parts = events[0]["candidates"][0]["content"]["parts"]
    return [
        _call({}, p["functionCall"]["name"], p["functionCall"]["args"]) for p in parts if "functionCall" in p
    ]


def _call(block: dict, name: str, arguments: dict) -> dict:
    return {**block, "name": name, "arguments": arguments}


def ask(protocol: str, stream: bool, data: dict) -> str:
    path = PATHS[protocol]
    if stream and protocol == "gemini":
        path = "/v1beta/models/m:streamGenerateContent?alt=sse"
    raw = json.dumps(data).encode()
    request = urllib.request.Request(os.environ["BASE"] + path, raw, {"content-type": "application/json"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=20) as reply:
        return reply.read().decode()


def load(name: str) -> str:
    file = Path("skills", name, "SKILL.md")
    return file.read_text("utf-8") if file.is_file() else f"no skill {name}"


def leave_daemons() -> None:
    """Start one that keeps the home directory in its environment, and one that keeps nothing."""
    subprocess.Popen([sys.executable, "-IS", "-c", SLEEP], start_new_session=True)
    subprocess.Popen([sys.executable, "-IS", "-c", SLEEP], start_new_session=True, env={})


def main() -> None:
    kind, stream = sys.argv[1], "stream" in sys.argv
    if kind == "hang":
        time.sleep(60)
    if kind == "login":
        sys.exit("\x1b[31mWelcome!\x1b[0m\nYou are not logged in. Run /login first.")
    if kind == "licence":
        sys.exit("Please accept the license agreement to go on [y/N]")
    if kind == "terminal":
        sys.exit("Error: Raw mode is not supported on the current process.stdin")
    if kind == "crash":
        sys.exit("Segmentation fault\n")
    if kind == "no-listing":
        ask("chat", False, {"messages": [{"role": "user", "content": "hello"}]})
        return
    if kind == "reach":
        with socket.create_connection(("127.0.0.1", int(sys.argv[2])), timeout=5):
            pass
        return
    if kind == "daemon":
        leave_daemons()
        kind = "chat"
    calls = called(kind, stream, ask(kind, stream, body(kind, stream, [], [])))
    if calls:
        assert {call["name"] for call in calls} == {TOOL}
        results = [load(call["arguments"]["name"]) for call in calls]
        assert called(kind, stream, ask(kind, stream, body(kind, stream, calls, results))) == []


if __name__ == "__main__":
    main()

"""A model server on the loopback interface whose answers are scripted; it speaks the four protocols.

The replies are made by `capture.protocols`, which clients were measured with.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from skilltool.capture import protocols
from skilltool.capture.protocols import Call, Reply

KEY = "sk-secret-0123456789abcdef"


class Asked(NamedTuple):
    """One request: its path, its headers in lower case, its JSON, the prompt in it, and the texts in it."""

    path: str
    headers: Mapping[str, str]
    body: Any
    prompt: str
    texts: list[str]

    def call(self, key: str) -> Call:
        """Return the call of a skill by the only tool of the request."""
        tool = next(iter(protocols.tools(self.body)))
        inner = tool.get("function", tool)
        names = ("parameters", "input_schema", "parametersJsonSchema")
        schema = next(inner[name] for name in names if name in inner)
        parameter = schema["required"][0]
        return Call(
            str(protocols.name_of(tool)), {parameter: f"r0/{key}/SKILL.md" if parameter == "path" else key}
        )


# What a model answers: keys of skills, or a reply as it is, with a status and headers.
Answer = Sequence[str] | tuple[int, Mapping[str, str], bytes]
Router = Callable[[Asked], Answer]


class Server(ThreadingHTTPServer):
    """The server; `asked` has all requests, `delay` is the seconds before each answer."""

    daemon_threads = True

    def __init__(self, router: Router, prompts: Sequence[str], delay: float) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.router, self.prompts, self.delay = router, prompts, delay
        self.asked: list[Asked] = []
        self.lock = threading.Lock()

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which every protocol comes here, with a key."""
        base = f"http://127.0.0.1:{self.server_port}"
        return {
            "ANTHROPIC_BASE_URL": base,
            "OPENAI_BASE_URL": f"{base}/v1",
            "GOOGLE_GEMINI_BASE_URL": base,
            "ANTHROPIC_API_KEY": KEY,
            "OPENAI_API_KEY": KEY,
            "GEMINI_API_KEY": KEY,
        }


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["content-length"]))
        body = json.loads(raw)
        found = list(protocols.texts(body))
        prompt = next((text for text in found if text in self.server.prompts), "")
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.path, headers, body, prompt, found)
        with self.server.lock:
            self.server.asked.append(asked)
            answer = self.server.router(asked)
        time.sleep(self.server.delay)
        status, more, content = _reply(asked, answer)
        try:
            self.send_response(status)
            for name, value in more.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        except OSError:
            return  # the client has given up

    def log_message(self, *arguments: object) -> None:
        """Print nothing."""


def _reply(asked: Asked, answer: Answer) -> tuple[int, Mapping[str, str], bytes]:
    if isinstance(answer, tuple) and len(answer) == 3 and isinstance(answer[0], int):
        return answer  # type: ignore[return-value]
    reply: Reply = protocols.answer(asked.path, asked.body, [asked.call(str(key)) for key in answer], "No.")
    return 200, {"content-type": reply.content_type}, reply.body


@contextmanager
def scripted(router: Router, prompts: Sequence[str], delay: float = 0.0) -> Iterator[Server]:
    """Serve until the context ends."""
    server = Server(router, prompts, delay)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def as_json(data: Any, status: int = 200, **headers: str) -> tuple[int, Mapping[str, str], bytes]:
    """Return a reply with this JSON; `_` in the name of a header is `-`."""
    return (
        status,
        {name.replace("_", "-"): value for name, value in headers.items()},
        json.dumps(data).encode(),
    )

"""Asks a model: many requests at a time, with retries, bounds, and a cache by which a killed run goes on.

An answer is kept as soon as it is there, under the digest of what was asked: which skills were called, and
how many tokens it took. Neither a prompt nor a key is kept. Errors are not kept: the next run asks again.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx

from skilltool.capture.protocols import texts
from skilltool.errors import SkilltoolError
from skilltool.files.writing import write_atomically
from skilltool.route.first_turn import Reader
from skilltool.route.turn import MALFORMED, Protocol

MAX_ANSWER = 2_048  # tokens, of which thinking is a part; a call needs 50
_ATTEMPTS = 5
_LONGEST_WAIT = 60.0  # seconds before the next attempt, whatever a server asks for
_LARGEST = 1 << 24  # bytes of a reply
_BUSY = {408, 429, 500, 502, 503, 504, 529}
_HOPELESS = {401, 403, 404}
_FIRST = 5  # requests; if all of them fail, the others would, too
_HERE = ("localhost", "127.0.0.1", "::1")
_SHORT = 300  # characters of a server's error that are shown


class Endpoint(NamedTuple):
    """Where a model is asked: the protocol, the server's address, and the headers, with the key if any.

    It is not for printing: `name` is.
    """

    protocol: Protocol
    base: str
    model: str
    headers: Mapping[str, str]

    @property
    def name(self) -> str:
        """The server and the protocol, for people."""
        return f"{urlsplit(self.base).netloc.rpartition('@')[2]} ({self.protocol.title})"

    @property
    def is_here(self) -> bool:
        """Whether the server is on this machine, to which nothing goes by a proxy."""
        return urlsplit(self.base).hostname in _HERE

    @property
    def url(self) -> str:
        """The address of every request."""
        return f"{self.base.rstrip('/')}{self.protocol.path(self.model)}"


class Request(NamedTuple):
    """One request: its JSON, how its answer is read, and which of the repeats of the same it is."""

    body: Mapping[str, Any]
    reader: Reader
    repeat: int


class Outcome(NamedTuple):
    """What came of a request: the keys of the skills that were called, in order, and the tokens in and out.

    With an `error` nothing is known of what the model would call. `kept` says that it was asked earlier.
    """

    called: tuple[str, ...] = ()
    tokens: tuple[int, int] = (0, 0)
    error: str | None = None
    kept: bool = False


class Limits(NamedTuple):
    """How much is asked: requests at a time, seconds for each, and requests in all, with those sent again."""

    jobs: int
    seconds: float
    requests: int


def endpoint(protocol: Protocol, model: str, environ: Mapping[str, str], needs_key: bool = True) -> Endpoint:
    """Return where a model is asked, from the variables that clients read.

    Raises `SkilltoolError` if there is no key for a server elsewhere, or if it would be sent unencrypted.
    """
    base = next((environ[name] for name in protocol.bases if environ.get(name)), protocol.base)
    parts = urlsplit(base)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SkilltoolError(f"{' or '.join(protocol.bases)}: not a URL that begins with https://")
    is_here = parts.hostname in _HERE
    key = next((each for each in protocol.keys if environ.get(each[0])), None)
    if key is None and not is_here and needs_key:
        names = " or ".join(name for name, _, _ in protocol.keys)
        raise SkilltoolError(f"{parts.hostname} needs a key: set {names}")
    if parts.scheme == "http" and not is_here:
        raise SkilltoolError(f"{parts.hostname}: prompts and the key would be sent unencrypted; use https://")
    headers = dict(protocol.headers)
    if key is not None:
        value = environ[key[0]].strip()
        if not value.isascii() or not value.isprintable():
            raise SkilltoolError(f"{key[0]} contains characters that are not allowed in a key")
        headers[key[1]] = key[2].format(value)
    return Endpoint(protocol, base, model, headers)


def digest_of(at: Endpoint, request: Request) -> str:
    """Return the digest of what is asked of whom; it does not depend on the key."""
    asked = [at.url, request.body, request.reader, request.repeat]
    text = json.dumps(asked, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


class Kept:
    """The answers that are kept in a directory; without one, none is."""

    def __init__(self, directory: Path | None) -> None:
        """Take the directory, which need not exist."""
        self._directory = directory

    def find(self, digest: str) -> Outcome | None:
        """Return an answer that is kept, None if there is none."""
        if self._directory is None:
            return None
        try:
            called, tokens = json.loads((self._directory / f"{digest}.json").read_bytes())
            return Outcome(tuple(map(str, called)), (int(tokens[0]), int(tokens[1])), kept=True)
        except (OSError, ValueError, TypeError, LookupError):
            return None

    def keep(self, digest: str, outcome: Outcome) -> None:
        """Keep an answer; where nothing can be written, the next run asks again."""
        if self._directory is not None and outcome.error is None:
            try:
                self._directory.mkdir(parents=True, exist_ok=True)
                answer = json.dumps([outcome.called, outcome.tokens]).encode()
                write_atomically(self._directory / f"{digest}.json", answer)
            except OSError:
                return


def ask(
    at: Endpoint,
    requests: Sequence[Request],
    limits: Limits,
    kept: Kept,
    told: Callable[[int, int], None] | None = None,
) -> list[Outcome]:
    """Return what came of each request, in order; `told` is called with how many are done, and of how many.

    Raises `SkilltoolError` if the server refuses all: for the key, the model, or an address that is wrong.
    """
    return asyncio.run(_Run(at, limits, kept, told).outcomes(requests))


class _Run:
    """One run: a client, the requests that may still be sent, and what has failed."""

    def __init__(
        self, at: Endpoint, limits: Limits, kept: Kept, told: Callable[[int, int], None] | None
    ) -> None:
        self._at, self._limits, self._kept, self._told = at, limits, kept, told
        self._left = limits.requests
        self._done = self._good = 0
        self._hopeless: str | None = None
        self._is_renamed = False  # whether the server knows `max_tokens` only by its newer name

    async def outcomes(self, requests: Sequence[Request]) -> list[Outcome]:
        digests = [digest_of(self._at, request) for request in requests]
        asked = dict(zip(digests, requests, strict=True))  # the same is asked once
        found = {digest: kept for digest in asked if (kept := self._kept.find(digest)) is not None}
        waiting = iter([digest for digest in asked if digest not in found])
        self._done = self._good = len(found)

        async def work(client: httpx.AsyncClient) -> None:
            for digest in waiting:
                if self._hopeless is not None:
                    return
                outcome = await self._outcome(client, asked[digest])
                self._kept.keep(digest, outcome)
                found[digest] = outcome
                self._count(outcome, len(asked))

        # A server may send its clients elsewhere; the key is not for whoever that is.
        options: dict[str, Any] = {"timeout": None, "follow_redirects": False}
        async with httpx.AsyncClient(trust_env=not self._at.is_here, **options) as client:
            await asyncio.gather(*(work(client) for _ in range(self._limits.jobs)))
        if self._hopeless is not None:
            raise SkilltoolError(f"{self._at.name}: {self._hopeless}")
        return [found[digest] for digest in digests]

    def _count(self, outcome: Outcome, number: int) -> None:
        self._done += 1
        self._good += outcome.error is None
        if not self._good and self._done >= _FIRST and outcome.error is not None:
            self._hopeless = f"the first {self._done} requests failed: {outcome.error}"
        if self._told is not None:
            self._told(self._done, number)

    async def _outcome(self, client: httpx.AsyncClient, request: Request) -> Outcome:
        error = ""
        for attempt in range(_ATTEMPTS):
            if self._left <= 0:
                return Outcome(error="over --max-requests")
            self._left -= 1
            wait = min(0.5 * 2**attempt * (1 + random.random()), _LONGEST_WAIT)
            body = _renamed(request.body) if self._is_renamed else request.body
            try:
                async with asyncio.timeout(self._limits.seconds):
                    reply = await self._reply(client, body)
            except TimeoutError:
                error = f"no answer within {self._limits.seconds:g} seconds"
            except httpx.HTTPError as failure:
                error = f"cannot be reached: {type(failure).__name__}"
            else:
                if reply.status == HTTPStatus.OK:
                    return _read(self._at.protocol, request.reader, reply.body)
                error = self._refusal(request, reply)
                if "max_tokens" in body and _NEWER.encode() in reply.body and reply.status == _BAD_REQUEST:
                    self._is_renamed = True
                    continue
                if reply.status in _HOPELESS:
                    self._hopeless = error
                if reply.status not in _BUSY:
                    break
                wait = _asked_wait(reply.wait, wait)
            if attempt + 1 < _ATTEMPTS:
                await asyncio.sleep(wait)
        return Outcome(error=error)

    async def _reply(self, client: httpx.AsyncClient, sent: Mapping[str, Any]) -> _Reply:
        headers = dict(self._at.headers)
        async with client.stream("POST", self._at.url, json=sent, headers=headers) as reply:
            body = b""
            async for part in reply.aiter_bytes():
                body += part
                if len(body) > _LARGEST:
                    break
            return _Reply(reply.status_code, body[:_LARGEST], reply.headers.get("retry-after"))

    def _refusal(self, request: Request, reply: _Reply) -> str:
        """Return a server's error for people, but not where it repeats a part of the key or of a prompt."""
        status = reply.status
        phrase = HTTPStatus(status).phrase if status in _STATUSES else ""
        try:
            error = json.loads(reply.body)["error"]
            text = " ".join(str(error["message"] if isinstance(error, dict) else error).split())[:_SHORT]
        except (ValueError, TypeError, LookupError, RecursionError):
            text = ""
        sent = [text for key in _MESSAGES for text in texts(request.body.get(key))]
        sent += [value for name, value in self._at.headers.items() if name in _SECRET]
        if any(_repeats(text, " ".join(each.split())) for each in sent):
            text = ""
        return f"{status} {text or phrase}".rstrip()


class _Reply(NamedTuple):
    """A status, the body of a reply as far as it is read, and the header `Retry-After`."""

    status: int
    body: bytes
    wait: str | None


_NEWER = "max_completion_tokens"  # the name of `max_tokens` for OpenAI's models with reasoning
_BAD_REQUEST = HTTPStatus.BAD_REQUEST


def _renamed(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request to Chat Completions with the newer name of the limit."""
    return {_NEWER if name == "max_tokens" else name: value for name, value in body.items()}


_STATUSES = frozenset(int(status) for status in HTTPStatus)
_MESSAGES = ("messages", "system", "input", "contents", "systemInstruction")  # where prompts are
_SECRET = ("x-api-key", "authorization", "x-goog-api-key")
_PART = 12  # characters that are a part of something, and not a word that happens to be in both


def _repeats(text: str, sent: str) -> bool:
    """Return whether a text has a part of what was sent."""
    return any(text[at : at + _PART] in sent for at in range(len(text) - _PART + 1))


def _asked_wait(header: str | None, otherwise: float) -> float:
    """Return how many seconds a server asks to wait, at most a minute."""
    try:
        asked = float(header or "")
    except ValueError:
        return otherwise
    return min(max(asked, 0.0), _LONGEST_WAIT) if math.isfinite(asked) else otherwise


def _read(protocol: Protocol, reader: Reader, body: bytes) -> Outcome:
    """Return what a reply says; one that is cut off, refused or malformed is an error and no miss."""
    try:
        answer = protocol.read(json.loads(body))
        called = tuple(reader.called(answer.calls))
        tokens = (int(answer.tokens[0] or 0), int(answer.tokens[1] or 0))
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
        return Outcome(error=MALFORMED)
    if answer.problem is not None and not called:
        return Outcome(tokens=tokens, error=answer.problem)
    return Outcome(called, tokens)

"""Asking: the bodies and answers of four protocols, retries, bounds, and answers that are kept."""

from __future__ import annotations

import json
import stat
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.capture.protocols import Call
from skilltool.errors import SkilltoolError
from skilltool.route.ask import (
    Endpoint,
    Kept,
    Limits,
    Outcome,
    Request,
    _asked_wait,
    _read,
    ask,
    digest_of,
    endpoint,
)
from skilltool.route.first_turn import OTHER, Reader
from skilltool.route.protocols import PROTOCOLS, for_model
from skilltool.route.turn import SYSTEM, USER, Tool, Turn
from tests.support.scripted_model import KEY, Answer, Asked, Router, Server, as_json, scripted

PROMPT, LISTING = "Fill in this form", "- pdf: Fills in forms."
TOOL = Tool(
    "Skill",
    "Loads a skill.",
    {"type": "object", "properties": {"skill": {"type": "string"}}, "required": ["skill"]},
)
READER = Reader("Skill", "skill", {"pdf": "pdf"})
LIMITS = Limits(4, 5.0, 100)


def request(protocol: str, forced: bool = False, repeat: int = 0) -> Request:
    turn = Turn(((SYSTEM, LISTING), (USER, PROMPT)), (TOOL,), forced)
    return Request(PROTOCOLS[protocol].body(turn, "m", 100), READER, repeat)


@pytest.fixture
def serve() -> Iterator[Any]:
    contexts = []

    def start(router: Router) -> Server:
        contexts.append(scripted(router, [PROMPT]))
        return contexts[-1].__enter__()

    yield start
    for context in contexts:
        context.__exit__(None, None, None)


def at(server: Server, protocol: str) -> Endpoint:
    return endpoint(PROTOCOLS[protocol], "m", server.environment)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("forced", [False, True])
def test_a_turn_comes_over_whole_and_the_call_is_read(serve: Any, protocol: str, forced: bool) -> None:
    server = serve(lambda asked: ["pdf"])
    assert ask(at(server, protocol), [request(protocol, forced)], LIMITS, Kept(None)) == [
        Outcome(("pdf",), (1, 1))
    ]
    (asked,) = server.asked
    assert {PROMPT, LISTING, "Skill", "Loads a skill."} <= set(asked.texts)
    assert KEY in str(dict(asked.headers))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_answer_without_a_call_is_no_error(serve: Any, protocol: str) -> None:
    server = serve(lambda asked: [])
    assert ask(at(server, protocol), [request(protocol)], LIMITS, Kept(None)) == [Outcome((), (1, 1))]


def test_where_a_system_message_stands_is_kept() -> None:
    turn = Turn(((USER, PROMPT), (SYSTEM, LISTING)), (TOOL,))
    roles = {
        "messages": [each["role"] for each in PROTOCOLS["messages"].body(turn, "m", 9)["messages"]],
        "responses": [each["role"] for each in PROTOCOLS["responses"].body(turn, "m", 9)["input"]],
        "chat": [each["role"] for each in PROTOCOLS["chat"].body(turn, "m", 9)["messages"]],
    }
    assert roles == {
        "messages": ["user", "system"],
        "responses": ["user", "developer"],
        "chat": ["user", "system"],
    }


def test_a_busy_server_is_asked_again_as_it_wishes_and_within_the_bound(serve: Any) -> None:
    seen: Counter[str] = Counter()

    def busy(asked: Asked) -> Answer:
        seen["all"] += 1
        return as_json({"error": "busy"}, 503, retry_after="0") if seen["all"] <= 3 else ["pdf"]

    server = serve(busy)
    assert ask(at(server, "chat"), [request("chat")], LIMITS, Kept(None))[0].called == ("pdf",)
    assert len(server.asked) == 4
    never = serve(lambda asked: as_json({"error": "busy"}, 529, retry_after="0"))
    found = ask(at(never, "chat"), [request("chat")], LIMITS, Kept(None))
    assert (found[0].error, len(never.asked)) == ("529 busy", 5)
    bounded = serve(lambda asked: as_json({"error": "busy"}, 529, retry_after="0"))
    found = ask(at(bounded, "chat"), [request("chat")], LIMITS._replace(requests=2), Kept(None))
    assert (found[0].error, len(bounded.asked)) == ("over --max-requests", 2)


def test_a_server_that_refuses_is_asked_no_more_and_says_why_without_the_key(serve: Any) -> None:
    server = serve(lambda asked: as_json({"error": {"message": "no such model"}}, 404))
    with pytest.raises(SkilltoolError, match="404 no such model"):
        ask(
            at(server, "chat"),
            [request("chat", repeat=number) for number in range(20)],
            LIMITS._replace(jobs=1),
            Kept(None),
        )
    assert len(server.asked) == 1
    telling = serve(lambda asked: as_json({"error": {"message": f"key {KEY} is bad"}}, 401))
    with pytest.raises(SkilltoolError, match="401 Unauthorized"):
        ask(at(telling, "chat"), [request("chat")], LIMITS, Kept(None))
    repeating = serve(lambda asked: as_json({"error": {"message": f"cannot answer {PROMPT!r}"}}, 400))
    assert ask(at(repeating, "chat"), [request("chat")], LIMITS, Kept(None))[0].error == "400 Bad Request"


def test_the_key_is_not_taken_elsewhere(serve: Any) -> None:
    other = serve(lambda asked: ["pdf"])
    target = f"{other.environment['OPENAI_BASE_URL']}/chat/completions"
    server = serve(lambda asked: (307, {"location": target}, b""))
    assert ask(at(server, "chat"), [request("chat")], LIMITS, Kept(None))[0].error == "307 Temporary Redirect"
    assert other.asked == []


def test_a_server_on_this_machine_is_asked_without_a_proxy(
    serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy, server = serve(lambda asked: []), serve(lambda asked: ["pdf"])
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.server_port}")
    assert ask(at(server, "chat"), [request("chat")], LIMITS, Kept(None))[0].called == ("pdf",)
    assert proxy.asked == []


def test_kept_answers_are_found_by_what_was_asked_and_nothing_else(serve: Any, tmp_path: Path) -> None:
    server = serve(lambda asked: ["pdf"])
    kept, here = Kept(tmp_path / "answers"), at(server, "chat")
    asked = [request("chat"), request("chat", repeat=1)]
    assert [each.kept for each in ask(here, asked, LIMITS, kept)] == [False, False]
    assert [each.kept for each in ask(here, [*asked, request("chat", True)], LIMITS, kept)] == [
        True,
        True,
        False,
    ]
    other_key = endpoint(PROTOCOLS["chat"], "m", {**server.environment, "OPENAI_API_KEY": "other"})
    assert kept.find(digest_of(other_key, asked[0])) == Outcome(("pdf",), (1, 1), kept=True)
    assert kept.find(digest_of(here._replace(base="http://127.0.0.1:9"), asked[0])) is None
    for file in (tmp_path / "answers").iterdir():
        assert file.read_text() == '[["pdf"], [1, 1]]'
        assert not stat.S_ISDIR(file.stat().st_mode)
        file.write_text("{")
    assert kept.find(digest_of(here, asked[0])) is None


def test_a_call_counts_though_the_answer_was_cut_off_after_it(serve: Any) -> None:
    call = {"type": "tool_use", "id": "a", "name": "Skill", "input": {"skill": "pdf"}}
    server = serve(lambda asked: as_json({"content": [call], "stop_reason": "max_tokens"}))
    assert ask(at(server, "messages"), [request("messages")], LIMITS, Kept(None))[0] == Outcome(("pdf",))


def test_the_end_of_a_key_is_a_part_of_it(serve: Any) -> None:
    server = serve(lambda asked: as_json({"error": {"message": f"bad: {KEY[-12:]}"}}, 400))
    assert ask(at(server, "chat"), [request("chat")], LIMITS, Kept(None))[0].error == "400 Bad Request"


def test_a_server_may_not_ask_for_any_wait() -> None:
    waits = {
        "0": 0,
        "1.5": 1.5,
        "-5": 0,
        "86400": 60,
        "nan": 7,
        "inf": 7,
        "Wed, 25 Nov 2026 14:00:00 GMT": 7,
        None: 7,
    }
    assert {header: _asked_wait(header, 7) for header in waits} == waits


def test_errors_after_a_good_answer_do_not_end_a_run(serve: Any) -> None:
    seen: Counter[str] = Counter()

    def one_good(asked: Asked) -> Answer:
        seen["all"] += 1
        return ["pdf"] if seen["all"] == 1 else as_json({"error": "no"}, 400)

    requests = [request("chat", repeat=number) for number in range(10)]
    found = ask(at(serve(one_good), "chat"), requests, LIMITS._replace(jobs=1), Kept(None))
    assert [each.error for each in found] == [None, *["400 no"] * 9]
    bad = serve(lambda asked: as_json({"error": "no"}, 400))
    with pytest.raises(SkilltoolError, match="the first 5 requests failed: 400 no"):
        ask(at(bad, "chat"), requests, LIMITS._replace(jobs=1), Kept(None))
    assert len(bad.asked) == 5


def test_the_same_is_asked_once(serve: Any) -> None:
    server = serve(lambda asked: ["pdf"])
    found = ask(at(server, "chat"), [request("chat")] * 3, LIMITS, Kept(None))
    assert (len(found), len(set(found)), len(server.asked)) == (3, 1, 1)


def test_calls_are_read_as_the_client_means_them() -> None:
    named = Reader("Skill", "skill", {"pdf": "pdf", "a:docx": "a:docx", "docx": "a:docx"})
    calls = [
        Call("Bash", {"command": "pdf"}),
        Call("Skill", {"skill": "/docx"}),
        Call("Skill", {"skill": "x y"}),
    ]
    assert named.called(calls) == ["a:docx", OTHER]
    assert named.called([Call("Skill", {"skill": "pdf"})] * 2) == ["pdf"]
    read = Reader(None, "", {"/pdf/SKILL.md": "pdf", "/docx/SKILL.md": "docx"})
    assert read.called(
        [Call("sh", {"command": ["cat", "r0/docx/SKILL.md"]}), Call("sh", {"command": "ls"})]
    ) == ["docx"]
    with pytest.raises(ValueError, match="not a string"):
        named.called([Call("Skill", {})])


KEYS = """
content type tool_use name input usage input_tokens stop_reason refusal output function_call arguments status
incomplete_details choices message tool_calls function candidates parts functionCall args finishReason
usageMetadata promptTokenCount promptFeedback
"""
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=5)
    ),
    max_leaves=25,
)


@given(st.sampled_from(sorted(PROTOCOLS)), JSON)
def test_any_reply_is_read_or_an_error(protocol: str, data: object) -> None:
    outcome = _read(PROTOCOLS[protocol], READER, json.dumps(data).encode())
    assert outcome.error is None or outcome.called == ()
    assert set(outcome.called) <= {"pdf", OTHER}


def test_a_model_is_asked_as_its_vendor_is() -> None:
    models = ("claude-opus-5", "vendor/claude-x", "gemini-3", "gpt-6", "llama")
    assert [for_model(name, {}).id for name in models] == [
        "messages",
        "messages",
        "gemini",
        "responses",
        "responses",
    ]
    assert for_model("llama", {"OPENAI_BASE_URL": "http://localhost"}).id == "chat"


@pytest.mark.together
@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({}, "needs a key: set OPENAI_API_KEY"),
        (
            {"OPENAI_BASE_URL": "http://example.invalid/v1", "OPENAI_API_KEY": KEY},
            "unencrypted; use https://",
        ),
        ({"OPENAI_BASE_URL": "nonsense", "OPENAI_API_KEY": KEY}, "not a URL that begins with https://"),
        ({"OPENAI_API_KEY": "sk\x1b[0m"}, "contains characters that are not allowed in a key"),
    ],
)
def test_a_key_goes_nowhere_by_mistake(
    environment: dict[str, str],
    words: str,
) -> None:

    with pytest.raises(SkilltoolError, match=words):
        endpoint(for_model("m", environment), "m", environment)

"""Speaks for a model in four wire protocols, and reads what a client sends in them.

`answer` makes the bytes of a reply: a text, or calls of tools, as a stream or as one JSON object. The form
follows from the path of the request and its body. `tools` and `results` read a request's body. The module
imports the standard library only: it runs in the process that starts a client.

Source: the public references of the Anthropic Messages, OpenAI Responses, OpenAI Chat Completions and Gemini
APIs, and what six clients accepted (tests/capture).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

MESSAGES, RESPONSES, CHAT, GEMINI = "messages", "responses", "chat", "gemini"

_MODEL = "skilltool"
_ID = "call_{}"


class Call(NamedTuple):
    """A call of a tool that the model makes: the tool's name, and its arguments as JSON data."""

    tool: str
    arguments: Mapping[str, Any]


class Reply(NamedTuple):
    """The type of a reply's content, and its bytes."""

    content_type: str
    body: bytes


def protocol_of(path: str) -> str | None:
    """Return the protocol that a request's path belongs to, None for one that asks no model."""
    plain = path.partition("?")[0].rstrip("/")
    if plain.endswith("/messages"):
        return MESSAGES
    if plain.endswith("/responses"):
        return RESPONSES
    if plain.endswith("/chat/completions"):
        return CHAT
    return GEMINI if plain.endswith((":generateContent", ":streamGenerateContent")) else None


def counted(path: str) -> Reply | None:
    """Return the reply to a request that counts tokens or lists models, None for any other."""
    plain = path.partition("?")[0]
    if plain.endswith("/count_tokens"):
        return _json({"input_tokens": 10})
    if plain.endswith(":countTokens"):
        return _json({"totalTokens": 10})
    return _json({"object": "list", "data": []}) if plain.endswith("/models") else None


def answer(path: str, body: Mapping[str, Any], calls: Sequence[Call], text: str = "ok") -> Reply:
    """Return the model's reply to a request: the `calls`, or the `text` if there are none.

    Raises `ValueError` for a path of no protocol.
    """
    protocol = protocol_of(path)
    if protocol == MESSAGES:
        return _messages(body, calls, text)
    if protocol == RESPONSES:
        return _responses(body, calls, text)
    if protocol == CHAT:
        return _chat(body, calls, text)
    if protocol == GEMINI:
        return _gemini(path, calls, text)
    raise ValueError(path)


def tools(body: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every definition of a tool in a request, as it is sent; a list may be anywhere in the body."""
    if isinstance(body, Mapping):
        for key, value in body.items():
            if key in ("tools", "functionDeclarations", "function_declarations") and isinstance(value, list):
                yield from (each for each in value if isinstance(each, Mapping) and name_of(each))
            yield from tools(value)
    elif isinstance(body, list):
        for each in body:
            yield from tools(each)


def name_of(tool: Mapping[str, Any]) -> str | None:
    """Return the name in the definition of a tool."""
    inner = tool.get("function")
    name = inner.get("name") if isinstance(inner, Mapping) else tool.get("name")
    return name if isinstance(name, str) else None


def results(body: Any) -> list[str]:
    """Return the texts that a client sends after the calls of `answer`, in the order of the calls.

    The text is the result of the call, followed by the text blocks that the client adds to it. A call without
    a result has an empty text; without any result the list is empty.
    """
    found = {number: text for number, text in _results(body) if number is not None}
    return [found.get(number, "") for number in range(max(found) + 1)] if found else []


def texts(body: Any) -> Iterator[str]:
    """Yield every string in a body, in order."""
    if isinstance(body, str):
        yield body
    elif isinstance(body, Mapping):
        for value in body.values():
            yield from texts(value)
    elif isinstance(body, list):
        for each in body:
            yield from texts(each)


def _results(body: Any) -> Iterator[tuple[int | None, str]]:
    if not isinstance(body, Mapping):
        return
    for message in _dicts(body.get("messages")):
        if message.get("role") == "tool":
            yield _number(message.get("tool_call_id")), _text(message.get("content"))
        else:
            yield from _blocks(message)
    for item in _dicts(body.get("input")):
        if item.get("type") in ("function_call_output", "custom_tool_call_output"):
            yield _number(item.get("call_id")), _text(item.get("output"))
    place = 0
    for content in _dicts(body.get("contents")):
        for part in _dicts(content.get("parts")):
            answered = part.get("functionResponse")
            if isinstance(answered, Mapping):
                number = _number(answered.get("id"))
                response = answered.get("response")
                yield (place if number is None else number), _text(response)
                place += 1


def _blocks(message: Mapping[str, Any]) -> Iterator[tuple[int | None, str]]:
    """Yield the results in a message of the Messages API, each with the text blocks that follow it."""
    number: int | None = None
    gathered: list[str] = []
    for block in _dicts(message.get("content")):
        if block.get("type") == "tool_result":
            if number is not None:
                yield number, "\n".join(gathered)
            number, gathered = _number(block.get("tool_use_id")), [_text(block.get("content"))]
        elif number is not None and isinstance(block.get("text"), str):
            gathered.append(block["text"])
    if number is not None:
        yield number, "\n".join(gathered)


def _dicts(value: Any) -> Iterator[Mapping[str, Any]]:
    return (each for each in value if isinstance(each, Mapping)) if isinstance(value, list) else iter(())


def _number(name: Any) -> int | None:
    """Return the number of a call of ours by its id; clients may put something around it."""
    if not isinstance(name, str) or "call_" not in name:
        return None
    digits = name.rpartition("call_")[2]
    return int(digits) if digits.isdecimal() and len(digits) < 6 else None


def _text(value: Any) -> str:
    """Return the text of a result, which is a string, a list of blocks, or an object with one string."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return _joined([str(each.get("text", "")) for each in _dicts(value)])
    if isinstance(value, Mapping):
        for key in ("output", "error", "result"):
            if isinstance(value.get(key), str):
                return str(value[key])
    return json.dumps(value, ensure_ascii=False)


def _joined(parts: Sequence[str]) -> str:
    """Return texts one after the other, each on a line of its own."""
    last = len(parts) - 1
    return "".join(
        text if number == last or text.endswith("\n") else f"{text}\n" for number, text in enumerate(parts)
    )


def _json(data: Any) -> Reply:
    return Reply("application/json", json.dumps(data).encode())


def _stream(events: Iterable[Any], named: bool = False, end: str = "") -> Reply:
    """Return server-sent events; `named` ones carry their type as a line of its own."""
    lines = (
        (f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n" for event in events
    )
    return Reply("text/event-stream", ("".join(lines) + end).encode())


def _messages(body: Mapping[str, Any], calls: Sequence[Call], text: str) -> Reply:
    blocks: list[dict[str, Any]] = [
        {"type": "tool_use", "id": f"toolu_{_ID.format(number)}", "name": call.tool, "input": call.arguments}
        for number, call in enumerate(calls)
    ] or [{"type": "text", "text": text}]
    reason = "tool_use" if calls else "end_turn"
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", _MODEL),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    if not body.get("stream"):
        return _json({**message, "content": blocks, "stop_reason": reason})
    events: list[dict[str, Any]] = [{"type": "message_start", "message": message}]
    for index, block in enumerate(blocks):
        if block["type"] == "text":
            start, delta = {**block, "text": ""}, {"type": "text_delta", "text": text}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events += [
            {"type": "content_block_start", "index": index, "content_block": start},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    ended = {"stop_reason": reason, "stop_sequence": None}
    events += [{"type": "message_delta", "delta": ended, "usage": usage}, {"type": "message_stop"}]
    return _stream(events, named=True)


def _responses(body: Mapping[str, Any], calls: Sequence[Call], text: str) -> Reply:
    items: list[dict[str, Any]] = [
        {
            "type": "function_call",
            "id": f"fc_{number}",
            "call_id": _ID.format(number),
            "name": call.tool,
            "arguments": json.dumps(call.arguments),
            "status": "completed",
        }
        for number, call in enumerate(calls)
    ]
    items = items or [
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        }
    ]
    response = {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": body.get("model", _MODEL),
        "output": items,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 1,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 1,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 2,
        },
    }
    if not body.get("stream"):
        return _json(response)
    begun = {**response, "status": "in_progress", "output": []}
    events: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
    for index, item in enumerate(items):
        events.append({"type": "response.output_item.added", "output_index": index, "item": item})
        place = {"item_id": item["id"], "output_index": index}
        if item["type"] == "message":
            part = {**place, "content_index": 0}
            events += [
                {"type": "response.content_part.added", **part, "part": {"type": "output_text", "text": ""}},
                {"type": "response.output_text.delta", **part, "delta": text},
                {"type": "response.output_text.done", **part, "text": text},
            ]
        else:
            arguments = item["arguments"]
            events += [
                {"type": "response.function_call_arguments.delta", **place, "delta": arguments},
                {"type": "response.function_call_arguments.done", **place, "arguments": arguments},
            ]
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    events.append({"type": "response.completed", "response": response})
    return _stream(({**event, "sequence_number": number} for number, event in enumerate(events)), named=True)


def _chat(body: Mapping[str, Any], calls: Sequence[Call], text: str) -> Reply:
    called = [
        {
            "id": _ID.format(number),
            "type": "function",
            "function": {"name": call.tool, "arguments": json.dumps(call.arguments)},
        }
        for number, call in enumerate(calls)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": None if called else text}
    reason = "tool_calls" if called else "stop"
    common = {"id": "chat_1", "created": 0, "model": body.get("model", _MODEL)}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    if not body.get("stream"):
        whole = {**message, "tool_calls": called} if called else message
        choice = {"index": 0, "message": whole, "finish_reason": reason}
        return _json({**common, "object": "chat.completion", "choices": [choice], "usage": usage})
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": "" if called else text}]
    deltas += [{"tool_calls": [{"index": number, **each}]} for number, each in enumerate(called)]
    chunk = {**common, "object": "chat.completion.chunk"}
    events = [{**chunk, "choices": [{"index": 0, "delta": d, "finish_reason": None}]} for d in deltas]
    last = {"index": 0, "delta": {}, "finish_reason": reason}
    events.append({**chunk, "choices": [last], "usage": usage})
    return _stream(events, end="data: [DONE]\n\n")


def _gemini(path: str, calls: Sequence[Call], text: str) -> Reply:
    parts: list[dict[str, Any]] = [
        {"functionCall": {"id": _ID.format(number), "name": call.tool, "args": call.arguments}}
        for number, call in enumerate(calls)
    ] or [{"text": text}]
    whole = {
        "candidates": [{"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
        "modelVersion": _MODEL,
    }
    plain, _, query = path.partition("?")
    if plain.endswith(":generateContent"):
        return _json(whole)
    return _stream([whole]) if "alt=sse" in query else _json([whole])

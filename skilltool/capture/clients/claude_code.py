"""Claude Code: `claude -p`, Anthropic Messages, the tool `Skill`.

The listing stands in a system message after the first prompt since 2.1.280, and in the first user message
before: it is searched for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Any

from skilltool.capture.client import Client, Listing, Place, Start
from skilltool.emulation.javascript import length
from skilltool.runtimes.base import Session
from skilltool.text.lazy_pattern import lazy_pattern

_LAUNCHING, _DIRECTORY = "Launching skill: ", "Base directory for this skill: "
_FILE = "<system-reminder>\nCalled the "  # a tool, to read a file that a skill names
_CONTENT = lazy_pattern(
    r"(?<=<system-reminder>\nResult of calling the )(\w+ tool:\n)[\s\S]*?(?=\n</system-reminder>)"
)
_LONG = 6000  # characters of a listing that a record has as it is
_ANSWER = "{} (answer)"
_SETTINGS = {
    "disableBundledSkills": True,
    "enabledPlugins": {"cc-plugin-plugin-authoring@builtin": False},
}


def _start(place: Place, prompt: str) -> Start:
    return Start(
        ("-p", prompt, "--output-format", "stream-json", "--verbose"),
        {
            "ANTHROPIC_BASE_URL": "{base}",
            "ANTHROPIC_API_KEY": "dummy",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
        },
        {".claude/settings.json": json.dumps(_SETTINGS)},
    )


def _answers(body: Any, keys: Sequence[str]) -> Mapping[str, str]:
    """Return the results of calls in one turn: all answers come first, then the texts of those that load."""
    found: dict[str, str] = {}
    for message in body.get("messages", ()):
        content = message.get("content")
        if not isinstance(content, list) or not content or content[0].get("type") != "tool_result":
            continue
        results = {
            int(block["tool_use_id"].rpartition("_")[2]): _flat(block.get("content"))
            for block in content
            if block.get("type") == "tool_result"
        }
        texts = [block["text"] for block in content if block.get("type") == "text"]
        groups = _groups([text.removesuffix("\n") for text in texts[:-1]] + texts[-1:])
        loaded = [number for number, text in results.items() if text.startswith(_LAUNCHING)]
        for number, text in results.items():
            found[_ANSWER.format(keys[number])] = text
            found[keys[number]] = _without_files((next(groups, "") if number in loaded else "") or text)
    return found


def _without_files(text: str) -> str:
    """Return a text without the content of files that a skill names: it may name any, and none is kept."""
    return _CONTENT.sub(r"\1{content}", text)


def _expected(session: Session, prompt: str) -> Mapping[str, str]:
    """Return the same of our session: what `render` prints, and the answer to the call itself."""
    found: dict[str, str] = {}
    for key, call in CLIENT.calls(session):
        result = session.call(call.arguments)
        found[_ANSWER.format(key)] = result.display or ""
        found[key] = _without_files(result.text or "")
    return found


def _groups(texts: Sequence[str]) -> Iterator[str]:
    """Yield the texts of each skill: the files it names, the text with its directory, and what follows."""
    group: list[str] = []
    has_text = False
    for text in texts:
        if has_text and text.startswith((_DIRECTORY, _FILE)):
            yield "\n".join(group)
            group, has_text = [], False
        group.append(text)
        has_text = has_text or text.startswith(_DIRECTORY)
    if group:
        yield "\n".join(group)


def _record(record: Mapping[str, Any], results: Mapping[str, str], where: str | None) -> Mapping[str, Any]:
    """Return a record in the form of tests/goldens/packs/claude-code: messages, and the listing's place."""
    edition, _, name = str(record["id"]).partition("/")
    found = {
        "id": name,
        "version": edition.partition("@")[2],
        "op": record["op"],
        "tree": {"project-skills": ["skills-of-project/"], "home-skills": ["skills-of-user/"]},
    }
    text = record["expect"]
    if record["op"] == "catalog":
        return {**found, "expect": {"where": where, "block": _shortened(text)}}
    if record["op"] != "call":
        return {**found, "expect": text}
    answer = results[_ANSWER.format(record["skill"])]
    result: dict[str, Any] = {"content": answer, "tool_use_id": "toolu_1", "type": "tool_result"}
    blocks = [result, {"text": text, "type": "text"}] if text != answer else [{**result, "is_error": True}]
    of = {"skill": record["skill"], "text": text, "arguments": record["arguments"]}
    return {**found, **of, "expect": [{"role": "user", "content": blocks}]}


def _shortened(block: str) -> Any:
    """Return a long listing as its size, digest and shape: runs of entries with text, cut and without."""
    if len(block) <= _LONG:
        return block
    entries = block.partition("\n\n")[2].removeprefix("- ").split("\n- ")
    kinds = ["n" if ": " not in entry else "c" if entry.endswith("…") else "F" for entry in entries]
    return {
        "chars": len(block),
        "utf16": length(block),
        "sha256": sha256(block.encode()).hexdigest(),
        "shape": "".join(f"{kind}{len(list(run))}" for kind, run in groupby(kinds)),
        "first": entries[0][:60],
        "last": entries[-1][:60],
    }


def _flat(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(block.get("text", "")) for block in content)
    return str(content)


CLIENT = Client(
    id="claude-code",
    programs=("claude",),
    package="@anthropic-ai/claude-code",
    skills=(".claude/skills", ".claude/skills"),
    start=_start,
    listing=Listing(
        r"The following skills are available for use with the Skill tool:",
        r"(?=\n\nToday's date is )|(?=\n</system-reminder>)|\Z",
        r"^- (?P<key>\S+?)(?: \([^)\n]*\))?(?:: [\s\S]*?)?(?=\n- |\n*\Z)",
    ),
    tool="Skill",
    answers=_answers,
    expected=_expected,
    record=_record,
)

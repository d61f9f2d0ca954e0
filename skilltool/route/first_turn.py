"""What a client sends in the first turn of a session, as far as it is known, and which skill an answer calls.

The listing, where it stands and the skill tool are the client's own, as `render` has them. Its own prompt and
its other tools are not known or not ours to store: they are left out, and so is fixed text of which only the
length is known. So an answer is that of a model to a listing, and not of the whole client.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.capture import protocols
from skilltool.capture.protocols import Call
from skilltool.explain.cost import replaced
from skilltool.route.listing import Entry, Listing
from skilltool.route.turn import SYSTEM, USER, Tool, Turn
from skilltool.text.lazy_pattern import lazy_pattern

CLIENT, CHOICE = "client", "choice"  # the methods: the client's own turn, or one structured question
NONE = "none"
OTHER = "another skill"  # one of the client's own, or one that does not exist

_MARKER = lazy_pattern(r"\[\.\.\. (?:\d+ )?fixed (?:characters|text)(?:, sha256 [0-9a-f]{64})? \.\.\.\]")
_BUILT_IN = lazy_pattern(r"\{(?:builtin|output)\}")
# Where the listing stands, for clients that do not have it in the system prompt. Source: requests of the
# running programs, in the records of `tests/goldens`; claude-code has it before it for its older models.
_AFTER_PROMPT, _BEFORE_PROMPT = "after the prompt", "before the prompt"
_PLACES = {"claude-code": _AFTER_PROMPT, "qwen-code": _BEFORE_PROMPT}
_OLDER_MODELS = lazy_pattern(r"claude-(?:[123]\b|(?:opus|sonnet|haiku)-4\b)")
_READ = Tool(
    "read_file",
    "Reads a file.",
    {
        "type": "object",
        "properties": {"path": {"type": "string", "description": "The path of the file."}},
        "required": ["path"],
    },
)
_ASKED = "Choose the skill that you would load for the user's request, or `none` if none of them is for it."
_CHOOSE = "choose_skill"


class Reader(NamedTuple):
    """How an answer of one client is read: the skill tool with its parameter, None where files are read.

    `skills` has the names that a call may have, and paths of files, each with the skill's key.
    """

    tool: str | None
    parameter: str
    skills: Mapping[str, str]

    def called(self, calls: Sequence[Call]) -> list[str]:
        """Return the keys of the skills that are called, in order; `OTHER` for a name that none has.

        Such a name may repeat anything that the model was told. Calls of other tools do not count: a model
        may look around before it loads a skill, or beside.
        """
        found: list[str] = []
        for call in calls:
            if self.tool is None:
                texts = list(protocols.texts(dict(call.arguments)))
                found += [key for path, key in self.skills.items() if any(path in text for text in texts)]
            elif call.tool == self.tool:
                name = call.arguments.get(self.parameter)
                if not isinstance(name, str):
                    raise ValueError(f"`{self.parameter}` is not a string")
                if name != NONE or NONE in self.skills:
                    plain = name.strip().removeprefix("/")
                    found.append(self.skills.get(name) or self.skills.get(plain) or OTHER)
        return list(dict.fromkeys(found))


class Frame(NamedTuple):
    """What the first turns of a session have in common: the listing, its place, the tools, and how to read.

    `left_out` says what the client sends beside, in words.
    """

    listing: str
    place: str
    tools: tuple[Tool, ...]
    reader: Reader
    left_out: tuple[str, ...]
    forced: bool = False

    def turn(self, prompt: str) -> Turn:
        """Return the first turn for a prompt."""
        messages: tuple[tuple[str, str], ...]
        if not self.listing:
            messages = ((USER, prompt),)
        elif self.place == _AFTER_PROMPT:
            messages = ((USER, prompt), (SYSTEM, self.listing))
        elif self.place == _BEFORE_PROMPT:
            messages = ((USER, self.listing), (USER, prompt))
        else:
            messages = ((SYSTEM, self.listing), (USER, prompt))
        return Turn(messages, self.tools, self.forced)


def frame(
    listing: Listing, model: str, method: str = CLIENT, stands_for: tuple[Path, Path] | None = None
) -> Frame:
    """Return the frame of a session's first turns for a model; `stands_for` as for `cost_of`.

    Raises `LookupError` for a client whose listing is not known.
    """
    session = listing.session
    whole = session.prompt()
    if session.runtime.catalog is None or whole is None:
        raise LookupError(f"the listing of {listing.runtime} is not known")
    left_out = ["the client's own system prompt and its other tools"]
    text, gone = _without_markers(replaced(whole, stands_for))
    definition = session.tool()
    if method == CHOICE:
        return _choice(listing, text)
    parameter = session.runtime.parameter
    if definition is None or parameter is None:
        tools, reader = (_READ,), Reader(None, "", _paths(listing, stands_for))
        left_out.append(f"the tool with which it reads files (`{_READ.name}` is sent instead)")
    else:
        tool, without = _tool(definition)
        gone += without
        tools, reader = (tool,), Reader(tool.name, parameter, _names(listing))
        if text.strip() and text.strip() in tool.description:
            text = ""  # the listing is in the definition of the tool
    if gone:
        left_out.append(f"fixed text at {gone} place{'s' * (gone > 1)} in the listing and the tool")
    place = _PLACES.get(listing.runtime.partition("@")[0], "")
    if place == _AFTER_PROMPT and _OLDER_MODELS.search(model):
        place, text = _BEFORE_PROMPT, f"<system-reminder>\n{text}\n</system-reminder>"
    return Frame(text, place, tools, reader, tuple(left_out))


def _choice(listing: Listing, text: str) -> Frame:
    """Return the frame that asks one structured question about the same listing."""
    names = [*listing.entries, NONE]
    parameters = {
        "type": "object",
        "properties": {"skill": {"type": "string", "enum": list(dict.fromkeys(names))}},
        "required": ["skill"],
    }
    tool = Tool(_CHOOSE, _ASKED, parameters)
    about = ("everything in the client except its listing",)
    reader = Reader(_CHOOSE, "skill", _names(listing))
    return Frame(f"{text}\n\n{_ASKED}", "", (tool,), reader, about, forced=True)


def _names(listing: Listing) -> dict[str, str]:
    """Return the names by which a call may name a skill: its key, or the last part of it if it is clear."""
    found = {key: key for key in listing.entries}
    for key in listing.entries:
        found.setdefault(re.split(r"[:/]", key)[-1], key)
    return found


def _paths(listing: Listing, stands_for: tuple[Path, Path] | None) -> dict[str, str]:
    """Return the ends of the paths of the skills' files, each with the skill's key."""
    return {_path(entry): entry.key for entry in listing.entries.values()}


def _path(entry: Entry) -> str:
    return f"/{entry.directory.name}/SKILL.md"


def _without_markers(text: str) -> tuple[str, int]:
    """Return a text without what stands for text that is not stored, and how much of that there was."""
    text, fixed = _MARKER.subn("", text)
    text, own = _BUILT_IN.subn("", text)
    return text, fixed + own


def _tool(definition: Mapping[str, Any]) -> tuple[Tool, int]:
    """Return a client's definition of its skill tool, in any protocol, and how many texts are left out."""
    inner = definition.get("function")
    about = inner if isinstance(inner, Mapping) else definition
    keys = ("parameters", "input_schema", "parametersJsonSchema", "inputSchema")
    schema = next((about[key] for key in keys if isinstance(about.get(key), Mapping)), {"type": "object"})
    description, gone = _without_markers(str(about.get("description") or ""))
    cleaned, within = _cleaned(schema)
    return Tool(
        str(about["name"]), description.strip() or "Loads a skill by its name.", cleaned
    ), gone + within


def _cleaned(value: Any) -> tuple[Any, int]:
    """Return a JSON Schema without markers and descriptions of nothing else, and how many there were."""
    if isinstance(value, Mapping):
        found, gone = {}, 0
        for key, each in value.items():
            cleaned, within = _cleaned(each)
            gone += within
            if key not in ("$schema", "description") or (key == "description" and cleaned != ""):
                found[key] = cleaned
        return found, gone
    if isinstance(value, list):
        pairs = [_cleaned(each) for each in value]
        return [each for each, _ in pairs], sum(gone for _, gone in pairs)
    return _without_markers(value) if isinstance(value, str) else (value, 0)

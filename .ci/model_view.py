"""Answers of the page docs/clients.md about what the model gets: a listing, a tool, the text of a skill."""

from __future__ import annotations

import json
import re
from typing import Any

from probing import opened, shown, skill

from skilltool.runtimes.base import ARGUMENTS, COMMAND, POSITION, Runtime

NOT_KNOWN = "?"
MARK = "Qx"


def place(runtime: Runtime) -> str:
    """Say where the listing stands: in the tool or in the prompt, and what it begins with or is put in."""
    if runtime.catalog is None:
        return NOT_KNOWN
    with opened(runtime, {"probe/SKILL.md": skill()}) as session:
        listing, tool = session.catalog() or "", session.tool()
    before = listing.partition("probe")[0]
    heading = re.search(r"<[A-Za-z_-]+>|^#+ .*|^[A-Z][A-Z ]+$", before, re.MULTILINE)
    where = "tool" if "probe" in json.dumps(tool) and listing.strip() in _texts(tool) else _of_prompt(runtime)
    return f"{where}, `{heading[0]}`" if heading else where


def _of_prompt(runtime: Runtime) -> str:
    """Return which message has the listing, by the facts of the profile, else `prompt`."""
    told = " ".join(runtime.facts.values())
    where = r"(?:listing is in|listing is at the end of|descriptions are in) (?:the|a) "
    found = re.search(where + r"((?:\w+ )?(?:message|prompt))", told)
    return found[1] if found else "prompt"


def _texts(tool: dict[str, Any] | None) -> str:
    """Return the description of a tool, as the model reads it."""
    function = (tool or {}).get("function", tool) or {}
    return str(function.get("description", ""))


def escaping(runtime: Runtime) -> str:
    """Say which signs of a description do not stay as they are."""
    if runtime.catalog is None:
        return NOT_KNOWN
    listing = shown(runtime, skill(description=f"'{MARK}1 & <b> \" q {MARK}2'"))
    found = re.search(f"{MARK}1 (.*?){MARK}2", listing or "", re.DOTALL)
    if found is None:
        return "not shown"
    signs = [
        f"`{sign}`"
        for sign in ("&", "<", ">", '"')
        if not re.search(rf"{re.escape(sign)}(?!amp;|lt;|gt;|quot;|#)", found[1])
    ]
    return " ".join(signs) or "none"


def budget(runtime: Runtime) -> str:
    """Say how long the listing may be."""
    if runtime.budget is None:
        return "\u2013" if runtime.catalog else NOT_KNOWN
    with opened(runtime, {"probe/SKILL.md": skill()}) as session:
        limit, _ = runtime.budget(session)
    return f"{limit:,} {runtime.budget_unit}"


def tool(runtime: Runtime) -> str:
    """Name the tool that is offered, and its parameters."""
    if runtime.tool is None:
        return "\u2013" if runtime.catalog else NOT_KNOWN
    with opened(runtime, {"probe/SKILL.md": skill()}) as session:
        found = session.tool()
    function = (found or {}).get("function", found) or {}
    if not function:
        return "\u2013"
    schema = next(
        (
            function[key]
            for key in ("input_schema", "parameters", "parametersJsonSchema", "inputSchema")
            if key in function
        ),
        {},
    )
    return f"`{function.get('name', '?')}` ({', '.join(schema.get('properties', {}))})"


def placeholders(runtime: Runtime) -> str:
    """Say what in a body is replaced, by what the profile says of it."""
    if runtime.call is None and runtime.user is None and runtime.content is None:
        return NOT_KNOWN
    named = [
        f"`{each.replace('`', '')}`" for each in (ARGUMENTS, POSITION, COMMAND) if each in runtime.expands
    ]
    return " ".join(named) or "none"


def _answer(runtime: Runtime, key: str) -> str | None:
    """Return what a call of the skill tool answers, or what the model reads; None if that is not known."""
    files = {"probe/SKILL.md": skill(), "probe/notes.md": "x", f"probe/scripts/{MARK}.py": "x"}
    with opened(runtime, files) as session:
        if runtime.call is not None and runtime.parameter is not None:
            found = session.call({runtime.parameter: key}).text
            return None if found is None else re.sub(r"\[An error [^\n]*\n|</?\w+>\n?", "", found).strip()
        own = next(each for each in session.skills if each.directory.name == "probe")
        if runtime.content is not None and key == "probe":
            return runtime.content(session, own)
    return None


def files_listed(runtime: Runtime) -> str:
    """Say whether the answer, or the text that the model reads, lists the files of the skill."""
    found = _answer(runtime, "probe")
    return NOT_KNOWN if found is None else "yes" if MARK in found else "no"


def unknown_name(runtime: Runtime) -> str:
    """Quote the answer to a call of a skill that is not there; names in it are those of the probe."""
    if runtime.parameter is None or runtime.call is None:
        return "\u2013" if runtime.catalog else NOT_KNOWN
    found = _answer(runtime, "nothing")
    if found is None:
        return NOT_KNOWN
    told = _error_in(found)
    names = re.sub(r"(Available skills: ).*$", r"\1...", told)
    return f"`{names}`"


def _error_in(text: str) -> str:
    """Return the message of an answer that is JSON, else the answer."""
    try:
        found = json.loads(text)
    except ValueError:
        return text
    error = found.get("error", text)
    return str(error.get("message", error) if isinstance(error, dict) else error)

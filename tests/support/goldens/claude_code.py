"""Lays the trees of the pack of Claude Code, and answers its records in their form."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from skilltool.emulation.javascript import length
from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.claude_code import listing, skills
from skilltool.runtimes.claude_code.skills import Entry, state_of
from skilltool.runtimes.values import Log
from tests.support.goldens.packs import Pack
from tests.support.goldens.worlds import Record, replaced

Answer = dict[str, Any]

# What the scripted model of the recorded runs answered: in the main conversation, and in a forked one.
_DONE, _FORKED = "done", "Answer of the fork."
_CLEAN = {"disableBundledSkills": True, "enabledPlugins": {"cc-plugin-plugin-authoring@builtin": False}}
_ROLES = {
    "project-skills": "{project}/.claude/skills",
    "home-skills": "{home}/.claude/skills",
    "project-commands": "{project}/.claude/commands",
    "home-commands": "{home}/.claude/commands",
}
_LONG = 6000
_FILLER = " describes itself. " + "abcdefghi " * 400


class Places:
    """The directories of one tree."""

    def __init__(self, base: Path) -> None:
        self.names = {"project": f"{base}/project", "home": f"{base}/home", "base": str(base)}

    def path(self, text: str) -> Path:
        return Path(self.filled(text))

    def filled(self, value: Any) -> Any:
        return replaced(value, {f"{{{name}}}": path for name, path in self.names.items()})

    def named(self, value: Any) -> Any:
        return replaced(value, {path: f"{{{name}}}" for name, path in self.names.items()})


def tree_of(record: Record) -> str:
    """Return what the files of a record depend on, as a key."""
    names = ("tree", "copy", "setup", "prepare", "settings", "project_settings", "clean", "cwd", "git")
    return json.dumps([record.get(name) for name in names], sort_keys=True)


def lay(pack: Pack, record: Record, base: Path) -> Places:
    """Lay the files of a record below `base`."""
    places = Places(base)
    for name in ("project", "home"):
        places.path(f"{{{name}}}").mkdir(parents=True)
    for role, sets in record.get("tree", {}).items():
        for name in sets:
            _lay_set(pack.fixtures / name.rstrip("/"), places, role, whole=name.endswith("/"))
    for name, place in record.get("copy", ()):
        _copy(pack.fixtures / name, places.path(place))
    for step in places.filled(record.get("setup", ())):
        _edit(step)
    settings = {**(_CLEAN if record.get("clean", True) else {}), **record.get("settings", {})}
    for argument in record.get("prepare", ()):
        _prepare(places, places.filled(argument), settings)
    for place, content in (("{home}", settings), ("{project}", record.get("project_settings"))):
        if content:
            _write(places.path(f"{place}/.claude/settings.json"), json.dumps(places.filled(content)))
    if (git := record.get("git", True)) is not False:
        places.path("{base}/.git" if git == "base" else "{project}/.git").mkdir()
    places.path(record.get("cwd", "{project}")).mkdir(parents=True, exist_ok=True)
    return places


def _lay_set(source: Path, places: Places, role: str, whole: bool) -> None:
    if role not in _ROLES:
        _copy(source, places.path(f"{{{role}}}"))
        return
    root = places.path(_ROLES[role])
    root.mkdir(parents=True, exist_ok=True)
    for each in sorted(source.iterdir()) if whole else [source]:
        _copy(each, root / each.name)


def _copy(source: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, place, dirs_exist_ok=True, symlinks=True)
    else:
        shutil.copyfile(source, place)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="")


def _edit(step: Record) -> None:
    path = Path(step["path"])
    match step["op"]:
        case "write":
            text = step.get("head", "") + step.get("text", "") * step.get("repeat", 1) + step.get("then", "")
            _write(path, text)
        case "symlink":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(step["target"])
        case "mkdir":
            path.mkdir(parents=True, exist_ok=True)
        case "many":
            for number in range(step["count"]):
                name, size = f"{step['prefix']}{number:03}", step["length"]
                description = (name + _FILLER)[:size].rstrip().ljust(size, ".")
                text = f"---\nname: {name}\ndescription: {description}\n---\nBody of {name}.\n"
                _write(path / name / "SKILL.md", text)
        case other:
            raise ValueError(other)


def _prepare(places: Places, arguments: list[str], settings: dict[str, Any]) -> None:
    """Do to the files what a command of the program does: add a marketplace, install a plugin of it."""
    kept = places.path("{home}/.claude/plugins/known_marketplaces.json")
    if arguments[:3] == ["plugin", "marketplace", "add"]:
        top = Path(arguments[3])
        name = json.loads((top / ".claude-plugin/marketplace.json").read_text("utf-8"))["name"]
        source = {"source": {"source": "directory", "path": str(top)}, "installLocation": str(top)}
        _write(kept, json.dumps({name: source}))
    elif arguments[:2] == ["plugin", "install"]:
        settings["enabledPlugins"] = {**settings.get("enabledPlugins", {}), arguments[2]: True}
    else:
        raise ValueError(arguments)


def answer(record: Record, runtime: Runtime, places: Places) -> Answer:
    """Answer one record of a laid tree."""
    settings = {"flags": places.filled(record.get("flags", [])), "env": places.filled(record.get("env", {}))}
    cwd = places.path(record.get("cwd", "{project}"))
    session = runtime.open(cwd, places.path("{home}"), settings)
    found: Answer = places.named({"answer": _OPERATIONS[record["op"]](record, session, places)})
    return found


def _discover(record: Record, session: Session, places: Places) -> Any:
    state = state_of(session)
    entries = [entry for entry in state.entries if state.override(entry) != "off" and entry.for_user]
    return {
        "init_skills": [entry.key for entry in entries if _is_skill(entry)],
        "slash_commands": [entry.key for entry in entries],
        "logs": _about_skills(session.logs),
        "loaded": next((log.message for log in session.logs if log.level == "INFO"), None),
    }


def _is_skill(entry: Entry) -> bool:
    """Whether the program's first message names an entry among the skills, not only the commands."""
    told = entry.described or bool(entry.when_to_use)
    return told and not (entry.command and entry.for_model)


def _level(level: str) -> str:
    return {"WARNING": "WARN"}.get(level, level)


def _catalog(record: Record, session: Session, places: Places) -> Any:
    block = session.catalog()
    if block is None:
        return {"where": None, "block": None}
    state = state_of(session)
    found = {"where": skills.listing_place(skills.model_of(state)), "block": _shortened(places.named(block))}
    log = listing.over_budget(listing.whole_listing(session))
    return found | ({"log": f"[WARN] {log}"} if log else {})


def _shortened(block: str) -> Any:
    """Return a long listing as its size, digest and shape: runs of entries with text, cut and without."""
    if len(block) <= _LONG:
        return block
    entries = block.removeprefix(listing.HEADING).split("\n- ")
    entries[0] = entries[0].removeprefix("- ")
    kinds = ["n" if ": " not in entry else "c" if entry.endswith("…") else "F" for entry in entries]
    runs: list[list[Any]] = []
    for kind in kinds:
        if runs and runs[-1][0] == kind:
            runs[-1][1] += 1
        else:
            runs.append([kind, 1])
    return {
        "chars": len(block),
        "utf16": length(block),
        "sha256": hashlib.sha256(block.encode()).hexdigest(),
        "shape": "".join(f"{kind}{number}" for kind, number in runs),
        "first": entries[0][:60],
        "last": entries[-1][:60],
    }


def _call(record: Record, session: Session, places: Places) -> Any:
    if prompt := record.get("prompt"):
        session.user(prompt)
    before = places.filled(record.get("before", ()))
    for step in before:
        session.call(step["input"], tool=step["tool"])
    result = session.call(places.filled(record["arguments"]), tool=record.get("tool"))
    number = len(before) + 1
    return [_sent(message, number) for message in replaced(list(result.messages), {"{answer}": _FORKED})]


def _sent(message: Any, number: int) -> Any:
    content = [
        block | ({"tool_use_id": f"toolu_{number}"} if block["type"] == "tool_result" else {})
        for block in message["content"]
    ]
    return {**message, "content": content}


def _user(record: Record, session: Session, places: Places) -> Any:
    sent = session.user(places.filled(record["arguments"]))
    if not sent.messages:
        return {"requests": 0, "result": sent.shown, "is_error": False}
    return {"requests": 1, "model": sent.model, "messages": list(sent.messages), "result": _DONE}


def _field(record: Record, session: Session, places: Places) -> Any:
    """Answer a whole session: what is listed, what the prompt and each call give, and which model is asked.

    That is the model of the request after the first call, which is the forked one where a skill forks.
    """
    found = _discover(record, session, places)
    block = session.catalog()
    logs, messages, model = list(session.logs), [], None
    if prompt := record.get("prompt"):
        sent = session.user(places.filled(prompt))
        if not sent.messages:
            return {**found, "logs": _about_skills(logs), "result": sent.shown, "messages": []}
        logs += sent.logs
        model, messages = sent.model, [] if record["steps"] else list(sent.messages)
    in_fork = False
    for number, step in enumerate(record["steps"], start=1):
        if in_fork or "tool" not in step:
            continue
        result = session.call(places.filled(step["input"]), tool=step["tool"])
        fork = (result.metadata or {}).get("fork")
        in_fork = fork is not None
        logs += result.logs
        model = model or (fork or {}).get("model") or skills.model_of(state_of(session))
        sent_messages = replaced(list(result.messages), {"{answer}": _FORKED})
        messages += [_sent(message, number) for message in sent_messages]
    known = {} if model is None else {"model": model}
    return {**found, "block": block, "logs": _about_skills(logs), **known, "messages": messages}


def _about_skills(logs: Iterable[Log]) -> list[str]:
    return [f"[{_level(log.level)}] {log.message}" for log in logs if log.level != "INFO"]


_OPERATIONS: dict[str, Callable[[Record, Session, Places], Any]] = {
    "discover": _discover,
    "catalog": _catalog,
    "call": _call,
    "user": _user,
    "field": _field,
}

"""How the records of codex are put and answered.

A skill of `discover` has the path of its file for a key, and switched-off skills are among them. `skipped`
has the directories of every root in the pack that hold something named like a SKILL.md, or that are at the
top of a root with nothing of that kind below, and that are not offered.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.codex import answers
from skilltool.runtimes.codex.loading import Entry, entries_of
from skilltool.runtimes.fixed_text import fixed_parts, fixed_text
from skilltool.runtimes.values import Refusal
from tests.support.goldens.forms import Answer, Operation, digest
from tests.support.goldens.worlds import Record, World
from tests.support.manifests import manifest_data

# Settings of the records that are files on disk, or where the program is started.
_ON_DISK = ("git", "cwd")
_WORLD = "the world of a record"


def prepare(record: Record, world: World) -> None:
    settings = record.get("settings", {})
    git = world.project / ".git"
    if (wanted := settings.get("git", True)) is not False:
        git.mkdir(exist_ok=True)
    if wanted is True and git.is_dir():
        (git / "HEAD").write_text("ref: refs/heads/main\n")
    cwd(record, world).mkdir(parents=True, exist_ok=True)


def cwd(record: Record, world: World) -> Path:
    return world.project / record.get("settings", {}).get("cwd", "")


def start(record: Record, runtime: Runtime, world: World) -> Session:
    settings = {"trust": False} | world.filled(record.get("settings", {}))
    given = {name: value for name, value in settings.items() if name not in _ON_DISK}
    roots = {"admin": world.machine / "etc/codex/skills"}
    session = runtime.open(cwd(record, world), world.user, given, roots)
    session.memory[_WORLD] = world
    return session


def parse(record: Record, runtime: Runtime) -> Answer:
    assert runtime.parse is not None
    arguments = record["arguments"]
    raw = arguments["text"].encode("utf-8", "surrogatepass")
    try:
        found = manifest_data(runtime.parse(raw, arguments.get("directory", "it")))
    except Refusal as refusal:
        return {"answer": {"error": refusal.message}}
    short = {"shortDescription": found["short-description"]} if "short-description" in found else {}
    return {"answer": {"name": found["name"], "description": found["description"]} | short}


def _discover(record: Record, session: Session) -> Answer:
    skills = [_skill(entry) for entry in entries_of(session)]
    offered = {str(Path(entry.path).parent) for entry in entries_of(session)}
    messages = {os.path.realpath(each.directory): each.message for each in session.skipped}
    roots = [path for role, path in session.memory[_WORLD].roots.items() if role not in ("PROJECT", "USER")]
    found = sorted({each for root in roots for each in candidates(root, offered)})
    skipped = [
        {"directory": each, "message": messages.get(os.path.realpath(each))}
        for each in found
        if os.path.realpath(each) not in offered and not (session.settings["bundled"] and "/.system/" in each)
    ]
    return {"answer": {"skills": skills, "skipped": skipped}}


def _skill(entry: Entry) -> dict[str, Any]:
    text = entry.skill.description
    return {
        "key": entry.path,
        "name": entry.skill.name,
        "description": digest(text) if fixed_parts(text) else text,
        "directory": str(Path(entry.path).parent),
        "scope": entry.place.scope,
        "enabled": entry.enabled,
    } | dict(entry.skill.told)


def candidates(root: Path, offered: set[str]) -> set[str]:
    """Return the directories below a root that may be listed as skipped, those offered not all left out."""
    found: set[str] = set()
    for directory, directories, files in os.walk(root):
        if any(name.lower() == "skill.md" for name in (*directories, *files)):
            found.add(directory)
        links = [name for name in (*directories, *files) if Path(directory, name).is_symlink()]
        tops = [*directories, *links] if directory == os.fspath(root) else links
        for name in tops:
            path = str(Path(directory, name))
            if name.lower() != "skill.md" and not _holds(path, offered):
                found.add(path)
    return found


def _holds(path: str, offered: set[str]) -> bool:
    """Whether a directory, or what a link leads to, is or holds a skill, or something named like one."""
    real = os.path.realpath(path)
    if any(each == real or each.startswith(f"{real}/") for each in offered):
        return True
    names = (name.lower() for _, directories, files in os.walk(real) for name in (*directories, *files))
    return any(name == "skill.md" for name in names)


def _catalog(record: Record, session: Session) -> Answer:
    if session.failure is not None:
        return {"answer": {"error": session.failure}}
    text = session.catalog()
    warnings = list(session.warnings)
    for chars, sha256 in fixed_parts(text or ""):
        text = (text or "").replace(fixed_text(chars, sha256), "")
    told = [each for each in warnings if not each.startswith("failed to load")]
    return {"answer": text} | ({"extra": {"warnings": told}} if told else {})


def _user(record: Record, session: Session) -> Answer:
    typed = session.memory[_WORLD].filled(record["arguments"])
    given = {"text": typed} if isinstance(typed, str) else typed
    sent = answers.sent(session, given.get("text"), given.get("skills", ()))
    return {"answer": [{"role": each["role"], "text": each["content"][0]["text"]} for each in sent.messages]}


OPERATIONS: dict[str, Operation] = {"discover": _discover, "catalog": _catalog, "user": _user}

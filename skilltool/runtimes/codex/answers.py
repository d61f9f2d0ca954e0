"""What does Codex tell its model about skills, what is cut, and what does a user type?

Source: requests of codex 0.169.0; the cost of a line is as in `core-skills/src/render.rs` of openai/codex;
the messages in requests of codex 0.169.0; `core-skills/src/injection.rs` of openai/codex.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from skilltool.emulation import rust
from skilltool.runtimes.base import Session, Share, Shares
from skilltool.runtimes.codex import loading
from skilltool.runtimes.codex.loading import Entry, entries_of, facts
from skilltool.runtimes.fixed_text import fixed_text, unmeasured_text, whole_length
from skilltool.runtimes.loading import read_bytes
from skilltool.runtimes.values import LoadedSkill, Log, Refusal, Sent
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.lazy_pattern import lazy_pattern

GONE = (
    "<skills_instructions>\n## Host skills update\nNo host skills are currently available.\n"
    "</skills_instructions>"
)
LONGEST = 1024
_CUT = LONGEST - 3
_ORDER = ("system", "admin", "repo", "user")
_INTRODUCTION = (
    "A skill is a set of local instructions to follow that is stored in a `SKILL.md` file. Below is the list "
    "of skills that can be used. Each entry includes a name, description, and "
)
_WITH_ALIASES = "a short path that can be expanded into an absolute path using the skill roots table."
_WITHOUT_ENTRIES = (
    "A skill is a set of instructions provided through a `SKILL.md` source. Below is the list of skills that "
    "can be used. Each entry includes a name, description, and source locator. `file` locators are on the "
    "host filesystem, `executor package` locators are owned by their execution environment, `cloud package` "
    "locators are opaque package identifiers, and `custom resource` locators use their provider's access "
    "mechanism."
)
_BYTES_PER_TOKEN = 4
_CUT_TO = "the start of the description"


class Line(NamedTuple):
    """One line of the listing; `description` is as long as the program shows it at most."""

    entry: Entry
    description: str
    path: str

    def shown(self, chars: int | None = None) -> str:
        """Return the line with the first characters of the description, or all."""
        text = self.description if chars is None else _first(self.description, chars)
        return f"- {self.entry.skill.name}: {text}{' ' if text else ''}(file: {self.path})"

    def tokens(self, chars: int | None = None) -> int:
        """Return what the line costs."""
        whole = self.shown(chars)
        size = whole_length(whole) - len(whole) + len(whole.encode("utf-8", "replace"))
        return -(-(size + 1) // _BYTES_PER_TOKEN)

    @property
    def chars(self) -> int:
        """The length of the description."""
        return whole_length(self.description)


class Listing(NamedTuple):
    """The lines within the budget: how much of each description is shown, None for a line left out."""

    lines: list[Line]
    shown: list[int | None]
    limit: int
    tables: dict[str, str]

    @property
    def omitted(self) -> tuple[str, ...]:
        """The keys of the skills that are left out."""
        return tuple(
            line.entry.skill.key for line, chars in zip(self.lines, self.shown, strict=True) if chars is None
        )


def _first(text: str, chars: int) -> str:
    """Return the first characters of a description; of one that is not stored, a marker of that length."""
    if whole_length(text) == len(text):
        return text[:chars]
    return text if chars >= whole_length(text) else unmeasured_text(chars) if chars else ""


def summary(skill: LoadedSkill) -> str:
    """Return what the listing shows of a skill where there is room."""
    text = skill.description
    return f"{text[:_CUT]}..." if len(text) > LONGEST else text


def limit(session: Session) -> int:
    """Return the tokens that the lines may cost: the setting, else two in a hundred of the window."""
    given = session.settings["max_context_tokens"]
    return int(given) if given is not None else max(1, int(session.settings["context_window"]) * 2 // 100)


def listing(session: Session) -> Listing:
    """Return the listing at this moment."""
    entries = [entry for entry in entries_of(session) if entry.listed and entry.enabled]
    entries.sort(key=lambda each: (_ORDER.index(each.place.scope), each.skill.name, each.path))
    used = [root.role for root in session.roots if any(entry.place.role == root.role for entry in entries)]
    aliases = {role: f"r{number}" for number, role in enumerate(used)}
    lines = []
    for entry in entries:
        below = entry.skill.directory.relative_to(entry.place.path)
        path = "/".join((aliases[entry.place.role], *below.parts, FILE_NAME))
        lines.append(Line(entry, summary(entry.skill), path))
    most = limit(session)
    return Listing(lines, _shared(lines, most), most, aliases)


def _shared(lines: Sequence[Line], most: int) -> list[int | None]:
    """Return how many characters of each description there is room for, None where not even for the line."""
    if sum(line.tokens() for line in lines) <= most:
        return [line.chars for line in lines]
    least = [line.tokens(0) for line in lines]
    if sum(least) <= most:
        return list(_dealt(lines, most - sum(least)))
    found: list[int | None] = []
    left = most
    for cost in least:
        fits = cost <= left
        left -= cost if fits else 0
        found.append(0 if fits else None)
    return found


def _dealt(lines: Sequence[Line], left: int) -> list[int]:
    """Deal room in tokens: one character for each description, round after round, until nothing fits."""
    sizes = [_sizes(line) for line in lines]
    dealt = [0] * len(lines)
    changed = True
    while changed:
        changed = False
        for number, costs in enumerate(sizes):
            has = dealt[number]
            if has + 1 < len(costs) and (more := costs[has + 1] - costs[has]) <= left:
                left -= more
                dealt[number] += 1
                changed = True
    return dealt


def _sizes(line: Line) -> list[int]:
    """Return what a line costs with none, one, two ... characters of its description."""
    bare = len(line.shown(0).encode("utf-8", "replace")) + 1
    stored = whole_length(line.description) == len(line.description)
    widths = (
        [len(each.encode("utf-8", "replace")) for each in line.description] if stored else [1] * line.chars
    )
    costs, size = [-(-bare // _BYTES_PER_TOKEN)], bare + 1
    for width in widths:
        size += width
        costs.append(-(-size // _BYTES_PER_TOKEN))
    return costs


def text_of(session: Session) -> str | None:
    """Return the block with the listing, None if there is none."""
    found = listing(session)
    if not found.lines or not session.settings["include_instructions"]:
        return None
    rows = [
        line.shown(chars) for line, chars in zip(found.lines, found.shown, strict=True) if chars is not None
    ]
    kept = {
        line.entry.place.role
        for line, chars in zip(found.lines, found.shown, strict=True)
        if chars is not None
    }
    paths = {root.role: os.path.realpath(root.path) for root in session.roots}
    table = [f"- `{alias}` = `{paths[role]}`" for role, alias in found.tables.items() if role in kept]
    head = [f"## Skills\n{_INTRODUCTION}{_WITH_ALIASES}\n### Skill roots", *table]
    if not table:
        head = [f"## Skills\n{_WITHOUT_ENTRIES}"]
    block = "\n".join(["<skills_instructions>", *head, "### Available skills", *rows, ""])
    usage = facts()["usage"]
    if session.settings["model"] in usage["models"]:
        return block + fixed_text(usage["chars"], usage["sha256"])
    return f"{block}</skills_instructions>"


def budget(session: Session) -> tuple[int, tuple[str, ...]]:
    """Return the budget in tokens, and the keys of the skills that are left out (not the program's own)."""
    found = listing(session)
    return found.limit, tuple(key for key in found.omitted if session.find(key) is not None)


def warning(session: Session) -> str | None:
    """Return what the user is told if skills are left out, else None."""
    count = len(listing(session).omitted)
    if not count or not session.settings["include_instructions"]:
        return None
    skills = "skill was" if count == 1 else "skills were"
    return (
        f"Exceeded skills context budget. All skill descriptions were removed and {count} additional "
        f"{skills} not included in the model-visible skills list."
    )


def shares(session: Session) -> Shares:
    """Return how the listing is shared, in characters."""
    found, text = listing(session), text_of(session)
    if text is None:
        return Shares(0, Share(0, 0), {})
    own, own_count = Share(0, 0), 0
    skills: dict[str, Share] = {}
    shortened: list[str] = []
    for line, chars in zip(found.lines, found.shown, strict=True):
        sent = 0 if chars is None else whole_length(line.shown(chars)) + 1
        share = Share(whole_length(line.shown()) + 1, sent)
        if line.entry.place.scope == "system":
            own, own_count = Share(own.asked + share.asked, own.sent + share.sent), own_count + 1
        else:
            skills[line.entry.skill.key] = share
            if chars is not None and chars < line.chars:
                shortened.append(line.entry.skill.key)
    sent = own.sent + sum(share.sent for share in skills.values())
    fixed = whole_length(text) - sent
    cut_to = None if found.omitted else _CUT_TO  # lines are left out once there is no room for descriptions
    return Shares(
        fixed, own, skills, cut_to=cut_to, together=True, shortened=tuple(shortened), own_count=own_count
    )


def asked_tokens(session: Session) -> tuple[int, int]:
    """Return the tokens that the whole lines of the skills cost, and those of the program's own skills."""
    if not session.settings["include_instructions"]:
        return 0, 0
    lines = listing(session).lines
    own = sum(line.tokens() for line in lines if line.entry.place.scope == "system")
    return sum(line.tokens() for line in lines) - own, own


_MENTION = lazy_pattern(
    r"\[\$(?P<link>[A-Za-z0-9_:-]++)\][\t\n\f\r ]*+\((?P<path>[^)]*+)\)"
    r"|\$(?P<plain>[A-Za-z0-9_:-]+)"
)
_WORD = lazy_pattern(r"[A-Za-z0-9_:-]+")
_SENT = "codex sent"
_OTHER_LINKS = ("app://", "mcp://", "plugin://")


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a typed text: the text, and a message for each skill that it mentions."""
    return sent(session, text, ())


def sent(session: Session, text: str | None, items: Sequence[Mapping[str, str]]) -> Sent:
    """Return what is sent for a text, if there is one, and skills that the user chose in the interface.

    Each of `items` has the `name` and the `path` of a skill; the path decides.
    """
    refresh(session)
    session.memory[_SENT] = text_of(session)
    chosen = [block for entry in _chosen(session, text or "", items) if (block := _injected(session, entry))]
    messages = [*([] if text is None else [text]), *chosen]
    return Sent(tuple(map(_message, messages)), "\n".join(chosen) or None)


def _message(text: str) -> Mapping[str, Any]:
    return {"role": "user", "content": [{"type": "input_text", "text": text}]}


def _chosen(session: Session, text: str, items: Sequence[Mapping[str, str]]) -> list[Entry]:
    """Return the skills that are meant: those of the interface, of links, then of plain names, each once."""
    entries = [entry for entry in entries_of(session) if entry.enabled]
    links, plain = _mentions(text)
    blocked = {item["name"] for item in items}
    found = [entry for item in items for entry in entries if entry.path == os.path.normpath(item["path"])]
    found += [entry for entry in entries if entry.path in links]
    names = {entry.skill.name for entry in found} | blocked
    found += [
        entry
        for entry in entries
        if entry.skill.name in plain - names and entry.skill.key == entry.skill.name
    ]
    return list({entry.path: entry for entry in found}.values())


def _mentions(text: str) -> tuple[set[str], set[str]]:
    """Return the paths that a text links to as skills, and the names that it mentions without a link."""
    variables = frozenset(facts()["variables"]["names"])
    links, plain = set(), set()
    for match in _MENTION.finditer(text):
        name, path = match["link"] or match["plain"], rust.trim(match["path"] or "")
        if name.upper() in variables:
            continue
        if match["link"] is None:
            plain.add(name)
        elif path and not path.startswith(_OTHER_LINKS):
            links.add(os.path.normpath(path.removeprefix("skill://")))
    return links, plain


def _injected(session: Session, entry: Entry) -> str | None:
    text = content(session, entry.skill)
    if text is None:
        return None
    return f"<skill>\n<name>{entry.skill.name}</name>\n<path>{entry.path}</path>\n{text}\n</skill>"


def typed(skill: LoadedSkill) -> str:
    """Return what the user types for a skill: its name, or a link where that does not name it."""
    is_variable = skill.name.upper() in facts()["variables"]["names"]
    if skill.key == skill.name and _WORD.fullmatch(skill.name) and not is_variable:
        return f"${skill.name}"
    return f"[$skill]({skill.display_path})"


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return the whole file of a skill at this moment, None if it is gone or is not UTF-8 any more."""
    if skill.role == "system":
        return unmeasured_text()
    try:
        return read_bytes(skill.directory / FILE_NAME).decode("utf-8")
    except (OSError, UnicodeDecodeError, Refusal):
        return None


def refresh(session: Session) -> None:
    """Look again which skills there are, as the program does before each turn but the first."""
    if _SENT in session.memory:
        session.reset()
        loading.scan(session)


def catalog(session: Session) -> str | None:
    """Return the listing that the next turn adds: all of it at first, then only if it has changed."""
    if _SENT not in session.memory:
        return text_of(session)
    before = session.memory[_SENT]
    refresh(session)
    now = text_of(session)
    return None if now == before else now or GONE


def scan(session: Session) -> None:
    """Fill a session, and note what the user is told about a listing over its budget."""
    loading.scan(session)
    if (told := warning(session)) is not None:
        session.logs.append(Log("WARNING", loading.KEY, told))

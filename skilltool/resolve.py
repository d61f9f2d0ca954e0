"""What each root holds, which copy of a name wins, and why: a session, as data and as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Any

from skilltool.runtimes.base import Session
from skilltool.runtimes.values import LoadedSkill, Refused, Shadowed

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Candidate:
    """A copy that might have answered to a name: where it is, what became of it, and why."""

    directory: Path
    role: str
    outcome: str
    why: str


def data(session: Session, name: str | None = None) -> dict[str, Any]:
    """Return what `resolve --output-format json` prints; with a name, its candidates too."""
    found = _everything(session)
    if name is not None:
        found["candidates"] = [
            {"directory": str(c.directory), "root": c.role, "outcome": c.outcome, "why": c.why}
            for c in candidates(session, name)
        ]
    return found


def _everything(session: Session) -> dict[str, Any]:
    catalog = session.catalog()
    budget, omitted = session.runtime.budget(session) if session.runtime.budget else (None, ())
    return {
        "schema_version": SCHEMA_VERSION,
        "runtime": session.runtime.id,
        "roots": [{"role": r.role, "path": str(r.path), "exists": r.exists} for r in session.roots],
        "skills": [
            {
                "key": skill.key,
                "name": skill.name,
                "description": skill.description,
                "directory": str(skill.directory),
                "root": skill.role,
                "via_link": via_link(session, skill.directory),
            }
            for skill in session.skills
        ],
        "shadowed": [
            {"key": s.skill.key, "directory": str(s.skill.directory), "by": str(s.by.directory), "why": s.why}
            for s in session.shadowed
        ],
        "skipped": [
            {"directory": str(s.directory), "message": s.message, "why": s.why} for s in session.skipped
        ],
        "warnings": list(session.warnings),
        "failure": session.failure,
        "catalog": {"chars": len(catalog or ""), "budget": budget, "omitted": list(omitted)},
    }


def candidates(session: Session, name: str) -> list[Candidate]:
    """Return every copy that `name` (a key, a name or a folder) could mean, in the order of the roots."""
    found = [_loaded(session, s) for s in session.skills if name in (s.key, s.name, s.directory.name)]
    found += [
        _shadowed(s) for s in session.shadowed if name in (s.skill.key, s.skill.name, s.skill.directory.name)
    ]
    found += [_refused(s) for s in session.skipped if name == s.directory.name]
    roles = [root.role for root in session.roots]
    return sorted(
        found, key=lambda c: (roles.index(c.role) if c.role in roles else len(roles), str(c.directory))
    )


def _loaded(session: Session, skill: LoadedSkill) -> Candidate:
    beaten = [lost for lost in session.shadowed if lost.by == skill]
    over = [f"it beats `{_short(session, lost.skill.directory)}`, since {lost.why}" for lost in beaten]
    reason = "; ".join(over) or f"no other copy has the key `{skill.key}`"
    return Candidate(skill.directory, skill.role, f"loads as `{skill.key}`", reason)


def _shadowed(lost: Shadowed) -> Candidate:
    return Candidate(lost.skill.directory, lost.skill.role, "is shadowed", lost.why)


def _refused(refused: Refused) -> Candidate:
    said, why = refused.message, refused.why
    if said:
        why = said if why in said else f"{why}; the runtime says: {said}"
    return Candidate(refused.directory, refused.role, "is skipped", why)


def via_link(session: Session, directory: Path) -> bool:
    """Return whether a skill or its file is reached through a link below its root."""
    roots = [root.path for root in session.roots if directory.is_relative_to(root.path)]
    if not roots:
        return False
    root = max(roots, key=lambda path: len(path.parts))
    parts = directory.relative_to(root).parts
    ways = [root.joinpath(*parts[: n + 1]) for n in range(len(parts))]
    return any(way.is_symlink() for way in [*ways, directory / "SKILL.md"])


def text(session: Session) -> str:
    """Return what `resolve` prints for people."""
    return "\n".join(_lines(session)) + "\n"


def _lines(session: Session) -> Iterator[str]:
    yield f"{session.runtime.id}: {session.runtime.title}"
    yield "\nroots, in order"
    for root in session.roots:
        count = sum(skill.role == root.role for skill in session.skills)
        state = f"{count} loaded" if root.exists else "not there"
        yield f"  {root.role:<12} {_short(session, root.path)}  ({state})"
    if session.failure is not None:
        yield f"\nloading failed: {session.failure}"
    yield f"\nloaded: {len(session.skills)}"
    for skill in session.skills:
        mark = "  (via link)" if via_link(session, skill.directory) else ""
        yield f"  {skill.key:<24} {_short(session, skill.directory)}{mark}"
    if session.shadowed:
        yield f"\nshadowed: {len(session.shadowed)}"
        for lost in session.shadowed:
            yield f"  {lost.skill.key:<24} {_short(session, lost.skill.directory)}\n      {lost.why}"
    if session.skipped:
        yield f"\nskipped: {len(session.skipped)}"
        for refused in session.skipped:
            yield f"  {_short(session, refused.directory)}\n{indent(refused.message or refused.why, ' ' * 6)}"
    told = {refused.message for refused in session.skipped}
    for warning in session.warnings:
        if warning not in told:
            yield f"\nwarning: {_hanging(warning, 9)}"
    yield f"\n{_listing(session)}"


def _listing(session: Session) -> str:
    catalog = session.catalog()
    if catalog is None:
        return "catalog: none is offered"
    size = f"catalog: {len(catalog):,} characters"
    if session.runtime.budget is None:
        return size
    budget, omitted = session.runtime.budget(session)
    left_out = f"; left out: {', '.join(omitted)}" if omitted else ""
    return f"{size}; budget {budget:,} {session.runtime.budget_unit}{left_out}"


def explained(session: Session, name: str) -> str:
    """Return, for people, what becomes of each copy of `name` and why."""
    lines = [
        f"{number}. {_short(session, found.directory)} ({found.role}) {found.outcome}: "
        + _hanging(found.why, 3)
        for number, found in enumerate(candidates(session, name), start=1)
    ]
    return "".join(f"{line}\n" for line in lines)


def _hanging(text: str, by: int) -> str:
    """Return text with all lines but the first one indented."""
    first, end, rest = text.partition("\n")
    return first + end + indent(rest, " " * by)


def _short(session: Session, path: Path) -> str:
    """Return a path relative to the project, or with `~` for the home directory."""
    if path.is_relative_to(session.project):
        return path.relative_to(session.project).as_posix()
    if path.is_relative_to(session.home):
        return f"~/{path.relative_to(session.home).as_posix()}"
    return str(path)

"""What does each root hold, which copy of a name wins, and why? A session as data and as text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from skilltool.explain.candidates import ONLY_COPY, candidates
from skilltool.findings.secrets import without_secrets
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import display_path
from skilltool.runtimes.values import LoadedSkill, ResolvedRoot, Shadowed

SCHEMA_VERSION = 1


def data(session: Session, name: str | None = None) -> dict[str, Any]:
    """Return what `resolve --output-format json` prints; with a name, also its candidates."""
    found = _session_data(session)
    if name is not None:
        found["candidates"] = [
            {"directory": str(c.directory), "root": c.role, "outcome": c.outcome, "why": c.why}
            for c in candidates(session, name)
        ]
    return found


def _session_data(session: Session) -> dict[str, Any]:
    catalog = session.catalog()
    budget, omitted = session.runtime.budget(session) if session.runtime.budget else (None, ())
    return {
        "schema_version": SCHEMA_VERSION,
        "runtime": session.runtime.id,
        "assumed": session.differing_settings,
        "undetermined": session.runtime.undetermined,
        "roots": [_root(root) for root in session.roots],
        "skills": [
            {
                "key": skill.key,
                "name": skill.name,
                "description": without_secrets(skill.description),
                "directory": str(skill.directory),
                "root": skill.role,
                "via_link": via_link(session, skill.directory),
                **_extras(skill),
            }
            for skill in session.skills
        ],
        "shadowed": [_shadowed(lost) for lost in session.shadowed],
        "skipped": [
            {"directory": str(s.directory), "message": s.message, "why": s.why} for s in session.skipped
        ],
        "warnings": list(session.warnings),
        "failure": session.failure,
        "catalog": {"chars": len(catalog or ""), "budget": budget, "omitted": list(omitted)},
    }


def _root(root: ResolvedRoot) -> dict[str, Any]:
    return {
        "role": root.role,
        "path": str(root.path),
        "exists": root.exists,
        "problem": root.problem,
        "unscanned": root.unscanned,
    }


def _shadowed(lost: Shadowed) -> dict[str, Any]:
    return {
        "key": lost.skill.key,
        "directory": str(lost.skill.directory),
        "by": str(lost.by.directory),
        "why": lost.why,
        "undetermined": lost.undetermined,
    }


def _extras(skill: LoadedSkill) -> dict[str, list[str]]:
    """Return the toolsets and scripts that the runtime found in a skill, if it looks for them."""
    return {kind: skill.told[kind] for kind in ("toolsets", "scripts") if kind in skill.told}


def via_link(session: Session, directory: Path) -> bool:
    """Return whether a skill or its SKILL.md is reached through a symbolic link under its root."""
    roots = [root.path for root in session.roots if directory.is_relative_to(root.path)]
    if not roots:
        return False
    root = max(roots, key=lambda path: len(path.parts))
    parts = directory.relative_to(root).parts
    paths = [root.joinpath(*parts[: n + 1]) for n in range(len(parts))]
    return any(path.is_symlink() for path in [*paths, directory / "SKILL.md"])


def lines(session: Session) -> Iterator[str]:
    """Yield the lines that `resolve` without a name prints for people; names in them may hold line ends."""
    yield f"{session.runtime.id}: {session.runtime.title}"
    for name, value in session.differing_settings.items():
        yield f"assumed: {name}={json.dumps(value)}, not the runtime's default (set it with --set)"
    yield from ("", "skills directories, in order")
    width = max((len(root.role) for root in session.roots), default=0)
    for root in session.roots:
        yield f"  {root.role:<{max(width, 12)}} {display_path(session, root.path)}  ({_state(session, root)})"
    if session.failure is not None:
        yield from ("", *_hanging(f"loading failed: {session.failure}", 16))
    yield from ("", f"loaded: {len(session.skills)}")
    for skill in session.skills:
        mark = "  (via link)" if via_link(session, skill.directory) else ""
        yield f"  {skill.key:<24} {display_path(session, skill.directory)}{mark}"
        for kind, names in _extras(skill).items():
            if names:
                yield f"      {kind}: {', '.join(names)}"
    if session.shadowed:
        yield from ("", f"shadowed: {len(session.shadowed)}")
        for shadowed in session.shadowed:
            skill = shadowed.skill
            yield f"  {skill.key:<24} {display_path(session, skill.directory)}"
            yield f"      {'ambiguous: ' if shadowed.undetermined else ''}{shadowed.why}"
    if session.skipped:
        yield from ("", f"skipped: {len(session.skipped)}")
        for refused in session.skipped:
            yield f"  {display_path(session, refused.directory)}"
            yield from _indented(refused.message or refused.why, 6)
    shown_above = tuple(refused.message for refused in session.skipped if refused.message)
    for warning in session.warnings:
        if not warning.endswith(shown_above):
            yield from ("", *_hanging(f"warning: {warning}", 9))
    yield from ("", _listing(session))


def _state(session: Session, root: ResolvedRoot) -> str:
    count = sum(skill.role == root.role for skill in session.skills)
    if root.problem or not root.exists:
        return root.problem or "does not exist"
    return f"{count} loaded; {root.unscanned}" if root.unscanned else f"{count} loaded"


def _listing(session: Session) -> str:
    catalog = session.catalog()
    if catalog is None:
        return "listing: none"
    size = f"listing: {len(catalog):,} characters"
    if session.runtime.budget is None:
        return size
    budget, omitted = session.runtime.budget(session)
    not_listed = f"; omitted: {', '.join(omitted)}" if omitted else ""
    return f"{size}; budget {budget:,} {session.runtime.budget_unit}{not_listed}"


def explain(session: Session, name: str) -> Iterator[str]:
    """Yield what becomes of each copy of `name`, and why, for people: the lines of `resolve NAME`."""
    for number, candidate in enumerate(candidates(session, name), start=1):
        outcome = f"{display_path(session, candidate.directory)} ({candidate.role}) {candidate.outcome}"
        if candidate.why == ONLY_COPY:
            yield f"{number}. {outcome} ({ONLY_COPY})"
            continue
        first, *others = _hanging(candidate.why, 3)
        yield from (f"{number}. {outcome}: {first}", *others)


def _hanging(text: str, by: int) -> Iterator[str]:
    """Yield the lines of a runtime's message, all but the first indented by `by` spaces."""
    first, end, rest = without_secrets(text).partition("\n")
    yield first
    if end:
        yield from _indented(rest, by)


def _indented(text: str, by: int) -> Iterator[str]:
    """Yield the lines of a runtime's message, indented by `by` spaces."""
    yield from (f"{'':{by}}{line}" if line else "" for line in text.split("\n"))

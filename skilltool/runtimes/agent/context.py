"""What do agent-base and document 001 inject for a user message? One of four tiers.

Sources: document 001, "Progressive Disclosure" and "Trigger Matching Flow";
`skills/context_provider.py` of danielscholl/agent-base at 13733a71.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from skilltool.runtimes.agent.loading import Manifest
from skilltool.runtimes.base import Session
from skilltool.runtimes.values import BOUNDS_LOGGER, LoadedSkill, Log

_LOGGER = "agent.skills.context_provider"
_ADVICE = (
    "When you need current information, specialized data, or capabilities beyond your knowledge, "
    "consider whether one of these skills could help. Skill scripts are available via the script_run tool."
)
# What a skill matched by, which is also its rank in document 001.
_NAME, _PHRASE, _PATTERN = range(3)

# Each entry `a, b, c` is the expression `a.*b.*c`, searched step by step, so in time linear in the message.
_Steps = tuple[tuple[str, ...], ...]
_WANTS_INFO: _Steps = (
    (r"\bwhat", "can|could", "you|u", r"do\b"),
    (r"\b(?:show|list)", r"capabilities\b"),
    (r"\bwhat", r"skills?\b"),
)
_WANTS_LIST: _Steps = ((r"\b(?:show|list)\b", r"\bskills?\b"),)
_WANTS_ALL: _Steps = (
    (r"\bshow", "all", r"skills?\b"),
    (r"\blist", "all", r"skills?\b"),
    (r"\ball", "skill", r"(?:documentation|docs)\b"),
)


def base_context(session: Session, query: str) -> str | None:
    """Return what agent-base injects: registry, all documentation, matched documentation, or a count."""
    if not query or not (session.skills or session.level == "class"):
        return None
    message = query.lower()
    if _asks(message, _WANTS_INFO):
        return registry(session)
    if _asks(message, _WANTS_ALL):
        return _all_documentation(session)
    if matched := _matches(session, message):
        return documentation([skill for skill, _ in matched][: _number(session, "max_skills")])
    if not session.skills:
        return None
    return _breadcrumb(session) if any(map(_has_own_triggers, session.skills)) else registry(session)


def document_context(session: Session, query: str) -> str | None:
    """Return what document 001 injects: nothing, a count, the registry, or the best matches' text."""
    if not query or not session.skills:
        return None
    message = query.lower()
    if _asks(message, _WANTS_INFO + _WANTS_LIST):
        return registry(session)
    matched = _matches(session, message)
    if not matched:
        declared = any(skill.known_as(Manifest).declared for skill in session.skills)
        return _breadcrumb(session) if declared else registry(session)
    recent: dict[str, int] = session.memory.setdefault("injected", {})
    # The sort is stable: ties keep the order of discovery.
    matched.sort(key=lambda match: (match[1], -recent.get(match[0].key, 0)))
    chosen = [skill for skill, _ in matched][: _number(session, "max_skills")]
    now = max(recent.values(), default=0) + 1
    recent.update({skill.key: now for skill in chosen})
    return documentation(chosen)


def summary(skill: LoadedSkill) -> str:
    """Return what the registry shows of a skill: its brief description, or the start of the long one."""
    text: str = skill.known_as(Manifest).registry_line
    return text


def registry(session: Session) -> str:
    """Return the registry: the name and brief description of each skill, and advice on using them."""
    lines = [f"- **{skill.key}**: {summary(skill)}" for skill in session.skills]
    return "\n".join(["## Available Skills\n", *lines, f"\n{_ADVICE}"])


def listing(session: Session) -> str | None:
    """Return the registry; None if there are no skills, since nothing is ever injected then."""
    return registry(session) if session.skills else None


def documentation(skills: Sequence[LoadedSkill]) -> str:
    """Return the documentation tier: the whole instructions of these skills."""
    parts = [part for skill in skills for part in (f"### {skill.key}\n", skill.body, "")]
    return "\n".join(["## Relevant Skill Documentation\n", *parts])


def _all_documentation(session: Session) -> str:
    most, count = _number(session, "max_all_skills"), len(session.skills)
    if count <= most:
        return documentation(session.skills)
    note = f"*Showing {most} of {count} skills. Ask about specific skills for more details.*"
    return f"{documentation(session.skills[:most])}\n\n{note}"


def _breadcrumb(session: Session) -> str:
    return f"[{len(session.skills)} skills available]"


def _has_own_triggers(skill: LoadedSkill) -> bool:
    triggers = skill.known_as(Manifest).triggers
    return len(triggers["keywords"]) > 1 or bool(triggers["verbs"] or triggers["patterns"])


def _asks(message: str, wishes: _Steps) -> bool:
    """Return whether one line of the message has all steps of one wish, in their order."""
    return any(_follows(line, steps) for steps in wishes for line in message.split("\n"))


def _follows(line: str, steps: Sequence[str]) -> bool:
    position = 0
    for step in steps:
        match = re.compile(step).search(line, position)
        if match is None:
            return False
        position = match.end()
    return True


def _matches(session: Session, message: str) -> list[tuple[LoadedSkill, int]]:
    """Return the skills that match, each with its rank, in the order of discovery; log invalid patterns."""
    ranks = {skill.key: _rank(skill, message) for skill in session.skills}
    asked = [s for s in session.skills if ranks[s.key] is None and s.known_as(Manifest).triggers["patterns"]]
    if asked:
        ranks |= dict.fromkeys(_matching_patterns(session, asked, message), _PATTERN)
    return [(skill, rank) for skill in session.skills if (rank := ranks[skill.key]) is not None]


def _matching_patterns(session: Session, asked: Sequence[LoadedSkill], message: str) -> Iterator[str]:
    """Yield the keys of the skills with a pattern that matches; log invalid patterns."""
    from skilltool.runtimes.patterns.regex_search import search

    answers = search([skill.known_as(Manifest).triggers["patterns"] for skill in asked], message)
    for skill, answer in zip(asked, answers, strict=True):
        for pattern, words in answer.errors:
            line = f"Invalid regex pattern for {skill.key}: {pattern} - {words}"
            session.logs.append(Log("WARNING", _LOGGER, line))
        if answer.failure:
            line = f"skilltool could not search the patterns of `{skill.key}`: {answer.failure}"
            session.logs.append(Log("WARNING", BOUNDS_LOGGER, line))
        if answer.found:
            yield skill.key


def _rank(skill: LoadedSkill, message: str) -> int | None:
    triggers: dict[str, Any] = skill.known_as(Manifest).triggers
    if _has_phrase(message, skill.key):
        return _NAME
    phrases = [*triggers["keywords"], *triggers["verbs"]]
    return _PHRASE if any(_has_phrase(message, phrase) for phrase in phrases) else None


def _has_phrase(message: str, phrase: str) -> bool:
    return re.search(rf"\b{re.escape(phrase.lower())}\b", message) is not None


def _number(session: Session, name: str) -> int:
    value = session.settings[name]
    return value if isinstance(value, int) else int(session.runtime.settings[name].default)

"""Finds names of files in code spans, without a directory, that the words before say to read or to run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from skilltool.rules.shared.text_signs import is_sample, texts_with
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

_SEE = lazy_pattern(
    r"\b(?:see|refer to|consult|load|(?:detail|explain|describ|document|defin|list|cover|found)\w* in|details:"
    r"|instructions in|reference:)[:\s*]{0,5}(?:(?:also|the|full|file|page|guide|docs?|documentation)[ *:]{1,3}){0,3}[*(\[\"]{0,3}\Z",
    re.IGNORECASE,
)
_RUN = lazy_pattern(
    r"\b(?:run|execute|invoke|launch)[:\s*]{0,5}(?:(?:the|this|our|script|helper|bundled|included)[ *]{1,3}){0,3}[*(\[\"]{0,3}\Z",
    re.IGNORECASE,
)
_COMMAND = r"(?:python3?|bash|sh|node|bun|ruby|perl|pwsh|uv run|npx tsx)[ \t]+(?:\./)?"
_SCRIPT = lazy_pattern(
    rf"(?P<command>{_COMMAND})?(?P<name>(?:[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)+|[A-Za-z]{{8,40}})\.(?:py|sh|m?js|ts|rb|pl|ps1))(?![^\s])"
)
_PAGE = lazy_pattern(r"(?P<name>[A-Za-z0-9][\w-]{0,80}\.md)\Z")
# What projects have, whatever the skill.
_OF_PROJECTS = lazy_pattern(
    r"(?:readme|changelog|agents?|claude|gemini|copilot-instructions|contributing|security|license|notice|skills?|soul"
    r"|memory|plan|todo|tasks?|spec|notes?|index|main|train\w*|server|client|programs?|example|filename|component|pipeline|workflow|playwright|tailwind|register|benchmark|evaluate|generate|analysis|analyze|download|transform|postinstall|settings|constants|database|controller|middleware|deployment|dashboard|notebook|experiment|inference|finetune|processor|handlers?|your\w*|design|architecture|roadmap|conftest|test_.*|.*[._-](?:test|spec|config)|(?:your|my|some|example|sample|the)[_-].*|.*[_-](?:name|example|sample))"
    r"\.\w+\Z",
    re.IGNORECASE,
)
_BEFORE = 120  # characters before a code span
_LONGEST = 300  # characters of a code span


class NamedFile(NamedTuple):
    """The name of a file in a code span; `span` is that of the whole code span."""

    name: str
    span: Span


def pages_with_named_files(skill: Skill) -> Iterator[Text]:
    """Yield the pages that may name such files; a cheap question."""
    return texts_with(skill, may_name_files)


_HINT = lazy_pattern(r"`[^`\n/\\]{0,60}\.(?:md|py|sh|m?js|ts|rb|pl|ps1)\b[^`\n]{0,200}`")


def may_name_files(text: Text) -> bool:
    """Return whether a page contains the name of a page or script in backticks."""
    if not text.is_page or is_sample(text.file):
        return False
    return _HINT.search(text.source.text, text.body_span.start) is not None


def named_files(text: Text) -> Iterator[NamedFile]:
    """Yield the names of a page in the order of the text."""
    for code in text.markdown.codes:
        before = text.source.text[max(code.span.start - _BEFORE, 0) : code.span.start].rpartition("\n")[2]
        name = _named(code.text[:_LONGEST].strip(), before)
        if name is not None and not _OF_PROJECTS.match(name) and not _is_shown(text, code.span, name):
            yield NamedFile(name, code.span)


def _is_shown(text: Text, code: Span, name: str) -> bool:
    """Return whether a script is the code block right before the paragraph that says to run it."""
    paragraph = text.source.text.rfind("\n\n", 0, code.start) + 2
    above = text.source.text[:paragraph].rstrip()
    return not name.endswith(".md") and above.endswith(("```", "~~~"))


def _named(code: str, before: str) -> str | None:
    script = _SCRIPT.match(code)
    is_specific = script is not None and script["command"] and re.search("[_-]", script["name"])
    if script is not None and (is_specific or _RUN.search(before)):
        return script["name"]
    page = _PAGE.match(code)
    return page["name"] if page is not None and _SEE.search(before) else None

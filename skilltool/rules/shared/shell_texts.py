"""Finds the shell text of a skill: scripts, fences and code spans of pages, commands that run at load time, hooks.

Only a piece that may have what a rule looks for is parsed, so that most skills never need the parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from skilltool.rules.shared.load_time import load_time_commands
from skilltool.rules.shared.text_signs import is_shell_script
from skilltool.runtimes.base import COMMAND, Runtime
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text import shell
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

if TYPE_CHECKING:
    from skilltool.text.markdown import Fence

SCRIPT, FENCE, CODE_SPAN, LOADED, HOOK = "script", "fence", "code span", "load-time command", "hook"

FENCES = frozenset(
    {"sh", "bash", "zsh", "shell", "console", "shell-session", "shellsession", "terminal", "shellscript"}
)
_QUOTE_MARKS = lazy_pattern(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)


class ShellText(NamedTuple):
    """A piece of shell text of one of the kinds above; the spans in `script` are offsets into the file."""

    text: Text
    kind: str
    span: Span
    script: shell.Script


def shell_texts(
    skill: Skill, target: Runtime, is_relevant: Callable[[str], bool], *kinds: str
) -> Iterator[ShellText]:
    """Yield the pieces of these kinds for whose text the answer to `is_relevant` is yes, file by file."""
    for text in skill.texts:
        if SCRIPT in kinds and is_shell_script(text):
            written = text.source.text
            if is_relevant(written):
                yield ShellText(text, SCRIPT, Span(0, len(written)), shell.read(written))
        elif text.is_page and is_relevant(text.body):
            for kind, span, written in _in_page(text, kinds):
                if is_relevant(written):
                    yield ShellText(text, kind, span, shell.read(written, span.start))
    if LOADED in kinds and COMMAND in target.expands and "!" in skill.body:
        for command in load_time_commands(skill, target):
            if is_relevant(command.text):
                script = shell.moved(shell.read(command.text), command.span)
                yield ShellText(skill.text, LOADED, command.span, script)
    if HOOK in kinds and "hooks" in (skill.frontmatter.data or ()):
        for path, scalar in skill.frontmatter.scalars:
            if path[0] == "hooks" and path[-1] == "command" and is_relevant(scalar.text):
                script = shell.moved(shell.read(scalar.text), scalar.span)
                yield ShellText(skill.text, HOOK, scalar.span, script)


def _in_page(text: Text, kinds: tuple[str, ...]) -> Iterator[tuple[str, Span, str]]:
    written = text.source.text
    if FENCE in kinds:
        for fence in text.markdown.fences:
            if language_of(fence) in FENCES:
                yield FENCE, *code_in_fence(text, fence)
    if CODE_SPAN in kinds:
        for code_span in text.markdown.codes:
            start, end = code_span.span
            ticks = len(written[start:end]) - len(written[start:end].lstrip("`"))
            yield CODE_SPAN, code_span.span, written[start + ticks : end - ticks].rjust(end - start - ticks)


def language_of(fence: Fence) -> str:
    """Return the name of the language of a fence in lower case, empty without one."""
    language = fence.info.lower().split(maxsplit=1)
    return language[0].strip("{}.") if language else ""


def code_in_fence(text: Text, fence: Fence) -> tuple[Span, str]:
    """Return where the code of a fence is, and it with spaces for the marks of a quote and what a session prints."""
    written = text.source.text
    start = fence.opening.end
    end = written.rfind("\n", start, fence.span.end - 1) if fence.closed else fence.span.end
    code = written[start : max(start, end)]
    is_quoted = written[fence.span.start : fence.opening.start].lstrip()[:1] == ">"
    if is_quoted or code.lstrip()[:1] == ">":
        code = _QUOTE_MARKS.sub(lambda match: " " * len(match[0]), code)
    return Span(start, start + len(code)), shell.without_prompts(code)

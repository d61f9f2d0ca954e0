"""Finds the shell text of a skill: scripts, fences and code spans of pages, commands that run at load time, hooks.

Only a piece that may have what a rule looks for is parsed, so that most skills never need the parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from skilltool.rules.shared.load_time import load_time_commands
from skilltool.rules.shared.text_signs import is_shell_script
from skilltool.runtimes.base import COMMAND, Runtime
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text import shell
from skilltool.text.source import Span

SCRIPT, FENCE, CODE_SPAN, LOADED, HOOK = "script", "fence", "code span", "load-time command", "hook"

_FENCES = frozenset(
    {"sh", "bash", "zsh", "shell", "console", "shell-session", "shellsession", "terminal", "shellscript"}
)
_QUOTE_MARKS = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)


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
            language = fence.info.lower().split(maxsplit=1)
            if language and language[0].strip("{}.") in _FENCES:
                start = fence.opening.end
                end = written.rfind("\n", start, fence.span.end - 1) if fence.closed else fence.span.end
                code = written[start : max(start, end)]
                if (
                    written[fence.span.start : fence.opening.start].lstrip()[:1] == ">"
                    or code.lstrip()[:1] == ">"
                ):
                    code = _QUOTE_MARKS.sub(lambda match: " " * len(match[0]), code)
                yield FENCE, Span(start, start + len(code)), shell.without_prompts(code)
    if CODE_SPAN in kinds:
        for code_span in text.markdown.codes:
            start, end = code_span.span
            ticks = len(written[start:end]) - len(written[start:end].lstrip("`"))
            yield CODE_SPAN, code_span.span, written[start + ticks : end - ticks].rjust(end - start - ticks)

"""Finds the scripts of a skill that a page runs by their path, with no program before it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text import shell
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

# The ends of files that nobody runs.
_DATA = (
    *(
        ".md",
        ".markdown",
        ".txt",
        ".rst",
        ".json",
        ".jsonl",
        ".yaml",
        ".yml",
        ".toml",
        ".ini",
        ".cfg",
        ".csv",
    ),
    *(
        ".tsv",
        ".xml",
        ".xsd",
        ".html",
        ".css",
        ".tex",
        ".sty",
        ".bib",
        ".svg",
        ".png",
        ".jpg",
        ".jpeg",
        ".gif",
    ),
    *(".pdf", ".docx", ".pptx", ".xlsx", ".ttf", ".otf", ".woff", ".woff2", ".zip", ".gz", ".lock", ".log"),
)
_MOST_SCRIPTS = 50  # that are looked up one by one
_LONGEST_START = 1_000  # characters before a path that can be part of its command
_VARIABLE = r"(?:\$?\{baseDir\}|\$\{?\w{0,40}SKILL_(?:DIR|ROOT|PATH)\}?)/"
# Where a command begins: a line, perhaps after a prompt and assignments, or after what ends a command.
_ASSIGNMENTS = r"(?:[A-Z_][A-Z0-9_]{0,40}=[^\s;|&()]{0,100} ){0,5}"
_FIRST = rf"[ \t]{{0,40}}(?:\$ )?{_ASSIGNMENTS}(?:sudo |exec |time )?"
_PATH = r"[A-Za-z0-9_.-]{1,80}(?:/[A-Za-z0-9_.-]{1,80}){0,8}"
_NAMED = rf"(?P<mark>[\"']?)(?P<named>\./|{_VARIABLE})?(?P<path>{_PATH})(?P=mark)(?=[\s;|&)`]|\Z)"
_COMMAND = lazy_pattern(rf"(?:^|(?<=[;|])|(?<=&&)|(?<=\$\()){_FIRST}{_NAMED}", re.MULTILINE)
_CODE = lazy_pattern(rf"`+ ?{_NAMED}")
_WORD = lazy_pattern(rf"(?P<named>\./|{_VARIABLE})?(?P<path>{_PATH})")
_BEFORE = lazy_pattern(
    rf"(?:(?:^|[;|]|&&|\$\(){_FIRST}[\"']?(?:\./|{_VARIABLE})?|` ?[\"']?(?:\./|{_VARIABLE}))\Z"
)
_RUN = lazy_pattern(
    r"\b(?:run|runs|running|execute|executes|invoke|start|call)(?: the script)?:? \Z", re.IGNORECASE
)


def pages_that_may_run(skill: Skill) -> tuple[Text, ...]:
    """Return the pages that may run a script of the skill by its path; a cheap question, without Markdown."""
    return skill.once(_running_pages)


def _running_pages(skill: Skill) -> tuple[Text, ...]:
    scripts = [path for path in skill.tree.files if _is_script(path)]
    pages = [text for text in skill.texts if text.is_page] if scripts else []
    if len(scripts) > _MOST_SCRIPTS:
        return tuple(text for text in pages if _has_command(skill, text.source.text))
    return tuple(text for text in pages if any(_may_run(text.source.text, path) for path in scripts))


def paths_to_run(skill: Skill, text: Text) -> Iterator[tuple[str, str, Span]]:
    """Yield each script of the skill that a page runs, as it is written there, and where.

    That is the first word of a command in a fence for a shell, with a directory before it; elsewhere only
    `./path`, or a path after a variable for the skill's directory, with arguments or after a word like "run".
    """
    from skilltool.rules.shared.regions import line_around  # it brings the parser of Markdown along
    from skilltool.rules.shared.shell_texts import FENCES, code_in_fence, language_of

    written = text.source.text
    for fence in text.markdown.fences:
        language = language_of(fence)
        if language in FENCES or not fence.info.strip():
            span, code = code_in_fence(text, fence)
            for command in shell.read(code, span.start).commands:
                word = command.run[0] if command.words else None
                match = _WORD.fullmatch(word.text) if word is not None else None
                if (
                    word is not None
                    and match is not None
                    and (match["named"] or (language and "/" in match["path"]))
                ):
                    start = written.find(word.text, word.span.start, word.span.end)
                    yield from _in_skill(skill, match, start)
    for code_span in text.markdown.codes:
        alone = _CODE.match(written, code_span.span.start, code_span.span.end)
        if alone and alone["named"]:
            before, _ = line_around(text, code_span.span)
            if " " in code_span.text.strip() or _RUN.search(before):
                yield from _in_skill(skill, alone, alone.start("named"))


def _in_skill(skill: Skill, match: re.Match[str], start: int) -> Iterator[tuple[str, str, Span]]:
    path = match["path"]
    if start >= 0 and path in skill.tree.files and _is_script(path):
        named = f"{match['named'] or ''}{path}"
        yield path, named, Span(start, start + len(named))


def _is_script(path: str) -> bool:
    return not path.lower().endswith(_DATA) and not posixpath.basename(path).startswith(".")


def _has_command(skill: Skill, page: str) -> bool:
    commands = (match for kind in (_COMMAND, _CODE) for match in kind.finditer(page))
    return any(command["path"] in skill.tree.files and _is_script(command["path"]) for command in commands)


def _may_run(page: str, path: str) -> bool:
    return any(_is_after_start(page, at) for at in _offsets(page, path))


def _is_after_start(page: str, at: int) -> bool:
    start = max(page.rfind("\n", max(at - _LONGEST_START, 0), at) + 1, at - _LONGEST_START, 0)
    return _BEFORE.search(page[start:at]) is not None


def _offsets(page: str, path: str) -> Iterator[int]:
    at = page.find(path)
    while at >= 0:
        yield at
        at = page.find(path, at + 1)

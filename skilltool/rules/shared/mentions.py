"""Finds mentions of the skill's files in its body, outside links: in prose, in code spans and in commands."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from skilltool.rules.shared.regions import Regions
from skilltool.rules.shared.skill_paths import (
    ANY_DIRECTORY,
    DIRECTORY_VARIABLES,
    ENDS,
    OWN_DIRECTORIES,
    OWNER,
    VARIABLE_PREFIXES,
)
from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

_PATH = lazy_pattern(r"[A-Za-z0-9_./-]{1,200}")
_EXTENSION = lazy_pattern(r"\.[A-Za-z][A-Za-z0-9]{0,5}\Z")
_WORD = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$}{<>~/\\:@%-"
# Variables and placeholders for a skill's directory, and what such a variable says of its owner.
_SKILL_DIRECTORY = lazy_pattern(rf"(?:{ANY_DIRECTORY})/\Z", re.IGNORECASE)
_OWNER = lazy_pattern(OWNER, re.IGNORECASE)
# How a path from the root of a file system begins: it names one machine and no file of the skill.
_FROM_ROOT = lazy_pattern(r"[/\\]|[A-Za-z]:")
# The ends of what may be before `skills/NAME/` for that to be a directory of its own: not `.acme-skills/NAME/`.
_BEFORE_DIRECTORY = ("", *"/\\:>@}")
_LOOK_BACK = 120
_MAX_MISSING = 500  # mentions of missing files in one body; the rest are ignored
# After a path, these say that it continues or is a pattern for several files.
_CONTINUES = frozenset("{<$[(%\u2026")


class Mention(NamedTuple):
    """A path under the skill that the body mentions; `explicit` if the text names the skill's directory."""

    path: str
    span: Span
    explicit: bool


@lru_cache(maxsize=4)
def mentions(skill: Skill) -> tuple[Mention, ...]:
    """Return all mentions of files in the order of the text, including those in links and comments."""
    return _sorted(_mentions(skill))


@lru_cache(maxsize=4)
def missing_mentions(skill: Skill) -> tuple[Mention, ...]:
    """Return the mentions of files that do not exist in the skill, at most `_MAX_MISSING`."""
    known: dict[str, bool] = {}
    return _sorted(islice(_mentions(skill, known), _MAX_MISSING))


def _sorted(found: Iterable[Mention]) -> tuple[Mention, ...]:
    return tuple({mention.span.start: mention for mention in sorted(found, key=_start)}.values())


def _start(mention: Mention) -> int:
    return mention.span.start


def _mentions(skill: Skill, known: dict[str, bool] | None = None) -> Iterator[Mention]:
    """Yield mentions; with `known`, a memory of which paths exist, only those of files that do not exist."""
    text, start = skill.source.text, skill.frontmatter.envelope.body.start
    for directory in OWN_DIRECTORIES:
        for at in _occurrences(text, directory, start):
            if known is not None and _exists(skill, text, at, known):
                continue
            before = _word_before(text, at)
            if text[at - 1 : at] == ")":  # `(forms)references/x.md`, of another skill
                continue
            explicit = _ends_in_own_directory(skill, before)
            if explicit or before in {"", "./", "@", "@./"}:
                yield from _mention(text, at, explicit)
    for prefix in (*DIRECTORY_VARIABLES, f"skills/{skill.name}/"):
        for at in _occurrences(text, prefix, start):
            after = at + len(prefix)
            exists = known is not None and _exists(skill, text, after, known)
            if not exists and not _is_of_another(skill, _word_before(text, after)):
                yield from _mention(text, after, explicit=True)


def _ends_in_own_directory(skill: Skill, word: str) -> bool:
    """Return whether `word`, all that stands before a path, names the skill's directory."""
    if not word.endswith("/"):
        return False
    named = word[-2:-1] in ENDS and _SKILL_DIRECTORY.search(word) is not None
    return (named or word.endswith(f"skills/{skill.name}/")) and not _is_of_another(skill, word)


def _is_of_another(skill: Skill, word: str) -> bool:
    """Return whether `word` ends in the variable of another skill, or in a directory that only looks like the own."""
    owner = _OWNER.search(word)
    if owner is not None:
        return owner[1].lower() not in {*VARIABLE_PREFIXES, re.sub(r"\W", "_", skill.name.lower())}
    own = f"skills/{skill.name}/"
    parent = word.removesuffix(own)
    return parent != word and not (parent[-1:] in _BEFORE_DIRECTORY and not _FROM_ROOT.match(parent))


def _exists(skill: Skill, text: str, at: int, known: dict[str, bool]) -> bool:
    """Return whether the path at offset `at` exists in the skill, as most do; the quick answer before `_mention`."""
    match = _PATH.match(text, at)
    if match is None:
        return False
    path = match[0].rstrip("./-")
    if path not in known:
        known[path] = skill.holds(posixpath.normpath(path))
    return known[path]


def _occurrences(text: str, word: str, start: int) -> Iterator[int]:
    at = text.find(word, start)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def _word_before(text: str, at: int) -> str:
    before = text[max(at - _LOOK_BACK, 0) : at]
    return before[len(before.rstrip(_WORD)) :]


def _mention(text: str, at: int, explicit: bool) -> Iterator[Mention]:
    match = _PATH.match(text, at)
    if match is None or text[match.end() : match.end() + 1] in _CONTINUES or match[0].endswith("/"):
        return
    written = match[0].rstrip("./-")
    path = posixpath.normpath(written)
    if _EXTENSION.search(written) and not path.startswith(("..", "/")):
        yield Mention(path, Span(at, at + len(written)), explicit)


_WINDOW = 2000  # characters before the path
# `the reader's scripts/x.py` belongs to somebody else; the `'s` may be on the line before.
_POSSESSIVE = lazy_pattern(r"['\u2019]s\s+[`\"(*]*\Z")
# So does a path after the name of another skill, up to the end of the sentence: "the `forms` skill
# (`scripts/x.py`)", or "`skills/forms/SKILL.md` and `references/x.md`".
_REST = r"(?![^\n]*[.;] )"
_QUOTED = lazy_pattern(
    r"(?:[`*\"\u201c]([\w:-]{1,80})[`*\"\u201d]{1,3}(?: [A-Z]\w{1,30})? (?:skill|plugin)\b"
    rf"|\b([\w-]{{1,80}})/SKILL\.md){_REST}"
)
# Without quotes a word before "skill" may say which kind of skill it is, and "its" may mean anything else:
# these count where a skill of that name is in the repository.
_PLAIN = lazy_pattern(
    rf"\b(?:the|from|in|of|with|via|use|using) ([\w-]{{1,80}}) (?:skill|plugin)\b{_REST}", re.IGNORECASE
)
_ITS = lazy_pattern(
    r"[`*]([\w:-]{1,80})[`*]{1,3},?(?: (?:skill|plugin))? ?[\u2014\u2013(:,-]{0,2} ?its\s[^.;\n]{0,60}\Z"
)
# "`forms` `references/x.md`" or "forms `references/x.md`": the name of a skill beside this one before the path.
_BEFORE_PATH = lazy_pattern(
    r"(?<![\w/.:-])[`*]{0,2}([\w:-]{1,80})[`*]{0,2}(?: (?:\u2192|->|=>|>))?:?\s[`*]{0,2}\Z"
)
# "`swift-forms-skill` (`references/x.md`": a name that says what it is, of a skill that need not be here.
_COMMUNITY = lazy_pattern(r"`[a-z0-9-]{1,80}-skills?`(?: \([a-z ]{1,30}\))?(?: \(|:? \[| \[)[`*]{0,3}\Z")
# "- `forms` (community): ...", an item about a skill of others.
_LISTED = lazy_pattern(
    r"[-*+ \t|]{0,8}[`*]{1,3}[\w:-]{1,80}[`*]{1,3} \((?:community|external|third[- ]party)\)", re.IGNORECASE
)
# After the path: "`references/x.md` of the skill forms", "in the `forms` skill".
_OF_SKILL = lazy_pattern(
    r"[^\s`]{1,200}`?\*{0,2} (?:of|in|from) (?:the )?(?:skill )?[`*]{0,3}([\w:-]{1,80})[`*]{0,3}( skill\b)?"
)
# A line that begins a block of its own, and a line of a list, a table or code, which the text before it introduces.
_BLOCK = lazy_pattern(r"[ \t>]{0,20}(?:[-*+][ \t]|\d{1,3}[.)][ \t]|[#|]|```|~~~)")


def belongs_to_another(skill: Skill, at: int, fences: Regions) -> bool:
    """Return whether the words before offset `at`, where a path begins, name another skill as its owner.

    `fences` are the fenced code blocks of the body.
    """
    text = skill.source.text[max(at - _WINDOW, 0) : at]
    if _POSSESSIVE.search(text[-40:]):
        return True
    if _COMMUNITY.search(text[-_LOOK_BACK:]):
        return True
    beside = _BEFORE_PATH.search(text[-_LOOK_BACK:])
    if beside is not None and beside[1] != skill.name and _names_skill(skill, beside[1]):
        return True
    after = _OF_SKILL.match(skill.source.text, at, at + _LOOK_BACK * 3)
    if after is not None and after[1] != skill.name and (after[2] or _names_skill(skill, after[1])):
        return True
    if any(_names_another(skill, words) for words in _introductions(text, at in fences)):
        return True
    return at not in fences and _is_of_named(skill, at, text)


def _is_of_named(skill: Skill, at: int, before: str) -> bool:
    """Return whether the paragraph or list item names, before a path, a skill of the repository that has the file."""
    path = _PATH.match(skill.source.text, at)
    if path is None:
        return False
    words = _last_sentence(before.split("\n"))
    named = {match[1] for match in _CALLED.finditer(words)} - {skill.name}
    return any(skill.surroundings.is_in_repository(f"{name}/{path[0].rstrip('./-')}") for name in named)


# `forms`, or with the plugin before it, `office:forms`.
_CALLED = lazy_pattern(r"`(?:[\w-]{1,80}:)?([a-z0-9]+(?:-[a-z0-9]+)*)`")


def introduction_of(skill: Skill, at: int, fences: Regions) -> str:
    """Return the text with a colon that introduces the list, table or code in which offset `at` is; "" for none."""
    text = skill.source.text[max(at - _WINDOW, 0) : at]
    return next(islice(_introductions(text, at in fences), 1, None), "")


def section_heading(skill: Skill, at: int) -> str:
    """Return the text of the last heading before offset `at`; "" for none."""
    headings = skill.markdown.headings
    number = bisect_left([heading.span.start for heading in headings], at)
    return headings[number - 1].text if number else ""


_CELL_END = lazy_pattern(r"(?<!\\)\|")


def table_heading(skill: Skill, at: int) -> str:
    """Return the heading of the column of a table in which offset `at` is; "" outside a table."""
    text = skill.source.text[max(at - _WINDOW, 0) : at]
    *above, row = text.split("\n")
    if not row.lstrip().startswith("|"):
        return ""
    first = ""
    while above and above[-1].lstrip().startswith("|"):
        first = above.pop()
    cells = _CELL_END.split(first)
    column = len(_CELL_END.findall(row))
    return cells[column] if column < len(cells) else ""


def rest_of_sentence(skill: Skill, at: int) -> str:
    """Return what follows offset `at` in its sentence, also on the next lines, in one line."""
    text = skill.source.text[at : at + _LOOK_BACK * 3].partition("\n\n")[0]
    return re.split(r"\.\s", " ".join(text.split()))[0]


_VARIABLE = lazy_pattern(r"\$\{?(\w{1,80})\}?/(?:[\w.-]{1,40}/){0,3}\Z")


def is_below_assigned(skill: Skill, mention: Mention) -> bool:
    """Return whether a path follows a variable that the body sets, and exists under some directory of the skill.

    Or the body sets the variable to a directory of another skill or plugin, such as one that is installed.
    """
    text = skill.source.text
    variable = _VARIABLE.search(text, max(mention.span.start - _LOOK_BACK, 0), mention.span.start)
    if variable is None:
        return False
    values = re.findall(rf"(?<![\w$]){variable[1]}=([^\n]{{0,300}})", text[: mention.span.start])
    if any(_OF_OTHERS.search(value) and skill.name not in value for value in values):
        return True
    return bool(values) and any(path.endswith(f"/{mention.path}") for path in skill.tree.files)


# `$(ls -d ~/.claude/plugins/cache/video/watch/*/skills/watch | tail -1)`
_OF_OTHERS = lazy_pattern(r"(?:~|\$HOME|\$\{HOME\})/[^\s\"')]{0,200}/(?:skills|plugins)/[\w.-]")


def _names_another(skill: Skill, words: str) -> bool:
    """Return whether the words name another skill."""
    if _LISTED.match(words):
        return True
    quoted = _QUOTED.search(words)
    if quoted is not None and skill.name not in quoted.groups():
        return True
    weak = (match[1] for pattern in (_PLAIN, _ITS) if (match := pattern.search(words)) is not None)
    return any(name != skill.name and _names_skill(skill, name) for name in weak)


def _names_skill(skill: Skill, name: str) -> bool:
    """Return whether a skill called `name` is beside this one, or in the `skills` of a directory above."""
    return any(skill.exists_above(f"{parent}{name}/{FILE_NAME}") for parent in ("", "skills/"))


def _introductions(text: str, in_fence: bool) -> Iterator[str]:
    """Yield the sentence that `text` ends in, and the text with a colon that introduces its list, table or code."""
    lines = text.split("\n")
    if in_fence:
        while len(lines) > 1 and not lines[-1].lstrip(" \t>").startswith(("```", "~~~")):
            lines.pop()
    sentence = _last_sentence(lines)
    yield sentence
    in_block = _BLOCK.match(sentence) is not None
    while lines and (not lines[-1].strip() or (in_block and _continues_block(lines[-1]))):
        lines.pop()
    if lines and lines[-1].rstrip(" \t*_").endswith(":"):
        yield _last_sentence(lines)


def _continues_block(line: str) -> bool:
    return line[:1] in " \t" or _BLOCK.match(line) is not None


def _last_sentence(lines: list[str]) -> str:
    """Remove the lines of the last paragraph or list item, and return them as one."""
    taken = [lines.pop()]
    while lines and lines[-1].strip() and not _BLOCK.match(taken[-1]):
        taken.append(lines.pop())
    return " ".join(line.strip() for line in reversed(taken))


# The directories of nearly every software project. Commands that name them run in the root of one.
_SOURCES = lazy_pattern(r"(?<![\w./\\:@-])(?:\./)?(src|tests?)/")
# `NAME/scripts/x.py`: the `scripts` of the directory NAME.
_ROOTED = lazy_pattern(r"(?<![\w./\\:@${}<>~%-])([A-Za-z0-9][\w.-]{0,80})/(scripts|assets)/[\w*]")


@lru_cache(maxsize=4)
def project_blocks(skill: Skill) -> Regions:
    """Return the code blocks whose commands run in a project's root.

    One block is run in one directory. It is a project's if a line names `src/` or `tests/`, which the skill does
    not have, and no line names a file that the skill has. A line that names a `scripts/...` does not count: its
    `src/` may be an argument to a script of the skill.
    """
    text, fences = skill.source.text, skill.markdown.fences
    if not any(_SOURCES.search(text, fence.span.start, fence.span.end) for fence in fences):
        return Regions(())
    named = mentions(skill)
    own = [mention.span.start for mention in named if skill.holds(mention.path)]
    starts = [mention.span.start for mention in named]
    return Regions(
        fence.span
        for fence in fences
        if not _any_in(own, fence.span)
        and any(_names_sources(skill, line, starts) for line in _lines(text, fence.span))
    )


def _names_sources(skill: Skill, line: Span, mentioned: list[int]) -> bool:
    match = _SOURCES.search(skill.source.text, line.start, line.end)
    return match is not None and match[1] not in skill.tree.directories and not _any_in(mentioned, line)


def _any_in(offsets: list[int], span: Span) -> bool:
    """Return whether one of the sorted offsets is in `span`."""
    at = bisect_left(offsets, span.start)
    return at < len(offsets) and offsets[at] < span.end


def _lines(text: str, block: Span) -> Iterator[Span]:
    at = block.start
    for line in text[block.start : block.end].splitlines(keepends=True):
        yield Span(at, at + len(line))
        at += len(line)


@lru_cache(maxsize=4)
def project_directories(skill: Skill) -> frozenset[str]:
    """Return which of `scripts` and `assets` are a project's by the body's own words.

    They are if the skill has no such directory, and the body names one under another: `shop/scripts/check.py`.
    """
    text = skill.source.text
    if "/scripts/" not in text and "/assets/" not in text:
        return frozenset()
    found = {
        match[2]
        for match in _ROOTED.finditer(text, skill.frontmatter.envelope.body.start)
        if match[2] not in skill.tree.directories and not _is_skill(skill, match[1])
    }
    return frozenset(found)


def _is_skill(skill: Skill, name: str) -> bool:
    return name in {"skill", skill.name} or skill.exists_above(f"{name}/{FILE_NAME}")


_MAX_FILES = 500  # of one skill; a larger skill is not checked
_TEXTS = lazy_pattern(
    r"\.(?:md|markdown|txt|py|sh|bash|js|mjs|cjs|ts|tsx|jsx|rb|go|rs|ps1|json|ya?ml|toml|html?|css|sql|cfg|ini|tex)\Z",
    re.IGNORECASE,
)
_MODULES = lazy_pattern(r"\A(?P<stem>[\w-]+)\.(?:py|m?js|cjs|tsx?|jsx|rb|sh)\Z")
# Files for people, packaging tools and tests, which the model does not need.
_NOT_FOR_MODEL = """
license* licence* notice* trademark* copying* readme* changelog* contributing* authors* security* version spec.md
package*.json requirements*.txt pyproject.toml setup.py setup.cfg tsconfig*.json *.lock *.lockb go.mod go.sum cargo.toml makefile dockerfile*
__init__.py __main__.py conftest.py test_* test-* *_test.* *.test.* *.spec.* *.pyc
_meta.json origin.json skill.json metadata.json plugin.json .*
""".split()  # noqa: SIM905 - a list of patterns reads best as words
_TEST_DIRECTORIES = frozenset({"evals", "eval", "evaluations", "__tests__", "fixtures", "agents"})
_SEPARATOR = lazy_pattern(r"[-_]")


def orphan_files(skill: Skill) -> Iterator[str]:
    """Yield each file that no text of the skill mentions by its name, by its directory or as a module.

    Files that the model does not need, such as licenses and tests, are left out. Nothing is yielded for a skill
    with too many files, or with directories that are not read.
    """
    if skill.in_repository_root or not skill.tree.complete:
        return
    expected = [path for path in sorted(skill.tree.files) if _should_be_mentioned(skill, path)]
    if not expected or len(skill.tree.files) > _MAX_FILES:
        return
    texts = {skill.file_name: skill.source.text}  # it mentions most of them, so it is asked first
    texts |= {
        path: skill.read_text(path) or ""
        for path in skill.tree.files
        if _TEXTS.search(path) and path != skill.file_name
    }
    everything = "\0".join(texts.values())  # no name goes on across the character
    for path in expected:
        if _covers_directory(skill.body, path):
            continue
        others = (text for other, text in texts.items() if other != path)
        if not _mentions_of_files(everything, path) or not any(
            _mentions_of_files(text, path) for text in others
        ):
            yield path


def is_read(skill: Skill, file: str) -> bool:
    """Return whether a model comes to a page: its SKILL.md, empty here, names it by its name or a directory.

    Clients load agents and commands by themselves. Other pages are for people, logs, or copied with what the
    skill needs.
    """
    return not file or file.startswith(("agents/", "commands/")) or skill.once(_is_named, file)


def _is_named(skill: Skill, path: str) -> bool:
    return _covers_directory(skill.body, path) or _mentions_of_files(skill.body, path)


def _should_be_mentioned(skill: Skill, path: str) -> bool:
    """Return whether a file is for the model and belongs to this skill, not to one nested in it."""
    *directories, name = path.lower().split("/")
    for_tests = any(part in _TEST_DIRECTORIES or part.startswith((".", "test")) for part in directories)
    if path == skill.file_name or for_tests or any(fnmatch(name, pattern) for pattern in _NOT_FOR_MODEL):
        return False
    parts = path.split("/")[:-1]
    above = ("/".join(parts[: count + 1]) for count in range(len(parts)))
    return not any(f"{directory}/{FILE_NAME}" in skill.tree.files for directory in above)


def _covers_directory(body: str, path: str) -> bool:
    """Return whether the body mentions a directory of the file as a whole: `assets/`, `assets/*.png`."""
    parts = path.split("/")[:-1]
    return any(
        re.search(rf"(?<![\w-]){re.escape(part)}/(?![\w-]|\.\w)", body) or f"{part}/**" in body
        for part in parts
    )


def _mentions_of_files(text: str, path: str) -> bool:
    """Return whether a text mentions a file by name, by a pattern for its name, or as a module to import."""
    name = path.rpartition("/")[2]
    if name in text or _mentions_pattern(text, name):
        return True
    module = _MODULES.match(name)
    return (
        module is not None and re.search(rf"(?<![\w-]){re.escape(module['stem'])}(?![\w-])", text) is not None
    )


def _mentions_pattern(text: str, name: str) -> bool:
    """Return whether a text mentions files by a prefix of `name`: `form-<year>.md`, `form-*`, `form-`."""
    prefixes = (name[: match.end()] for match in _SEPARATOR.finditer(name))
    return any(re.search(rf"(?<![\w-]){re.escape(prefix)}[`*<{{\[$]", text) for prefix in prefixes)

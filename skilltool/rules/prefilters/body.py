"""Prefilters that look at the body of a skill and the files beside it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from skilltool.rules.shared.skill_paths import OWN_DIRECTORIES, VARIABLE_HINTS
from skilltool.runtimes.base import ARGUMENTS, Runtime
from skilltool.skill.model import Skill

_PLAIN_PATH = re.compile(r"\w[\w./-]*", re.ASCII)
_INLINE = re.compile(r"\]\([ \t\r\n]*([^) \t\r\n]*)")
_OWN_PATHS = tuple(re.compile(rf"{top}[A-Za-z0-9_./-]{{0,{200 - len(top)}}}") for top in OWN_DIRECTORIES)
# ASCII in lower case.
_LOADERS = (b"curl", b"wget", b"iwr", b"invoke-", b"downloadstring")
_SHORT_LOADER = rb"\birm\b"
_ENCODERS = (b"base64", b"b64decode", b"atob", b"powershell", b"pwsh")
_ARCHIVERS = (b"unzip", b"7z", b"unrar")
_PLACEHOLDERS = (
    b"todo",
    b"fixme",
    b"tbd",
    b"[insert",
    b"[your",
    b"[fill in",
    b"[add your",
    b"<insert",
    b"<your",
    b"{{",
)
_PASSWORD = "\u5bc6\u7801".encode()
_ALSO_ASCII = "\u0130\u0131\u017f\u212a"  # what `re.IGNORECASE` takes for i, s or k
_FENCED, _WAVED = re.compile("```"), re.compile("```|~~~")
_BEFORE_HTML = " \t>*+0123456789.)-"


def has_no_body(skill: Skill, target: Runtime) -> bool:
    """Return whether there is only whitespace after the frontmatter."""
    return not skill.body[:100].strip() and not skill.body.strip()


def has_symlinks(skill: Skill, target: Runtime) -> bool:
    """Return whether the skill's directory contains a symlink."""
    return bool(skill.tree.links)


def has_doubtful_links(skill: Skill, target: Runtime) -> bool:
    """Return whether a link of the body may lead to a file that does not exist.

    A destination follows `](` or is in a link definition. Each text after `](` that can be a path is
    looked up; definitions, fragments, and destinations that may extend past the next whitespace or
    parenthesis are left to the Markdown parser.
    """
    body = skill.body
    if "]:" in body:
        return True
    doubtful = [target for target in set(_INLINE.findall(body)) if not _exists(skill, target)]
    if not doubtful:
        return False
    from skilltool.rules.shared.link_targets import is_surely_valid

    return any(not is_surely_valid(skill, target) for target in doubtful)


def _exists(skill: Skill, target: str) -> bool:
    """Return True only for a path of plain characters to an existing file of the skill."""
    return _PLAIN_PATH.fullmatch(target) is not None and skill.holds(posixpath.normpath(target))


def names_missing_files(skill: Skill, target: Runtime) -> bool:
    """Return whether the body mentions a file that is not in the skill."""
    body = skill.body
    if not any(hint in body for hint in (*VARIABLE_HINTS, f"skills/{skill.name}/")):
        named = {path for paths in _OWN_PATHS for path in paths.findall(body)}
        if all(skill.holds(posixpath.normpath(path.rstrip("./-"))) for path in named):
            return False
    from skilltool.rules.shared.mentions import missing_mentions

    return bool(missing_mentions(skill))


def has_odd_fences(skill: Skill, target: Runtime) -> bool:
    """Return whether the fences are anything but plain pairs, each with its code indented at least as much.

    Such a pair is closed, or no fence at all, in whatever list it is. Fences in quotes or after a list mark,
    and those that may be inside HTML, are left to the Markdown parser.
    """
    body = skill.body
    if "```" not in body and "~~~" not in body:
        return False
    if "\r" in body:
        body = body.replace("\r\n", "\n").replace("\r", "\n")
    opened, start, done = "", 0, 0
    for found in (_WAVED if "~~~" in body else _FENCED).finditer(body):
        if found.start() < done:
            continue  # in the same line as the one before
        begin = body.rfind("\n", 0, found.start()) + 1
        if not opened and _has_html_line(body, done, begin):
            return True
        done = (body.find("\n", found.end()) + 1) or len(body) + 1
        line = body[begin : done - 1]
        text = line.lstrip(" ")
        info = text.lstrip("`" if text.startswith("`") else "~")
        marks = line[: len(line) - len(info)]
        if len(text) - len(info) < 3 or "`" in info or "~~~" in info:
            return True
        if opened and (marks != opened or info.strip(" \t") or _is_outdented(body, start, begin, line)):
            return True
        opened, start = "" if opened else marks, begin
    return bool(opened) or _has_html_line(body, done, len(body))


def _has_html_line(body: str, start: int, end: int) -> bool:
    """Return whether a line between two offsets begins with `<`, after blanks, quote and list marks."""
    at = body.find("<", start, end)
    while at >= 0:
        line = body.rfind("\n", 0, at) + 1
        if not body[line:at].strip(_BEFORE_HTML):
            return True
        line = body.find("\n", at, end)
        at = body.find("<", line, end) if line >= 0 else -1
    return False


def _is_outdented(body: str, start: int, end: int, closing: str) -> bool:
    """Return whether a line between two offsets, other than of blanks, is indented less than a fence."""
    indent = closing[: len(closing) - len(closing.lstrip(" "))]
    if not indent:
        return False
    lines = body[start:end].split("\n")[:-1]
    return any(not line.startswith(indent) and line.strip(" \t") for line in lines)


def has_arguments(skill: Skill, target: Runtime) -> bool:
    """Return whether the body contains `$ARGUMENTS`, or the runtime may read names of arguments with a comma."""
    named = target.reading is not None and "arguments" in (skill.frontmatter.data or ())
    return named or ARGUMENTS in skill.body


def has_positional_arguments(skill: Skill, target: Runtime) -> bool:
    """Return whether the body contains a positional argument (`$1`), or `$ARGUMENTS` as part of a longer word."""
    body = skill.body
    return ARGUMENTS in body or any(body[at + 1 : at + 2].isdigit() for at in _offsets(body, "$"))


def has_numbers_after_dollars(skill: Skill, target: Runtime) -> bool:
    """Return whether the runtime was measured, and the body contains a `$` before a digit."""
    body = skill.body
    return target.reading is not None and any(body[at + 1 : at + 2].isdigit() for at in _offsets(body, "$"))


def has_mentions(skill: Skill, target: Runtime) -> bool:
    """Return whether the runtime was measured, and the body contains an `@`."""
    return target.reading is not None and "@" in skill.body


def has_load_time_marks(skill: Skill, target: Runtime) -> bool:
    """Return whether the body may contain a command that runs when the skill is loaded."""
    body = skill.body
    return "!" in body and ("!`" in body or "``!" in body or "~~!" in body)


def may_run_at_load_time(skill: Skill, target: Runtime) -> bool:
    """Return whether the body or a hook may contain a command that runs when the skill is loaded."""
    return "hooks" in (skill.frontmatter.data or ()) or has_load_time_marks(skill, target)


def may_be_invisible(skill: Skill, target: Runtime) -> bool:
    """Return whether the file contains a character beyond ASCII that Unicode does not print."""
    text = skill.source.text
    if text.isascii():
        return False
    return not text.replace("\n", "").replace("\r", "").replace("\t", "").isprintable()


def has_downloads(skill: Skill, target: Runtime) -> bool:
    """Return whether the file contains a URL and the name of a program that downloads."""
    folded = _folded(skill)
    return b"://" in folded and (
        _holds_any(folded, _LOADERS) or (b"irm" in folded and re.search(_SHORT_LOADER, folded) is not None)
    )


def has_passwords(skill: Skill, target: Runtime) -> bool:
    """Return whether the file contains a URL and something like a password."""
    folded = _folded(skill)
    return b"://" in folded and (
        b"pass" in folded or _PASSWORD in folded or (b"-p" in folded and _holds_any(folded, _ARCHIVERS))
    )


def has_encoded_text(skill: Skill, target: Runtime) -> bool:
    """Return whether the file contains the name of a program or function that decodes."""
    return _holds_any(_folded(skill), _ENCODERS)


def has_home_paths(skill: Skill, target: Runtime) -> bool:
    """Return whether the file may contain a path into a user's home directory."""
    return "/home/" in skill.source.text or "Users" in skill.source.text


def has_placeholders(skill: Skill, target: Runtime) -> bool:
    """Return whether the file contains a word that templates leave to be replaced."""
    return _holds_any(_folded(skill), _PLACEHOLDERS)


@lru_cache(maxsize=2)
def _folded(skill: Skill) -> bytes:
    """Return the file's text with its ASCII letters, and what `re.IGNORECASE` takes for them, in lower case.

    As bytes it takes a fifth of the time of folding the case of all letters.
    """
    text = skill.source.text
    if any(letter in text for letter in _ALSO_ASCII):
        text = text.casefold().replace("i\u0307", "i").replace("\u0131", "i")
    return text.encode("utf-8", "surrogatepass").lower()


def _holds_any(text: bytes, words: Iterable[bytes]) -> bool:
    return any(word in text for word in words)


def _offsets(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)

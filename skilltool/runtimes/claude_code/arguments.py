"""The words of what a user or model gives a skill: Claude Code reads them as a shell reads one command.

Source: 170 texts of arguments given to version 2.1.329, and what it sent for `$0` to `$3` and `$ARGUMENTS`.
Nothing is expanded. Text without a command, such as a comment, is split at its spaces.
"""

from __future__ import annotations

from skilltool.text.lazy_pattern import lazy_pattern

_ASSIGNMENT = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_REDIRECT = lazy_pattern(r"\d*[<>]")
_ENDS = frozenset(";|&\n")
_BLANK = frozenset(" \t\r")
_RESERVED = lazy_pattern(r"(?:!|\{|if|then|else|elif|while|until|do)[ \t\r]")
_AT_WORD = lazy_pattern(r"(?<!\S)!")


def words(text: str) -> list[str]:
    """Return the words of the first command in a text that has any."""
    return _first_command(text) or text.split()


def defused(value: str) -> str:
    """Return a value as it is put in place of a placeholder, so that no `!` of it begins a command."""
    return _AT_WORD.sub(r"\\!", value.replace("!`", "! `"))


def _first_command(text: str) -> list[str]:
    found: list[str] = []
    at, end = 0, len(text)
    while at < end:
        character = text[at]
        if character in _BLANK or text.startswith("\\\n", at):
            at += 1 + (character == "\\")
        elif character == "#":
            at = _line_end(text, at)
        elif character in _ENDS or character == ")":
            if found:
                break
            at += 1
        elif character == "(":
            at = _closing(text, at) if found else at + 1
        elif redirect := _REDIRECT.match(text, at):
            if found or text.startswith("<<", at):
                break
            at = _word(text, redirect.end())[1]
        else:
            begin = at
            word, at = _word(text, at)
            is_command = found or not (_ASSIGNMENT.match(text, begin) or _RESERVED.match(text, begin))
            if is_command and text[begin:at] != "\\":  # which ends the text
                found.append(word)
    return found


def _word(text: str, start: int) -> tuple[str, int]:
    """Return the word that begins at an offset, and where it ends; with an open quote it is all the rest."""
    parts: list[str] = []
    at = start
    while at < len(text):
        character = text[at]
        if character in _BLANK or character in _ENDS or character in "()<>" or text.startswith("\\\n", at):
            break
        if character == "\\":
            parts.append(text[at + 1 : at + 2])
            at += 2
        elif character in "\"'":
            close = _closing_quote(text, at)
            if close < 0:
                return text[start:], len(text)
            parts.append(text[at + 1 : close])
            at = close + 1
        elif character == "`" or text.startswith(("$(", "${", "$'"), at):
            close = _closing(text, at + (character == "$"))
            parts.append(text[at:close])
            at = close
        else:
            parts.append(character)
            at += 1
    return "".join(parts), min(at, len(text))


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _closing_quote(text: str, at: int) -> int:
    quote, at = text[at], at + 1
    while at < len(text) and text[at] != quote:
        at += 2 if quote == '"' and text[at] == "\\" else 1
    return at if at < len(text) else -1


def _closing(text: str, at: int) -> int:
    """Return the offset after what closes the bracket or quote at an offset, the end of the text for none."""
    opening = text[at]
    if opening in "`'":
        close = text.find(opening, at + 1)
        return len(text) if close < 0 else close + 1
    closing = {"(": ")", "{": "}"}[opening]
    depth = 0
    for index in range(at, len(text)):
        depth += (text[index] == opening) - (text[index] == closing)
        if depth == 0:
            return index + 1
    return len(text)

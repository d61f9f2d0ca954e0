"""What does qwen-code send for a text that the user types in headless mode (`qwen -p TEXT`)?

Source: `nonInteractiveCliCommands.ts` and `utils/commands.ts` in `packages/cli/src` of 0.24.4, and records.
"""

from __future__ import annotations

import re

from skilltool.emulation.javascript import trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.qwen_code.call import is_own, text_of, text_of_own
from skilltool.runtimes.qwen_code.state import manifest_of, state_of
from skilltool.runtimes.values import LoadedSkill, Sent

_BLANK = r"[\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"
_WORD = re.compile(rf"(?!{_BLANK})(?:(?!{_BLANK})[\s\S])+")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")
_MOST_AT_ONCE = 5


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a typed text: up to five skills, `/a /b text`, or the text itself."""
    typed = trim(text)
    words = list(_WORD.finditer(typed, 1)) if _is_command(text) else []
    if not words:
        return _sent([text])
    name = words[0][0]
    found = _named(session, name)
    if found is None:
        refused = any(skill.name == name for skill in _of_user(session))
        shown = f'The command "/{name}" is not supported in this mode.'
        return Sent((), shown=shown) if refused else _sent([text])
    several = [found]
    rest = words[0].end()
    for word in words[1:_MOST_AT_ONCE]:
        more = _named(session, word[0][1:]) if word[0].startswith("/") else None
        if more is None:
            break
        several.append(more)
        rest = word.end()
    given = trim(typed[rest:])
    if len(several) > 1:
        return _sent([*several, *([given] if given else [])], "".join(several))
    return _sent([found + (_arguments(typed, name, given) if given else "")], found)


def _is_command(text: str) -> bool:
    """Whether a text begins with a command: not with a path or a comment."""
    if not text.startswith("/") or text.startswith(("//", "/*")):
        return False
    first = _WORD.search(text, 1)
    return first is not None and not set("/\\") & set(first[0])


def _of_user(session: Session) -> list[LoadedSkill]:
    """Return the skills that are commands, or would be if the file let the user call them."""
    state = state_of(session)
    return [skill for skill in state.found if state.is_on(skill)]


def _named(session: Session, name: str) -> str | None:
    """Return the text that carries the skill of this name, None if the user can call none."""
    for skill in _of_user(session):
        if skill.name == name and manifest_of(skill).for_user is not False:
            return text_of(skill)
    return text_of_own(name) if is_own(session, name) else None


def _arguments(typed: str, name: str, given: str) -> str:
    """Return what follows the text of a skill: the typed text, and where its arguments are."""
    file = f".qwen/tmp/s-<SESSION>/qwen-skill-args-{_UNSAFE.sub('_', name)}.txt"
    return (
        f"\n\n{typed}\n\nYour invocation arguments have been written verbatim to a session-private file. Its "
        "exact path is below — use it wherever these instructions say to read the args file (e.g. `< "
        f"'{file}'`), and do not retype the arguments, which is how they get mistyped.\n"
        f"<skill-args-file>{file}</skill-args-file>\n<skill-args>{given}</skill-args>\n"
    )


def _sent(parts: list[str], text: str | None = None) -> Sent:
    content = [{"type": "text", "text": part} for part in parts]
    return Sent(({"role": "user", "content": content},), text)

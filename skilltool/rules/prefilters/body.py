"""Prefilters that look at the body of a skill and the files beside it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

from skilltool.rules.shared import hints
from skilltool.rules.shared.skill_paths import OWN_DIRECTORIES, VARIABLE_HINTS
from skilltool.runtimes.base import ARGUMENTS, Runtime
from skilltool.skill.companions import companions
from skilltool.skill.model import Skill
from skilltool.skill.skill_file import namesakes
from skilltool.skill.texts import Text

_OWN_PATHS = tuple(re.compile(rf"{top}[A-Za-z0-9_./-]{{0,{200 - len(top)}}}") for top in OWN_DIRECTORIES)


def has_no_body(skill: Skill, target: Runtime) -> bool:
    """Return whether there is only whitespace after the frontmatter."""
    return not skill.body[:100].strip() and not skill.body.strip()


def has_symlinks(skill: Skill, target: Runtime) -> bool:
    """Return whether the skill's directory contains a symlink."""
    return bool(skill.tree.links)


def has_companions(skill: Skill, target: Runtime) -> bool:
    """Return whether the skill has a file that clients read beside its SKILL.md."""
    return any(companion.file in skill.tree.files for companion in companions())


def has_namesakes(skill: Skill, target: Runtime) -> bool:
    """Return whether another file of the skill has the name of its SKILL.md but for case."""
    return bool(namesakes(skill.tree.files))


def has_doubtful_links(skill: Skill, target: Runtime) -> bool:
    """Return whether a link of a page may lead to a file that does not exist."""
    from skilltool.rules.shared.doubtful_links import pages_with_doubtful_links

    return bool(pages_with_doubtful_links(skill))


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
    """Return whether the fences of a page are anything but plain pairs."""
    return _any(skill, hints.has_odd_fences)


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
    """Return whether a text file contains a character beyond ASCII that Unicode does not print."""
    return _any(skill, hints.may_be_invisible)


def has_downloads(skill: Skill, target: Runtime) -> bool:
    """Return whether a text file may download something."""
    return _any(skill, hints.has_downloads)


def has_passwords(skill: Skill, target: Runtime) -> bool:
    """Return whether a text file contains a URL and something like a password."""
    return _any(skill, hints.has_passwords)


def has_encoded_text(skill: Skill, target: Runtime) -> bool:
    """Return whether a text file contains the name of a program or function that decodes."""
    return _any(skill, hints.has_encoded_text)


def has_home_paths(skill: Skill, target: Runtime) -> bool:
    """Return whether a text file may contain a path into a user's home directory."""
    return _any(skill, hints.has_home_paths)


def has_scripts(skill: Skill, target: Runtime) -> bool:
    """Return whether a page may run a script by its path, or a script has a carriage return in its first line."""
    from skilltool.rules.shared.run_paths import pages_that_may_run

    return _any(skill, hints.has_carriage_return_after_interpreter) or bool(pages_that_may_run(skill))


def has_conflict_marks(skill: Skill, target: Runtime) -> bool:
    """Return whether a text file contains what begins the conflict of a merge."""
    return _any(skill, hints.has_conflict_marks)


def has_secrets(skill: Skill, target: Runtime) -> bool:
    """Return whether a text file contains a secret with a known prefix, or a private key."""
    return _any(skill, hints.has_secrets)


def has_placeholders(skill: Skill, target: Runtime) -> bool:
    """Return whether a page contains a word that templates leave to be replaced."""
    return _any(skill, hints.has_placeholders)


def _any(skill: Skill, hint: Callable[[Text], bool]) -> bool:
    return any(text.once(hint) for text in skill.texts)


def _offsets(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)

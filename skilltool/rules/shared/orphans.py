"""Which files of a skill does none of its texts mention?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatch

from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME

_MAX_FILES = 500  # of one skill; a larger skill is not checked
_TEXTS = re.compile(
    r"\.(?:md|markdown|txt|py|sh|bash|js|mjs|cjs|ts|tsx|jsx|rb|go|rs|ps1|json|ya?ml|toml|html?|css|sql|cfg|ini|tex)\Z",
    re.IGNORECASE,
)
_MODULES = re.compile(r"(?P<stem>[\w-]+)\.(?:py|m?js|cjs|tsx?|jsx|rb|sh)\Z")
# Files for people, packaging tools and tests, which the model does not need.
_NOT_FOR_MODEL = """
license* licence* notice* trademark* copying* readme* changelog* contributing* authors* security* version spec.md
package*.json requirements*.txt pyproject.toml setup.py setup.cfg tsconfig*.json *.lock *.lockb go.mod go.sum cargo.toml makefile dockerfile*
__init__.py __main__.py conftest.py test_* test-* *_test.* *.test.* *.spec.* *.pyc
_meta.json origin.json skill.json metadata.json plugin.json .*
""".split()  # noqa: SIM905 - a list of patterns reads best as words
_TEST_DIRECTORIES = frozenset({"evals", "eval", "evaluations", "__tests__", "fixtures", "agents"})
_SEPARATOR = re.compile(r"[-_]")


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
    texts = {path: skill.read_text(path) or "" for path in skill.tree.files if _TEXTS.search(path)}
    texts[skill.file_name] = skill.source.text
    for path in expected:
        others = (text for other, text in texts.items() if other != path)
        if not _covers_directory(skill.body, path) and not any(_mentions(text, path) for text in others):
            yield path


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
        re.search(rf"(?<![\w-]){re.escape(part)}/(?![\w.-])", body) or f"{part}/**" in body for part in parts
    )


def _mentions(text: str, path: str) -> bool:
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

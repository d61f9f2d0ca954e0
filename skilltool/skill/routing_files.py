"""Which files may have routing cases, by their paths? What is in them decides: `routing_cases` reads it."""

from __future__ import annotations

ENDINGS = (".json", ".jsonl", ".ndjson", ".yaml", ".yml")
# Directories of a skill or a project in which people keep cases; elsewhere JSON and YAML are other things.
FOLDERS = ("evals", "eval", "tests", "test")
_TELLING = ("trigger", "routing", "eval_queries", "eval-queries")  # in names of files


def has_telling_name(name: str) -> bool:
    """Return whether the name of a file says that it has routing cases; most names do not."""
    lower = name.lower()
    return lower.endswith(ENDINGS) and any(word in lower for word in _TELLING)


def may_have_cases(path: str) -> bool:
    """Return whether a file of a skill may have routing cases, by its path under the skill."""
    if not path.lower().endswith(ENDINGS):
        return False
    top, inside, _ = path.partition("/")
    return top in FOLDERS if inside else has_telling_name(path)

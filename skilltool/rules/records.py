"""What is left of a skill that has been checked, and what rules about many skills find in that."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from skilltool.findings.diagnostic import Diagnostic, Location

if TYPE_CHECKING:
    from skilltool.runtimes.base import Runtime

_ROOT = re.compile(r"(?P<holder>.*?)(?P<hidden>/\.[^/]+)?/skills")


def root_of(parent: str, target: Runtime) -> str:
    """Return the target's own root that a skill in the directory `parent` belongs to, else `parent` itself."""
    for root in target.project_roots:
        before, found, _behind = f"{parent}/".rpartition(f"/{root}/")
        if found:
            return f"{before}/{root}"
    return parent


class Record(NamedTuple):
    """What is kept of a checked skill for the rules that look at many.

    `path` is the file as reports print it; `directory` the absolute path of the skill; `skill`
    the directory's name; `name` the frontmatter's, None where there is none; `location` is where
    that name stands; `keywords` are those
    of the triggers.
    """

    path: str
    directory: str
    skill: str
    name: str | None
    location: Location
    keywords: tuple[str, ...] = ()

    @property
    def parent(self) -> str:
        """The directory in which the skill's directory is."""
        return self.directory.rpartition("/")[0]

    @property
    def holder(self) -> str | None:
        """The directory whose `skills` or `.anything/skills` holds the skill, None if it is in no such root."""
        found = _ROOT.fullmatch(self.parent)
        return found["holder"] if found else None

    @property
    def in_hidden_root(self) -> bool:
        """Whether the skill is in a `.something/skills`, which is some runtime's own place."""
        found = _ROOT.fullmatch(self.parent)
        return bool(found and found["hidden"])

    def root(self, target: Runtime) -> str:
        """Return the directory that holds the skill's siblings: the target's own root, or its parent."""
        return root_of(self.parent, target)

    def project(self, target: Runtime) -> str | None:
        """Return the directory whose roots, by the target's own patterns, hold the skill; None if none does."""
        root = self.root(target)
        pattern = next((each for each in target.project_roots if root.endswith(f"/{each}")), None)
        return None if pattern is None else root.removesuffix(f"/{pattern}") or "/"


class CollectionFinding(NamedTuple):
    """A defect of one skill that only shows beside others, located at the skill's name.

    `clause` is as in a `Finding`.
    """

    record: Record
    message: str
    help: str | None = None
    clause: tuple[str, str] | None = None


class IgnoreComment(NamedTuple):
    """One comment of a file: the rules it names, its reason, its place, and the lines for which it holds.

    `path` is the file as reports print it, `skill` the directory's name. Lines are 1-based; `last` is
    None for the end of the file.
    """

    path: str
    skill: str
    rules: tuple[str, ...]
    reason: str
    location: Location
    first: int = 1
    last: int | None = None

    def covers(self, diagnostic: Diagnostic) -> bool:
        """Return whether a finding of the same file is among those that the comment switches off."""
        line = diagnostic.location.start.line
        inside = self.first <= line and (self.last is None or line <= self.last)
        return inside and bool(self.reason) and diagnostic.rule in self.rules


class CheckedSkill(NamedTuple):
    """What is left of one skill when it has been checked: findings, and comments that switch some off."""

    record: Record
    diagnostics: tuple[Diagnostic, ...]
    comments: tuple[IgnoreComment, ...] = ()

"""Do the matrix, the session and the findings of every runtime agree?

`python -m tests.judges.one_answer DIR...` prints every disagreement, and has exit status 1 if there is one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from skilltool import runtimes
from skilltool.findings.finding import Severity
from skilltool.lint import matrix
from skilltool.lint.check import check_directory
from skilltool.lint.config import Config
from skilltool.lint.find import find_skills
from skilltool.lint.settings import resolve
from skilltool.lint.severity import LOADING_GROUPS
from skilltool.rules import GROUP_OF
from skilltool.rules.records import CheckedSkill
from skilltool.rules.shared.projects import collections, is_overlay
from skilltool.rules.traits import traits_of
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.values import LoadedSkill
from skilltool.skill.model import load_skill

# What third parties report of a client makes no error.
_JUDGED = (
    each for each in map(runtimes.get, runtimes.IDS) if not each.any_roots and each.evidence != "reported"
)
# An edition that does the same as the bare id is asked once.
IDS = list({(each.scan, each.load, each.schema): each.id for each in _JUDGED}.values())


class Answers(NamedTuple):
    """What is said of one skill for one runtime: the matrix's state, and whether each other refuses it."""

    path: str
    cell: str
    skipped: bool
    found: bool
    asked: bool  # False where loading failed as a whole, or the runtime does not come to the skill

    @property
    def agree(self) -> bool:
        # What is over a bound of ours is skipped, and an error says so: nobody vouches for it.
        refused = self.cell in ("refused", "unread")
        return refused == self.skipped and (not self.asked or refused == self.found)


def answers(top: Path, name: str) -> Iterator[Answers]:
    """Yield what matrix, session and findings of the runtime `name` say of each skill under `top`.

    A file of parts that a build merges into another skill is none, and its finding a note.
    """
    target = runtimes.get(name)
    chosen = resolve(Config(), {"runtimes": [name], "paths": [top], "respect-gitignore": False})
    checked = [check_directory(each, chosen) for each in find_skills(chosen).skills]
    checked = [each for each in checked if not is_overlay(load_skill(Path(each.record.directory)))]
    found = {each.record.directory: refuses(each, target) for each in checked}
    for collection in collections([each.record for each in checked], target):
        session = collection.session
        skipped = {os.path.realpath(each.directory) for each in session.skipped if not each.hidden}
        for record, cell in matrix.cells_of(collection, target):
            is_skipped = os.path.realpath(record.directory) in skipped
            asked = is_skipped or (session.failure is None and cell.state != "unseen")
            yield Answers(record.path, cell.state, is_skipped, found[record.directory], asked)


def refuses(checked: CheckedSkill, target: Runtime) -> bool:
    """Whether a finding says that the runtime does not load the skill, and not only that it loses fields."""
    errors = {each.rule for each in checked.diagnostics if each.severity is Severity.ERROR}
    errors = {rule for rule in errors if GROUP_OF[rule] in LOADING_GROUPS}
    if target.load is not None and target.text_mapper is not None:
        loaded = isinstance(target.load(Path(checked.record.directory)), LoadedSkill)
        errors = {rule for rule in errors if not (loaded and traits_of(rule).loses_text)}
    return bool(errors)


def main(arguments: list[str]) -> int:
    """Compare under each directory and print one line of counts, after every disagreement."""
    failed = False
    for directory in map(Path, arguments):
        said = [(name, each) for name in IDS for each in answers(directory, name)]
        wrong = [(name, each) for name, each in said if not each.agree]
        for name, each in wrong:
            print(f"{name}: {each}")
        failed |= bool(wrong) or not said
        print(f"{directory}: {len(said)} answers of {len(IDS)} runtimes, {len(wrong)} disagreements")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Does `agentskills` refuse what `agentskills validate` of skills-ref 0.1.1 refuses, and in its words?

`python -m tests.judges.skills_ref PYTHON DIR...` prints every difference, and has exit status 1 if there is
one. PYTHON is an interpreter that has skills-ref 0.1.1.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from skilltool import runtimes
from skilltool.lint.check import check_directory
from skilltool.lint.config import Config
from skilltool.lint.find import find_skills
from skilltool.lint.settings import resolve
from skilltool.rules.shared.projects import is_overlay
from skilltool.runtimes.agentskills import validate
from skilltool.skill.model import load_skill
from tests.judges.one_answer import refuses

PACKAGE = "skills-ref==0.1.1"
# Runs in the other interpreter: directories as JSON come in, the errors of each go out.
PROGRAM = """
import json, sys
from pathlib import Path
from skills_ref.validator import validate
said = []
for directory in json.load(sys.stdin):
    try:
        said.append(validate(Path(directory)))
    except Exception as error:
        said.append([str(error)])
json.dump(said, sys.stdout)
"""


class Verdict(NamedTuple):
    """What the library and skilltool say of one directory: errors of each, and whether lint has an error."""

    directory: Path
    theirs: list[str]
    ours: list[str]
    found: bool

    @property
    def same(self) -> bool:
        """Whether both refuse it or neither does, and lint says so."""
        return bool(self.theirs) == bool(self.ours) == self.found

    @property
    def same_words(self) -> bool:
        """Whether the messages are the same, up to the words of the YAML library that the judge quotes."""
        return self.theirs == self.ours or all(
            said and said[0].startswith("Invalid YAML in frontmatter: ") for said in (self.theirs, self.ours)
        )


def verdicts(python: Path, top: Path) -> Iterator[Verdict]:
    """Yield the verdict on every skill under `top`; `python` is an interpreter that has skills-ref."""
    chosen = resolve(Config(), {"runtimes": ["agentskills"], "paths": [top], "respect-gitignore": False})
    directories = [Path(each) for each in find_skills(chosen).skills]
    asked = json.dumps([str(each) for each in directories])
    run = subprocess.run(
        [python, "-c", PROGRAM], input=asked, capture_output=True, check=True, encoding="utf-8"
    )
    for directory, theirs in zip(directories, json.loads(run.stdout), strict=True):
        found = refuses(check_directory(directory, chosen), runtimes.get("agentskills"))
        # A part that a build merges into a skill is none by itself: lint says so in a note.
        found |= is_overlay(load_skill(directory))
        yield Verdict(directory, theirs, validate(directory), found)


def main(arguments: list[str]) -> int:
    """Compare under each directory, and print one line of counts after every difference."""
    python, *directories = map(Path, arguments)
    failed = False
    for directory in directories:
        said = list(verdicts(python, directory))
        wrong = [each for each in said if not each.same]
        for each in wrong:
            print(f"{each.directory}: the library {each.theirs}, skilltool {each.ours}, lint {each.found}")
        words = [each for each in said if not each.same_words]
        for each in words:
            print(f"{each.directory}: words: the library {each.theirs}, skilltool {each.ours}")
        failed |= bool(wrong or words) or not said
        refused = sum(bool(each.theirs) for each in said)
        counts = f"{refused} refused, {len(wrong)} differences, {len(words)} in words"
        print(f"{directory}: {len(said)} skills, {counts}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

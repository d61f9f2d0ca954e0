"""Fixes leave what runtimes read, and nothing to fix; unsafe ones leave a skill that loads."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.bounds.budget import InternalReason
from skilltool.fix.edits import PlannedEdit, apply
from skilltool.fix.plan import plan
from skilltool.lint import settings
from skilltool.lint.config import Config
from skilltool.runtimes.edit_effects import reason_not_to_apply
from skilltool.skill.model import Skill
from skilltool.text.source import Source
from tests.fuzz.box import write_tree
from tests.fuzz.skills import DOCUMENTS
from tests.fuzz.trees import TREES

INPUTS = st.tuples(st.one_of(TREES, DOCUMENTS.map(lambda raw: {"skills/a/SKILL.md": raw})), st.booleans())
_ALL = settings.resolve(
    Config(), {"runtimes": ["all", "portable"], "extend-select": ["pedantic"], "allow-empty": True}
)


def check(drawn: tuple[dict[str, bytes | str], bool], place: Path) -> None:
    files, unsafe = drawn
    write_tree(place, files)
    wanted = _ALL._replace(paths=(place,))
    planned = plan(wanted, unsafe)
    assert not any(isinstance(why, InternalReason) for why in planned.given_up.values()), planned.given_up
    done = apply(planned)
    for edit in done.changes:
        if edit.after != edit.before:
            ids = runtimes.BARE if unsafe else runtimes.IDS
            name = edit.directory.name
            why = reason_not_to_apply(name, edit.before, edit.after, not unsafe, ids)
            assert why is None, (edit.path, why)
        if not unsafe:
            _same_fields(edit)
    if not planned.problems and not done.problems:
        again = plan(wanted, unsafe)
        assert not again.changes, [
            (each.path, each.applied, each.before, each.after) for each in again.changes
        ]


def _same_fields(edit: PlannedEdit) -> None:
    """A safe fix leaves each field; its value may become the string or the list that it was meant to be."""
    before, after = (
        Skill(edit.directory.name, "SKILL.md", Source(text)).frontmatter.data
        for text in (edit.before, edit.after)
    )
    if isinstance(before, dict) and isinstance(after, dict):
        assert [*before] == [*after], (edit.path, before, after)
        for key, value in before.items():
            if isinstance(value, str):
                assert after[key] == value, (edit.path, key, value, after[key])

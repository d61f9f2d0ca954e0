"""Makes a file of cases to fill in: for each "use when" clause of a skill, and for what is near to it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from skilltool.route.lexical import Close
from skilltool.route.quality import FEW, Subject, clauses
from skilltool.skill.routing_cases import EXPECTED, PROMPT

TO_FILL_IN = ""
_MOST_CLAUSES, _MOST_NEAR = 8, 3


def template(subjects: Sequence[Subject], near: Sequence[Close]) -> str:
    """Return the text of a file with cases that have no prompt yet; its notes say what each is for."""
    rows: list[dict[str, Any]] = []
    for subject in subjects:
        wanted = [f"Use when: {clause}" for clause in clauses(subject.description)[:_MOST_CLAUSES]]
        wanted += ["A request for this skill, in words that its description does not contain"] * (
            FEW - len(wanted)
        )
        for note in wanted:
            rows.append(_row(len(rows) + 1, subject.name, note))
        others = [
            pair.other if subject.name == pair.one else pair.one
            for pair in near
            if subject.name in (pair.one, pair.other)
        ]
        for other in others[:_MOST_NEAR]:
            note = f"A request for `{other}` that could be mistaken for one for `{subject.name}`"
            rows.append(_row(len(rows) + 1, other, note))
        note = f"A request with words from `{subject.name}` that needs no skill"
        rows.append(_row(len(rows) + 1, "", note))
    lines = ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f'{{\n  "schema_version": 1,\n  "cases": [\n    {lines}\n  ]\n}}\n'


def _row(number: int, skill: str, note: str) -> dict[str, Any]:
    return {"id": number, PROMPT: TO_FILL_IN, EXPECTED: skill, "note": note}

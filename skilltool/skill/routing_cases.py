"""Files with routing cases: prompts, and which skill is to be called for each. Read by shape, not by name.

People keep them in many files and shapes (no shape is a standard), so a row is read by its keys:

`{query|prompt, should_trigger}`      skill-creator of anthropics/skills, agentskills.io, amd/skills
`{prompt, expected_skill}`            UiPath/skills, apify, Copilot Studio; also `expected`, `expected_skills`
`{should_trigger_prompts: [...]}`     microsoft/waza, with `should_not_trigger_prompts`
`{trigger: {positive, negative}}`     addyosmani/agent-skills

Rows are the whole file, a list or JSON Lines, or the list `cases`, `evaluations` or `tests` of an object.
`{evals: [{prompt, expected_output}]}` is a file of outcomes: it does not say that a skill is to be called.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from skilltool.text import json_places
from skilltool.text.frontmatter import Frontmatter, envelope
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import BoundError, YamlError, plain
from skilltool.text.frontmatter.nodes import Mapping as MappingNode
from skilltool.text.source import Span

MAX_CASES = 5_000  # of one file are read
TUNE, JUDGE = "tune", "judge"
PROMPT, TRIGGER, EXPECTED = "prompt", "should_trigger", "expected_skill"

_INPUT = "input"
_PROMPTS = (PROMPT, "query", _INPUT)
_TRIGGERS = (TRIGGER, "skill_should_trigger")
_EXPECTED = (EXPECTED, "expected_skills", "expected")
_ACCEPTED = ("acceptable_skills", "should_load")
_REJECTED = ("not_expected_skills", "not_expected_skill", "should_not_load")
_OWNERS = ("skill", "skill_name")
KEYS = ("trigger", "expected")  # a file of cases has a key with one of these words
_LISTS = ("cases", "evaluations", "tests", "evals")
_NOTES = ("reason", "rationale", "note")
_LINES = (".jsonl", ".ndjson")
_SPLITS = {TUNE: TUNE, "train": TUNE, "dev": TUNE} | dict.fromkeys(
    (JUDGE, "test", "holdout", "validation", "eval"), JUDGE
)

Path = tuple[str | int, ...]


class Case(NamedTuple):
    """A prompt, and what is right for it.

    `expected` are the names of the skills of which any is right: empty if none is to be called, None if only
    `rejected` says what is wrong. `split` is `TUNE` or `JUDGE`, None where the file leaves it open. `path` is
    where the row is in the file, for `CaseFile.span`.
    """

    id: str
    prompt: str
    expected: tuple[str, ...] | None
    rejected: tuple[str, ...] = ()
    split: str | None = None
    note: str = ""
    path: Path = ()

    def is_right(self, called: str | None) -> bool:
        """Return whether calling the skill with this name, or none for None, is right."""
        if called is not None and called in self.rejected:
            return False
        if self.expected is None:
            return True
        return called in self.expected if self.expected else called is None

    @property
    def names(self) -> tuple[str, ...]:
        """All the names of skills in the case, each once."""
        return tuple(dict.fromkeys((*(self.expected or ()), *self.rejected)))


class Misformed(NamedTuple):
    """What is wrong with the form of a row: a clause, the path of the value, and what to do."""

    message: str
    path: Path
    help: str


class CaseFile(NamedTuple):
    """What was read in one file.

    `shape` names it for people. `span` returns where the value at a path is in the text. With `outcomes` the
    file has prompts for a skill and no word of which one is to be called.
    """

    shape: str
    cases: tuple[Case, ...]
    misformed: tuple[Misformed, ...]
    span: Callable[[Path], Span]
    outcomes: bool = False


class NotParsedError(ValueError):
    """Raised for a text that is not JSON, JSON Lines or YAML, or over a bound: a clause, and where."""

    def __init__(self, message: str, span: Span) -> None:
        """Take a clause without a full stop, and the characters at fault."""
        super().__init__(message)
        self.message = message
        self.span = span


def read(text: str, file: str, owner: str | None = None) -> CaseFile | None:
    """Return the cases in the text of a file, None if it has another shape.

    `file` decides by its ending how the text is parsed; `owner` is the name of the skill in whose directory
    the file is, which rows with `should_trigger` are about. Raises `NotParsedError`.
    """
    data, span = _parsed(text, file)
    found = _rows(data)
    if found is None:
        return None
    shape, rows, about = found
    reader = _Reader(about or owner)
    cases = tuple(case for path, row in rows for case in reader.case(row, path))
    if not cases and not reader.misformed:
        reader.misformed.append(Misformed("has no cases", (), "add some, or delete the file"))
    return CaseFile(shape, cases, tuple(reader.misformed), span, shape == "evals")


def _parsed(text: str, file: str) -> tuple[Any, Callable[[Path], Span]]:
    if file.endswith(_LINES):
        return _of_lines(text)
    if not file.endswith(".json"):
        try:
            root = compose(text).root
        except BoundError as error:
            raise NotParsedError(f"not read: {error}", Span(0, 0)) from None
        except YamlError as error:
            start = min(error.start, len(text))
            raise NotParsedError(f"not valid YAML: {error.problem}", Span(start, start)) from None
        tree = Frontmatter(envelope.split(""), root if isinstance(root, MappingNode) else None, None, ())
        return (None if root is None else plain(root)), lambda path: tree.span(*path)
    try:
        read = json_places.read(text)
    except json_places.JsonError as error:
        raise NotParsedError(f"not valid JSON: {error.message}", error.span) from None
    return read.data, read.value


def _of_lines(text: str) -> tuple[Any, Callable[[Path], Span]]:
    """Return the rows of JSON Lines; the path of a value begins with the number of its row."""
    rows: list[Any] = []
    spans: list[Span] = []
    start = 0
    for line in text.splitlines(keepends=True):
        bare = line.strip("\ufeff \t\r\n")
        at = start + line.find(bare) if bare else start
        start += len(line)
        if not bare:
            continue
        try:
            rows.append(json_places.read(bare).data)
        except json_places.JsonError as error:
            where = Span(at + error.span.start, at + error.span.end)
            raise NotParsedError(f"not valid JSON: {error.message}", where) from None
        spans.append(Span(at, at + len(bare)))

    def span(path: Path) -> Span:
        return spans[path[0]] if path and isinstance(path[0], int) else Span(0, 0)

    return rows, span


Rows = list[tuple[Path, Any]]


def _rows(data: Any) -> tuple[str, Rows, str | None] | None:
    """Return the shape of the data, its rows, and the skill that it names; None for data of another kind."""
    if isinstance(data, list):
        rows = list(enumerate(data))
        return ("list", [((at,), row) for at, row in rows], None) if _has_case(data) else None
    if not isinstance(data, Mapping):
        return None
    owner = next((data[key] for key in _OWNERS if isinstance(data.get(key), str)), None)
    if "should_trigger_prompts" in data or "should_not_trigger_prompts" in data:
        return "waza", _of_two(data, (), "should_trigger_prompts", "should_not_trigger_prompts"), owner
    trigger = data.get("trigger")
    if isinstance(trigger, Mapping) and ("positive" in trigger or "negative" in trigger):
        return "trigger", _of_two(trigger, ("trigger",), "positive", "negative"), owner
    for key in _LISTS:
        listed = data.get(key)
        if isinstance(listed, list) and _has_case(listed):
            return (
                key if key != "evals" else "cases",
                [((key, at), row) for at, row in enumerate(listed)],
                owner,
            )
    evals = data.get("evals")
    if isinstance(evals, list) and any(isinstance(row, Mapping) and PROMPT in row for row in evals):
        return "evals", [(("evals", at), _triggering(row, True)) for at, row in enumerate(evals)], owner
    return None


def _of_two(data: Mapping[str, Any], path: Path, positive: str, negative: str) -> Rows:
    """Return the rows of two lists, of which one has the prompts that trigger the skill."""
    rows: Rows = []
    for key, triggers in ((positive, True), (negative, False)):
        listed = data.get(key)
        if isinstance(listed, list):
            rows += [((*path, key, at), _triggering(row, triggers)) for at, row in enumerate(listed)]
        elif listed is not None:
            rows.append(((*path, key), listed))
    return rows


def _triggering(row: Any, triggers: bool) -> Any:
    if isinstance(row, str):
        row = {PROMPT: row}
    if not isinstance(row, Mapping):
        return row
    owner = row.get("owner")  # the skill that is right where this one is not
    expected = {EXPECTED: owner} if not triggers and isinstance(owner, str) else {}
    return {**row, TRIGGER: triggers, **expected}


def _has_case(rows: Sequence[Any]) -> bool:
    """Return whether one of the rows says for a prompt which skill is to be called."""
    judged = (*_TRIGGERS, *_EXPECTED, *_REJECTED)
    return any(
        isinstance(row, Mapping) and _has_prompt(row) and any(key in row for key in judged) for row in rows
    )


def _has_prompt(row: Mapping[str, Any]) -> bool:
    """Return whether a row has a prompt; an `input` with its own fields is data for another test."""
    data = row.get(_INPUT)
    is_data = isinstance(data, Mapping) and PROMPT not in data
    return any(key in row for key in _PROMPTS if key != _INPUT or not is_data)


class _MisformedError(ValueError):
    """Ends the reading of one row."""

    def __init__(self, message: str, path: Path, remedy: str) -> None:
        super().__init__(message)
        self.about = Misformed(message, path, remedy)


class _Reader:
    """Reads the rows of one file, and keeps what is wrong with them."""

    def __init__(self, owner: str | None) -> None:
        self._owner = owner
        self._ids: set[str] = set()
        self._number = 0
        self.misformed: list[Misformed] = []

    def case(self, row: Any, path: Path) -> Iterator[Case]:
        """Yield the case of a row; nothing for one that is misformed, or that only has a comment."""
        self._number += 1
        try:
            if self._number > MAX_CASES + 1 or (isinstance(row, Mapping) and _is_comment(row)):
                return
            yield self._case(row, path)
        except _MisformedError as error:
            self.misformed.append(error.about)

    def _case(self, row: Any, path: Path) -> Case:
        if self._number > MAX_CASES:
            raise _MisformedError(f"has more than {MAX_CASES:,} cases", path, "split the file")
        if not isinstance(row, Mapping):
            raise _MisformedError("case is not an object", path, "write an object with a `prompt`")
        key = next((key for key in _PROMPTS if key in row), None)
        if key is None:
            raise _MisformedError("case has no `prompt`", path, "add a `prompt`")
        prompt = row[key].get(PROMPT) if isinstance(row[key], Mapping) else row[key]
        if not isinstance(prompt, str) or not prompt.strip():
            what = "is empty" if isinstance(prompt, str) else "is not a string"
            raise _MisformedError(f"`{key}` {what}", (*path, key), "write what a user would type")
        expected, rejected = self._judged(row, path)
        notes = (row[key] for key in _NOTES if isinstance(row.get(key), str))
        split = row.get("split")
        return Case(
            self._id(row, path),
            prompt,
            expected,
            rejected,
            _SPLITS.get(split) if isinstance(split, str) else None,
            next(notes, ""),
            path,
        )

    def _id(self, row: Mapping[str, Any], path: Path) -> str:
        """Return the row's own id, else its number."""
        own = row.get("id")
        if isinstance(own, bool) or not isinstance(own, str | int) or own == "":
            return str(self._number)
        if str(own) in self._ids:
            remedy = "give each case an id of its own"
            raise _MisformedError(f"id `{own}` is there twice", (*path, "id"), remedy)
        self._ids.add(str(own))
        return str(own)

    def _judged(self, row: Mapping[str, Any], path: Path) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
        """Return the skills that are right, None if the row does not say which, and those that are wrong."""
        named = _names(row, _EXPECTED, path)
        accepted = _names(row, _ACCEPTED, path) or ()
        right = None if named is None else (*named, *accepted)
        wrong = _names(row, _REJECTED, path) or ()
        trigger = next((key for key in _TRIGGERS if key in row), None)
        if trigger is None:
            if right is None and not wrong:
                message = "case does not say which skill is expected"
                raise _MisformedError(message, path, f"add `{EXPECTED}`")
            return right, wrong
        triggers = row[trigger]
        if not isinstance(triggers, bool):
            message = f"`{trigger}` is not `true` or `false`"
            raise _MisformedError(message, (*path, trigger), "write `true` or `false`")
        owner = next((row[key] for key in _OWNERS if isinstance(row.get(key), str)), self._owner)
        if triggers and right:
            return right, wrong
        if owner is None:
            remedy = "put the file into a skill's directory, or name the `skill`"
            raise _MisformedError(f"`{trigger}` is about no skill", (*path, trigger), remedy)
        if triggers:
            return (owner, *accepted), wrong
        return right if right and owner not in right else None, (owner, *wrong)


def _is_comment(row: Mapping[str, Any]) -> bool:
    return all(str(key).startswith("_") for key in row)


def _names(row: Mapping[str, Any], keys: Sequence[str], path: Path) -> tuple[str, ...] | None:
    """Return the names below the first of the keys that the row has, None if it has none."""
    key = next((key for key in keys if key in row), None)
    if key is None:
        return None
    value = row[key]
    if value is None or value == "":
        return ()
    listed = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str) and each.strip() for each in listed):
        remedy = 'write a name, or "" for no skill'
        raise _MisformedError(f"`{key}` is not the name of a skill", (*path, key), remedy)
    return tuple(dict.fromkeys(each.strip() for each in listed))


def written(cases: Sequence[Case]) -> str:
    """Return cases in the form that `schemas/cases.schema.json` describes, with a line for each."""
    rows = [json.dumps(_row(case), ensure_ascii=False) for case in cases]
    return '{\n  "schema_version": 1,\n  "cases": [\n    ' + ",\n    ".join(rows) + "\n  ]\n}\n"


def _row(case: Case) -> dict[str, Any]:
    row: dict[str, Any] = {"id": case.id, PROMPT: case.prompt}
    if case.expected is not None:
        row[EXPECTED] = case.expected[0] if case.expected else ""
        if case.expected[1:]:
            row["acceptable_skills"] = list(case.expected[1:])
    if case.rejected:
        row["not_expected_skills"] = list(case.rejected)
    return row | ({"split": case.split} if case.split else {}) | ({"note": case.note} if case.note else {})

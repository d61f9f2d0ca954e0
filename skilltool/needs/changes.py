"""What a skill asks for now that it did not ask for before, and the other way round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from skilltool.needs import seen
from skilltool.needs.record import Record
from skilltool.needs.references import OLD_NAME
from skilltool.needs.seen import Seen

REFERENCE, NOT_READ = "reference", "not-read"
# The names of kinds as `--fail-on-new` takes them.
PLURALS = {
    "network": seen.NETWORK,
    "links": seen.LINK,
    "commands": seen.COMMAND,
    "packages": seen.PACKAGE,
    "environment": seen.ENVIRONMENT,
    "credentials": seen.CREDENTIAL,
    "paths": seen.PATH,
    "tools": seen.TOOL,
    "load-time": seen.LOAD_TIME,
    "references": REFERENCE,
    "not-read": NOT_READ,
}
_ORDER = (*seen.KINDS, REFERENCE, NOT_READ)
_RUN = (seen.SCRIPT, seen.HOOK, seen.AT_LOAD)


class Change(NamedTuple):
    """One thing that is new (`sign` is `+`), gone (`-`), or a file that was not read and differs (`~`).

    The place is where it is now, or where it was: `line` is 0 for a whole file.
    """

    sign: str
    kind: str
    what: str
    how: str
    file: str
    line: int
    text: str = ""

    @property
    def statement(self) -> str:
        """What changed, without its place: `+ network api.acme.io (curl)`."""
        how = f" ({self.how})" if self.how else ""
        return f"{self.sign} {self.kind} {self.what}{how}"


class SkillChange(NamedTuple):
    """What changed in one skill: its record before and after, of which one may be None, and the changes.

    `name` and `shown` are its name and its directory as printed.
    """

    before: Record | None
    after: Record | None
    changes: tuple[Change, ...]

    @property
    def either(self) -> Record:
        """The record after, else the one before."""
        found = self.after or self.before
        if found is None:
            raise ValueError("a change has a record")
        return found

    @property
    def state(self) -> str:
        """`new`, `removed`, or the name that the skill had; empty if it has its old name."""
        if self.before is None or self.after is None:
            return "new" if self.after else "removed"
        old = self.before.known.name
        return "" if old == self.after.known.name else f"renamed from {old}"


def change(before: Record | None, after: Record | None, most_bytes: int | None = None) -> SkillChange:
    """Compare two states of a skill.

    Things are the same by kind, name and how, wherever they stand; but what only pages named, and a script, a
    hook or the loading runs now, is new. `most_bytes` is the size of a file above which one that was not read
    is in only one of the states, since the other had no larger ones.
    """
    old, new = _things(before, most_bytes), _things(after, most_bytes)
    found = [each._replace(sign="+") for key, each in new.items() if key not in old]
    found += [each._replace(sign="-") for key, each in old.items() if key not in new]
    found += _different_files(before, after)
    found.sort(key=lambda each: (each.sign != "+", _ORDER.index(each.kind), each.file, each.line))
    return SkillChange(before, after, tuple(found))


def _things(record: Record | None, most_bytes: int | None) -> dict[tuple[Any, ...], Change]:
    found: dict[tuple[Any, ...], Change] = {}
    if record is None:
        return found
    for row in record.seen:
        found.setdefault((row.kind, row.what, row.how, row.where in _RUN), _of_row(row))
    for each in record.references:
        if not each.is_note:
            to = f"{OLD_NAME} of {each.leads}" if each.to == OLD_NAME and each.leads else each.to
            how = f"{to}, {each.by}"
            thing = Change("", REFERENCE, each.target, how, each.file, each.line, each.text)
            found.setdefault((REFERENCE, each.to, each.target), thing)
    for unread in record.unread:
        if most_bytes is None or (unread.size or 0) <= most_bytes:
            thing = Change("", NOT_READ, unread.file, unread.why, unread.file, 0)
            found.setdefault((NOT_READ, unread.file), thing)
    return found


def _of_row(row: Seen) -> Change:
    version = "" if row.pinned is not False else ", no version"
    return Change("", row.kind, row.what, f"{row.how}{version}", row.file, row.line, row.text)


def _different_files(before: Record | None, after: Record | None) -> Iterator[Change]:
    """Yield the files that were read in neither state, or in part, and have other contents now."""
    if before is None or after is None:
        return
    old, new = dict(before.sums), dict(after.sums)
    unread = {each.file: each for each in before.unread}
    for each in after.unread:
        if each.file in unread and each.file in old and old[each.file] != new.get(each.file):
            yield Change("~", NOT_READ, each.file, f"{each.why}, contents changed", each.file, 0)


def failing(found: Iterable[SkillChange], kinds: Sequence[str]) -> list[tuple[Record, Change]]:
    """Return what is new of some kinds, by the names of `PLURALS`, or `all`."""
    wanted = set(_ORDER) if "all" in kinds else {PLURALS[kind] for kind in kinds}
    return [
        (each.either, change)
        for each in found
        for change in each.changes
        if change.sign in "+~" and change.kind in wanted
    ]


def data(found: Iterable[SkillChange], since: str) -> dict[str, Any]:
    """Return what `needs --output-format json` has under `changes`."""
    rows = [
        {
            "skill": each.either.known.name,
            "directory": each.either.known.shown,
            "name_before": each.before.known.name if each.before else None,
            "before": each.before.digest if each.before else None,
            "after": each.after.digest if each.after else None,
            "changes": [change._asdict() for change in each.changes],
        }
        for each in found
    ]
    return {"since": since, "skills": rows}

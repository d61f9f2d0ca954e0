"""What does the same skill look like in several runtimes: which texts are equal, and which lines differ?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from skilltool.bounds.budget import InternalReason
from skilltool.errors import SkilltoolError
from skilltool.explain import render
from skilltool.explain.absence import meant, why_absent, why_not
from skilltool.explain.contained import contained
from skilltool.explain.render import Rendered
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import display_path

COMMON, DIFFERS = "  ", "* "


class Shown(NamedTuple):
    """What one runtime gives; `problem` says why the text is not what was asked for, None if it is.

    `is_absent` says that the runtime does not have the skill, `looks_elsewhere` that it does not even look
    where the skill is.
    """

    session: Session
    rendered: Rendered
    problem: str | None = None
    is_absent: bool = False
    looks_elsewhere: bool = False

    @property
    def gives_text(self) -> bool:
        """Whether the runtime gives its model the text that was asked for."""
        return self.rendered.text is not None and self.problem is None

    @property
    def copy(self) -> str | None:
        """The directory of the copy that the runtime takes, for people."""
        skill = self.session.find(self.rendered.skill or "")
        return None if skill is None else display_path(self.session, skill.directory)


def shown_in(session: Session, name: str | None, part: str | None, arguments: str | None) -> Shown:
    """Return what one of several runtimes gives; what a single one is refused for is the `problem` here.

    A skill may have another key in each runtime: where `name` is none, the copy that it means is taken.
    """
    key = name
    if name is not None and session.find(key := render.key_of(session, name)) is None:
        key = _other_key(session, name) or name
    nothing = Rendered(part or "", key, None, failed=True)
    try:
        wanted = part or render.default_part(session.runtime)
        rendered = contained(session.runtime.id, render.render, session, wanted, key, arguments)
    except SkilltoolError as error:
        return Shown(session, nothing, str(error))
    if isinstance(rendered, InternalReason):
        session.failure = rendered
    if isinstance(session.failure, InternalReason) or isinstance(rendered, InternalReason):
        return Shown(session, nothing, session.failure)
    if reason := render.unknown(session, rendered):
        problem = f"{reason}; what {session.runtime.id} would print is unknown"
        return Shown(session, replace(rendered, text=None), problem)
    if render.lacks_skill(session, rendered):
        away = why_not(session, str(name)) is None
        return Shown(session, rendered, why_absent(session, str(name)), is_absent=True, looks_elsewhere=away)
    if rendered.failed or rendered.text is None:
        remark = render.remark(session, rendered) or f"{session.runtime.id} responds with this error"
        return Shown(session, rendered, remark)
    return Shown(session, rendered)


def _other_key(session: Session, name: str) -> str | None:
    """Return the key of the loaded skill whose copy `name` means, if it has another one here."""
    found = meant(session, name)
    skill = None if found is None else session.find(found)
    return found if skill is not None and name in (skill.name, skill.directory.name) else None


class Group(NamedTuple):
    """The runtimes that give the same text, and for each of its lines whether another text has it, too.

    All are `common` in a text that shares none: marks on every line would say nothing.
    """

    shown: list[Shown]
    text: str
    lines: list[str]
    common: list[bool]

    @property
    def differing(self) -> int:
        """How many lines no other text has, where it has others."""
        return self.common.count(False)


def groups(found: Sequence[Shown]) -> list[Group]:
    """Return the texts that runtimes give, equal ones once, in the order of the runtimes."""
    by_text: dict[str, list[Shown]] = {}
    for each in found:
        if each.gives_text:
            by_text.setdefault(str(each.rendered.text), []).append(each)
    lines = {text: text.split("\n") for text in by_text}
    times = Counter(line for each in lines.values() for line in set(each))
    found_groups = []
    for text, shown in by_text.items():
        common = [times[line] > 1 for line in lines[text]]
        if not any(is_common and line.strip() for line, is_common in zip(lines[text], common, strict=True)):
            common = [True] * len(common)
        found_groups.append(Group(shown, text, lines[text], common))
    return found_groups


def marked(group: Group) -> Iterator[str]:
    """Yield the lines of a text, each after a mark that says whether no other text has it."""
    lines = group.lines[:-1] if group.lines[-1] == "" else group.lines
    for line, common in zip(lines, group.common, strict=False):
        yield f"{COMMON if common else DIFFERS}{line}" if line else (COMMON if common else DIFFERS).rstrip()


def difference(first: Shown, second: Shown) -> str:
    """Return the unified diff of two texts, empty if they are equal."""
    from difflib import unified_diff

    names = [f"{shown.session.runtime.id}/{shown.rendered.part}" for shown in (first, second)]
    before, after = (_lines(shown.rendered.text or "") for shown in (first, second))
    return "".join(map(_whole, unified_diff(before, after, names[0], names[1])))


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their ends; `\n` alone ends one, whatever Unicode says."""
    *lines, last = text.split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _whole(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def data(shown: Sequence[Shown]) -> dict[str, Any]:
    """Return what `render --output-format json` prints for several runtimes."""
    return {
        "schema_version": 1,
        "runtimes": [
            {
                **render.data(each.session, [each.rendered]),
                "directory": _directory(each),
                "problem": each.problem,
            }
            for each in shown
        ],
    }


def _directory(shown: Shown) -> str | None:
    skill = shown.session.find(shown.rendered.skill or "")
    return None if skill is None else str(skill.directory)

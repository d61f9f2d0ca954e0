"""The texts that several runtimes give, one section after another; equal texts stand once.

A line of a text has a mark before it, so that no text can look like the heading of a section.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skilltool.explain.compare import Group, Shown, groups, marked
from skilltool.text.printable import printable

LEGEND = "`*` marks lines that no other text contains"


def sections(shown: Sequence[Shown], hint: str | None) -> str:
    """Return one section for each text, and one for the runtimes that give none, with the reasons.

    `hint` is the command that shows the text for the first runtime that does not look where the skill is.
    Texts are as the runtimes give them.
    """
    texts = groups(shown)
    lines = [line for group in texts for line in _section(group, len(texts) > 1)]
    missing = [each for each in shown if not each.gives_text]
    if missing:
        lines += [*([""] if lines else []), "==> no text"]
        lines += [line for each in missing if not each.looks_elsewhere for line in _reason(each)]
        away = [each.session.runtime.id for each in missing if each.looks_elsewhere]
        lines += [f"  not in a directory that these runtimes read: {', '.join(away)}"] if away else []
        lines += [f"    to see it anyway, run `{printable(hint)}`"] if away and hint else []
    return "".join(f"{line}\n" for line in lines[1 if texts else 0 :])


def _section(group: Group, is_one_of_several: bool) -> Iterator[str]:
    parts = " or ".join(dict.fromkeys(shown.rendered.part for shown in group.shown))
    same = "the same " if len(group.shown) > 1 else ""
    differ = ""
    if is_one_of_several:
        count = len(list(marked(group)))
        differ = f", {group.differing} of {count} lines marked" if group.differing else ""
    yield ""
    yield f"==> {', '.join(map(_name, group.shown))}: {same}{parts}{differ}"
    yield from marked(group)


def _name(shown: Shown) -> str:
    where = f" ({printable(shown.copy)})" if shown.copy is not None else ""
    return f"{shown.session.runtime.id}{where}{' with permission' if shown.rendered.permission else ''}"


def _reason(shown: Shown) -> Iterator[str]:
    runtime = shown.session.runtime.id
    reason = printable(" ".join((shown.problem or "").split()))
    yield f"  {reason if runtime in reason else f'{runtime}: {reason}'}"
    if shown.rendered.text is not None and not shown.is_absent:
        yield from (f"    | {line}" for line in shown.rendered.text.split("\n"))

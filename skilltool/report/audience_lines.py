"""For whom were the skills checked, and why? Lines for people, where that is not the same for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from skilltool.lint.result import count_of
from skilltool.lint.targets import Audience

_MOST = 6  # groups of skills


def audience_lines(audiences: Mapping[str, Audience]) -> Iterator[str]:
    """Yield a line per group of skills, the largest first, if they were checked for different runtimes.

    `audiences` has the path of each skill. The last line names the clients whose rules are not known.
    """
    groups = Counter(each.names for each in audiences.values()).most_common()
    if len(groups) > 1:
        yield "checked for:"
        rows = [(count_of(count, "skill"), names) for names, count in groups[:_MOST]]
        width = max(len(count) for count, _ in rows)
        yield from (f"  {count:>{width}}  {names}" for count, names in rows)
        if len(groups) > _MOST:
            yield f"  and {count_of(sum(count for _, count in groups[_MOST:]), 'skill')} for others"
    unknown = sorted({client for each in audiences.values() for client in each.clients})
    if unknown:
        names = ", ".join(f"`{name}`" for name in unknown)
        yield f"no profile yet for {names}: `agentskills` stands in where no other client owns the place"

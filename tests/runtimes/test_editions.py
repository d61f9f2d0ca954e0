"""An edition in which nothing differs is one line: it answers as the earlier one, under its own version."""

from __future__ import annotations

from skilltool import runtimes

EARLIER, LATER = "claude-code@2.1.329", "claude-code@2.1.330"


def test_an_unchanged_edition_differs_in_its_version_and_when_it_was_checked() -> None:
    earlier, later = runtimes.get(EARLIER), runtimes.get(LATER)
    differing = {name for name in earlier._fields if getattr(earlier, name) != getattr(later, name)}
    assert differing == {"id", "title", "docs", "verified"}
    assert (later.id, later.title) == (LATER, "Claude Code 2.1.330")
    assert "@anthropic-ai/claude-code 2.1.330 (" in later.docs


def test_an_unchanged_edition_is_listed_in_order_and_belongs_to_no_group() -> None:
    assert list(runtimes.IDS) == sorted(runtimes.IDS)
    assert runtimes.IDS.index(LATER) == runtimes.IDS.index(EARLIER) + 1
    assert not any(LATER in group for group in runtimes.GROUPS.values())


def test_a_fix_asks_an_unchanged_edition_only_where_it_is_named() -> None:
    assert EARLIER in runtimes.ALWAYS_ASKED
    assert LATER not in runtimes.ALWAYS_ASKED

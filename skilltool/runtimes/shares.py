"""How is the room of a listing shared: what does each skill ask for, and what does it get?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Share(NamedTuple):
    """What is asked for and what is sent, in the unit of the listing; less is sent of what is cut."""

    asked: int
    sent: int


class Shares(NamedTuple):
    """The parts of a listing, in `unit`: `characters` (code points) or `UTF-16 units`.

    `fixed` is text around the listing, which counts towards no budget, and `own` is what the runtime itself
    lists beside the skills. `skills` has the share of each listed skill by its key, separators included, in
    the order in which they get room: what is over budget is taken from the end, or from all skills at once
    if they are cut `together`. `cut_to` says what is left of a skill over budget, as a noun phrase, where
    that is neither nothing nor the name. `shortened` are the keys of skills that lose text although the
    budget leaves none of them out, and `own_count` is the number of entries in `own`.
    """

    fixed: int
    own: Share
    skills: Mapping[str, Share]
    unit: str = "characters"
    cut_to: str | None = None
    together: bool = False
    shortened: tuple[str, ...] = ()
    own_count: int = 0

"""What do skills cost a model's context: the listing in each session, bodies, and the files they name?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.inspect.cost.files import NamedFiles, named_files
from skilltool.inspect.cost.shares import replaced, shares_of
from skilltool.runtimes.base import Session
from skilltool.runtimes.discovery.precedence import display_path
from skilltool.runtimes.readers import javascript
from skilltool.runtimes.shares import Share

ESTIMATOR = "characters / 4"
_CHARS_PER_TOKEN = 4


def tokens(characters: int) -> int:
    """Return the estimated number of tokens of a text: a quarter of its length, rounded up.

    Real tokenizers need more for code, numbers and most scripts other than Latin.
    """
    return math.ceil(max(characters, 0) / _CHARS_PER_TOKEN)


class SkillCost(NamedTuple):
    """What one skill costs in one client, in the unit of the client.

    `listing` is None if the listing does not have the skill. `body` is read when the skill is used, `files`
    are those that the body names, None where they are unknown.
    """

    key: str
    directory: Path
    shown: str
    listing: Share | None
    body: int
    files: NamedFiles | None


class ClientCost(NamedTuple):
    """What all skills cost in one client.

    `budget` is in `budget_unit`, None where the client has none; `unit` is that of all other numbers. `fixed`
    is text around the listing, outside of the budget, `own` what the client lists beside the skills. `cut`
    are the keys of skills that lose their text or their whole entry (not `cut_keeps_name`), `next_cut` is the
    key of the one that is next. `listed` is the sum of all skills. `cut_to` is that of `Shares`.
    """

    runtime: str
    unit: str
    budget: int | None
    budget_unit: str
    fixed: int
    own: Share
    skills: tuple[SkillCost, ...]
    cut: tuple[str, ...]
    next_cut: str | None
    listed: Share
    cut_keeps_name: bool
    cut_to: str | None = None

    @property
    def asked(self) -> int:
        """The length of the listing with all that the skills ask for, as far as it counts for the budget."""
        fixed = 0 if self.is_limited else self.fixed
        return fixed + self.own.asked + self.listed.asked

    @property
    def sent(self) -> int:
        """The length of what is sent before any skill is used."""
        return self.fixed + self.own.sent + self.listed.sent

    @property
    def is_limited(self) -> bool:
        """Whether a budget limits the listing, in the same unit."""
        return self.budget is not None and self.budget_unit == self.unit

    @property
    def percent(self) -> float | None:
        """How much of the budget is asked for; None without a budget. Infinite for a budget of nothing."""
        if self.budget is None:
            return None
        if not self.is_limited:
            return 100.0 * (1 + len(self.cut)) if self.cut else 0.0
        return 100.0 * self.asked / self.budget if self.budget > 0 else math.inf

    def loss(self, number: int = 1) -> str:
        """Return what this number of skills loses that are cut, as a predicate."""
        if self.cut_to is not None:
            return f"keep{'s' if number == 1 else ''} only {self.cut_to}"
        if self.cut_keeps_name:
            return "loses its description" if number == 1 else "lose their description"
        return "is not listed" if number == 1 else "are not listed"


def cost_of(
    session: Session, stands_for: tuple[Path, Path] | None = None, reading: bool = True
) -> ClientCost:
    """Return what the skills of a session cost.

    `stands_for` is a directory with a copy of another one, whose path counts where a text has the first.
    Without `reading` bodies and files are not measured: `with_reading` does so for one skill.
    """
    runtime = session.runtime
    shares = shares_of(session, stands_for)
    budget, omitted = runtime.budget(session) if runtime.budget else (None, ())
    listed = (
        SkillCost(skill.key, skill.directory, display_path(session, skill.directory), share, 0, None)
        for skill in session.skills
        for share in [shares.skills.get(skill.key)]
    )
    skills = tuple(
        with_reading(session, each, shares.unit, stands_for) if reading else each for each in listed
    )
    cut = tuple(key for key in omitted if key in shares.skills)
    kept = [key for key in shares.skills if key not in set(cut)]
    asked = sum(share.asked for share in shares.skills.values())
    sent = sum(share.sent for share in shares.skills.values())
    return ClientCost(
        runtime.id,
        shares.unit,
        budget,
        runtime.budget_unit,
        shares.fixed,
        shares.own,
        skills,
        cut,
        kept[-1] if kept and budget is not None else None,
        Share(asked, sent),
        any(shares.skills[key].sent > 0 for key in cut),
        shares.cut_to,
    )


def with_reading(
    session: Session, cost: SkillCost, unit: str, stands_for: tuple[Path, Path] | None = None
) -> SkillCost:
    """Return the cost of a skill with that of its body and of the files that it names, in `unit`."""
    measure = javascript.length if unit == "UTF-16 units" else len
    skill = session.find(cost.key)
    body = "" if skill is None else _body(session, skill)
    return cost._replace(body=measure(replaced(body, stands_for)), files=named_files(cost.directory, measure))


def _body(session: Session, skill: Any) -> str:
    content = session.runtime.content
    try:
        return (content(session, skill) if content is not None else skill.body) or ""
    except OSError:
        return ""


def data(costs: Sequence[ClientCost], left_out: Sequence[str]) -> dict[str, Any]:
    """Return what `cost --output-format json` prints."""
    return {
        "schema_version": 1,
        "estimator": {"name": ESTIMATOR, "is_estimate": True},
        "left_out": list(left_out),
        "runtimes": [_client_data(each) for each in costs],
    }


def _client_data(cost: ClientCost) -> dict[str, Any]:
    return {
        "runtime": cost.runtime,
        "unit": cost.unit,
        "budget": None if cost.budget is None else {"limit": cost.budget, "unit": cost.budget_unit},
        "listing": {
            "fixed": cost.fixed,
            "own": cost.own.asked,
            "asked": cost.asked,
            "sent": cost.sent,
            "tokens": tokens(cost.sent),
        },
        "cut": list(cost.cut),
        "next_cut": cost.next_cut,
        "skills": [_skill_data(each) for each in cost.skills],
    }


def _skill_data(skill: SkillCost) -> dict[str, Any]:
    listed, files = skill.listing, skill.files
    return {
        "key": skill.key,
        "directory": str(skill.directory),
        "listing": None
        if listed is None
        else {"asked": listed.asked, "sent": listed.sent, "tokens": tokens(listed.sent)},
        "body": {"size": skill.body, "tokens": tokens(skill.body)},
        "files": None
        if files is None
        else {
            "count": files.number,
            "size": files.size,
            "tokens": tokens(files.size),
            "unmeasured": files.unmeasured,
        },
    }


def over(costs: Sequence[ClientCost], limit: float, is_percent: bool) -> Iterator[str]:
    """Yield a sentence for each client whose listing is over a limit.

    The limit is in the client's unit, or in percent of its budget; clients without a budget are then within.
    """
    for cost in costs:
        if is_percent:
            if cost.percent is not None and cost.percent > limit:
                yield f"listing of {cost.runtime} takes {percent_text(cost)} of its budget"
        elif cost.asked > limit:
            yield f"listing of {cost.runtime} has {cost.asked:,} {cost.unit}"


def percent_text(cost: ClientCost) -> str:
    """Return how much of the budget is asked for, never rounded to its limit."""
    percent = cost.percent or 0.0
    if math.isinf(percent):
        return "more than all"
    rounded = math.ceil(percent) if percent > 100 else math.floor(percent)
    return f"{rounded:,}%"

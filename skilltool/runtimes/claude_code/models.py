"""Which model does a session ask, how long may the listing be for it, and where does it stand?"""

from __future__ import annotations

import re
from typing import Any

from skilltool.runtimes.claude_code.data import facts
from skilltool.runtimes.claude_code.state import State


def _models() -> dict[str, Any]:
    found: dict[str, Any] = facts()["models"]
    return found


def model_of(state: State, given: str | None = None) -> str:
    """Return the full name of the model: the flag, the environment, the settings, else the default."""
    environment = {**state.settings.get("env", {}), **state.flags.env}
    named = state.flags.model or given or environment.get("ANTHROPIC_MODEL") or state.settings.get("model")
    return full_name(str(named)) if named else str(_models()["default"])


def full_name(name: str) -> str:
    """Return the model that an alias such as `haiku` stands for, any other name as it is."""
    return str(_models()["aliases"].get(name, name))


def model_of_skill(name: str | None, current: str) -> str:
    """Return the model that a skill's `model` field asks for; unknown names keep the large context window."""
    if name is None or name == "inherit":
        return current
    models = _models()
    full = full_name(name)
    if full != name or full.startswith("claude-") or full.endswith(models["large"]):
        return full
    return f"{full}{models['large']}"


def is_older(model: str) -> bool:
    """Return whether a model is of the generations before 5."""
    return re.match(_models()["older"], model) is not None


def listing_chars(model: str, fraction: float | None) -> int:
    """Return the budget of the listing in UTF-16 units."""
    models = _models()
    older = is_older(model)
    kind = "older" if older else "current"
    tokens = models["tokens"]["older_large" if older and model.endswith(models["large"]) else kind]
    share = models["budget_fraction"] if fraction is None else fraction
    return int(tokens * models["chars_per_token"][kind] * share + 1e-6)


def listing_place(model: str) -> str:
    """Return where in the request the listing stands."""
    return "messages[0] role=user block 4" if is_older(model) else "messages[1] role=system block 0"

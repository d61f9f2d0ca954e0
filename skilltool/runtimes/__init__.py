"""The runtimes that skilltool knows: an explicit table, in alphabetical order."""

from __future__ import annotations

from skilltool.errors import UnknownNameError
from skilltool.runtimes.agent import AGENT, AGENT_BASE_0_3_2
from skilltool.runtimes.agentskills import AGENTSKILLS
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.kodelet import KODELET, KODELET_0_5_36, KODELET_2025_12
from skilltool.runtimes.mycodeagent import MYCODEAGENT, MYCODEAGENT_2026_01, MYCODEAGENT_2026_07
from skilltool.runtimes.nfa import NFA, NFA_2026_02, NFA_2026_04
from skilltool.runtimes.pickle_bot import PICKLE_BOT, PICKLE_BOT_2026_02, PICKLE_BOT_2026_05
from skilltool.runtimes.portable import PORTABLE

_ALL: tuple[Runtime, ...] = (
    AGENT,
    AGENT_BASE_0_3_2,
    AGENTSKILLS,
    KODELET,
    KODELET_0_5_36,
    KODELET_2025_12,
    MYCODEAGENT,
    MYCODEAGENT_2026_01,
    MYCODEAGENT_2026_07,
    NFA,
    NFA_2026_02,
    NFA_2026_04,
    PICKLE_BOT,
    PICKLE_BOT_2026_02,
    PICKLE_BOT_2026_05,
    PORTABLE,
)

RUNTIMES: dict[str, Runtime] = {runtime.id: runtime for runtime in _ALL}

# What `--runtime all` stands for: the runtimes without their editions, and the open specification.
BARE: tuple[str, ...] = tuple(name for name in RUNTIMES if "@" not in name and name != "portable")


def get(name: str) -> Runtime:
    """Return the runtime with the id `name`; raises `UnknownNameError`."""
    if name not in RUNTIMES:
        raise UnknownNameError("runtime", name, RUNTIMES)
    return RUNTIMES[name]

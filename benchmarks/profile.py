"""Profile skilltool: the imports of a start, and the functions of a run over many skills."""

from __future__ import annotations

import cProfile
import io
import pstats
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median


def imports(command: Sequence[str], runs: int = 5) -> str:
    """Return the milliseconds that a command spends importing each package, the largest first."""
    found: dict[str, list[float]] = {}
    for _ in range(runs):
        for name, spent in _imported(command).items():
            found.setdefault(name, []).append(spent)
    costs = Counter({name: median(spent) for name, spent in found.items()})
    lines = [f"{cost:>9.1f} ms  {name}" for name, cost in costs.most_common(18)]
    return "\n".join([f"{sum(costs.values()):>9.1f} ms  in total, with -X importtime", *lines]) + "\n"


def _imported(command: Sequence[str]) -> Counter[str]:
    run = subprocess.run(
        [sys.executable, "-X", "importtime", *command], capture_output=True, text=True, check=False
    )
    spent: Counter[str] = Counter()
    for line in run.stderr.splitlines():
        own, _, rest = line.removeprefix("import time:").partition("|")
        if own.strip().isdigit():
            parts = rest.rpartition("|")[2].strip().split(".")
            spent[".".join(parts[:2] if parts[0] == "skilltool" else parts[:1])] += int(own) / 1000
    return spent


def functions(tree: Path) -> str:
    """Return the functions in which one process spends its time on the skills in `tree`, without a cache."""
    from skilltool.lint.config import Config
    from skilltool.lint.run import check_skills
    from skilltool.lint.settings import resolve

    settings = resolve(Config(), {"jobs": 1, "paths": [tree]})
    check_skills(settings)
    profile = cProfile.Profile()
    profile.runcall(check_skills, settings)
    shown = io.StringIO()
    pstats.Stats(profile, stream=shown).strip_dirs().sort_stats("tottime").print_stats(15)
    return shown.getvalue()

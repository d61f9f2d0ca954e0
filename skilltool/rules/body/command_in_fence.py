"""A command that is run while the skill is loaded stands in a code fence.

Clients that run !`command` and put in what it prints do so in code fences, too. What was meant as text,
or as something for the model to run later, is run each time the skill is loaded.

## Bad

````markdown repo-status/SKILL.md
---
name: repo-status
description: Sums up a repository. Use when the user asks what has changed.
---

# Repository status

```sh
echo "branch: " !`git branch --show-current`
```
````

```text
repo-status/SKILL.md:9:17: warning[command-in-fence]: the command `git branch --show-current` in a code fence is run when the skill is loaded
```

## Good

````markdown repo-status/SKILL.md
---
name: repo-status
description: Sums up a repository. Use when the user asks what has changed.
---

# Repository status

```sh
echo "branch: $(git branch --show-current)"
```
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.load_time import commands
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import COMMAND, Runtime
from skilltool.skill.model import Skill

ID = "command-in-fence"
SEVERITY = Severity.WARNING


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each such command where the target, or some client of the specification, runs commands."""
    if COMMAND in target.expands:
        for command in commands(skill):
            if command.fenced:
                message = (
                    f"the command {backticked(command.text)} in a code fence is run when the skill is loaded"
                )
                remedy = "write it without `!`, or move it out of the fence if it is meant to run"
                yield Finding(message, command.span, help=remedy)

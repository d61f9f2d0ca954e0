"""The skill brings commands that clients run without the model asking for it.

Clients run !`command` in the body while the skill is loaded, and the commands of `hooks` when something
happens. This is no defect: the list shows what would run, for whoever has to decide whether to install
the skill.

## Bad

```markdown repo-status/SKILL.md
---
name: repo-status
description: Sums up a repository. Use when the user asks what has changed.
hooks:
  Stop:
    - hooks:
        - type: command
          command: ./scripts/notify.sh
---

# Repository status

The branch is !`git branch --show-current`.
```

```text
repo-status/SKILL.md:8:20: info[load-time-command]: the command `./scripts/notify.sh` is run by the hook `Stop`
repo-status/SKILL.md:13:15: info[load-time-command]: the command `git branch --show-current` is run when the skill is loaded
```

## Good

```markdown repo-status/SKILL.md
---
name: repo-status
description: Sums up a repository. Use when the user asks what has changed.
---

# Repository status

Look up the branch with `git branch --show-current`.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.load_time import commands
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import COMMAND, Runtime
from skilltool.skill.model import Skill

ID = "load-time-command"
SEVERITY = Severity.INFO
_HOOKS, _RUN = "hooks", "command"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each command, where the target, or some client of the specification, runs commands."""
    if COMMAND not in target.expands:
        return
    remedy = "make sure that it may run, and say in the body what it is for"
    if skill.frontmatter.data and _HOOKS in skill.frontmatter.data:
        for path, scalar in skill.frontmatter.scalars:
            if path[0] == _HOOKS and path[-1] == _RUN and len(path) > 2 and scalar.text.strip():
                message = f"the command {backticked(scalar.text)} is run by the hook {backticked(path[1])}"
                yield Finding(message, scalar.span, help=remedy)
    for command in commands(skill):
        if not command.fenced:
            message = f"the command {backticked(command.text)} is run when the skill is loaded"
            yield Finding(message, command.span, help=remedy)

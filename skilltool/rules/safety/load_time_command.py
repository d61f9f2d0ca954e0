"""Command that some clients run automatically, either when they load the skill or in a hook.

Clients run a !`command` in the body when they load the skill, and run the commands in `hooks` on events such
as the end of a session. This is not necessarily a defect: the finding tells anyone who is thinking of
installing the skill which commands it would run. A hook that downloads a script and runs it is an error,
because nobody sees it happen, and the script can change at any time.

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
repo-status/SKILL.md:8:20: info[load-time-command]: hook `Stop` runs `./scripts/notify.sh`
repo-status/SKILL.md:13:15: info[load-time-command]: command `git branch --show-current` runs when the skill is loaded
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
from skilltool.rules.shared.downloads import downloads
from skilltool.rules.shared.load_time import load_time_commands
from skilltool.rules.shared.text_maps import text_map_of
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import COMMAND, Runtime
from skilltool.runtimes.fields import reads
from skilltool.skill.model import Skill
from skilltool.text.frontmatter import Scalar

ID = "load-time-command"
SEVERITY = Severity.INFO
_HOOKS, _RUN = "hooks", "command"
_REMEDY = "make sure that it is safe to run, and explain it in the body"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each command if the target, or a client of the specification, runs commands."""
    if COMMAND not in target.expands:
        return
    if skill.frontmatter.data and _HOOKS in skill.frontmatter.data and _has_hooks(target):
        reading = text_map_of(skill, target)
        for path, scalar in skill.frontmatter.scalars:
            runs = reading is None or reading.runs_hook(path[1:-1])
            if runs and path[0] == _HOOKS and path[-1] == _RUN and len(path) > 2 and scalar.text.strip():
                yield _of_hook(skill, str(path[1]), scalar)
    for command in load_time_commands(skill, target):
        if command.where is None:
            message = f"command {backticked(command.text)} runs when the skill is loaded"
            yield Finding(message, command.span, help=_REMEDY)


def _of_hook(skill: Skill, event: str, scalar: Scalar) -> Finding:
    """Return the finding for the command of a hook; what downloads and runs is an error: nobody sees it happen."""
    message = f"hook {backticked(event)} runs {backticked(scalar.text)}"
    start, end = scalar.span
    loaded = next(
        (download for download in downloads(skill.text) if start <= download.span.start < end), None
    )
    if loaded is None:
        return Finding(message, scalar.span, help=_REMEDY)
    message = f"hook {backticked(event)} downloads {backticked(loaded.url)} and runs it"
    remedy = "install a package instead, or ship the script with the skill"
    return Finding(message, scalar.span, help=remedy, severity=Severity.ERROR)


def _has_hooks(target: Runtime) -> bool:
    """Return whether the target, or a client of the specification, reads the field."""
    return target.specification or bool(target.ground) or reads(target.id, _HOOKS)

"""Load-time command that is not run because of the character before its `!`.

Clients that run !`command` when they load a skill do so only at the start of a line or after whitespace.
If a command directly follows `=`, `:`, a bracket, a quotation mark or the `|` of a table, the model gets the command
itself instead of its output.

A command in a code span is not reported, because it is an example of the syntax. The rule also skips commands after
`KEY=`, a form common in examples of this syntax, and commands in skills about writing skills.
Tested with Claude Code 2.1.329.

## Bad

```markdown .claude/skills/repo-status/SKILL.md
---
name: repo-status
description: Sums up a repository. Use when the user asks what has changed.
---

# Repository status

BRANCH=!`git branch --show-current`
```

```text --runtime claude-code
.claude/skills/repo-status/SKILL.md:8:8: warning[glued-command]: `claude-code` does not run `git branch --show-current`, because `=` directly precedes the `!`
```

## Good

```markdown .claude/skills/repo-status/SKILL.md
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
from skilltool.rules.shared.about_skills import explains_skills
from skilltool.rules.shared.text_maps import text_map_of
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "glued-command"
SEVERITY = Severity.WARNING

_GUARD = "KEY="  # with which pages about this syntax show a command that is not to run


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each command that a measured runtime leaves as text."""
    reading = text_map_of(skill, target)
    for command in reading.left_commands if reading is not None else ():
        start = command.at[0]
        if explains_skills(skill) or skill.source.text.endswith(_GUARD, 0, start):
            continue
        before = skill.source.text[start - 1]
        rest = f"run {backticked(command.text)}, because {backticked(before)} directly precedes the `!`"
        yield Finding(
            "",
            Span(*command.at),
            help="insert a space before the `!`",
            clause=(f"does not {rest}", f"do not {rest}"),
        )

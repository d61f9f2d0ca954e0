"""Skill in which skilltool itself failed.

It is a defect of skilltool and not of the skill: a rule, or what reads the skill as a runtime does, met something
that nobody expected. The message names the rule, the runtime and the place in skilltool, and quotes what
Python said. Please report it with the skill, or with the part of it that is enough to see the error.

The failure affects that skill alone. What other rules find in it is still reported, but `lint --fix` does not
change it; all other skills are checked and fixed, and other commands skip it with the same message. The run
ends with exit status 2, since something was not checked: this cannot be ignored, accepted in a baseline, or
cached.

```text
SKILL.md:1:1: error[internal-error]: internal error in rule `broken-link` for `codex`, please report it: ValueError: ...
```
"""

from __future__ import annotations

from skilltool.findings.finding import Severity

ID = "internal-error"
SEVERITY = Severity.ERROR

"""Skill that caused an internal error in skilltool.

This is a bug in skilltool, not in the skill: a rule, or the code that emulates how a runtime reads the skill,
failed unexpectedly. The message names the rule, the runtime and the location in skilltool's code, and quotes
the Python error. Please report it together with the skill, or with the smallest part of it that reproduces
the error.

The failure affects only that skill. Findings from other rules are still reported, but `lint --fix` does not
change the skill. All other skills are still checked, and fixed if requested. Other commands print the same
message and skip the skill. The exit status is 2 because something was not checked, so this finding cannot be
ignored, accepted in a baseline, or cached.

```text
SKILL.md:1:1: error[internal-error]: internal error in rule `broken-link` for `codex` (please report it): ValueError: ...
```
"""

from __future__ import annotations

from skilltool.findings.finding import Severity

ID = "internal-error"
SEVERITY = Severity.ERROR

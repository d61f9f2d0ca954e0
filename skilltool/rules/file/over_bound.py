"""Skill that is too large to check, or that takes too long to check.

skilltool must be safe to run on skills from strangers, so each skill has a budget:

- `SKILL.md` may be up to 1 MiB.
- A skill may have up to 10,000 files and 10,000 directories, nested at most 32 levels deep. Version control
  directories, `node_modules`, `__pycache__` and virtual environments do not count.
- No skilltool command spends more than ten seconds on one skill, or uses more than 2 GiB of memory for it.
  Once 20 seconds have been spent on slow skills, each remaining skill gets only half a second. On Linux,
  these times are measured in CPU time, so other load on the machine does not matter. Regardless of CPU time,
  a command also gives up on a skill when the elapsed time reaches 30 times the limit, or when it has waited
  30 seconds for a file.

A skill over its budget is not checked, `lint --fix` does not change it, and `pack` does not pack it. This
finding cannot be ignored. `resolve` lists a skill as skipped if its `SKILL.md` is too large or takes too long
to process. The other files in the directory do not matter to `resolve`, because they do not prevent a runtime
from loading the skill.

Apart from `SKILL.md`, text files larger than 1 MiB are not checked, and once 16 MiB have been read, no
further text files are checked. An `info` finding at the first unchecked file reports this, and the rest of
the skill is still checked. Files that are not UTF-8, or have a NUL byte in their first 8 KiB, do not count as
text.

To allow more time for slow skills, use `--time-limit` or set `SKILLTOOL_TIMEOUT`. A configuration file
cannot raise the limit. Where the system does not enforce a memory limit (macOS) or has none (Windows), only
the size and time limits apply.

## Bad

```markdown lines=32000
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Fill in the next field of the form.
```

```text
SKILL.md:1:1: error[over-bound]: check was stopped: more than 1 MiB in SKILL.md, skilltool's limit for one skill
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from skilltool.findings.finding import Severity

ID = "over-bound"
SEVERITY = Severity.ERROR

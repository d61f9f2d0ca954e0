"""Skill that is too large to check, or that takes too long.

Anyone may run skilltool on a stranger's skill, so each skill has a budget:

- `SKILL.md` may have 1 MiB.
- A skill may have 10,000 files and 10,000 directories, nested at most 32 levels deep. Version control
  directories, `node_modules`, `__pycache__` and virtual environments do not count.
- No command spends more than ten seconds, or 2 GiB of memory, on one skill. After 20 seconds spent on slow
  skills, each further one has half a second. These are seconds of processor time on Linux: a machine
  that is busy with other work changes nothing. A command ends in any case after thirty times as long, or
  when a file keeps it waiting for 30 seconds.

A skill over its budget is not checked, `lint --fix` does not change it, and `pack` does not pack it. That a
skill was not checked cannot be ignored. `resolve` lists a skill as skipped if its `SKILL.md` is too large or
takes too long; the files beside it keep no runtime from loading the skill.

A text file of more than 1 MiB beside the `SKILL.md` is left out, and so are all files once 16 MiB have been read: an
info at the first of them says so, and the rest of the skill is checked. Files that are not UTF-8, or have a NUL in
their first 8 KiB, are not text.

Give `--time-limit` more seconds for slow skills, or set `SKILLTOOL_TIMEOUT`; no configuration file can.
Where the system does not enforce a limit of memory (macOS) or has none (Windows), only the limits of size and
of time apply.

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

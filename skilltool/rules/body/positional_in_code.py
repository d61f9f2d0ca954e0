"""Code in the body holds a mark that is replaced by an argument.

Where arguments are put into a body, they are put in for `$1` in code, too: `awk '{print $1}'` prints
something else as soon as the user gives arguments. A skill that declares arguments means them, and has
no finding.

## Bad

```markdown count-words/SKILL.md
---
name: count-words
description: Counts words in a log. Use when the user asks for numbers.
---

# Count words

Run `awk '{print $1}' app.log | sort | uniq -c`.
```

```text
count-words/SKILL.md:8:18: info[positional-in-code]: `$1` in code is replaced where arguments are put in
```

## Good

```markdown count-words/SKILL.md
---
name: count-words
description: Counts words in a log. Use when the user asks for numbers.
---

# Count words

Run `cut -d' ' -f1 app.log | sort | uniq -c`.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.about_skills import explains_skills
from skilltool.runtimes.base import ARGUMENTS, POSITION, Runtime
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "positional-in-code"
SEVERITY = Severity.WARNING

# `$1`, and no price such as `$5.00`, `$1M` or `$5-10`.
_POSITION = re.compile(r"(?<![\\$\w])\$\d(?!\w|[.,-]\d)")
# The mark for all arguments in a longer name, where it is replaced as a part of it.
_MANGLED = re.compile(r"\\\$ARGUMENTS|\$ARGUMENTS(?=\w|\[)")
_DECLARED = frozenset({"argument-hint", "arguments"})


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the first mark in a code span or fence."""
    if _DECLARED & (skill.frontmatter.data or {}).keys() or explains_skills(skill):
        return
    if POSITION in target.expands:
        mark = _POSITION
    elif ARGUMENTS in target.expands:
        mark = _MANGLED
    else:
        return
    code = sorted(part.span for parts in (skill.markdown.codes, skill.markdown.fences) for part in parts)
    found = next((m for span in code if (m := mark.search(skill.source.text, span.start, span.end))), None)
    if found is not None:
        message = f"`{found[0]}` in code is replaced where arguments are put in"
        remedy = "write it in another way (`${1}` in a shell, `$(1)` in awk), or move the code into a file"
        yield Finding(message, Span(*found.span()), help=remedy)

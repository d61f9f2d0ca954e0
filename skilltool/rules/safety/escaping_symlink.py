"""Symbolic link that points outside the skill's directory.

A skill is installed, packed and copied as one directory. After the skill is installed elsewhere, the link is
broken or points to one of the user's private files, which a model was never meant to read.

If the target exists in the same repository, the severity is `info`: most installers copy the target, and a
plugin is installed as a whole. `gh skill` instead writes a text file that contains the path of the link's
target. If several links point to the same location on the machine, they are reported as one finding, which
shows the first link and the number of others.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```link shared.md
-> ../../shared.md
```

```text
SKILL.md:1:1: error[escaping-symlink]: symbolic link `shared.md` points outside the skill, to `../../shared.md`
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

```markdown references/fields.md
# Fields
```

```link references/latest.md
-> fields.md
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.wording import and_more, backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "escaping-symlink"
SEVERITY = Severity.ERROR

_DEEP = 4  # parts of a path below somebody's directory: "", "home", "alice", "skills"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each link out of the skill; `unreadable-file` covers a SKILL.md that is such a link itself."""
    links = [link for link in skill.tree.links if link.escapes and link.path != skill.file_name]
    places = Counter(_place(link.target) for link in links)
    for link in links:
        others = places.pop(_place(link.target), 0) - 1
        if others >= 0:
            ends = f"{backticked(link.path)} points outside the skill, to {backticked(link.target)}"
            severity = Severity.INFO if skill.surroundings.leads_into_repository(link.path) else None
            missing = link.dangles and not link.target.startswith("/")
            advice = (
                "correct the target, which does not exist, or put a copy of the file here"
                if missing
                else "replace it with a copy of its target"
            )
            if (near := skill.surroundings.link_within_repository(link.path, link.target)) is not None:
                advice = "delete it" if near == "." else f"make it relative: {backticked(near)}"
            yield Finding(
                f"symbolic link {ends}{and_more(others)}", Span(0, 0), help=advice, severity=severity
            )


def _place(target: str) -> str:
    """Return the home directory or the like that an absolute target is in; of others the whole target."""
    parts = target.split("/")
    return "/".join(parts[:3]) if target.startswith("/") and len(parts) > _DEEP else target

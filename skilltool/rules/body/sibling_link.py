"""Link to another skill, in a repository whose README says how to install individual skills.

`npx skills add`, `gh skill install` and `openskills install` copy one directory and do not follow links, so a
user who installs one skill does not get the other. If both skills are installed, each is in a directory with
its name, next to the other, so `../NAME/SKILL.md` works. A path does not work if it goes further up, or if it
leads to a directory whose name differs from the skill's; the severity is then `warning`.
`skilltool resolve . --installer skills --skill NAME` shows everything else that would be missing if only
`NAME` were installed.

## Bad

```markdown README.md
# Forms

Install one skill with `npx skills add acme/forms --skill pdf-tools`.
```

```markdown skills/pdf/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read [how to sign](../../sign/sign-forms/SKILL.md) first, then [the fields](../form-fields/SKILL.md).
```

```markdown skills/pdf/form-fields/SKILL.md
---
name: form-fields
description: Lists the fields of a form. Use when the user asks for the names of fields.
---

# Form fields

Read the form's fields before you fill them in.
```

```markdown skills/sign/sign-forms/SKILL.md
---
name: sign-forms
description: Signs forms. Use when the user wants a form to be signed.
---

# Sign forms

Sign in the last field.
```

```text
skills/pdf/pdf-tools/SKILL.md:8:20: warning[sibling-link]: link `../../sign/sign-forms/SKILL.md` points to another skill, and is broken even if both are installed
skills/pdf/pdf-tools/SKILL.md:8:77: info[sibling-link]: link `../form-fields/SKILL.md` points to another skill, which is not installed with this one
```

## Good

```markdown README.md
# Forms

Install one skill with `npx skills add acme/forms --skill pdf-tools`.
```

```markdown skills/pdf/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read [the fields](references/fields.md) first.
```

```markdown skills/pdf/pdf-tools/references/fields.md
# Fields
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.links import Destination, all_file_links, destination
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern

ID = "sibling-link"
SEVERITY = Severity.INFO

_INSTALLS_ONE = lazy_pattern(
    r"\b(?:npx|bunx|pnpm dlx|yarn dlx)(?: -y| --yes)? (?:skills|add-skill)(?:@[\w.-]{1,20})? (?:add|i|install)\b"
    r"|\bgh skill install\b|\bopenskills install\b"
)
_BESIDE = lazy_pattern(r"\.\./(?!\.\.)[^/]+(?:/.*)?")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each link to another skill, the first to each file of a page."""
    seen: set[tuple[str, str]] = set()
    for text, link, resolved in all_file_links(skill):
        if destination(skill, resolved) is not Destination.SIBLING or (text.file, resolved.path) in seen:
            continue
        if not _INSTALLS_ONE.search(skill.surroundings.readmes()):
            return
        seen.add((text.file, resolved.path))
        kind = "image" if link.image else "link"
        message = f"{kind} {backticked(link.target)} points to another skill"
        if _BESIDE.fullmatch(resolved.path):
            end, severity = ", which is not installed with this one", None
        else:
            end, severity = ", and is broken even if both are installed", Severity.WARNING
        remedy = "copy the file into the skill, or name the other skill in the text"
        yield Finding(f"{message}{end}", link.target_span, remedy, severity, file=text.file)

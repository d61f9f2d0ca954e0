"""Name that differs from the name of the skill's directory.

The open specification requires the two to match, and runtimes that enforce it do not load the skill. For a
runtime that loads the skill anyway, the rule reports nothing. If that runtime then uses a different name,
`different-key` reports it.

Some skills are exempt: those in the root of a repository, because the directory may have a different name in
each clone, and those in a directory such as `skill` or `1.4.0`, because the directory gets the skill's name
on installation. Nothing is reported for runtimes that treat the name as a title, such as
`Brainstorming Ideas`. The severity is only `info` for a skill inside another skill if its name begins with that
skill's name, such as `forms-fill` in `forms/fill`.

## Bad

```markdown forms/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
forms/SKILL.md:2:7: info[name-directory-mismatch]: name `pdf-tools` does not match directory `forms`
```

## Good

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import normalize

from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.shared.names import is_portable, named_by, suggested_name
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.values import LoadedSkill
from skilltool.skill.model import Skill
from skilltool.text.frontmatter.scalars import quoted_if_needed
from skilltool.text.lazy_pattern import lazy_pattern

ID = "name-directory-mismatch"
SEVERITY = Severity.WARNING

_CAUSE = "names"  # an author who names directories otherwise than skills does so in all of a repository
# `01-forms`: the directory's number is for sorting, and no part of a name.
_SORTED = lazy_pattern(r"\d{1,4}[-_.]")
# `skill`, `dist`, `1.4.0`: directories whose content is installed under the skill's name.
_GENERIC = lazy_pattern(r"skills?|src|dist|latest|v?\d{1,9}(?:\.\d{1,9}){0,3}", re.IGNORECASE)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the names differ by more than Unicode normalization, case and separators.

    There is only a fix to the directory's name where every runtime allows that name.
    """
    if target.free_name or _loads(skill, target):
        return
    name = skill.frontmatter.text("name")
    if not name or skill.in_repository_root or _GENERIC.fullmatch(skill.name):
        return
    same = normalize("NFKC", name) == normalize("NFKC", skill.name)
    if not same and suggested_name(name, skill.name) != skill.name and not skill.is_copied_repository:
        message = f"name {backticked(name)} does not match directory {backticked(skill.name)}"
        span = skill.frontmatter.span("name")
        fix = Fix(safe=False, edits=(Edit(span.start, span.end, quoted_if_needed(skill.name)),))
        severity = Severity.INFO if target.load is None or _is_part(skill, name) else None
        if (others := named_by(skill, name)) is not None:
            is_good = _is_good(skill, name)
            remedy = (
                f"{_renaming(skill, name)}{', the name' if is_good else f'; `{name}` is'} used in {others}"
            )
            yield Finding(message, span, help=remedy, severity=severity, cause=_CAUSE)
        elif is_portable(skill.name) and not _SORTED.match(skill.name) and not _extends(name, skill.name):
            yield Finding(
                message, span, help="use the same name for both", severity=severity, fix=fix, cause=_CAUSE
            )
        else:
            yield Finding(message, span, help=_renaming(skill, name), severity=severity, cause=_CAUSE)


def _is_part(skill: Skill, name: str) -> bool:
    """Return whether a skill inside another one has the name of both: `forms-fill` in `forms/fill`."""
    outer = skill.surroundings.package.name
    return skill.surroundings.is_nested and name.startswith(f"{outer}-") and name.endswith(f"-{skill.name}")


def _loads(skill: Skill, target: Runtime) -> bool:
    return target.load is not None and isinstance(skill.ask(target.load), LoadedSkill)


def _extends(name: str, directory: str) -> bool:
    """Return whether a name is that of the directory and says more: `qdrant-scaling` in `qdrant/scaling`."""
    return f"-{directory}-" in f"-{name}-"


def _renaming(skill: Skill, name: str) -> str:
    """Return the help where a runtime may not allow the name of the directory."""
    return f"rename the directory to `{name}`" if _is_good(skill, name) else "use the same name for both"


def _is_good(skill: Skill, name: str) -> bool:
    """Return whether the directory may have a name: runtimes allow it, and no directory beside it has it."""
    return is_portable(name) and skill.surroundings.neighbour(name) is None


def rename_directory(skill: Skill) -> Fix | None:
    """Return the fix that renames the directory to the frontmatter's name; None if a runtime may not allow that."""
    name = skill.frontmatter.text("name") or ""
    return Fix(safe=False, rename=(f"../{skill.name}", f"../{name}")) if is_portable(name) else None

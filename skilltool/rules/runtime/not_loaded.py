"""Skill that a runtime does not load.

Runtimes often reject a skill silently: it is simply missing from the listing. This rule uses
the runtime's own parsing rules, and quotes the runtime's own message if there is one.

For `portable`, the rule names the runtimes that reject a skill even though the skill is within all of
`portable`'s limits. The severity is `warning` if one of the most widely used clients rejects the skill,
otherwise `info`.

## Bad

```markdown
---
name: 2026
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools
```

```text --runtime kodelet
SKILL.md:2:7: error[not-loaded]: `kodelet` does not load this skill: `name` is missing, empty or not a string (skipped silently)
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.files.paths import shorten_directory_path
from skilltool.findings.finding import Finding, Severity
from skilltool.packages.manifest import leading_clients
from skilltool.rules.shared.limits import counted, reason, refusal, span_of
from skilltool.rules.shared.projects import is_overlay, lies_in_project
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.text.source import Source

ID = "not-loaded"
SEVERITY = Severity.ERROR

_CLAUSE = ("does not load this skill", "do not load this skill")
_HARMLESS_KEYWORDS = frozenset({"additionalProperties"})


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield a finding if the runtime, or one of those that a common ground stands for, rejects the skill."""
    if target.ground and _satisfies(skill, target):
        yield from _of_ground(skill, target)
    elif (refused := refusal(skill, target.id)) is not None and not refused.ends_loading:
        if is_overlay(skill) and not lies_in_project(skill):  # see `missing-frontmatter`
            return
        why = shorten_directory_path(refused.why, refused.directory)
        advice = why if refused.message and why not in refused.message else None
        if advice is None and _loads_without_mark(skill, target):
            advice = "save the file as UTF-8 without a byte order mark"
        yield Finding("", span_of(skill, refused), help=advice, clause=_CLAUSE, note=reason(refused))


def _loads_without_mark(skill: Skill, target: Runtime) -> bool:
    """Return whether a file begins with a byte order mark, and the runtime loads the skill without that."""
    if not skill.source.bom:
        return False
    text = skill.source.text.removeprefix("\ufeff")
    changed = skill.with_text(Source(text), len(text.encode("utf-8", "replace")))
    return refusal(changed, target.id) is None


def _of_ground(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield what each runtime of a common ground says that rejects it: a warning where a leading client does so."""
    refusals = ((name, refusal(skill, name)) for name in target.ground)
    rejected = {name: refused for name, refused in refusals if refused and not refused.ends_loading}
    leading = {name: span_of(skill, rejected[name]) for name in leading_clients() if name in rejected}
    loading = counted(target, lambda name: refusal(skill, name) is not None, "load it") if rejected else None
    rest = f"not load this skill, although it satisfies `{target.id}`{f' ({loading})' if loading else ''}"
    for name in dict.fromkeys([*leading, *rejected]):
        span = span_of(skill, rejected[name])
        yield Finding(
            "",
            span,
            severity=Severity.WARNING if span in leading.values() else Severity.INFO,
            clause=(f"does {rest}", f"do {rest}"),
            owners=(name,),
            note=reason(rejected[name]),
        )


def _satisfies(skill: Skill, target: Runtime) -> bool:
    broken = schema.violations(skill.frontmatter, target.schema)
    return skill.frontmatter.data is not None and all(v.keyword in _HARMLESS_KEYWORDS for v in broken)

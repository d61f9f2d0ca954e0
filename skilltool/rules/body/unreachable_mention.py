"""File mentioned as `@path` that a runtime looks for in the working directory but does not find there.

When the body mentions a file as `@notes.md`, Claude Code reads the file and sends it along with the skill.
The path is relative to the session's working directory, not to the skill. A file next to `SKILL.md` is
therefore not found, and there is no error message. `@${CLAUDE_SKILL_DIR}/notes.md` works. Each skill gets a
single finding, which shows the first unreachable mention and says how many more there are.

The rule skips paths that also exist in the project. It also skips code spans, because Claude Code does not
look for mentions in them. A path that exists neither in the skill nor in the project is reported only if it
contains a `/` and looks like a document, so `@angular/core` is not reported. Tested with Claude Code 2.1.329
(`claude -p`).

## Bad

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Follow @fields.md for each field.
```

```markdown pdf-tools/fields.md
# Fields
```

```text --runtime claude-code
pdf-tools/SKILL.md:8:8: warning[unreachable-mention]: `claude-code` looks for `@fields.md` in the working directory, not in the skill
```

## Good

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Follow @${CLAUDE_SKILL_DIR}/fields.md for each field.
```

```markdown pdf-tools/fields.md
# Fields
```
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.text_maps import text_map_of
from skilltool.rules.shared.wording import and_more, backticked
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.variables import own_directory
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

ID = "unreachable-mention"
SEVERITY = Severity.WARNING

_DOCUMENT = lazy_pattern(r"(?:\./)?(?:[\w-][\w.-]*/)+[\w.-]*\w\.(?:md|txt|json|ya?ml)(?![\w/-]|\.\w)")
_SIGNS = ".,;:!?)]}'"  # of the sentence around a path


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding for all mentions of files that the skill has and the project lacks, and a note per missing one.

    All such mentions have one cause: their author takes a path after `@` as relative to the skill.
    """
    reading = text_map_of(skill, target)
    mentions = reading.mentions if reading is not None else ()
    unreachable: list[tuple[str, int]] = []
    for mention in mentions:
        path = _in_skill(skill, mention.path)
        if path is None and (missing := _missing(skill, mention.path)) is not None:
            start = mention.at[0]
            yield Finding(
                f"`@{missing}` has no effect",
                Span(start, start + mention_length(skill, start, missing)),
                help="correct or remove the path",
                clause=(
                    "finds no such file in the working directory",
                    "find no such file in the working directory",
                ),
                severity=Severity.INFO,
            )
        if path is not None and not skill.exists_above(path):
            unreachable.append((path, mention.at[0]))
    if unreachable:
        yield _of_all(skill, target, unreachable)


def _of_all(skill: Skill, target: Runtime, unreachable: list[tuple[str, int]]) -> Finding:
    """Return the finding at the first of the mentions, each a path in the skill and where its `@` is."""
    (path, start), others = unreachable[0], len(unreachable) - 1
    rest = f"for {backticked('@' + path)}{and_more(others)} in the working directory, not in the skill"
    variable = own_directory(target.id)
    return Finding(
        "",
        Span(start, start + mention_length(skill, start, path)),
        help=f"write `@{variable}/{path}`, or a link" if variable else "write a link",
        clause=(f"looks {rest}", f"look {rest}"),
    )


def _missing(skill: Skill, path: str) -> str | None:
    """Return the path of a document that neither the skill nor the project has; None for any other mention."""
    found = _DOCUMENT.match(path)
    named = posixpath.normpath(found[0]) if found is not None else ""
    return found[0] if found is not None and not (skill.holds(named) or skill.exists_above(named)) else None


def mention_length(skill: Skill, start: int, path: str) -> int:
    """Return the length of a mention without the signs of the sentence after it."""
    written = skill.source.text.find(path, start)
    return written + len(path) - start if written >= 0 else 1


def _in_skill(skill: Skill, path: str) -> str | None:
    """Return the normalized path of a file of the skill, with or without the sign after it; None if it has none."""
    for candidate in (path, path.rstrip(_SIGNS)):
        if not candidate or candidate.startswith(("/", "~", "$")):
            continue
        normal = posixpath.normpath(candidate)
        if normal != "." and skill.holds(normal):
            return normal
    return None

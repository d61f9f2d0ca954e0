"""Differing copies of one skill in several skills directories of a project.

Several skills directories of the project (`skills`, `.agents/skills`, `.claude/skills` or others) contain a
skill with the same name, but the descriptions or the bodies differ in more than blank lines and lines that name a
client or the directory that the copy is in. Different runtimes then give their models
different text, and a fix to one copy does not reach the others. Other fields may differ, because each client
has its own fields.

Three kinds of copies are meant to differ and are not reported: translations in a directory named after a
language (`.ja/skills`), copies that share fewer than half of the longer body's lines, and pairs in which only
one copy has a file for Codex. The severity is `info` if half of the lines that differ name a client, in at least half
of the copies in two directories: these are written for different clients. If more than three copies differ between the same two directories, they are
reported as one finding.

## Bad

```markdown .agents/skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```markdown .kodelet/skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the fields of the form first.
```

```text
.kodelet/skills/pdf-tools/SKILL.md:2:7: warning[drifted-copy]: copy of `pdf-tools` differs from `.agents/skills/pdf-tools/SKILL.md`
```

## Good

```markdown .agents/skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```markdown .kodelet/skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from skilltool.findings.finding import Severity
from skilltool.rules.records import CollectionFinding, Record
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import load_skill
from skilltool.text.lazy_pattern import lazy_pattern

ID = "drifted-copy"
SEVERITY = Severity.WARNING

# Names of directories with translations; not what is also a programming language or a word (`.go`, `.it`).
_LANGUAGE = lazy_pattern(
    r"\.(?:ar|cs|da|de|el|en|es|fa|fi|fr|he|hu|ja|jp|ko|kr|nl|pl|pt|ro|ru|sv|th|tr|uk|vi|zh|cn|tw)(?:[-_]\w{2,4})?",
    re.IGNORECASE,
)


_COMPANIONS = ("agents/openai.yaml",)  # of Codex, which calls a skill by `$name`
_FEW_LINES = 10
_LEAST_ADAPTED = 0.5  # of the copies in a directory: then it has those for another client
_LEAST_REWRITTEN = 6  # lines, in both copies; fewer may have been forgotten in the other one
_LEAST_SHARE = 0.5  # of the lines of the longer body; with less, one is rewritten for its client


def check_all(records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
    """Yield each copy that differs from the copy of the same name that comes first in path order."""
    first: dict[tuple[str, str], Record] = {}
    found: dict[str, list[tuple[CollectionFinding, bool]]] = {}  # by the two directories of the copies
    for record in records:
        if record.name and (holder := record.holder) is not None:
            other = first.setdefault((holder, record.name), record)
            if other.parent == record.parent or _is_translation(record, other):
                continue
            if _has_companion(record) != _has_companion(other):
                continue
            one, two = _texts(other, record)
            if _of_no_client(one) == _of_no_client(two) or _share_of_lines(one[1], two[1]) < _LEAST_SHARE:
                continue
            finding = CollectionFinding(
                record,
                f"copy of {backticked(record.name)} differs from `{other.path}`",
                help="keep one copy; replace the others with links or generate them",
                cause=f"{other.parent}\0{record.parent}",
            )
            found.setdefault(finding.cause, []).append((finding, _is_about_clients(one[1], two[1])))
    for pairs in found.values():
        is_adapted = sum(adapted for _, adapted in pairs) >= _LEAST_ADAPTED * len(pairs)
        yield from (finding._replace(is_note=is_adapted) for finding, _ in pairs)


def _is_translation(one: Record, other: Record) -> bool:
    """Return whether only one of two paths has a directory with the name of a language, or they have different ones."""
    parts = set(one.parent.split("/")) ^ set(other.parent.split("/"))
    return any(_LANGUAGE.fullmatch(part) for part in parts)


def _has_companion(record: Record) -> bool:
    """Return whether a copy has a file that is made for one client: the text may be, too."""
    return any(os.path.exists(f"{record.directory}/{each}") for each in _COMPANIONS)


def _of_no_client(text: tuple[str, str]) -> tuple[str, list[str]]:
    """Return a description, and the lines of a body that speak of no client: those are written for each client."""
    words, body = text
    return words, [line for line in body.split("\n") if _FILLED_IN not in line]


def _is_about_clients(one: str, two: str) -> bool:
    """Return whether half of the lines that only one of two bodies has speak of a client, which it is written for."""
    lines, others = Counter(one.split("\n")), Counter(two.split("\n"))
    differing = [*((lines - others) + (others - lines)).elements()]
    is_rewritten = len(differing) >= _LEAST_REWRITTEN
    return is_rewritten and 2 * sum(_FILLED_IN in line for line in differing) >= len(differing)


def _share_of_lines(one: str, two: str) -> float:
    """Return which part of the lines of the longer text the other one has, too; 1 for texts of few lines."""
    lines, others = (Counter(filter(None, map(str.strip, text.split("\n")))) for text in (one, two))
    longer = max(lines.total(), others.total())
    return (lines & others).total() / longer if longer >= _FEW_LINES else 1.0


def _texts(*records: Record) -> list[tuple[str, str]]:
    """Return what a model reads of copies; not cached, because few skills have copies.

    Blank lines are left out, and so are the names of clients and of the directories that have these copies: a
    program that makes copies fills in `.claude/skills/pdf` and Claude Code in the one, `.codex/skills/pdf` and
    Codex in the other.
    """
    tops = {record.parent.removesuffix("/skills").rpartition("/")[2] for record in records}
    names = [_CLIENT.pattern, *(rf"(?<![\w.-]){re.escape(top)}/" for top in sorted(tops) if top[:1] == ".")]
    client = re.compile("|".join(names), re.IGNORECASE)
    return [_text(record, client) for record in records]


def _text(record: Record, client: re.Pattern[str]) -> tuple[str, str]:
    skill = load_skill(Path(record.directory))
    words = " ".join((skill.frontmatter.text("description") or "").split())
    lines = (line.rstrip() for line in skill.body.replace("\r", "\n").split("\n"))
    return client.sub(_FILLED_IN, words), client.sub(_FILLED_IN, "\n".join(filter(None, lines)))


_FILLED_IN = "\0"  # stands for a client; no text has it


_CLIENT = lazy_pattern(
    r"\b(?:(?:AGENTS|CLAUDE|GEMINI)\.md|Claude(?:[ -]Code)?|Codex(?:[ -]CLI)?|(?:GitHub )?Copilot|Cursor|Windsurf"
    r"|Gemini(?:[ -]CLI)?|OpenCode)\b",
    re.IGNORECASE,
)

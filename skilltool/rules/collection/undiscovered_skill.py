"""No target looks where the skill is.

It lies too deep below a root, in a root of another runtime, or it is a Markdown file beside the skills in place
of a directory with a `SKILL.md`. No listing has it and no error says so.

## Bad

```markdown .kodelet/skills/documents/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```markdown .kodelet/skills/pdf-reader/SKILL.md
---
name: pdf-reader
description: Reads PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```markdown .kodelet/skills/pdf-merger.md
---
name: pdf-merger
description: Merges PDF files. Use when the user wants one file of several.
---

# PDF merger

Ask for the order of the files.
```

```text --runtime kodelet
.kodelet/skills/documents/pdf-tools/SKILL.md:2:7: warning[undiscovered-skill]: `kodelet` does not look here
.kodelet/skills/pdf-merger.md:1:1: warning[undiscovered-skill]: `kodelet` does not read a flat file as a skill
```

## Good

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
from collections.abc import Iterator, Sequence
from pathlib import Path

from skilltool.findings.diagnostic import locate
from skilltool.findings.finding import Severity
from skilltool.rules.records import CollectionFinding, Record
from skilltool.rules.shared.collections import Collection, collections
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import MAX_BYTES
from skilltool.text import frontmatter
from skilltool.text.source import Source, Span

ID = "undiscovered-skill"
SEVERITY = Severity.WARNING
# One target that looks there is enough.
UNANIMOUS = True

_MOVE = "move it into a directory that `skilltool runtimes ID` lists"
_WRAP = "give it a directory of its own, in which it is called SKILL.md"


def check_all(records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
    """Yield each skill that the target, opened in the skill's project, never looks at."""
    if not target.project_roots:
        return
    for collection in collections(records, target):
        if collection.is_project:
            seen = _seen(collection)
            hidden = [each for each in collection.records if os.path.realpath(each.directory) not in seen]
        else:
            hidden = [each for each in collection.records if each.in_hidden_root and not target.specification]
        for record in hidden:
            clause = ("does not look here", "do not look here")
            yield CollectionFinding(record, "", help=_MOVE, clause=clause)
        if collection.is_project:
            for record in _flat(collection, target):
                clause = ("does not read a flat file as a skill", "do not read a flat file as a skill")
                yield CollectionFinding(record, "", help=_WRAP, clause=clause)


def _flat(collection: Collection, target: Runtime) -> Iterator[Record]:
    """Yield Markdown files that lie in a root as they are, with the frontmatter of a skill."""
    for root in collection.session.roots:
        top = root.path.as_posix()
        beside = next((each for each in collection.records if each.root(target) == top), None)
        for path in _markdown_files(root.path) if beside else ():
            read = frontmatter.read(Source.decode(path.read_bytes()))
            if read.text("name") and read.text("description"):
                where = locate(Source(""), Span(0, 0))
                yield Record(_shown(path, top, beside), path.as_posix(), path.stem, None, where)


def _markdown_files(root: Path) -> list[Path]:
    """Return the Markdown files of a directory in the order of names; no links, nothing that is too large."""
    try:
        entries = [entry for entry in os.scandir(root) if entry.name.lower().endswith(".md")]
        regular = [each for each in entries if each.is_file(follow_symlinks=False)]
        return sorted(Path(each.path) for each in regular if each.stat().st_size <= MAX_BYTES)
    except OSError:
        return []


def _shown(path: Path, top: str, beside: Record | None) -> str:
    """Return a file in the root `top` as reports print the skill beside it."""
    if beside is not None:
        tail = f"{beside.directory.removeprefix(f'{top}/')}/{beside.path.rpartition('/')[2]}"
        if beside.path.endswith(tail):
            return beside.path.removesuffix(tail) + path.name
    return path.as_posix()


def _seen(collection: Collection) -> set[str]:
    session = collection.session
    found = [skill.directory for skill in session.skills]
    found += [lost.skill.directory for lost in session.shadowed]
    found += [refused.directory for refused in session.skipped]
    return {os.path.realpath(directory) for directory in found}

"""Skill in a location that no selected runtime searches.

The skill is nested too deeply under a skills directory, is in a directory that belongs to a different
runtime, or is a single Markdown file instead of a directory with a `SKILL.md`. It is missing from every
listing, and no runtime reports an error.

In a Claude Code plugin, a `SKILL.md` directly in `skills/` hides all skills in the subdirectories. Tested
with Claude Code 2.1.329.

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
.kodelet/skills/documents/pdf-tools/SKILL.md:2:7: warning[undiscovered-skill]: `kodelet` does not search this directory
.kodelet/skills/pdf-merger.md:1:1: warning[undiscovered-skill]: `kodelet` does not load a skill from a single file
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
from functools import cache
from pathlib import Path

from skilltool.files.paths import cached_realpath
from skilltool.findings.diagnostic import locate
from skilltool.findings.finding import Severity
from skilltool.packages import installer
from skilltool.packages.manifest import places
from skilltool.rules.records import CollectionFinding, Record
from skilltool.rules.shared.projects import (
    Collection,
    collections,
    in_hidden_root,
    is_hidden_project,
)
from skilltool.runtimes.base import Runtime
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES
from skilltool.text import frontmatter
from skilltool.text.source import Source, Span

ID = "undiscovered-skill"
SEVERITY = Severity.WARNING
# It is enough that one of the targets that look into projects finds the skill.
UNANIMOUS = True

_MOVE = "move the skill to a directory that `skilltool runtimes ID` lists"
_MOVE_PARENT = f"move the {FILE_NAME} in the parent directory into a directory of its own"
_WRAP = "move it to its own directory and rename it `SKILL.md`"
_UNSEARCHED = ("does not search this directory", "do not search this directory")
_HIDDEN = (
    f"loads only the {FILE_NAME} in the directory above, which hides this skill",
    f"load only the {FILE_NAME} in the directory above, which hides this skill",
)
_SINGLE_FILE = ("does not load a skill from a single file", "do not load a skill from a single file")


def check_all(records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
    """Yield each skill that a session of the target in the skill's project does not find."""
    if not target.project_roots:
        return
    gathered = collections(records, target)
    projects = [collection for collection in gathered if _is_project(collection)]
    found = {path for project in projects for path in project.found()}
    for collection in gathered:
        of_project = collection in projects
        for record in collection.records:
            if not votes(record, target) or cached_realpath(record.directory) in found:
                continue
            if collection.is_plugin and _parent_is_skill(record):
                yield CollectionFinding(record, "", help=_MOVE_PARENT, clause=_HIDDEN)
            elif of_project or (
                in_hidden_root(Path(record.directory)) and not _in_user_root(record.directory, target)
            ):
                yield CollectionFinding(record, "", help=_MOVE, clause=_UNSEARCHED)
    for collection in projects:
        for record in _single_files(collection, target):
            yield CollectionFinding(record, "", help=_WRAP, clause=_SINGLE_FILE)


def _in_user_root(directory: str, target: Runtime) -> bool:
    """Return whether a directory is where the target looks in a home directory, which lint does not read."""
    tops = (
        root.path_template.removeprefix("{home}")
        for root in target.roots
        if root.path_template and root.path_template.startswith("{home}/")
    )
    return any(f"{top}/" in directory for top in tops)


def _parent_is_skill(record: Record) -> bool:
    """Return whether the directory that holds the skill is one itself."""
    return os.path.isfile(Path(record.parent, FILE_NAME))


def votes(record: Record, target: Runtime) -> bool:
    """Return whether the target says where a skill of a project has to be.

    A runtime without roots in projects does not; a specification does only for its own roots, because its
    clients have others. Nor does any of what lies in the directory of a client that is not known here.
    """
    if not target.project_roots or (target.specification and record.project(target) is None):
        return False
    return not any(f"/{directory}/" in record.directory for directory in _unknown_clients())


@cache
def _unknown_clients() -> frozenset[str]:
    """Return where in a project clients look that the installer knows and skilltool does not: `.kiro/skills`."""
    directories = {agent["project"] for agent in installer.table()["agents"] if agent["project"][0] == "."}
    return frozenset(directories - {place.path for place in places()} - {installer.table()["shared"]})


def _is_project(collection: Collection) -> bool:
    """Return whether the skills are in a root of the target; `.claude` has `skills`, but is nobody's project."""
    return collection.is_project and not is_hidden_project(collection.session.project)


def _single_files(collection: Collection, target: Runtime) -> Iterator[Record]:
    """Yield the Markdown files directly in a root that have the frontmatter of a skill and are not loaded."""
    loaded = {str(skill.file) for skill in collection.session.skills}
    for root in collection.session.roots:
        top = root.path.as_posix()
        records = [record for record in collection.records if record.root(target) == top]
        # A link is reported by the path of what it leads to, which is elsewhere.
        beside = next((record for record in records if not Path(record.directory).is_symlink()), None)
        for path in _markdown_files(root.path) if records else ():
            if str(path) in loaded:
                continue
            read = frontmatter.read(Source.decode(path.read_bytes()))
            if read.text("name") and read.text("description"):
                start = locate(Source(""), Span(0, 0))
                yield Record(_report_path(path, top, beside), path.as_posix(), path.stem, None, start)


def _markdown_files(root: Path) -> list[Path]:
    """Return the Markdown files of a directory, sorted by name; links and files over `MAX_BYTES` are left out."""
    try:
        with os.scandir(root) as scanned:
            entries = [entry for entry in scanned if entry.name.lower().endswith(".md")]
        regular = [Path(entry.path) for entry in entries if entry.is_file(follow_symlinks=False)]
        return sorted(path for path in regular if path.stat().st_size <= MAX_BYTES)
    except OSError:
        return []


def _report_path(path: Path, top: str, beside: Record | None) -> str:
    """Return the path of a file in the root `top` in the form in which reports print the skill `beside` it."""
    if beside is not None:
        tail = f"{beside.directory.removeprefix(f'{top}/')}/{beside.path.rpartition('/')[2]}"
        if beside.path.endswith(tail):
            return beside.path.removesuffix(tail) + path.name
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()

"""Skill in `skills-lock.json` that is not installed, or whose files do not match the lock.

The `skills` installer never checks the installed files again: `update` compares the lock with the source.
Someone who clones the project gets the committed files, which are not the ones that the lock describes.

`computedHash` is the SHA-256 of the paths and contents of all files in the *source*. The hash covers
`metadata.json` and `__pycache__`, which are never installed, so a skill whose source contains either one
never matches its lock. The severity is therefore only `info` if the files do not match the lock.

The rule looks in the directories that the installer writes to in a project. A project that contains none of
the locked skills is not reported, because such projects keep only the lock and install the skills from it. Nor
is a project that has git ignore the installed skills. If several skills are missing, a single finding names the
first and says how many more there are.

## Bad

```json skills-lock.json
{
  "version": 1,
  "skills": {
    "pdf-tools": {
      "source": "acme/skills",
      "sourceType": "github",
      "computedHash": "0000000000000000000000000000000000000000000000000000000000000000"
    }
  }
}
```

```markdown .agents/skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
skills-lock.json:7:23: info[outdated-lock]: files in `.agents/skills/pdf-tools` do not match the lock
```

## Good

```json skills-lock.json
{
  "version": 1,
  "skills": {}
}
```

```markdown .agents/skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from skilltool.errors import PathError
from skilltool.findings.finding import Finding, Severity
from skilltool.packages.installer import content_hash, copies
from skilltool.packages.manifest import LOCK, Manifest
from skilltool.rules.shared.wording import and_more, backticked
from skilltool.skill.discovery.ignore import Ignore, Verdict
from skilltool.text.lazy_pattern import lazy_pattern

ID = "outdated-lock"
SEVERITY = Severity.WARNING
_HASH = lazy_pattern("[0-9a-f]{64}")
_MOST = 500  # skills of one lock whose files are read


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Yield each skill of a lock that is not there, or that differs from what was locked."""
    locked = manifest.value("skills") if manifest.kind is LOCK else None
    names = list(locked)[:_MOST] if isinstance(locked, dict) else []
    installed = {name: list(copies(manifest, name)) for name in names}
    missing = [name for name, directories in installed.items() if not directories]
    present = [directory for directories in installed.values() for directory in directories]
    if missing and present and not _are_left_out(present):
        yield _not_installed(missing, manifest)
    for name, directories in installed.items():
        digest = manifest.value("skills", name, "computedHash")
        if isinstance(digest, str) and _HASH.fullmatch(digest):
            yield from _differences(name, digest, directories, manifest)


def _are_left_out(directories: list[str]) -> bool:
    """Return whether git ignores what the installer wrote: whoever clones the project installs it."""
    try:
        ignore = Ignore(gitignore=True)
        return all(ignore.covers(Path(directory)) is Verdict.IGNORED for directory in directories)
    except PathError:  # of too many patterns
        return False


def _not_installed(names: list[str], manifest: Manifest) -> Finding:
    """Return the finding about locked skills that are not there: whoever removed one often removed more."""
    message = f"locked skill {backticked(names[0])} is not installed in any directory the installer writes to"
    message += and_more(len(names) - 1, "in this file")
    one = len(names) == 1
    advice = "reinstall it, or remove the entry" if one else "reinstall them, or remove the entries"
    return Finding(message, manifest.key_span(("skills", names[0])), advice)


def _differences(name: str, digest: str, directories: list[str], manifest: Manifest) -> Iterator[Finding]:
    for directory in directories:
        if content_hash(directory) not in (digest, None):
            where = backticked(directory[len(manifest.top) + 1 :])
            yield Finding(
                f"files in {where} do not match the lock",
                manifest.span(("skills", name, "computedHash")),
                "reinstall the skill, or make the changes in the source it was installed from",
                Severity.INFO,
            )

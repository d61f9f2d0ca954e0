"""Skill missing from a manifest that lists most of the skills in the same directory.

Users who install the plugin do not get the skill. Usually somebody added a skill and forgot to update the list.

The rule checks a directory only if the manifest lists at least two of the skills in that directory, and more
than half of them. It does not report skills with `internal: true` in their metadata, skills that another
plugin in the marketplace provides, or skills that the author lists in another JSON file beside the manifests,
such as `.agents/plugins/codex-only.json`.

Tested with Claude Code 2.1.329: a skill missing from the list is available only if it is in the plugin's
`skills/` directory and the plugin's source is not the marketplace itself.

## Bad

```json .claude-plugin/plugin.json
{
  "name": "pdf",
  "skills": ["./extra/pdf-forms", "./extra/pdf-merge"]
}
```

```markdown extra/pdf-forms/SKILL.md
---
name: pdf-forms
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF forms

Read the form's fields before you fill them in.
```

```markdown extra/pdf-merge/SKILL.md
---
name: pdf-merge
description: Merges PDF files. Use when the user has several PDF files.
---

# PDF merge

Merge the files in the order of their names.
```

```markdown extra/pdf-split/SKILL.md
---
name: pdf-split
description: Splits PDF files. Use when the user wants single pages.
---

# PDF split

Write each page to a file of its own.
```

```text --runtime claude-code
.claude-plugin/plugin.json:3:3: warning[unlisted-skill]: `skills` omits `pdf-split` in `./extra`
```

## Good

```json .claude-plugin/plugin.json
{
  "name": "pdf",
  "skills": ["./extra/pdf-forms", "./extra/pdf-merge"]
}
```

```markdown extra/pdf-forms/SKILL.md
---
name: pdf-forms
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF forms

Read the form's fields before you fill them in.
```

```markdown extra/pdf-merge/SKILL.md
---
name: pdf-merge
description: Merges PDF files. Use when the user has several PDF files.
---

# PDF merge

Merge the files in the order of their names.
```
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from skilltool.findings.finding import Finding, Severity
from skilltool.packages.manifest import Manifest, kinds
from skilltool.packages.plugins import Plugin, offers, plugins_of, skills_at
from skilltool.rules.shared.packages import is_internal, relative
from skilltool.skill.tree import bytes_of

ID = "unlisted-skill"
SEVERITY = Severity.WARNING
_SHOWN = 5
_MOST_FILES = 100  # entries of a directory of manifests


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Yield each directory from which lists name most skills and leave out some."""
    plugins = [plugin for plugin in plugins_of(manifest) if plugin.top is not None]
    if not any(plugin.listed for plugin in plugins):
        return
    offered = {offer.directory for plugin in plugins for offer in offers(plugin, manifest)}
    most: dict[str, tuple[int, Plugin]] = {}
    for plugin in plugins:
        parents = Counter(_parent(listed.directory) for listed in plugin.listed if not listed.escapes)
        for parent, number in parents.items():
            if number > most.get(parent, (0, plugin))[0]:
                most[parent] = (number, plugin)
    for parent, (number, plugin) in most.items():
        every = skills_at(parent)
        left = [each for each in every if each not in offered and not is_internal(each)]
        elsewhere = _in_own_lists(manifest) if left else ""
        left = [each for each in left if not _names(elsewhere, each.rpartition("/")[2])]
        if left and number > 1 and len(left) * 2 < len(every) and plugin.top is not None:
            names = ", ".join(f"`{each.rpartition('/')[2]}`" for each in left[:_SHOWN])
            more = f" and {len(left) - _SHOWN} more" if len(left) > _SHOWN else ""
            message = f"`skills` omits {names}{more} in `{relative(parent, plugin.top)}`"
            span = manifest.key_span((*plugin.where, "skills"))
            yield Finding(
                message,
                span,
                "add the missing paths, or move skills that should not be installed out of the plugin",
            )


def _in_own_lists(manifest: Manifest) -> str:
    """Return the text of the JSON files beside the manifests of a package that no client knows."""
    known = {f"{manifest.top}/{kind.file}" for kind in kinds()}
    folders = sorted({kind.file.rpartition("/")[0] for kind in kinds()} - {""})
    files = (each for folder in folders for each in _json_files(f"{manifest.top}/{folder}"))
    texts = (bytes_of(Path(each)) or b"" for each in files if each not in known)
    return b"\n".join(texts).decode("utf-8", "replace")


def _json_files(directory: str) -> list[str]:
    """Return the JSON files directly in a directory, sorted; at most `_MOST_FILES`, and none if there is none."""
    try:
        with os.scandir(directory) as entries:
            found = [each.path for each in islice(entries, _MOST_FILES) if each.name.endswith(".json")]
    except OSError:
        return []
    return sorted(each.replace(os.sep, "/") for each in found)


def _names(text: str, name: str) -> bool:
    """Return whether a text has a name as a string of a list, or at the end of a path that is one."""
    return re.search(rf'[\[,]\s*"{re.escape(name)}"\s*[\],]|/{re.escape(name)}/?"', text) is not None


def _parent(path: str) -> str:
    return path.rpartition("/")[0]

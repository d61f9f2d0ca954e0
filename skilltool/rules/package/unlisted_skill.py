"""Skill missing from a manifest that lists most of the skills in the same directory.

Users who install the plugin do not get the skill. Usually somebody added a skill and forgot to update the list.

The rule checks a directory only if the manifest lists at least two of the skills in that directory, and more
than half of them. It does not report skills with `internal: true` in their metadata, or skills that another
plugin in the marketplace provides.

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

from collections import Counter
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.packages.manifest import Manifest
from skilltool.packages.plugins import Plugin, offers, plugins_of, skills_at
from skilltool.rules.shared.packages import is_internal, relative

ID = "unlisted-skill"
SEVERITY = Severity.WARNING
_SHOWN = 5


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


def _parent(path: str) -> str:
    return path.rpartition("/")[0]

"""Two skills in a plugin that end up with the same name.

A call by that name reaches only one of the two skills. Claude Code combines the plugin's name with the
skill's directory; most other clients use the name in the frontmatter.

Tested with Claude Code 2.1.329: both skills are listed under the same name. If one path in a manifest causes
several collisions, a single finding shows the first and says how many more there are. If both skills have the
same text, the severity is only `info`.

## Bad

```json .claude-plugin/plugin.json
{
  "name": "pdf",
  "skills": ["./old/forms"]
}
```

```markdown skills/forms/SKILL.md
---
name: forms
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF forms

Read the form's fields before you fill them in.
```

```markdown old/forms/SKILL.md
---
name: forms
description: Fills in PDF forms with XFA. Use when the user mentions an old PDF form.
---

# PDF forms

Convert the form before you fill it in.
```

```text --runtime claude-code
.claude-plugin/plugin.json:3:14: warning[name-collision]: `old/forms` and `skills/forms` are both called `pdf:forms`
```

## Good

```json .claude-plugin/plugin.json
{
  "name": "pdf",
  "skills": ["./old/xfa-forms"]
}
```

```markdown skills/forms/SKILL.md
---
name: forms
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF forms

Read the form's fields before you fill them in.
```

```markdown old/xfa-forms/SKILL.md
---
name: xfa-forms
description: Fills in PDF forms with XFA. Use when the user mentions an old PDF form.
---

# PDF forms

Convert the form before you fill it in.
```
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path as FilePath

from skilltool.findings.finding import Finding, Severity
from skilltool.packages.manifest import Manifest
from skilltool.packages.plugins import Plugin, offers, plugins_of
from skilltool.rules.shared.packages import key_of, relative
from skilltool.rules.shared.wording import and_more, backticked
from skilltool.skill.skill_file import FILE_NAME
from skilltool.skill.tree import bytes_of
from skilltool.text.json_places import Path
from skilltool.text.source import Span

ID = "name-collision"
SEVERITY = Severity.WARNING


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Yield each skill whose key an earlier one of its plugin has; a plugin's own manifest is asked itself."""
    for plugin in plugins_of(manifest):
        if plugin.top is None or (plugin.own is not None and not plugin.listed):
            continue
        first: dict[str, str] = {}
        found: dict[Span, list[Finding]] = {}
        for offer in offers(plugin, manifest):
            key = key_of(offer.directory, plugin, manifest)
            other = first.setdefault(key, offer.directory)
            if other != offer.directory and os.path.realpath(other) != os.path.realpath(offer.directory):
                one, two = (relative(each, plugin.top)[2:] for each in (offer.directory, other))
                message = f"{backticked(one)} and {backticked(two)} are both called {backticked(key)}"
                span = manifest.span(offer.where or _name(plugin, manifest))
                severity = Severity.INFO if _text(other) == _text(offer.directory) else None
                cause = "\0".join(map(os.path.dirname, (other, offer.directory)))
                finding = Finding(message, span, "rename one of the two", severity, cause=cause)
                found.setdefault(span, []).append(finding)
        for findings in found.values():
            told = next((each for each in findings if each.severity is None), findings[0])
            others = len(findings) - 1
            more = and_more(others, "collisions" if others > 1 else "collision")
            yield told._replace(message=told.message + more)


def _text(directory: str) -> bytes | None:
    """Return the SKILL.md of a skill: of two with the same text it makes no difference which one is loaded."""
    return bytes_of(FilePath(directory, FILE_NAME))


def _name(plugin: Plugin, manifest: Manifest) -> Path:
    where: Path = (*plugin.where, "name")
    return where if manifest.value(*where) is not None else plugin.where

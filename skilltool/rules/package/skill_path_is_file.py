"""Skill path in a manifest that points to a file instead of a directory.

A path must name the directory that contains a SKILL.md, or a directory of such directories. A path to the
file itself installs no skill.

Tested with Claude Code 2.1.329: `claude plugin list` shows "path is a file; skills entries must be
directories".

## Bad

```json .claude-plugin/plugin.json
{
  "name": "pdf",
  "skills": ["./extra/pdf-tools/SKILL.md"]
}
```

```markdown extra/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text --runtime claude-code
.claude-plugin/plugin.json:3:14: error[skill-path-is-file]: `./extra/pdf-tools/SKILL.md` is a file, not a directory of skills
```

## Good

```json .claude-plugin/plugin.json
{
  "name": "pdf",
  "skills": ["./extra/pdf-tools"]
}
```

```markdown extra/pdf-tools/SKILL.md
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

from skilltool.findings.finding import Finding, Severity
from skilltool.packages.manifest import Manifest
from skilltool.packages.plugins import plugins_of
from skilltool.rules.shared.packages import is_file, relative
from skilltool.rules.shared.wording import backticked
from skilltool.skill.skill_file import FILE_NAME

ID = "skill-path-is-file"
SEVERITY = Severity.ERROR


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Yield each listed path, inside of its plugin, that leads to a file."""
    for plugin in plugins_of(manifest):
        for listed in plugin.listed:
            if plugin.top is None or listed.escapes or not is_file(listed):
                continue
            holder, _, name = listed.directory.rpartition("/")
            advice = f"write `{relative(holder, plugin.top)}`" if name == FILE_NAME else None
            message = f"{backticked(listed.text)} is a file, not a directory of skills"
            yield Finding(message, manifest.span(listed.where), advice)

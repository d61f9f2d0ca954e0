"""Skill path in a manifest that points to a file instead of a directory.

A path must point to a directory that contains a SKILL.md, or to a directory of such directories. If the path
points to the file itself, no skill is installed. If a plugin lists more than three files, they are reported
as one finding.

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
.claude-plugin/plugin.json:3:14: error[skill-path-is-file]: `./extra/pdf-tools/SKILL.md` is a file, not a directory
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
_MOST = 3  # paths of one plugin, each with a finding of its own


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Yield each listed path, inside of its plugin, that leads to a file; many of one plugin once."""
    for plugin in plugins_of(manifest):
        if plugin.top is None:
            continue
        files = [listed for listed in plugin.listed if not listed.escapes and is_file(listed)]
        if len(files) > _MOST:
            first = files[0]
            message = (
                f"{backticked(first.text)} and {len(files) - 1} more are files, not directories of skills"
            )
            yield Finding(message, manifest.span(first.where), "list the directories that contain a SKILL.md")
            continue
        for listed in files:
            holder, _, name = listed.directory.rpartition("/")
            advice = f"write `{relative(holder, plugin.top)}`" if name == FILE_NAME else None
            message = f"{backticked(listed.text)} is a file, not a directory"
            yield Finding(message, manifest.span(listed.where), advice)

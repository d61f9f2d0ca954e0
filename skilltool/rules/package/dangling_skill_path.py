"""Skill path in a manifest that does not lead to a skill.

The plugin is installed without these skills. Paths are relative to the plugin's directory, even in a
marketplace. In a marketplace, they are often written relative to the repository's root by mistake, and then
every plugin can lose all of its skills. The severity is `error` if skilltool finds a skill that the path was
probably meant for, and `warning` otherwise. Paths into git submodules are skipped, because a clone may not
contain the submodules.

Tested with Claude Code 2.1.329: `claude plugin list` shows "Path not found", and the skills are missing.

## Bad

```json .claude-plugin/marketplace.json
{
  "name": "forms",
  "owner": {"name": "Ada"},
  "plugins": [
    {"name": "pdf", "source": "./plugins/pdf", "skills": ["./plugins/pdf/extra/pdf-tools"]}
  ]
}
```

```markdown plugins/pdf/extra/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text --runtime claude-code
.claude-plugin/marketplace.json:5:59: error[dangling-skill-path]: no skill at `./plugins/pdf/extra/pdf-tools` (relative to the plugin in `./plugins/pdf`)
```

## Good

```json .claude-plugin/marketplace.json
{
  "name": "forms",
  "owner": {"name": "Ada"},
  "plugins": [
    {"name": "pdf", "source": "./plugins/pdf", "skills": ["./extra/pdf-tools"]}
  ]
}
```

```markdown plugins/pdf/extra/pdf-tools/SKILL.md
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

from skilltool.files.repository import is_in_submodule
from skilltool.findings.finding import Finding, Severity
from skilltool.packages.manifest import Manifest
from skilltool.packages.plugins import FOLDER, Plugin, is_directory, plugins_of, skills_at
from skilltool.rules.shared.packages import is_file, is_marked, meant
from skilltool.rules.shared.wording import backticked

ID = "dangling-skill-path"
SEVERITY = Severity.ERROR


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Yield each listed path that is inside of its plugin and leads to no skill."""
    for plugin in plugins_of(manifest):
        if plugin.top is None or not is_directory(plugin.top):
            continue
        for listed in plugin.listed:
            if listed.escapes or not is_marked(listed.text, manifest) or _is_usual(listed.text):
                continue
            if is_file(listed) or skills_at(listed.directory) or is_in_submodule(listed.directory):
                continue
            hint = meant(listed, plugin, manifest)
            message = f"no skill at {backticked(listed.text)} (relative to {_top(plugin)})"
            advice = f"write `{hint}`" if hint else "correct or remove the path"
            severity = Severity.ERROR if hint else Severity.WARNING
            yield Finding(message, manifest.span(listed.where), advice, severity)


def _is_usual(text: str) -> bool:
    """Return whether a path means the plugin's directory, or the folder that it need not have."""
    return text.strip("./\\") in ("", FOLDER)


def _top(plugin: Plugin) -> str:
    return f"the plugin in {backticked(plugin.source)}" if plugin.source else "the plugin"

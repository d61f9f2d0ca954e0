"""Skill that is marked as internal but listed in the manifest of a published plugin.

`internal: true` in the metadata hides a skill from installers such as `skills`. Clients that install plugins
ignore `internal` and install whatever the manifest lists.

## Bad

```json .claude-plugin/plugin.json
{
  "name": "pdf",
  "skills": ["./extra/release"]
}
```

```markdown extra/release/SKILL.md
---
name: release
description: Releases this repository. Use when the user asks for a release.
metadata:
  internal: true
---

# Release

Write the version to the manifest, and tag the commit.
```

```text --runtime claude-code
.claude-plugin/plugin.json:3:14: warning[internal-skill-published]: `./extra/release` is marked as internal but installed with the plugin
```

## Good

```json .claude-plugin/plugin.json
{
  "name": "pdf",
  "skills": ["./extra/pdf-forms"]
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
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.packages.manifest import Manifest
from skilltool.packages.plugins import offers, plugins_of
from skilltool.rules.shared.packages import is_internal, relative
from skilltool.rules.shared.wording import backticked

ID = "internal-skill-published"
SEVERITY = Severity.WARNING


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Yield each skill that a path in the manifest names, and which is marked as internal."""
    for plugin in plugins_of(manifest):
        for offer in offers(plugin, manifest) if plugin.listed and plugin.top is not None else ():
            if offer.where is not None and plugin.top is not None and is_internal(offer.directory):
                path = backticked(relative(offer.directory, plugin.top))
                message = f"{path} is marked as internal but installed with the plugin"
                advice = "remove it from the list, or remove `internal` from its metadata"
                yield Finding(message, manifest.span(offer.where), advice)

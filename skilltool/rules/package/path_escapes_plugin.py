"""Path in a manifest that points outside the package.

Only the plugin's own directory is installed, and paths in a marketplace cannot point outside its repository. If a
path is absolute, goes up with `..`, or leaves the repository through a symbolic link, users who install the
plugin do not get the files.

Tested with Claude Code 2.1.329: a `source` with `..` cannot be installed. In `plugin.json`, a skill path with
`..` makes the installation fail; in a marketplace, the path is dropped with the message "Path escapes plugin
directory".

## Bad

```json .claude-plugin/marketplace.json
{
  "name": "forms",
  "owner": {"name": "Ada"},
  "plugins": [
    {"name": "pdf", "source": "./plugins/pdf", "skills": ["./../shared/pdf-tools"]}
  ]
}
```

```markdown plugins/shared/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text --runtime claude-code
.claude-plugin/marketplace.json:5:59: error[path-escapes-plugin]: `./../shared/pdf-tools` points outside the plugin
```

## Good

```json .claude-plugin/marketplace.json
{
  "name": "forms",
  "owner": {"name": "Ada"},
  "plugins": [
    {"name": "pdf", "source": "./plugins/pdf"}
  ]
}
```

```markdown plugins/pdf/skills/pdf-tools/SKILL.md
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
from skilltool.packages.plugins import Plugin, escapes_by_text, leads_out, offers, plugins_of
from skilltool.rules.shared.wording import backticked

ID = "path-escapes-plugin"
SEVERITY = Severity.ERROR


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Yield each path of a plugin or of its skills that points outside where it must stay."""
    for plugin in plugins_of(manifest):
        yield from _of_source(plugin, manifest)
        for listed in plugin.listed:
            if listed.escapes:
                message = f"{backticked(listed.text)} points outside the plugin"
                advice = "move the skills into the plugin, and use a path relative to its directory"
                yield Finding(message, manifest.span(listed.where), advice)
        for offer in offers(plugin, manifest):
            if leads_out(offer.directory, manifest.top):
                name = offer.directory.rpartition("/")[2]
                message = f"skill {backticked(name)} is a link that points outside the repository"
                where = offer.where or (*plugin.where, "name")
                yield Finding(message, manifest.span(where), "copy the skill into the plugin")


def _of_source(plugin: Plugin, manifest: Manifest) -> Iterator[Finding]:
    if plugin.source is not None and escapes_by_text(plugin.source):
        message = f"source {backticked(plugin.source)} points outside the marketplace"
        advice = "use a path relative to the marketplace's directory"
        yield Finding(message, manifest.span((*plugin.where, "source")), advice)

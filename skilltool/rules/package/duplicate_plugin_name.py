"""Two plugins with the same name in a marketplace.

Plugins are installed by name, so only one of the two can be installed.

Tested with Claude Code 2.1.329: `claude plugin validate` rejects the marketplace, and `claude plugin install`
installs one of them.

## Bad

```json .claude-plugin/marketplace.json
{
  "name": "forms",
  "owner": {"name": "Ada"},
  "plugins": [
    {"name": "pdf", "source": "./plugins/pdf"},
    {"name": "pdf", "source": "./plugins/pdf-2"}
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

```text --runtime claude-code
.claude-plugin/marketplace.json:6:14: error[duplicate-plugin-name]: plugin name `pdf` is already used on line 5
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
from skilltool.packages.plugins import plugins_of
from skilltool.rules.shared.wording import backticked

ID = "duplicate-plugin-name"
SEVERITY = Severity.ERROR


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Yield each plugin whose name an earlier one has."""
    first: dict[str, int] = {}
    for plugin in plugins_of(manifest) if manifest.kind.entries else ():
        if plugin.name is None:
            continue
        span = manifest.span((*plugin.where, "name"))
        if plugin.name in first:
            line = manifest.source.position(first[plugin.name]).line
            message = f"plugin name {backticked(plugin.name)} is already used on line {line}"
            yield Finding(message, span, "rename or remove one of the two")
        first.setdefault(plugin.name, span.start)

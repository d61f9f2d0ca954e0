"""Plugin directory that is next to the manifest, where the client does not look.

A plugin's `agents/` and `commands/` belong in its root directory. The client does not load these directories
from `.claude-plugin/`, next to `plugin.json`, and `claude plugin validate` does not report the mistake.
Tested with Claude Code 2.1.329 and `--plugin-dir`. Misplaced skills are reported by `undiscovered-skill`.

## Bad

```json .claude-plugin/plugin.json
{"name": "pdf"}
```

```markdown .claude-plugin/commands/fill.md
Fill in the form $ARGUMENTS.
```

```markdown skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text --runtime claude-code
.claude-plugin/plugin.json:1:1: warning[misplaced-component]: `commands/` is in `.claude-plugin/`; `claude-code` does not load it
```

## Good

```json .claude-plugin/plugin.json
{"name": "pdf"}
```

```markdown commands/fill.md
Fill in the form $ARGUMENTS.
```

```markdown skills/pdf-tools/SKILL.md
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
from skilltool.packages.plugins import is_directory
from skilltool.rules.shared.manifest_schema import schema, start_of

ID = "misplaced-component"
SEVERITY = Severity.WARNING


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Yield each directory beside the manifest that the client loads from the top of the plugin alone."""
    if manifest.json is None or manifest.kind.has_no_client:
        return
    folder = manifest.path.rpartition("/")[0]
    for name in schema(manifest.kind.schema).get("x-components", ()):
        if folder != manifest.top and is_directory(f"{folder}/{name}"):
            place = folder.removeprefix(f"{manifest.top}/")
            clause = ("does not load it", "do not load it")
            advice = f"move it to the plugin's root directory, `{name}/`"
            yield Finding(f"`{name}/` is in `{place}/`", start_of(manifest, ()), advice, clause=clause)

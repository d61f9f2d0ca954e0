"""`skilltool: ignore` comment that has no effect.

The rule that the comment names does not exist or reports nothing at that location, or the comment is ignored
because it gives no reason. A stale comment would hide future findings of that rule at the same location.

In the frontmatter, `# skilltool: ignore[rule] reason` on its own line covers the whole file. In the body and
on other pages, `<!-- skilltool: ignore[rule] reason -->` covers its own line and the block that follows. In a
script, `# skilltool: ignore[rule] reason` (or with `//` instead of `#`) covers its own line and the next one.

The model reads these comments (`skilltool render` shows them), so `per-file-ignores` in the configuration is
often the better choice. A run over the whole project also reports patterns in `per-file-ignores` that have no
effect.

## Bad

```markdown
---
# skilltool: ignore[unknown-field]
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
installer-channel: stable
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:2:1: warning[unused-ignore]: ignore comment for `unknown-field` gives no reason
```

## Good

```markdown
---
# skilltool: ignore[unknown-field] our installer reads it
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
installer-channel: stable
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from skilltool.findings.finding import Severity

ID = "unused-ignore"
SEVERITY = Severity.WARNING

"""`skilltool: ignore` comment that has no effect.

The rule that it names does not exist or finds nothing there, or the comment gives no reason, without
which it is not obeyed. A stale comment would hide the next finding of that rule.

In the frontmatter, `# skilltool: ignore[rule] reason` on a line of its own covers the whole file. In the
body and in other pages, `<!-- skilltool: ignore[rule] reason -->` covers its line and the block that follows; in a
script `# skilltool: ignore[rule] reason`, or with `//`, covers its line and the next. The model reads
that comment (`skilltool render` shows it), so `per-file-ignores` in the configuration is often the better
choice. A run over the whole project reports the patterns in it that have no effect.

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

"""A comment that switches a rule off does nothing.

The rule it names does not exist, finds nothing there, or the comment gives no reason, without which it is
not obeyed. A comment that is left behind would hide the next finding of that rule.

In the frontmatter `# skilltool: ignore[rule] reason` stands on a line of its own and holds for the
whole file. In the body `<!-- skilltool: ignore[rule] reason -->` holds for its line and the block
that follows; the model reads that comment (`skilltool render` shows it), so `per-file-ignores` in the
configuration is often the better place. A run over the whole project says which of its patterns do nothing.

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
SKILL.md:2:1: warning[unused-ignore]: the ignore of `unknown-field` gives no reason
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

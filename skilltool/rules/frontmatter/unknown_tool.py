"""Tool in `allowed-tools` that a runtime does not have, where another name was meant.

Names of tools are exact strings: `read` does not allow `Read`, and the tool asks for permission as if the field were
not there. Names that differ from a tool in case, in `_` and `-`, or by one letter are reported; the opt-in rule
`unlisted-tool` reports the others.

The tools of Claude Code are those of its documentation (https://code.claude.com/docs/en/tools-reference, 2026-11-22),
and those of earlier versions; other runtimes have no list here. Names of MCP tools, `mcp__server__tool`, and patterns
after a name, `Bash(git:*)`, are not checked. `disallowed-tools` is.

## Bad

```markdown .claude/skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
allowed-tools: read, Bash(pdftk:*)
---

# PDF tools

Read the form's fields before you fill them in.
```

```text --runtime claude-code
.claude/skills/pdf-tools/SKILL.md:4:16: warning[unknown-tool]: unknown tool `read` in `allowed-tools`; `claude-code` has `Read`
```

## Good

```markdown .claude/skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
allowed-tools: Read, Bash(pdftk:*)
---

# PDF tools

Read the form's fields before you fill them in.
```

```json .claude/settings.json
{"permissions": {"allow": ["Skill(pdf-tools)"]}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.shared.tools import unknown_tools
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "unknown-tool"
SEVERITY = Severity.WARNING


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each tool that the runtime does not have and that is almost the name of one, with a fix that says so."""
    for tool in unknown_tools(skill, target):
        if tool.meant is not None:
            right = backticked(tool.meant)
            fix = Fix(safe=False, edits=(Edit(*tool.span, tool.meant),)) if tool.exact else None
            yield Finding(
                f"unknown tool {backticked(tool.name)} in `{tool.field}`",
                tool.span,
                help=f"did you mean {right}?",
                fix=fix,
                clause=(f"has {right}", f"have {right}"),
            )

"""Tool in `allowed-tools` that a runtime's documentation does not list.

The name has no effect in that runtime. The tool may belong to a different client, so this rule is opt-in.
`unknown-tool` reports names that are probably misspelled.

The rule knows the tools listed in Claude Code's documentation
(https://code.claude.com/docs/en/tools-reference, 2026-11-22) and the tools of earlier versions. It has no
tool list for other runtimes. The rule never reports MCP tools (`mcp__server__tool`).

## Bad

```markdown .claude/skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
allowed-tools: exec, Read
---

# PDF tools

Read the form's fields before you fill them in.
```

```text --runtime claude-code
.claude/skills/pdf-tools/SKILL.md:4:16: info[unlisted-tool]: `allowed-tools` names `exec`; `claude-code` documents no such tool
```

## Good

```markdown .claude/skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
allowed-tools: Bash, Read
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

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.tools import unknown_tools
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "unlisted-tool"
SEVERITY = Severity.INFO


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each tool that the runtime does not list, other than what `unknown-tool` takes for a misspelling."""
    for tool in unknown_tools(skill, target):
        if tool.meant is None:
            yield Finding(
                f"`{tool.field}` names {backticked(tool.name)}",
                tool.span,
                help="remove it, or keep it for a client that has this tool",
                clause=("documents no such tool", "document no such tool"),
            )

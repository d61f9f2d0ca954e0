"""Unknown tool in `allowed-tools` whose name is probably misspelled.

Tool names must match exactly: `read` does not allow the `Read` tool, which then needs permission as if the
field were missing. The rule reports names that differ from the name of a known tool only in case, in `_` and
`-` characters, or by one letter. The opt-in rule `unlisted-tool` reports other unknown names.

The rule knows the tools listed in Claude Code's documentation
(https://code.claude.com/docs/en/tools-reference, 2026-11-22) and the tools of earlier versions. It has no
tool list for other runtimes. It skips MCP tools (`mcp__server__tool`) and ignores the pattern after a tool's
name, as in `Bash(git:*)`. It also checks `disallowed-tools`.

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

"""Malformed routing case: it has no prompt, or does not say which skill is expected.

Routing cases are prompts, each paired with the skill that should be called. `skilltool route` and the test
harnesses of several collections read these cases. A malformed case is skipped or counted as a miss, so it
does not test the description.

The rule looks at a skill's files in `evals`, `eval`, `tests` and `test`, and at other files whose names
suggest routing cases. It detects the format from the content: lists with `should_trigger`, `cases` with
`expected_skill`, JSON Lines, and waza's YAML. `skilltool schema cases` prints the schema of skilltool's own
format.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```json evals/triggers.json
[
  {"query": "Fill in this form", "should_trigger": true},
  {"query": "Paint the fence", "should_trigger": "no"}
]
```

```text
evals/triggers.json:3:50: warning[invalid-routing-case]: `should_trigger` is not `true` or `false`
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```json evals/triggers.json
[
  {"query": "Fill in this form", "should_trigger": true},
  {"query": "Paint the fence", "should_trigger": false}
]
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.routing_files import routing_files
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "invalid-routing-case"
SEVERITY = Severity.WARNING

_MOST = 20  # of one file are reported


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each case that is misformed, whatever the runtime: the file is for those who test the skill."""
    for file, cases in routing_files(skill):
        text = skill.text_of(file)
        for wrong in cases.misformed[:_MOST]:
            span = cases.span(wrong.path)
            if text is not None and text.source.text[span.start : span.start + 1] in "{[":
                span = Span(span.start, span.start + 1)
            yield Finding(wrong.message, span, help=wrong.help, file=file)

"""Routing case that expects a skill that does not exist.

Routing cases are prompts, each with the skill that should be called. A case that names a renamed or deleted
skill can never pass, and counts as a miss even though no description is at fault.

The rule accepts the names of all skills in the same parent directory, even if they are not checked, and of
all skills checked in the same run. It does not know about a client's built-in skills or skills in other
repositories, so suppress the rule for files that expect those skills.

## Bad

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```json pdf-tools/evals/routing.json
{"cases": [{"prompt": "Write a letter", "expected_skill": "word-tools"}]}
```

```text
pdf-tools/SKILL.md:2:7: info[unknown-expected-skill]: `evals/routing.json` expects the skill `word-tools`, which does not exist
```

## Good

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```json pdf-tools/evals/routing.json
{"cases": [{"prompt": "Fill in a form", "expected_skill": "pdf-tools"}, {"prompt": "Sing", "expected_skill": ""}]}
```
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from skilltool.errors import nearest
from skilltool.findings.finding import Severity
from skilltool.rules.records import CollectionFinding, Record
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.skill_file import FILE_NAME

ID = "unknown-expected-skill"
SEVERITY = Severity.INFO


def check_all(records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
    """Yield each name in the routing cases of a skill that neither a checked skill has nor one beside it."""
    known = {name for record in records for name in (record.skill, record.name) if name}
    for record in records:
        for file, expected in record.expected:
            name = re.split(r"[:/]", expected)[-1]
            if name in known or not name.strip(".") or os.path.exists(f"{record.parent}/{name}/{FILE_NAME}"):
                continue
            message = f"{backticked(file)} expects the skill {backticked(expected)}, which does not exist"
            meant = nearest(name, known)
            remedy = f"write {backticked(meant)}" if meant else "correct the name, or delete the test case"
            yield CollectionFinding(record, message, help=remedy)

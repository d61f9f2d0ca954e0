"""File next to SKILL.md that has a syntax error or does not match its JSON Schema.

The clients and tools that read these files silently ignore errors. If any value in `agents/openai.yaml` has
the wrong type, Codex ignores the whole file, so a skill that only the user may call is offered to the model.
Fields outside `interface` and `policy` have no effect.

| file | source of its schema |
|---|---|
| `agents/openai.yaml` | tests of Codex 0.169.0; openai/skills, `openai_yaml.md` |
| `evals/evals.json` | agentskills.io, "Evaluating skills"; anthropics/skills, `schemas.md` |

The schemas are in `schemas/companions/`. Fields that the schemas do not define are allowed.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```yaml agents/openai.yaml
interface:
  display_name: PDF tools
policy:
  allow_implicit_invocation: "no"
```

```text
agents/openai.yaml:4:30: warning[invalid-companion]: `policy.allow_implicit_invocation` is not `true` or `false`; `codex` ignores the file
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

```yaml agents/openai.yaml
interface:
  display_name: PDF tools
policy:
  allow_implicit_invocation: false
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.wording import backticked, one_of_types
from skilltool.runtimes.base import Runtime
from skilltool.skill.companions import Companion, Misfit, Path, companions, misfits
from skilltool.skill.model import Skill

ID = "invalid-companion"
SEVERITY = Severity.WARNING

_KINDS = {
    "array": "a list",
    "boolean": "`true` or `false`",
    "integer": "a whole number",
    "number": "a number",
    "object": "a mapping",
    "string": "a string",
}
_LANGUAGES = {".json": "JSON", ".yaml": "YAML"}


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield what is wrong with each such file of the skill, whatever the runtime: the file says whom it is for."""
    for companion in companions():
        text = skill.text_of(companion.file) if companion.file in skill.tree.files else None
        if text is not None:
            found = list(misfits(companion, text.source.text))
            findings = [_finding(companion, misfit) for misfit in found if misfit.keyword != "not"]
            misplaced: dict[str, list[Misfit]] = {}
            for misfit in found:
                if misfit.keyword == "not":
                    misplaced.setdefault(misfit.schema["x-below"], []).append(misfit)
            findings += [_of_misplaced(companion, misfits) for misfits in misplaced.values()]
            yield from sorted(findings, key=lambda finding: finding.span)


def _of_misplaced(companion: Companion, misplaced: Sequence[Misfit]) -> Finding:
    """Return one finding for all keys that belong under the same one: their author forgot its line."""
    missed = [misfit for misfit in misplaced if misfit.value != misfit.schema.get("default")]
    first, below = _finding(companion, (missed or misplaced)[0]), misplaced[0].schema["x-below"]
    if not missed:
        first = first._replace(severity=Severity.INFO)  # without them it is as they say
    if len(misplaced) == 1:
        return first
    *names, last = (_field(misfit.path) for misfit in misplaced)
    one, several = first.clause or ("", "")
    return first._replace(
        message=f"{', '.join(names)} and {last} are not under `{below}`",
        help=f"move them under `{below}:`",
        clause=first.clause and (one.replace(" it", " them"), several.replace(" it", " them")),
    )


def _finding(companion: Companion, misfit: Misfit) -> Finding:
    message, remedy = _said(companion, misfit)
    whole = misfit.keyword in {"syntax", "type", "enum"}
    return Finding(
        message,
        misfit.span,
        help=remedy,
        severity=Severity[companion.severity.upper()],
        clause=companion.rejects if whole else companion.drops,
        owners=(companion.reader,) if companion.reader else (),
        file=companion.file,
        cause=f"{companion.file}: {message}" if misfit.keyword in {"type", "enum", "not"} else "",
    )


def _said(companion: Companion, misfit: Misfit) -> tuple[str, str]:
    """Return the message and the help about one misfit."""
    field, limit = _field(misfit.path), misfit.schema.get(misfit.keyword)
    if misfit.keyword == "syntax":
        language = next(name for ending, name in _LANGUAGES.items() if companion.file.endswith(ending))
        return f"not valid {language}: {misfit.value}", "correct the syntax"
    if misfit.keyword == "type":
        return f"{field} is not {_kind(limit)}", f"write {_kind(limit)}"
    if misfit.keyword == "required":
        missing = [backticked(key) for key in limit or () if key not in misfit.value]
        return f"{field} lacks {' and '.join(missing)}", f"add {' and '.join(missing)}"
    if misfit.keyword == "not":
        below = misfit.schema["x-below"]
        return f"{field} is not under `{below}`", f"move it under `{below}`"
    if misfit.keyword == "enum":
        choices = ", ".join(map(backticked, limit or ()))
        return f"{field} is {backticked(misfit.value)}", f"write one of {choices}"
    if misfit.keyword == "maxLength":
        return f"{field} has {len(misfit.value):,} characters; the limit is {limit:,}", "shorten it"
    return f"{field} does not have the form `{misfit.schema.get('x-form', limit)}`", "write it in that form"


def _field(path: Path) -> str:
    """Return a path as authors write it: `evals[0].prompt`; "the file" for the whole."""
    parts = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return backticked("".join(parts).removeprefix(".")) if path else "the file"


def _kind(types: Any) -> str:
    kinds = [types] if isinstance(types, str) else types
    return one_of_types(_KINDS[kind] for kind in kinds if kind != "null")

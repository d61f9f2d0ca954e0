"""Package that a script, hook or load-time command runs or installs without a pinned version.

`npx tool`, `uvx tool` or `pip install tool` installs whatever version the registry has at the time. That
release may break the skill, or may have been published by someone other than the package's author. The rule
does not check shell code in pages, because the reader of a page decides what to install.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Run `sh scripts/fill.sh form.pdf`.
```

```sh scripts/fill.sh
uvx pdf-filler "$1"
```

```text
scripts/fill.sh:1:5: info[unpinned-package]: `uvx` runs `pdf-filler` without a pinned version
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Run `sh scripts/fill.sh form.pdf`.
```

```sh scripts/fill.sh
uvx pdf-filler@1.4.2 "$1"
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.shell_texts import HOOK, LOADED, SCRIPT, shell_texts
from skilltool.rules.shared.text_signs import installs
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.shell import Command, Word

ID = "unpinned-package"
SEVERITY = Severity.INFO

# How a command begins that runs the package named first, or installs all that are named.
_RUNS = (
    ("npx",),
    ("bunx",),
    ("uvx",),
    ("pnpm", "dlx"),
    ("yarn", "dlx"),
    ("pipx", "run"),
    ("npm", "exec"),
    ("bun", "x"),
)
_INSTALLS = (
    ("pip", "install"),
    ("pip3", "install"),
    ("uv", "pip", "install"),
    ("pipx", "install"),
    ("uv", "tool", "install"),
)
_PYTHON = lazy_pattern(r"python[0-9.]{0,5}")
# Options with a value that is no package.
_VALUED = frozenset(
    {"-c", "--constraint", "-i", "--index-url", "--extra-index-url", "-t", "--target", "--python"}
    | {"-p", "--prefix", "--from", "--with", "--package", "--root", "--registry"}
)
_FROM_FILES = frozenset({"-r", "--requirement", "-e", "--editable"})
_LOCAL = frozenset({"--no-install", "--no", "--offline"})
_NAME = lazy_pattern(r"(?:@[\w.-]{1,80}/)?[A-Za-z][\w.-]{0,80}(?:\[[\w,. -]{1,80}\])?(?:@latest|@next)?")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each package without a version, once for each file."""
    seen: set[tuple[str, str]] = set()
    for piece in shell_texts(skill, target, installs, SCRIPT, LOADED, HOOK):
        for command in piece.script.commands:
            for program, verb, word in _packages(command):
                if (piece.text.file, word.text) in seen:
                    continue
                seen.add((piece.text.file, word.text))
                message = f"{backticked(program)} {verb} {backticked(word.text)} without a pinned version"
                remedy = "pin the version, as in `tool@1.4.2` or `tool==1.4.2`"
                yield Finding(message, word.span, help=remedy, file=piece.text.file)


def _packages(command: Command) -> Iterator[tuple[str, str, Word]]:
    words = command.run
    texts = [word.text for word in words]
    if len(texts) > 2 and _PYTHON.fullmatch(texts[0]) and texts[1] == "-m":
        words, texts = words[2:], texts[2:]
    for begin, verb in (*((each, "runs") for each in _RUNS), *((each, "installs") for each in _INSTALLS)):
        if tuple(texts[: len(begin)]) == begin and not _LOCAL & set(texts):
            named = [
                word for word in _operands(words[len(begin) :], verb == "runs") if _NAME.fullmatch(word.text)
            ]
            yield from ((" ".join(begin), verb, word) for word in named if word.literal)
            return


def _operands(words: tuple[Word, ...], only_first: bool) -> list[Word]:
    found: list[Word] = []
    at = 0
    while at < len(words):
        text = words[at].text
        if text == "--from" and at + 1 < len(words):
            return [words[at + 1]]
        if text in _FROM_FILES:
            return []  # names after it would be rare
        if text.startswith("-"):
            at += 2 if text in _VALUED else 1
            continue
        found.append(words[at])
        if only_first:
            break
        at += 1
    return found

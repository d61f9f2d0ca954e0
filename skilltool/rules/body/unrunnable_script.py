r"""Script that the skill runs directly by path but that the operating system cannot execute.

For a command such as `./scripts/fill.py` to work, the file must be executable (`chmod +x`) and its first line
must name the interpreter (`#!/usr/bin/env python3`). In a script with CRLF line endings, the carriage return
becomes part of the interpreter's name, so the script does not run. The severity is only `info` for a CRLF
script that is not executable and that the skill does not run directly by path. A script that is passed to an
interpreter, as in `python scripts/fill.py`, needs neither execute permission nor an interpreter line. The
rule does not report scripts that the skill itself makes executable, or scripts for PowerShell or Windows,
which choose the interpreter by file extension.

The rule checks the execute permission only where it is known. The permission is not known on Windows or in
repositories where git does not track it (`core.fileMode`). Outside a repository, the permission is checked
only if another file in the skill is executable, because packing or copying a skill often removes the
permission from all files.

## Bad

````markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

```sh
./scripts/fill.py form.pdf
```
````

```python scripts/fill.py
print("filled")
```

```text
SKILL.md:9:1: warning[unrunnable-script]: `./scripts/fill.py` is run directly, but its first line does not name an interpreter
```

## Good

````markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

```sh
python3 scripts/fill.py form.pdf
```
````

```python scripts/fill.py
#!/usr/bin/env python3
print("filled")
```
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from skilltool.findings.finding import Finding, Fix, Severity
from skilltool.rules.shared.line_ends import to_line_feeds
from skilltool.rules.shared.run_paths import pages_that_may_run, paths_to_run
from skilltool.rules.shared.text_signs import has_carriage_return_after_interpreter, texts_with
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill import tree
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

ID = "unrunnable-script"
SEVERITY = Severity.WARNING

_CHMOD = lazy_pattern(
    r"\bchmod[ \t]{1,9}(?:-R[ \t]{1,9})?(?:[ugoa]{0,4}\+[rwx]{0,2}x|[0-7]?[1357][0-7]{2})\b([^\n]{0,300})"
)
# PowerShell and Windows run these by their extension.
_WITHOUT_INTERPRETER = (".ps1", ".bat", ".cmd", ".exe")
_UNTRACKED = lazy_pattern(r"^\s*filemode\s*=\s*false\b", re.MULTILINE | re.IGNORECASE)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield at most one finding for each script that a page runs, and one for each with CRLF."""
    seen: set[str] = set()
    for text in pages_that_may_run(skill):
        for path, written, span in paths_to_run(skill, text):
            if path not in seen:
                seen.add(path)
                yield from _run_by_path(skill, text, path, written, span)
    for text in texts_with(skill, has_carriage_return_after_interpreter):
        finding = _with_carriage_return(text)
        is_run = text.file in seen or _may_be_executed(skill, text.file)
        yield finding if is_run else finding._replace(severity=Severity.INFO)


def _run_by_path(skill: Skill, text: Text, path: str, written: str, span: Span) -> Iterator[Finding]:
    if path.lower().endswith(_WITHOUT_INTERPRETER):
        return
    script = skill.text_of(path)
    if script is not None and not script.source.text.startswith("#!"):
        message = f"{backticked(written)} is run directly, but its first line does not name an interpreter"
        line = "#!/usr/bin/env python3" if path.lower().endswith(".py") else "#!/bin/sh"
        remedy = f"start it with a line such as `{line}`, or put the interpreter before the path"
        yield Finding(message, span, remedy, file=text.file)
    elif _is_known_not_to_be_executable(skill, path):
        message = f"{backticked(written)} is run directly but is not executable"
        remedy = "run `chmod +x` on it, or put the interpreter before the path"
        yield Finding(message, span, remedy, file=text.file)


def _is_known_not_to_be_executable(skill: Skill, path: str) -> bool:
    """Return whether nobody may execute a file of the skill, and no page gives that permission."""
    if os.name != "posix" or path in (executable := skill.ask(_executable_files)):
        return False
    # Only where permissions came along with the files.
    config = skill.surroundings.repository_file("config")
    is_known = bool(executable) if config is None else _UNTRACKED.search(config) is None
    return is_known and not _is_made_executable(skill, path.rpartition("/")[2])


def _is_made_executable(skill: Skill, name: str) -> bool:
    """Return whether a page gives the permission to run a file of this name, or a script does by that name."""
    whole = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])")
    for text in skill.texts:
        if b"chmod" in text.folded:
            for rest in _CHMOD.findall(text.source.text):
                if whole.search(rest) or (text.is_page and "*" in rest):
                    return True
    return False


def _executable_files(directory: Path) -> frozenset[str]:
    """Return the files in a directory that somebody may execute, by their paths with `/`."""
    top = os.fspath(directory)
    files = ((path, Path(f"{top}/{path}")) for path in tree.read(directory).files)
    return frozenset(path for path, file in files if file.is_file() and file.stat().st_mode & 0o111)


def _may_be_executed(skill: Skill, file: str) -> bool:
    """Return whether somebody may execute a file; True where permissions are not known."""
    path = skill.file(file)
    return path is None or os.name == "nt" or bool(path.stat().st_mode & 0o111)


def _with_carriage_return(text: Text) -> Finding:
    written = text.source.text
    at = written.index("\r")
    message = f"the interpreter in {backticked(written[:at])} ends with a carriage return"
    # In a file of mixed line ends some may be meant.
    fix = Fix(safe=text.source.newline == "\r\n", edits=to_line_feeds(written, at))
    return Finding(message, Span(0, at), "save the script with LF line endings", fix=fix, file=text.file)

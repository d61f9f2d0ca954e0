"""Entry in `.well-known/agent-skills/index.json` that does not match its SKILL.md.

A client downloads the file, compares its SHA-256 with the `digest` in the index, and drops the file if they
differ. The index must therefore be updated whenever a skill changes. If the `name` or the `description`
differs, clients show outdated text. If the file does not exist, the download fails.

Some sites generate their files at publication, so a missing file is reported only if the repository contains
the file for another entry on the same host.

The rule compares entries only with files in the repository that are next to the index or below the website's
root directory. Source: cloudflare/agent-skills-discovery-rfc, version 0.2.0.

## Bad

```json .well-known/agent-skills/index.json
{
  "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
  "skills": [
    {
      "name": "pdf-tools",
      "type": "skill-md",
      "description": "Fills in forms.",
      "url": "pdf-tools/SKILL.md",
      "digest": "sha256:0000000000000000000000000000000000000000000000000000000000000000"
    }
  ]
}
```

```markdown .well-known/agent-skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
.well-known/agent-skills/index.json:7:22: info[outdated-index]: description of `pdf-tools` differs from the one in `.well-known/agent-skills/pdf-tools/SKILL.md`
.well-known/agent-skills/index.json:9:17: warning[outdated-index]: digest of `pdf-tools` does not match `.well-known/agent-skills/pdf-tools/SKILL.md`
```

## Good

```json .well-known/agent-skills/index.json
{
  "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
  "skills": []
}
```

```markdown .well-known/agent-skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from os.path import lexists
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from skilltool.files.paths import cached_realpath
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.findings.finding import Finding, Severity
from skilltool.packages.manifest import INDEX, Manifest
from skilltool.rules.shared.wording import backticked
from skilltool.text import frontmatter
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Source

ID = "outdated-index"
SEVERITY = Severity.WARNING

_MOST = 500  # entries of one index whose files are read
_LARGEST = 16 * MEBIBYTE
_FOLDER = posixpath.dirname(INDEX.file)
_HOST = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]*://[^/]*")


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Yield each entry that differs from the file to which it leads."""
    entries = manifest.value("skills") if manifest.kind is INDEX else None
    missing: list[tuple[int, str]] = []
    hosts = set()  # whose files are in the repository
    for number, entry in enumerate(islice(entries, _MOST) if isinstance(entries, list) else ()):
        path = path_of(entry)
        raw = None if path is None else read_file(manifest, path)
        if path is not None and raw is not None:
            hosts.add(_host(entry))
            yield from _differences(manifest, number, path, raw)
        elif path is not None and not lexists(f"{manifest.top}/{path}"):
            missing.append((number, path))
    for number, path in missing:
        entry = manifest.value("skills", number)
        if _host(entry) in hosts:
            message = (
                f"{backticked(str(entry.get('name')))} points to {backticked(path)}, which does not exist"
            )
            span = manifest.span(("skills", number, "url"))
            yield Finding(message, span, help="add the file, or regenerate the index")


def _differences(manifest: Manifest, number: int, path: str, raw: bytes) -> Iterator[Finding]:
    entry = manifest.value("skills", number)
    name, advice = backticked(str(entry.get("name"))), "regenerate the index"
    described = entry.get("description")
    if path.endswith(".md") and isinstance(described, str):
        fields = frontmatter.read(Source.decode(raw))
        own = fields.text("name")
        if own is not None and own.strip() != entry.get("name"):
            message = f"name {name} differs from the one in {backticked(path)}, {backticked(own)}"
            yield Finding(message, manifest.span(("skills", number, "name")), advice, Severity.INFO)
        written = fields.text("description")
        if written is not None and written.split() != described.split():
            message = f"description of {name} differs from the one in {backticked(path)}"
            span = manifest.span(("skills", number, "description"))
            yield Finding(message, span, advice, Severity.INFO)
    digest = entry.get("digest")
    if isinstance(digest, str) and digest != f"sha256:{sha256(raw).hexdigest()}":
        message = f"digest of {name} does not match {backticked(path)}"
        yield Finding(message, manifest.span(("skills", number, "digest")), advice)


def _host(entry: dict[str, Any]) -> str:
    match = _HOST.match(entry["url"])
    return match[0] if match is not None else ""


def path_of(entry: Any) -> str | None:
    """Return the path of the file of an entry under the top of the web site; None if it is elsewhere."""
    url = entry.get("url") if isinstance(entry, dict) else None
    if not isinstance(url, str):
        return None
    local = unquote(re.split("[?#]", url)[0])
    is_remote = _HOST.match(local) is not None
    path = _HOST.sub("", local)
    if is_remote and f"/{_FOLDER}/" not in path:
        return None
    path = path[path.index(f"/{_FOLDER}/") :] if is_remote else path
    path = posixpath.normpath(path.lstrip("/") if path.startswith("/") else f"{_FOLDER}/{path}")
    return None if path.startswith("..") or "\0" in path else path


def read_file(manifest: Manifest, path: str) -> bytes | None:
    """Return the bytes of a file of the web site; None if it is not there, or leads out of it."""
    real, top = cached_realpath(f"{manifest.top}/{path}"), cached_realpath(manifest.top)
    try:
        return read_bounded(Path(real), _LARGEST) if Path(real).is_relative_to(top) else None
    except OSError:
        return None

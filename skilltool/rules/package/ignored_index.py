"""Web-hosted skill index that clients ignore completely or in part.

`npx skills` silently drops invalid entries. It accepts an index only if its `$schema` is exactly the one for
version 0.2.0, or if it has no `$schema`, which means version 0.1.0. With any other `$schema`, it ignores the
whole file. In version 0.2.0 it drops only the invalid entries; in version 0.1.0 a single invalid entry makes
it ignore the whole index. An archive needs a SKILL.md at its root. If a URL points to a branch, its `digest`
is valid only until the branch changes.

`skilltool pack --index` writes an index that `npx skills` accepts. Sources: cloudflare/agent-skills-discovery-rfc,
version 0.2.0, and the npm package `skills` 1.7.4 (its source
code, and test runs).

## Bad

```json .well-known/agent-skills/index.json
{
  "$schema": "https://agentskills.io/schemas/v0.2.0/index.json",
  "skills": [
    {
      "name": "pdf-tools",
      "type": "skill-md",
      "description": "Fills in PDF forms.",
      "url": "pdf-tools/SKILL.md",
      "digest": "sha256:0000000000000000000000000000000000000000000000000000000000000000"
    }
  ]
}
```

```text
.well-known/agent-skills/index.json:2:14: error[ignored-index]: `$schema` is `https://agentskills.io/schemas/v0.2.0/index.json`, so clients ignore the whole index
```

## Good

```json .well-known/agent-skills/index.json
{
  "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
  "skills": []
}
```
"""

from __future__ import annotations

import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import Any

from skilltool.files.reading import MEBIBYTE
from skilltool.findings.finding import Finding, Severity
from skilltool.packages.manifest import INDEX, OLD_INDEX, OTHER_INDEX, Manifest
from skilltool.rules.package.outdated_index import path_of, read_file
from skilltool.rules.shared.wording import backticked
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.json_places import Path
from skilltool.text.lazy_pattern import lazy_pattern

ID = "ignored-index"
SEVERITY = Severity.ERROR

_SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
_MOST, _MOST_NAMES = 500, 2_000  # entries of an index, and files of an archive
_MOST_UNPACKED = 50 * MEBIBYTE
_NAME = lazy_pattern(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_NAME, _LONGEST_DESCRIPTION = 64, 1_024  # characters; the second in UTF-16 code units
_TYPES = ("skill-md", "archive")
# A file on a branch of a public host, whose bytes change with it. The page of a file on GitHub is HTML.
_ON_BRANCH = lazy_pattern(
    r"https://(?:raw\.githubusercontent\.com/[^/]+/[^/]+/(?:refs/heads/)?|github\.com/[^/]+/[^/]+/(?:raw|blob)/(?:refs/heads/)?"
    r"|gitlab\.com/.{1,200}/-/(?:raw|blob)/)(?P<branch>main|master|develop|dev|trunk|HEAD)/"
)
_PAGE = lazy_pattern(r"https://(?:github\.com/[^/]+/[^/]+/blob|gitlab\.com/.{1,200}/-/blob)/")


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Yield why clients ignore an index, or entries of it."""
    if manifest.kind not in (INDEX, OTHER_INDEX, OLD_INDEX) or manifest.json is None:
        return
    entries, written = manifest.value("skills"), manifest.value("$schema")
    if not isinstance(entries, list):
        if manifest.kind is not INDEX:
            yield Finding("the file has no `skills` list, so clients ignore it", manifest.span(()))
        return
    if "$schema" in manifest.data and written != _SCHEMA:
        message = f"`$schema` is {backticked(written)}, so clients ignore the whole index"
        yield Finding(message, manifest.span(("$schema",)), f"write `{_SCHEMA}`")
        return
    for number, entry in enumerate(islice(entries, _MOST)):
        if "$schema" in manifest.data:
            yield from _of_entry(manifest, number, entry)
        elif (wrong := _wrong_in_old(entry)) is not None:
            path, why = wrong
            message = f"{why}, and without `$schema`, one such entry makes clients ignore the whole index"
            yield Finding(
                message,
                manifest.span(("skills", number, *path)),
                f"correct it, or add `$schema`: `{_SCHEMA}`",
            )
            return


def _of_entry(manifest: Manifest, number: int, entry: Any) -> Iterator[Finding]:
    """Yield why clients drop an entry of version 0.2.0; `invalid-manifest` has what is missing in it."""
    if not isinstance(entry, dict):
        return

    def dropped(key: str, why: str, remedy: str) -> Finding:
        return Finding(f"{why}: clients drop the entry", manifest.span(("skills", number, key)), remedy)

    name, kind, described, url = (entry.get(key) for key in ("name", "type", "description", "url"))
    if isinstance(name, str) and not _is_name(name):
        remedy = (
            f"use at most {_LONGEST_NAME} lowercase letters and digits, in words joined by single hyphens"
        )
        yield dropped("name", f"{backticked(name)} is not a valid skill name", remedy)
    if isinstance(kind, str) and kind not in _TYPES:
        yield dropped("type", f"`type` is {backticked(kind)}", "use `skill-md` or `archive`")
    if isinstance(described, str):
        length = len(described.encode("utf-16-le", "surrogatepass")) // 2
        if not described or length > _LONGEST_DESCRIPTION:
            why = f"`description` has {length:,} characters, but must have 1 to {_LONGEST_DESCRIPTION:,}"
            yield dropped("description", why, "shorten it" if described else "write one")
    if isinstance(url, str):
        yield from _of_url(manifest, number, entry, url)


def _of_url(manifest: Manifest, number: int, entry: dict[str, Any], url: str) -> Iterator[Finding]:
    span = manifest.span(("skills", number, "url"))
    if _PAGE.match(url):
        yield Finding(
            f"{backticked(url)} is the web page for a file, not the file itself",
            span,
            "use the URL of the raw file",
        )
    elif (branch := _ON_BRANCH.match(url)) is not None:
        message = f"{backticked(url)} changes with the branch `{branch['branch']}`, but the digest does not"
        yield Finding(message, span, "use a tag or a commit in the URL", Severity.WARNING)
    path = path_of(entry) if entry.get("type") == "archive" else None
    raw = read_file(manifest, path) if path is not None else None
    names = _names_in(raw) if raw is not None else None
    if names is not None and FILE_NAME not in names:
        inner = next((name for name in sorted(names) if name.endswith(f"/{FILE_NAME}")), None)
        has = f"; it has {backticked(inner)}" if inner else ""
        message = f"archive {backticked(path)} has no {FILE_NAME} at its root{has}"
        yield Finding(message, span, "create the archive again with `skilltool pack --index`")


def _is_name(name: str) -> bool:
    return len(name) <= _LONGEST_NAME and _NAME.fullmatch(name) is not None


def _names_in(raw: bytes) -> set[str] | None:
    """Return the names of the files in an archive; None for one that cannot be read."""
    try:
        if raw.startswith(b"PK"):
            with zipfile.ZipFile(BytesIO(raw)) as archive:
                return {re.sub(r"\A(?:\./)+", "", name) for name in archive.namelist()[:_MOST_NAMES]}
        unpacked = zlib.decompressobj(wbits=31).decompress(raw, _MOST_UNPACKED)
        with tarfile.open(fileobj=BytesIO(unpacked), mode="r:") as packed:
            return {re.sub(r"\A(?:\./)+", "", each.name) for each in islice(packed, _MOST_NAMES)}
    except Exception:  # whatever a stranger's archive makes of these readers
        return None


def _wrong_in_old(entry: Any) -> tuple[Path, str] | None:
    """Return what clients do not take in an entry of version 0.1.0, and why."""
    if not isinstance(entry, dict):
        return (), "an entry is not an object"
    name, described, files = entry.get("name"), entry.get("description"), entry.get("files")
    if not isinstance(name, str) or not _is_name(name):
        return (("name",) if name is not None else ()), f"{backticked(name)} is not a valid skill name"
    if not isinstance(described, str) or not described:
        return (("description",) if described is not None else ()), f"{backticked(name)} has no description"
    listed = [each for each in files if isinstance(each, str)] if isinstance(files, list) else []
    if not any(each.lower() == FILE_NAME.lower() for each in listed):
        place: Path = ("files",) if files is not None else ()
        return place, f"{backticked(name)} has no `files` list that contains {FILE_NAME}"
    bad = next((each for each in listed if each.startswith(("/", "\\")) or ".." in each), None)
    return (("files",), f"{backticked(bad)} points outside the skill") if bad else None

"""Toolsets and scripts of a skill: looked for and listed, never imported and never run.

Sources: document 001, "Toolset Loading" and "Script Execution"; `skills/loader.py` of
danielscholl/agent-base at 13733a71, which does import toolsets: what it would find is told here
from the text of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from skilltool.runtimes.agent.manifest import Manifest
from skilltool.runtimes.shared.files import bytes_of, is_directory
from skilltool.runtimes.shared.scanning import children
from skilltool.runtimes.values import Log, Refusal

_SUFFIXES = (".ts", ".tsx", ".js", ".mjs", ".py")


@dataclass(frozen=True, slots=True)
class Extras:
    """The toolsets and the scripts that are there, and what is logged of those that are not."""

    toolsets: tuple[str, ...]
    scripts: tuple[str, ...]
    logs: tuple[Log, ...] = ()


def base_extras(directory: Path, manifest: Manifest) -> Extras:
    """Look as agent-base does: Python modules with dots for slashes, `scripts/*.py`.

    What it logs of those that are not there is in no golden and is left out. Raises OSError and
    ValueError where agent-base does.
    """
    toolsets = tuple(each for each in manifest.toolsets if base_toolset(directory, each) is None)
    return Extras(toolsets, tuple(_base_scripts(directory / "scripts", manifest)))


def base_toolset(directory: Path, toolset: str) -> str | None:
    """Return why agent-base finds no such toolset in the skill, None where it does."""
    module, _, name = toolset.partition(":")
    path = f"{module.replace('.', '/')}.py"
    # A file outside of the skill, which agent-base would import, is not even read.
    source = _text(directory / path) if _is_own_file(directory / path, directory) else None
    if source is None:
        return f"there is no file `{path}` in the skill"
    found = re.search(rf"^class\s+{re.escape(name)}\s*\(", source, re.MULTILINE)
    return None if found else f"`{path}` has no class `{name}` with a base class"


def _base_scripts(folder: Path, manifest: Manifest) -> Iterator[str]:
    if not is_directory(folder):
        return
    if manifest.scripts is None:
        for path in _listed(folder):
            ignored = any(path.match(pattern) for pattern in manifest.scripts_ignore)
            if path.suffix == ".py" and not ignored and path.is_file() and not path.is_symlink():
                yield path.stem
        return
    for name in manifest.scripts:
        if base_script(folder.parent, name) is None:
            yield name.removesuffix(".py")


def base_script(directory: Path, name: str) -> str | None:
    """Return why agent-base lists no such script, None where it does."""
    folder, file = directory / "scripts", name if name.endswith(".py") else f"{name}.py"
    if "/" in name or "\\" in name or ".." in name or not _is_inside(folder / file, folder):
        return "it is a path, and not the name of a file in `scripts`"
    return None if (folder / file).is_file() else f"there is no file `scripts/{file}` in the skill"


def document_extras(directory: Path, manifest: Manifest) -> Extras:
    """Look as document 001 says: `path:Class` below the skill, and the scripts that are named or there."""
    toolsets: list[str] = []
    logs: list[Log] = []
    for toolset in manifest.toolsets:
        wrong = document_toolset(directory, toolset)
        if wrong is None:
            toolsets.append(toolset)
        else:
            logs.append(Log("WARNING", "skilltool", f"toolset `{toolset}` of `{manifest.name}`: {wrong}"))
    scripts: list[str] = []
    if manifest.scripts is None:
        own = (path for path in _listed(directory / "scripts") if _is_own_file(path, directory))
        scripts = [path.name for path in own if path.suffix in _SUFFIXES]
    for name in manifest.scripts or ():
        wrong = document_script(directory, name)
        if wrong is None:
            scripts.append(name)
        else:
            logs.append(Log("WARNING", "skilltool", f"script `{name}` of `{manifest.name}`: {wrong}"))
    return Extras(tuple(toolsets), tuple(scripts), tuple(logs))


def document_script(directory: Path, name: str) -> str | None:
    """Return why document 001 finds no such script in the skill, None where it does."""
    there = [path for path in _listed(directory / "scripts") if _is_own_file(path, directory)]
    names = {each for path in there for each in (path.name, path.stem)}
    return None if name in names else "there is no such file in `scripts`"


def document_toolset(directory: Path, toolset: str) -> str | None:
    """Return why document 001 finds no such toolset in the skill, None where it does."""
    module, _, name = toolset.rpartition(":")
    ways = [f"{module}{suffix}" for suffix in _SUFFIXES] + [f"{module}/index.ts"]
    if module.endswith(_SUFFIXES):
        ways.insert(0, module)
    file = next((way for way in ways if _is_own_file(directory / way, directory)), None)
    if file is None:
        return "there is no such file in the skill"
    source = _text(directory / file)
    if source is None or not _exports(source, name, file.endswith(".py")):
        return f"`{file}` has no export `{name}`"
    return None


def _exports(source: str, name: str, is_python: bool) -> bool:
    """Whether a text looks like a module that exports `name`."""
    word = rf"(?<![\w$]){re.escape(name)}(?![\w$])"
    if is_python:
        forms = [rf"^(?:class|def|async def)\s+{word}", rf"^{word}\s*[:=]", rf"^(?:from|import)\b.*{word}"]
    else:
        kinds = r"(?:class|function\*?|const|let|var|enum|namespace)"
        modifiers = r"(?:(?:default|declare|abstract|async)\s+)*"
        forms = [
            rf"^\s*export\s+{modifiers}{kinds}\s+{word}",
            rf"\bexport\s*\{{[^}}]*{word}\s*(?:,|\}})",
            rf"\bexports\.{word}\s*=",
        ]
    return any(re.search(form, source, re.MULTILINE) for form in forms)


def _text(path: Path) -> str | None:
    """Return the text of a file, None where there is none or we do not read it."""
    try:
        raw = bytes_of(path)
    except (Refusal, ValueError):
        return None
    return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else None


def _listed(folder: Path) -> list[Path]:
    try:
        return children(folder)
    except OSError:
        return []


def _is_own_file(path: Path, directory: Path) -> bool:
    try:
        return path.is_file() and _is_inside(path, directory)
    except (OSError, ValueError):
        return False


def _is_inside(path: Path, directory: Path) -> bool:
    try:
        return path.resolve().is_relative_to(directory.resolve())
    except (ValueError, RuntimeError):  # a null character; links that go round in a circle
        return False

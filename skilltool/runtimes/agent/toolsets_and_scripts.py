"""Which toolsets and scripts does a skill have? They are looked for and listed, never imported and never run.

Sources: document 001, "Toolset Loading" and "Script Execution"; `skills/loader.py` of
danielscholl/agent-base at 13733a71. agent-base imports toolsets; here the text of the file says what it
would find.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from skilltool.runtimes.agent.manifest import Manifest
from skilltool.runtimes.loading import bytes_of, children, is_directory
from skilltool.runtimes.values import Log, Refusal

_LOGGER = "agent.skills.loader"
_SUFFIXES = (".ts", ".tsx", ".js", ".mjs", ".py")


@dataclass(frozen=True, slots=True)
class Extras:
    """The toolsets and scripts that exist, and the log lines about those that do not."""

    toolsets: tuple[str, ...]
    scripts: tuple[str, ...]
    logs: tuple[Log, ...] = ()


def base_extras(directory: Path, manifest: Manifest) -> Extras:
    """Return what agent-base finds: Python modules, with dots for slashes, and `scripts/*.py`.

    Raises OSError and ValueError where agent-base does.
    """
    logs: list[Log] = []
    toolsets: list[str] = []
    for toolset in manifest.toolsets:
        problem, message = _base_toolset(directory, toolset)
        if problem is None:
            toolsets.append(toolset)
        else:
            logs.append(Log("ERROR", _LOGGER, message))
    return Extras(tuple(toolsets), tuple(_base_scripts(directory, manifest, logs)), tuple(logs))


def base_toolset(directory: Path, toolset: str) -> str | None:
    """Return why agent-base does not find a toolset in the skill, None if it does."""
    return _base_toolset(directory, toolset)[0]


def _base_toolset(directory: Path, toolset: str) -> tuple[str | None, str]:
    """Return our sentence and the log line for a toolset that is missing; else None and no line."""
    module, _, name = toolset.partition(":")
    path = f"{module.replace('.', '/')}.py"
    # agent-base would import a file outside of the skill; skilltool does not even read it.
    source = _text(directory / path) if _is_own_file(directory / path, directory) else None
    if source is None:
        return f"the skill has no file `{path}`", f"Toolset file not found: {directory / path}"
    if re.search(rf"^class\s+{re.escape(name)}\s*\(", source, re.MULTILINE):
        return None, ""
    is_there = bool(name) and _exports(source, name, is_python=True)
    reason = "must inherit from AgentToolset" if is_there else f"not found in {directory / path}"
    return f"`{path}` has no class `{name}` with a base class", f"Class '{name}' {reason}"


def _base_scripts(directory: Path, manifest: Manifest, logs: list[Log]) -> Iterator[str]:
    folder = directory / "scripts"
    if not is_directory(folder):
        return
    if manifest.scripts is None:
        for path in _listed(folder):
            ignored = any(path.match(pattern) for pattern in manifest.scripts_ignore)
            if path.suffix != ".py" or ignored or not path.is_file():
                continue
            if path.is_symlink():
                logs.append(Log("WARNING", _LOGGER, f"Skipping symbolic link script: {path}"))
            else:
                yield path.stem
        return
    for name in manifest.scripts:
        wrong = _wrong_script(directory, name, manifest.name)
        if wrong is None:
            yield name.removesuffix(".py")
        else:
            logs.append(wrong[1])


def base_script(directory: Path, name: str) -> str | None:
    """Return why agent-base does not list a script, None if it does."""
    wrong = _wrong_script(directory, name, "")
    return wrong and wrong[0]


def _wrong_script(directory: Path, name: str, skill: str) -> tuple[str, Log] | None:
    """Return our sentence and the log line for a script that agent-base does not list; None if it does."""
    folder, file = directory / "scripts", name if name.endswith(".py") else f"{name}.py"
    has_path = "/" in name or "\\" in name or ".." in name
    if has_path or not _is_inside(folder / file, folder):
        reason = "with path separators" if has_path else "- path escapes scripts directory"
        message = f"Security: Rejected script '{name}' {reason} in skill '{skill}'"
        return "it is a path, not the name of a file in `scripts`", Log("ERROR", _LOGGER, message)
    if (folder / file).is_file():
        return None
    message = f"Script '{name}' listed in manifest but not found: {folder / file}"
    return f"the skill has no file `scripts/{file}`", Log("WARNING", _LOGGER, message)


def document_extras(directory: Path, manifest: Manifest) -> Extras:
    """Return what document 001 finds: `path:Class` in the skill, and the scripts that are listed or exist."""
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
    """Return why document 001 does not find a script in the skill, None if it does."""
    there = [path for path in _listed(directory / "scripts") if _is_own_file(path, directory)]
    names = {each for path in there for each in (path.name, path.stem)}
    return None if name in names else "there is no such file in `scripts`"


def document_toolset(directory: Path, toolset: str) -> str | None:
    """Return why document 001 does not find a toolset in the skill, None if it does."""
    module, _, name = toolset.rpartition(":")
    candidates = [f"{module}{suffix}" for suffix in _SUFFIXES] + [f"{module}/index.ts"]
    if module.endswith(_SUFFIXES):
        candidates.insert(0, module)
    file = next((path for path in candidates if _is_own_file(directory / path, directory)), None)
    if file is None:
        return "there is no such file in the skill"
    source = _text(directory / file)
    if source is None or not _exports(source, name, file.endswith(".py")):
        return f"`{file}` has no export `{name}`"
    return None


def _exports(source: str, name: str, is_python: bool) -> bool:
    """Return whether the source looks like a module that exports `name`."""
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
    """Return the text of a file, None if it is missing or skilltool does not read it."""
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
    except (ValueError, RuntimeError):  # a null character; a loop of links
        return False

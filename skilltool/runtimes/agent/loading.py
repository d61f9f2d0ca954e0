"""Where do agent-base and document 001 look for skills, and which do they load?

Source: document 001, "Skill Sources"; `skills/loader.py` of danielscholl/agent-base at 13733a71; document
001, "Manifest Fields"; `skills/manifest.py` of danielscholl/agent-base at 13733a71; document 001, "Toolset
Loading" and "Script Execution"; `skills/loader.py` of danielscholl/agent-base at 13733a71. agent-base
imports toolsets; here the text of the file says what it would find.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from skilltool.emulation.pydantic import (
    Check,
    bounded_text,
    error_text,
    flag,
    list_of,
    model_of,
    optional,
    table_of,
    text,
    validated,
)
from skilltool.emulation.pyyaml import PyYamlError, check_printable, safe_load
from skilltool.runtimes import values
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import TOO_LARGE, bytes_of, children, decoded, exists, is_directory, last_wins
from skilltool.runtimes.values import LoadedSkill, Log, Refusal, Refused, ResolvedRoot, not_read
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError
from skilltool.text.lazy_pattern import lazy_pattern

MANIFEST_ERROR = "SkillManifestError"
_PYDANTIC = "2.12"
_BRIEF, _CUT = 80, 77
_CLOSING = lazy_pattern(r"\n---\s*\n")
_KINDS = ("keywords", "verbs", "patterns")
_UNUSED = (
    "version",
    "author",
    "repository",
    "license",
    "min_agent_base_version",
    "max_agent_base_version",
)
# The keys that the pydantic model reads; others may have any value.
_FIELDS = frozenset(
    {"name", "description", "default_enabled", "toolsets", "scripts", "scripts_ignore", "permissions"}
    | {"instructions", "brief_description", "triggers", *_UNUSED}
)


@dataclass(frozen=True, slots=True)
class Manifest:
    """The content of a SKILL.md that the runtime accepts.

    `brief` is the author's brief description or the generated one. `triggers` have the name among the
    keywords; `declared` says whether the author wrote any. `scripts` is None if the author lists none, to
    be discovered.
    """

    name: str
    description: str
    brief: str
    triggers: dict[str, list[str]]
    declared: bool
    default_enabled: bool
    toolsets: list[str]
    scripts: list[str] | None
    scripts_ignore: list[str]
    body: str

    @property
    def registry_line(self) -> str:
        """The brief description as the registry prints it: at most 80 characters, never empty."""
        return (self.brief or self.description)[:_BRIEF]


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between the two: the model of the frontmatter, and where a sentence ends."""

    model: Check
    first_sentence: Callable[[str], str]


def read(raw: bytes | OSError, dialect: Dialect) -> Manifest:
    """Return the manifest in the content of a SKILL.md, or in place of that, the error of opening it.

    Raises `Refusal`: its `kind` is `SkillManifestError`, or the class of an exception that the runtime does
    not expect; its `message` is None if skilltool refuses the file, and not the runtime.
    """
    if isinstance(raw, bytes) and len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    try:
        source = decoded(raw)
    except OSError as error:
        raise Refusal(str(error), f"it cannot be read: {error.strerror}", type(error).__name__) from None
    except UnicodeDecodeError:
        raise _manifest_error("SKILL.md must be UTF-8 encoded", "it is not UTF-8") from None
    block = split(source)
    if block is None:
        message = "SKILL.md must start with YAML front matter delimited by '---' markers"
        raise _manifest_error(message, "it does not start with frontmatter between two lines `---`")
    data = _data(block[0])
    data["instructions"] = block[1]
    return _manifest(data, dialect, block[0])


def split(source: str) -> tuple[str, str] | None:
    r"""Return the YAML text and the stripped body, or None: `^---\s*\n(.*?)\n---\s*\n(.*)` of Python's re.

    That expression itself would take time that grows with the square of the number of blank lines.
    """
    opening = re.match(r"---\s*", source)
    if opening is None:
        return None
    start = source.rfind("\n", 3, opening.end())
    if start < 0:
        return None
    closing = _CLOSING.search(source, start + 1)
    if closing is None:
        # The white space after the first marker gives back a line end if the second marker follows at once.
        closing, start = _CLOSING.match(source, start), source.rfind("\n", 3, start)
    if closing is None or start < 0:
        return None
    return source[start + 1 : closing.start()], source[closing.end() :].strip()


def _data(block: str) -> dict[Any, Any]:
    try:
        data = safe_load(block, _FIELDS)
    except BoundError as error:
        raise not_read(error) from None
    except PyYamlError as error:
        why = f"the frontmatter is not valid YAML: {error.text.partition(chr(10))[0]}"
        if not error.is_yaml:
            raise Refusal(error.text, why, error.kind, error.text) from None
        message = f"Invalid YAML front matter: {error.text}"
        raise Refusal(message, why, MANIFEST_ERROR, error.text) from None
    if not isinstance(data, dict):
        raise _manifest_error("YAML front matter must be a dictionary", "the frontmatter is not a mapping")
    return data


def _manifest(data: dict[Any, Any], dialect: Dialect, block: str) -> Manifest:
    if not all(isinstance(key, str) for key in data):
        words = "keywords must be strings"
        why = "a key in the frontmatter is not a string (YAML reads `on`, `yes` and `1` as bools and numbers)"
        raise Refusal(f"Invalid SKILL.md manifest: {words}", why, MANIFEST_ERROR, words)
    values, problems = dialect.model((), data)
    if problems:
        try:
            check_printable(block)
        except BoundError as error:
            raise not_read(error) from None
        words = error_text("SkillManifest", problems, _PYDANTIC)
        first = problems[0]
        why = f"`{'.'.join(map(str, first.path))}`: {first.message}"
        raise Refusal(f"Invalid SKILL.md manifest: {words}", why, MANIFEST_ERROR, words)
    given: dict[str, list[str]] = values["triggers"] or {kind: [] for kind in _KINDS}
    keywords, name = given["keywords"], values["name"].lower()
    if name not in [keyword.lower() for keyword in keywords]:
        keywords = [*keywords, name]
    return Manifest(
        name=values["name"],
        description=values["description"],
        brief=values["brief_description"] or brief(dialect.first_sentence(values["description"])),
        triggers={"keywords": keywords, "verbs": given["verbs"], "patterns": given["patterns"]},
        declared=any(given.values()),
        default_enabled=values["default_enabled"],
        toolsets=values["toolsets"],
        scripts=values["scripts"],
        scripts_ignore=values["scripts_ignore"],
        body=values["instructions"],
    )


def brief(sentence: str) -> str:
    """Return a sentence of at most 80 characters; a longer one is cut at a space, with `...` after it."""
    if len(sentence) <= _BRIEF:
        return sentence
    cut = sentence.rfind(" ", 0, _CUT)
    return sentence[: _CUT if cut < 0 else cut] + "..."


def to_the_first_dot(description: str) -> str:
    """Return the text before the first `.`, even one inside a word, as agent-base does."""
    return description.partition(".")[0].strip()


def to_the_sentence_end(description: str) -> str:
    """Return the text before the first `.`, `!` or `?` that white space or nothing follows."""
    return re.split(r"[.!?](?=\s|$)", description, maxsplit=1)[0].strip()


def model(name_pattern: str, name_words: str, toolset_words: Callable[[str], str | None]) -> Check:
    """Return the model of the frontmatter, given the form of a name and the check of a toolset."""

    def name_error(name: str) -> str | None:
        return None if re.match(name_pattern, name) else name_words

    def toolsets_error(toolsets: list[str]) -> str | None:
        return next((words for toolset in toolsets if (words := toolset_words(toolset))), None)

    texts = list_of(text)
    triggers = model_of("SkillTriggers", dict.fromkeys(_KINDS, (texts, [])))
    maybe: tuple[Check, Any] = (optional(text), None)
    return model_of(
        "SkillManifest",
        {
            "name": (validated(bounded_text(1, 64), name_error), ...),
            "description": (bounded_text(1, 500), ...),
            **dict.fromkeys(_UNUSED, maybe),
            "default_enabled": (flag, True),
            "toolsets": (validated(texts, toolsets_error), []),
            "scripts": (optional(texts), None),
            "scripts_ignore": (texts, []),
            "permissions": (table_of(text, texts), {}),
            "instructions": (text, ""),
            "brief_description": maybe,
            "triggers": (optional(triggers), None),
        },
    )


def _manifest_error(message: str, why: str) -> Refusal:
    return Refusal(message, why, MANIFEST_ERROR)


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
    """Return as a predicate why agent-base does not list a script, None if it does."""
    wrong = _wrong_script(directory, name, "")
    return wrong and wrong[0]


def _wrong_script(directory: Path, name: str, skill: str) -> tuple[str, Log] | None:
    """Return our predicate and the log line for a script that agent-base does not list; None if it does."""
    folder, file = directory / "scripts", name if name.endswith(".py") else f"{name}.py"
    has_path = "/" in name or "\\" in name or ".." in name
    if has_path or not _is_inside(folder / file, folder):
        reason = "with path separators" if has_path else "- path escapes scripts directory"
        message = f"Security: Rejected script '{name}' {reason} in skill '{skill}'"
        return "is a path, not the name of a file in `scripts`", Log("ERROR", _LOGGER, message)
    if (folder / file).is_file():
        return None
    message = f"Script '{name}' listed in manifest but not found: {folder / file}"
    return f"does not exist: the skill has no file `scripts/{file}`", Log("WARNING", _LOGGER, message)


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
            logs.append(Log("WARNING", "skilltool", f"script `{name}` of `{manifest.name}` {wrong}"))
    return Extras(tuple(toolsets), tuple(scripts), tuple(logs))


def document_script(directory: Path, name: str) -> str | None:
    """Return as a predicate why document 001 does not find a script in the skill, None if it does."""
    there = [path for path in _listed(directory / "scripts") if _is_own_file(path, directory)]
    names = {each for path in there for each in (path.name, path.stem)}
    return None if name in names else "does not exist in `scripts`"


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


_NO_FILE = f"it has no {FILE_NAME}"
_NO_REGULAR_FILE = f"{FILE_NAME} is not a regular file"


@dataclass(frozen=True, slots=True)
class Edition:
    """How one edition finds and reads skills: its directories, its dialect, its toolsets and scripts."""

    candidates: Callable[[Session], list[Candidate]]
    dialect: Dialect
    extras: Callable[[Path, Manifest], Extras]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A directory with a SKILL.md: its path, that path as the runtime prints it, and the role of its root."""

    directory: Path
    display_path: str
    role: str


def scan(session: Session, edition: Edition) -> None:
    """Fill a session: the last copy of a key wins; an error in listing a root ends loading as a whole."""
    try:
        candidates = edition.candidates(session)
    except OSError as error:
        session.failure = str(error)
        return
    index: dict[str, LoadedSkill] = {}
    losers: list[LoadedSkill] = []
    for candidate in candidates:
        outcome = _read_and_log(session, candidate, edition)
        if isinstance(outcome, Refused):
            session.skipped.append(outcome)
            continue
        if outcome.key in index:
            losers.append(index[outcome.key])
        index[outcome.key] = outcome
    session.skills = list(index.values())
    for skill in losers:
        by = index[skill.key]
        if skill.directory != by.directory:
            session.shadowed.append(last_wins(session, by, skill))


def _read_and_log(session: Session, candidate: Candidate, edition: Edition) -> LoadedSkill | Refused:
    """Read one candidate, and log what the runtime logs."""
    try:
        manifest, extras = _read(candidate.directory, edition)
    except Refusal as refusal:
        refused = _refused(candidate, refusal)
        if refused.message is not None:
            session.logs.append(Log("ERROR", _LOGGER, refused.message))
        return refused
    session.logs += extras.logs
    if candidate.role == "bundled" and not _is_on(session, manifest):
        message = f"Skipping bundled skill '{manifest.name}' (default_enabled={manifest.default_enabled})"
        session.logs.append(Log("INFO", _LOGGER, message))
        why = "this bundled skill is disabled, by `default_enabled` or by a setting"
        key = canonical(manifest.name)
        role = candidate.role
        return Refused(candidate.directory, message, why, role, "disabled", key=key, hidden=True)
    counts = f"{len(extras.toolsets)} toolsets, {len(extras.scripts)} scripts"
    line = f"Loaded {candidate.role} skill '{manifest.name}': {counts}"
    session.logs.append(Log("INFO", _LOGGER, line))
    return _skill(candidate, manifest, extras)


def _read(directory: Path, edition: Edition) -> tuple[Manifest, Extras]:
    manifest = read(bytes_of(directory / FILE_NAME), edition.dialect)
    try:
        return manifest, edition.extras(directory, manifest)
    except (OSError, ValueError) as error:
        why = f"`scripts` cannot be listed: {error}"
        raise Refusal(str(error), why, type(error).__name__, str(error)) from None


def _refused(candidate: Candidate, refusal: Refusal) -> Refused:
    message = refusal.message
    if message is not None:
        begin = "Failed to load" if refusal.kind == MANIFEST_ERROR else "Unexpected error loading"
        message = f"{begin} skill from {candidate.display_path}: {message}"
    return Refused(candidate.directory, message, refusal.why, candidate.role, refusal.kind, refusal.library)


def _skill(candidate: Candidate, manifest: Manifest, extras: Extras) -> LoadedSkill:
    told = {
        "brief": manifest.brief,
        "triggers": manifest.triggers,
        "toolsets": list(extras.toolsets),
        "scripts": list(extras.scripts),
    }
    return LoadedSkill(
        canonical(manifest.name),
        manifest.name,
        manifest.description,
        candidate.directory,
        manifest.body,
        candidate.role,
        candidate.display_path,
        told,
        details=manifest,
    )


def _is_on(session: Session, manifest: Manifest) -> bool:
    key = canonical(manifest.name)
    if key in _names(session.settings["enabled_bundled"]):
        return True
    return key not in _names(session.settings["disabled_bundled"]) and manifest.default_enabled


def _names(value: Any) -> set[str]:
    return {canonical(str(name)) for name in value} if isinstance(value, list) else set()


def canonical(name: str) -> str:
    """Return the form in which names are compared: lower case, hyphens for underscores."""
    return name.lower().replace("_", "-")


def roots_of_document(session: Session) -> list[Candidate]:
    """Return the skill directories of every root, the lowest precedence first; raises OSError."""
    return [candidate for root in session.roots for candidate in _in_root(session, root)]


def bundled_and_plugins(session: Session) -> list[Candidate]:
    """Return the bundled directories, then those in the setting `plugins`, as agent-base; raises OSError."""
    bundled = session.root("bundled")
    candidates = _in_root(session, bundled) if bundled else []
    bundled_paths = {Path(candidate.display_path) for candidate in candidates}
    plugins = session.settings["plugins"]
    for plugin in plugins if isinstance(plugins, list) else ():
        if not isinstance(plugin, dict) or not plugin.get("enabled", True):
            continue
        path = _plugin_path(session, plugin)
        directory = session.project / path
        if exists(directory) and exists(directory / FILE_NAME):
            candidates.append(
                Candidate(directory, str(path), "bundled" if path in bundled_paths else "plugin")
            )
            continue
        name, url = plugin.get("name"), plugin.get("git_url")
        message = f"Plugin skill '{name}' not found at {path}. Run: agent skill install {url}"
        session.logs.append(Log("WARNING", _LOGGER, message))
        why = "the plugin is configured but not installed"
        session.skipped.append(Refused(directory, message, why, "plugin"))
    return candidates


def _plugin_path(session: Session, plugin: dict[str, Any]) -> Path:
    user = session.root("user")
    if plugin.get("installed_path") or user is None:
        return Path(str(plugin.get("installed_path")))
    return user.path / canonical(str(plugin.get("name")))


def _in_root(session: Session, root: ResolvedRoot) -> list[Candidate]:
    """Return the directories of a root that have a SKILL.md; the others are skipped silently."""
    if not exists(root.path):
        return []
    candidates: list[Candidate] = []
    silent: list[Refused] = []
    for directory in children(root.path):
        if not is_directory(directory):
            continue
        file = directory / FILE_NAME
        # `exists` comes first: it raises if the directory cannot be entered.
        if not exists(file):
            silent.append(Refused(directory, None, _NO_FILE, root.role))
        elif not file.is_file():
            silent.append(Refused(directory, None, _NO_REGULAR_FILE, root.role))
        else:
            candidates.append(Candidate(directory, str(directory), root.role))
    session.skipped += silent
    session.logs.append(Log("INFO", _LOGGER, f"Auto-discovered {len(candidates)} {root.role} skills"))
    return candidates


def load(directory: Path, edition: Edition) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whether bundled skills are on or off."""
    candidate = Candidate(directory, str(directory), "")
    try:
        file = directory / FILE_NAME
        if not exists(file) or not file.is_file():
            return Refused(directory, None, _NO_REGULAR_FILE if exists(file) else _NO_FILE)
        return _skill(candidate, *_read(directory, edition))
    except Refusal as refusal:
        return _refused(candidate, refusal)
    except OSError as error:
        return Refused(directory, None, f"nothing else can be loaded: {error}")


def parse(raw: bytes, directory: str | None, dialect: Dialect) -> values.Manifest:
    """Return the fields of a SKILL.md that the runtime reads, and its body; raises `Refusal`."""
    manifest = read(raw, dialect)
    own = {
        "brief": manifest.brief,
        "triggers": manifest.triggers,
        "default_enabled": manifest.default_enabled,
    }
    return values.Manifest(manifest.name, manifest.description, manifest.body, own)


def functions(edition: Edition) -> dict[str, Any]:
    """Return the functions of a `Runtime` that finds and reads skills as this edition does."""
    return {
        "scan": partial(scan, edition=edition),
        "load": partial(load, edition=edition),
        "parse": partial(parse, dialect=edition.dialect),
    }

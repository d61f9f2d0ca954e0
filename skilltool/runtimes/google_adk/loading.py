"""Which skills does google-adk load from a directory, and which file ends the loading of all?

Source: `google/adk/skills/_utils.py` and `tools/skill_toolset.py` of google-adk 2.13.0, and runs of them;
`google/adk/skills/_utils.py` and `models.py` of google-adk 2.13.0, and runs of them;
`google/adk/skills/_utils.py` of google-adk 2.13.0, and runs of it. It reads them all when the skill is
loaded; here one is read when it is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple
from unicodedata import normalize

from skilltool.emulation.pydantic import (
    Check,
    anything,
    error_text,
    keys_that_are_strings,
    model_of,
    optional,
    table_of,
    text,
    validated,
)
from skilltool.emulation.pyyaml import PyYamlError, safe_load
from skilltool.runtimes import values
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import (
    children,
    copy_name,
    decoded,
    exists,
    is_directory,
    is_file_here,
    is_link_here,
    read_bytes,
)
from skilltool.runtimes.values import (
    SILENTLY,
    LoadedSkill,
    LoadingEnded,
    Log,
    Refusal,
    Refused,
    ResolvedRoot,
    not_read,
)
from skilltool.skill import schema
from skilltool.text.frontmatter.nodes import BoundError
from skilltool.text.lazy_pattern import lazy_pattern

_FENCE = "---"
_PYDANTIC = "2.14"
_LIMITS = schema.load("google-adk")["properties"]
LONGEST: dict[str, int] = {
    name: value["maxLength"] for name, value in _LIMITS.items() if "maxLength" in value
}
_NAME = lazy_pattern(r"[a-z0-9]+(?>(?:-[a-z0-9]+)*)\n?")  # Python's `$` also matches before a final line end
_INVALID = "ValueError"
_TOOLS, _TOOLS_WRITTEN = "allowed_tools", "allowed-tools"
INJECT = "adk_inject_state"


class Manifest(NamedTuple):
    """One file: the fields as `load_skill` returns them, own fields of the skill included, and the body."""

    fields: dict[str, Any]
    body: str

    @property
    def name(self) -> str:
        """The name, in Unicode's compatible form (NFKC)."""
        return str(self.fields["name"])

    @property
    def description(self) -> str:
        """The description as it is."""
        return str(self.fields["description"])

    @property
    def own_fields(self) -> dict[str, Any]:
        """The fields that the framework does not know, which it keeps."""
        return {name: value for name, value in self.fields.items() if name not in _FIELDS}


def parse(raw: bytes, directory: str | None) -> values.Manifest:
    """Return the fields that a SKILL.md has, its own ones as `extra`, and the body; raises `Refusal`."""
    manifest = read(raw)
    check_directory(manifest, directory)
    known = {name: _finite(value) for name, value in manifest.fields.items() if name in _FIELDS and value}
    extra = {"extra": _finite(manifest.own_fields)} if manifest.own_fields else {}
    name = known.pop("name", None)
    return values.Manifest(name, manifest.description, manifest.body, known | extra)


def _finite(value: Any, above: tuple[int, ...] = ()) -> Any:
    """Return data with null for what an alias puts into itself."""
    if id(value) in above:
        return None
    inside = (*above, id(value))
    if isinstance(value, dict):
        return {key: _finite(item, inside) for key, item in value.items()}
    return [_finite(item, inside) for item in value] if isinstance(value, list) else value


def check_directory(manifest: Manifest, directory: str | None) -> None:
    """Raise `Refusal` unless the name is that of the directory, where that is known."""
    if directory and manifest.name != directory:
        message = f"Skill name '{manifest.name}' does not match directory name '{directory}'."
        raise Refusal(message, kind=_INVALID)


def read(raw: bytes) -> Manifest:
    """Return what a file says; raises `Refusal` with the framework's own words."""
    try:
        content = decoded(raw)
    except UnicodeDecodeError as error:
        raise Refusal(str(error), kind="UnicodeDecodeError", library=str(error)) from None
    if not content.startswith(_FENCE):
        raise Refusal("SKILL.md must start with YAML frontmatter (---)", kind=_INVALID)
    # Three dashes end the frontmatter wherever they are.
    parts = content.split(_FENCE, 2)
    if len(parts) < 3:
        raise Refusal("SKILL.md frontmatter not properly closed with ---", kind=_INVALID)
    fields = _fields(parts[1])
    problems = keys_that_are_strings(fields)
    found, of_fields = _FRONTMATTER((), fields)
    if of_fields or problems:
        words = error_text("Frontmatter", [*of_fields, *problems], _PYDANTIC)
        raise Refusal(words, kind="ValidationError", library=words)
    # Beside `allowed-tools` the other spelling is a field of the skill's own, which is returned in its place.
    known = _FIELDS - {_TOOLS} if _TOOLS_WRITTEN in fields else _FIELDS
    own = {name: value for name, value in fields.items() if name not in {*known, _TOOLS_WRITTEN}}
    return Manifest(found | own, parts[2].strip())


def _fields(yaml: str) -> dict[Any, Any]:
    try:
        found = safe_load(yaml)
    except BoundError as error:
        raise not_read(error) from None
    except PyYamlError as error:
        if error.is_yaml:
            message = f"Invalid YAML in frontmatter: {error.text}"
            raise Refusal(message, kind=_INVALID, library=error.text) from None
        raise Refusal(error.text, kind=error.kind, library=error.text) from None
    if not isinstance(found, dict):
        raise Refusal("SKILL.md frontmatter must be a YAML mapping", kind=_INVALID)
    return found


def _name_problem(name: str) -> str | None:
    if len(name) > LONGEST["name"]:
        return f"name must be at most {LONGEST['name']} characters"
    if _NAME.fullmatch(name) is None:
        rules = "with no leading, trailing, or consecutive delimiters"
        return f"name must be lowercase kebab-case (a-z, 0-9, hyphens), {rules}"
    return None


def _description_problem(description: str) -> str | None:
    if not description:
        return "description must not be empty"
    length, most = len(description), LONGEST["description"]
    if length > most:
        return f"description must be at most {most} characters. Description length: {length}"
    return None


def _compatibility_problem(value: str | None) -> str | None:
    most = LONGEST["compatibility"]
    too_long = value is not None and len(value) > most
    return f"compatibility must be at most {most} characters" if too_long else None


def _metadata_problem(metadata: dict[str, Any]) -> str | None:
    if not isinstance(metadata.get("adk_additional_tools", []), list):
        return "adk_additional_tools must be a list of strings"
    if not isinstance(metadata.get(INJECT, True), bool):
        return f"{INJECT} must be a bool"
    return None


def _compatible(check: Check) -> Check:
    """Return a check of a name by its compatible form; a problem shows it as it is written."""

    def checked(path: Any, value: Any) -> Any:
        found, problems = validated(check, lambda name: _name_problem(normalize("NFKC", name)))(path, value)
        return found if problems else normalize("NFKC", found), problems

    return checked


_KNOWN: dict[str, tuple[Check, Any]] = {
    "name": (_compatible(text), ...),
    "description": (validated(text, _description_problem), ...),
    "license": (optional(text), None),
    "compatibility": (validated(optional(text), _compatibility_problem), None),
    _TOOLS: (optional(text), None),
    "metadata": (validated(table_of(text, anything), _metadata_problem), {}),
}
_FIELDS = frozenset(_KNOWN)
_FRONTMATTER = model_of("Frontmatter", _KNOWN, {_TOOLS: _TOOLS_WRITTEN})


FOLDERS = ("references/", "assets/", "scripts/")
# Stands for a file that is not UTF-8: its content is sent beside the answer.
BINARY: Final = object()
_COMPILED = "__pycache__"


def resource(skill: LoadedSkill, path: str) -> str | object | None:
    """Return the text of a file, `BINARY`, or None without one; raises `Refusal` if it is not read here."""
    folder, _, name = path.partition("/")
    file = _resource(Path(skill.display_path) / folder, name)
    if file is None:
        return None
    try:
        return decoded(read_bytes(file))
    except UnicodeDecodeError:
        return None if folder == "scripts" else BINARY
    except OSError:
        return None


def _resource(top: Path, name: str) -> Path | None:
    """Return the file with this name: as `rglob` finds it, which enters no linked directory."""
    parts = PurePosixPath(name).parts
    if name != "/".join(parts) or not parts or ".." in parts or "\0" in name or name.startswith("/"):
        return None
    file = top.joinpath(*parts)
    if _COMPILED in file.parts or not is_file_here(file):
        return None
    linked = any(is_link_here(top.joinpath(*parts[:count])) for count in range(1, len(parts)))
    return None if linked else file


FILES = ("SKILL.md", "skill.md")
LISTING = "list_skills_in_dir"
_LOGGER = "root"
_NO_FILE = "FileNotFoundError"

Loader = Callable[[Path], LoadedSkill | Refused]


def scan(session: Session) -> None:
    """Fill a session: whatever is invalid ends the loading, unless the setting `api` says otherwise."""
    loaded = [skill for root in session.roots for skill in _in_root(session, root)]
    _check_names(session, loaded)
    session.skills += loaded


def _in_root(session: Session, root: ResolvedRoot) -> Iterator[LoadedSkill]:
    lenient = session.settings["api"] == LISTING
    if not root.exists:
        _without_root(session, root, lenient)
        return
    only = session.settings["only"]
    try:
        below = [root.path / name for name in only] or children(root.path)
    except OSError as error:
        message = str(error)
        raise _ended(_refused(root.path, message, message, type(error).__name__, root.role)) from None
    for path in (each for each in below if only or not is_file_here(each)):
        outcome = _of_path(path, listed=lenient, named=bool(only))
        if isinstance(outcome, LoadedSkill):
            yield outcome._replace(role=root.role)
            continue
        outcome = outcome._replace(role=root.role)
        if outcome.ends_loading:
            raise _ended(outcome)
        session.skipped.append(outcome)
        if lenient and outcome.message is not None:
            session.logs.append(Log("WARNING", _LOGGER, outcome.message))


def _of_path(path: Path, listed: bool, named: bool) -> LoadedSkill | Refused:
    try:
        if not is_directory(path):
            if named:
                words = f"Skill directory '{os.path.realpath(path)}' not found."
                return _refused(path, words, "it is not a directory", _NO_FILE)
            return Refused(path, None, f"it is not a directory {SILENTLY}")
    except OSError as error:
        return _refused(path, str(error), f"it cannot be entered: {error.strerror}", type(error).__name__)
    return listing_entry(path) if listed else _loaded(path, named)


def _without_root(session: Session, root: ResolvedRoot, lenient: bool) -> None:
    real = os.path.realpath(root.path)
    if lenient:
        session.logs.append(Log("WARNING", _LOGGER, f"Skills base path '{real}' is not a directory."))
        return
    if os.path.lexists(root.path):
        words, kind = f"'{real}' is not a directory.", "ValueError"
    else:
        words, kind = f"Skills directory '{real}' does not exist.", _NO_FILE
    raise _ended(_refused(root.path, words, words, kind, root.role))


def _ended(refused: Refused) -> LoadingEnded:
    return LoadingEnded(refused.message, refused)


def _check_names(session: Session, loaded: list[LoadedSkill]) -> None:
    """Raise `LoadingEnded` if two skills have one name."""
    first: dict[str, LoadedSkill] = {}
    for skill in loaded:
        other = first.setdefault(skill.key, skill)
        if other is not skill and session.settings["api"] != LISTING:
            why = f"{copy_name(session, other)} has the same name; one toolset takes a name once"
            words = f"Duplicate skill name '{skill.name}'."
            raise _ended(_refused(skill.directory, words, why, "ValueError", skill.role))


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory when a whole directory of skills is loaded."""
    return _loaded(directory, named=False)


def _loaded(directory: Path, named: bool) -> LoadedSkill | Refused:
    """Return the skill of a directory, with links resolved; `named` if it was asked for by its name."""
    real = Path(os.path.realpath(directory))
    try:
        file = _skill_file(real)
        if file is None:
            if not named:
                return Refused(directory, None, f"it has no SKILL.md {SILENTLY}")
            return _refused(directory, _without_file(real), "it has no SKILL.md", _NO_FILE)
        manifest = read(read_bytes(file))
        check_directory(manifest, real.name)
    except Refusal as refusal:
        return _of_refusal(directory, refusal)
    except OSError as error:
        why = f"SKILL.md cannot be read: {error.strerror}"
        return _refused(directory, str(error), why, type(error).__name__)
    return _skill(manifest, directory, str(real))


def listing_entry(directory: Path) -> LoadedSkill | Refused:
    """Return what `list_skills_in_dir` makes of a directory: it logs what is invalid, and goes on."""
    real = Path(os.path.realpath(directory))
    try:
        file = _skill_file(real)
        if file is None:
            raise Refusal(_without_file(real), "it has no SKILL.md", kind=_NO_FILE)
        manifest = read(read_bytes(file))
        check_directory(manifest, directory.name)
    except Refusal as refusal:
        refused = _of_refusal(directory, refusal)
        base = os.path.realpath(directory.parent)
        begin = f"Skipping invalid skill '{directory.name}' in directory '{base}': "
        message = None if refusal.message is None else begin + refusal.message
        return refused._replace(message=message, ends_loading=False)
    except OSError as error:
        why = f"SKILL.md cannot be read: {error.strerror}"
        return _refused(directory, str(error), why, type(error).__name__)
    return _skill(manifest, directory, str(directory))


def _skill_file(directory: Path) -> Path | None:
    return next((directory / name for name in FILES if exists(directory / name)), None)


def _without_file(real: Path) -> str:
    return f"SKILL.md not found in '{real}'."


def _skill(manifest: Manifest, directory: Path, display_path: str) -> LoadedSkill:
    return LoadedSkill(
        manifest.name,
        manifest.name,
        manifest.description,
        directory,
        manifest.body,
        "",
        display_path,
        details=manifest,
    )


def _of_refusal(directory: Path, refusal: Refusal) -> Refused:
    ends = refusal.message is not None  # else it is skilltool that does not read it
    return Refused(
        directory, refusal.message, refusal.why, "", refusal.kind, refusal.library, ends_loading=ends
    )


def _refused(directory: Path, message: str, why: str, kind: str, role: str = "") -> Refused:
    return Refused(directory, message, why, role, kind, ends_loading=True)

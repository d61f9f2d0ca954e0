"""Agent Framework: directories that the developer names, searched two levels deep; three tools.

Source: `yaml.compose` with PyYAML's safe loader; `agent_framework/_skills.py` of agent-framework-core
1.23.0, and runs of it; `agent_framework/_skills.py` of agent-framework-core 1.23.0, and requests; requests
of agent-framework-core 1.23.0 with agent-framework-openai 1.17.0; `agent_framework/_skills.py` and
`_tools.py` of agent-framework-core 1.23.0; requests after scripted calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from html import escape
from pathlib import Path, PurePosixPath
from string import Formatter
from typing import Any, NamedTuple

import yaml

from skilltool.emulation.pyyaml import PyYamlError, composed, is_common, tag_of
from skilltool.findings.finding import Severity
from skilltool.runtimes import values
from skilltool.runtimes.base import Runtime, Session, Setting
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.loading import (
    children,
    decoded,
    first_wins,
    is_directory_here,
    is_file_here,
    is_link_here,
    read_bytes,
)
from skilltool.runtimes.values import (
    LoadedSkill,
    Log,
    Refusal,
    Refused,
    Result,
    not_read,
    unlistable_root,
    without_skill_file,
)
from skilltool.skill import schema
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import Alias, BoundError, Node, Scalar
from skilltool.text.frontmatter.nodes import Mapping as YamlMapping
from skilltool.text.lazy_pattern import lazy_pattern

_TAG = "tag:yaml.org,2002:"
_TEXT_TAGS = frozenset(_TAG + kind for kind in ("str", "bool", "int", "float", "timestamp"))
_SURROGATE = lazy_pattern("[\ud800-\udfff]")


class Value(NamedTuple):
    """A node: its `text` if it counts as text, its `entries` if it is a plain mapping; `null` for null."""

    text: str | None = None
    entries: tuple[tuple[Value, Value], ...] | None = None
    null: bool = False


def read_nodes(yaml_text: str) -> Value:
    """Return the tree of a YAML text; nothing at all counts as neither text nor mapping.

    Below the second level mappings have no entries. Raises `PyYamlError` and `BoundError`.
    """
    if is_common(yaml_text):
        with suppress(Exception):  # PyYAML refuses it, too, and says why
            return _of_common(compose(yaml_text).root, depth=2)
    error = composed(yaml_text)
    if isinstance(error, BoundError):
        raise BoundError(error.problem, error.start)
    if isinstance(error, Exception):
        raise PyYamlError(error)
    return _of_node(error, depth=2)


def _of_common(node: Node | None, depth: int) -> Value:
    if isinstance(node, Alias):
        raise ValueError(node.name)
    if isinstance(node, Scalar):
        return _scalar(tag_of(node.text, bool(node.style)), node.text)
    if isinstance(node, YamlMapping):
        below = node.entries if depth else ()
        return Value(entries=_entries((_of_common(k, 0), _of_common(v, depth - 1)) for k, v in below))
    return Value()


def _of_node(node: yaml.Node | None, depth: int) -> Value:
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node.tag, node.value)
    if isinstance(node, yaml.MappingNode) and node.tag == f"{_TAG}map":
        below = node.value if depth else ()
        return Value(entries=_entries((_of_node(k, 0), _of_node(v, depth - 1)) for k, v in below))
    return Value()


def _entries(pairs: Iterable[tuple[Value, Value]]) -> tuple[tuple[Value, Value], ...]:
    return tuple(pairs)


def _scalar(tag: str, text: str) -> Value:
    is_text = tag in _TEXT_TAGS and _SURROGATE.search(text) is None
    return Value(text if is_text else None, null=tag == f"{_TAG}null")


_LIMITS = schema.load("agent-framework")["properties"]
LONGEST: dict[str, int] = {
    name: value["maxLength"] for name, value in _LIMITS.items() if "maxLength" in value
}
_METADATA = "metadata"
_ORDER = ("name", "description", "license", "compatibility", "allowed-tools")
_FIELDS = frozenset({*_ORDER, _METADATA})
_OPEN = lazy_pattern(r"\ufeff?---[ \t]*+\n")
_CLOSE = lazy_pattern(r"^---[ \t]*+$", re.MULTILINE)
_NAME = lazy_pattern(
    r"[a-z0-9]++(?>(?:-[a-z0-9]++)*)\n?"
)  # Python's `$` also matches before a final line end
_RULES = (
    "using only lowercase letters, numbers, and hyphens, and must not start or end with a hyphen or contain "
    "consecutive hyphens."
)
NOT_UTF_8 = "UnicodeDecodeError"


class Manifest(NamedTuple):
    """One file: its whole text, its fields as text by their Python names, and the warnings about metadata."""

    content: str
    fields: dict[str, Any]
    warnings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name, which is that of the directory."""
        return str(self.fields["name"])

    @property
    def description(self) -> str:
        """The description as it is."""
        return str(self.fields["description"])


def parse(raw: bytes, directory: str | None) -> values.Manifest:
    """Return the fields of a SKILL.md, and its whole text as the body; raises `Refusal`."""
    manifest = read(raw, Path(directory or "") / FILE_NAME, directory)
    warnings = {"warnings": list(manifest.warnings)} if manifest.warnings else {}
    fields = manifest.fields
    return values.Manifest(
        fields.get("name"), fields.get("description"), manifest.content, {**fields, **warnings}
    )


def read(raw: bytes, file: Path, directory: str | None) -> Manifest:
    """Return what a file says; raises `Refusal` with the framework's own words, which name the `file`."""
    try:
        content = decoded(raw)
    except UnicodeDecodeError as error:
        raise Refusal(str(error), kind=NOT_UTF_8, library=str(error)) from None
    at = f"SKILL.md at '{file}'"
    begin = _OPEN.match(content)
    end = begin and _CLOSE.search(content, begin.end())
    if begin is None or end is None:
        raise Refusal(f"{at} does not contain valid YAML frontmatter delimited by '---'", _no_fence(content))
    fields, metadata = _fields(content[begin.end() : end.start()], at)
    if problem := _problem(fields, file):
        raise problem
    if directory and fields["name"] != directory:
        words = f"that does not match the directory name '{directory}'; skipping."
        raise Refusal(f"{at} has frontmatter name '{fields['name']}' {words}")
    found, warnings = _metadata(metadata, at)
    named = {name.replace("-", "_"): fields[name] for name in _ORDER if name in fields}
    return Manifest(content, named | ({} if found is None else {_METADATA: found}), tuple(warnings))


def _no_fence(content: str) -> str:
    if _OPEN.match(content) is None:
        return "the file does not begin with a line `---`"
    return "the frontmatter is not closed by a line `---`"


def _fields(yaml: str, at: str) -> tuple[dict[str, str], Value | None]:
    """Return the fields that are text, and the metadata."""
    try:
        root = read_nodes(yaml)
    except BoundError as error:
        raise not_read(error) from None
    except PyYamlError as error:
        if not error.is_yaml and error.kind not in ("ValueError", "OverflowError"):
            raise Refusal(error.text, kind=error.kind, library=error.text) from None
        message = f"{at} contains invalid YAML frontmatter: {error.text}"
        raise Refusal(message, f"the YAML is invalid: {error.text}", library=error.text) from None
    if root.entries is None:
        raise Refusal(f"{at} must contain a YAML frontmatter mapping", "the frontmatter is not a mapping")
    found: dict[str, str] = {}
    metadata: Value | None = None
    seen: set[str] = set()
    for key, value in root.entries:
        name = key.text
        if name is None:
            raise Refusal(f"{at} has an invalid frontmatter property name", "a key is not text")
        if name.lower() not in _FIELDS:
            continue
        if name not in _FIELDS:
            words = f"uses incorrectly cased frontmatter field '{name}'; expected '{name.lower()}'"
            raise Refusal(f"{at} {words}")
        if name in seen:
            raise Refusal(f"{at} contains duplicate frontmatter field '{name}'")
        seen.add(name)
        if name == _METADATA:
            metadata = value
        elif value.text is not None:
            found[name] = value.text
        elif not value.null:
            raise Refusal(f"{at} has an invalid '{name}' value; expected a text scalar")
    return found, metadata


def _problem(fields: dict[str, str], file: Path) -> Refusal | None:
    """Return what is wrong with the length or the form of a field."""
    name, description = fields.get("name", ""), fields.get("description", "")
    if not name.strip():
        return Refusal(f"Skill from '{file}' is missing a name.", "`name` is missing, null or blank")
    if len(name) > LONGEST["name"] or _NAME.fullmatch(name) is None:
        words = f"Must be {LONGEST['name']} characters or fewer, {_RULES}"
        return Refusal(f"Skill from '{file}' has an invalid name '{name}': {words}")
    skill = f"Skill '{name}' from '{file}'"
    if not description.strip():
        return Refusal(f"{skill} is missing a description.", "`description` is missing, null or blank")
    for field in ("description", "compatibility"):
        if len(fields.get(field, "")) > LONGEST[field]:
            return Refusal(f"{skill} has an invalid {field}: Must be {LONGEST[field]} characters or fewer.")
    return None


def _metadata(value: Value | None, at: str) -> tuple[dict[str, str] | None, list[str]]:
    """Return the entries of the metadata that are text, and warnings about the others."""
    if value is None or value.null:
        return None, []
    if value.entries is None:
        return None, [f"{at} has invalid metadata; expected a mapping"]
    found: dict[str, str] = {}
    warnings = []
    for key, item in value.entries:
        if key.text is None:
            warnings.append(f"{at} has an invalid metadata key; skipping entry")
        elif key.text in found:
            warnings.append(f"{at} contains duplicate metadata key '{key.text}'; keeping the first value")
        elif item.text is None:
            words = "expected a text scalar; skipping entry"
            warnings.append(f"{at} has an invalid metadata value for '{key.text}'; {words}")
        else:
            found[key.text] = item.text
    return found, warnings


_SUFFIXES = {
    "resource": frozenset({".md", ".json", ".yaml", ".yml", ".csv", ".xml", ".txt"}),
    "script": frozenset({".py"}),
}
_LINK = "symbolic link or reparse point detected in path under skill directory"
_MOST_ENTRIES = 20_000


class Files(NamedTuple):
    """The paths of files under a skill with `/`, sorted, and what is logged about others."""

    resources: tuple[str, ...]
    scripts: tuple[str, ...]
    warnings: tuple[str, ...]


def files_of(directory: Path, depth: int) -> Files:
    """Return the files of a skill down to `depth`: 1 is the directory itself.

    Raises `Refusal` where the framework ends: it loses the file of a name with a backslash.
    """
    found: dict[str, list[str]] = {}
    warnings: list[str] = []
    for kind in _SUFFIXES:
        paths = found[kind] = []
        for path, warning in _walk(directory, directory, kind, depth):
            if warning is not None:
                warnings.append(warning)
            else:
                paths.append(path.relative_to(directory).as_posix().replace("\\", "/"))
        paths.sort()
    for name in found["resource"]:
        if not is_file_here(directory / name):
            raise Refusal(
                f"Resource file '{name}' not found in skill directory '{directory}'.", kind="ValueError"
            )
    return Files(tuple(found["resource"]), tuple(found["script"]), tuple(warnings))


def _walk(directory: Path, top: Path, kind: str, depth: int) -> Iterator[tuple[Path, str | None]]:
    """Yield the files of a kind, and with a warning what is passed over."""
    try:
        entries = children(directory)[:_MOST_ENTRIES]
    except OSError:
        where = f"{kind} directory '{directory}' in skill directory '{top}'"
        yield directory, f"Failed to list {where}; skipping."
        return
    below = []
    for entry in entries:
        if is_directory_here(entry):
            below.append(entry)
        elif is_file_here(entry) and _counts(entry, kind):
            yield entry, f"Skipping {kind} '{entry}': {_LINK} '{top}'" if is_link_here(entry) else None
    for entry in below if depth > 1 else ():
        if is_link_here(entry):
            yield entry, f"Skipping {kind} directory '{entry}': {_LINK} '{top}'"
        else:
            yield from _walk(entry, top, kind, depth - 1)


def _counts(file: Path, kind: str) -> bool:
    is_skill = kind == "resource" and file.name.upper() == FILE_NAME.upper()
    return not is_skill and PurePosixPath(file.name).suffix.lower() in _SUFFIXES[kind]


_LOGGER = "agent_framework._skills"
_DEEPEST = 2
_LINKED = "a link under a root is not followed"
_ENDS = "one SKILL.md that is not UTF-8 ends the run of the agent"


class _Found(NamedTuple):
    """A directory with a SKILL.md, or one that is passed over: then with the warning, None if silent."""

    directory: Path
    role: str
    skipped: bool = False
    warning: str | None = None


class Details(NamedTuple):
    """What only the framework knows of a skill: its manifest, and the files for the model to read or run."""

    manifest: Manifest
    files: Files = Files((), (), ())


def scan(session: Session) -> None:
    """Fill a session: every directory is looked for first, then each file is read; the first copy wins."""
    found = [each for root in session.roots for each in _in_root(session, root.path, root.role)]
    for each in found:
        if each.warning is not None:
            session.logs.append(Log("WARNING", _LOGGER, each.warning))
        if each.skipped:
            session.skipped.append(_passed_over(each))
    for each in found:
        if not each.skipped and not _read(session, each):
            session.skills.clear()
            return
    if session.skills:
        session.failure = template_problem(session.settings["instruction_template"])


def _read(session: Session, found: _Found) -> bool:
    """Add the skill of a directory, or what is wrong with it; return whether the loading goes on."""
    outcome = load(found.directory)
    if isinstance(outcome, Refused):
        return _refused(session, outcome._replace(role=found.role))
    skill = outcome._replace(role=found.role)
    for warning in skill.known_as(Details).manifest.warnings:
        session.logs.append(Log("WARNING", _LOGGER, warning))
    first = session.find(skill.key)
    if first is not None:
        words = f"skill from '{skill.directory}' skipped in favor of existing skill"
        session.logs.append(Log("WARNING", _LOGGER, f"Duplicate skill name '{skill.name}': {words}"))
        session.shadowed.append(first_wins(session, first, skill))
        return True
    try:
        files = files_of(skill.directory, session.settings["search_depth"])
    except Refusal as refusal:
        return _refused(session, _of_refusal(skill.directory, refusal, ends=True)._replace(role=found.role))
    session.logs += [Log("WARNING", _LOGGER, warning) for warning in files.warnings]
    session.skills.append(skill._replace(details=skill.known_as(Details)._replace(files=files)))
    return True


def _refused(session: Session, refused: Refused) -> bool:
    session.skipped.append(refused)
    if refused.ends_loading:
        session.failure = refused.message
        return False
    if refused.message is not None:
        session.logs.append(Log("ERROR", _LOGGER, refused.message))
    return True


def _in_root(session: Session, root: Path, role: str) -> Iterator[_Found]:
    if not is_directory_here(root):
        return
    try:
        children(root)
    except OSError as error:
        unlistable = next(resolved_root for resolved_root in session.roots if resolved_root.role == role)
        session.skipped.append(unlistable_root(unlistable, error))
        return
    yield from _below(root, role, 0)


def _below(directory: Path, role: str, depth: int) -> Iterator[_Found]:
    """Yield the skills in a directory, which may be one itself, and what is passed over in it."""
    file = directory / FILE_NAME
    if is_file_here(file):
        linked = is_link_here(file)
        yield _Found(directory, role, linked, _linked_file(directory) if linked else None)
        return
    if depth >= _DEEPEST:
        if depth:
            yield _Found(directory, role, skipped=True)
        return
    try:
        entries = children(directory)[:_MOST_ENTRIES]
    except OSError:
        return
    found = []
    for entry in entries:
        if is_link_here(entry):
            words = "symbolic link or reparse point detected, or the entry could not be inspected"
            found.append(_Found(entry, role, True, f"Skipping discovery entry '{entry}': {words}"))
        elif is_directory_here(entry):
            found += _below(entry, role, depth + 1)
    if depth and not any(not each.skipped for each in found):
        yield _Found(directory, role, skipped=True)
    yield from found


def _linked_file(directory: Path) -> str:
    words = "is a symbolic link or reparse point, or could not be inspected"
    return f"Skipping skill directory '{directory}': '{FILE_NAME}' {words}"


def _passed_over(found: _Found) -> Refused:
    if found.warning is None:
        return without_skill_file(found.directory, found.role)
    return Refused(found.directory, found.warning, _LINKED, found.role)


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, of which no part under the root is a link."""
    file = directory / FILE_NAME
    try:
        if not is_file_here(file):
            return without_skill_file(directory)
        if is_link_here(file):
            return Refused(
                directory, _linked_file(directory), f"{FILE_NAME} is a link, which is not followed"
            )
        manifest = read(read_bytes(file), file, directory.name)
    except OSError as error:
        why = f"{FILE_NAME} cannot be read: {error.strerror}"
        return Refused(directory, f"Failed to read SKILL.md at '{file}'", why)
    except Refusal as refusal:
        ends = refusal.kind == NOT_UTF_8
        why = _ENDS if ends else refusal.why
        return Refused(directory, refusal.message, why, "", refusal.kind, refusal.library, ends_loading=ends)
    return LoadedSkill(
        manifest.name,
        manifest.name,
        manifest.description,
        directory,
        manifest.content,
        "",
        str(directory),
        details=Details(manifest),
    )


def _of_refusal(directory: Path, refusal: Refusal, ends: bool) -> Refused:
    why = _ENDS if refusal.kind == NOT_UTF_8 else refusal.why
    return Refused(directory, refusal.message, why, "", refusal.kind, refusal.library, ends_loading=ends)


_BEFORE = fixed_text(180, "e8da725db587e2da1931da9460befe185aaf10b35e4db3793453f9a204be291d")
_AFTER = fixed_text(802, "746267854d9ad94681be0948a3a476d13b3ecab840662293ee091a85003fbf08")
_OF_RESOURCES = fixed_text(183, "e1aaf9e927320e575843aae953261dee2934ada3f8e93d5063f3ab492dda10b4")
_OF_SCRIPTS = fixed_text(405, "23ce85b484373bafacb804ca41affb3b65b534dc44865521e91a2bbde7f68d6b")
_SKILLS = "skills"
_INVALID = (
    "The provided instruction_template is not a valid format string. It must contain a '{skills}' "
    "placeholder and escape any literal '{' or '}' by doubling them ('{{' or '}}')."
)
_WITHOUT = "The provided instruction_template must contain a '{skills}' placeholder."


def instructions(listing: str, template: str) -> str:
    """Return the instructions with the listing in them, in the framework's own words without a template."""
    if not template:
        return f"{_BEFORE}<available_skills>\n{listing}\n</available_skills>{_AFTER}"
    return _filled(template, {_SKILLS: listing, **_OTHERS})


def template_problem(template: str) -> str | None:
    """Return the error for a template of the developer's own, None if it can be filled."""
    if not template:
        return None
    try:
        parts = list(_parts(template))
    except ValueError:
        return _INVALID
    return None if any(name == _SKILLS for _, name in parts) else _WITHOUT


_OTHERS = {"runner_instructions": _OF_SCRIPTS, "resource_instructions": _OF_RESOURCES}


def _parts(template: str) -> list[tuple[str, str | None]]:
    """Return texts and the placeholder after each; raises ValueError for anything but the three names.

    Python's formats, such as `{skills:>9}`, are refused as well: they could fill the memory.
    """
    parts = []
    for text, name, form, conversion in Formatter().parse(template):
        if name is not None and (form or conversion or name not in (_SKILLS, *_OTHERS)):
            raise ValueError(name)
        parts.append((text, name))
    return parts


def _filled(template: str, values: Mapping[str, str]) -> str:
    return "".join(text + (values[name] if name is not None else "") for text, name in _parts(template))


LOAD, RESOURCE, SCRIPT = "load_skill", "read_skill_resource", "run_skill_script"


@cache
def _facts() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return found


def catalog(session: Session) -> str | None:
    """Return the listing, sorted by name; None without skills.

    In a template of the developer's own the element around it is missing.
    """
    if session.failure is not None or not session.skills:
        return None
    elements = _elements(session)
    if session.settings["instruction_template"]:
        return elements
    return f"<available_skills>\n{elements}\n</available_skills>"


def _elements(session: Session) -> str:
    lines = []
    for skill in sorted(session.skills, key=lambda loaded: loaded.name):
        name, description = escape(skill.name), escape(skill.description)
        lines += ["  <skill>", f"    <name>{name}</name>", f"    <description>{description}</description>"]
        lines.append("  </skill>")
    return "\n".join(lines)


def prompt(session: Session) -> str | None:
    """Return the instructions that skills add, None without skills."""
    if catalog(session) is None:
        return None
    return instructions(_elements(session), session.settings["instruction_template"])


def tools(session: Session) -> dict[str, dict[str, Any]]:
    """Return the definition of each tool by its name: three, or none without skills."""
    if catalog(session) is None:
        return {}
    return {name: {"type": "function", "function": value} for name, value in _facts()["tools"].items()}


def tool(session: Session) -> dict[str, Any] | None:
    """Return the definition of the tool that loads a skill."""
    return tools(session).get(LOAD)


APPROVAL = "the turn ends with a request for approval"
_FAILED = "Error: Function failed."
_PARSING = "Error: Argument parsing failed."
_RUN = "what the runner of the application returns is not known"
_SCHEMA = '    <parameters_schema>{"type": "array", "items": {"type": "string"}}</parameters_schema>'
# The text parameters of each tool: all are required.
_TEXTS = {
    LOAD: ("skill_name",),
    RESOURCE: ("skill_name", "resource_name"),
    SCRIPT: ("skill_name", "script_name"),
}


def call(session: Session, arguments: Mapping[str, Any] | str, tool_name: str | None = None) -> Result:
    """Answer a call by its arguments, or by their text as the model wrote it."""
    if session.failure is not None:
        return Result(None, is_error=True, flow_error=session.failure)
    name = tool_name or LOAD
    if name not in tools(session):
        return _error(f'Error: Requested function "{name}" not found.')
    if session.settings["approval"]:
        return Result(None, flow_error=APPROVAL)
    given = _checked(name, arguments)
    if given is None:
        return _error(_PARSING)
    texts = [given[key] for key in _TEXTS[name]]
    for kind, text in zip(("Skill", name.rpartition("_")[2].capitalize()), texts, strict=False):
        if not text.strip():
            return _error(f"Error: {kind} name cannot be empty.")
    skill = session.find(texts[0].lower())
    if skill is None:
        return _error(f"Error: Skill '{texts[0]}' not found.")
    if name == LOAD:
        return Result(loaded_text(skill))
    if name == RESOURCE:
        return _resource(skill, texts[1])
    return _script(session, skill, texts[1], given.get("args"))


def _checked(name: str, arguments: Mapping[str, Any] | str) -> Mapping[str, Any] | None:
    """Return the arguments, None if they are refused: only the types of texts are looked at."""
    try:
        given = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        return None
    known = {*_TEXTS[name], *(("args",) if name == SCRIPT else ())}
    if not isinstance(given, Mapping) or set(given) - known:
        return None
    return given if all(isinstance(given.get(key), str) for key in _TEXTS[name]) else None


def loaded_text(skill: LoadedSkill) -> str:
    """Return what `load_skill` answers: the whole file, and the files that belong to it."""
    files = skill.known_as(Details).files
    resources = [f'  <resource name="{escape(name)}"/>' for name in files.resources]
    scripts = [f'  <script name="{escape(name)}">\n{_SCHEMA}\n  </script>' for name in files.scripts]
    return f"{skill.body}\n\n{_block('resources', resources)}\n\n{_block('scripts', scripts)}"


def _block(kind: str, elements: list[str]) -> str:
    if not elements:
        return f"<available_{kind} />"
    return "\n".join([f"<available_{kind}>", *elements, f"</available_{kind}>"])


def _resource(skill: LoadedSkill, name: str) -> Result:
    found = _named(skill.known_as(Details).files.resources, name)
    if found is None:
        return _error(f"Error: Resource '{name}' not found in skill '{skill.name}'.")
    file = skill.directory / found
    if any(is_link_here(path) for path in (file, *file.parents) if path.is_relative_to(skill.directory)):
        return _error(_FAILED)
    try:
        return Result(decoded(read_bytes(file)))
    except Refusal as refusal:
        return Result(None, is_error=True, flow_error=refusal.why)
    except (OSError, UnicodeDecodeError):
        return _error(_FAILED)


def _script(session: Session, skill: LoadedSkill, name: str, arguments: Any) -> Result:
    found = _named(skill.known_as(Details).files.scripts, name)
    if found is None:
        return _error(f"Error: Script '{name}' not found in skill '{skill.name}'.")
    if not session.settings["runner"]:
        return _error(_FAILED)
    run = {"skill": skill.name, "script": found, "args": arguments}
    return Result(None, flow_error=_RUN, metadata=run)


def _named(names: tuple[str, ...], name: str) -> str | None:
    """Return the first of `names` that equals `name` in lower case."""
    return next((each for each in names if each.lower() == name.lower()), None)


def _error(words: str) -> Result:
    return Result(words, is_error=True)


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return the whole file, and the files that belong to it."""
    return loaded_text(skill)


_SETTINGS = {
    "search_depth": Setting(
        default=2,
        about="number of levels that are searched for resources and scripts; 1 means only the "
        "skill's own directory",
    ),
    "instruction_template": Setting(
        default="", about="the instructions, with `{skills}` for the listing; empty means the framework's own"
    ),
    "runner": Setting(default=False, about="whether the application runs scripts"),
    "approval": Setting(
        default=False,
        about="whether each tool call waits for approval, which ends the turn",
        differs_from_runtime=True,
    ),
}
_FACTS = {
    "key": "the name in the frontmatter, which must match the directory's name; calls are case-insensitive",
    "duplicates": "the first copy wins, and the others cause a warning; skills directories are searched in "
    "the order given, and their subdirectories by name",
    "parser": "PyYAML (syntax tree only) between a `---` line and the next one. Every scalar is read as a "
    "string, except null, which counts as missing. A skill is rejected if a field other than `metadata` is a "
    "list or a mapping, or if any field occurs twice or is spelled with capital letters",
    "arguments": "none",
    "tool": "`load_skill` returns the whole file and lists the skill's resources and scripts by name; "
    "`read_skill_resource` and `run_skill_script` accept these names",
    "loading": "the listing is in the instructions, sorted by name; if there are no skills, no tools are "
    "offered",
    "depth": "skills are found in the skills directory itself and one or two levels below it, but not inside "
    "another skill",
    "links": "links inside a skills directory are not followed; a `SKILL.md` that is a link is "
    "skipped, with a warning",
    "failure": "a single `SKILL.md` that is not UTF-8, even if only in its body, aborts the agent's run",
    "approval": "by default, each call waits for approval; skilltool shows the result of approved calls",
}

AGENT_FRAMEWORK_1_23_0 = Runtime(
    id="agent-framework@1.23.0",
    title="Agent Framework 1.23.0 (Python)",
    docs="requests from agent-framework-core 1.23.0 (PyPI) to a loopback model server; the "
    "package's functions and source code",
    verified="2026-11-21, wire: 217 recorded cases",
    evidence="wire",
    schema="agent-framework",
    any_roots=True,
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(
            ("roots", "key", "duplicates", "parser", "limits", "depth", "links", "failure"),
            "agent_framework/_skills.py, confirmed by running it",
        ),
        **dict.fromkeys(("arguments", "tool", "loading", "approval"), "recorded requests"),
    },
    parameter="skill_name",
    severities={"name-directory-mismatch": Severity.ERROR},
    scan=scan,
    load=load,
    parse=parse,
    catalog=catalog,
    prompt=prompt,
    tool=tool,
    call=call,
    content=content,
)

AGENT_FRAMEWORK = AGENT_FRAMEWORK_1_23_0._replace(id="agent-framework", title="Agent Framework (Python)")

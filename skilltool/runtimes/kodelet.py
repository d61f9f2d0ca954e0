"""kodelet: a Go agent. Skills in `.kodelet/skills`, listed in the description of the tool `skill`.

`skills.enabled` and `skills.allowed` in `~/.kodelet/config.yaml` and in `kodelet-config.yaml` of the working
directory, which overrides it key by key.

Source: document 004, "Configuration"; `cmd/kodelet/main.go`, `pkg/llm/config.go` and
`pkg/types/llm/config.go` at the commits named in the profile. They read with viper: yaml.v3, keys in any
case, values converted as mapstructure does; document 004; `pkg/skills/discovery.go` and `pkg/plugins` of
kodelet at the commits named in the profile; goldmark-meta 1.1.0 for the frontmatter; document 004, "2.
Skill Tool"; `pkg/tools/skill.go` of kodelet at the commits named in the profile.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from skilltool.emulation import go_yaml_v2
from skilltool.emulation.go import decoded, go_error, replaced
from skilltool.emulation.go_json import GoJsonError, Number, Pairs, loads
from skilltool.emulation.go_yaml import compose, targets
from skilltool.runtimes.base import Root, Runtime, Session, Setting
from skilltool.runtimes.config_files import apply, ignore, text_of
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.loading import (
    TOO_LARGE,
    children,
    first_wins,
    is_directory_entry,
    is_real_directory,
    names,
    read_bytes,
)
from skilltool.runtimes.values import (
    SILENTLY,
    LoadedSkill,
    Manifest,
    Refusal,
    Refused,
    ResolvedRoot,
    Result,
    not_read,
    without_skill_file,
)
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError, Node, Scalar, Sequence, YamlError
from skilltool.text.frontmatter.nodes import Mapping as YamlMapping
from skilltool.text.lazy_pattern import lazy_pattern

# Go's strconv.ParseBool; an empty string is false for mapstructure.
_TRUE = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_FALSE = frozenset({"0", "f", "F", "false", "FALSE", "False", ""})


def read_config(session: Session, section_enables: bool) -> None:
    """Take `enabled` and `allowed` from the files, the user's first, but for what was chosen for the session.

    `section_enables`: a section `skills` without `enabled` leaves skills enabled; else it disables them.
    """
    files = [session.project / "kodelet-config.yaml"]
    if session.settings["user_settings"]:
        files.insert(0, session.home / ".kodelet" / "config.yaml")
    found: dict[str, Any] = {}
    sections = [entries for file in files if (entries := _section(session, file))]
    for entries in sections:
        found |= entries
    if sections and not section_enables:
        found.setdefault("enabled", False)
    apply(session, {name: value for name, value in found.items() if name in ("enabled", "allowed")})


def _section(session: Session, file: Path) -> dict[str, Any]:
    """Return what is under `skills` in a file, keys in lower case; values that are null count as absent."""
    text = text_of(session, file)
    if text is None:
        return {}
    try:
        root = compose(text, reads_ahead=True)
        aliased = targets(root) if root is not None else {}
    except YamlError:
        ignore(session, file, "it is not valid YAML")
        return {}

    def entries(node: Node) -> Iterator[tuple[str, Node]]:
        for key, value in node.entries if isinstance(node, YamlMapping) else ():
            value = aliased.get(id(value), value)
            if isinstance(key, Scalar) and not (isinstance(value, Scalar) and value.value is None):
                yield key.text.lower(), value

    if root is not None and not isinstance(root, YamlMapping):
        ignore(session, file, "it is not a mapping")
        return {}
    found: dict[str, Any] = {}
    section = dict(entries(root)).get("skills") if root is not None else None
    if section is not None and not isinstance(section, YamlMapping):
        ignore(session, file, "`skills` is not a mapping")
    for key, value in entries(section) if section is not None else ():
        found[key] = None
        if key == "enabled":
            found[key] = _boolean(value)
        elif key == "allowed":
            items = value.items if isinstance(value, Sequence) else ()
            found[key] = _names(value, [aliased.get(id(item), item) for item in items])
        if key in ("enabled", "allowed") and found[key] is None:
            ignore(
                session,
                file,
                f"`skills.{key}` is not {'a boolean' if key == 'enabled' else 'a list of names'}",
            )
            del found[key]
    return found


def _boolean(node: Node) -> bool | None:
    """Return a value as the boolean that mapstructure makes of it, None if it makes none."""
    if not isinstance(node, Scalar):
        return None
    value = node.value
    if isinstance(value, int | float):
        return bool(value)
    return True if node.text in _TRUE else False if node.text in _FALSE else None


def _names(node: Node, items: list[Node]) -> list[str] | None:
    """Return a list of names, or the names in one text with commas; None for anything else."""
    if isinstance(node, Scalar):
        return node.text.split(",") if node.text else []
    if not isinstance(node, Sequence) or not all(isinstance(item, Scalar) for item in items):
        return None
    return [item.text for item in items if isinstance(item, Scalar)]


# Go's strings.TrimSpace; util.TrimLeftSpace and TrimRightSpace of goldmark know ASCII only.
_GO_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_MARKER = lazy_pattern(rf"[{_GO_SPACE}]*---[{_GO_SPACE}]*")
_GOLDMARK_SPACE = " \t\n\v\f\r"


def parse(raw: bytes, directory: str | None = None) -> Manifest:
    """Return name, description and body of a SKILL.md; raises `Refusal`, always without a message."""
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    text = decoded(raw)
    block = _frontmatter(text)
    if block is None:
        raise Refusal(None, f"the first line is not a line of dashes {SILENTLY}")
    try:
        values = go_yaml_v2.strings(block) or {}
    except BoundError as error:
        raise not_read(error) from None
    except YamlError as error:
        raise Refusal(None, f"the frontmatter is not valid YAML: {error.problem} {SILENTLY}") from None
    for field in ("name", "description"):
        if not values.get(field):
            raise Refusal(None, f"`{field}` is missing, empty or not a string {SILENTLY}")
    return Manifest(values["name"], values["description"], replaced(body(text)).lstrip("\n"))


def parse_exact(raw: bytes, directory: str | None = None) -> Manifest:
    """Do what `parse` does, but keep the line ends at the start of the body, as document 004 has it."""
    return parse(raw, directory)._replace(body=replaced(body(decoded(raw))))


def _frontmatter(text: str) -> str | None:
    """Return what goldmark-meta takes for YAML, None if it sees no block.

    A first line of dashes, indented by at most three columns, opens the block; the next line of dashes, or
    the end of the file, closes it.
    """
    lines = text.split("\n")
    first = lines[0]
    indent = len(first[: len(first) - len(first.lstrip(" \t"))].expandtabs(4))
    if indent > 3 or not _dashes(first) or not first.lstrip(" \t").startswith("-"):
        return None
    block: list[str] = []
    for line in lines[1:]:
        if _dashes(line):
            break
        block.append(line)
    else:
        return "\n".join(block)
    return "".join(f"{line}\n" for line in block)


def _dashes(line: str) -> bool:
    """Return whether a line is only dashes and white space; a form feed alone is not white space here."""
    stripped = line.strip(_GOLDMARK_SPACE)
    return not stripped.strip("-") and bool(stripped or line.strip(" \t\r"))


def body(text: str) -> str:
    """Return what follows the second marker line; the whole text if there is none."""
    if not text.startswith("---"):
        return text
    lines = text.split("\n")
    for number, line in enumerate(lines[1:], start=1):
        if _MARKER.fullmatch(line):
            return "\n".join(lines[number + 1 :])
    return text


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory in a root."""
    return load_with(parse, directory, "", directory.name, "")


Parser = Callable[[bytes, str | None], Manifest]


def load_with(
    parser: Parser, directory: Path, role: str, display_path: str, prefix: str
) -> LoadedSkill | Refused:
    """Read `directory`/SKILL.md with `parser`; the key is `prefix` and its name."""
    file = directory / FILE_NAME
    try:
        if not file.exists() or file.is_dir():
            return without_skill_file(directory, role)
        parsed = parser(read_bytes(file), None)
    except OSError as error:
        return Refused(directory, None, f"{FILE_NAME} cannot be read: {error.strerror} {SILENTLY}", role)
    except Refusal as refusal:
        return Refused(directory, None, refusal.why, role)
    key = f"{prefix}{parsed.name}"
    return LoadedSkill(key, key, parsed.description, directory, parsed.body, role, display_path)


def scan(
    session: Session, plugins: bool, links: bool, parser: Parser, strict: bool, section_enables: bool = False
) -> None:
    """Fill a session: roots in order, the first copy of a key wins, then the settings are applied.

    `plugins`: load the skills of plugins, too. `links`: load linked directories. `strict`: a root that
    exists and cannot be listed ends loading as a whole, unless skills are disabled anyway. `section_enables`:
    see `read_config`.
    """
    read_config(session, section_enables)
    winners: dict[str, LoadedSkill] = {}
    for root, top, printed, prefix in _scanned_directories(session):
        try:
            entries = [entry for entry in children(top) if is_directory_entry(entry)]
        except FileNotFoundError:
            continue
        except OSError as error:
            if strict and not prefix and not _switched_off(session):
                session.failure = session.failure or _failure(top, printed, error)
            continue
        for entry in entries:
            loaded: LoadedSkill | Refused
            if prefix and not plugins:
                loaded = Refused(entry, None, "this version does not load plugins", root.role)
            elif not links and not is_real_directory(entry):
                loaded = Refused(entry, None, f"it is a symbolic link {SILENTLY}", root.role)
            else:
                loaded = load_with(parser, entry, root.role, f"{printed}/{entry.name}", prefix)
            _add(session, loaded, winners)
    if session.failure:
        _refuse_shadowed(session, session.failure)
    _apply_settings(session, winners)


def _failure(root: Path, printed: str, error: OSError) -> str:
    """Return kodelet's error for a root that Go's `os.ReadDir` cannot list."""
    path = printed if printed == root.as_posix() else f"./{printed}"
    return f"failed to read skill directory {path}: {go_error(error, path)}"


def _refuse_shadowed(session: Session, why: str) -> None:
    """Turn copies that lost their key into refused ones: no copy has won."""
    session.skipped += [
        Refused(lost.skill.directory, None, why, lost.skill.role, key=lost.skill.key)
        for lost in session.shadowed
    ]
    session.shadowed = []


def _add(session: Session, loaded: LoadedSkill | Refused, winners: dict[str, LoadedSkill]) -> None:
    if isinstance(loaded, Refused):
        session.skipped.append(loaded)
    elif loaded.key not in winners:
        winners[loaded.key] = loaded
    else:
        session.shadowed.append(first_wins(session, winners[loaded.key], loaded))


def _apply_settings(session: Session, winners: dict[str, LoadedSkill]) -> None:
    """Keep what the settings allow, in the byte order of the keys."""
    allowed = session.settings["allowed"]
    reason = disabled_reason(session)
    for key in sorted(winners, key=os.fsencode):
        skill = winners[key]
        if reason or (allowed and key not in allowed):
            session.skipped.append(
                Refused(
                    skill.directory,
                    None,
                    reason or "the setting `allowed` does not list it",
                    skill.role,
                    key=key,
                )
            )
        else:
            session.skills.append(skill)


def disabled_reason(session: Session) -> str | None:
    """Return why all skills are disabled, None if they are not."""
    if _switched_off(session):
        return "skills are disabled by the setting `enabled` or `no_skills`"
    return session.failure


def _switched_off(session: Session) -> bool:
    return not session.settings["enabled"] or bool(session.settings["no_skills"])


def _scanned_directories(session: Session) -> Iterator[tuple[ResolvedRoot, Path, str, str]]:
    """Yield each directory to scan: its root, its path, that path as printed, the prefix of its keys."""
    for root in session.roots:
        printed = _display_path(session, root, root.path)
        if "plugin" not in root.role:
            yield root, root.path, printed, ""
        else:
            for top in _plugin_skill_directories(root.path):
                below = top.parent.relative_to(root.path).as_posix()
                yield root, top, _display_path(session, root, top), f"{below}/"


def _plugin_skill_directories(top: Path) -> Iterator[Path]:
    """Yield every `skills` directory at any depth, in the order of Go's `filepath.Walk` (byte order).

    Links are not followed. The walk does not descend under a directory that has an entry `skills`; that
    entry may be a link, or a file, which then holds no skills.
    """
    waiting = [top]
    while waiting:  # a loop: a tree may be deeper than Python's recursion limit
        directory = waiting.pop()
        try:
            if not is_real_directory(directory):
                continue
            entries = names(directory)
            if (directory / "skills").exists():
                yield directory / "skills"
                continue
        except OSError:
            continue
        waiting += [directory / name for name in reversed(entries)]


def _display_path(session: Session, root: ResolvedRoot, path: Path) -> str:
    """Return a path as kodelet prints it: relative to the working directory, absolute elsewhere."""
    if not root.role.startswith("user") and path.is_relative_to(session.project):
        return path.relative_to(session.project).as_posix()
    return path.as_posix()


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None, shape: Shape) -> Result:
    """Validate a call, then execute it; a skill can be called once per session."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    try:
        name = skill_name(text)
    except GoJsonError as error:
        return _error(f"invalid input: {error}", library=str(error))
    skill = session.find(name)
    if session.settings["validate"]:
        if name == "":
            return _error("skill_name is required")
        if disabled_reason(session):
            return _error("skills are disabled")
        if skill is None:
            available = ", ".join(loaded.key for loaded in session.skills)
            return _error(f"unknown skill '{name}'. Available skills: {available}")
    if skill is None:
        return _error(f"skill '{name}' not found", executed=True)
    active = session.memory.setdefault("active", set())
    if name in active:
        return _error(f"skill '{name}' is already active", executed=True)
    active.add(name)
    return shape(skill)


class Shape:
    """Makes the result of a successful call, with the display text and the metadata of one edition."""

    def __init__(self, display: str, key: str) -> None:
        """Take the display text, with `{name}` and `{directory}`, and the first key of the metadata."""
        self._display = display
        self._key = key

    def __call__(self, skill: LoadedSkill) -> Result:
        """Return the result of a call that loaded `skill`."""
        text = (
            f"<result>\n# Skill: {skill.key}\n\nThe skill directory is located at: {skill.display_path}\n\n"
            f"## Instructions\n\n{skill.body}\n</result>\n"
        )
        display = self._display.format(name=skill.key, directory=skill.display_path)
        return Result(text, display=display, metadata={self._key: skill.key, "directory": skill.display_path})


def _error(message: str, executed: bool = False, library: str | None = None) -> Result:
    """Return an error; after one from execution, not from validation, comes an empty result."""
    empty = "<result>\n(No output)\n</result>\n" if executed else ""
    return Result(f"<error>\n{message}\n</error>\n{empty}", True, f"Error: {message}", library=library)


def skill_name(text: str) -> str:
    """Return the field `skill_name` as Go decodes it; raises `GoJsonError` with Go's message.

    Keys match regardless of case, the last one wins, null changes nothing.
    """
    value = loads(text)
    if value is None:
        return ""
    if not isinstance(value, Pairs):
        raise GoJsonError(f"json: cannot unmarshal {_kind(value)} into Go value of type tools.SkillInput")
    name, failure = "", None
    for key, item in value:
        if key.casefold() != "skill_name" or item is None:
            continue
        if isinstance(item, str) and not isinstance(item, Number):
            name = item
        elif failure is None:
            field = "Go struct field SkillInput.skill_name of type string"
            failure = f"json: cannot unmarshal {_kind(item)} into {field}"
    if failure:
        raise GoJsonError(failure)
    return name


def _kind(value: object) -> str:
    if isinstance(value, Number):
        return "number"
    return {str: "string", bool: "bool", Pairs: "object", list: "array"}[type(value)]


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the body as kodelet keeps it."""
    return skill.body


_NOTHING = "Skills are currently not available.\n"

# Document 004, "Description()".
_DESCRIPTION = """\
When users ask you to perform tasks, check if any of the available skills below can help complete the task \
more effectively. Skills provide specialized capabilities and domain knowledge.

# Usage
- Use this tool with the skill name only
- Examples:
  - "pdf" - invoke the pdf skill
  - "xlsx" - invoke the xlsx skill

## Important
- When a skill is relevant, you must invoke this tool IMMEDIATELY as your first action
- NEVER just announce or mention a skill in your text response without actually calling this tool
- This is a BLOCKING REQUIREMENT: invoke the relevant Skill tool BEFORE generating any other response about \
the task
- Only use skills listed in "Available Skills" below
- Do not invoke a skill that is already running
- Each skill has a directory containing supporting files (references, examples, scripts, templates) that \
you can read using file_read or glob_tool
- Do NOT modify any files in the skill directory - treat skill contents as read-only
- If you need to modify a script from the skill directory, copy it to the working directory first using \
file_write, then use file_edit to update it
- For Python scripts, use uv for managing dependencies - do NOT install packages using system pip

## Available Skills

"""

# 0.5.36: length and digest of the text before the listing, which no document has, by `tool_mode` and
# `fs_search`.
_MEASURED = {
    ("", False): (1330, "ad15cf991774c83486551678876991a2bf517d0602dfec31aaa15557f6d4aeea"),
    ("", True): (1353, "1ced3da750c0afc0b4e20148dfb1d137d41d3134179ff822d1c2ea6972e7b261"),
    ("patch", False): (1332, "fe1e1d51819a885cd3fa97a6ca0f8b0e11a69b076d43f34887b762fc3fccbef5"),
    ("patch", True): (1355, "ec84cab8f396bd3573fde6af3030718994b1d7dd5dd91694c6c2f2ce7bb53cea"),
}


def listing(session: Session) -> str:
    """Return the skills as the tool's description lists them, or the sentence for none."""
    items = (
        f"### {skill.key}\n- **Description**: {skill.description}\n"
        f"- **Directory**: `{skill.display_path}`\n\n"
        for skill in session.skills
    )
    return "".join(items) or _NOTHING


def described(session: Session) -> str:
    """Return the whole description of the tool, as document 004 has it."""
    return _DESCRIPTION + listing(session)


def catalog_0536(session: Session) -> str | None:
    """Return the listing; None if skills are disabled, since the tool is not registered then."""
    is_on = session.settings["enabled"] and not session.settings["no_skills"]
    return listing(session) if is_on or session.level == "class" else None


def prompt_0536(session: Session) -> str | None:
    """Return the description of the tool: unstored text, then the listing."""
    text = catalog_0536(session)
    mode = "patch" if session.settings["tool_mode"] == "patch" else ""
    return None if text is None else fixed_text(*_MEASURED[mode, bool(session.settings["fs_search"])]) + text


def tool(session: Session) -> dict[str, Any] | None:
    """Return the tool's name, description and parameters, as the schema generator writes them."""
    description = session.prompt()
    if description is None:
        return None
    return {
        "name": "skill",
        "description": description,
        "parameters": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": "https://github.com/jingkaihe/kodelet/pkg/tools/skill-input",
            "properties": {
                "skill_name": {"type": "string", "description": "The name of the skill to invoke"}
            },
            "additionalProperties": False,
            "type": "object",
            "required": ["skill_name"],
        },
    }


_ROOTS = (
    Root(role="project", path_template="{project}/.kodelet/skills"),
    Root(role="user", path_template="{home}/.kodelet/skills", scope="user"),
    Root(role="plugin", path_template="{project}/.kodelet/plugins", scope="plugin"),
    Root(role="user-plugin", path_template="{home}/.kodelet/plugins", scope="plugin"),
)
_SETTINGS = {
    "enabled": Setting(default=True, about="whether skills are enabled"),
    "no_skills": Setting(default=False, about="disable skills, as the flag `--no-skills` does"),
    "allowed": Setting(default=[], about="names of the only skills to offer; an empty list offers all"),
    "tool_mode": Setting(default="", about="`patch` changes the name of the edit tool in the description"),
    "fs_search": Setting(default=False, about="mention the file search tools in the description"),
    "user_settings": Setting(default=True, about="read `~/.kodelet/config.yaml`", in_lint=False),
    "validate": Setting(default=True, about="validate a call before it is executed, as the runtime does"),
}
_FACTS = {
    "key": "`name` in the frontmatter; for a plugin's skill, the plugin's path, a slash and that name",
    "duplicates": "the first copy wins: project, user, then plugins; within a skills directory, by "
    "directory name",
    "parser": "goldmark-meta with YAML 1.1 (yaml.v2), from an initial line of hyphens to the next such line "
    "or the end of the file",
    "arguments": "none; the tool accepts only the name",
    "tool": "`skill` with `skill_name`; a skill can be called once per session",
    "loading": "the tool's description tells the model to call it as soon as a skill fits the task",
    "settings": "`skills.enabled` and `skills.allowed` in `~/.kodelet/config.yaml`, overridden by "
    "`kodelet-config.yaml` in the working directory; a `skills` section without `enabled` disables skills",
}

_SOURCES = {
    **dict.fromkeys(("roots", "key", "duplicates", "parser", "limits"), "pkg/skills/discovery.go"),
    **dict.fromkeys(("arguments", "tool", "loading"), "pkg/tools/skill.go"),
    "settings": "cmd/kodelet/main.go, pkg/llm/config.go, pkg/types/llm/config.go",
}

KODELET_2025_12 = Runtime(
    id="kodelet@2025-12",
    title="kodelet, first implementation",
    docs="jingkaihe/kodelet at ade31938 (2025-12-13): pkg/skills, pkg/tools/skill.go",
    verified="2026-11-20, recordings of the running code",
    evidence="run",
    schema="kodelet",
    roots=_ROOTS,
    settings=_SETTINGS,
    facts=_FACTS,
    sources=_SOURCES,
    starts_without_skills=True,
    scan=partial(scan, plugins=False, links=False, parser=parse, strict=True),
    parse=parse,
    load=load,
    catalog=described,
    parameter="skill_name",
    content=content,
    tool=tool,
    call=partial(call, shape=Shape("Skill '{name}' loaded from {directory}", "skillName")),
)

KODELET_0_5_36 = KODELET_2025_12._replace(
    id="kodelet@0.5.36",
    title="kodelet 0.5.36",
    docs="jingkaihe/kodelet at d210c4a5 (2026-08-21): pkg/skills, pkg/plugins, pkg/tools/skill.go",
    scan=partial(scan, plugins=True, links=True, parser=parse, strict=False),
    facts={
        **_FACTS,
        "tool": f"{_FACTS['tool']}; skilltool stores only the size and SHA-256 of the 1,330 characters "
        "before the listing (1,332 to 1,355 with `tool_mode` or `fs_search`), not their text; `kodelet` has "
        "the document's text",
    },
    sources={
        **_SOURCES,
        "roots": "pkg/skills/discovery.go, pkg/plugins/types.go",
        "key": "pkg/skills/discovery.go, pkg/plugins/types.go",
    },
    catalog=catalog_0536,
    prompt=prompt_0536,
)

# Where document 004 differs from the first implementation: the body keeps its leading line ends, the
# display text and the metadata key are others, there are only two roots, and `enabled` is true by default.
KODELET = KODELET_2025_12._replace(
    id="kodelet",
    title="kodelet (design document)",
    docs="document 004 (ADR 020: Agentic Skills), and kodelet@2025-12 where the document is silent",
    verified="2026-11-21, test cases written from the document",
    evidence="document",
    sources={
        "roots": "document 004, Discovery Locations",
        "key": "document 004, 1. Skills Package",
        "duplicates": "document 004, Discovery Locations",
        "parser": "document 004, 1. Skills Package; how YAML is read: kodelet@2025-12",
        "limits": "document 004, SKILL.md Format",
        "arguments": "document 004, 2. Skill Tool",
        "tool": "document 004, 2. Skill Tool",
        "loading": "document 004, 2. Skill Tool",
        "settings": "document 004, 5. Configuration; the names of the files: kodelet@2025-12",
    },
    roots=_ROOTS[:2],
    facts={
        **_FACTS,
        "key": "`name` in the frontmatter",
        "duplicates": "the first copy wins: project, then user",
        "settings": _FACTS["settings"].partition("; ")[0],
    },
    scan=partial(
        scan,
        plugins=False,
        links=False,
        parser=parse_exact,
        strict=True,
        section_enables=True,
    ),
    parse=parse_exact,
    call=partial(call, shape=Shape("Skill {name} loaded", "skill_name")),
)

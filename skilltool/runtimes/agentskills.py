"""agentskills: the open specification, and skills-ref: the reading of its reference library.

Source: agentskills/agentskills at 69ef37e, `skills-ref/`, and its output for the fixtures of
`tests/goldens-public`; the client guide of agentskills.io; `read_properties` and `validate` of skills-ref
0.1.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from unicodedata import normalize

from skilltool.emulation import strictyaml
from skilltool.findings.finding import Severity
from skilltool.runtimes.base import ARGUMENTS, COMMAND, POSITION, Root, Runtime, Session
from skilltool.runtimes.loading import TOO_LARGE, exists, read_bytes, scan_roots
from skilltool.runtimes.values import LoadedSkill, Manifest, Refusal, Refused, not_read
from skilltool.skill import schema
from skilltool.skill.skill_file import MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError, YamlError

_FILES = ("SKILL.md", "skill.md")
NO_FILE = "Missing required file: SKILL.md"


def skill_file(directory: Path) -> Path | None:
    """Return the file that makes a directory a skill: `SKILL.md`, then `skill.md`; raises OSError."""
    return next((directory / name for name in _FILES if exists(directory / name)), None)


def parse(raw: bytes, directory: str | None = None) -> Manifest:
    """Return the fields of the frontmatter, and the text after it as `body`; raises `Refusal`.

    Every value is a string, a list or a mapping; those in `metadata` are strings.
    """
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refusal(str(error), "it is not UTF-8", kind="UnicodeDecodeError") from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.startswith("---"):
        raise Refusal("SKILL.md must start with YAML frontmatter (---)", kind="ParseError")
    parts = text.split("---", 2)
    if len(parts) < 3:
        raise Refusal("SKILL.md frontmatter not properly closed with ---", kind="ParseError")
    try:
        fields = strictyaml.load(parts[1])
    except BoundError as error:
        raise not_read(error) from None
    except YamlError as error:
        message = f"Invalid YAML in frontmatter: {error.problem}"
        line = text.count("\n", 0, len("---") + error.start) + 1
        raise Refusal(message, kind="ParseError", library=error.problem, line=line) from None
    if not isinstance(fields, dict):
        raise Refusal("SKILL.md frontmatter must be a YAML mapping", kind="ParseError")
    metadata = fields.get("metadata")
    if isinstance(metadata, dict):
        fields["metadata"] = {key: str(value) for key, value in metadata.items()}
    return Manifest(fields.get("name"), fields.get("description"), parts[2].strip(), fields)


def properties(fields: Mapping[str, Any]) -> tuple[str, str]:
    """Return name and description, stripped; raises `Refusal` if one is missing or blank."""
    for name in ("name", "description"):
        if name not in fields:
            raise Refusal(f"Missing required field in frontmatter: {name}", kind="ValidationError")
    for name in ("name", "description"):
        value = fields[name]
        if not isinstance(value, str) or not value.strip():
            raise Refusal(f"Field '{name}' must be a non-empty string", kind="ValidationError")
    return fields["name"].strip(), fields["description"].strip()


def validate(directory: Path) -> list[str]:
    """Return the errors of the library's validator for a skill directory, `[]` if it is valid."""
    if not directory.exists():
        return [f"Path does not exist: {directory}"]
    if not directory.is_dir():
        return [f"Not a directory: {directory}"]
    file = skill_file(directory)
    if file is None:
        return [NO_FILE]
    try:
        fields = parse(read_bytes(file)).fields
    except Refusal as refusal:
        return [refusal.message or refusal.why]
    return errors_of(fields, directory)


def errors_of(fields: Mapping[str, Any], directory: Path) -> list[str]:
    """Return the validator's errors in fields that `parse` returned, in its order."""
    return _unexpected(fields) + _name(fields, directory) + _description(fields) + _compatibility(fields)


def _unexpected(fields: Mapping[str, Any]) -> list[str]:
    known = sorted(schema.load("agentskills")["properties"])
    extra = sorted(set(fields) - set(known))
    return (
        [f"Unexpected fields in frontmatter: {', '.join(extra)}. Only {known} are allowed."] if extra else []
    )


def _name(fields: Mapping[str, Any], directory: Path) -> list[str]:
    if "name" not in fields:
        return ["Missing required field in frontmatter: name"]
    value = fields["name"]
    if not isinstance(value, str) or not value.strip():
        return ["Field 'name' must be a non-empty string"]
    name = normalize("NFKC", value.strip())
    limit = _limit("name")
    found: list[str] = []
    if len(name) > limit:
        found.append(f"Skill name '{name}' exceeds {limit} character limit ({len(name)} chars)")
    if name != name.lower():
        found.append(f"Skill name '{name}' must be lowercase")
    if name.startswith("-") or name.endswith("-"):
        found.append("Skill name cannot start or end with a hyphen")
    if "--" in name:
        found.append("Skill name cannot contain consecutive hyphens")
    if not all(character.isalnum() or character == "-" for character in name):
        allowed = "Only letters, digits, and hyphens are allowed."
        found.append(f"Skill name '{name}' contains invalid characters. {allowed}")
    if normalize("NFKC", directory.name) != name:
        found.append(f"Directory name '{directory.name}' must match skill name '{name}'")
    return found


def _description(fields: Mapping[str, Any]) -> list[str]:
    if "description" not in fields:
        return ["Missing required field in frontmatter: description"]
    value = fields["description"]
    if not isinstance(value, str) or not value.strip():
        return ["Field 'description' must be a non-empty string"]
    limit = _limit("description")
    if len(value) > limit:
        return [f"Description exceeds {limit} character limit ({len(value)} chars)"]
    return []


def _compatibility(fields: Mapping[str, Any]) -> list[str]:
    if "compatibility" not in fields:
        return []
    value = fields["compatibility"]
    if not isinstance(value, str):
        return ["Field 'compatibility' must be a string"]
    limit = _limit("compatibility")
    if len(value) > limit:
        return [f"Compatibility exceeds {limit} character limit ({len(value)} chars)"]
    return []


def _limit(field: str) -> int:
    limit: int = schema.load("agentskills")["properties"][field]["maxLength"]
    return limit


def listing_of(skills: Iterable[tuple[str, str, Path]]) -> str:
    """Return the listing of skills; each is given as name, description and file."""
    from html import escape

    lines = ["<available_skills>"]
    for name, description, file in skills:
        lines += ["<skill>", "<name>", escape(name), "</name>"]
        lines += ["<description>", escape(description), "</description>"]
        lines += ["<location>", str(file), "</location>", "</skill>"]
    return "\n".join([*lines, "</available_skills>"])


def load_parsed(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory: the library lists whatever it can parse, valid or not."""
    return _load(directory, f"SKILL.md not found in {directory}", lambda _fields, _directory: [])


def load_valid(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory whose client validates it: each error refuses it.

    Several errors are the lines of one message, as `agentskills validate` prints them.
    """
    return _load(directory, NO_FILE, errors_of)


def _load(
    directory: Path, no_file: str, errors_of: Callable[[Mapping[str, Any], Path], list[str]]
) -> LoadedSkill | Refused:
    try:
        file = skill_file(directory)
        if file is None:
            return Refused(directory, no_file, "it has no SKILL.md")
        manifest = parse(read_bytes(file))
        fields = manifest.fields
        if errors := errors_of(fields, directory):
            return Refused(directory, "\n".join(errors), errors[0], kind="ValidationError")
        name, description = properties(fields)
    except Refusal as refusal:
        return refusal.refused(directory)
    except OSError as error:
        return Refused(directory, None, f"SKILL.md cannot be read: {error.strerror}")
    shown = str(directory.resolve())
    return LoadedSkill(name, name, description, directory, manifest.body, display_path=shown)


def catalog(session: Session) -> str | None:
    """Return the listing as the reference library prints it; None without skills (client guide)."""
    if not session.skills:
        return None
    return listing_of((s.name, s.description, _file(s.directory)) for s in session.skills)


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return the whole file, which the model reads at the listed location; None if it cannot be read now."""
    try:
        return read_bytes(_file(skill.directory)).decode("utf-8", "replace")
    except (OSError, Refusal):
        return None


def _file(directory: Path) -> Path:
    resolved = directory.resolve()
    return skill_file(resolved) or resolved / "SKILL.md"


AGENTSKILLS = Runtime(
    id="agentskills",
    title="Agent Skills (open specification)",
    docs="https://agentskills.io/specification and its reference library skills-ref",
    verified="2026-11-21, skills-ref 0.1.1",
    evidence="run",
    schema="agentskills",
    specification=True,
    roots=(
        Root(role="project", path_template="{project}/.agents/skills"),
        Root(role="user", path_template="{home}/.agents/skills", scope="user"),
    ),
    facts={
        "key": "`name` in the frontmatter, which must match the directory's name",
        "duplicates": "the project's copy takes precedence over the user's",
        "parser": "strictyaml (scalars are strings, no flow style) between the first two `---`, even "
        "in the middle of a line",
        "arguments": "none; some clients replace `$ARGUMENTS` and `$1`, and run !`command`",
        "tool": "none; the model reads the file at the listed location",
        "loading": "the listing is in the prompt; each client has its own instructions for using it",
    },
    sources={
        "roots": "the client guide on agentskills.io",
        "key": "https://agentskills.io/specification; skills_ref/validator.py",
        "duplicates": "the client guide on agentskills.io",
        "parser": "skills_ref/parser.py of the reference library",
        "limits": "https://agentskills.io/specification",
        "arguments": "the documentation of Claude Code, goose and OpenCode",
        "tool": "skills_ref/prompt.py of the reference library",
        "loading": "skills_ref/prompt.py of the reference library",
    },
    # Claude Code, goose and OpenCode insert arguments; Claude Code, OpenCode and OpenHands run commands
    # (https://code.claude.com/docs/en/skills, https://opencode.ai/docs, checked 2026-11-21).
    expands=frozenset({ARGUMENTS, POSITION, COMMAND}),
    severities={
        # Only some clients insert arguments, and only if the user gives any.
        "positional-in-code": Severity.INFO,
        # The reference library compares the first three characters: it sees no frontmatter.
        "byte-order-mark": Severity.ERROR,
        # It splits at every three dashes: the rest of the frontmatter becomes body.
        "dashes-in-description": Severity.ERROR,
        # Its validator refuses both.
        "name-directory-mismatch": Severity.ERROR,
        "unknown-field": Severity.ERROR,
    },
    scan=partial(scan_roots, load=load_valid),
    parse=parse,
    load=load_valid,
    catalog=catalog,
    content=content,
)

_PARSER, _PROMPT = "skills_ref/parser.py", "skills_ref/prompt.py"

SKILLS_REF_0_1_1 = AGENTSKILLS._replace(
    id="skills-ref@0.1.1",
    title="skills-ref 0.1.1: how the reference library itself reads a skill",
    docs="agentskills/agentskills at 69ef37e: skills-ref/ (read_properties, to_prompt)",
    verified="2026-11-21, output of the library",
    evidence="run",
    schema="skills-ref",
    specification=False,
    facts={
        **AGENTSKILLS.facts,
        "key": "`name` in the frontmatter; the directory's name does not matter",
        "arguments": "none",
        "loading": "the listing only says where each file is",
    },
    sources={
        **AGENTSKILLS.sources,
        **dict.fromkeys(("key", "parser", "limits"), _PARSER),
        **dict.fromkeys(("arguments", "tool", "loading"), _PROMPT),
    },
    expands=frozenset(),
    severities={
        rule: severity
        for rule, severity in AGENTSKILLS.severities.items()
        if rule not in {"name-directory-mismatch", "unknown-field"}
    },
    scan=partial(scan_roots, load=load_parsed),
    load=load_parsed,
)

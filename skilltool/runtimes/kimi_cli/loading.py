"""Which skills does Kimi CLI load when it starts, and which copy of a name wins?

Source: `kimi_cli/skill/__init__.py` of kimi-cli 1.52.0, and runs of it; `kimi_cli/skill/__init__.py` and
`utils/frontmatter.py` of kimi-cli 1.52.0, and runs of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.emulation import fence_lines
from skilltool.emulation.pydantic import Problem, error_text, string
from skilltool.emulation.pyyaml import PyYamlError, safe_load
from skilltool.files.paths import path_once
from skilltool.runtimes import loading, values
from skilltool.runtimes.base import Session
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.kimi_cli import flows
from skilltool.runtimes.kimi_cli.flows import Flow, FlowError
from skilltool.runtimes.loading import (
    children,
    decoded,
    first_wins,
    is_directory_here,
    is_here,
    is_link_here,
    last_wins,
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
    unlistable_root,
)
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter.nodes import BoundError

# Stands for text of the program's own skills and commands.
BUILTIN_DIRECTORY = "{builtin}"


@cache
def facts() -> dict[str, Any]:
    """Return the content of `facts.json`."""
    found: dict[str, Any] = json.loads((Path(__file__).parent / "facts.json").read_text("utf-8"))
    return found


STANDARD, FLOW = "standard", "flow"
LONGEST_LINE = 240
_NO_DESCRIPTION = "No description provided."
_PYDANTIC = "2.12"
_MOST_SIGNS = 50_000  # of a diagram: it is read sign by sign
_NO_DIAGRAM = "Flow skills require a mermaid or d2 code block in SKILL.md."


class Manifest(NamedTuple):
    """One file: its name, description, text without white space at the ends, body, and flow if it has one.

    `problem` is what is wrong with the diagram of a flow, which makes it a standard skill.
    """

    name: str
    description: str
    text: str
    body: str
    flow: Flow | None = None
    problem: str | None = None

    @property
    def kind(self) -> str:
        """The program's word: `flow` or `standard`."""
        return STANDARD if self.flow is None else FLOW


def text_of(raw: bytes) -> str:
    """Return the text of a file, raises `Refusal` if it is not UTF-8, which ends the program."""
    try:
        return decoded(raw)
    except UnicodeDecodeError as error:
        raise Refusal(str(error), kind="UnicodeDecodeError", library=str(error)) from None


def read(content: str, default_name: str) -> Manifest:
    """Return what a file says; raises `Refusal` with the program's reason."""
    parts = fence_lines.split(content)
    fields = {} if parts is None else _fields("\n".join(parts.lines).strip())
    body = content if parts is None else parts.body
    given = fields.get("name") or default_name, fields.get("description") or _stand_in(body)
    kind = fields.get("type") or STANDARD
    if kind not in (STANDARD, FLOW):
        raise Refusal(f'Invalid skill type "{kind}"', "`type` is neither `standard` nor `flow`")
    flow, problem = _flow(content) if kind == FLOW else (None, None)
    values = [string((field,), value) for field, value in zip(("name", "description"), given, strict=True)]
    if problems := [value for value in values if isinstance(value, Problem)]:
        words = error_text("Skill", problems, _PYDANTIC)
        raise Refusal(words, library=words)
    name, description = map(str, values)
    return Manifest(name, description, content.strip(), body, flow, problem)


def _fields(yaml: str) -> dict[str, Any]:
    if not yaml:
        return {}
    try:
        found = safe_load(yaml)
    except BoundError as error:
        raise not_read(error) from None
    except PyYamlError as error:
        if error.is_yaml:
            raise Refusal("Invalid frontmatter YAML.", f"the YAML is invalid: {error.text}") from None
        raise Refusal(error.text, kind=error.kind, library=error.text) from None
    if not isinstance(found, dict):
        raise Refusal("Frontmatter YAML must be a mapping.", "the frontmatter is not a mapping")
    return found


def _stand_in(body: str) -> str:
    """Return what stands in for a description: the first line that is neither empty nor a fence."""
    lines = (line.strip() for line in body.splitlines())
    line = next((line for line in lines if line not in ("", "---")), None)
    if line is None:
        return _NO_DESCRIPTION
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1].rstrip()}…"


def _flow(content: str) -> tuple[Flow | None, str | None]:
    """Return the flow of the first diagram, or what is wrong with it."""
    for language, lines in _code_blocks(content):
        if language not in ("mermaid", "d2"):
            continue
        code = "\n".join(lines).strip("\n")
        if len(code) > _MOST_SIGNS:
            raise not_read(f"a diagram of more than {_MOST_SIGNS:,} characters")
        try:
            return (flows.read_mermaid if language == "mermaid" else flows.read_d2)(code), None
        except FlowError as error:
            return None, f"Invalid flow diagram: {error}"
    return None, _NO_DIAGRAM


def _code_blocks(content: str) -> Iterator[tuple[str, list[str]]]:
    """Yield language and lines of each fenced block that is closed."""
    fence, language, lines = "", "", list[str]()
    for line in content.splitlines():
        stripped = line.lstrip()
        run = _run(stripped)
        if not fence:
            if len(run) >= len("```"):
                fence, language, lines = run, _language(stripped[len(run) :].strip()), []
        elif run.startswith(fence) and not stripped[len(run) :].strip():
            yield language, lines
            fence = ""
        else:
            lines.append(line)


def _run(line: str) -> str:
    """Return the backticks or tildes with which a line begins."""
    sign = line[:1]
    return line[: len(line) - len(line.lstrip(sign))] if sign and sign in "`~" else ""


def _language(info: str) -> str:
    word = info.split()[0].lower() if info else ""
    return word[1:-1].strip() if word.startswith("{") and word.endswith("}") else word


def parse(raw: bytes, directory: str | None) -> values.Manifest:
    """Return name, description, body and text of a SKILL.md; raises `Refusal` with the program's reason."""
    content = text_of(raw)
    manifest = read(content, Path(directory or "").name)
    own = {"text": manifest.text} | ({"type": FLOW} if manifest.flow is not None else {})
    lost = fence_lines.split(content) is None
    return values.Manifest(manifest.name, manifest.description, manifest.body, own, fields_lost=lost)


PROJECT, USER, EXTRA, BUILTIN = "project", "user", "extra", "builtin"
_BRANDS = ("kimi", "claude", "codex")


class Place(NamedTuple):
    """A root, with links resolved, and the program's word for where it is: its scope."""

    root: ResolvedRoot
    scope: str


def places(session: Session) -> tuple[list[Place], list[ResolvedRoot]]:
    """Return the roots that are scanned, each real directory once, and those that others keep out."""
    top = project_root(session.project)
    found: list[Place] = []
    left_out: list[ResolvedRoot] = []
    if session.settings["skills_dir"]:
        why = "the setting `skills_dir` names other directories"
        usual = (root for root in session.roots if root.role != "plugin")
        left_out += [root._replace(unscanned=why) for root in usual if root.exists]
        found += [_place(path, "skills-dir", EXTRA) for path in _given(session, session.project)]
    else:
        for scope in (PROJECT, USER):
            scanned, others = _of_scope(session, scope, top)
            found += scanned
            left_out += others
    extra = (_extra(name, top, session.home) for name in session.settings["extra_skill_dirs"] if name)
    found += [_place(path, "extra", EXTRA) for path in extra if is_directory_here(path)]
    plugins = session.root("plugin")
    found += [_place(plugins.path, plugins.role, EXTRA)] if plugins is not None and plugins.exists else []
    return list(_numbered(_unique(found))), left_out


def project_root(directory: Path) -> Path:
    """Return the nearest directory upwards with a `.git`, else the directory itself."""
    tops = (path for path in (directory, *directory.parents) if is_here(path / ".git"))
    return next(tops, directory)


def _of_scope(session: Session, scope: str, top: Path) -> tuple[list[Place], list[ResolvedRoot]]:
    """Return the roots of the project or of the user that are scanned, and those that others keep out."""
    roots = [_moved(session, root, top) for root in session.roots if root.role.partition("-")[0] == scope]
    brands = [root for root in roots if root.role.endswith(_BRANDS) and root.exists]
    generic = [root for root in roots if not root.role.endswith(_BRANDS) and root.exists]
    kept = brands if session.settings["merge_all_available_skills"] else brands[:1]
    others = [_kept_out(root, kept[0]) for root in brands[len(kept) :]]
    others += [_kept_out(root, generic[0]) for root in generic[1:]]
    return [_place(root.path, root.role, scope) for root in [*kept, *generic[:1]]], others


def _kept_out(root: ResolvedRoot, first: ResolvedRoot) -> ResolvedRoot:
    return root._replace(unscanned=f"only the first directory that exists counts, and `{first.role}` does")


def _moved(session: Session, root: ResolvedRoot, top: Path) -> ResolvedRoot:
    """Return a root of the project in the root of its repository, unless `--root` names it."""
    template = next(each.path_template for each in session.runtime.roots if each.role == root.role) or ""
    if root.path != path_once(template.format(project=session.project, home=session.home)):
        return root
    path = path_once(template.format(project=top, home=session.home))
    return root._replace(path=path, display_path=str(path))


def _given(session: Session, base: Path) -> Iterator[Path]:
    return (base / name for name in session.settings["skills_dir"])


def _extra(name: str, top: Path, home: Path) -> Path:
    """Return a directory of `extra_skill_dirs`: under the home directory, absolute, or relative."""
    if name == "~" or name.startswith("~/"):
        return home / name[2:]
    return top / name


def _place(path: Path, role: str, scope: str) -> Place:
    resolved = Path(os.path.realpath(path))
    return Place(ResolvedRoot(role, resolved, str(resolved)), scope)


def _unique(found: Iterable[Place]) -> Iterator[Place]:
    seen: set[Path] = set()
    for place in found:
        if place.root.path not in seen:
            seen.add(place.root.path)
            yield place


def _numbered(found: Iterable[Place]) -> Iterator[Place]:
    """Yield roots with a number after the role where several have the same."""
    counts: dict[str, int] = {}
    for place in found:
        role = place.root.role
        counts[role] = counts.get(role, 0) + 1
        numbered = f"{role}-{counts[role]}" if role in ("extra", "skills-dir") else role
        yield place._replace(root=place.root._replace(role=numbered))


_LOGGER = "kimi_cli.skill"
_SUFFIX = ".md"
_NOT_UTF_8 = "UnicodeDecodeError"
_ENDS = "one SKILL.md that is not UTF-8 ends Kimi CLI when it starts"
_CHANCE = "of skills with the same name in one skills directory, the last in file system order wins"
# The skills of the program itself: name, length and digest of the description.
_OWN = {
    "kimi-cli-help": (312, "a5393525f6a1c18874ee6383dd937040f5a7c48053671dd33e7b64d250bd9d7a"),
    "skill-creator": (224, "43598543a0228a3aa8bc1ffc96e30fb1057221c672d5254319ec8cac8fa70795"),
}


class Details(NamedTuple):
    """What Kimi CLI alone knows of a skill: its scope, and its manifest, None for one of its own."""

    scope: str
    manifest: Manifest | None = None


_BUILT_IN = Details(BUILTIN)


def manifest_of(skill: LoadedSkill) -> Manifest:
    """Return the manifest of a skill that has a file."""
    manifest = skill.known_as(Details).manifest
    assert manifest is not None
    return manifest


def scan(session: Session) -> None:
    """Fill a session: of several roots the first copy of a name wins, whatever its case."""
    found, left_out = places(session)
    roles = {root.role for root in (*(place.root for place in found), *left_out)}
    others = (root for root in session.roots if root.role not in roles)
    session.roots = (*(place.root for place in found), *left_out, *others)
    winners: dict[str, LoadedSkill] = {}
    for place in found:
        for skill in _in_root(session, place):
            winner = winners.setdefault(skill.key.casefold(), skill)
            if winner is not skill:
                session.shadowed.append(first_wins(session, winner, skill))
    session.skills += _by_name(winners.values())
    session.failure = next(filter(None, map(unsendable, session.skills)), None)


def unsendable(skill: LoadedSkill) -> str | None:
    """Return why no request is sent that lists a skill, None if one is."""
    return loading.unsendable(skill, (skill.name, skill.description, str(skill.path)))


def own_skills(session: Session) -> list[LoadedSkill]:
    """Return the skills of the program itself that no other copy replaces; they are in no session's list."""
    taken = {skill.key.casefold() for skill in session.skills}
    return [
        LoadedSkill(
            name, name, fixed_text(chars, sha256), Path(f"{{builtin}}/{name}"), "", BUILTIN, details=_BUILT_IN
        )
        for name, (chars, sha256) in _OWN.items()
        if name not in taken
    ]


def _by_name(skills: Iterable[LoadedSkill]) -> list[LoadedSkill]:
    return sorted(skills, key=lambda skill: skill.name)


def _in_root(session: Session, place: Place) -> list[LoadedSkill]:
    """Return the skills of one root, sorted by name.

    Of directories with one name the last wins; files that are skills of their own lose to what is there.
    """
    root = place.root
    if not root.exists:
        return []
    try:
        entries = children(root.path)
    except OSError as error:
        session.skipped.append(unlistable_root(root, error))
        message = f"Failed to iterate skills directory {root.path}: {error}"
        session.logs.append(Log("WARNING", _LOGGER, message))
        return []
    found: dict[str, LoadedSkill] = {}
    for skill in _packages(session, place, entries):
        name = skill.key.casefold()
        if name in found:
            lost = last_wins(session, skill, found[name])
            session.shadowed.append(lost._replace(why=_CHANCE, undetermined=True))
        found[name] = skill
    for skill in _single_files(session, place, entries):
        winner = found.setdefault(skill.key.casefold(), skill)
        if winner is not skill:
            session.shadowed.append(first_wins(session, winner, skill))
            message = (
                f"Flat skill {skill.path} shadowed by subdirectory skill of the same name at "
                f"{winner.directory}; the subdirectory version is used."
            )
            session.logs.append(Log("WARNING", _LOGGER, message))
    return _by_name(found.values())


def _packages(session: Session, place: Place, entries: list[Path]) -> Iterator[LoadedSkill]:
    for directory in entries:
        if not is_directory_here(directory):
            if is_link_here(directory) and not is_here(directory):
                session.skipped.append(_without_file(directory, place.root.role))
            continue
        outcome = _package(directory, place.root.role, place.scope)
        if isinstance(outcome, Refused):
            session.skipped.append(outcome)
            if outcome.ends_loading:
                raise LoadingEnded(outcome.message)
            if outcome.message is not None:
                session.logs.append(Log("INFO", _LOGGER, outcome.message, warns=True))
        else:
            _log_problem(session, outcome)
            yield outcome


def _package(directory: Path, role: str, scope: str) -> LoadedSkill | Refused:
    file = directory / FILE_NAME
    try:
        if not file.is_file():
            return _without_file(directory, role)
        text = text_of(read_bytes(file))
    except OSError as error:
        message = f"Skipping unreadable skill entry {directory}: {error}"
        return Refused(directory, message, f"{FILE_NAME} cannot be read: {error.strerror}", role)
    except Refusal as refusal:
        ends = refusal.kind == _NOT_UTF_8
        why = _ENDS if ends else refusal.why
        return Refused(
            directory, refusal.message, why, role, refusal.kind, refusal.library, ends_loading=ends
        )
    try:
        return _skill(read(text, directory.name), file, role, scope)
    except Refusal as refusal:
        return _refused(directory, refusal, f"Skipping invalid skill at {file}: ", role)


def _single_files(session: Session, place: Place, entries: list[Path]) -> Iterator[LoadedSkill]:
    """Yield the Markdown files directly in a root as skills; a SKILL.md there is none."""
    for file in entries:
        name = file.name
        if not name.lower().endswith(_SUFFIX) or name.upper() == FILE_NAME.upper() or is_directory_here(file):
            continue
        try:
            read_as = read(text_of(read_bytes(file)), name[: -len(_SUFFIX)])
        except (Refusal, OSError) as error:
            words = error.message if isinstance(error, Refusal) else str(error)
            if words is not None:
                message = f"Skipping invalid flat skill at {file}: {words}"
                session.logs.append(Log("INFO", _LOGGER, message, warns=True))
            continue
        skill = _skill(read_as, file, place.root.role, place.scope)
        _log_problem(session, skill)
        yield skill


def _skill(manifest: Manifest, file: Path, role: str, scope: str) -> LoadedSkill:
    details = Details(scope, manifest)
    return LoadedSkill(
        manifest.name,
        manifest.name,
        manifest.description,
        file.parent,
        manifest.body,
        role,
        str(file),
        file=file,
        details=details,
    )


def _log_problem(session: Session, skill: LoadedSkill) -> None:
    """Log what is wrong with a diagram, for which the skill counts as one without a flow."""
    if problem := manifest_of(skill).problem:
        message = f"Failed to parse flow skill {skill.name}: {problem}"
        session.logs.append(Log("ERROR", _LOGGER, message))


def _refused(directory: Path, refusal: Refusal, begin: str, role: str) -> Refused:
    message = None if refusal.message is None else begin + refusal.message
    return Refused(directory, message, refusal.why, role, refusal.kind, refusal.library)


def _without_file(directory: Path, role: str) -> Refused:
    what = f"it has no {FILE_NAME}" if is_directory_here(directory) else "it is a broken link"
    if is_here(directory / FILE_NAME):
        what = f"{FILE_NAME} is not a regular file"
    return Refused(directory, None, f"{what} {SILENTLY}", role)


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whatever the settings."""
    return _package(directory, "", "project")

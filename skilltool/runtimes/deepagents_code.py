"""Deep Agents Code: three directories of a project and of the user each; the last copy of a name wins.

Source: `agent.py`, `config.py` and `_git.py` of deepagents-code 0.1.57, and requests;
`plugins/adapters/skills_middleware.py` of deepagents-code 0.1.57, which loads with deepagents 0.7.6;
requests; the sentences around the listing are those of deepagents 0.7.6, as in 0.7.32;
`client/non_interactive.py` and `skills/invocation.py` of deepagents-code 0.1.57, and requests; what stands
after `/skill:` is read as `command_registry.py` does.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from skilltool.files.paths import path_once
from skilltool.findings.finding import Severity
from skilltool.runtimes.base import Root, Runtime, Session, Setting
from skilltool.runtimes.deepagents import answers
from skilltool.runtimes.deepagents.answers import entries, locations, message, shown_in_prompt, text_at
from skilltool.runtimes.deepagents.loading import (
    LOAD_ERRORS,
    Backend,
    Package,
    Source,
    load_directory,
    merge,
    of_source,
    parse,
    unsendable,
)
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.loading import bytes_beside_skills, decoded, is_directory_here, is_file_here
from skilltool.runtimes.values import LoadedSkill, Refusal, ResolvedRoot, Sent

BUILTIN = "{builtin}"
BUILTIN_LABEL = "Built-in"
_PROJECT, _USER_CLAUDE = "project", "user-claude"
_LABELS = {
    "user": "User Deepagents",
    "user-agents": "User Agents",
    _PROJECT: "Project Deepagents",
    "project-agents": "Project Agents",
    _USER_CLAUDE: "User Claude",
    "project-claude": "Project Claude",
}
_NO_REPOSITORY = "the project is in no git repository"
_POINTER = "gitdir:"


def sources(session: Session) -> list[Source]:
    """Return the directories that are named in the prompt and scanned, low to high.

    The roots of a session become where the program looks: those of the project are in the root of its
    repository, and without one they are not scanned.
    """
    top = _top(session)
    session.roots = tuple(_moved(session, root, top) for root in session.roots)
    named = (root for root in session.roots if root.unscanned is None)
    return [
        Source(str(resolved_root.path), _LABELS[resolved_root.role], resolved_root.role)
        for resolved_root in named
        if resolved_root.role != _USER_CLAUDE or resolved_root.exists
    ]


def _top(session: Session) -> Path | None:
    path = repository_root(Path(os.path.realpath(session.project)))
    return path if path is not None or session.settings["needs_git"] else session.project


def _moved(session: Session, root: ResolvedRoot, top: Path | None) -> ResolvedRoot:
    """Return a root of the project in the root of its repository, unless `--root` names it."""
    template = next(each.path_template for each in session.runtime.roots if each.role == root.role) or ""
    usual = path_once(template.format(project=session.project, home=session.home))
    if not root.role.startswith(_PROJECT) or root.path != usual:
        return root
    if top is None:
        return root._replace(unscanned=_NO_REPOSITORY)
    path = path_once(template.format(project=top, home=session.home))
    return root._replace(path=path, display_path=str(path))


def repository_root(directory: Path) -> Path | None:
    """Return the root of the repository that a directory is in, None if it is in none.

    A file `.git` counts if it leads to a directory, and ends the search if it does not.
    """
    for path in (directory, *directory.parents):
        entry = path / ".git"
        if is_directory_here(entry):
            return path
        if is_file_here(entry):
            return path if _leads_to_directory(entry) else None
    return None


def _leads_to_directory(file: Path) -> bool:
    try:
        text = decoded(bytes_beside_skills(file)).strip()
    except (OSError, UnicodeDecodeError, Refusal):
        return False
    path = text.removeprefix(_POINTER).strip()
    return text.startswith(_POINTER) and bool(path) and is_directory_here(file.parent / path)


# The skills of the program itself, in its order: length and digest of the lines in the listing.
OWN = {
    "deepagents-thread-inspector": (546, "03e02051222e0fecf83109c405a2006b81a728fae0c933e6d4dbb597a3f0bb48"),
    "remember": (459, "6a19c997880a3220b4ff90092fc196b60b3c067a992f28e16961b1d83dc8f38a"),
    "skill-creator": (756, "ac7b7e8e3f5b49d70568167683b5dbbcf943a712e97f27e3f1e0b4cb291cdbbc"),
}


def scan(session: Session) -> None:
    """Fill a session: the last copy of a name wins, where the first one stood in the list.

    One that has the name of a skill of the program takes the place of that skill, before all others.
    """
    winners: dict[str, LoadedSkill] = {}
    errors: list[str] = session.memory.setdefault(LOAD_ERRORS, [])
    for source in sources(session):
        for skill in of_source(session, Backend(session.project), source, errors, with_tools=False):
            merge(session, winners, skill)
    session.skills += [winners[name] for name in OWN if name in winners]
    session.skills += [skill for name, skill in winners.items() if name not in OWN]
    session.failure = next(filter(None, map(unsendable, session.skills)), None)


load = partial(load_directory, with_tools=False)


def catalog(session: Session) -> str | None:
    """Return the listing without the skills of the program itself, which come first.

    None if loading has failed.
    """
    return None if session.failure is not None else entries(session.skills)


def roots(session: Session) -> str:
    """Return the lines that name the directories."""
    named = [(source.label, source.path) for source in sources(session)]
    return locations([(BUILTIN_LABEL, BUILTIN), *named])


def prompt(session: Session) -> str | None:
    """Return all that skills add to the system prompt, with markers for what is the program's own."""
    if session.failure is not None:
        return None
    own = [
        fixed_text(*measured) if (skill := session.find(name)) is None else entries([skill])
        for name, measured in OWN.items()
    ]
    others = [entries([skill]) for skill in session.skills if skill.key not in OWN]
    return shown_in_prompt(session, roots(session), "\n".join([*own, *others]))


_COMMAND = "/skill:"
_SKILL = (
    "I'm invoking the skill `{name}`. Below are the full instructions from the skill's SKILL.md file. Follow "
    "these instructions to complete the task.\n\n---\n{content}\n---"
)
_OUTSIDE = (
    "Skill path {path} resolves outside all allowed skill directories. If this is a symlink, add the target "
    "directory to DEEPAGENTS_CODE_EXTRA_SKILLS_DIRS or [skills].extra_allowed_dirs in "
    "~/.deepagents/config.toml."
)
_UNREADABLE = (
    "Could not read content for skill: {name}. Check that the SKILL.md file exists, is readable, and is "
    "saved as UTF-8."
)


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a text: with the setting `skill` that skill and the text as it is.

    Without it a text that begins with `/skill:` names a skill.
    """
    if session.failure is not None:
        return Sent((), shown=session.failure)
    named = session.settings["skill"].strip()
    if named:
        return _invoked(session, named, text, "Error: ")
    if not text.startswith(_COMMAND):
        return _sent(text)
    words = text.removeprefix(_COMMAND).split(maxsplit=1)
    if not words:
        return Sent((), shown="Usage: /skill:<name> [args]")
    return _invoked(session, words[0], "".join(words[1:]).rstrip(), "")


def typed(skill: LoadedSkill) -> str:
    """Return what a user types to run a skill."""
    return f"{_COMMAND}{skill.key}"


def _invoked(session: Session, given: str, request: str, begin: str) -> Sent:
    """Return a skill with what the user wants of it; names are looked for in lower case only."""
    name = given.lower()
    skill = session.find(name)
    if skill is None:
        return Sent((), shown=BUILTIN if name in OWN else f"{begin}Skill not found: {name}")
    path = Path(skill.known_as(Package).path)
    if not _is_inside(session, path):
        return Sent((), shown=begin + _OUTSIDE.format(path=path))
    content = text_at(session, skill)
    if content is None:
        return Sent((), shown=begin + _UNREADABLE.format(name=name))
    wanted = f"\n\n**User request:** {request}" if request else ""
    return _sent(_SKILL.format(name=name, content=content) + wanted)


def _is_inside(session: Session, path: Path) -> bool:
    """Return whether a file is, links resolved, in a directory that is scanned or allowed."""
    allowed = [Path(each).expanduser() for each in session.settings["extra_allowed_dirs"]]
    scanned = [root.path for root in session.roots if root.unscanned is None]
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(os.path.realpath(each)) for each in (*scanned, *allowed))


def _sent(text: str) -> Sent:
    return Sent((message(text),), text)


_SETTINGS = {
    "skill": Setting(default="", about="the skill named by `--skill`"),
    "extra_allowed_dirs": Setting(
        default=[], about="additional directories that a linked skill may be in (`[skills]` in config.toml)"
    ),
    "needs_git": Setting(
        default=True,
        about="load the project's skills only in a git repository, as the program does",
        in_lint=False,
    ),
}
_FACTS = {
    "key": "the name in the frontmatter, converted to a string. `--skill` looks up names in lowercase, so a "
    "skill with a capital letter in its name is listed but cannot be invoked",
    "duplicates": "the last copy wins, but is listed in the first copy's position; `~/.claude/skills` "
    "comes after the project's `.agents/skills`",
    "parser": "PyYAML between two `---` lines, as in deepagents 0.7.6; invalid names only cause warnings",
    "arguments": "`--skill NAME` and `/skill:NAME` send the whole file with its frontmatter, followed"
    " by the request; nothing is replaced",
    "tool": "none; the model reads the listed path with `read_file`",
    "loading": "the listing is in the system prompt and shows every skill with its path, license, "
    "compatibility and allowed tools. Three built-in skills come first; skilltool omits them",
    "repository": "project skills are loaded only from the root of a repository; without a `.git`, none are "
    "loaded",
    "links": "a SKILL.md that is a link is rejected. A skill in a linked directory is listed, but"
    " invoking it is denied unless the directory is allowed",
    "failure": "an impossible date, or another value that PyYAML cannot construct, aborts the run",
    "stand-ins": "`{builtin}` stands for the directory and the text of built-in skills",
}

DEEPAGENTS_CODE_0_1_57 = Runtime(
    id="deepagents-code@0.1.57",
    title="Deep Agents Code 0.1.57",
    docs="requests from deepagents-code 0.1.57 (PyPI, `dcode -n`) to a loopback model server;"
    " the program's source code",
    verified="2026-11-21, wire: 31 recorded cases",
    evidence="wire",
    schema="deepagents-code",
    roots=(
        Root(role="user", path_template="{home}/.deepagents/agent/skills", scope="user"),
        Root(role="user-agents", path_template="{home}/.agents/skills", scope="user"),
        Root(role="project", path_template="{project}/.deepagents/skills"),
        Root(role="project-agents", path_template="{project}/.agents/skills"),
        Root(role="user-claude", path_template="{home}/.claude/skills", scope="user"),
        Root(role="project-claude", path_template="{project}/.claude/skills"),
    ),
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(
            ("roots", "loading", "repository"), "the prompt in recorded requests; deepagents_code/agent.py"
        ),
        **dict.fromkeys(
            ("key", "duplicates", "parser", "limits", "links"),
            "the listing in recorded requests; deepagents_code/skills/load.py",
        ),
        **dict.fromkeys(
            ("arguments", "stand-ins"), "recorded requests; deepagents_code/skills/invocation.py"
        ),
        "tool": "recorded requests",
        "failure": "deepagents/middleware/skills.py of deepagents 0.7.6",
    },
    # It warns about such a name, and loads the skill.
    severities={
        **dict.fromkeys(("invalid-name", "long-name", "name-directory-mismatch"), Severity.INFO),
    },
    scan=scan,
    load=load,
    unsendable=unsendable,
    parse=partial(parse, with_tools=False),
    catalog=catalog,
    prompt=prompt,
    content=answers.text_at,
    user=user,
    typed=typed,
)

DEEPAGENTS_CODE = DEEPAGENTS_CODE_0_1_57._replace(id="deepagents-code", title="Deep Agents Code")

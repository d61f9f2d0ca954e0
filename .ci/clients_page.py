"""The page docs/clients.md: what each runtime does with the same small skills, found out by its profile."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import model_view
from model_view import MARK, NOT_KNOWN
from probing import DESCRIPTION, Link, keys, loads, opened, places, root_of, shown, skill

from skilltool import runtimes
from skilltool.runtimes.base import Runtime

_INTRO = Path(__file__).with_name("clients-intro.md").read_text("utf-8")
_DEEPEST = 8
Question = tuple[str, Callable[[Runtime], str]]


def page() -> str:
    """Return the page as Markdown."""
    known = [runtimes.get(name) for name in _order()]
    return "\n".join([_INTRO, *(_section(title, questions, known) for title, questions in _SECTIONS.items())])


def _order() -> tuple[str, ...]:
    """Return clients first, then the rest; a framework whose roots the user names is measured nowhere."""
    clients = runtimes.GROUPS["clients"]
    rest = (name for name in runtimes.BARE if name not in clients and not runtimes.get(name).any_roots)
    return (*clients, *rest)


def _section(title: str, questions: tuple[Question, ...], known: list[Runtime]) -> str:
    rows = [f"## {title}\n", "| client | " + " | ".join(name for name, _ in questions) + " |"]
    rows.append("|---" * (len(questions) + 1) + "|")
    for runtime in known:
        cells = (answer(runtime).replace("|", "\\|") for _, answer in questions)
        rows.append(f"| {runtime.id} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def _asked(answer: Callable[[Runtime], str]) -> Callable[[Runtime], str]:
    """Return an answer that is not known of a runtime whose skills no scan finds."""

    def asked(runtime: Runtime) -> str:
        if runtime.scan is None or runtime.load is None or root_of(runtime) is None:
            return NOT_KNOWN
        return answer(runtime)

    return asked


def _evidence(runtime: Runtime) -> str:
    return runtime.evidence


def _directories(scope: str) -> Callable[[Runtime], str]:
    def answer(runtime: Runtime) -> str:
        prefix = "~/" if scope == "user" else ""
        found = (path if path.startswith("/") else f"{prefix}{path}" for path in places(runtime, scope))
        return ", ".join(f"`{path}`" for path in found) or "\u2013"

    return answer


def _depth(runtime: Runtime) -> str:
    levels = range(1, _DEEPEST + 1)
    deep = [level for level in levels if keys(runtime, {f"{'d/' * (level - 1)}probe/SKILL.md": skill()})]
    return "any" if _DEEPEST in deep else str(max(deep, default="?"))


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _becomes(text: str) -> Callable[[Runtime], str]:
    """Return whether a SKILL.md is loaded, and listed where the listing is known."""

    def answer(runtime: Runtime) -> str:
        if not loads(runtime, text):
            return "no"
        return "yes" if runtime.catalog is None or "probe" in (shown(runtime, text) or "") else "not listed"

    return _asked(answer)


def _hidden(runtime: Runtime) -> str:
    return _yes(any(loads(runtime, skill(name), ".hidden") for name in ("hidden", ".hidden")))


def _loads(text: str | bytes, directory: str = "probe") -> Callable[[Runtime], str]:
    return _asked(lambda runtime: _yes(loads(runtime, text, directory)))


def _in_root(runtime: Runtime) -> str:
    return _yes(bool(keys(runtime, {"SKILL.md": skill()})))


def _linked(name: str, target: str) -> Callable[[Runtime], str]:
    def answer(runtime: Runtime) -> str:
        root = root_of(runtime)
        assert root is not None
        below = (root.path_template or "").partition("/")[2]
        away = "../" * (below.count("/") + 1)
        files = {name: Link(target), f"{away}elsewhere/probe/SKILL.md": skill()}
        return _yes(bool(keys(runtime, files)))

    return answer


def _file_names(runtime: Runtime) -> str:
    names = ("SKILL.md", "skill.md", "Skill.md", "SKILL.MD")
    return ", ".join(f"`{name}`" for name in names if keys(runtime, {f"probe/{name}": skill()})) or "\u2013"


def _copies(runtime: Runtime) -> str:
    """Say which of two copies of a name wins: the project's or the user's."""
    own, users = places(runtime, "project"), places(runtime, "user")
    if not own or not users:
        return "\u2013"
    with opened(
        runtime, {"probe/SKILL.md": skill()}, home={f"{users[0]}/probe/SKILL.md": skill()}
    ) as session:
        found = [each for each in session.skills if each.directory.name == "probe"]
        if any(lost.undetermined for lost in session.shadowed):
            return "ambiguous"
        inside = ["project" if each.directory.is_relative_to(session.project) else "user" for each in found]
    return " and ".join(sorted(set(inside))) or "neither"


def _rejected_names(runtime: Runtime) -> str:
    odd = {
        "`A_b`": "A_b",
        "`a b`": "a b",
        "`caf\u00e9`": "caf\u00e9",
        "`a--b`": "a--b",
        "65 characters": "x" * 65,
        "201 characters": "x" * 201,
    }
    refused = [what for what, name in odd.items() if not loads(runtime, skill(name), name)]
    return ", ".join(refused) or "none"


def _longest(runtime: Runtime) -> str:
    """Say what becomes of a description of 5,000 characters, and of the longest that loads."""
    sizes = (500, 501, 512, 1024, 1025, 1536, 1537, 5000)
    loading = [
        size for size in sizes if loads(runtime, skill(description=MARK * (size // 2) + "x" * (size % 2)))
    ]
    if not loading:
        return NOT_KNOWN
    if max(loading) < sizes[-1]:
        return f"rejected over {max(loading):,}"
    listing = shown(runtime, skill(description=MARK * 2500))
    if listing is None or MARK not in listing:
        return "not shown" if listing else NOT_KNOWN
    runs = [len(run) for run in re.findall(f"(?:{MARK})+{MARK[0]}?", listing)]
    if len(runs) > 1:  # how much stays may depend on the path
        return "truncated in the middle"
    kept = runs[0]
    return "no limit up to 5,000" if kept >= 5000 else f"truncated to {kept:,}"


def _listed(more: str) -> Callable[[Runtime], str]:
    def answer(runtime: Runtime) -> str:
        if runtime.catalog is None:
            return NOT_KNOWN
        if not loads(runtime, skill(more=more)):
            return "rejected"
        plain, with_field = shown(runtime, skill()) or "", shown(runtime, skill(more=more)) or ""
        mark = DESCRIPTION if DESCRIPTION in plain else "probe"
        return "listed" if mark in with_field else "hidden"

    return _asked(answer)


def _bad_bytes(runtime: Runtime) -> str:
    files = {"bad/SKILL.md": skill("bad").encode() + b"\xff\n", "probe/SKILL.md": skill()}
    with opened(runtime, files) as session:
        names = {each.directory.name for each in session.skills}
    if "probe" not in names:
        return "no skill loads"
    return "loaded" if "bad" in names else "skipped"


_SECTIONS: dict[str, tuple[Question, ...]] = {
    "Where it looks": (
        ("evidence", _evidence),
        ("project", _directories("project")),
        ("home", _directories("user")),
        ("depth", _asked(_depth)),
        ("file name", _asked(_file_names)),
        ("SKILL.md directly in it", _asked(_in_root)),
        ("`.hidden/`", _asked(_hidden)),
        ("linked directory", _asked(_linked("probe", "elsewhere/probe"))),
        ("linked file", _asked(_linked("probe/SKILL.md", "elsewhere/probe/SKILL.md"))),
        ("which of two copies", _asked(_copies)),
    ),
    "Which file it loads": (
        ("`a: b: c`", _loads(skill(description="Use when: always"))),
        ("repeated key", _loads(skill(more="description: Again.\n"))),
        ("byte order mark", _loads(b"\xef\xbb\xbf" + skill().encode())),
        ("CRLF", _loads(skill().replace("\n", "\r\n"))),
        ("blank line first", _loads("\n" + skill())),
        ("no frontmatter", _loads("# Text\n")),
        ("invalid UTF-8", _asked(_bad_bytes)),
    ),
    "Fields": (
        ("without `name`", _loads(skill(name=None))),
        ("name differs from directory", _loads(skill("other"))),
        ("rejected names", _asked(_rejected_names)),
        ("without `description`", _becomes(skill(description=None))),
        ("empty `description`", _becomes(skill(description='""'))),
        ("long `description`", _asked(_longest)),
        ("unknown field", _loads(skill(more="colour: red\n"))),
        ("`allowed-tools` as a list", _loads(skill(more="allowed-tools: [Read]\n"))),
        ("`disable-model-invocation: true`", _listed("disable-model-invocation: true\n")),
        ("`user-invocable: false`", _listed("user-invocable: false\n")),
    ),
    "What the model gets": (
        ("location of the listing", _asked(model_view.place)),
        ("escaped or removed in the listing", _asked(model_view.escaping)),
        ("listing budget", _asked(model_view.budget)),
        ("tool", _asked(model_view.tool)),
        ("replaced in the body", _asked(model_view.placeholders)),
        ("files listed with the text", _asked(model_view.files_listed)),
        ("call with an unknown name", _asked(model_view.unknown_name)),
    ),
}

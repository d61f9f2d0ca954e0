"""What people type, and what they must see; `{name}` and other words are those of the place."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.journeys.places import Place


@dataclass(frozen=True)
class Seen:
    """What must be seen of one run: all of these texts, and one of these statuses."""

    status: tuple[int, ...] = (0,)
    out: tuple[str, ...] = ()
    err: tuple[str, ...] = ()
    either: tuple[str, ...] = ()  # on standard output or standard error
    file: tuple[str, ...] = ()  # in what was written
    line: str = ""  # one line of standard output matches this regular expression
    noted: bool = False  # standard error says something, whatever it is
    json: tuple[tuple[str, str], ...] | None = None  # standard output is JSON, with these members at its top


@dataclass(frozen=True)
class Form:
    """A command as a person types it."""

    id: str
    command: str
    seen: Seen
    written: str = ""  # the pattern of the file that it writes, under the place's base


_CHECKED = Seen(out=("{body}",))
_RESOLVED = Seen(out=("{name}",), either=("{client}",))
_RENDERED = Seen(out=("{body}",), err=("{client}",))
_NEEDS = Seen(out=("{name}",), line=r"  \d+ files?, sha256:|skill +skills +outside|.*\"digest\": \"sha256:")
_ROUTED = Seen(either=("{client}",))
_COST = Seen(out=("{name}", "{client}"))
_ONE_SKILL = Seen(line=r"{client}\b.*(?<![\d.,])1(?![\d.,%])")  # in a summary: the client and that it has one


def _of_one_skill(client: str) -> Seen:
    """The line of a summary that says of this client that it has one skill."""
    return replace(_ONE_SKILL, line=_ONE_SKILL.line.replace("{client}", client))


_UNKNOWN = Seen((2,), err=("{typo}", "{name}"))
_EXPORTED = Seen(file=("{name}", "{description}", "{body}"))

FORMS = (
    Form("lint", "lint", _CHECKED),
    Form("lint PATH", "lint {path}", _CHECKED),
    Form("lint json", "lint --output-format json", replace(_CHECKED, json=())),
    Form(
        "baseline",
        "baseline",
        Seen(out=("skilltool-baseline.json",), file=("{name}",)),
        "**/skilltool-b*.json",
    ),
    Form("resolve", "resolve", _RESOLVED),
    Form("resolve NAME", "resolve {name}", _RESOLVED),
    Form("resolve PATH", "resolve {path}", _RESOLVED),
    Form("resolve all", "resolve --runtime all", _RESOLVED),
    Form("resolve NAME json", "resolve {name} --output-format json", replace(_RESOLVED, json=())),
    Form("resolve TYPO", "resolve {typo}", _UNKNOWN),
    Form("render NAME", "render {name}", _RENDERED),
    Form("render PATH", "render {path}", _RENDERED),
    Form("render PLUGIN:NAME", "render {key}", _RENDERED),
    Form("render NAME --args", "render {name} --args 'blue moon'", _RENDERED),
    Form("render NAME all", "render {name} --runtime all", Seen(out=("{body}", "{client}"))),
    Form("render NAME two", "render {name} --runtime claude-code,codex", Seen(out=("{body}",))),
    Form(
        "render NAME json",
        "render {name} --output-format json",
        Seen(out=("{body}",), json=(("runtime", "{client}"),)),
    ),
    Form("render TYPO", "render {typo}", _UNKNOWN),
    Form("cost", "cost", _COST),
    Form("cost NAME", "cost {name}", _COST),
    Form("cost PATH", "cost {path}", _COST),
    Form("cost all", "cost --runtime all", _COST),
    Form("cost json", "cost --output-format json", replace(_COST, json=())),
    Form("cost TYPO", "cost {typo}", _UNKNOWN),
    Form("route", "route", _ROUTED),
    Form("needs", "needs", _NEEDS),
    Form("needs NAME", "needs {name}", _NEEDS),
    Form("needs PATH", "needs {path}", _NEEDS),
    Form("needs json", "needs --output-format json", replace(_NEEDS, json=())),
    Form("needs TYPO", "needs {typo}", _UNKNOWN),
    Form("preview --export", "preview --export {file}", _EXPORTED, "out/page.html"),
    Form("preview --export all", "preview --export {file} --runtime all", _EXPORTED, "out/page.html"),
    Form("pack PATH", "pack {path}", Seen(out=("{name}",), file=("{description}", "{body}")), "**/*.skill"),
    Form("new", "new {other} --no-input", Seen(out=("{other}",), file=("name: {other}",)), "{new}/SKILL.md"),
)

# Where the design says something else of a place; the first of several is the best, the others are right too.
_NOTHING = (Seen((2,), err=("~/.claude/skills",)),)  # nothing to check, and what there is at home
_NO_CLIENT = (Seen((0, 1), either=("{name}",)),)  # no client looks here, yet the skill is not passed over
_NO_CLIENT_COST = (_COST, _ONE_SKILL, *_NO_CLIENT)
_ELSEWHERE = (Seen((0, 1), either=("--project", "packages/api")),)
_LISTED = Seen(out=("{name}",))  # by whichever client: mycodeagent has `skills` for its own
_BY_CRUSH = Seen(out=("{name}", "crush"))
_REPORTED = (Seen(out=("{body}",)), Seen((2,), err=("cursor",)))  # what cursor gives its model is not known
_SHADOWED = Seen((1,), err=("claude-code", "~/.claude/skills/{name}"))  # the copy that is loaded
_BELOW = Seen((0, 1), either=("--project",))  # here a client that is named sees nothing; this shows how to

_UNOWNED: dict[str, tuple[Seen, ...]] = {
    "resolve": _NO_CLIENT,
    "resolve all": _NO_CLIENT,
    "cost": _NO_CLIENT_COST,
    "cost all": _NO_CLIENT_COST,
    "cost json": (replace(_COST, json=()), *_NO_CLIENT),
    "route": (_ROUTED,),
}
_EXCEPTIONS: dict[str, dict[str, tuple[Seen, ...]]] = {
    "library": {
        "resolve": (_LISTED,),
        "resolve all": (_LISTED,),
        "cost": (_LISTED, _ONE_SKILL, _of_one_skill("mycodeagent")),
        "cost all": (_LISTED, _ONE_SKILL, _of_one_skill("mycodeagent")),
        "cost json": (replace(_LISTED, json=()),),
    },
    "project and home": {  # of which claude-code takes the copy at home
        "render NAME": (replace(_RENDERED, out=("{copy2}",)),),
        "render PATH": (_SHADOWED, _RENDERED),
        "cost PATH": (Seen(out=("{name}", "opencode")), _SHADOWED),  # opencode takes the other
    },
    "home only": {"lint": _NOTHING, "lint json": _NOTHING, "baseline": _NOTHING},
    "one skill": _UNOWNED,
    "parent of one skill": _UNOWNED,
    "marketplace": _UNOWNED,
    "monorepo": {  # whoever names a client, sees what that one finds when started at the top
        "resolve all": _ELSEWHERE,
        "cost all": (_COST, _ONE_SKILL, *_ELSEWHERE),
    },
    ".cursor/skills": {
        "resolve all": (_LISTED,),
        "render NAME": _REPORTED,
        "render PATH": _REPORTED,
        "render NAME all": _REPORTED,
        "render NAME json": (replace(_REPORTED[0], json=()), _REPORTED[1]),
        "render NAME --args": (*_REPORTED, Seen((2,), err=("takes no arguments",))),
        # crush looks there, too, of which it is known what it lists
        **dict.fromkeys(("resolve", "resolve NAME", "resolve PATH", "cost NAME", "cost PATH"), (_BY_CRUSH,)),
        **dict.fromkeys(("cost", "cost all"), (_BY_CRUSH, _of_one_skill("crush"))),
        "cost json": (replace(_BY_CRUSH, json=()),),
        "route": (_ROUTED, Seen((0, 1), either=("crush",))),
        "preview --export": (Seen(file=("{name}", "{description}")),),
        "preview --export all": (Seen(file=("{name}", "{description}")),),
    },
}

_TAKE_ARGUMENTS = {"claude-code", "goose"}
_IGNORE_ARGUMENTS = {"qwen-code"}


def typed(form: Form, place: Place) -> bool:
    """Whether anybody types this there: only a plugin's skill has the plugin's name before its own."""
    return bool(place.plugin) or "{key}" not in form.command


def seen(form: Form, place: Place, variant: str) -> tuple[Seen, ...]:
    """Return what may be seen, the best first."""
    best = _seen(form, place, variant)
    below = variant == "below" and place.cwd != place.below and not place.above
    return (*best, _BELOW) if below and form.id in {"resolve all", "cost all"} else best


def _seen(form: Form, place: Place, variant: str) -> tuple[Seen, ...]:
    exception = _EXCEPTIONS.get(place.id, {}).get(form.id)
    if exception is not None:
        return exception
    if form.id == "lint" and variant == "below" and place.cwd != place.below:
        return (replace(form.seen, noted=True),)
    if form.id in {"cost", "cost all"}:
        return (form.seen, _ONE_SKILL)
    if form.id == "render NAME --args":
        return (_with_arguments(form.seen, place.client),)
    if form.id == "render NAME two":
        return _of_two(place)
    if form.id == "render NAME" and place.id == "copies of several clients":
        return (Seen(out=("{body}", "{copy1}"), err=("claude-code", "codex", "gemini-cli")),)
    if place.plugin and form.id in {"render NAME", "render PATH", "render PLUGIN:NAME"}:
        return (replace(form.seen, either=("{plugin}",)),)
    return (form.seen,)


def _with_arguments(found: Seen, client: str) -> Seen:
    if client in _TAKE_ARGUMENTS:
        return replace(found, out=(*found.out, "blue moon"))
    return found if client in _IGNORE_ARGUMENTS else Seen((2,), err=("takes no arguments", "{client}"))


def _of_two(place: Place) -> tuple[Seen, ...]:
    """What `--runtime claude-code,codex` gives: a section for each, or that neither has it."""
    if place.id == "copies of several clients":
        return (Seen(out=("{copy1}", "{copy2}", "claude-code", "codex")),)
    if place.two:
        return (Seen(out=("{body}", *place.two)),)
    return (Seen(out=("{body}",)), Seen((1,), either=("{name}", "claude-code", "codex")))

"""What does each runtime answer to files and calls that are not as they should be, in full?

`python -m tests.support.outcomes` writes the answers to `tests/outcomes`, for the diff to be read: a change
of an outcome must be meant. Root may read everything, so do not be root (CONTRIBUTING.md says how). What
the running programs answer is in `tests/goldens` and comes before it.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from skilltool import runtimes
from skilltool.findings.diagnostic import Diagnostic
from skilltool.lint import settings
from skilltool.lint.check import check_directory
from skilltool.lint.config import Config
from skilltool.rules import NAMES
from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.values import Refusal, Result
from skilltool.skill.skill_file import MAX_BYTES
from tests.support.manifests import manifest_data
from tests.support.outcome_texts import BODIES, GOOD, TEXTS
from tests.support.outcome_trees import CALLS, CHANGES, LOCKED, TREES, TYPED
from tests.support.roots import DISTINCT, own_root

FOLDER = Path(__file__).parents[1] / "outcomes"
_LONGEST = 160  # characters of a text that are kept as they are
_PATH = 200  # characters of the path below which the files are

Outcomes = Iterator[tuple[str, Any]]


def of_texts(runtime: Runtime, _: Path) -> Outcomes:
    """Yield what the runtime reads from each text; what a library says is left out."""
    assert runtime.parse is not None
    for case, raw in TEXTS.items():
        try:
            yield case, manifest_data(runtime.parse(raw, "a"))
        except Refusal as refusal:
            said = None if refusal.message is None or refusal.library else refusal.message
            why = refusal.why.replace(refusal.library, "...") if refusal.library else refusal.why
            yield case, {"refused": why, "says": said, "kind": refusal.kind, "line": refusal.line}


def of_findings(runtime: Runtime, base: Path) -> Outcomes:
    """Yield what all rules find in each text, with the edits of fixes."""
    asked = settings.resolve(Config(), {"runtimes": [runtime.id], "select": [*NAMES], "paths": [base]})
    for case, raw in {**TEXTS, **BODIES}.items():
        if len(raw) < MAX_BYTES:
            _write_skill(base / "a", raw)
            yield case, [_finding(each) for each in check_directory(base / "a", asked).diagnostics]


def _finding(each: Diagnostic) -> list[Any]:
    start, end = each.location.start, each.location.end
    place = f"{start.line}:{start.column}-{end.line}:{end.column}"
    said = [f"{place}: {each.severity}[{each.rule}]: {each.message}", each.help, each.notes]
    return said if each.fix is None else [*said, each.fix.safe, each.fix.rename, each.fix.edits]


def of_trees(runtime: Runtime, base: Path) -> Outcomes:
    """Yield the session that each tree of files gives, in the runtime's first two roots."""
    return _sessions(runtime, base, TREES)


def of_locked_trees(runtime: Runtime, base: Path) -> Outcomes:
    """Yield the session that each tree gives in which something may not be read."""
    return _sessions(runtime, base, LOCKED)


def of_changes(runtime: Runtime, base: Path) -> Outcomes:
    """Yield what is answered about a skill whose files have changed since it was loaded."""
    for case, change in CHANGES.items():
        session = _opened(runtime, base / case.replace(" ", "-"), _two_old_skills)
        skill = next(each for each in session.skills if each.directory.name == "a")
        change(skill.directory)
        answers: dict[str, Any] = {}
        if runtime.call is not None:
            answers["call"] = _answer(session.call({runtime.parameter or "name": skill.key}))
        if runtime.content is not None:
            answers["content"] = runtime.content(session, skill)
        if runtime.user is not None:
            answers["typed"] = [*session.user(runtime.typed(skill) if runtime.typed else f"/{skill.key}")]
        if runtime.context is not None:
            answers["context"] = session.context("use a")
        yield case, {**answers, "listing": session.prompt()}


def _sessions(runtime: Runtime, base: Path, trees: Mapping[str, Callable[[list[Path]], None]]) -> Outcomes:
    for case, build in trees.items():
        session = _opened(runtime, base / case.replace(" ", "-"), build)
        yield (
            case,
            {
                "skills": [[each.key, each.name, each.role, each.display_path] for each in session.skills],
                "shadowed": [[os.fspath(each.skill.directory), each.why] for each in session.shadowed],
                "skipped": [[*each] for each in session.skipped],
                "logs": [[*each] for each in session.logs],
                "failure": session.failure,
                "listing": session.prompt(),
            },
        )


def _answer(result: Result) -> list[Any]:
    """Return the fields of an answer, but not the one that has the answer to a call with permission."""
    return [value for name, value in result._asdict().items() if name != "permission"]


def of_calls(runtime: Runtime, base: Path) -> Outcomes:
    """Yield the answers of one session to each call, typed text and message, one after the other."""
    session = _opened(runtime, base / "calls", _two_skills)
    yield "tool", session.tool()
    for case, arguments in CALLS.items() if runtime.call is not None else ():
        given = {runtime.parameter or "name": arguments["@"]} if "@" in arguments else arguments
        rest = {key: value for key, value in arguments.items() if key != "@"} if "@" in arguments else {}
        yield f"call {case}", _answer(session.call({**given, **rest} if isinstance(given, dict) else given))
    if runtime.call is not None:
        yield "another tool", _answer(session.call({"name": "a"}, "other"))
    for text in TYPED if runtime.user is not None else ():
        yield f"typed {text}", [*session.user(text)]
    for text in TYPED if runtime.context is not None else ():
        yield f"message {text}", session.context(text)


KINDS: Mapping[str, tuple[Callable[[Runtime, Path], Outcomes], tuple[str, ...]]] = {
    "texts": (of_texts, tuple(name for name in DISTINCT if runtimes.get(name).parse)),
    "findings": (of_findings, ("portable", "claude-code", "codex", "kodelet")),
    "trees": (of_trees, tuple(DISTINCT)),
    "calls": (of_calls, tuple(DISTINCT)),
    "changes": (of_changes, tuple(DISTINCT)),
    "locked": (of_locked_trees, tuple(DISTINCT)),
}


def found(kind: str, runtime_id: str, base: Path) -> dict[str, Any]:
    """Return the outcome of each case as JSON-like data, with `{base}` for the path of the directory."""
    function, _ = KINDS[kind]
    fixed = base / ("x" * (_PATH - len(os.fspath(base)) - 1))  # some runtimes count what paths take
    answers = function(runtimes.get(runtime_id), fixed)
    return {case: _plain(each, os.fspath(fixed)) for case, each in answers}


def recorded(kind: str, runtime_id: str) -> dict[str, Any]:
    """Return the recorded outcome of each case."""
    lines = map(json.loads, (FOLDER / f"{kind}.jsonl").read_text("utf-8").splitlines())
    return {each["case"]: each["outcome"] for each in lines if runtime_id in each["runtimes"]}


def _write_skill(folder: Path, raw: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_bytes(raw)


def _two_skills(roots: list[Path]) -> None:
    for name in ("a", "b"):
        _write_skill(roots[0] / name, GOOD % name.encode())


def _two_old_skills(roots: list[Path]) -> None:
    """Write two skills long ago, as some runtimes look for a change of times only."""
    _two_skills(roots)
    for path in (roots[0], *roots[0].rglob("*")):
        os.utime(path, (1e9, 1e9))


def _opened(runtime: Runtime, base: Path, build: Callable[[list[Path]], None]) -> Session:
    project, home = base / "project", base / "home"
    for top in (project, home):
        top.mkdir(parents=True)
    roots = {each.role: project / each.role for each in runtime.roots if each.path_template is None}
    if runtime.any_roots:
        roots = {"one": project / "one", "two": project / "two"}
    usual = [each for each in runtime.roots if each.path_template and each.unscanned is None]
    first = own_root(runtime)
    usual.sort(key=lambda each: each is not first)
    places = [Path(each.path_template.format(project=project, home=home)) for each in usual]  # type: ignore[union-attr]
    build([*places, *roots.values(), project / "elsewhere"][:2])
    if runtime.any_roots and not runtime.ground and not os.path.lexists(roots["two"]):
        with suppress(PermissionError):
            roots["two"].mkdir(parents=True)  # without it some load nothing at all
    return runtime.open(project, home, {}, roots)


def _plain(value: Any, base: str) -> Any:
    """Return a value as JSON-like data; a long text becomes its beginning, length and hash."""
    if isinstance(value, Path):
        value = os.fspath(value)
    if isinstance(value, str):
        text = value.replace(base, "{base}").encode("utf-8", "backslashreplace").decode()
        if len(text) <= _LONGEST:
            return text
        return f"{text[:80]}... {len(text)} characters, {sha256(text.encode()).hexdigest()[:12]}"
    if isinstance(value, Mapping):
        return {str(key): _plain(each, base) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each, base) for each in value]
    return value if value is None or isinstance(value, bool | int) else repr(value)  # NaN is equal to nothing


def _write() -> None:
    for kind, (_, ids) in KINDS.items():
        lines: dict[str, dict[str, Any]] = {}
        for name in ids:
            with tempfile.TemporaryDirectory() as base:
                for case, outcome in found(kind, name, Path(base)).items():
                    key = json.dumps([case, outcome])
                    entry = lines.setdefault(key, {"case": case, "runtimes": [], "outcome": outcome})
                    entry["runtimes"].append(name)
        ordered = sorted(lines.values(), key=lambda each: (each["case"], each["runtimes"]))
        text = "".join(json.dumps(each) + "\n" for each in ordered)
        (FOLDER / f"{kind}.jsonl").write_text(text, "utf-8")


if __name__ == "__main__":
    _write()

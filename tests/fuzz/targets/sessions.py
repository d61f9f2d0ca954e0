"""Every runtime opens any tree, lists it, and answers any call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.runtimes.base import Runtime, Session
from tests.fuzz.box import command, write_tree
from tests.fuzz.skills import DOCUMENTS

_json: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
_words = st.one_of(st.sampled_from(["a", "b-c", "A", "", "../a", "a/../a", "p:a"]), st.text(max_size=12))
_arguments = st.one_of(
    st.dictionaries(
        st.sampled_from(["name", "skill_name", "skill", "args", "x"]), st.one_of(_words, _json), max_size=3
    ),
    st.text(max_size=20),
    st.sampled_from(
        ['{"name": "a"', '{"skill_name": "a"}', "[]", "null", '{"name": "\\ud800"}', "1e999", "{" * 99]
    ),
)
_places = st.sampled_from(["a", "b-c", "A", "x/y", "é", ".hidden", "p/skills/a", "z", "a\nb", "::error::x"])
_trees = st.dictionaries(_places, DOCUMENTS, max_size=4)
INPUTS = st.tuples(st.sampled_from(runtimes.IDS), _trees, st.lists(_arguments, max_size=3), _words)


def check(drawn: tuple[str, dict[str, bytes], list[Any], str], place: Path) -> None:
    name, files, calls, query = drawn
    runtime = runtimes.get(name)
    session = _opened(runtime, place, files)
    session.catalog()
    session.prompt()
    session.tool()
    session.context(query)
    for arguments in calls if runtime.call is not None else ():
        answer = session.call(arguments)
        assert isinstance(answer.text, str) or answer.is_error
        session.context(query)
    for skill in session.skills:
        assert session.find(skill.key) is not None
    command("resolve", "--runtime", name, "--output-format", "json")


def _opened(runtime: Runtime, place: Path, files: dict[str, bytes]) -> Session:
    home = place / "home"
    home.mkdir()
    roots = {"one": place / "one"} if runtime.any_roots else {}
    given = {root.role: place / root.role for root in runtime.roots if root.path_template is None}
    templates = [
        root.path_template.format(project=place, home=home) for root in runtime.roots if root.path_template
    ]
    for top in [*roots.values(), *given.values(), *map(Path, templates)][:2]:
        write_tree(top, {f"{each}/SKILL.md": raw for each, raw in files.items()})
    existing = {role: path for role, path in (roots | given).items() if path.exists()}
    return runtime.open(place, home, {}, existing)

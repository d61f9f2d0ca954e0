"""What holds for every runtime and any tree of files: it opens, and what it lists it renders."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.loading import TOO_LARGE
from skilltool.runtimes.values import LoadedSkill, Manifest, Refusal, Refused
from tests.conftest import examples

LINES = st.sampled_from(
    [
        *(
            "---",
            "--- ",
            "----",
            "name: a",
            "name: b-c",
            "name: 12",
            "name: [x]",
            "name: é",
            'name: "a"',
            "name: ~",
        ),
        *(
            "description: d",
            'description: <a> & "b"',
            "description: a --- b",
            "description: >",
            "  folded",
            "description:",
        ),
        *(
            "triggers:",
            "  keywords: [a, b]",
            "  patterns: ['(']",
            "toolsets: ['x:Y']",
            "a: &x 1",
            "b: *x",
            "<<: *x",
            "$ARGUMENTS",
        ),
        *(
            "# Title",
            "",
            "\ttab",
            "text: with: colons",
            "\x00",
            "\ufeff",
            "\u2028",
            "{{workspace}}",
            "- item",
            "? x",
            "!!binary a",
        ),
    ]
)
TEXTS = st.lists(LINES, max_size=9).map("\n".join)
DOCUMENTS = st.one_of(
    TEXTS.map(str.encode),
    TEXTS.map(lambda text: f"---\nname: a\ndescription: d\n---\n{text}\n".encode()),
    TEXTS.map(lambda text: f"---\nname: a\n{text}\n---\nbody\n".encode()),
    st.binary(max_size=60),
)
PLACES = st.sampled_from(["a", "b-c", "A", "x/y", "é", ".hidden", "z"])
ARGUMENTS: st.SearchStrategy[Any] = st.one_of(
    st.text(max_size=20),
    st.dictionaries(
        st.sampled_from(["name", "skill_name", "args", "x"]),
        st.one_of(st.none(), st.integers(), st.text(max_size=5), st.lists(st.integers(), max_size=2)),
        max_size=3,
    ),
)


def opened(runtime: Runtime, base: Path, files: dict[str, bytes]) -> Session:
    project, home = base / "project", base / "home"
    for place in (project, home):
        place.mkdir(parents=True)
    roots: dict[str, Path] = {"one": project / "one"} if runtime.any_roots else {}
    for root in runtime.roots:
        if root.path_template is None:
            roots[root.role] = project / root.role
    tops = [
        *roots.values(),
        *(Path(r.path_template.format(project=project, home=home)) for r in runtime.roots if r.path_template),
    ]
    for top in tops[:2]:
        for name, raw in files.items():
            (top / name).mkdir(parents=True, exist_ok=True)
            (top / name / "SKILL.md").write_bytes(raw)
    return runtime.open(project, home, {}, {role: path for role, path in roots.items() if path.exists()})


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("runtime_id", runtimes.IDS)
@settings(max_examples=examples(60))
@given(files=st.dictionaries(PLACES, DOCUMENTS, max_size=4), arguments=ARGUMENTS, query=st.text(max_size=20))
def test_any_tree_opens_and_what_is_listed_is_rendered(
    runtime_id: str,
    tmp_path_factory: pytest.TempPathFactory,
    files: dict[str, bytes],
    arguments: Any,
    query: str,
) -> None:
    runtime = runtimes.get(runtime_id)
    session = opened(runtime, tmp_path_factory.mktemp("tree"), files)
    session.catalog()
    session.prompt()
    session.tool()
    session.context(query)
    if runtime.call is not None:
        session.call(arguments)
    for skill in session.skills:
        if runtime.content is not None and skill.role != "builtin":
            assert isinstance(runtime.content(session, skill), str)
        if runtime.call is not None and runtime.parameter and skill.role != "builtin":
            fresh = runtime.open(
                session.project,
                session.home,
                {},
                {r.role: r.path for r in session.roots if r.exists and runtime.any_roots},
            )
            found = fresh.call({runtime.parameter: skill.key})
            assert not found.is_error, found.text
        if runtime.load is not None and skill.directory.exists():
            assert isinstance(runtime.load(skill.directory), LoadedSkill)


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("runtime_id", [name for name in runtimes.IDS if runtimes.get(name).parse])
@settings(max_examples=examples(100))
@given(raw=DOCUMENTS)
def test_any_text_is_parsed_or_refused(runtime_id: str, raw: bytes) -> None:
    parse = runtimes.get(runtime_id).parse
    assert parse is not None
    with suppress(Refusal):
        assert isinstance(parse(raw, "a"), Manifest)


@pytest.mark.together
@pytest.mark.parametrize("runtime_id", runtimes.IDS)
def test_a_session_has_each_root_once_and_all_that_the_profile_names(runtime_id: str, tmp_path: Path) -> None:
    runtime = runtimes.get(runtime_id)
    found = [(root.role, root.path) for root in opened(runtime, tmp_path, {"a": b""}).roots]
    assert len(set(found)) == len(found)
    usual = {root.role for root in runtime.roots if root.scope in ("project", "user") and root.path_template}
    assert usual <= {role for role, _ in found}


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("runtime_id", [name for name in runtimes.IDS if runtimes.get(name).load])
def test_a_file_of_1_mib_is_read_and_a_larger_one_is_not(runtime_id: str, tmp_path: Path) -> None:
    runtime = runtimes.get(runtime_id)
    assert runtime.load is not None
    head = b"---\nname: forms\ndescription: Fills in forms.\n---\n"
    file = tmp_path / "forms" / "SKILL.md"
    file.parent.mkdir()
    for size, is_read in ((1 << 20, True), ((1 << 20) + 1, False)):
        file.write_bytes(head + b"x" * (size - len(head)))
        found = runtime.load(file.parent)
        own_limit = isinstance(found, Refused) and "larger than" in found.why and found.why != TOO_LARGE
        assert own_limit or (isinstance(found, Refused) and found.why == TOO_LARGE) is not is_read
        if runtime.parse is not None:  # which may leave that to what reads the file
            refuses = _is_too_large(runtime.parse, head + b"x" * (2 << 20))
            assert _is_too_large(runtime.parse, file.read_bytes()) is (refuses and not is_read)


def _is_too_large(parse: Callable[[bytes, str], object], raw: bytes) -> bool:
    try:
        parse(raw, "forms")
    except Refusal as refusal:
        return refusal.why == TOO_LARGE
    return False

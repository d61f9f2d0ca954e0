"""What counts as the same: texts with holes, listings in parts, tools, and results changed by chance."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.capture import clients, probes, run
from skilltool.capture.client import Client, Place
from skilltool.capture.compare import (
    CHANGED,
    NONE,
    NOT_CAPTURED,
    SAME,
    Captured,
    Comparison,
    compare,
    compare_failure,
    expected,
    masked,
)
from skilltool.capture.segments import Difference, filled, is_same, shown
from skilltool.runtimes.fixed_text import fixed_text, unmeasured_text
from skilltool.runtimes.values import Refused

TEXT = st.text(st.sampled_from("ab\n<"), max_size=6)


def test_a_hole_stands_for_text_of_its_length_and_digest() -> None:
    sha = hashlib.sha256(b"four").hexdigest()
    assert is_same(f"a {fixed_text(4, sha)} b", "a four b")
    assert not is_same(f"a {fixed_text(4, sha)} b", "a five b")
    assert is_same(f"a {unmeasured_text(4)} b", "a five b")
    assert not is_same(f"a {unmeasured_text(4)} b", "a three b")
    assert is_same("{builtin}: x", "anything\nelse: x")
    assert not is_same("{builtin}: x", "anything: y")
    assert not is_same("{other}: x", "anything: x")


@pytest.mark.slow
@given(TEXT, TEXT, TEXT, TEXT)
def test_a_text_with_a_hole_is_the_same_whatever_is_in_the_hole(a: str, b: str, c: str, hole: str) -> None:
    ours = f"{a}{unmeasured_text()}{b}{unmeasured_text(len(c))}{a}end"
    theirs = f"{a}{hole}{b}{c}{a}end"
    assert is_same(ours, theirs)
    assert not is_same(ours, f"{theirs}x")


def test_a_difference_is_shown_where_it_is() -> None:
    ours = f"start\n{unmeasured_text()} end\nold\nlast"
    difference = Difference("entries", "x", ours, "start\nwhatever end\nnew\nlast")
    assert list(shown(difference)) == ["- old", "+ new"]
    long = "x" * 200
    lines = list(shown(Difference("entries", "x", f"{long}a{long}", f"{long}b{long}")))
    assert lines == [f"- ...{'x' * 48}a{'x' * 47}...", f"+ ...{'x' * 48}b{'x' * 47}..."]
    assert list(shown(Difference("entries", "x", None, "a\nb"))) == ["+ a", "+ b"]
    assert filled("a {builtin} b", "a real b") == "a real b"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with run.private_place(tmp_path_factory.mktemp("capture")) as made:
        run.lay_probes(CLIENT, made)
        run.write_files(CLIENT, made)
        yield made


CLIENT = clients.get("gemini-cli")


def as_sent(client: Client, place: Place) -> tuple[Captured, tuple[str, ...]]:
    """What a client sends that does what our profile says, and the keys of the skills that are called."""
    session = run.open_session(client, place)
    calls = client.calls(session)
    results = {key: masked(session.call(call.arguments).text or "", place) for key, call in calls}
    listing = masked(session.catalog() or "", place)
    return Captured(listing, session.tool(), results), tuple(key for key, _ in calls)


def outcome(place: Place, captured: Captured, keys: tuple[str, ...]) -> Comparison:
    session = run.open_session(CLIENT, place)
    return compare(CLIENT, expected(CLIENT, place, session, keys, "hello"), captured, keys)


def test_what_our_profile_says_is_the_same(place: Place) -> None:
    found = outcome(place, *as_sent(CLIENT, place))
    assert dict(found.parts) == dict.fromkeys(found.parts, SAME)
    assert list(found.parts) == ["discovery", "frame", "entries", "tool", "results"]
    assert found.own == 2
    assert found.differences == ()


CHANGES = {
    "discovery": ("<name>plain</name>", "<name>gone</name>"),
    "frame": ("# Available Agent Skills", "# Skills"),
    "entries": ("Folded over", "Folded below"),
}


@pytest.mark.parametrize("part", CHANGES)
def test_each_part_of_a_listing_is_told_apart(place: Place, part: str) -> None:
    captured, keys = as_sent(CLIENT, place)
    assert captured.listing is not None
    changed = captured._replace(listing=captured.listing.replace(*CHANGES[part]))
    found = outcome(place, changed, keys)
    assert found.changed == [part]
    assert {each.part for each in found.differences} == {part}


def test_chance_and_the_clients_own_skills_are_no_change(place: Place) -> None:
    captured, keys = as_sent(CLIENT, place)
    assert captured.listing is not None
    assert captured.tool is not None
    entries = captured.listing.split("  <skill>\n")
    others = [
        entries[0],
        *reversed([each for each in entries[1:-1] if "skill-creator" not in each]),
        entries[-1],
    ]
    tool = json.loads(json.dumps(captured.tool))
    names = tool["parametersJsonSchema"]["properties"]["name"]["enum"]
    names[:] = ["brand-new", *reversed(names)]
    tool["description"] = tool["description"].replace("'plain', ", "").replace("'twice'", "'twice', 'plain'")
    found = outcome(place, Captured("  <skill>\n".join(others), tool, captured.results), keys)
    assert found.changed == []


def test_results_and_tools_that_changed(place: Place) -> None:
    captured, keys = as_sent(CLIENT, place)
    assert captured.tool is not None
    results = {**captured.results, "plain": "other"}
    del results["tabs"]
    tool = {**captured.tool, "description": "other"}
    found = outcome(place, Captured(captured.listing, tool, results), keys)
    assert found.changed == ["tool", "results"]
    assert sorted((each.name, each.theirs) for each in found.differences[1:]) == [
        ("plain", "other"),
        ("tabs", None),
    ]


def test_what_was_not_captured_is_said(place: Place) -> None:
    captured, keys = as_sent(CLIENT, place)
    without = outcome(place, captured._replace(tool=None, results={}), keys)
    assert (without.parts["tool"], without.parts["results"]) == (CHANGED, NOT_CAPTURED)
    found = outcome(place, Captured(None, None, {}), ("plain",))
    assert set(found.parts.values()) == {NOT_CAPTURED}
    assert outcome(place, as_sent(CLIENT, place)[0], ()).parts["results"] == NONE
    assert CHANGED not in found.parts.values()


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("name", clients.IDS)
def test_every_client_reads_its_own_listing(name: str, tmp_path: Path) -> None:
    """The regular expressions of each client find the entries in what our profile lists."""
    client = clients.get(name)
    with run.private_place(tmp_path) as place:
        run.lay_probes(client, place)
        run.write_files(client, place)
        session = run.open_session(client, place)
        listing = session.catalog()
        assert listing is not None
        sent = masked(f"Before.\n{listing}", place)
        body = json.dumps({"messages": [{"role": "system", "content": sent}]})
        captured = run.read(client, place, [["/v1/chat/completions", body]], ())
        assert captured.listing == masked(listing, place).lstrip("\n")
        found = compare(client, expected(client, place, session, (), "hello"), captured, ())
        parts = {part: outcome for part, outcome in found.parts.items() if part in CHANGES}
        assert parts == dict.fromkeys(CHANGES, SAME)
        assert found.listed >= 15


def test_an_error_that_ends_the_start_is_compared() -> None:
    client = clients.get("google-adk")
    assert compare_failure(client, "bad name", "Traceback\nValueError: bad name\n").parts == {
        "discovery": SAME
    }
    found = compare_failure(client, "bad name", "Traceback\nValueError: no name\n\n")
    assert found.parts == {"discovery": CHANGED}
    assert [each.theirs for each in found.differences] == ["ValueError: no name"]
    assert compare_failure(clients.get("agno"), "bad name", "other").changed == []


def test_probes_differ_in_one_thing_each() -> None:
    found = probes.probes()
    skills = [each for each in found if each.path.endswith("SKILL.md")]
    assert len(skills) >= 30
    assert len({(each.where, each.path) for each in found}) == len(found)
    assert len({each.text for each in skills}) == len(skills)
    assert all(each.why for each in found)
    assert any("\ufeff" in each.text for each in found)
    assert max(len(each.text) for each in found) > 1700


def test_a_strict_library_gets_only_skills_that_it_loads(tmp_path: Path) -> None:
    client = clients.get("agno")
    with run.private_place(tmp_path) as place:
        run.lay_probes(client, place)
        load = run.runtimes.get("agno").load
        assert load is not None
        loaded = [load(folder) for folder in run.skill_directories(client, place)[0].iterdir()]
    assert len(loaded) > 10
    assert not any(isinstance(each, Refused) for each in loaded)

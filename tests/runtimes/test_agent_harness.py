"""agent-harness: what the goldens have too few cases of, against the answers of the real libraries.

`tests/libraries/NAME-VERSION.jsonl` holds generated texts and what that library said of each.
"""

from __future__ import annotations

import json
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.emulation import javascript, npm_yaml
from skilltool.runtimes.agent_harness import parse
from skilltool.runtimes.values import Refusal
from skilltool.text.frontmatter.nodes import BoundError
from tests.support.manifests import manifest_data

LIBRARIES = Path(__file__).parents[1] / "libraries"
HARNESS = runtimes.get("agent-harness@0.3.24")


def parsed(raw: bytes, directory: str | None) -> dict[str, Any]:
    return manifest_data(parse(raw, directory))


def answers(library: str) -> list[dict[str, Any]]:
    lines = (LIBRARIES / f"{library}.jsonl").read_text("utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def same(ours: Any, theirs: Any) -> bool:
    """Whether data is the same after JSON, which has no NaN, no infinity and one kind of number."""
    if isinstance(ours, float) and (ours != ours or abs(ours) == float("inf")):
        return theirs is None
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return list(ours) == list(theirs) and all(same(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return isinstance(ours, bool) == isinstance(theirs, bool) and bool(ours == theirs)


@pytest.mark.together
@pytest.mark.parametrize(
    "answer",
    answers("yaml-2.8.2") + answers("yaml-2.8.2-marks"),
    ids=lambda answer: repr(answer["text"])[:40],
)
def test_yaml_is_read_or_refused_as_by_the_library(answer: dict[str, Any]) -> None:
    if "data" in answer:
        assert same(npm_yaml.load(answer["text"]), answer["data"])
        return
    with pytest.raises(npm_yaml.NotParsedError) as refused:
        npm_yaml.load(answer["text"])
    assert refused.value.parse_error == (answer["error"] == "YAMLParseError")


# Measured with `yaml` 2.8.2: what has no scalar in it weighs nothing.
@pytest.mark.parametrize(
    ("anchored", "uses", "is_read"),
    [("[]", 150, True), ("[[], {}]", 150, True), ("[1]", 99, True), ("[1]", 100, False), ("1", 100, False)],
)
def test_aliases_are_counted_as_by_the_library(anchored: str, uses: int, is_read: bool) -> None:
    text = f"a: &x {anchored}\nb: [{', '.join(['*x'] * uses)}]\n"
    with nullcontext() if is_read else pytest.raises(npm_yaml.NotParsedError, match="excessive"):
        npm_yaml.load(text)


@pytest.mark.together
@pytest.mark.parametrize("answer", answers("zod-4.3.5"), ids=lambda answer: repr(answer["text"])[:40])
def test_what_does_not_fit_is_told_as_by_the_library(answer: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refusal:
        parse(f"---\n{answer['text']}\n---\n".encode(), None)
    assert refusal.value.message == "Manifest validation failed: " + "; ".join(answer["issues"])


@given(st.text(st.sampled_from("ab:-[]{}'\"#&*!|>%@\n\r\t ?,\x00\u2028\u0085\ufeff\U00100041"), max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(npm_yaml.NotParsedError, BoundError):
        npm_yaml.load(text)


@pytest.mark.together
@pytest.mark.parametrize(
    ("value", "name"),
    [
        *((1.0, "1"), (0.1, "0.1"), (-1.5, "-1.5"), (1e21, "1e+21"), (1e20, "100000000000000000000")),
        *((1e-7, "1e-7"), (1.25e-9, "1.25e-9"), (0.000001, "0.000001"), (-0.0, "0"), (10**400, "Infinity")),
        *((float("nan"), "NaN"), (True, "true"), (None, ""), (12345678901234567890, "12345678901234567000")),
    ],
)
def test_a_key_is_named_as_javascript_prints_it(value: Any, name: str) -> None:
    assert javascript.as_key(value) == name


def skill(directory: Path, frontmatter: str = "", body: str = "Do it.\n") -> Path:
    directory.mkdir(parents=True)
    text = f"---\nname: {directory.name}\ndescription: d\n{frontmatter}---\n{body}"
    (directory / "SKILL.md").write_text(text, "utf-8")
    return directory


@pytest.mark.parametrize("edit", ["unlink", "mkdir"])
def test_a_file_that_cannot_be_read_any_more_gives_nothing(tmp_path: Path, edit: str) -> None:
    # getTier2Context: catch (e) { ...; return null; }
    file = tmp_path / "p/.agent/skills/one/SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text("---\nname: one\ndescription: d\n---\nbody\n")
    session = HARNESS.open(tmp_path / "p", tmp_path)
    assert session.call({"name": "one"}).text == file.read_text()
    file.unlink()
    if edit == "mkdir":
        file.mkdir()
    result = session.call({"name": "one"})
    assert (result.text, result.is_error) == (None, True)


def test_a_disabled_winner_hides_the_copy_below_it(tmp_path: Path) -> None:
    skill(tmp_path / ".agent/_bundled_skills/a")
    skill(tmp_path / ".agent/skills/a", "metadata:\n  requires: no-such-command-of-ours sh\n")
    session = HARNESS.open(tmp_path / "p", tmp_path)
    assert session.skills == []
    assert [lost.skill.role for lost in session.shadowed] == ["bundled"]
    assert [(refused.role, refused.message) for refused in session.skipped] == [("user", None)]
    shown = HARNESS.open(tmp_path / "p", tmp_path, {"include_unavailable": True})
    assert shown.skills[0].told["unavailableReason"] == "missing commands: no-such-command-of-ours"
    assert shown.catalog() == ""
    assert shown.prompt() == ""


def test_a_folder_whose_name_begins_with_two_dots_counts_as_an_escape(tmp_path: Path) -> None:
    # loader.ts: relativePath.startsWith('..'), whatever comes behind it.
    skill(tmp_path / ".agent/skills/..a")
    session = HARNESS.open(tmp_path / "p", tmp_path)
    assert [(refused.message, refused.kind) for refused in session.skipped] == [
        ("Skill directory symlink escapes base directory", "SECURITY_ERROR")
    ]


def test_the_first_ten_are_counted_before_the_hidden_ones_are_left_out(tmp_path: Path) -> None:
    for number in range(12):
        missing = "metadata:\n  requires: no-such-command-of-ours\n" if number < 2 else ""
        skill(tmp_path / f".agent/skills/s{number:02}", missing)
    listing = HARNESS.open(tmp_path / "p", tmp_path, {"include_unavailable": True}).catalog() or ""
    assert listing.count("<skill>") == 8
    assert "s09" in listing
    assert "s10" not in listing


def test_plugins_come_from_settings_and_each_says_what_is_wrong(tmp_path: Path) -> None:
    plugins = tmp_path / ".agent/plugins"
    skill(plugins / "good")
    skill(plugins / "off")
    (plugins / "empty").mkdir()
    (plugins / "folder" / "SKILL.md").mkdir(parents=True)
    configured = [
        {"url": "git@example.org:o/good.git"},
        {"url": "https://example.org/o/off", "enabled": False},
        {"url": "https://example.org/o/empty"},
        {"url": "https://example.org/o/", "name": None},
        {"url": "https://example.org/o/x", "name": "folder"},
    ]
    session = HARNESS.open(tmp_path / "p", tmp_path, {"plugins": configured})
    assert [found.key for found in session.skills] == ["good"]
    assert [(s.directory.name, s.kind, s.message) for s in session.skipped] == [
        ("empty", "IO_ERROR", f"ENOENT: no such file or directory, open '{plugins}/empty/SKILL.md'"),
        (
            "unknown-skill",
            "NOT_FOUND",
            "Plugin directory not found. Run 'agent skill install <url>' to install.",
        ),
        ("folder", "IO_ERROR", "EISDIR: illegal operation on a directory, read"),
    ]
    with_off = HARNESS.open(tmp_path / "p", tmp_path, {"plugins": configured, "include_disabled": True})
    assert [(found.key, found.told["disabled"]) for found in with_off.skills] == [
        ("good", False),
        ("off", True),
    ]
    assert "<name>off</name>" not in (with_off.catalog() or "")


def test_lengths_are_counted_in_utf16_units(tmp_path: Path) -> None:
    party = "\U0001f389"
    for count, fits in ((512, True), (513, False)):
        raw = f"---\nname: a\ndescription: {party * count}\n---\n".encode()
        if fits:
            assert manifest_data(parse(raw, None))["manifest"]["description"] == party * count
        else:
            with pytest.raises(Refusal, match="cannot exceed 1024 characters"):
                parse(raw, None)
    skill(tmp_path / ".agent/skills/a").joinpath("SKILL.md").write_text(
        f"---\nname: a\ndescription: {party * 31}\n---\n", "utf-8"
    )
    summary = HARNESS.open(tmp_path / "p", tmp_path, {"view": "summary"}).prompt()
    assert summary == f"Available skills (1):\n  - a (user): {party * 28}\ud83c..."


def test_trimming_is_javascript_s(tmp_path: Path) -> None:
    raw = "\ufeff\u3000\n---\nname: a\ndescription: d\n---\n\x85body\xa0\n".encode()
    assert parsed(raw, "a")["body"] == "\x85body"

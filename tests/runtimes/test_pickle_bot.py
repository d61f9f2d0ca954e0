"""pickle-bot by its own rules: what Python says about the arguments of a call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes
from skilltool.runtimes.pickle_bot import Refusal
from skilltool.runtimes.values import Refused

_METHOD = "ToolRegistry.execute_tool() got multiple values for"
_KEYWORD = f"picklebot.tools.registry.{_METHOD} keyword argument 'session'"


# core/agent.py: execute_tool(name, session=self, **arguments); CPython 3.13 merges the keywords first.
@pytest.mark.parametrize(
    ("edition", "arguments", "said"),
    [
        ("pickle-bot@2026-05", {"session": 1}, _KEYWORD),
        ("pickle-bot@2026-05", {"name": 1, "session": 2}, _KEYWORD),
        ("pickle-bot@2026-05", {"self": 1, "session": 2}, _KEYWORD),
        ("pickle-bot@2026-05", {"name": 1, "self": 2}, f"{_METHOD} argument 'name'"),
        ("pickle-bot@2026-05", {"self": 1}, f"{_METHOD} argument 'self'"),
        ("pickle-bot@2026-02", {"name": 1}, f"{_METHOD} argument 'name'"),
    ],
)
def test_an_argument_that_the_runtime_passes_itself(
    tmp_path: Path, edition: str, arguments: dict[str, Any], said: str
) -> None:
    skill = tmp_path / ".pickle-bot/skills/one/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: One\ndescription: d\n---\nbody\n")
    session = runtimes.get(edition).open(tmp_path / "project", tmp_path)
    result = session.call({"skill_name": "one", **arguments})
    assert (result.is_error, result.text) == (True, f"Error executing tool: {said}")


@pytest.mark.together
@pytest.mark.parametrize("edition", ["pickle-bot", "pickle-bot@2026-02", "pickle-bot@2026-05"])
@pytest.mark.parametrize("text", [b"Text.\n", b"---\nname: [\n---\n", b"---\nname: x\n---\n", b"\xff"])
def test_bytes_are_refused_in_the_words_for_the_file(tmp_path: Path, edition: str, text: bytes) -> None:
    runtime = runtimes.get(edition)
    assert runtime.load is not None
    assert runtime.parse is not None
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "SKILL.md").write_bytes(text)
    loaded = runtime.load(tmp_path / "one")
    assert isinstance(loaded, Refused)
    with pytest.raises(Refusal) as refusal:
        runtime.parse(text, "one")
    assert refusal.value.message == str(loaded.message).replace(f"{tmp_path}/", "")
    assert "one" in str(refusal.value.message)


PICKLE_BOTS = ["pickle-bot", "pickle-bot@2026-02", "pickle-bot@2026-05"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home directory with the skill `usual` in the usual place, and `mine` in another."""
    for path in (".pickle-bot/skills/usual", ".pickle-bot/other/mine", "elsewhere/far"):
        file = tmp_path / path / "SKILL.md"
        file.parent.mkdir(parents=True)
        file.write_text("---\nname: One\ndescription: d\n---\nbody\n")
    return tmp_path


def offered(home: Path, edition: str = "pickle-bot", roots: Any = None, **settings: Any) -> list[str]:
    session = runtimes.get(edition).open(home / "project", home, settings, roots)
    return [skill.key for skill in session.skills]


@pytest.mark.parametrize("edition", PICKLE_BOTS)
def test_the_root_is_that_of_the_configuration_file(home: Path, edition: str) -> None:
    config = home / ".pickle-bot/config.user.yaml"
    config.write_text("skills_path: other\nllm: {provider: x}\n")
    assert offered(home, edition) == ["mine"]
    assert offered(home, edition, user_settings=False) == ["usual"]
    assert offered(home, edition, skills_path="skills") == ["usual"]
    assert offered(home, edition, {"user": home / "elsewhere"}) == ["far"]
    config.write_text("llm: {provider: x}\n")
    assert offered(home, edition) == ["usual"]


def test_a_later_file_overrides_an_earlier_one(home: Path) -> None:
    top = home / ".pickle-bot"
    (top / "config.system.yaml").write_text("skills_path: other\n")
    assert [offered(home, edition) for edition in PICKLE_BOTS] == [["mine"], ["mine"], ["usual"]]
    (top / "config.user.yaml").write_text("skills_path: skills\n")
    assert [offered(home, edition) for edition in PICKLE_BOTS] == [["usual"]] * 3
    (top / "config.runtime.yaml").write_text("skills_path: other\n")
    assert [offered(home, edition) for edition in PICKLE_BOTS] == [["usual"], ["usual"], ["mine"]]


def test_an_absolute_path_is_the_document_s_and_an_error_in_may_2026(home: Path) -> None:
    (home / ".pickle-bot/config.user.yaml").write_text(f"skills_path: {home}/elsewhere\n")
    assert offered(home) == ["far"]
    failure = runtimes.get("pickle-bot@2026-05").open(home, home).failure
    assert failure is not None
    assert f"skills_path must be relative, got: {home}/elsewhere" in failure


@pytest.mark.parametrize("value", ["5", "", "[a, 2024-01-01]", "!!binary aGk=", "{a: b}", "true"])
def test_what_pydantic_refuses_for_a_path_ends_loading(home: Path, value: str) -> None:
    (home / ".pickle-bot/config.user.yaml").write_text(f"skills_path: {value}\n")
    session = runtimes.get("pickle-bot").open(home, home)
    assert "Input is not a valid path" in str(session.failure)
    assert session.skills == []


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"skills_path: [", "it is not valid YAML"),
        (b"a: !!python/object:os.system x", "it is not valid YAML"),
        (b"[" * 100_000, "it is not valid YAML"),
        (b"- skills_path", "it is not a mapping"),
        (b"\xff", "it is not UTF-8"),
        (b'skills_path: "a\\0b"', "`skills_path` is not a path"),
        (b'skills_path: "\\ud800"', "`skills_path` is not a path"),
        (b"#" * (1 << 20) + b"\n", "skilltool does not read it: it is larger than 1 MiB"),
    ],
)
def test_a_file_that_says_nothing_is_ignored_with_a_warning(home: Path, content: bytes, why: str) -> None:
    file = home / ".pickle-bot/config.user.yaml"
    file.write_bytes(content)
    session = runtimes.get("pickle-bot").open(home, home)
    assert [skill.key for skill in session.skills] == ["usual"]
    assert session.warnings == (f"ignored {file}: {why}",)


def test_an_empty_file_and_a_directory_in_its_place(home: Path) -> None:
    file = home / ".pickle-bot/config.user.yaml"
    file.write_text("# nothing\n")
    assert runtimes.get("pickle-bot").open(home, home).warnings == ()
    file.unlink()
    file.mkdir()
    why = f"ignored {file}: it cannot be read: Is a directory"
    assert runtimes.get("pickle-bot").open(home, home).warnings == (why,)

"""No text ends a runtime: each loads it, or refuses it in words, whatever is in it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.fix.plan import plan
from skilltool.lint.settings import Settings
from skilltool.rules import NAMES
from skilltool.runtimes.values import LoadedSkill, Manifest, Refusal, Refused

GOOD = "name: a\ndescription: Fills in forms. Use when asked.\n"
# A place for an odd character: in a value, a key, a comment, a tag, beside a directive.
PLACES = (
    "name: a\ndescription: x{0}y\n",
    'name: a\ndescription: "x{0}y"\n',
    "name: a\ndescription: |\n  x{0}\n  y\n",
    "name: a{0}b\ndescription: d\nk{0}: [v{0}]\n",
    "name: a\n# {0}\ndescription: !x{0} d\n",
    "%YAML 1.1\nname: a\ndescription: {0}]0;x\n",
    "%YAML 1.2\nname: a\ndescription: {0}\n",
    "%TAG !e! tag:{0}\nname: a\n",
)
CHARACTERS = (
    "\0\x07\x0c\x1b\x7f\x80\x85\x9f\xa0\u2028\u202e\ufdd0\ufeff\ufffd\ufffe\uffff\U0001ffff\U0010ffff\ud800"
)
VALUES = (
    "!%ed%a0%80 x",
    "!%ff%fe x",
    "0x" + "f" * 5000,
    "1" * 5000,
    "1:" * 3000 + "1",
    "1e999999",
    "0000-00-00",
    "!!timestamp x",
    "!!int ''",
    "!!binary é",
    '"\\ud800\\udc00\\uffff\\0"',
    '"\\UFFFFFFFF"',
    "[" * 70 + "]" * 70,
    "- " * 2000,
    "&a [*a]",
    "<<",
)
TEXTS = [f"---\n{place.format(each)}---\nb\n" for each in CHARACTERS for place in PLACES]
TEXTS += [f"---\n{GOOD}x: {value}\nallowed-tools: [{value}]\n---\nb\n" for value in VALUES]
TEXTS += [f"---\nname: {value}\ndescription: d\nmetadata:\n  {value}: {value}\n---\nb\n" for value in VALUES]


@pytest.fixture
def skill(repo: Path) -> Path:
    directory = repo / "skills" / "a"
    directory.mkdir(parents=True)
    return directory


@pytest.mark.slow
@pytest.mark.parametrize("name", runtimes.IDS)
def test_every_runtime_loads_or_refuses_it(skill: Path, name: str) -> None:
    runtime = runtimes.get(name)
    for text in TEXTS:
        raw = text.encode("utf-8", "surrogatepass")
        (skill / "SKILL.md").write_bytes(raw)
        if runtime.load is not None:
            assert isinstance(runtime.load(skill), LoadedSkill | Refused)
        if runtime.parse is not None:
            with suppress(Refusal):
                assert isinstance(runtime.parse(raw, "a"), Manifest)


@pytest.mark.slow
def test_every_rule_and_fix_answers(skill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(skill)
    settings = Settings(runtimes=runtimes.IDS, rules=NAMES, paths=(skill,))
    for text in TEXTS[::7]:
        (skill / "SKILL.md").write_bytes(text.encode("utf-8", "surrogatepass"))
        assert plan(settings, unsafe=True).given_up == {}, text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("%YAML 1.1\nname: a\ndescription: \x1b]0;x\n", "yaml: control characters are not allowed"),
        ("%YAML 1.2\nname: a\ndescription: \uffff\n", "yaml: control characters are not allowed"),
        ("%YAML 1.2\n", "yaml: found incompatible YAML document"),
    ],
)
def test_go_refuses_a_control_character_before_it_looks_at_directives(text: str, said: str) -> None:
    """Its reader decodes 512 bytes at a time, and the scanner comes after it."""
    parse = runtimes.get("nfa").parse
    assert parse is not None
    with pytest.raises(Refusal) as refused:
        parse(f"---\n{text}---\nb\n".encode(), "a")
    assert said in str(refused.value)


def test_openhands_refuses_a_name_of_too_many_digits() -> None:
    parse = runtimes.get("openhands").parse
    assert parse is not None
    with pytest.raises(Refusal, match="Exceeds the limit") as refused:
        parse(f"---\nname: 0x{'f' * 5000}\ndescription: d\n---\nb\n".encode(), "a")
    assert refused.value.kind == "ValueError"


@pytest.mark.parametrize("name", ["codex", "goose", "kodelet"])
def test_a_tag_that_is_not_utf_8_is_not_read(name: str) -> None:
    parse = runtimes.get(name).parse
    assert parse is not None
    with pytest.raises(Refusal, match="skilltool does not read it: a tag that is not UTF-8"):
        parse(f"---\n{GOOD}x: !%ed%a0%80 y\n---\nb\n".encode(), "a")

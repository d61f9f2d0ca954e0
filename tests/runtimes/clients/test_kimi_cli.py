"""Kimi CLI: its records, answered by the driver, and what no record shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.emulation import fence_lines
from skilltool.runtimes.base import Session
from skilltool.runtimes.kimi_cli import flows
from skilltool.runtimes.kimi_cli.flows import FlowError, messages
from skilltool.runtimes.kimi_cli.loading import own_skills, parse
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused
from tests.conftest import MakeSkill, Skilltool
from tests.support.goldens import judging
from tests.support.manifests import manifest_data

EDITION = "kimi-cli@1.52.0"
READ = {"mermaid": flows.read_mermaid, "d2": flows.read_d2}
FLOWS = Path(__file__).parents[2] / "libraries" / "kimi-flows-1.52.0.jsonl"
TEXT = "---\nname: {name}\ndescription: {about}\n---\nBody.\n"
DIAGRAM = "flowchart TD\nB([BEGIN]) --> T[Do the thing]\nT --> D{Done?}\nD -->|yes| E([END])\nD -- no --> T\n"


def parsed(raw: bytes, directory: str | None) -> dict[str, Any]:
    return manifest_data(parse(raw, directory))


def test_every_record_is_answered() -> None:
    assert judging.wrong(EDITION) == []
    assert judging.counts(EDITION) == {"discover": 60, "catalog": 39, "call": 60, "parse": 63, "user": 45}


@pytest.mark.together
@pytest.mark.parametrize("line", FLOWS.read_text("utf-8").splitlines())
def test_a_diagram_is_read_as_the_program_reads_it(line: str) -> None:
    """The table has what `kimi_cli/skill/flow` of kimi-cli 1.52.0 said of generated diagrams."""
    row = json.loads(line)
    read = READ[row["language"]]
    if "error" in row:
        with pytest.raises(FlowError) as caught:
            read(row["text"])
        assert str(caught.value) == row["error"]
        return
    found = read(row["text"])
    assert {name: list(node) for name, node in found.nodes.items()} == row["nodes"]
    edges = {name: [list(edge) for edge in leaving] for name, leaving in found.edges.items() if leaving}
    assert edges == row["edges"]


@pytest.mark.parametrize("language", READ)
@given(text=st.text(alphabet="AB->-|[]{}():\"\\#%\n '", max_size=60))
def test_any_diagram_is_a_flow_or_an_error(language: str, text: str) -> None:
    try:
        found = READ[language](text)
    except FlowError:
        return
    assert {edge.to for edges in found.edges.values() for edge in edges} <= set(found.nodes)
    assert found.nodes[found.begin].kind == "begin"


PROMPT = "Done?\n\nAvailable branches:\n- yes\n- no\n\nReply with a choice using <choice>...</choice>."
AGAIN = (
    f"{PROMPT}\n\nYour last response did not include a valid choice. Reply with one of the choices using "
    "<choice>...</choice>."
)


@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        ([], ["Do the thing", PROMPT]),
        (["ok", "<choice>yes</choice>"], ["Do the thing", PROMPT]),
        (["ok", "hm", "<choice> yes </choice>"], ["Do the thing", PROMPT, AGAIN]),
        (
            ["ok", "<choice>yes</choice> or <choice>no</choice>"],
            ["Do the thing", PROMPT, "Do the thing", PROMPT],
        ),
        (["ok", "<choice>maybe</choice>"], ["Do the thing", PROMPT, AGAIN]),
    ],
)
def test_a_flow_goes_where_the_answers_lead(replies: list[str], expected: list[str]) -> None:
    assert list(messages(flows.read_mermaid(DIAGRAM), replies)) == expected


def test_a_flow_that_never_ends_is_ended() -> None:
    flow = flows.read_mermaid("B[BEGIN] --> A\nA --> B2[b]\nB2 --> C\nC -->|x| A\nC -->|y| E[END]\n")
    assert len(list(messages(flow, ["<choice>x</choice>"] * 5000))) == 1000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\nname: a\n---\nbody", (["name: a"], "body")),
        ("  ---\t\nname: a\n --- \nbody", (["name: a"], "body")),
        ("---\nname: a\u2028---\nbody", (["name: a"], "body")),
        ("---\n---", ([], "")),
        ("\n---\nname: a\n---\n", None),
        ("---\nname: a\n----\n", None),
        ("\ufeff---\nname: a\n---\n", None),
        ("", None),
    ],
)
def test_fences(text: str, expected: tuple[list[str], str] | None) -> None:
    assert fence_lines.split(text) == expected


def test_fences_of_another_kind() -> None:
    parts = fence_lines.split("---\na\n --- \n---\nb", lambda line: line == "---")
    assert parts == (["a", " --- "], "b")


@pytest.mark.parametrize(
    ("text", "name", "description"),
    [
        ("---\nname: false\ndescription: 0\n---\n---\n\n# Head\n", "dir", "# Head"),
        ("---\nname: x\n---\n" + "y" * 241, "x", "y" * 239 + "…"),
        ("---\nname: x\n---\n" + "y" * 238 + " z w", "x", "y" * 238 + "…"),
        ("---\nname: x\n---\n" + "y" * 240, "x", "y" * 240),
        ("", "dir", "No description provided."),
    ],
)
def test_what_stands_in_for_fields(text: str, name: str, description: str) -> None:
    found = parsed(text.encode(), "dir")
    assert (found["name"], found["description"]) == (name, description)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("name: [a]\ndescription: 2", "2 validation errors for Skill\nname\n"),
        ("type: 5", 'Invalid skill type "5"'),
        ("type: Flow", 'Invalid skill type "Flow"'),
        ("- a", "Frontmatter YAML must be a mapping."),
        ("a: b: c", "Invalid frontmatter YAML."),
        ("a: 2024-13-01", "month must be in 1..12"),
    ],
)
def test_what_refuses_a_skill(fields: str, message: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse(f"---\n{fields}\n---\n".encode(), "dir")
    assert str(caught.value.message).startswith(message)


@pytest.mark.parametrize(
    ("block", "kind"),
    [
        ("```mermaid\n{}```\n", "flow"),
        ("~~~~ {{mermaid}}\n{}~~~~\n", None),
        ("``````  MERMAID title\n{}```````  \n", "flow"),
        ("  ```{{mermaid}}\n{}  ```\n", "flow"),
        ("```mermaid\n{}", None),
        ("```text\n```\n```mermaid\n{}```\n", "flow"),
        ("```mermaid\nno flow\n```\n```mermaid\n{}```\n", None),
    ],
)
def test_the_diagram_is_in_the_first_block_of_its_language(block: str, kind: str | None) -> None:
    text = f"---\ntype: flow\n---\n{block.format(DIAGRAM)}"
    expected = "flow" if "{mermaid}" in text and text.count("~") else kind
    assert parsed(text.encode(), "dir").get("type") == expected


def test_a_long_diagram_is_not_read() -> None:
    with pytest.raises(Refusal) as caught:
        parse(f"---\ntype: flow\n---\n```d2\n{'a -> b' * 10_000}\n```\n".encode(), "dir")
    assert "50,000" in caught.value.why


def opened(project: Path, **settings: object) -> Session:
    return runtimes.get("kimi-cli").open(project, project / "home", settings)


def test_one_file_that_is_not_utf_8_ends_the_program(
    tmp_path: Path, make_skill: MakeSkill, skilltool: Skilltool
) -> None:
    make_skill(tmp_path / ".agents/skills/good", TEXT.format(name="good", about="d"))
    make_skill(tmp_path / ".agents/skills/zz", TEXT.format(name="zz", about="d"))
    (tmp_path / ".agents/skills/zz/SKILL.md").write_bytes(b"---\nname: zz\n---\n\xff")
    session = opened(tmp_path)
    assert (session.skills, session.catalog()) == ([], None)
    assert session.failure == "'utf-8' codec can't decode byte 0xff in position 17: invalid start byte"
    refused = runtimes.get("kimi-cli").load(tmp_path / ".agents/skills/zz")  # type: ignore[misc]
    assert isinstance(refused, Refused)
    assert refused.why == "one SKILL.md that is not UTF-8 ends Kimi CLI when it starts"
    (tmp_path / ".agents/skills/zz.md").write_bytes(b"\xff")
    (tmp_path / ".agents/skills/zz/SKILL.md").unlink()
    session = opened(tmp_path)  # a file that is a skill of its own is only skipped
    assert [skill.key for skill in session.skills] == ["good"]
    assert session.warnings[0].startswith(
        f"Skipping invalid flat skill at {tmp_path}/.agents/skills/zz.md: 'utf-8'"
    )


def test_case_folds_names_and_the_last_directory_of_a_root_wins(
    tmp_path: Path, make_skill: MakeSkill
) -> None:
    for name, directory in (("straße", "a"), ("STRASSE", "b"), ("other", "c")):
        make_skill(tmp_path / f".agents/skills/{directory}", TEXT.format(name=name, about=directory))
    make_skill(tmp_path / "home/.agents/skills/OTHER", TEXT.format(name="Other", about="home"))
    session = opened(tmp_path)
    assert [skill.key for skill in session.skills] == ["STRASSE", "other"]
    assert [(lost.skill.key, lost.by.key) for lost in session.shadowed] == [
        ("straße", "STRASSE"),
        ("Other", "other"),
    ]


@pytest.mark.parametrize(
    ("settings", "keys"),
    [
        ({}, ["claude", "generic", "kimi"]),
        ({"merge_all_available_skills": False}, ["generic", "kimi"]),
        ({"skills_dir": [".claude/skills"]}, ["claude"]),
        ({"extra_skill_dirs": ["~/more", "gone", ""]}, ["claude", "extra", "generic", "kimi"]),
    ],
)
def test_which_roots_are_scanned(
    tmp_path: Path, make_skill: MakeSkill, settings: Mapping[str, Any], keys: list[str]
) -> None:
    for place, name in (
        (".kimi/skills", "kimi"),
        (".claude/skills", "claude"),
        ("home/.config/agents/skills", "generic"),
        ("home/.agents/skills", "left-out"),
        ("home/more", "extra"),
    ):
        make_skill(tmp_path / place / name, TEXT.format(name=name, about="d"))
    session = opened(tmp_path, **settings)
    assert [skill.key for skill in session.skills] == keys
    unscanned = [root.role for root in session.roots if root.unscanned]
    assert "user" in unscanned


def test_the_first_of_two_given_directories_wins(tmp_path: Path, make_skill: MakeSkill) -> None:
    for place in ("one", "two"):
        make_skill(tmp_path / place / "same", TEXT.format(name="same", about=place))
    session = opened(tmp_path, skills_dir=["two", "one"])
    assert [skill.description for skill in session.skills] == ["two"]


def test_an_own_skill_can_be_replaced(tmp_path: Path, make_skill: MakeSkill) -> None:
    make_skill(tmp_path / ".agents/skills/a", TEXT.format(name="skill-creator", about="Mine"))
    session = opened(tmp_path)
    assert [skill.key for skill in session.skills] == ["skill-creator"]
    assert [skill.key for skill in own_skills(session)] == ["kimi-cli-help"]
    assert (
        session.user("/skill:skill-creator").text == TEXT.format(name="skill-creator", about="Mine").strip()
    )


@pytest.mark.parametrize(
    ("typed", "sent", "shown"),
    [
        ("/skill:a  x ", f"{TEXT.format(name='a', about='d').strip()}\n\nUser request:\nx", None),
        ("/skill:A", None, 'Unknown slash command "/skill:A".'),
        ("/flow:a", None, 'Unknown slash command "/flow:a".'),
        ("/flow:f now", None, "Agent flow /flow:f ignores args: now"),
        ("/init", None, "{builtin}"),
        ("/skill:kimi-cli-help", None, "{builtin}"),
        ("/skill:a/b", "/skill:a/b", None),
        ("  hello ", "  hello ", None),
    ],
)
def test_typed_texts(
    tmp_path: Path, make_skill: MakeSkill, typed: str, sent: str | None, shown: str | None
) -> None:
    make_skill(tmp_path / ".agents/skills/a", TEXT.format(name="a", about="d"))
    make_skill(tmp_path / ".agents/skills/f", f"---\nname: f\ntype: flow\n---\n```mermaid\n{DIAGRAM}```\n")
    found = opened(tmp_path).user(typed)
    assert (found.text, found.shown) == (sent, shown)


def test_render_types_the_command_of_a_skill(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / ".agents/skills/a", TEXT.format(name="a", about="d"))
    make_skill(repo / ".agents/skills/f", f"---\nname: f\ntype: flow\n---\n```mermaid\n{DIAGRAM}```\n")
    options = ("--runtime", "kimi-cli", "--part", "user")
    assert "User request:\nnow" in skilltool("render", "a", *options, "--args", "now").stdout
    assert skilltool("render", "f", *options).stdout.startswith("Do the thing\nDone?\n")
    unknown = skilltool("render", "b", *options)
    assert 'Unknown slash command "/b".' in unknown.stderr


def read_file(project: Path, **arguments: object) -> list[str]:
    [message] = opened(project).call(arguments, tool="ReadFile").messages
    return [part["text"] for part in message["content"]]


def test_read_file_has_limits(tmp_path: Path) -> None:
    (tmp_path / "long.md").write_text("x\n" * 1500 + "y" * 2500, "utf-8")
    assert "Total lines in file: 1501.</system>" in read_file(tmp_path, path="long.md")[0]
    begin, output = read_file(tmp_path, path="long.md", n_lines=2000)
    assert begin == (
        "<system>1000 lines read from file starting from line 1. Total lines in file: 1501. Max 1000 lines "
        "reached.</system>"
    )
    assert output.endswith("  1000\tx\n")
    begin, output = read_file(tmp_path, path="long.md", line_offset=-2)
    assert "2 lines read from file starting from line 1500." in begin
    assert "Lines [1501] were truncated." in begin
    assert output == f"  1500\tx\n  1501\t{'y' * 1997}..."
    (tmp_path / "wide.md").write_text(f"{'z' * 1999}\n" * 100, "utf-8")
    assert "52 lines read from file starting from line 1. " in read_file(tmp_path, path="wide.md")[0]
    assert "Max 102400 bytes reached." in read_file(tmp_path, path="wide.md", line_offset=-100)[0]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gone.md", "ERROR: `gone.md` does not exist."),
        (".", "ERROR: `.` is not a file."),
        ("../above.md", "ERROR: `../above.md` is not an absolute path. "),
        ("", "ERROR: File path cannot be empty."),
        (".env", "ERROR: `.env` appears to contain secrets "),
        ("a.png", "ERROR: `a.png` is a image file. "),
        ("a.zip", "ERROR: `a.zip` seems not readable. "),
        ("null.md", "ERROR: `null.md` seems not readable. "),
        ("empty.md", "No lines read from file. Total lines in file: 0. End of file reached."),
    ],
)
def test_read_file_of_what_is_no_text(tmp_path: Path, name: str, words: str) -> None:
    for each in (".env", "a.png", "a.zip", "empty.md"):
        (tmp_path / each).write_bytes(b"")
    (tmp_path / "null.md").write_bytes(b"a\0")
    [text] = read_file(tmp_path, path=name)
    assert text.startswith(f"<system>{words}")


@pytest.mark.parametrize(
    ("arguments", "tool", "why"),
    [
        ("{", "ReadFile", "its error for arguments that are not JSON is not known"),
        ("[" * 100_000, "ReadFile", "its error for arguments that are not JSON is not known"),
        ("{}", "Shell", "what `Shell` answers is not known"),
        ('{"n_lines": ' + "9" * 5000 + "}", "ReadFile", "Exceeds the limit (4300 digits) "),
        ('{"path": "a\\ud83d"}', "ReadFile", "UnicodeEncodeError: the answer contains an unpaired surrogate"),
    ],
)
def test_what_is_not_known_or_not_sent_is_not_answered(
    tmp_path: Path, arguments: str, tool: str, why: str
) -> None:
    result = opened(tmp_path).call(arguments, tool=tool)
    assert result.text is None
    assert str(result.flow_error).startswith(why)


def test_the_content_of_a_skill_is_its_whole_file(tmp_path: Path, make_skill: MakeSkill) -> None:
    make_skill(tmp_path / ".agents/skills/a", TEXT.format(name="a", about="d"))
    session = opened(tmp_path)
    skill = session.find("a")
    assert isinstance(skill, LoadedSkill)
    assert session.runtime.content(session, skill) == TEXT.format(name="a", about="d")  # type: ignore[misc]


def test_read_file_ends_at_the_line_that_reaches_the_limit(tmp_path: Path) -> None:
    (tmp_path / "even.md").write_text(f"{'z' * 1023}\n" * 101, "utf-8")  # 100 of these are 102,400 bytes
    forward = read_file(tmp_path, path="even.md")[0]
    assert "100 lines read from file starting from line 1. " in forward
    assert "Max 102400 bytes reached." in forward
    whole = read_file(tmp_path, path="even.md", line_offset=-100)[0]
    assert "100 lines read from file starting from line 2. " in whole
    assert "Max" not in whole
    cut = read_file(tmp_path, path="even.md", line_offset=-101)[0]
    assert "100 lines read from file starting from line 2. " in cut
    assert "Max 102400 bytes reached." in cut

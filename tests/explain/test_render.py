"""No option of `resolve` and `render` is ignored silently, and the exit status is that of the named skill."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.explain.render import listing_entry
from tests.conftest import MakeSkill, Skilltool

KODELET = ("--runtime", "kodelet")
CALL = ("--call", '{"skill_name": "forms"}')


@pytest.fixture
def forms(repo: Path, make_skill: MakeSkill) -> Path:
    return make_skill(repo / ".kodelet/skills/forms")


@pytest.mark.slow
@pytest.mark.usefixtures("forms")
@pytest.mark.parametrize("command", [("render", "forms"), ("resolve",), ("resolve", "forms")])
@pytest.mark.parametrize("output_format", ["text", "json"])
def test_a_file_gets_what_a_pipe_gets(
    skilltool: Skilltool, repo: Path, command: tuple[str, ...], output_format: str
) -> None:
    whole = (*command, *KODELET, "--output-format", output_format)
    shown = skilltool(*whole)
    written = skilltool(*whole, "-o", "out")
    assert (written.returncode, written.stdout) == (0, "")
    assert (repo / "out").read_text("utf-8") == shown.stdout != ""


@pytest.mark.usefixtures("forms")
def test_text_that_is_not_stored_is_measured_and_said_to_be(skilltool: Skilltool) -> None:
    run = skilltool("render", "--part", "tool", "--runtime", "kodelet@0.5.36")
    digest = "ad15cf991774c83486551678876991a2bf517d0602dfec31aaa15557f6d4aeea"
    assert (run.returncode, f"[... 1330 fixed characters, sha256 {digest} ...]### " in run.stdout) == (
        0,
        True,
    )
    assert run.stderr == (
        f"skilltool: 1,330 characters (sha256 {digest[:12]}...) of kodelet@0.5.36's fixed text are not "
        "stored; a marker shows their position\n"
    )
    assert "1,330 characters before the listing" in " ".join(
        skilltool("runtimes", "kodelet@0.5.36").stdout.split()
    )


@pytest.mark.usefixtures("forms")
@pytest.mark.parametrize("part", ["tool", "prompt"])
def test_the_text_of_document_004_is_whole(skilltool: Skilltool, part: str) -> None:
    run = skilltool("render", "--part", part, *KODELET)
    text = json.loads(run.stdout)["description"] if part == "tool" else run.stdout
    assert (run.returncode, run.stderr) == (0, "")
    assert text.startswith("When users ask you to perform tasks, check if any of the available skills below")
    before, listing = text.split("## Available Skills\n\n")
    assert "fixed characters" not in text
    assert "copy it to the working directory first using file_write, then use file_edit" in before
    assert listing.startswith("### ")


def test_a_file_is_emptied_where_the_runtime_gives_nothing(skilltool: Skilltool, repo: Path) -> None:
    (repo / "out").write_text("old", "utf-8")
    run = skilltool("render", "--part", "catalog", "--runtime", "nfa", "--home", str(repo), "-o", "out")
    assert (run.returncode, run.stderr) == (0, "skilltool: nfa has no catalog here\n")
    assert (repo / "out").read_bytes() == b""
    (repo / "out").write_text("old", "utf-8")
    failed = ("render", "gone", "--part", "content", "--runtime", "nfa", "--home", str(repo), "-o", "out")
    assert skilltool(*failed).returncode == 1
    assert (repo / "out").read_text("utf-8") == "old"


@pytest.mark.usefixtures("forms")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("forms", *CALL), "NAME and --args cannot be used together with --query or --call"),
        (("--args", "x", *CALL), "NAME and --args cannot be used together with --query or --call"),
        (("--part", "catalog", *CALL), "--part catalog cannot be used together with --call"),
        (("--part", "display", "--query", "x"), "--part display cannot be used together with --query"),
        (
            ("--part", "result", "--query", "x", *CALL),
            "--part result cannot be used together with --query and --call",
        ),
        (("forms", "--query", "x"), "NAME and --args cannot be used together with --query or --call"),
    ],
)
def test_options_that_exclude_each_other_are_an_error(
    skilltool: Skilltool, options: tuple[str, ...], message: str
) -> None:
    run = skilltool("render", *KODELET, *options)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.endswith(f"Error: {message}\n")


@pytest.mark.usefixtures("forms")
def test_the_display_of_a_call_is_a_part(skilltool: Skilltool) -> None:
    assert skilltool("render", *KODELET, "--part", "display", *CALL).stdout == "Skill forms loaded"


@pytest.mark.parametrize(("runtime", "role"), [("portable", "r"), ("kodelet", "user")])
def test_a_root_that_is_given_twice_is_an_error(
    skilltool: Skilltool, repo: Path, runtime: str, role: str
) -> None:
    for name in ("a", "b"):
        (repo / name).mkdir()
    run = skilltool("resolve", "--runtime", runtime, "--root", f"{role}=a", "--root", f"{role}=b")
    assert (run.returncode, run.stdout) == (2, "")
    assert f"--root {role}=b: the role `{role}` was already given" in run.stderr


@pytest.mark.slow
@pytest.mark.parametrize("part", ["context", "catalog"])
def test_the_status_is_that_of_the_named_skill(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, part: str
) -> None:
    make_skill(repo / ".agent/skills/Pdf-X", "---\nname: Pdf-X\ndescription: d\n---\n\nText.\n")
    options = ("--runtime", "agent", "--part", part, "--home", str(repo))
    run = skilltool("render", "zzz", *options)
    assert run.returncode == 1
    assert "## Available Skills" in run.stdout or "Pdf-X" in run.stdout
    assert "agent does not find `zzz`" in run.stderr
    assert "(loads pdf-x)" in run.stderr
    assert (
        json.loads(skilltool("render", "zzz", *options, "--output-format", "json").stdout)["skill"] == "zzz"
    )
    for name in ("pdf-x", "Pdf-X", ".agent/skills/Pdf-X"):
        assert skilltool("render", name, *options).returncode == 0


def test_what_the_user_types_is_sent_in_the_form_of_each_client(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    (repo / "home").mkdir()
    text = "---\nname: two words\ndescription: Says so.\n---\n[$1]\n"
    make_skill(repo / ".agents/skills/x", text)
    make_skill(repo / ".agents/skills/y", text.replace("two words", "one"))

    def sent(name: str, runtime: str) -> str:
        options = ("--part", "user", "--args", "a b", "--runtime", runtime, "--home", "home")
        return skilltool("render", name, *options).stdout

    assert sent("one", "opencode").startswith("[a b]\n")
    assert sent("one", "pi").startswith('<skill name="one" location=')
    assert sent("one", "pi").endswith("</skill>\n\na b\n")
    assert sent("one", "cline") == "/one a b\n"
    lines = sent("two words", "gemini-cli").splitlines()
    assert json.loads(lines[0])["functionCall"]["args"] == {"name": "two words"}
    assert json.loads(lines[1])["functionResponse"]["response"].keys() == {"output"}
    assert lines[-1] == "a b"


@pytest.mark.usefixtures("forms")
def test_a_tool_is_written_as_json_that_people_can_read(skilltool: Skilltool) -> None:
    text = skilltool("render", "--part", "tool", *KODELET).stdout
    assert text.removesuffix("\n") == json.dumps(json.loads(text), indent=2, ensure_ascii=False)


def test_the_entry_of_a_client_with_elements_is_a_whole_element(repo: Path, make_skill: MakeSkill) -> None:
    for name in ("alpha", "beta"):
        make_skill(
            repo / ".qwen/skills" / name,
            f"---\nname: {name}\ndescription: Does {name}. Use when asked.\n---\n\nDo.\n",
        )
    session = runtimes.get("qwen-code").open(repo, repo.parent)
    for skill in session.skills:
        entry = listing_entry(session, skill)
        assert (entry[0], entry[-1]) == ("<skill>", "</skill>")
        assert f"Does {skill.key}. Use when asked. (project)" in entry

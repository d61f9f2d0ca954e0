"""`resolve`, `render` and `runtimes` as a user runs them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.explain.render import parts_of
from tests.conftest import MakeSkill, Skilltool
from tests.support.roots import DISTINCT, own_directory
from tests.support.terminal import Terminal

KODELET = ("--runtime", "kodelet")


@pytest.fixture
def copies(repo: Path, make_skill: MakeSkill) -> Path:
    """Two roots of kodelet that both hold `forms`, and one skill that does not load."""
    make_skill(repo / ".kodelet" / "skills" / "forms")
    make_skill(repo / "home" / ".kodelet" / "skills" / "forms")
    make_skill(repo / ".kodelet" / "skills" / "broken", "# no frontmatter\n")
    return repo


@pytest.mark.slow
@pytest.mark.usefixtures("copies")
def test_resolve_shows_roots_winners_losers_and_the_size_of_the_listing(skilltool: Skilltool) -> None:
    run = skilltool("resolve", *KODELET, "--home", "home")
    assert run.returncode == 0
    for words in ("project      .kodelet/skills  (1 loaded)", "shadowed: 1", "skipped: 1", "listing: "):
        assert words in run.stdout


def test_the_reason_follows_the_roots(skilltool: Skilltool, copies: Path) -> None:
    """If two roots are swapped, so are the winner and the reason."""
    project, home = ".kodelet/skills/forms", "home/.kodelet/skills/forms"
    before = skilltool("resolve", "forms", *KODELET, "--home", "home").stdout
    assert before.splitlines()[1].endswith(f"`{project}` (project) comes before this one")
    swapped = ["--root", "project=home/.kodelet/skills", "--root", "user=.kodelet/skills"]
    after = skilltool("resolve", "forms", *KODELET, *swapped).stdout
    assert after.splitlines()[1].endswith(f"`{home}` (project) comes before this one")
    assert after.startswith(f"1. {home} (project) loads as `forms`")


@pytest.mark.usefixtures("copies")
def test_resolve_of_a_name_that_does_not_load_is_1(skilltool: Skilltool) -> None:
    assert skilltool("resolve", "forms", *KODELET).returncode == 0
    broken = skilltool("resolve", "broken", *KODELET)
    assert broken.returncode == 1
    assert "is skipped: " in broken.stdout
    assert "(skipped silently)" in broken.stdout
    missing = skilltool("resolve", "nothing", *KODELET)
    assert missing.returncode == 1
    assert "kodelet does not find `nothing`" in missing.stderr


@pytest.mark.usefixtures("copies")
def test_resolve_fails_on_what_it_is_told_to(skilltool: Skilltool) -> None:
    assert skilltool("resolve", *KODELET, "--fail-on", "skipped").returncode == 1
    assert skilltool("resolve", *KODELET, "--fail-on", "shadowed").returncode == 0
    assert skilltool("resolve", *KODELET, "--home", "home", "--fail-on", "shadowed").returncode == 1


@pytest.mark.usefixtures("copies")
def test_resolve_for_programs_has_the_form_of_the_design(skilltool: Skilltool) -> None:
    data = json.loads(skilltool("resolve", *KODELET, "--home", "home", "--output-format", "json").stdout)
    assert set(data) >= {
        "schema_version",
        "runtime",
        "roots",
        "skills",
        "shadowed",
        "skipped",
        "warnings",
        "catalog",
    }
    assert set(data["skills"][0]) >= {"key", "name", "description", "directory", "root"}
    assert set(data["catalog"]) == {"chars", "budget", "omitted"}


@pytest.mark.usefixtures("copies")
def test_render_writes_exactly_the_bytes_of_the_runtime(skilltool: Skilltool, copies: Path) -> None:
    run = skilltool("render", "forms", *KODELET)
    assert run.returncode == 0
    assert run.stdout.startswith(
        "<result>\n# Skill: forms\n\nThe skill directory is located at: .kodelet/skills/forms\n"
    )
    assert run.stdout == runtimes.get("kodelet").open(copies, copies).call({"skill_name": "forms"}).text
    by_path = skilltool("render", ".kodelet/skills/forms")
    assert by_path.stdout == run.stdout
    assert "for kodelet, which reads .kodelet/skills/forms" in by_path.stderr


@pytest.mark.usefixtures("copies")
def test_render_of_an_unknown_name_is_the_runtime_own_error(skilltool: Skilltool) -> None:
    run = skilltool("render", "nothing", *KODELET, "--home", ".")
    assert run.returncode == 1
    assert run.stdout == "<error>\nunknown skill 'nothing'. Available skills: forms\n</error>\n"


@pytest.mark.usefixtures("copies")
def test_a_call_may_be_text_that_is_not_json(skilltool: Skilltool) -> None:
    run = skilltool("render", *KODELET, "--call", "x")
    assert (run.returncode, run.stderr) == (1, "")
    assert "any other text that a model may write" in " ".join(skilltool("render", "--help").stdout.split())


@pytest.mark.usefixtures("copies")
def test_calls_share_a_session(skilltool: Skilltool) -> None:
    call = ["--call", '{"skill_name": "forms"}']
    run = skilltool("render", *KODELET, *call, *call)
    assert run.stdout.startswith("<error>\nskill 'forms' is already active\n")
    data = json.loads(skilltool("render", *KODELET, *call, *call, "--output-format", "json").stdout)
    assert [step["failed"] for step in data["steps"]] == [False, True]
    assert data["text"] == run.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["render", "forms", *KODELET, "--args", "x"], ["takes no arguments"]),
        (["render", "forms", *KODELET, "--part", "context"], ["has no part `context`", "result, content"]),
        (["render", *KODELET], ["missing NAME"]),
        (["render", *KODELET, "--part", "result"], ["give its name"]),
        (["render", "forms", "--runtime", "kodlet"], ["did you mean `kodelet`?"]),
        (["resolve", "--runtime", "all", "--set", "alowed=x"], ["unknown setting `alowed`", "`allowed`"]),
        (["resolve", "--runtime", "kodelet,nfa", "--root", "bundled=."], ["unknown root `bundled`"]),
        (["resolve", "--runtime", "kodelet,nfa", "--root", "home"], ["expected ROLE=DIR", "project, user"]),
        (["render", "--query", "x", "--runtime", "kodelet,nfa"], ["--query and --call need one runtime"]),
        (["render", "forms", "--diff", "kodelet", "nfa", *KODELET], ["--diff cannot be used together"]),
        (["render", "forms", "--watch", "-o", "x", *KODELET], ["--watch cannot be used together"]),
        (
            ["resolve", *KODELET, "--set", "alowed=x"],
            ["unknown kodelet setting `alowed`; did you mean `allowed`?"],
        ),
        (["render", "forms", "--set", "alowed=x"], ["unknown kodelet setting `alowed`"]),
        (["render", "forms", "--root", "home"], ["expected ROLE=DIR; the roles of kodelet are"]),
        (["resolve", *KODELET, "--set", "enabled=maybe"], ["invalid JSON value"]),
        (["resolve", *KODELET, "--set", "enabled=1"], ["true or false"]),
        (
            ["resolve", *KODELET, "--root", "sky=."],
            ["unknown kodelet root `sky`", "`skilltool runtimes kodelet`"],
        ),
        (["resolve", *KODELET, "--root", "project=nothing"], ["nothing: no such directory"]),
        (["resolve", *KODELET, "--project", "nothing"], ["nothing: no such directory"]),
        (["resolve", "--runtime", "portable"], ["--root DIR"]),
    ],
)
@pytest.mark.usefixtures("copies")
def test_what_does_not_fit_is_2_with_a_way_out(
    skilltool: Skilltool, arguments: list[str], words: list[str]
) -> None:
    run = skilltool(*arguments)
    assert run.returncode == 2
    assert "Traceback" not in run.stderr
    for word in words:
        assert word in run.stderr


@pytest.mark.usefixtures("copies")
def test_settings_come_from_the_command_line_and_from_configuration(
    skilltool: Skilltool, copies: Path
) -> None:
    off = "Skills are currently not available.\n"
    assert skilltool("render", "--part", "catalog", *KODELET, "--set", "enabled=false").stdout.endswith(off)
    (copies / "skilltool.toml").write_text("[runtime.kodelet]\nallowed = ['other']\n", "utf-8")
    assert skilltool("render", "--part", "catalog", *KODELET).stdout.endswith(off)
    assert not skilltool("render", "--part", "catalog", *KODELET, "--set", "allowed=").stdout.endswith(off)


@pytest.mark.slow
def test_runtimes_are_listed_with_their_sources(skilltool: Skilltool) -> None:
    assert len(skilltool("runtimes").stdout.splitlines()) == len(runtimes.IDS)
    page = skilltool("runtimes", "kodelet").stdout
    assert "source: document 004" in page
    for runtime in runtimes.IDS:
        assert skilltool("runtimes", runtime).returncode == 0
    assert [
        r["id"] for r in json.loads(skilltool("runtimes", "--output-format", "json").stdout)["runtimes"]
    ] == list(runtimes.IDS)


def test_the_facts_name_the_longest_text_of_each_field(skilltool: Skilltool) -> None:
    page = skilltool("runtimes", "agentskills").stdout
    assert re.search("^limits +name 64, description 1,024, compatibility 500$", page, re.MULTILINE)
    [facts] = json.loads(skilltool("runtimes", "agentskills", "--output-format", "json").stdout)["runtimes"]
    assert facts["limits"] == {"name": 64, "description": 1024, "compatibility": 500}
    assert "limits" not in skilltool("runtimes", "nfa").stdout  # it has none


@pytest.mark.slow
@pytest.mark.parametrize(
    "runtime", [name for name in runtimes.BARE if name != "mycodeagent" and runtimes.get(name).catalog]
)
def test_what_is_past_a_bound_of_ours_is_said_and_not_guessed(
    skilltool: Skilltool, repo: Path, runtime: str
) -> None:
    target = runtimes.get(runtime)
    root = repo / "lib" if target.any_roots else own_directory(target, repo, repo)
    assert root is not None
    for name, field in (("deep", "x: " + "[" * 250 + "]" * 250), ("good", "license: MIT")):
        (root / name).mkdir(parents=True)
        text = f"---\nname: {name}\ndescription: Says x. Use when asked.\n{field}\n---\n\nText.\n"
        (root / name / "SKILL.md").write_text(text, "utf-8")
    options = ("--runtime", runtime, "--home", str(repo))
    options += ("--root", str(root)) if target.any_roots else ()
    listing = skilltool("render", "--part", "catalog", *options)
    assert (listing.returncode, listing.stdout) == (2, "")
    assert "skilltool does not read it" in listing.stderr
    part = () if target.call else ("--part", "content") if target.content else ("--query", "good")
    if target.call or target.content:
        assert skilltool("render", "good", *part, *options).returncode == 0
        assert skilltool("render", "deep", *part, *options).returncode == 2
    if target.call:
        raw = json.dumps({target.parameter: "deep"})
        assert skilltool("render", "--call", raw, *options).returncode == 2


@pytest.mark.slow
def test_a_pattern_that_takes_too_long_leaves_the_answer_unknown(skilltool: Skilltool, repo: Path) -> None:
    skill = repo / ".agent/skills/slow"
    skill.mkdir(parents=True)
    triggers = "triggers:\n  patterns: ['(a+)+$']\n"
    text = f"---\nname: slow\ndescription: Says x. Use when asked.\n{triggers}---\n\nText.\n"
    (skill / "SKILL.md").write_text(text, "utf-8")
    run = skilltool("render", "--runtime", "agent", "--home", str(repo), "--query", "a" * 40 + "b")
    assert run.returncode == 2
    assert "took longer than 1 s" in run.stderr


@pytest.mark.slow
@pytest.mark.parametrize("runtime", DISTINCT)
def test_a_skill_that_loads_can_be_rendered_by_its_name(
    skilltool: Skilltool, repo: Path, runtime: str
) -> None:
    target = runtimes.get(runtime)
    root = own_directory(target, repo, repo)
    if root is None or not parts_of(target):
        pytest.skip("the user names the roots, or what it gives its model is not known")
    (root / "good").mkdir(parents=True)
    (root / "good" / "SKILL.md").write_text("---\nname: good\ndescription: d\n---\n\nDo it.\n", "utf-8")
    run = skilltool("render", "good", "--runtime", runtime, "--home", str(repo))
    assert (run.returncode, run.stderr) == (0, "")
    assert "Do it." in run.stdout


def test_a_reason_of_many_lines_is_indented_and_told_once(tmp_path: Path, skilltool: Skilltool) -> None:
    folder = tmp_path / "bundled_skills/bad"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: bad\ndescription: [a\n---\n")
    base = ("--runtime", "agent-base@0.3.2")
    run = skilltool("resolve", *base, cwd=tmp_path)
    assert run.stdout.count("while parsing a flow sequence") == 1
    assert "\n      expected ',' or ']', but got '<stream end>'\n" in run.stdout
    named = skilltool("resolve", "bad", *base, cwd=tmp_path)
    assert "\n   expected ',' or ']', but got '<stream end>'\n" in named.stdout


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["resolve"], ["preview", "--export", "out.html"]], ids=str)
@pytest.mark.usefixtures("copies")
def test_a_terminal_shows_that_skills_are_read_where_that_takes_long(
    copies: Path, arguments: list[str]
) -> None:
    folder = copies / "site"
    folder.mkdir()
    hook = (
        "import sys, time\n"
        "def work(seconds):\n    until = time.process_time() + seconds\n"
        "    while time.process_time() < until:\n        pass\n    return True\n"
        "sys.addaudithook(lambda event, found: event in ('os.listdir', 'os.scandir') and found\n"
        "    and str(found[0]).endswith('.kodelet/skills') and work(1.5))\n"
    )
    (folder / "sitecustomize.py").write_text(hook, "utf-8")
    home = ("--home", "home") if arguments == ["resolve"] else ()
    with Terminal(*arguments, *KODELET, *home, cwd=copies, PYTHONPATH=str(folder)) as terminal:
        shown = terminal.rest()
    assert "reading skills" in shown
    with Terminal(*arguments, *KODELET, *home, cwd=copies) as terminal:
        assert "reading skills" not in terminal.rest()

"""The shells themselves complete commands, options and names with the scripts that we print."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from skilltool.rules import GROUPS, NAMES
from skilltool.runtimes import IDS
from tests.conftest import MakeSkill, Skilltool, slow

Complete = Callable[[str], list[str]]

# Each is run after our script, with the line to complete as its argument, and prints one candidate per line.
BASH = """
COMP_WORDBREAKS=${COMP_WORDBREAKS:-$' \\t\\n"\\'@><=;|&(:'}
read -ra COMP_WORDS <<< "${1//=/ = }"
[[ $1 != *' ' ]] || COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
registered=$(complete -p skilltool)
[[ $registered =~ -F\\ ([^ ]+) ]] && "${BASH_REMATCH[1]}" skilltool "${COMP_WORDS[COMP_CWORD]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
FISH = "complete -C $argv[1]"
# zsh completes only where somebody types: what its script hands over is printed in place of being shown.
ZSH = """
compadd() { print -l -- "${(@P)@[-1]}" }
_describe() { print -l -- "${(@P)@[-2]}" }
_path_files() { }
words=(${=1}); [[ $1 != *' ' ]] || words+=("")
CURRENT=${#words}
_skilltool_completion
"""


@pytest.fixture(params=["bash", "fish", "zsh"])
def complete(request: pytest.FixtureRequest, skilltool: Skilltool, tmp_path: Path) -> Complete:
    """What a shell offers for a line that ends where the cursor is."""
    shell = str(request.param)
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = skilltool("completion", shell)
    assert (script.returncode, script.stderr) == (0, "")
    before = "compdef() { }\n" if shell == "zsh" else ""
    (tmp_path / "script").write_text(before + script.stdout + {"bash": BASH, "fish": FISH, "zsh": ZSH}[shell])
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    quiet = {"bash": ["--norc", "--noprofile"], "fish": ["--no-config"], "zsh": ["-f"]}[shell]

    def offered(line: str) -> list[str]:
        run = subprocess.run(
            [shell, *quiet, tmp_path / "script", line],
            env={**os.environ, "PATH": programs, "HOME": str(tmp_path)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.stderr == ""
        values = [entry.split("\t")[0].split(":")[0] for entry in run.stdout.splitlines()]
        return [value for value in values if value]

    return offered


@pytest.mark.slow
def test_commands_options_and_values_are_completed(complete: Complete) -> None:
    assert complete("skilltool l") == ["lint"]
    assert {"lint", "render", "completion"} <= set(complete("skilltool "))
    assert complete("skilltool lint --runt") == ["--runtime"]
    assert complete("skilltool lint --output-format git") == ["github", "gitlab"]


@slow
def test_names_of_rules_runtimes_schemas_and_templates_are_completed(complete: Complete) -> None:
    assert complete("skilltool rule broken-") == ["broken-link"]
    assert sorted(complete("skilltool rule ")) == sorted([*NAMES, *GROUPS])
    assert complete("skilltool lint --select duplicate-") == [
        "duplicate-key",
        "duplicate-name",
        "duplicate-plugin-name",
    ]
    assert complete("skilltool lint --extend-select pedan") == ["pedantic"]
    assert complete("skilltool lint --ignore al") == ["all"]
    assert complete("skilltool rule pedan") == ["pedantic"]
    for command in ("lint --runtime", "render --runtime", "new --runtime", "runtimes"):
        wanted = [name for name in IDS if name.startswith("myc")]
        assert complete(f"skilltool {command} myc") == wanted
    assert complete("skilltool schema conf") == ["config"]
    assert "basic" in complete("skilltool new --template ")


@slow
def test_names_of_skills_are_completed(complete: Complete, tmp_path: Path, make_skill: MakeSkill) -> None:
    for name in ("greet", "pdf-forms", "$(touch run)", "a b"):
        make_skill(
            tmp_path / ".kodelet/skills" / name, f"---\nname: {name}\ndescription: Says x.\n---\n\nText.\n"
        )
    for command in ("render", "resolve", "cost", "render --runtime kodelet"):
        assert complete(f"skilltool {command} ") == ["greet", "pdf-forms"]
        assert complete(f"skilltool {command} gr") == ["greet"]
    assert complete("skilltool render --diff kod") == [name for name in IDS if name.startswith("kod")]


def test_pack_completes_the_directories_of_skills_by_path_and_name(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    for name in ("greet", "pdf-forms", "$(touch run)", "-x"):
        make_skill(repo / "skills" / name)

    def offered(begun: str) -> str:
        asked = {
            "_SKILLTOOL_COMPLETE": "bash_complete",
            "COMP_WORDS": f"skilltool pack {begun}",
            "COMP_CWORD": "2",
        }
        return skilltool(**asked).stdout

    assert offered("sk") == "plain,skills/-x\nplain,skills/greet\nplain,skills/pdf-forms\n"
    assert offered("pdf") == "plain,skills/pdf-forms\n"
    assert offered("other") == "file,other\n"


@pytest.mark.slow
def test_the_last_of_several_names_is_completed_and_the_others_are_kept(complete: Complete) -> None:
    assert complete("skilltool lint --select empty-body,duplicate-") == [
        "empty-body,duplicate-key",
        "empty-body,duplicate-name",
        "empty-body,duplicate-plugin-name",
    ]
    assert complete("skilltool lint --select duplicate-key,duplicate-n") == ["duplicate-key,duplicate-name"]
    assert complete("skilltool lint --runtime kodelet,myc")[0] == "kodelet,mycodeagent"


@pytest.mark.slow
def test_a_value_after_an_equals_sign_keeps_its_option(
    complete: Complete, request: pytest.FixtureRequest
) -> None:
    (offered,) = complete("skilltool resolve --runtime=pickle-bot@2026-05")
    taken_apart = "bash" in request.node.name  # which puts back what it took apart
    assert offered == ("" if taken_apart else "--runtime=") + "pickle-bot@2026-05"


def test_a_description_is_whole(skilltool: Skilltool) -> None:
    asked = {"_SKILLTOOL_COMPLETE": "fish_complete", "COMP_WORDS": "skilltool lint", "COMP_CWORD": "--runt"}
    (line,) = skilltool(**asked).stdout.splitlines()
    assert re.fullmatch(r"plain,--runtime\tCheck for these runtimes or groups \(comma-separated\); .*", line)


def test_zsh_takes_the_script_without_any_setup(skilltool: Skilltool, tmp_path: Path) -> None:
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    (tmp_path / ".zshrc").write_text(skilltool("completion", "zsh").stdout + "print ${_comps[skilltool]}\n")
    run = subprocess.run(
        ["zsh", "-f", ".zshrc"],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "_skilltool_completion\n", "")


def test_skills_are_those_of_the_runtimes_and_roots_that_the_line_names(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    for place in (".kodelet/skills/kept", ".claude/skills/claimed", "own/mine"):
        make_skill(repo / place)

    def offered(*words: str) -> set[str]:
        line = ["skilltool", "render", *words, ""]
        asked = {"COMP_WORDS": " ".join(line), "COMP_CWORD": str(len(line) - 1)}
        return set(skilltool(_SKILLTOOL_COMPLETE="bash_complete", **asked).stdout.splitlines())

    assert {"plain,kept", "plain,claimed"} <= offered()
    assert offered("--runtime", "kodelet") == {"plain,kept"}
    assert offered("--runtime", "claude-code") == {"plain,claimed"}
    assert offered("--runtime", "kodelet", "--root", "project=own") == {"plain,mine"}
    assert offered("--runtime", "kodelet", "--project", "own") == {"plain,mine"}
    (repo / "empty").mkdir()
    assert offered("--runtime", "kodelet", "--project", "empty") == {"dir,"}

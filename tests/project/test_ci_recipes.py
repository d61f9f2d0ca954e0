"""The GitHub Action's steps, run as a runner would, and the recipes of docs/ci.md as far as they go here."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.conftest import MakeSkill, Skilltool, slow, slowest
from tests.support.hostile import be_hostile

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = {step["id"]: step for step in ACTION["runs"]["steps"] if "id" in step}
PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
BAD = "---\nname: bad\ndescription: Says: x. Use when asked.\n---\n\nText.\n"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def stepped(
    step: str, repo: Path, **environment: str
) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
    """Run one step with the files and variables that a runner gives; return what it printed and wrote."""
    files = {name: repo.parent / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for path in files.values():
        path.write_text("", "utf-8")
    temporary = repo.parent / "runner temp"
    temporary.mkdir(exist_ok=True)
    programs = str(Path(sys.executable).parent)
    variables = {name: str(path) for name, path in files.items()}
    variables |= {"RUNNER_TEMP": str(temporary), "PROGRAMS": programs, "PYTHON": sys.executable}
    run = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[step]["run"]],
        cwd=repo,
        env={**os.environ, **variables, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return run, {name: path.read_text("utf-8") for name, path in files.items()}


def outputs(files: dict[str, str]) -> dict[str, str]:
    """The outputs that a step has set."""
    return dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].splitlines())


@pytest.mark.slow
def test_the_lint_step_annotates_summarizes_and_fails(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "skills" / "bad", BAD)
    run, files = stepped("lint", repo, PATHS="skills\n", RUNTIME="agentskills\nkodelet\n", ARGS="")
    assert run.returncode == 1
    assert "::error title=skilltool (invalid-yaml),file=skills/bad/SKILL.md,line=3" in run.stdout
    assert "invalid-yaml" in files["GITHUB_STEP_SUMMARY"]
    sarif = Path(outputs(files)["sarif-file"])
    assert json.loads(sarif.read_text("utf-8"))["version"] == "2.1.0"


def test_a_failed_check_is_in_the_summary(repo: Path) -> None:
    run, files = stepped("lint", repo, PATHS="gone\n", RUNTIME="", ARGS="")
    assert run.returncode == 2
    assert "skilltool could not run" in files["GITHUB_STEP_SUMMARY"]


@pytest.mark.slow
def test_what_is_suppressed_is_no_alert_of_code_scanning(repo: Path, make_skill: MakeSkill) -> None:
    comment = "# skilltool: ignore[broken-link] written by the build\n"
    head = "name: a\ndescription: Fills in forms. Use when asked.\n"
    make_skill(repo / "a", f"---\n{comment}{head}---\n\n[x](gone.md)\n\n[y]()\n")
    _, files = stepped("lint", repo, PATHS="", RUNTIME="", ARGS="")
    sarif = Path(outputs(files)["sarif-file"])
    (run,) = json.loads(sarif.read_text("utf-8"))["runs"]
    assert "broken-link" in [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert "broken-link" not in [result["ruleId"] for result in run["results"]]


@pytest.mark.slow
def test_the_lint_step_passes_a_good_skill_and_tells_of_a_wrong_path(
    repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "skills" / "good")
    assert stepped("lint", repo, PATHS=".", RUNTIME="", ARGS="--fail-on=info")[0].returncode == 0
    run, _ = stepped("lint", repo, PATHS="gone", RUNTIME="", ARGS="")
    assert run.returncode == 2
    assert "gone: No such file or directory" in run.stderr


@pytest.mark.slow
def test_a_path_may_begin_with_a_dash_and_further_arguments_do_not_replace_the_formats(
    repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "-bad", BAD)
    arguments = "--output-format\njson\n--select\ninvalid-yaml\n"
    run, files = stepped("lint", repo, PATHS="-bad\n", RUNTIME="", ARGS=arguments)
    assert run.returncode == 1
    assert run.stdout.startswith("::error title=skilltool (invalid-yaml),file=-bad/SKILL.md")
    sarif = Path(outputs(files)["sarif-file"])
    assert json.loads(sarif.read_text("utf-8"))["version"] == "2.1.0"


@pytest.mark.parametrize(
    "argument",
    [
        "--statistics",
        "--show-settings",
        "--diff",
        "--watch",
        "-h",
        "--help",
        "-ox",
        "-o\nx",
        "--output-file=x",
    ],
)
def test_arguments_that_replace_the_report_are_refused_with_a_sentence(
    repo: Path, make_skill: MakeSkill, argument: str
) -> None:
    make_skill(repo / "bad", BAD)
    run, files = stepped("lint", repo, PATHS=".", RUNTIME="", ARGS=argument)
    assert (run.returncode, run.stderr, (repo / "x").exists()) == (2, "", False)
    sentence = f"the input args cannot contain {argument.splitlines()[0]}: annotations, summary and SARIF"
    assert run.stdout.startswith(f"::error title=skilltool::{sentence}")
    assert sentence in files["GITHUB_STEP_SUMMARY"]
    assert files["GITHUB_OUTPUT"] == ""


@pytest.mark.slow
def test_lines_of_inputs_may_be_indented_or_blank(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "skills" / "bad", BAD)
    inputs = {
        "PATHS": "  skills \n \n",
        "RUNTIME": "\n  agentskills\n",
        "ARGS": " --ignore\n\n\tinvalid-yaml\n  ",
    }
    run, files = stepped("lint", repo, **inputs)
    assert run.returncode in (0, 1)
    assert "invalid-yaml" not in files["GITHUB_STEP_SUMMARY"]
    assert "1 skill" in files["GITHUB_STEP_SUMMARY"]


def test_nothing_in_the_inputs_is_run_by_the_shell(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "skills" / "good")
    attack = "$(touch pwned); touch pwned; `touch pwned`"
    stepped("lint", repo, PATHS=attack, RUNTIME=attack, ARGS=attack)
    assert not (repo / "pwned").exists()
    assert "${{" not in "".join(step["run"] for step in STEPS.values() if "run" in step)


@pytest.mark.slow
def test_nothing_of_the_checked_repository_is_run(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "skills" / "good")
    marks = be_hostile(repo)
    run, files = stepped("lint", repo, PATHS="skills", RUNTIME="", ARGS="", PYTHONPATH=".")
    assert run.returncode == 0, run.stderr
    assert "1 skill checked" in files["GITHUB_STEP_SUMMARY"]
    assert os.listdir(marks) == []


@slowest
@pytest.mark.skipif(not os.environ.get("CI"), reason="installs from a registry: set CI=1 to run it")
def test_the_install_step_installs_the_action_s_own_checkout(repo: Path) -> None:
    marks = be_hostile(repo)
    run, files = stepped("install", repo, SOURCE=str(ROOT), PYTHONPATH=".")
    assert run.returncode == 0, run.stderr
    assert os.listdir(marks) == []
    program = Path(outputs(files)["programs"]) / "skilltool"
    assert subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout


def test_every_recipe_is_yaml_and_names_what_exists() -> None:
    recipes = [yaml.safe_load(text) for text in blocks("yaml")]
    used = recipes[0]["jobs"]["lint"]["steps"][1]["with"]
    assert set(used) <= set(ACTION["inputs"])
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [hook["id"] for hook in recipes[3]["repos"][0]["hooks"]] == ["skilltool-fix"]
    assert {hook["id"] for hook in hooks} == set(
        re.findall(r"^\| `(skilltool-[a-z-]+)` \|", PAGE, re.MULTILINE)
    )


def test_the_page_describes_every_input_and_output_of_the_action() -> None:
    for name in (*ACTION["inputs"], *ACTION["outputs"]):
        assert f"`{name}`" in PAGE, name


@pytest.mark.slow
def test_the_hooks_of_the_recipe_print_each_finding_once(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "a", "---\nname: a\ndescription: Says x. Use when asked.\n---\n\n[x](gone.md)\n")
    recipe = next(each for each in map(yaml.safe_load, blocks("yaml")) if "repos" in each)
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    entries = {hook["id"]: hook["entry"].split() for hook in hooks}
    printed = ""
    for hook in recipe["repos"][0]["hooks"]:
        command = [sys.executable, "-m", *entries[hook["id"]], "a/SKILL.md"]
        printed += subprocess.run(command, cwd=repo, capture_output=True, text=True, check=False).stdout
    assert printed.count("[broken-link]") == 1


@pytest.mark.slow
@pytest.mark.parametrize("sarif", ["true", "false"])
def test_the_action_shows_each_finding_once(repo: Path, make_skill: MakeSkill, sarif: str) -> None:
    make_skill(repo / "bad", BAD)
    run, files = stepped("lint", repo, PATHS="bad", SARIF=sarif)
    assert run.returncode == 1
    assert run.stdout.count("invalid-yaml") == 1
    assert ("::error" in run.stdout) == (sarif == "false")  # code scanning annotates by itself
    assert "SKILL.md" not in files["GITHUB_STEP_SUMMARY"]


@pytest.mark.slow
def test_the_action_counts_what_it_found(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "bad", BAD)
    text = "---\nname: a\ndescription: Says x. Use when asked.\n---\n\n[x](gone.md)\n\n[y](gone.md)\n"
    make_skill(repo / "a", text)
    run, files = stepped("lint", repo, PATHS=".")
    assert run.returncode == 1
    counts = {key: value for key, value in outputs(files).items() if key.endswith("-count")}
    assert counts == {"error-count": "1", "warning-count": "2"}


@slow
def test_the_action_takes_a_configuration_and_the_lowest_severity(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "a", "---\nname: a\ndescription: Says x. Use when asked.\n---\n\n[x](gone.md)\n")
    assert stepped("lint", repo, PATHS=".")[0].returncode == 0
    assert stepped("lint", repo, PATHS=".", FAIL_ON="warning")[0].returncode == 1
    (repo / "other config.toml").write_text('fail-on = "info"\n', "utf-8")
    assert stepped("lint", repo, PATHS=".", CONFIG="other config.toml")[0].returncode == 1
    assert stepped("lint", repo, PATHS=".", CONFIG="other config.toml", FAIL_ON="never")[0].returncode == 0


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        ({"python3": 0, "python": 0}, "python3"),
        ({"python3": 1, "python": 0}, "python"),
        ({"python": 0}, "python"),
        ({"python3": 1, "python": 1}, None),
        ({}, None),
    ],
)
def test_a_python_that_is_new_enough_is_found_else_set_up(
    repo: Path, versions: dict[str, int], expected: str | None
) -> None:
    """`versions` are the programs in PATH, with the exit status of the question whether they are too old."""
    programs = repo.parent / "programs"
    programs.mkdir()
    for name, status in versions.items():
        (programs / name).write_text(f"#!/bin/sh\nexit {status}\n", "utf-8")
        (programs / name).chmod(0o755)
    (programs / "bash").symlink_to("/bin/bash")
    run, files = stepped("python", repo, PATH=str(programs))
    assert (run.returncode, run.stderr) == (0, "")
    assert outputs(files) == ({} if expected is None else {"path": expected})
    condition = STEPS["setup-python"]["if"]
    assert condition == "${{ steps.python.outputs.path == '' }}"


@pytest.mark.parametrize("folder", ["bin", "Scripts"])
def test_the_programs_are_found_where_venv_puts_them(repo: Path, folder: str) -> None:
    """A stand-in for Python makes the environment as Windows does, or as others do."""
    python = repo.parent / "python"
    made = f'"$4/{folder}"'  # the arguments are -I -m venv DIR
    python.write_text(f"#!/bin/sh\nmkdir -p {made} && cp /bin/true {made}/python\n", "utf-8")
    python.chmod(0o755)
    run, files = stepped("install", repo, PYTHON=str(python), SOURCE="x")
    assert run.returncode == 0, run.stderr
    assert outputs(files)["programs"].endswith(f"runner temp/skilltool/{folder}")


def test_what_was_restored_is_not_installed_again(repo: Path) -> None:
    programs = repo.parent / "runner temp" / "skilltool" / "bin"
    programs.mkdir(parents=True)
    run, files = stepped("install", repo, PYTHON="/bin/false", SOURCE="gone", RESTORED="skilltool-Linux-x")
    assert run.returncode == 0, run.stderr
    assert outputs(files) == {"programs": str(programs)}


def test_the_key_changes_with_what_is_installed(repo: Path) -> None:
    source = repo.parent / "source"
    for name in ("skilltool/a.py", "schemas/a.json", "templates/a.md", "pyproject.toml"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text("", "utf-8")

    def key(version: str = "") -> str:
        run, files = stepped("key", repo, SOURCE=str(source), VERSION=version)
        assert run.returncode == 0, run.stderr
        return outputs(files)["key"]

    keys = [key(), key("1.0.0")]
    assert key() == keys[0]
    for name in ("skilltool/a.py", "schemas/a.json", "templates/a.md", "pyproject.toml"):
        (source / name).write_text("x", "utf-8")
        keys.append(key())
    assert len(set(keys)) == 6


@pytest.mark.slow
def test_results_are_kept_only_where_asked_for(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "skills" / "good")
    results = repo.parent / "runner temp" / "skilltool-results"
    for cache in ("false", "true"):
        assert stepped("lint", repo, PATHS="skills", CACHE=cache)[0].returncode == 0
        assert results.is_dir() == (cache == "true")


def test_release_jobs_and_protected_branches_restore_nothing() -> None:
    """The conditions, with the contexts of GitHub as values, read as the expressions they are."""

    def holds(condition: str, event: str, kind: str, protected: bool) -> bool:
        text = condition.strip().removeprefix("${{").removesuffix("}}").replace("!cancelled()", "True")
        text = text.replace("steps.install.outputs.programs", "'bin'").replace("inputs.cache", "'true'")
        text = text.replace("github.event_name", repr(event)).replace("github.ref_type", repr(kind))
        text = re.sub(r"!(?!=)", " not ", text.replace("github.ref_protected", str(protected)))
        return bool(eval(" ".join(text.replace("&&", " and ").replace("||", " or ").split())))

    restore = STEPS["restore"]["if"]
    (save,) = (each["if"] for each in ACTION["runs"]["steps"] if "cache/save" in each.get("uses", ""))
    assert holds(restore, "pull_request", "branch", False)
    assert holds(restore, "push", "branch", False)
    assert not holds(restore, "push", "branch", True)
    assert holds(save, "push", "branch", True)
    for event in ("push", "release", "pull_request_target", "workflow_run", "workflow_dispatch"):
        kind = "tag" if event in ("push", "release") else "branch"
        assert not holds(restore, event, kind, False)
        assert not holds(save, event, kind, False)


def test_the_version_that_the_action_asks_for_is_that_of_the_package() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    major, minor = re.findall(r"\d+", wanted)
    assert f"sys.version_info < ({major}, {minor})" in STEPS["python"]["run"]


def test_other_actions_are_pinned_by_commit_with_their_tag() -> None:
    lines = (ROOT / "action.yml").read_text("utf-8").splitlines()
    used = [line.strip() for line in lines if "uses: " in line]
    assert len(used) == 5
    for line in used:
        assert re.fullmatch(r"uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line


@pytest.mark.slow
def test_every_command_of_the_page_runs(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "skills" / "bad", BAD)
    lines = "".join([*blocks("yaml"), *blocks("make"), *blocks("sh")]).splitlines()
    called = [line for line in lines if re.search(r"(^|[\s:-])skilltool (lint|baseline)", line)]
    commands = [line.partition("skilltool ")[2] for line in called]
    assert len(commands) == 7
    for command in commands:
        run = skilltool(*shlex.split(command))
        assert run.returncode in (0, 1), command
        assert "Usage" not in run.stderr
    assert json.loads((repo / "gl-code-quality-report.json").read_text("utf-8"))
    assert skilltool("lint").returncode == 0

"""The hooks that other repositories use: which files call them, and what the real pre-commit makes of them.

The runs of the real pre-commit install this project with its dependencies from a registry, so they need a
network; they run where `CI` is set.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from skilltool.skill.tree import SKIPPED_DIRECTORIES
from tests.conftest import MakeSkill, slowest

ROOT = Path(__file__).parents[2]
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
IN_CI = pytest.mark.skipif(
    not os.environ.get("CI"), reason="installs from a registry: set CI=1 to run pre-commit itself"
)

CALLED = [
    *("SKILL.md", "skill.md", "pdf/SKILL.md", "pdf/forms.md", "pdf/docs/x.md", ".claude/skills/pdf/SKILL.md"),
    *(
        "skills/pdf/notes.txt",
        "pdf/scripts/run.py",
        "pdf/LICENSE",
        "skills/x/a b.md",
        "README.md",
        "src/main.py",
    ),
]
NOT_CALLED = [
    *(
        "node_modules/x/SKILL.md",
        "pdf/node_modules/x/index.js",
        "pdf/scripts/__pycache__/run.cpython-311.pyc",
    ),
    *(".hg/store/x", "skills/.svn/entries"),
]


@pytest.mark.parametrize("hook", ["skilltool-lint", "skilltool-fix"])
def test_any_file_calls_the_hook_but_what_discovery_passes_over(hook: str) -> None:
    """Any file may lie in a skill: only a look at the directories above it tells."""
    assert "files" not in HOOKS[hook]
    assert HOOKS[hook]["types"] == []
    assert HOOKS[hook]["types_or"] == ["file", "symlink"]  # a submodule is neither
    pattern = re.compile(HOOKS[hook]["exclude"])
    assert [path for path in CALLED if pattern.search(path)] == []
    assert [path for path in NOT_CALLED if not pattern.search(path)] == []
    passed_over = re.findall(r"[\w.]+", pattern.pattern.partition(")(")[2].replace("\\", ""))
    assert {*passed_over, ".git"} == SKIPPED_DIRECTORIES


@pytest.mark.parametrize("hook", HOOKS)
def test_each_hook_passes_what_a_hook_needs(hook: str) -> None:
    entry = HOOKS[hook]["entry"].split()
    assert entry[:2] == ["skilltool", "lint"]
    assert {"--force-exclude", "--allow-empty", "--fail-on=warning"} <= set(entry)
    assert HOOKS[hook].get("require_serial") or HOOKS[hook]["always_run"]


def test_files_of_several_skills_and_of_none_are_checked_once_each(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "skills" / "a")
    (repo / "skills" / "a" / "page.md").touch()
    (repo / "src").mkdir()
    (repo / "src" / "x.py").touch()
    files = ["skills/a/SKILL.md", "skills/a/page.md", "src/x.py"]
    entry = HOOKS["skilltool-lint"]["entry"].split()
    run = subprocess.run(
        [sys.executable, "-m", *entry, *files], cwd=repo, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout) == (0, "1 skill checked against `portable`, no findings\n")


def git(directory: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *identity, *arguments], cwd=directory, check=True, capture_output=True)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One home of pre-commit for all runs: the environment is installed once."""
    return tmp_path_factory.mktemp("pre-commit")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with what pre-commit would clone of this project."""
    top = tmp_path_factory.mktemp("source") / "skilltool"
    for name in ("skilltool", "schemas", "templates"):
        shutil.copytree(ROOT / name, top / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, top / name)
    git(top, "init", "-q")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "x")
    return top


def tried(hook: str, repo: Path, source: Path, store: Path) -> subprocess.CompletedProcess[str]:
    git(repo, "add", "-A")
    command = [sys.executable, "-m", "pre_commit", "try-repo", str(source), hook, "--color", "never"]
    environment = {**os.environ, "PRE_COMMIT_HOME": str(store)}
    return subprocess.run(command, cwd=repo, env=environment, capture_output=True, text=True, check=False)


@slowest
@IN_CI
def test_the_real_pre_commit_passes_stops_fixes_and_notices(
    tmp_path: Path, source: Path, store: Path, make_skill: MakeSkill
) -> None:
    repo = tmp_path / "made-up"
    repo.mkdir()
    git(repo, "init", "-q")
    good = make_skill(repo / "skills" / "good")
    (good / "references").mkdir()
    (good / "references" / "page.md").write_text("# Page\n", "utf-8")
    text = (good / "SKILL.md").read_text("utf-8")
    (good / "SKILL.md").write_text(f"{text}\nSee [the page](references/page.md).\n", "utf-8")
    passes = tried("skilltool-lint", repo, source, store)
    assert (passes.returncode, "Passed" in passes.stdout) == (0, True), passes.stdout + passes.stderr
    git(repo, "commit", "-qm", "good")

    bad = make_skill(
        repo / "skills" / "bad", "---\nname: bad\ndescription: Says: x. Use when asked.\n---\n\nT.\n"
    )
    stops = tried("skilltool-lint", repo, source, store)
    assert stops.returncode == 1
    assert "skills/bad/SKILL.md:3:18" in stops.stdout
    assert "invalid-yaml" in stops.stdout

    fixes = tried("skilltool-fix", repo, source, store)
    assert fixes.returncode == 1
    assert "files were modified by this hook" in fixes.stdout
    assert 'description: "Says: x. Use when asked."' in (bad / "SKILL.md").read_text("utf-8")
    assert tried("skilltool-fix", repo, source, store).returncode == 0
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "bad, fixed")

    (good / "references" / "page.md").unlink()
    assert tried("skilltool-lint", repo, source, store).returncode == 0
    notices = tried("skilltool-lint-all", repo, source, store)
    assert (notices.returncode, "broken-link" in notices.stdout) == (1, True)

    shutil.rmtree(repo / "skills")
    assert tried("skilltool-lint-all", repo, source, store).returncode == 0


@slowest
@IN_CI
def test_no_file_of_a_repository_passes_for_an_argument_of_the_user(
    tmp_path: Path, source: Path, store: Path, make_skill: MakeSkill
) -> None:
    """`args` stand between the entry and the names of files."""
    repo = tmp_path / "made-up"
    git(tmp_path, "init", "-q", str(repo))
    make_skill(
        repo / "a", "---\nname: a\ndescription: Fills in forms. Use when asked.\n---\n\n[x](gone.md)\n"
    )
    assert configured(repo, source, store, args="[]").returncode == 1
    assert configured(repo, source, store, args="[--ignore, broken-link]").returncode == 0
    (repo / "-").touch()
    assert configured(repo, source, store, args="[--ignore=broken-link]").returncode == 0
    (repo / "--exit-zero").touch()
    refused = configured(repo, source, store, args="[]")
    assert (refused.returncode, "`--exit-zero` is both an option and a file" in refused.stdout) == (1, True)


@slowest
@IN_CI
def test_a_submodule_is_left_to_its_own_hooks(
    tmp_path: Path, source: Path, store: Path, make_skill: MakeSkill
) -> None:
    other, repo = tmp_path / "other", tmp_path / "made-up"
    for place in (other, repo):
        git(tmp_path, "init", "-q", str(place))
    skill = make_skill(
        other / "a", "\ufeff---\nname: a\ndescription: Fills in forms. Use when asked.\n---\n\nT.\n"
    )
    git(other, "add", "-A")
    git(other, "commit", "-qm", "x")
    git(repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "sub")
    run = tried("skilltool-fix", repo, source, store)
    assert run.returncode == 0, run.stdout
    text = (skill / "SKILL.md").read_bytes()
    assert (repo / "sub" / "a" / "SKILL.md").read_bytes() == text


def configured(repo: Path, source: Path, store: Path, args: str) -> subprocess.CompletedProcess[str]:
    """Run the hook `skilltool-lint` as a configuration with `args` calls it, on all files."""
    rev = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=source, check=True, capture_output=True, text=True
    ).stdout.strip()
    hook = f"{{id: skilltool-lint, args: {args}}}"
    (repo / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {source}\n  rev: {rev}\n  hooks: [{hook}]\n", "utf-8"
    )
    git(repo, "add", "-A")
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color", "never"]
    environment = {**os.environ, "PRE_COMMIT_HOME": str(store)}
    return subprocess.run(command, cwd=repo, env=environment, capture_output=True, text=True, check=False)

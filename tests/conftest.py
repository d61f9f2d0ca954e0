"""What every test stands on: a scrubbed environment, skills on disk, and the real command."""

from __future__ import annotations

import gc
import os
import signal
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from skilltool.skill.discovery import discover
from tests.support import cases
from tests.support.warm import run_command

# Where the tests run in the background interrupts are ignored, and would be by all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# As in skilltool/__main__.py: to collect tests makes many objects that stay.
gc.set_threshold(100_000)

# Tests try more where `FULL` is set, as `.ci/run --full` does.
FULL = bool(os.environ.get("FULL"))

# Whether slow tests run; those that install from a registry run only where `CI` is set.
SLOW = bool(FULL or os.environ.get("CI") or os.environ.get("SLOW"))

slow = pytest.mark.slow

slowest = pytest.mark.skipif(not FULL, reason="takes ten seconds or more: set FULL=1 to run it")


# The files that take longest, the slowest first.
_LONG = (
    "test_pre_commit.py",
    "test_journeys.py",
    "test_outcomes.py",
    "test_docs.py",
    "test_linear_patterns.py",
    "test_unlucky_places.py",
    "test_origins.py",
    "test_examples.py",
)


def pytest_configure(config: pytest.Config) -> None:
    """Keep xdist from beginning with the files that have most items: one item may be 400 cases."""
    config.option.loadscopereorder = False


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Use one process more than there are cores, since many tests wait."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> pytest.Function | None:
    """Make one item of all cases of a test that is marked `together`."""
    if not (callable(obj) and cases.is_together(obj)):
        return None
    made: pytest.Function = pytest.Function.from_parent(collector, name=name, callobj=cases.together(obj))
    return made


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is slow unless it is named, and begin with the files that take longest.

    Such a file would run alone at the end.
    """
    if not SLOW and not any("::" in argument for argument in config.args):
        slower = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slower)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
    items.sort(key=lambda item: _LONG.index(item.path.name) if item.path.name in _LONG else len(_LONG))


def pytest_collection_finish() -> None:
    """Leave out of each collection of garbage what was imported and collected; it stays to the end."""
    gc.freeze()


def examples(number: int) -> int:
    """Return how many examples to draw of a property that deserves so many in a full run."""
    return number if FULL else -(-number // 4)


# How long an example takes says nothing on a machine that has other work; where `CI` is set hypothesis
# draws the same examples in every run, so that a failure there has to do with what was changed.
settings.register_profile(
    "ours",
    settings(),
    max_examples=examples(100),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("ours")

Skilltool = Callable[..., subprocess.CompletedProcess[str]]
MakeSkill = Callable[..., Path]

_SCRUBBED = (
    "SKILLTOOL_CACHE_DIR",
    "SKILLTOOL_OUTPUT_FORMAT",
    "XDG_CACHE_HOME",
    "XDG_STATE_HOME",
    "NO_COLOR",
    "FORCE_COLOR",
    "CI",
    "GITHUB_ACTIONS",
    "TF_BUILD",
    "COLUMNS",
    "TERM",
    "PYTHONIOENCODING",
    "PYTHONUTF8",
)
# What tells of the terminal in which the tests are run.
_SCRUBBED += ("COLORTERM", "DOMTERM", "FORCE_HYPERLINK", "KITTY_WINDOW_ID", "KONSOLE_VERSION")
_SCRUBBED += ("TERM_PROGRAM", "VTE_VERSION", "WT_SESSION")


def found(top: Path, *paths: str, **options: object) -> list[str]:
    """Return what `discover` finds for paths under `top`, relative to it; problems are failures."""
    result = discover([top / path for path in paths or (".",)], base=top, **options)  # type: ignore[arg-type]
    assert result.problems == ()
    return [skill.relative_to(top).as_posix() for skill in result.skills]


@pytest.fixture(autouse=True)
def scrubbed_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name in [*_SCRUBBED, *(name for name in os.environ if name.startswith("GIT_"))]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path_factory.getbasetemp()))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)


@pytest.fixture(scope="session", autouse=True)
def opened_directories(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Open at the end what tests have closed: pytest deletes it some runs later, and fails if it may not."""
    yield
    if not hasattr(os, "fwalk"):  # on Windows no mode closes a directory
        return
    for _, names, _, folder in os.fwalk(tmp_path_factory.getbasetemp()):
        for name in names:  # by directory, since some paths are too long to be named
            mode = os.lstat(name, dir_fd=folder).st_mode
            if stat.S_ISDIR(mode) and mode & stat.S_IRWXU != stat.S_IRWXU:
                os.chmod(name, mode | stat.S_IRWXU, dir_fd=folder)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A directory in which the search upwards ends, as at the root of a repository."""
    root = tmp_path / "repo"
    (root / ".git").mkdir(parents=True)
    return root


@pytest.fixture
def make_skill() -> MakeSkill:
    """A function that writes a skill without defects to a directory and returns the directory."""

    def make(directory: Path, text: str | None = None, file_name: str = "SKILL.md") -> Path:
        directory.mkdir(parents=True, exist_ok=True)
        clean = (
            f"---\nname: {directory.name}\ndescription: Fills in forms. Use when the user mentions a form.\n"
            "---\n\n# Forms\n\nRead the form's fields before you fill them in.\n"
        )
        (directory / file_name).write_bytes((clean if text is None else text).encode("utf-8", "replace"))
        return directory

    return make


@pytest.fixture
def tree(repo: Path, make_skill: MakeSkill) -> Path:
    """A repository with four skills: `a`, `a/nested`, `b/c` and `drafts/d`."""
    for name in ("a", "b/c", "a/nested", "drafts/d"):
        make_skill(repo / name)
    (repo / "a" / "references").mkdir()
    (repo / "a" / "references" / "page.md").touch()
    return repo


@pytest.fixture
def skilltool(repo: Path) -> Skilltool:
    """A function that runs the command, by default in the directory `repo`, and returns what it printed."""

    def run(
        *arguments: str | os.PathLike[str], cwd: Path = repo, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return run_command([*map(os.fspath, arguments)], cwd, **environment)

    return run


@pytest.fixture
def enforced_permissions(tmp_path: Path) -> None:
    """Skip a test where no permission keeps this user out, as for root."""
    closed = tmp_path / "closed"
    closed.touch(mode=0o000)
    if os.access(closed, os.R_OK):
        pytest.skip("this user may read everything")

"""What a stranger's template costs is bounded, and is one sentence and exit 2."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skilltool import scaffold
from skilltool.bounds.limited_process import LimitedProcess
from skilltool.errors import SkilltoolError
from skilltool.scaffold.bounded_rendering import resolve_variables
from tests.conftest import Skilltool, slow
from tests.scaffold.making import template

MEMORY = "needs more than the 1 GiB of memory that skilltool allows"
TEXT = "renders to more than the 10 MiB that skilltool allows"
ENDLESS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"

linux = pytest.mark.skipif(sys.platform != "linux", reason="no other system enforces a limit of memory")


def refused(skilltool: Skilltool, repo: Path) -> str:
    """What is said of the template `t`, of which nothing is left."""
    before = {*os.listdir(repo)}
    run = skilltool("new", "a", "--template", "./t", "--no-input")
    (line,) = run.stderr.splitlines()
    assert run.returncode == 2
    assert "internal" not in line
    assert {*os.listdir(repo)} == before
    return line.removeprefix("skilltool: template ./t: ")


@slow
@pytest.mark.parametrize(
    ("body", "words"),
    [
        pytest.param("{{ '%c' * 10**9 }}", MEMORY, marks=linux),
        pytest.param("{{ 'a' * 10**10 }}", MEMORY, marks=linux),
        ("{{ ('a' * 1000 ~ '') * 11000 }}", TEXT),
        (ENDLESS.replace("{% endfor %}", "text{% endfor %}", 1), TEXT),
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "cannot be rendered: nested too deeply"),
        ("{{ " + "(" * 9000 + "1" + ")" * 9000 + " }}", "cannot be rendered: nested too deeply"),
        ("{% for a in [1] %}" * 60 + "{% endfor %}" * 60, "cannot be rendered: too many statically nested"),
        ("{{ range(10**9) }}", "cannot be rendered: Range too big"),
        ("{{ 1 // 0 }}", "cannot be rendered: integer division or modulo by zero"),
        ("{{ 1 + 'a' }}", "cannot be rendered: unsupported operand"),
        ("{{ {}['" + "x" * 5000 + "'] }}", "cannot be rendered: 'dict object' has no attribute 'xxx"),
    ],
)
def test_what_a_template_does_is_one_sentence(
    skilltool: Skilltool, repo: Path, body: str, words: str
) -> None:
    template(repo / "t", body)
    said = refused(skilltool, repo)
    assert said.startswith(words)
    assert len(said) < 500


@pytest.mark.slow
@linux
def test_a_default_is_limited_as_a_file_is(skilltool: Skilltool, repo: Path) -> None:
    template(repo / "t", title="{{ 'a' * 10**10 }}")
    assert refused(skilltool, repo) == MEMORY


@pytest.mark.slow
def test_many_files_together_are_limited(skilltool: Skilltool, repo: Path) -> None:
    inside = template(repo / "t") / "{{cookiecutter.name}}"
    for number in range(110):
        (inside / f"{number}.md").write_text("{{ 'x' * 100000 }}", "utf-8")
    assert refused(skilltool, repo) == TEXT


@slow
@pytest.mark.parametrize("body", [ENDLESS, "{{ 2 ** (2 ** 30) }}"])
def test_what_never_ends_is_ended(repo: Path, body: str) -> None:
    source = template(repo / "t", title=body)
    with scaffold.open_template(str(source)) as opened:
        process = LimitedProcess("skilltool.scaffold.rendering:answer", seconds=0.5)
        object.__setattr__(opened, "process", process)
        with pytest.raises(SkilltoolError, match=r"takes more than the 0\.5 seconds that skilltool allows"):
            resolve_variables(opened, {})
        with pytest.raises(SkilltoolError, match="takes more than"):
            resolve_variables(opened, {})


@pytest.mark.parametrize(
    ("context", "words"),
    [
        (json.dumps({"name": "a", "x": "y" * (1 << 20)}), "larger than the 1 MiB that skilltool allows"),
        (json.dumps({"name": "a", "x": ["y"] * 10_000}), "exceeds the 10,000 values or 64 levels"),
        ('{"name": "a", "x": ' + "[" * 64 + "]" * 64 + "}", "exceeds the 10,000 values or 64 levels"),
        ('{"name": "a", "x": ' + "[" * 99_999 + "]" * 99_999 + "}", "nested too deeply"),
    ],
)
def test_the_context_file_is_limited(skilltool: Skilltool, repo: Path, context: str, words: str) -> None:
    (template(repo / "t") / "cookiecutter.json").write_text(context, "utf-8")
    assert words in refused(skilltool, repo)


@pytest.mark.slow
def test_a_context_at_its_limits_is_read(skilltool: Skilltool, repo: Path) -> None:
    deep = json.loads("[" * 62 + "]" * 62)
    template(repo / "t", _x=deep, _y=["y"] * 9_000)
    assert skilltool("new", "a", "--template", "./t", "--no-input").returncode == 0


def test_directories_of_a_template_are_limited(skilltool: Skilltool, repo: Path) -> None:
    inside = template(repo / "t") / "{{cookiecutter.name}}"
    inside.joinpath(*["d"] * 40).mkdir(parents=True)
    assert refused(skilltool, repo) == "nested deeper than the 32 levels that skilltool allows"
    template(repo / "u")
    for number in range(1_001):
        (repo / "u" / str(number)).mkdir()
    (repo / "t").rename(repo / "deep")
    (repo / "u").rename(repo / "t")
    assert refused(skilltool, repo) == "exceeds the 1,000 files or 10 MiB that skilltool allows"


@pytest.mark.slow
@pytest.mark.parametrize("signals", [[signal.SIGINT], [signal.SIGTERM, signal.SIGTERM, signal.SIGINT]])
def test_a_template_that_is_interrupted_leaves_nothing(repo: Path, signals: list[signal.Signals]) -> None:
    template(repo / "t", ENDLESS)
    run = subprocess.Popen(
        [sys.executable, "-m", "skilltool", "new", "a", "--template", "./t", "--no-input"],
        cwd=repo,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not list(repo.glob(".skilltool-*/a")):  # rendering has begun
        assert run.poll() is None
        time.sleep(0.01)
    for number in signals:
        run.send_signal(number)
    _, said = run.communicate(timeout=60)
    assert (run.returncode, said) == (130, "\n")
    assert sorted(os.listdir(repo)) == [".git", "t"]


@pytest.mark.slow
def test_only_the_process_of_a_template_imports_cookiecutter(repo: Path) -> None:
    program = (
        "import sys\nfrom skilltool.cli import main\nsys.argv = ['skilltool', 'new', 'a', '--no-input']\n"
        "try:\n    main()\nfinally:\n    sys.exit('cookiecutter' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=repo, check=False).returncode == 0
    assert (repo / "skills/a/SKILL.md").is_file()

"""Time skilltool and other linters, in the same run, on the same generated skills.

    python -m venv peers && peers/bin/pip install agnix==0.59.3 skillsaw==0.22.0 skills-ref==0.1.1
    python -m benchmarks --peers peers/bin [--plot docs/benchmarks.svg] [--profile]
    python -m benchmarks --peers peers/bin --corpus DIR [--profile]
    python -m benchmarks --growth [CONSTRUCT] [--kib 32,128]
    python -m benchmarks --large [CONSTRUCT]
    python -m benchmarks --preview 22,100 [--corpus DIR]

Quote ratios, not seconds: machines differ. After one warm-up, every command runs `--runs` times, in turn with
the others; the tables show medians. A linter that is not installed is skipped.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks import plot, preview, profile, rule_costs, server
from benchmarks.corpus import write_skills
from benchmarks.measure import Contender, measure, table
from skilltool.runtimes import BARE

_SKILLTOOL = [sys.executable, "-m", "skilltool"]
_PEERS = {
    "agnix": ["agnix"],
    "skillcheck": ["skillcheck"],
    "skills-ref": ["agentskills", "validate"],
    "skillsaw": ["skillsaw", "lint"],
}
# More skills than this would take minutes; skills-ref takes one.
_MOST = {"skillcheck": 1_000, "skills-ref": 1, "skillsaw": 1_000}
_ANY_DIRECTORY = ("agnix", "skillsaw")  # those that find the skills in a directory of any layout


def main() -> None:
    """Parse the options, measure, and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Time skilltool and others.")
    parser.add_argument("--peers", type=Path, help="directory with the other linters (default: PATH)")
    parser.add_argument("--runs", type=int, default=5, help="runs of each command, without the warm-up")
    parser.add_argument("--sizes", default="1,1000,10000", help="numbers of skills")
    parser.add_argument("--plot", type=Path, help="write a plot of time against skills to this file")
    parser.add_argument("--profile", action="store_true", help="also profile imports, functions and rules")
    parser.add_argument(
        "--corpus", type=Path, help="only time the skills in this directory, such as a checkout"
    )
    parser.add_argument("--growth", nargs="?", const="", metavar="CONSTRUCT", help="only time how each grows")
    parser.add_argument("--kib", default="32", help="lengths to compare with twice as much, for --growth")
    parser.add_argument("--large", nargs="?", const="", metavar="CONSTRUCT", help="only time bodies of 1 MiB")
    parser.add_argument("--preview", metavar="SKILLS", help="only time saves in the preview, `22,100`")
    parser.add_argument("--server", action="store_true", help="only time the language server")
    options = parser.parse_args()
    if options.preview is not None:
        for size in options.preview.split(","):
            print(preview.report(options.runs, int(size), options.corpus and options.corpus.resolve()))
        return
    if options.server:
        print(server.report(max(options.runs, 15), options.corpus and options.corpus.resolve()))
        return
    if options.large is not None:
        _large(options.large)
        return
    if options.growth is not None:
        _growth([1024 * int(size) for size in options.kib.split(",")], options.growth, options.runs)
        return
    peers = {
        name: [path, *command[1:]]
        for name, command in _PEERS.items()
        if (path := shutil.which(command[0], path=str(options.peers) if options.peers else None))
    }
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} CPUs, {options.runs} runs\n")
    if options.corpus is not None:
        _real(options.corpus.resolve(), options.runs, peers)
        if options.profile:
            _rule_costs(options.corpus)
        return
    series: dict[str, list[tuple[int, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        _start(options.runs)
        for size in map(int, options.sizes.split(",")):
            for contender in _lint(Path(folder), size, options.runs, peers):
                series.setdefault(contender.name, []).append((size, contender.wall))
        _sessions(Path(folder), options.runs)
        print(server.report(max(options.runs, 15)))
        if options.profile:
            _profiles(Path(folder))
    if options.plot:
        title = "skilltool lint and other linters: wall seconds by number of skills of 5 KB"
        options.plot.write_text(plot.svg(title, series), "utf-8")
        print(f"wrote {options.plot}")


def _growth(sizes: list[int], only: str, runs: int) -> None:
    from benchmarks import growth

    for line in growth.report(sizes, only, runs):
        print(line, flush=True)


def _large(only: str) -> None:
    from benchmarks import large

    for line in large.report(only):
        print(line, flush=True)


def _start(runs: int) -> None:
    """Compare the start of skilltool with the least it can take: Python importing click."""
    contenders = [
        Contender("import click", [sys.executable, "-c", "import click"]),
        Contender("skilltool --version", [*_SKILLTOOL, "--version"]),
    ]
    measure(contenders, max(runs, 15))
    print(table("start", contenders))


def _lint(folder: Path, size: int, runs: int, peers: dict[str, list[str]]) -> list[Contender]:
    top = folder / f"n{size}" / "skills"
    write_skills(top, size)
    target = str(next(top.iterdir()) if size == 1 else top)
    cache = folder / "cache"
    lint = [*_SKILLTOOL, "lint", "--isolated"]
    contenders = [
        Contender("skilltool", [*lint, "--no-cache", target]),
        Contender("skilltool, warm", [*lint, "--cache-dir", str(cache), target]),
        Contender(
            "skilltool, filling the cache",
            [*lint, "--cache-dir", str(folder / "new"), target],
            prepare=lambda: shutil.rmtree(folder / "new", ignore_errors=True),
        ),
    ]
    contenders += [
        Contender(name, [*command, target])
        for name, command in peers.items()
        if size <= _MOST.get(name, size)
    ]
    if size == 1:
        contenders.append(Contender("import click", [sys.executable, "-c", "import click"]))
    measure(contenders, runs if size < 10_000 else min(runs, 3))
    print(table(f"lint, {size:,} {'skill' if size == 1 else 'skills'}", contenders))
    return [each for each in contenders if each.name != "import click"]


def _real(corpus: Path, runs: int, peers: dict[str, list[str]]) -> None:
    """Time skills that people wrote: without a cache, filling one, warm, and for all runtimes."""
    with tempfile.TemporaryDirectory() as folder:
        cache, target = Path(folder), str(corpus)
        lint = [*_SKILLTOOL, "lint", "--isolated"]
        contenders = [
            Contender("skilltool", [*lint, "--no-cache", target]),
            Contender("skilltool, warm", [*lint, "--cache-dir", str(cache / "kept"), target]),
            Contender(
                "skilltool, filling the cache",
                [*lint, "--cache-dir", str(cache / "new"), target],
                prepare=lambda: shutil.rmtree(cache / "new", ignore_errors=True),
            ),
            Contender("skilltool --runtime all", [*lint, "--no-cache", "--runtime", "all", target]),
        ]
        contenders += [Contender(name, [*peers[name], target]) for name in _ANY_DIRECTORY if name in peers]
        measure(contenders, runs)
    print(table(f"lint, {corpus.name}", contenders))


def _sessions(folder: Path, runs: int) -> None:
    """Time the commands that open a session of a runtime with 1,000 skills."""
    home = folder / "home"
    home.mkdir()
    for runtime, root in (("kodelet", ".kodelet/skills"), ("claude-code", ".claude/skills")):
        project = folder / runtime
        write_skills(project / root, 1_000)
        (project / ".git").mkdir()  # a repository, above which nobody looks for skills
        name = next((project / root).iterdir()).name
        places = ["--project", str(project), "--home", str(home), "--runtime", runtime]
        contenders = [
            Contender("import click", [sys.executable, "-c", "import click"]),
            Contender("resolve", [*_SKILLTOOL, "resolve", *places]),
            Contender("resolve NAME", [*_SKILLTOOL, "resolve", name, *places]),
            Contender("render NAME", [*_SKILLTOOL, "render", name, *places]),
        ]
        measure(contenders, runs)
        print(table(f"{runtime}, 1,000 skills", contenders))


def _profiles(folder: Path) -> None:
    write_skills(folder / "one", 1)
    write_skills(folder / "profiled", 1_000)
    command = ["-m", "skilltool", "lint", "--isolated", "--no-cache", str(folder / "one")]
    print("imports of `lint` of one skill\n" + profile.imports(command))
    print("functions of `lint` of 1,000 skills\n" + profile.functions(folder / "profiled"))
    _rule_costs(folder / "profiled")


def _rule_costs(folder: Path) -> None:
    for ids in ((), BARE):
        print(rule_costs.table([folder], ids))


if __name__ == "__main__":
    main()

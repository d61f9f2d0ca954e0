#!/usr/bin/env python3
"""Time `skilltool lint` beside its peers, in the same run, on the same made-up skills.

    python -m venv peers && peers/bin/pip install skillcheck==1.5.0 skills-ref==0.1.1
    python -m benchmarks.lint --peers peers/bin

Quote ratios, not seconds: machines differ, and are busy or not. Every command runs `--runs` times in
turn with the others after one run that is not counted; the table shows medians.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.corpus import write_skills

SINGLE_CALLS = 50  # of a peer that takes one skill per call


@dataclass
class Contender:
    """A command to time: its name, its arguments, and how often one measurement calls it."""

    name: str
    commands: Sequence[Sequence[str]]
    walls: list[float] = field(default_factory=list)
    cpus: list[float] = field(default_factory=list)

    def run(self) -> None:
        """Run all commands once and note wall and CPU seconds."""
        before, start = _children(), time.perf_counter()
        for command in self.commands:
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
            if done.returncode not in (0, 1):
                sys.exit(f"{self.name}: {' '.join(command)} failed: {done.stderr.decode()[:500]}")
        self.walls.append(time.perf_counter() - start)
        self.cpus.append(_children() - before)


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Parse the options, measure, and print the tables."""
    parser = argparse.ArgumentParser(description="Time skilltool lint beside its peers.")
    parser.add_argument("--peers", type=Path, help="directory with the peers' programs (default: PATH)")
    parser.add_argument("--runs", type=int, default=5, help="counted runs of each command")
    parser.add_argument("--skills", type=int, default=1000, help="skills of the larger tree")
    options = parser.parse_args()

    def program(name: str) -> str | None:
        return shutil.which(name, path=str(options.peers) if options.peers else None)

    skilltool = [sys.executable, "-m", "skilltool", "lint", "--isolated"]
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "skills"
        write_skills(tree, options.skills)
        skills = sorted(map(str, tree.iterdir()))
        print(f"Python {sys.version.split()[0]}, {os.cpu_count()} CPUs, {options.runs} runs\n")
        one = [Contender("skilltool", [[*skilltool, skills[0]]])]
        many = [Contender("skilltool", [[*skilltool, str(tree)]])]
        if path := program("skillcheck"):
            one.append(Contender("skillcheck", [[path, skills[0]]]))
            many.append(Contender("skillcheck", [[path, str(tree)]]))
        if path := program("agnix"):
            one.append(Contender("agnix", [[path, skills[0]]]))
            many.append(Contender("agnix", [[path, str(tree)]]))
        if path := program("agentskills"):
            calls = [[path, "validate", skill] for skill in skills[:SINGLE_CALLS]]
            one.append(Contender("skills-ref", calls[:1]))
            many.append(Contender(f"skills-ref, {len(calls)} calls", calls))
        _measure("1 skill", one, options.runs)
        _measure(f"{len(skills)} skills", many, options.runs)


def _measure(
    title: str, contenders: Sequence[Contender], runs: int, show: Callable[[str], None] = print
) -> None:
    for contender in contenders:
        contender.run()
        contender.walls.clear()
        contender.cpus.clear()
    for _ in range(runs):
        for contender in contenders:
            contender.run()
    base = median(contenders[0].walls)
    show(f"{title:<24}{'wall s':>10}{'CPU s':>10}{'skilltool takes':>18}")
    for contender in contenders:
        wall, cpu = median(contender.walls), median(contender.cpus)
        show(f"{contender.name:<24}{wall:>10.3f}{cpu:>10.3f}{base / wall:>16.2f} x")
    show("")


if __name__ == "__main__":
    main()

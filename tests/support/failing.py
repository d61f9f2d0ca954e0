"""A skilltool with a defect that is made for a test: what it runs first replaces one of its functions.

The processes that are started import `sitecustomize`, and that runs the program, so that workers have the
same defect.
"""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent

# A rule that is asked about each skill, of any runtime, and raises for the one called `breaks`.
RULE = """
from skilltool.rules.body import empty_body
from skilltool.rules import may_apply
may_apply.MAY_APPLY.pop("empty-body")
def check(skill, target, whole=empty_body.check):
    if skill.name == "breaks":
        raise ValueError("made up")
    return whole(skill, target)
empty_body.check = check
"""
# A prefilter, likewise.
PREFILTER = """
from skilltool.rules import may_apply
def prefilter(skill, target):
    if skill.name == "breaks":
        raise ValueError("made up")
    return True
may_apply.MAY_APPLY["empty-body"] = prefilter
"""
# What the runtime kodelet reads a skill with, where lint asks it and where it scans a directory.
READER = """
from skilltool.emulation import go_yaml_v2
def strings(text, whole=go_yaml_v2.strings):
    if "breaks" in text:
        raise ValueError("made up")
    return whole(text)
go_yaml_v2.strings = strings
"""
# A rule about many skills.
TOGETHER = """
from skilltool.rules.collection import duplicate_name
from skilltool.rules import may_apply
def check_all(records, target):
    raise ValueError("made up")
duplicate_name.check_all = check_all
for table in (may_apply.MANY_MAY_APPLY, may_apply.MANY_MAY_APPLY_FOR_READERS):
    table["duplicate-name"] = lambda records, target: True
"""
# The planner of fixes.
PLANNER = """
from skilltool.fix import choose, plan
def fix_skill(skill, *rest, whole=choose.fix_skill):
    if skill.name == "breaks":
        raise ValueError("made up")
    return whole(skill, *rest)
plan.fix_skill = fix_skill
"""
# A rule about manifests.
MANIFEST = """
from skilltool.rules.package import invalid_manifest
def check_manifest(manifest):
    raise ValueError("made up")
invalid_manifest.check_manifest = check_manifest
"""
# What is kept of a skill for the cache.
CACHE = """
from skilltool.lint import cache
def make_row(directory, *rest, whole=cache.make_row):
    if directory.name == "breaks":
        raise ValueError("made up")
    return whole(directory, *rest)
cache.make_row = make_row
"""


def of_runtime(function: str) -> str:
    """Return the program with a defect in what kodelet does: `scan`, `catalog`, `call` or the like."""
    return f"""
from skilltool.runtimes import get
from skilltool import runtimes
def raises(*arguments):
    raise ValueError("made up")
def changed(name, whole=get):
    runtime = whole(name)
    return runtime._replace({function}=raises) if name == "kodelet" else runtime
runtimes.get = changed
"""


def environment(folder: Path, program: str) -> dict[str, str]:
    """Return the environment of a process in which the program runs first."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(dedent(program), "utf-8")
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    return {"PYTHONPATH": path.rstrip(os.pathsep)}

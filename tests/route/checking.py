"""What `route` says of made-up skills and cases, without a process."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from skilltool import runtimes
from skilltool.findings.finding import Severity
from skilltool.route import quality
from skilltool.route.check import checked
from skilltool.route.find_cases import find
from skilltool.route.listing import Listing
from skilltool.route.problems import Problem


def listing_of(tmp_path: Path, skills: Mapping[str, str], runtime: str = "claude-code") -> Listing:
    """Write skills, and return what a client lists of them."""
    top = Path(mkdtemp(dir=tmp_path))
    (top / ".git").mkdir()
    for name, description in skills.items():
        directory = top / ".claude" / "skills" / name
        directory.mkdir(parents=True)
        text = f"---\nname: {name}\ndescription: {json.dumps(description)}\n---\nDo it.\n"
        (directory / "SKILL.md").write_text(text)
    return Listing(runtimes.get(runtime).open(top, top / "home"))


def problems_of(tmp_path: Path, skills: Mapping[str, str], rows: Sequence[Any]) -> list[Problem]:
    """Return all problems of some cases."""
    listing = listing_of(tmp_path, skills)
    file = listing.session.project / "cases.json"
    file.write_text(json.dumps({"cases": rows}))
    found = find([file], [], listing.session.project)
    subjects = quality.subjects([listing])
    wrong = [Problem(Severity.ERROR, "misformed", each.message, each.help) for each in found.wrong]
    of_client = checked(listing, found.cases, [listing], asked=True).problems
    return [*wrong, *of_client, *quality.problems(found.cases, subjects, quality.close(subjects))]

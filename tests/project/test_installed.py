"""What `pip install skilltool` brings along is written down, and little."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
LISTED = dict(re.findall(r"^\| `([\w-]+)` \| .* \| (.+?) \|$", PAGE, re.MULTILINE))
OURS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
MOST = 16
OF_OLDER_PYTHONS = {"typing-extensions"}
OF_WINDOWS = {"colorama"}


def required(name: str) -> set[str]:
    """The distributions that one needs on this machine, without its extras."""
    declared = OURS if name == "skilltool" else distribution(name).requires
    requirements = map(Requirement, declared or ())
    here = (each for each in requirements if each.marker is None or each.marker.evaluate({"extra": ""}))
    return {re.sub(r"[-_.]+", "-", each.name).lower() for each in here}


def tree(name: str) -> set[str]:
    """A distribution and all that it needs."""
    found, waiting = set(), {name}
    while waiting:
        found |= waiting
        waiting = {needed for each in waiting for needed in required(each)} - found
    return found


def test_every_package_beyond_cookiecutter_is_listed_and_they_are_few() -> None:
    beyond = tree("skilltool") - tree("cookiecutter") - {"skilltool"} - OF_WINDOWS
    assert beyond <= set(LISTED)
    assert set(LISTED) - beyond <= OF_OLDER_PYTHONS
    assert len(LISTED) <= MOST


def test_who_needs_a_package_needs_it() -> None:
    for name, users in LISTED.items():
        for user in users.split(", "):
            assert name in required(user) | OF_OLDER_PYTHONS, (name, user)


def test_every_extra_for_users_is_listed() -> None:
    assert set(re.findall(r"skilltool\[(\w+)\]", PAGE)) == {"server", "preview", "model", "registry", "dask"}

"""What is declared is imported, and what is imported is declared."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OURS = {"skilltool", "tests", "benchmarks"}


# The rooms that have an extra of their own, by the name of the extra.
ROOMS = {"model": "route", "preview": "preview", "registry": "registry", "server": "server"}


def _of(extras: Iterable[str]) -> list[str]:
    """What these extras declare, without extras of ours that they include."""
    groups = PROJECT["optional-dependencies"]
    return [entry for extra in extras for entry in groups[extra] if not entry.startswith("skilltool")]


def declared(requirements: Iterable[str]) -> set[str]:
    return {normal(re.split(r"[<>=\[; ]", requirement)[0]) for requirement in requirements}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def imported(directory: Path) -> set[str]:
    """The distributions whose modules the Python files under a directory import."""
    modules: set[str] = set()
    for path in directory.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules.add(node.module.partition(".")[0])
    known = packages_distributions()
    foreign = modules - set(sys.stdlib_module_names) - OURS
    # Of an extra that is not installed, the module and the distribution have one name.
    return {normal(known.get(module, [module])[0]) for module in foreign}


@pytest.mark.slow
def test_the_package_imports_exactly_what_it_declares() -> None:
    groups = PROJECT["optional-dependencies"]
    for extra, room in ROOMS.items():
        assert imported(ROOT / "skilltool" / room) >= declared(groups[extra])
    everything = declared([*PROJECT["dependencies"], *_of(ROOMS), "distributed"])
    assert imported(ROOT / "skilltool") == everything


@pytest.mark.slow
@pytest.mark.parametrize(("name", "room"), ROOMS.items())
def test_only_the_room_of_an_extra_imports_what_only_it_needs(name: str, room: str) -> None:
    extra = declared(PROJECT["optional-dependencies"][name])
    for part in (ROOT / "skilltool").iterdir():
        if part.is_dir() and part.name != room:
            assert not imported(part) & extra


@pytest.mark.slow
def test_the_tests_import_only_what_is_declared_for_them() -> None:
    allowed = declared([*PROJECT["dependencies"], *_of([*ROOMS, "test", "browser", "dask", "dev"])])
    assert imported(ROOT / "tests") <= allowed


def test_every_dependency_has_a_lower_bound() -> None:
    groups = PROJECT["optional-dependencies"]
    everything = [*PROJECT["dependencies"], *(entry for group in groups.values() for entry in group)]
    assert [entry for entry in everything if ">=" not in entry and not entry.startswith("skilltool")] == []

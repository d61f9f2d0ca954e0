"""`skilltool resolve PACKAGE`: what somebody gets who installs a plugin, a marketplace or an extension."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from skilltool.cli.output import note
from skilltool.errors import PathError, SkilltoolError
from skilltool.report.as_json import dumps
from skilltool.text.printable import SafeText

if TYPE_CHECKING:
    from skilltool.cli.session import SessionQuestion
    from skilltool.packages.manifest import Manifest
    from skilltool.report.style import Style
    from skilltool.runtimes.base import Runtime


class Wanted(NamedTuple):
    """What is asked about an installer: the repository, the agents, and how to answer."""

    name: str
    agents: tuple[str, ...]
    fail_on: tuple[str, ...]
    text: bool
    style: Style


def answer_about_installer(question: SessionQuestion, asked: Wanted) -> tuple[SafeText, int]:
    """Return the text and the exit status: 1 if the installer finds no skill, or if `--fail-on` says so."""
    from skilltool.inspect import installer, packages
    from skilltool.packages.installer import targets

    top = Path(asked.name)
    if not top.is_dir():
        raise PathError(f"{asked.name}: no such directory")
    found, places = installer.view(top), targets(asked.agents)
    failed = not found.skills and "never" not in asked.fail_on
    status = int(failed or (bool(found.passed) and "skipped" in asked.fail_on))
    if not asked.text:
        return dumps({**packages.data(found), **installer.data(found, places)}), status
    from skilltool.report import grid
    from skilltool.report import packages as tables

    return grid.text([*tables.lines(found, asked.style), *tables.targets(places, asked.style)]), status


def is_package(name: str) -> bool:
    """Return whether an argument is the path of a manifest, or of a directory with one."""
    from skilltool.inspect.packages import manifests_in

    return bool(manifests_in(Path(name)))


def answer_about_package(question: SessionQuestion, asked: Any) -> tuple[SafeText, int]:
    """Return the text and the exit status: 1 if nothing can be installed, or if `--fail-on` says so."""
    from skilltool.inspect import packages

    manifest, runtime = _chosen(question, asked.name)
    found = packages.view(manifest, runtime)
    failed = found.is_empty and "never" not in asked.fail_on
    status = int(failed or (bool(found.passed) and "skipped" in asked.fail_on))
    if not asked.text:
        return dumps(packages.data(found)), status
    from skilltool.report import grid
    from skilltool.report import packages as tables

    return grid.text(list(tables.lines(found, asked.style))), status


def _chosen(question: SessionQuestion, name: str) -> tuple[Manifest, Runtime]:
    """Return the manifest and the runtime: the one that is named, else that of the first manifest."""
    from skilltool import runtimes
    from skilltool.inspect.packages import manifests_in

    manifests = manifests_in(Path(name))
    has = ", ".join(f"{each.kind.file} ({each.kind.client})" for each in manifests)
    if question.runtimes:
        for runtime in question.runtimes:
            for manifest in manifests:
                if runtime.partition("@")[0] == manifest.kind.client.partition("@")[0]:
                    return manifest, runtimes.get(runtime)
        named = ", ".join(question.runtimes)
        raise SkilltoolError(f"{name} has no manifest of {named}; it has {has}")
    first = manifests[0]
    if first.kind.client not in runtimes.IDS:
        raise SkilltoolError(f"{name} has manifests of unknown clients only: {has}")
    note(f"runtime {first.kind.client}: {first.kind.file}")
    return first, runtimes.get(first.kind.client)

"""How is a client told of a skill that it would not find by itself, or only if it were started elsewhere?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.packages.manifest import Kind, Manifest, kinds, read_manifest
from skilltool.packages.owners import directories_up
from skilltool.packages.plugins import Plugin, offers, plugins_of
from skilltool.runtimes.base import Runtime

ANY_ROOT = "root 1"  # the role of the first directory that is named to a runtime without roots of its own


class Setup(NamedTuple):
    """What a session is opened with so that a client has a skill.

    `project` is the directory that the client is started in, None for the one that is asked from. `roots` are
    skills directories by role, `settings` those of the runtime. `plugin` is the name of the plugin that
    counts as installed, empty for none.
    """

    project: Path | None = None
    roots: Mapping[str, Path] = {}
    settings: Mapping[str, Any] = {}
    plugin: str = ""

    def joined(self, other: Setup) -> Setup | None:
        """Return a setup with the plugins of both; None unless both are about plugins alone."""
        if self == other or (self.plugin and other.plugin in self.plugin.split(", ")):
            return self
        if not (self.plugin and other.plugin):
            return None
        keys = dict.fromkeys([*self.settings, *other.settings])
        settings = {key: [*self.settings.get(key, []), *other.settings.get(key, [])] for key in keys}
        return self._replace(settings=settings, plugin=f"{self.plugin}, {other.plugin}")


def setup_of(runtime: Runtime, directory: Path, alone: bool = True) -> Setup:
    """Return how a runtime comes to the skill in `directory`, an absolute path.

    In one of its own skills directories: started in that project, where it still may not look so deep. In a
    plugin for it: with the plugin installed, `alone` or beside all that is loaded anyway. Elsewhere as
    `setup_beside` says.
    """
    parent = directory.parent.as_posix()
    for path in runtime.project_roots:
        before, found, _ = f"{parent}/".rpartition(f"/{path}/")
        if found and path.startswith("."):  # `skills` is anybody's
            return Setup(project=Path(before or "/"))
    if plugin := _installed(runtime, directory, alone):
        return plugin
    return setup_beside(runtime, directory)


def setup_beside(runtime: Runtime, directory: Path) -> Setup:
    """Return how a runtime has the skill in `directory` if its parent is the project's skills directory."""
    return Setup(roots={project_role(runtime): directory.parent})


def setups_of(runtime: Runtime, directories: Iterable[Path], alone: bool = True) -> list[Setup]:
    """Return how a runtime comes to the skills in several directories, in as few sessions as possible."""
    setups: list[Setup] = []
    for directory in directories:
        setup = setup_of(runtime, directory, alone)
        for number, each in enumerate(setups):
            if (both := each.joined(setup)) is not None:
                setups[number] = both
                break
        else:
            setups.append(setup)
    return setups


def project_role(runtime: Runtime) -> str:
    """Return the role of the directory in which a project usually has skills for a runtime."""
    if runtime.any_roots:
        return ANY_ROOT
    usual = [root.role for root in runtime.roots if root.scope == "project" and root.unscanned is None]
    return "project" if "project" in usual else next(iter([*usual, *(root.role for root in runtime.roots)]))


def plugin_of(runtime: Runtime, directory: Path) -> tuple[Plugin, str] | None:
    """Return the plugin for a runtime that offers the skill in `directory`, and its top; None for none."""
    client = runtime.id.partition("@")[0]
    for manifest in _manifests_above(directory, [kind for kind in kinds() if kind.client == client]):
        for plugin in plugins_of(manifest):
            if plugin.top is not None and _offers(plugin, manifest, directory):
                return plugin, plugin.top
    return None


def _installed(runtime: Runtime, directory: Path, alone: bool) -> Setup | None:
    """Return how a runtime has the plugin installed that offers a skill; None if it is in none for it."""
    found = None if runtime.installed is None else plugin_of(runtime, directory)
    if runtime.installed is None or found is None:
        return None
    plugin, top = found
    listed = [listed.text for listed in plugin.listed if not listed.escapes]
    name = plugin.name or Path(top).name
    settings = runtime.installed(name, Path(top), listed, plugin.is_whole, alone)
    return Setup(settings=settings, plugin=name)


def _manifests_above(directory: Path, wanted: list[Kind]) -> list[Manifest]:
    """Return the manifests at and above a directory, the nearest first; at the same place as in the table."""
    paths = (f"{top}/{kind.file}" for top in directories_up(directory.as_posix()) for kind in wanted)
    found = (read_manifest(path) for path in paths if os.path.isfile(path))
    return [manifest for manifest in found if manifest is not None]


def _offers(plugin: Plugin, manifest: Manifest, directory: Path) -> bool:
    return any(offer.directory == directory.as_posix() for offer in offers(plugin, manifest))

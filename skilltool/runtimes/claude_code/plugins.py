"""Which plugins does a session load, and which skills and commands does each add?

Plugins come from `--plugin-dir`, from marketplaces (`enabledPlugins` of the settings, and the lists that the
program keeps in `plugins/` of the personal directory), and from personal skills that hold a manifest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.runtimes.claude_code import files
from skilltool.runtimes.claude_code.entry import Entry, made
from skilltool.runtimes.claude_code.files import Found
from skilltool.runtimes.claude_code.manifest import decoded
from skilltool.runtimes.claude_code.settings_files import read_json
from skilltool.runtimes.claude_code.state import State
from skilltool.runtimes.loading import is_directory_entry, is_directory_here, is_file_here
from skilltool.skill.skill_file import FILE_NAME

MANIFEST = Path(".claude-plugin", "plugin.json")


class Plugin(NamedTuple):
    """A plugin: its name, the prefix of its keys, its directory, and its manifest.

    `is_whole` says that the list of skills in the manifest is all that the plugin has.
    """

    name: str
    top: Path
    manifest: dict[str, Any]
    is_whole: bool = False


def plugin_at(top: Path) -> Plugin:
    """Return the plugin in a directory; without a manifest, the directory's name is its name."""
    manifest = read_json(top / MANIFEST)
    name = manifest.get("name")
    return Plugin(name if isinstance(name, str) and name else top.name, top, manifest)


def loaded(state: State, project: Path, personal: Path | None, told: Sequence[Any] = ()) -> list[Plugin]:
    """Return the plugins of a session.

    `personal` is the directory of personal skills, `told` the setting `plugins`.
    """
    if state.flags.bare:
        return []
    given = [plugin_at(project / top) for top in state.flags.plugin_dirs if is_directory_here(project / top)]
    found = [*given, *_told(told), *_installed(state)]
    names = files.in_order(personal) if personal is not None else []
    tops = [personal / name for name in names if personal is not None]
    found += [plugin_at(top) for top in tops if is_file_here(top / MANIFEST)]
    return list({plugin.name: plugin for plugin in reversed(found)}.values())[::-1]


def _told(entries: Sequence[Any]) -> Iterator[Plugin]:
    """Yield the plugins that entries of a marketplace describe in full, with no manifest of their own."""
    for entry in entries:
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            top = Path(str(entry.get("directory", "")))
            yield Plugin(
                entry["name"], top, {"skills": entry.get("skills", [])}, bool(entry.get("only_listed"))
            )


def _installed(state: State) -> Iterator[Plugin]:
    """Yield the enabled plugins of marketplaces: in a local one at their place, else where they are kept."""
    known = read_json(state.config / "plugins" / "known_marketplaces.json")
    installed = read_json(state.config / "plugins" / "installed_plugins.json").get("plugins", {})
    for key, enabled in state.settings.get("enabledPlugins", {}).items():
        name, _, market = str(key).partition("@")
        if enabled is not True:
            continue
        place = _in_marketplace(known.get(market), name) or _kept(installed, key)
        if place is not None and is_directory_here(place):
            yield plugin_at(place)


def _in_marketplace(market: Any, name: str) -> Path | None:
    """Return where a marketplace in a local directory has a plugin, None if it is not local."""
    if not isinstance(market, dict) or not isinstance(source := market.get("source"), dict):
        return None
    if source.get("source") not in ("directory", "file") or not isinstance(source.get("path"), str):
        return None
    top = Path(source["path"])
    plugins = read_json(top / ".claude-plugin" / "marketplace.json").get("plugins")
    for plugin in plugins if isinstance(plugins, list) else []:
        place = plugin.get("source") if isinstance(plugin, dict) and plugin.get("name") == name else None
        if isinstance(place, str):
            return top / place
    return None


def _kept(installed: Any, key: str) -> Path | None:
    entries = installed.get(key) if isinstance(installed, dict) else None
    entry = entries[-1] if isinstance(entries, list) and entries else entries
    path = entry.get("installPath") if isinstance(entry, dict) else None
    return Path(path) if isinstance(path, str) else None


def entries(plugin: Plugin) -> Iterator[Entry]:
    """Yield the commands of a plugin, then its skills."""
    for found in files.commands(plugin.top / "commands"):
        yield _entry(plugin, found, f"{plugin.name}:{found.key}", True)
    for found in _skills(plugin):
        yield _entry(plugin, found, f"{plugin.name}:{found.key}", False)


def _entry(plugin: Plugin, found: Found, key: str, command: bool) -> Entry:
    return made(
        key,
        found.file,
        decoded(found.raw),
        "plugin",
        f"plugin-{plugin.name}",
        command,
        plugin=plugin.name,
        plugin_root=plugin.top,
    )


def _skills(plugin: Plugin) -> Iterator[Found]:
    """Yield the skills in `skills/`, those that the manifest lists, or the one at the plugin's root."""
    usual = plugin.top / "skills"
    if not plugin.is_whole:
        yield from _of_directory(usual, own_name=True)
    listed = plugin.manifest.get("skills", [])
    for path in [listed] if isinstance(listed, str) else listed if isinstance(listed, list) else []:
        if isinstance(path, str):
            yield from _of_directory(plugin.top / path, own_name=False)
    only = files.skill(plugin.top, "")
    if isinstance(only, Found) and not is_directory_here(usual) and not _is_personal_skill(plugin.top):
        yield only._replace(key=_own_name(only) or plugin.top.name)


def _of_directory(top: Path, own_name: bool) -> Iterator[Found]:
    """Yield the skill that a directory is, else the skills directly in it."""
    if is_file_here(top / FILE_NAME):
        if isinstance(found := files.skill(top, ""), Found):
            yield found._replace(key=(_own_name(found) if own_name else None) or top.name)
        return
    for name in files.in_order(top):
        if is_directory_entry(top / name) and isinstance(found := files.skill(top / name, ""), Found):
            yield found


def _own_name(found: Found) -> str | None:
    return made("", found.file, decoded(found.raw), "", "").name


def _is_personal_skill(top: Path) -> bool:
    """Whether a plugin's directory is itself a skill of the personal directory, which loads it as such."""
    return top.parent.name == "skills" and top.parent.parent.name == ".claude"

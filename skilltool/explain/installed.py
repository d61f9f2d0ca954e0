"""What does somebody get who installs a package: which skills, under which keys, and what is passed over?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.files.paths import display_path
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.findings.finding import Finding, Severity, stated
from skilltool.packages.installer import Target, candidates, directory_name
from skilltool.packages.manifest import Manifest, kinds, read_manifest
from skilltool.packages.plugins import FOLDER, Offer, Plugin, offers, plugins_of, skills_at
from skilltool.rules import PACKAGE_RULES
from skilltool.rules.shared.packages import key_of
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.values import LoadedSkill, Refused
from skilltool.skill.discovery import discover
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter import read
from skilltool.text.source import Source

SCHEMA_VERSION = 1
_AWAY = "its source is not in this repository, and skilltool downloads nothing"
# Rules whose errors mean that a plugin is not installed, and those about single paths of skills.
_OF_PLUGINS = ("duplicate-plugin-name", "invalid-manifest", "path-escapes-plugin")
_OF_PATHS = ("dangling-skill-path", "path-escapes-plugin", "skill-path-is-file")


class Installed(NamedTuple):
    """A skill that is installed: its key, its plugin's name, its directory as printed, how it is found."""

    key: str
    plugin: str
    directory: str
    found: str


class PassedOver(NamedTuple):
    """What is in the package or its manifest and is not installed: a path or a plugin, and why."""

    what: str
    plugin: str
    why: str


class View(NamedTuple):
    """What a client installs of a package, whose manifest is at a path as printed.

    `refused` says why the client takes nothing of it, None if it takes something. `plugins` are the names of
    the plugins that are installed.
    """

    runtime: str
    manifest: str
    name: str
    plugins: tuple[str, ...]
    skills: tuple[Installed, ...]
    passed: tuple[PassedOver, ...]
    refused: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing can be installed; not said where a plugin lies elsewhere, and may be."""
        return not self.plugins and not any(passed_over.why == _AWAY for passed_over in self.passed)


def manifests_in(path: Path) -> tuple[Manifest, ...]:
    """Return the manifests at the top of a directory, marketplaces first, or the one that a file is."""
    named = path.absolute().as_posix()
    if os.path.isfile(path):
        manifest = read_manifest(named)
        return () if manifest is None or manifest.kind.has_no_client else (manifest,)
    files = sorted((each for each in kinds()), key=lambda kind: kind.entries is None)
    paths = (f"{named.rstrip('/')}/{kind.file}" for kind in files)
    read = (read_manifest(each) for each in paths if os.path.isfile(each))
    return tuple(each for each in read if each is not None)


def view(manifest: Manifest, runtime: Runtime) -> View:
    """Return what a client installs of a package; the runtime is asked whether it loads each skill."""
    problems = _Problems(manifest)
    plugins = list(plugins_of(manifest))
    refused = problems.of_whole([manifest.span(plugin.where).start for plugin in plugins if plugin.where])
    name = manifest.value("name")
    shown = name if isinstance(name, str) else manifest.top.rpartition("/")[2]
    found = View(runtime.id, display_path(manifest.path), shown, (), (), (), refused)
    if refused is not None:
        return found
    offered = {offer.directory for plugin in plugins for offer in offers(plugin, manifest)}
    for plugin in plugins:
        found = _with_plugin(found, plugin, manifest, runtime, problems)
        others = [each.top for each in plugins if each.top and each.top != plugin.top]
        found = found._replace(passed=(*found.passed, *_left(plugin, offered, others)))
    return found


def _with_plugin(
    found: View, plugin: Plugin, manifest: Manifest, runtime: Runtime, problems: _Problems
) -> View:
    name = plugin.name or "?"
    why = problems.of_plugin(plugin)
    if plugin.top is None and plugin.source is None:
        why = why or _AWAY
    if why is not None:
        return found._replace(passed=(*found.passed, PassedOver(f"plugin {name}", name, why)))
    skills: list[Installed] = []
    passed = [PassedOver(text, name, reason) for text, reason in problems.of_paths(plugin)]
    for offer in offers(plugin, manifest):
        outcome = runtime.load(Path(offer.directory)) if runtime.load is not None else None
        if isinstance(outcome, Refused):
            passed.append(PassedOver(display_path(offer.directory), name, outcome.why))
        else:
            skills.append(_installed(plugin, offer, manifest, outcome))
    return found._replace(
        plugins=(*found.plugins, name),
        skills=(*found.skills, *skills),
        passed=(*found.passed, *passed),
    )


def _installed(plugin: Plugin, offer: Offer, manifest: Manifest, outcome: LoadedSkill | None) -> Installed:
    by_name = outcome.key if outcome is not None and manifest.kind.keys == "name" else None
    key = by_name or key_of(offer.directory, plugin, manifest)
    return Installed(key, plugin.name or "?", display_path(offer.directory), offer.by)


class _Problems:
    """What the rules find in a manifest, by the plugin that it is about."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._found = {rule: _errors(rule, manifest) for rule in {*_OF_PLUGINS, *_OF_PATHS}}

    def of_whole(self, entries: Sequence[int]) -> str | None:
        """Return why nothing of the package is installed: an error outside of all entries."""
        inside = [self._manifest.span((self._manifest.kind.entries or "",))] if entries else []
        for finding in self._found["invalid-manifest"]:
            if not any(span.start < finding.span.start < span.end for span in inside):
                return self._said(finding)
        return None

    def of_plugin(self, plugin: Plugin) -> str | None:
        """Return why a plugin is not installed, from its entry or its own manifest."""
        if plugin.where:
            span = self._manifest.span(plugin.where)
            listed = [self._manifest.span(listed.where) for listed in plugin.listed]
            for rule in _OF_PLUGINS:
                for finding in self._found[rule]:
                    is_of_path = rule == "path-escapes-plugin" and finding.span in listed
                    if span.start <= finding.span.start < span.end and not is_of_path:
                        return self._said(finding)
        own = plugin.own
        for finding in _errors("invalid-manifest", own) if own is not None else ():
            return f"{display_path(own.path if own else '')}: {self._said(finding)}"
        return None

    def of_paths(self, plugin: Plugin) -> Iterator[tuple[str, str]]:
        """Yield the paths listed by a plugin, here or in its own manifest, that give no skill, and why."""
        sources = [(self._manifest, plugin)]
        if plugin.own is not None and plugin.own.path != self._manifest.path:
            sources += [(plugin.own, each) for each in plugins_of(plugin.own)]
        for manifest, each in sources:
            texts = {manifest.span(listed.where): listed.text for listed in each.listed}
            for rule in _OF_PATHS if texts else ():
                for finding in PACKAGE_RULES[rule].check_manifest(manifest):
                    if finding.span in texts:
                        yield texts[finding.span], finding.message

    def _said(self, finding: Finding) -> str:
        return stated(finding.message, finding.clause, [self._manifest.kind.client])


def _errors(rule: str, manifest: Manifest) -> list[Finding]:
    findings = PACKAGE_RULES[rule].check_manifest(manifest)
    worst = (
        finding
        for finding in findings
        if (finding.severity or PACKAGE_RULES[rule].SEVERITY) is Severity.ERROR
    )
    return list(worst)


def _left(plugin: Plugin, offered: set[str], others: Sequence[str]) -> Iterator[PassedOver]:
    """Yield the skills in a plugin's directory that no plugin offers."""
    if plugin.top is None or not os.path.isdir(plugin.top):
        return
    inner = [other for other in others if other.startswith(f"{plugin.top}/")]
    for skill in discover([Path(plugin.top)]).skills:
        path = skill.as_posix()
        below = path == plugin.top or path.startswith(f"{plugin.top}/")
        if below and path not in offered and not any(f"{path}/".startswith(f"{each}/") for each in inner):
            yield PassedOver(display_path(path), plugin.name or "?", _why_left(plugin, path))


def _why_left(plugin: Plugin, path: str) -> str:
    folder = f"{plugin.top}/{FOLDER}"
    if path == plugin.top:
        return f"the plugin has {FOLDER}/ or a list of skills, so the SKILL.md at its root is ignored"
    if plugin.is_whole:
        return "not in the manifest's list of skills"
    if path.startswith(f"{folder}/"):
        if skills_at(folder) == (folder,):
            return f"{FOLDER}/SKILL.md hides all other skills in {FOLDER}/"
        return f"not directly in {FOLDER}/"
    return f"not in {FOLDER}/, and not listed"


def data(found: View) -> dict[str, Any]:
    """Return what `resolve PACKAGE --output-format json` prints."""
    return {
        "schema_version": SCHEMA_VERSION,
        "runtime": found.runtime,
        "package": {"name": found.name, "manifest": found.manifest, "refused": found.refused},
        "plugins": [*found.plugins],
        "skills": [skill._asdict() for skill in found.skills],
        "passed_over": [passed_over._asdict() for passed_over in found.passed],
    }


NAME = "skills"
_ELSEWHERE = "not in a directory that the installer searches"


def installer_view(top: Path) -> View:
    """Return what the installer finds in a repository: the key is the directory that it makes."""
    root = top.absolute().as_posix().rstrip("/") or "/"
    skills: dict[str, Installed] = {}
    passed: list[PassedOver] = []
    seen: set[str] = set()
    for candidate in candidates(root):
        seen.add(candidate.directory)
        shown = display_path(candidate.directory)
        name, why = read_as_installer(candidate.directory)
        if name is None:
            passed.append(PassedOver(shown, "", why))
        elif name in skills:
            passed.append(PassedOver(shown, "", f"`{skills[name].directory}` has the same name"))
        else:
            skills[name] = Installed(directory_name(name), "", shown, f"in {candidate.container}")
    left = [skill for skill in discover([top]).skills if skill.as_posix() not in seen]
    passed += [PassedOver(display_path(path), "", _ELSEWHERE) for path in left]
    shown = display_path(root) or "."
    return View(NAME, shown, top.absolute().name, (), tuple(skills.values()), tuple(passed))


def read_as_installer(directory: str) -> tuple[str | None, str]:
    """Return the name of a skill for `npx skills`, or None and why it does not install it."""
    try:
        raw = read_bounded(Path(directory, FILE_NAME), MEBIBYTE)
    except OSError as error:
        return None, f"cannot be read: {error.strerror}"
    if not raw.startswith(b"---"):
        return None, "the file does not begin with `---`"
    fields: dict[str, Any] = dict(read(Source.decode(raw)).data or {})
    for field in ("name", "description"):
        if not (isinstance(fields.get(field), str) and fields[field]):
            return (
                None,
                f"`{field}` is missing or is not a string" if fields else "the frontmatter is not YAML",
            )
    metadata = fields.get("metadata")
    if isinstance(metadata, dict) and metadata.get("internal") is True:
        return None, "it is marked as internal"
    return fields["name"], ""


def installer_data(found: View, targets: tuple[Target, ...]) -> dict[str, Any]:
    """Return what is added to the JSON of a package: where each agent gets a skill."""
    rows = [
        {"agent": target.agent, "path": target.path, "link": target.is_link, "needs": target.needs}
        for target in targets
    ]
    return {"targets": rows}

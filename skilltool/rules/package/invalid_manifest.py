"""Package manifest that is not valid JSON, or that has a value its client does not accept.

The severity is `error` if the client does not install the plugin or does not add the marketplace, because
none of the skills are then available. The severity is `warning` if the client ignores the value or does not
recognize the key.

The JSON Schemas in `schemas/packages` describe what each value does and cite their sources. The schemas for
Claude Code are based on tests of `claude plugin install` in version 2.1.329. For example, Claude Code
installs a plugin if `keywords` is a string, but not if `version` is a number. It does not install a
marketplace entry if `keywords` is a string or `version` is a number.

## Bad

```json .claude-plugin/plugin.json
{
  "name": "pdf",
  "version": 1,
  "keywords": "forms",
  "skills": ["extra/pdf-tools"]
}
```

```markdown extra/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text --runtime claude-code
.claude-plugin/plugin.json:3:14: error[invalid-manifest]: `version` is a number, not a string; `claude-code` does not install the plugin
.claude-plugin/plugin.json:4:15: warning[invalid-manifest]: `keywords` is a string, not a list
.claude-plugin/plugin.json:5:14: error[invalid-manifest]: entry 1 of `skills`, `extra/pdf-tools`, does not begin with `./`; `claude-code` does not install the plugin
```

## Good

```json .claude-plugin/plugin.json
{
  "name": "pdf",
  "version": "1.0.0",
  "keywords": ["forms"],
  "skills": ["./extra/pdf-tools"]
}
```

```markdown extra/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from skilltool.errors import nearest
from skilltool.findings.finding import Finding, Severity
from skilltool.packages.manifest import LOCK, Manifest
from skilltool.packages.plugins import (
    Plugin,
    children,
    escapes_by_text,
    is_directory,
    is_in_submodule,
    plugins_of,
    skills_at,
)
from skilltool.rules.shared.manifest_schema import effect, schema, violations
from skilltool.rules.shared.packages import is_marked, meant, relative
from skilltool.rules.shared.wording import and_more, backticked
from skilltool.text.source import Span

ID = "invalid-manifest"
SEVERITY = Severity.ERROR
_MOST_MISSING = 3  # sources of plugins that are reported one by one
_COMPONENTS = (
    "agents",
    "commands",
    "hooks",
    "lspServers",
    "mcpServers",
    "outputStyles",
    "skills",
    "workflows",
)


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Yield what is wrong with the file, with its values, and with the entries of a marketplace."""
    if manifest.kind is LOCK and not isinstance(manifest.value("skills"), dict | None):
        return  # another program's file of the same name
    if manifest.problem is not None:
        clause = effect(schema(manifest.kind.schema))
        yield Finding(manifest.problem.message, manifest.problem.span, clause=clause)
        return
    for path, span in manifest.json.repeated if manifest.json is not None else ():
        message = f"key {backticked(path[-1])} is repeated; only the last one counts"
        yield Finding(message, span, "remove all but one", Severity.WARNING)
    plugins = list(plugins_of(manifest))
    elsewhere = _paths_elsewhere(plugins, manifest)
    for finding in violations(manifest):
        help_ = elsewhere.get(finding.span)
        yield finding if help_ is None else finding._replace(help=help_)
    plugins = plugins if manifest.kind.entries else []
    missing = [finding for plugin in plugins for finding in _missing_source(plugin, manifest, plugins)]
    yield from missing if len(missing) <= _MOST_MISSING else (_of_all(missing, plugins, manifest),)
    for plugin in plugins:
        yield from _of_source(plugin, manifest)
        yield from _conflict(plugin, manifest)


def _paths_elsewhere(plugins: Sequence[Plugin], manifest: Manifest) -> dict[Span | None, str]:
    """Return the help for each path of a skill that is written without `./` and would not be right with it either."""
    found: dict[Span | None, str] = {}
    for plugin in plugins:
        for listed in plugin.listed:
            if listed.text.startswith(".") or listed.escapes or skills_at(listed.directory):
                continue
            if (hint := meant(listed, plugin, manifest)) is not None:
                found[manifest.span(listed.where)] = f"write `{hint}`"
    return found


def _of_source(plugin: Plugin, manifest: Manifest) -> Iterator[Finding]:
    """Yield a finding for a source that is not written as a path."""
    if plugin.source is None or escapes_by_text(plugin.source):
        return
    span = manifest.span((*plugin.where, "source"))
    clause = effect(_entry_schema(manifest))
    severity = Severity.ERROR if clause else Severity.WARNING
    has_root = manifest.value("metadata", "pluginRoot") is not None or manifest.kind.bare
    if not plugin.source.startswith(".") and not has_root and "/" not in plugin.source:
        message = f"source {backticked(plugin.source)} does not start with `./`"
        yield Finding(message, span, f"write `./{plugin.source}`", severity, clause=clause)


def _missing_source(plugin: Plugin, manifest: Manifest, others: Sequence[Plugin]) -> Iterator[Finding]:
    """Yield a finding for a source in the repository that does not exist, with what is meant: no other's source."""
    if plugin.source is None or plugin.top is None or escapes_by_text(plugin.source):
        return
    has_root = manifest.value("metadata", "pluginRoot") is not None or manifest.kind.bare
    is_path = plugin.source.startswith(".") or has_root or "/" in plugin.source
    if not is_path or not is_marked(plugin.source, manifest) or is_directory(plugin.top):
        return
    if is_in_submodule(plugin.top):
        return
    clause = effect(_entry_schema(manifest))
    severity = Severity.ERROR if clause else Severity.WARNING
    holder, _, last = plugin.top.rpartition("/")
    taken = {other.top for other in others}
    names = {child.rpartition("/")[2]: child for child in children(holder) if child not in taken}
    alike = nearest(last, names)
    advice = f"write `{relative(names[alike], manifest.top)}`" if alike else "correct or remove the path"
    advice = _below_plugin_root(plugin, manifest) or advice
    message = f"source {backticked(plugin.source)} does not exist"
    span = manifest.span((*plugin.where, "source"))
    yield Finding(message, span, advice, severity, clause=clause)


def _below_plugin_root(plugin: Plugin, manifest: Manifest) -> str | None:
    """Return the help for a source that exists below `pluginRoot`, which Claude Code ignores before `./`.

    The installer of the open specification reads it there, too: a path with both works nowhere, one without
    `pluginRoot` everywhere.
    """
    root = manifest.value("metadata", "pluginRoot")
    if not isinstance(root, str) or plugin.source is None or not plugin.source.startswith("./"):
        return None
    path = posixpath.normpath(posixpath.join(root, plugin.source))
    if escapes_by_text(path) or not is_directory(f"{manifest.top}/{path}"):
        return None
    return f"write `./{path}` and remove `pluginRoot`, which `claude-code` ignores before `./`"


def _of_all(missing: Sequence[Finding], plugins: Sequence[Plugin], manifest: Manifest) -> Finding:
    """Return one finding for sources that do not exist: the manifest is of another directory, or out of date."""
    message = f"{missing[0].message}{and_more(len(missing) - 1, 'in this file')}"
    if any(_below_plugin_root(plugin, manifest) for plugin in plugins):
        return missing[0]._replace(message=message)
    return missing[0]._replace(
        message=message, help="correct the paths, or move the file to the directory that they are relative to"
    )


def _conflict(plugin: Plugin, manifest: Manifest) -> Iterator[Finding]:
    """Yield a finding for an entry that claims to be everything, beside a manifest that says more."""
    if manifest.value(*plugin.where, "strict") is not False or plugin.own is None:
        return
    here = [key for key in _COMPONENTS if manifest.value(*plugin.where, key)]
    there = [key for key in _COMPONENTS if plugin.own.value(key)]
    if here and there:
        message = f"`strict` is false, but the plugin's own manifest also has {backticked(there[0])}"
        clause = ("does not load the plugin", "do not load the plugin")
        advice = "remove `strict`, or list the components in only one of the two"
        yield Finding(message, manifest.key_span((*plugin.where, "strict")), advice, clause=clause)


def _entry_schema(manifest: Manifest) -> dict[str, object]:
    found: dict[str, object] = schema(manifest.kind.schema)["properties"][manifest.kind.entries]["items"]
    return found

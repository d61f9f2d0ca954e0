"""What can be wrong with a skill? The rules, one module each, listed in one table by group.

A test compares the table with the directories. A rule's module is imported when the rule first runs:
for most skills, `skilltool.rules.may_apply` rules out most of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from skilltool.errors import UnknownNameError

if TYPE_CHECKING:
    from skilltool.findings.finding import Severity
    from skilltool.rules.base import About, CollectionRule, PackageRule, Rule
    from skilltool.runtimes.base import Runtime

Kind = TypeVar("Kind")

# A rule that is right less than 95 times in 100 on real skills is in `pedantic`, which is opt-in.
_BY_GROUP: dict[str, tuple[str, ...]] = {
    "file": (
        "byte-order-mark",
        "carriage-return",
        "control-character",
        "dangling-symlink",
        "double-skill-file",
        "duplicate-key",
        "internal-error",
        "invalid-companion",
        "invalid-routing-case",
        "invalid-yaml",
        "misnamed-evals",
        "misnamed-file",
        "missing-frontmatter",
        "not-utf8",
        "over-bound",
        "oversized-file",
        "padded-fence",
        "unclosed-frontmatter",
        "unreadable-file",
        "unsafe-yaml",
        "unused-ignore",
    ),
    "frontmatter": (
        "angle-bracket-description",
        "cut-comment",
        "dashes-in-description",
        "empty-description",
        "ignored-value",
        "invalid-name",
        "invalid-version",
        "literal-block-mark",
        "long-description",
        "long-field",
        "long-name",
        "missing-field",
        "multiline-description",
        "name-directory-mismatch",
        "placeholder-description",
        "reserved-name",
        "tool-list-format",
        "unbalanced-tool",
        "unknown-field",
        "unknown-tool",
        "wrong-type",
        "yaml-surprise",
    ),
    "triggers": (
        "dead-trigger",
        "invalid-toolset",
        "invalid-trigger-pattern",
        "missing-script",
        "missing-toolset",
        "shared-trigger",
        "slow-trigger-pattern",
    ),
    "body": (
        "backslash-path",
        "broken-link",
        "command-in-fence",
        "empty-body",
        "escaping-link",
        "glued-command",
        "ignored-arguments",
        "literal-placeholder",
        "merge-conflict",
        "missing-file-mention",
        "missing-named-file",
        "positional-in-code",
        "price-as-argument",
        "sibling-link",
        "unclosed-fence",
        "undefined-reference",
        "unreachable-mention",
        "unrunnable-script",
        "variable-in-command",
        "waits-for-input",
        "zero-width-in-word",
    ),
    "collection": (
        "case-collision",
        "crowded-catalog",
        "drifted-copy",
        "duplicate-name",
        "shadowed-skill",
        "undiscovered-skill",
        "unknown-expected-skill",
    ),
    "package": (
        "dangling-skill-path",
        "duplicate-plugin-name",
        "ignored-index",
        "internal-skill-published",
        "invalid-manifest",
        "misplaced-component",
        "name-collision",
        "outdated-index",
        "outdated-lock",
        "path-escapes-plugin",
        "skill-path-is-file",
        "unlisted-skill",
    ),
    "runtime": (
        "different-key",
        "different-text",
        "ends-loading",
        "lost-frontmatter",
        "not-loaded",
        "permission-prompt",
    ),
    "safety": (
        "archive-password",
        "destructive-command",
        "encoded-command",
        "escaping-symlink",
        "hidden-instruction",
        "hidden-text",
        "leaking-url",
        "literal-secret",
        "load-time-command",
        "secret-upload",
        "unencrypted-pipe",
    ),
    "pedantic": (
        "absolute-path",
        "deep-reference",
        "equal-descriptions",
        "invisible-run",
        "leftover-placeholder",
        "orphan-file",
        "piped-download",
        "similar-description",
        "unlisted-tool",
        "unpinned-package",
        "vague-description",
    ),
}
# Rules that look at many skills at once, at a manifest, and what the engine itself reports, before or after all others run.
_COLLECTION = frozenset(
    {*_BY_GROUP["collection"], "equal-descriptions", "shared-trigger", "similar-description"}
)
_PACKAGE = frozenset(_BY_GROUP["package"])
_ENGINE = frozenset({"internal-error", "over-bound", "unused-ignore"})

GROUPS: tuple[str, ...] = tuple(_BY_GROUP)
OPT_IN = frozenset({"pedantic"})
LOADING_GROUPS = frozenset({"file", "frontmatter", "triggers", "runtime"})  # an error: a skill does not load
GROUP_OF: dict[str, str] = {name: group for group, names in _BY_GROUP.items() for name in names}
NAMES: tuple[str, ...] = tuple(sorted(GROUP_OF))


@cache
def _module(name: str) -> Any:
    return import_module(f"skilltool.rules.{GROUP_OF[name]}.{name.replace('-', '_')}")


class _Table(Mapping[str, Kind], Generic[Kind]):
    """Rules by id, in alphabetical order; looking one up imports its module."""

    def __init__(self, names: Iterator[str]) -> None:
        self._names = dict.fromkeys(names)

    def __getitem__(self, name: str) -> Kind:
        if name not in self._names:
            raise KeyError(name)
        rule: Kind = _module(name)
        return rule

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


COLLECTION_RULES: Mapping[str, CollectionRule] = _Table(name for name in NAMES if name in _COLLECTION)
PACKAGE_RULES: Mapping[str, PackageRule] = _Table(name for name in NAMES if name in _PACKAGE)
RULES: Mapping[str, Rule] = _Table(name for name in NAMES if name not in _COLLECTION | _PACKAGE | _ENGINE)


def about(name: str) -> About:
    """Return the rule with the id `name`, of any kind; raises `UnknownNameError`."""
    if name not in GROUP_OF:
        raise UnknownNameError("rule", name, NAMES, "skilltool rule")
    rule: About = _module(name)
    return rule


def severity_of(name: str, target: Runtime) -> Severity:
    """Return the severity of the rule `name` in the runtime `target`, for findings that set none of their own."""
    return target.severities.get(name, about(name).SEVERITY)

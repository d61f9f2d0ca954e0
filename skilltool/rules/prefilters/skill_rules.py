"""The prefilters of the rules about one skill."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from skilltool.rules.prefilters import body, frontmatter
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

Prefilter = Callable[[Skill, Runtime], bool]

PREFILTERS: dict[str, Prefilter] = {
    "absolute-path": body.has_home_paths,
    "angle-bracket-description": frontmatter.has_angle_brackets,
    "archive-password": body.has_passwords,
    "broken-link": body.has_doubtful_links,
    "byte-order-mark": frontmatter.has_odd_bytes,
    "carriage-return": frontmatter.has_odd_bytes,
    "command-in-fence": body.has_load_time_marks,
    "control-character": frontmatter.has_odd_frontmatter,
    "cut-comment": frontmatter.has_comments,
    "dangling-symlink": body.has_symlinks,
    "dashes-in-description": frontmatter.has_dashes,
    "dead-trigger": frontmatter.has_triggers,
    "different-key": frontmatter.is_not_plain,
    "different-text": frontmatter.is_not_plain,
    "double-skill-file": body.has_namesakes,
    "duplicate-key": frontmatter.has_odd_frontmatter,
    "empty-body": body.has_no_body,
    "empty-description": frontmatter.breaks_schema,
    "ends-loading": frontmatter.may_end_loading,
    "encoded-command": body.has_encoded_text,
    "escaping-link": body.has_doubtful_links,
    "escaping-symlink": body.has_symlinks,
    "hidden-text": body.may_be_invisible,
    "ignored-arguments": body.has_arguments,
    "invalid-companion": body.has_companions,
    "invalid-name": frontmatter.breaks_schema,
    "invalid-toolset": frontmatter.has_triggers,
    "invalid-trigger-pattern": frontmatter.has_triggers,
    "invalid-version": frontmatter.breaks_schema,
    "invalid-yaml": frontmatter.has_odd_frontmatter,
    "invisible-run": body.may_be_invisible,
    "leftover-placeholder": body.has_placeholders,
    "literal-secret": body.has_secrets,
    "load-time-command": body.may_run_at_load_time,
    "long-description": frontmatter.has_long_fields,
    "long-field": frontmatter.breaks_schema,
    "long-name": frontmatter.breaks_schema,
    "lost-frontmatter": frontmatter.is_not_plain,
    "merge-conflict": body.has_conflict_marks,
    "misnamed-file": frontmatter.is_odd_file,
    "missing-field": frontmatter.has_no_description,
    "missing-file-mention": body.names_missing_files,
    "missing-frontmatter": frontmatter.has_odd_frontmatter,
    "missing-script": frontmatter.has_triggers,
    "missing-toolset": frontmatter.has_triggers,
    "multiline-description": frontmatter.has_multiline_description,
    "name-directory-mismatch": frontmatter.has_name_unlike_directory,
    "not-loaded": frontmatter.may_be_refused,
    "not-utf8": frontmatter.has_odd_bytes,
    "oversized-file": frontmatter.is_large,
    "padded-fence": frontmatter.has_odd_frontmatter,
    "permission-prompt": frontmatter.has_asking_fields,
    "piped-download": body.has_downloads,
    "placeholder-description": frontmatter.may_have_placeholder_description,
    "positional-in-code": body.has_positional_arguments,
    "price-as-argument": body.has_numbers_after_dollars,
    "reserved-name": frontmatter.has_special_name,
    "slow-trigger-pattern": frontmatter.has_triggers,
    "tool-list-format": frontmatter.has_tools,
    "unbalanced-tool": frontmatter.has_tools,
    "unclosed-fence": body.has_odd_fences,
    "unclosed-frontmatter": frontmatter.has_odd_frontmatter,
    "unencrypted-pipe": body.has_downloads,
    "unknown-field": frontmatter.breaks_schema,
    "unknown-tool": frontmatter.has_tools,
    "unlisted-tool": frontmatter.has_tools,
    "unreachable-mention": body.has_mentions,
    "unreadable-file": frontmatter.is_odd_file,
    "unrunnable-script": body.has_scripts,
    "unsafe-yaml": frontmatter.has_odd_frontmatter,
    "wrong-type": frontmatter.has_odd_types,
    "yaml-surprise": frontmatter.has_versioned_words,
}


def rules_to_run(
    rules: tuple[str, ...],
    skill: Skill,
    target: Runtime,
    ask: Callable[[Prefilter, Runtime], bool] | None = None,
) -> list[str]:
    """Return those of `rules` that may find something in a skill for a runtime, in alphabetical order.

    `ask(prefilter, target)` returns what `prefilter(skill, target)` does, which it may remember.
    """
    ask = ask or (lambda prefilter, target: prefilter(skill, target))
    return sorted(
        rule
        for prefilter, filtered in _by_prefilter(rules)
        if prefilter is None or ask(prefilter, target)
        for rule in filtered
    )


@lru_cache(maxsize=4)
def _by_prefilter(rules: tuple[str, ...]) -> tuple[tuple[Prefilter | None, tuple[str, ...]], ...]:
    """Return each prefilter with its rules, so that it is called once; None with the rules that always run."""
    found: dict[Prefilter | None, list[str]] = {}
    for rule in rules:
        found.setdefault(PREFILTERS.get(rule), []).append(rule)
    return tuple((prefilter, tuple(filtered)) for prefilter, filtered in found.items())

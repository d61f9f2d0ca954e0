"""The rules: one module each, in explicit tables.

A test compares the tables with the directory.
"""

from __future__ import annotations

from skilltool.errors import UnknownNameError
from skilltool.rules import (
    angle_bracket_description,
    broken_link,
    byte_order_mark,
    carriage_return,
    case_collision,
    control_character,
    crowded_catalog,
    dashes_in_description,
    different_key,
    different_text,
    drifted_copy,
    duplicate_key,
    duplicate_name,
    empty_body,
    empty_description,
    escaping_link,
    invalid_name,
    invalid_toolset,
    invalid_version,
    invalid_yaml,
    long_description,
    long_field,
    long_name,
    misnamed_file,
    missing_field,
    missing_frontmatter,
    multiline_description,
    name_directory_mismatch,
    not_loaded,
    not_utf8,
    oversized_file,
    padded_fence,
    reserved_name,
    shadowed_skill,
    tool_list_format,
    unclosed_fence,
    unclosed_frontmatter,
    undiscovered_skill,
    unknown_field,
    unreadable_file,
    unsafe_yaml,
    unused_ignore,
    vague_description,
    wrong_type,
    yaml_surprise,
)
from skilltool.rules.base import About, CollectionRule, Rule

_ABOUT_ONE: tuple[Rule, ...] = (
    angle_bracket_description,
    broken_link,
    byte_order_mark,
    carriage_return,
    control_character,
    dashes_in_description,
    different_key,
    different_text,
    duplicate_key,
    empty_body,
    empty_description,
    escaping_link,
    invalid_name,
    invalid_toolset,
    invalid_version,
    invalid_yaml,
    long_description,
    long_field,
    long_name,
    misnamed_file,
    missing_field,
    missing_frontmatter,
    multiline_description,
    name_directory_mismatch,
    not_loaded,
    not_utf8,
    oversized_file,
    padded_fence,
    reserved_name,
    tool_list_format,
    unclosed_fence,
    unclosed_frontmatter,
    unknown_field,
    unreadable_file,
    unsafe_yaml,
    vague_description,
    wrong_type,
    yaml_surprise,
)
_ABOUT_MANY: tuple[CollectionRule, ...] = (
    case_collision,
    crowded_catalog,
    drifted_copy,
    duplicate_name,
    shadowed_skill,
    undiscovered_skill,
)
# The engine itself finds these, when the others have run.
_ABOUT_THE_RUN: tuple[About, ...] = (unused_ignore,)

RULES: dict[str, Rule] = {rule.ID: rule for rule in _ABOUT_ONE}
COLLECTION_RULES: dict[str, CollectionRule] = {rule.ID: rule for rule in _ABOUT_MANY}
RUN_RULES: dict[str, About] = {rule.ID: rule for rule in _ABOUT_THE_RUN}
_EVERY: dict[str, About] = {**RULES, **COLLECTION_RULES, **RUN_RULES}
NAMES: tuple[str, ...] = tuple(sorted(_EVERY))


def about(name: str) -> About:
    """Return the rule with the id `name`, of whichever table; raises `UnknownNameError`."""
    if name in _EVERY:
        return _EVERY[name]
    raise UnknownNameError("rule", name, NAMES)

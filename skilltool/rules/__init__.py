"""The rules: one module each, in explicit tables.

A test compares the tables with the directory.
"""

from __future__ import annotations

from skilltool.errors import UnknownNameError
from skilltool.rules import (
    angle_bracket_description,
    archive_password,
    broken_link,
    byte_order_mark,
    carriage_return,
    command_in_fence,
    control_character,
    dashes_in_description,
    dead_trigger,
    different_key,
    different_text,
    duplicate_key,
    duplicate_name,
    empty_body,
    empty_description,
    encoded_command,
    escaping_link,
    escaping_symlink,
    hidden_text,
    ignored_arguments,
    invalid_name,
    invalid_toolset,
    invalid_trigger_pattern,
    invalid_version,
    invalid_yaml,
    invisible_run,
    load_time_command,
    long_description,
    long_field,
    long_name,
    misnamed_file,
    missing_field,
    missing_file_mention,
    missing_frontmatter,
    missing_script,
    missing_toolset,
    multiline_description,
    name_directory_mismatch,
    not_loaded,
    not_utf8,
    oversized_file,
    padded_fence,
    piped_download,
    positional_in_code,
    reserved_name,
    slow_trigger_pattern,
    tool_list_format,
    unclosed_fence,
    unclosed_frontmatter,
    unencrypted_pipe,
    unknown_field,
    unreadable_file,
    unsafe_yaml,
    vague_description,
    wrong_type,
    yaml_surprise,
)
from skilltool.rules.base import About, CollectionRule, Rule

_ABOUT_ONE: tuple[Rule, ...] = (
    angle_bracket_description,
    archive_password,
    broken_link,
    byte_order_mark,
    carriage_return,
    command_in_fence,
    control_character,
    dashes_in_description,
    dead_trigger,
    different_key,
    different_text,
    duplicate_key,
    empty_body,
    empty_description,
    encoded_command,
    escaping_link,
    escaping_symlink,
    hidden_text,
    ignored_arguments,
    invalid_name,
    invalid_toolset,
    invalid_trigger_pattern,
    invalid_version,
    invalid_yaml,
    invisible_run,
    load_time_command,
    long_description,
    long_field,
    long_name,
    misnamed_file,
    missing_field,
    missing_file_mention,
    missing_frontmatter,
    missing_script,
    missing_toolset,
    multiline_description,
    name_directory_mismatch,
    not_loaded,
    not_utf8,
    oversized_file,
    padded_fence,
    piped_download,
    positional_in_code,
    reserved_name,
    slow_trigger_pattern,
    tool_list_format,
    unclosed_fence,
    unclosed_frontmatter,
    unencrypted_pipe,
    unknown_field,
    unreadable_file,
    unsafe_yaml,
    vague_description,
    wrong_type,
    yaml_surprise,
)
_ABOUT_MANY: tuple[CollectionRule, ...] = (duplicate_name,)

RULES: dict[str, Rule] = {rule.ID: rule for rule in _ABOUT_ONE}
COLLECTION_RULES: dict[str, CollectionRule] = {rule.ID: rule for rule in _ABOUT_MANY}
NAMES: tuple[str, ...] = tuple(sorted([*RULES, *COLLECTION_RULES]))


def about(name: str) -> About:
    """Return the rule with the id `name`, of whichever table; raises `UnknownNameError`."""
    if name in RULES:
        return RULES[name]
    if name in COLLECTION_RULES:
        return COLLECTION_RULES[name]
    raise UnknownNameError("rule", name, NAMES)

"""Which rules may find something in a skill? Cheap questions, asked before a rule is imported and run.

Most skills are clean, and most rules find nothing in most skills. An answer may be yes without need, but never no
where one of its rules would find something. All findings come from the rules; one without a question always runs.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from skilltool.rules.records import Record
from skilltool.rules.shared import text_signs
from skilltool.rules.shared.plain_frontmatter import is_plain, surely_loads
from skilltool.rules.shared.skill_paths import OWN_DIRECTORIES, VARIABLE_HINTS
from skilltool.rules.shared.text_maps import loaded_part, text_map_of
from skilltool.runtimes.base import ARGUMENTS, Runtime
from skilltool.skill import schema
from skilltool.skill.companions import EVALS, companions
from skilltool.skill.model import Skill
from skilltool.skill.routing_files import may_have_cases
from skilltool.skill.skill_file import FILE_NAME, SERVERS_FILE, namesakes
from skilltool.skill.texts import Text
from skilltool.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    pass


# An escape of half of a character, or a byte of a path that is not UTF-8.
_HALF = lazy_pattern(r"\\(?:u|U0000)[dD][89a-fA-F]|[\ud800-\udfff]")
_OWN_PATHS = tuple(lazy_pattern(rf"{top}[A-Za-z0-9_./-]{{0,{200 - len(top)}}}") for top in OWN_DIRECTORIES)


def has_no_body(skill: Skill, target: Runtime) -> bool:
    """Return whether there is only whitespace after the frontmatter."""
    return not skill.body[:100].strip() and not skill.body.strip()


def has_symlinks(skill: Skill, target: Runtime) -> bool:
    """Return whether the skill's directory contains a symlink."""
    return bool(skill.tree.links)


def has_companions(skill: Skill, target: Runtime) -> bool:
    """Return whether the skill has a file that clients read beside its SKILL.md."""
    return any(companion.file in skill.tree.files for companion in companions())


def has_evals(skill: Skill, target: Runtime) -> bool:
    """Return whether the skill has a file of test cases."""
    return EVALS in skill.tree.files


def has_routing_cases(skill: Skill, target: Runtime | None = None) -> bool:
    """Return whether the skill has a file that may have routing cases."""
    return any(map(may_have_cases, skill.tree.files))


def has_namesakes(skill: Skill, target: Runtime) -> bool:
    """Return whether another file of the skill has the name of its SKILL.md but for case."""
    return bool(namesakes(skill.tree.files))


def has_doubtful_links(skill: Skill, target: Runtime) -> bool:
    """Return whether a link of a page may lead to a file that does not exist."""
    from skilltool.rules.shared.links import pages_with_doubtful_links

    return bool(pages_with_doubtful_links(skill))


def names_missing_files(skill: Skill, target: Runtime) -> bool:
    """Return whether the body mentions a file that is not in the skill."""
    body = skill.body
    if not any(hint in body for hint in (*VARIABLE_HINTS, f"skills/{skill.name}/")):
        named = {path for paths in _OWN_PATHS for path in paths.findall(body)}
        if all(skill.holds(posixpath.normpath(path.rstrip("./-"))) for path in named):
            return False
    from skilltool.rules.shared.mentions import missing_mentions

    return bool(missing_mentions(skill))


def has_named_files(skill: Skill, target: Runtime) -> bool:
    """Return whether a page contains the name of a page or script in backticks."""
    from skilltool.rules.shared.named_files import may_name_files

    return _any(skill, may_name_files)


def has_odd_fences(skill: Skill, target: Runtime) -> bool:
    """Return whether the fences of a page are anything but plain pairs."""
    return _any(skill, text_signs.has_odd_fences)


def has_arguments(skill: Skill, target: Runtime) -> bool:
    """Return whether the body contains `$ARGUMENTS`, or the runtime may read names of arguments with a comma."""
    named = target.text_mapper is not None and "arguments" in (skill.frontmatter.data or ())
    return named or ARGUMENTS in skill.body


def has_positional_arguments(skill: Skill, target: Runtime) -> bool:
    """Return whether the body contains a positional argument (`$1`), or `$ARGUMENTS` as part of a longer word."""
    body = skill.body
    return ARGUMENTS in body or any(body[at + 1 : at + 2].isdigit() for at in _offsets(body, "$"))


def has_numbers_after_dollars(skill: Skill, target: Runtime) -> bool:
    """Return whether the runtime was measured, and the body contains a `$` before a digit."""
    body = skill.body
    return target.text_mapper is not None and any(
        body[at + 1 : at + 2].isdigit() for at in _offsets(body, "$")
    )


def has_mentions(skill: Skill, target: Runtime) -> bool:
    """Return whether the runtime was measured, and the body contains an `@`."""
    return target.text_mapper is not None and "@" in skill.body


def has_load_time_marks(skill: Skill, target: Runtime) -> bool:
    """Return whether the body may contain a command that runs when the skill is loaded."""
    body = skill.body
    return "!" in body and ("!`" in body or "``!" in body or "~~!" in body)


def may_run_at_load_time(skill: Skill, target: Runtime) -> bool:
    """Return whether the body or a hook may contain a command that runs when the skill is loaded."""
    return "hooks" in (skill.frontmatter.data or ()) or has_load_time_marks(skill, target)


def may_be_invisible(skill: Skill, target: Runtime) -> bool:
    """Return whether a text file contains a character beyond ASCII that Unicode does not print."""
    return _any(skill, text_signs.may_be_invisible)


def has_downloads(skill: Skill, target: Runtime) -> bool:
    """Return whether a text file may download something."""
    return _any(skill, text_signs.has_downloads)


def has_passwords(skill: Skill, target: Runtime) -> bool:
    """Return whether a text file contains a URL and something like a password."""
    return _any(skill, text_signs.has_passwords)


def has_encoded_text(skill: Skill, target: Runtime) -> bool:
    """Return whether a text file contains the name of a program or function that decodes."""
    return _any(skill, text_signs.has_encoded_text)


def has_home_paths(skill: Skill, target: Runtime) -> bool:
    """Return whether a text file may contain a path into a user's home directory."""
    return _any(skill, text_signs.has_home_paths)


def has_scripts(skill: Skill, target: Runtime) -> bool:
    """Return whether a page may run a script by its path, or a script has a carriage return in its first line."""
    from skilltool.rules.shared.run_paths import pages_that_may_run

    return _any(skill, text_signs.has_carriage_return_after_interpreter) or bool(pages_that_may_run(skill))


def may_destroy(skill: Skill, target: Runtime) -> bool:
    """Return whether shell text of the skill, or a hook, may delete or overwrite something."""
    return _has_shell(skill, text_signs.may_destroy)


def may_send(skill: Skill, target: Runtime) -> bool:
    """Return whether a script, shell text of a page, or a hook names a program that sends, and what is secret."""
    return _has_shell(skill, text_signs.may_send) or _any(skill, text_signs.sends_from_python)


def may_install(skill: Skill, target: Runtime) -> bool:
    """Return whether a script, a hook or a command for load time names an installer."""
    return _has_shell(skill, text_signs.may_install)


def may_prompt(skill: Skill, target: Runtime) -> bool:
    """Return whether shell text or a script in Python may wait for input."""
    asks = (text_signs.may_prompt, text_signs.has_input_calls, text_signs.asks_questions)
    return any(_any(skill, sign) for sign in asks)


def has_linked_placeholders(skill: Skill, target: Runtime) -> bool:
    """Return whether a page links to an address with a placeholder."""
    return _any(skill, text_signs.has_linked_placeholders)


def has_hidden_instructions(skill: Skill, target: Runtime) -> bool:
    """Return whether a page has a comment with a word that a covert instruction has."""
    return _any(skill, text_signs.has_hidden_instructions)


def has_measured_commands(skill: Skill, target: Runtime) -> bool:
    """Return whether the runtime was measured, and the body may contain a command that runs at load time."""
    return target.text_mapper is not None and has_load_time_marks(skill, target)


def has_commands_with_variables(skill: Skill, target: Runtime) -> bool:
    """Return whether the body may contain a command that runs at load time, and a variable."""
    return "$" in skill.body and has_measured_commands(skill, target)


def has_conflict_marks(skill: Skill, target: Runtime) -> bool:
    """Return whether a text file contains what begins the conflict of a merge."""
    return _any(skill, text_signs.has_conflict_marks)


def has_references(skill: Skill, target: Runtime) -> bool:
    """Return whether a page may contain a reference link."""
    return _any(skill, text_signs.has_references)


def has_backslash_paths(skill: Skill, target: Runtime) -> bool:
    """Return whether a page may contain a relative path with backslashes."""
    return _any(skill, text_signs.has_backslash_paths)


def has_secrets(skill: Skill, target: Runtime) -> bool:
    """Return whether a text file contains a secret with a known prefix, or a private key."""
    return _any(skill, text_signs.has_secrets)


def has_placeholders(skill: Skill, target: Runtime) -> bool:
    """Return whether a page contains a word that templates leave to be replaced."""
    return _any(skill, text_signs.has_placeholders)


def _has_shell(skill: Skill, hint: Callable[[Text], bool]) -> bool:
    """Return whether a file may have such shell text; a frontmatter, which may escape its letters, always may."""
    return "hooks" in (skill.frontmatter.data or ()) or _any(skill, hint)


def _any(skill: Skill, hint: Callable[[Text], bool]) -> bool:
    return any(text.once(hint) for text in skill.texts)


def _offsets(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


# What every placeholder in a description has, in lower case: a word, or a bracket at its start.
_PLACEHOLDERS = ("todo", "fixme", "tbd", "tba", "xxx", "placeholder", "description", "skill", "[")
_DEVICES = ("con", "prn", "aux", "nul", "com", "lpt")
# Words that YAML 1.1 reads as booleans or null; all other words are strings in every version.
_OLD_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def has_odd_frontmatter(skill: Skill, target: Runtime) -> bool:
    """Return whether the block is missing, invalid, or has anything that parsers disagree about."""
    envelope = skill.frontmatter.envelope
    return bool(skill.frontmatter.problems or envelope.padding) or envelope.closing is None


def breaks_schema(skill: Skill, target: Runtime) -> bool:
    """Return whether the frontmatter may break the runtime's schema."""
    return schema.may_be_violated(skill.frontmatter, target.schema)


def has_odd_types(skill: Skill, target: Runtime) -> bool:
    """Return whether the frontmatter may break the schema, or has a switch that the runtime cannot read."""
    if target.text_mapper is not None and (reading := text_map_of(skill, target)) and reading.misread:
        return True
    return breaks_schema(skill, target)


def has_long_fields(skill: Skill, target: Runtime) -> bool:
    """Return whether the frontmatter may break the schema, or a listing or loader cuts the description."""
    if target.text_mapper is not None and (reading := text_map_of(skill, target)) and reading.cut is not None:
        return True
    return breaks_schema(skill, target) or loaded_part(skill, target) is not None


def has_asking_fields(skill: Skill, target: Runtime) -> bool:
    """Return whether the runtime was measured, and has a field or a command for which it may ask."""
    if target.text_mapper is None:
        return False
    text = skill.source.text
    return "allowed" in text or "hooks" in text or "!" in text


def has_no_description(skill: Skill, target: Runtime) -> bool:
    """Return whether the frontmatter may break the schema, or has no description and the listing may differ."""
    if target.summary is not None and "description" not in (skill.frontmatter.data or ()):
        return True
    if (
        target.text_mapper is not None
        and (reading := text_map_of(skill, target))
        and reading.description is None
    ):
        return True
    return breaks_schema(skill, target)


def has_values_to_ignore(skill: Skill, target: Runtime) -> bool:
    """Return whether a field exists of which the runtime ignores some values, or hooks."""
    data = skill.frontmatter.data or {}
    fields = schema.load(target.schema)["properties"]
    return any(key == "hooks" or "x-ignored" in fields.get(key, ()) for key in data)


def has_placeholders_of_clients(skill: Skill, target: Runtime) -> bool:
    """Return whether the runtime was measured, and the text has what may be a variable of it."""
    text = skill.source.text
    return target.text_mapper is not None and ("$CLAUDE" in text or "${CLAUDE" in text)


def has_odd_bytes(skill: Skill, target: Runtime) -> bool:
    """Return whether the file is anything but UTF-8 with LF line endings and no byte order mark."""
    source = skill.source
    return source.bom or source.encoding != "utf-8" or bool(source.invalid) or "\r" in source.text


def may_end_loading(skill: Skill, target: Runtime) -> bool:
    """Return whether the file is not UTF-8 or may have half of a character, or may be refused.

    In a common ground nobody ends for another reason.
    """
    if skill.source.encoding != "utf-8" or skill.source.invalid or _HALF.search(skill.name):
        return True
    if "\\" in skill.source.text and _HALF.search(skill.source.text):
        return True
    return not target.ground and may_be_refused(skill, target)


def is_odd_file(skill: Skill, target: Runtime) -> bool:
    """Return whether the file is not named `SKILL.md`, or could not be read."""
    return skill.file_name != FILE_NAME or skill.unreadable is not None


def is_large(skill: Skill, target: Runtime) -> bool:
    """Return whether the file may have more bytes than the runtime reads, or a longer body than is advised."""
    longest = schema.load(target.schema).get("x-max-bytes")
    if longest and skill.size > longest:
        return True
    text, most = skill.source.text, skill.max_length
    return len(text) > most.characters or text.count("\n") + text.count("\r") >= most.lines


def is_not_plain(skill: Skill, target: Runtime) -> bool:
    """Return whether some known runtime may reject the skill, or read another name or description."""
    return not is_plain(skill)


def may_be_refused(skill: Skill, target: Runtime) -> bool:
    """Return whether some known runtime may reject the skill, for its frontmatter or a file beside it."""
    loads = surely_loads(skill) if target.ground else is_plain(skill) and not breaks_schema(skill, target)
    return not loads or skill.holds(SERVERS_FILE)


def has_versioned_words(skill: Skill, target: Runtime) -> bool:
    """Return whether YAML 1.1 and 1.2 may read a key or value differently: booleans, and whatever is not a word."""
    root = skill.frontmatter.root
    if root is None:
        return False
    keys = [key for key, _value in root.entries]
    texts = [node.text for _path, node in skill.frontmatter.scalars if node.plain]
    texts += [str(getattr(key, "text", "")) for key in keys]
    return any(not text[:1].isalpha() or text.lower() in _OLD_WORDS for text in texts)


def has_angle_brackets(skill: Skill, target: Runtime) -> bool:
    """Return whether the description contains `<`."""
    return "<" in (skill.frontmatter.text("description") or "")


def begins_with_block_mark(skill: Skill, target: Runtime) -> bool:
    """Return whether the description begins with `>` or `|`."""
    return (skill.frontmatter.text("description") or "")[:1] in {">", "|"}


def may_have_placeholder_description(skill: Skill, target: Runtime) -> bool:
    """Return whether the description contains a word of placeholders, or begins with a bracket."""
    text = (skill.frontmatter.text("description") or "").strip().lower()
    return text.startswith(("<", "{")) or any(word in text for word in _PLACEHOLDERS)


def has_comments(skill: Skill, target: Runtime) -> bool:
    """Return whether the block between the markers contains a `#` after a space."""
    block = skill.source[skill.frontmatter.envelope.block]
    return " #" in block or "\t#" in block


def has_dashes(skill: Skill, target: Runtime) -> bool:
    """Return whether the block between the markers contains `---`."""
    block = skill.frontmatter.envelope.block
    return skill.source.text.find("---", block.start, block.end) >= 0


def has_multiline_description(skill: Skill, target: Runtime) -> bool:
    """Return whether the description spans more than one line of the file."""
    span = skill.frontmatter.span("description")
    text = skill.source.text
    if text[span.start : span.start + 1] in "|>":
        return True
    return text.find("\n", span.start, span.end) >= 0 or text.find("\r", span.start, span.end) >= 0


def has_name_unlike_directory(skill: Skill, target: Runtime) -> bool:
    """Return whether the name differs from the directory's name in any character."""
    return skill.frontmatter.text("name") != skill.name


def has_special_name(skill: Skill, target: Runtime) -> bool:
    """Return whether the name has characters other than letters, digits, `-` and `_`, or may be reserved."""
    if target.text_mapper is not None and (reading := text_map_of(skill, target)) and reading.replaces:
        return True
    name = (skill.frontmatter.text("name") or "").lower()
    plain = name.replace("-", "").replace("_", "").isalnum()
    return not plain or name.startswith(_DEVICES) or any(word in name for word in target.reserved_words)


def has_tools(skill: Skill, target: Runtime) -> bool:
    """Return whether one of the fields `allowed-tools`, `disallowed-tools` exists."""
    data = skill.frontmatter.data or ()
    return "allowed-tools" in data or "disallowed-tools" in data


def has_triggers(skill: Skill, target: Runtime) -> bool:
    """Return whether one of the fields `triggers`, `toolsets`, `scripts` exists."""
    data = skill.frontmatter.data or ()
    return "triggers" in data or "toolsets" in data or "scripts" in data


Prefilter = Callable[[Skill, Runtime], bool]

MAY_APPLY: dict[str, Prefilter] = {
    "absolute-path": has_home_paths,
    "angle-bracket-description": has_angle_brackets,
    "archive-password": has_passwords,
    "backslash-path": has_backslash_paths,
    "broken-link": has_doubtful_links,
    "byte-order-mark": has_odd_bytes,
    "carriage-return": has_odd_bytes,
    "command-in-fence": has_load_time_marks,
    "control-character": has_odd_frontmatter,
    "cut-comment": has_comments,
    "dangling-symlink": has_symlinks,
    "dashes-in-description": has_dashes,
    "dead-trigger": has_triggers,
    "destructive-command": may_destroy,
    "different-key": is_not_plain,
    "different-text": is_not_plain,
    "double-skill-file": has_namesakes,
    "duplicate-key": has_odd_frontmatter,
    "empty-body": has_no_body,
    "empty-description": breaks_schema,
    "encoded-command": has_encoded_text,
    "ends-loading": may_end_loading,
    "escaping-link": has_doubtful_links,
    "escaping-symlink": has_symlinks,
    "glued-command": has_measured_commands,
    "hidden-instruction": has_hidden_instructions,
    "hidden-text": may_be_invisible,
    "ignored-arguments": has_arguments,
    "ignored-value": has_values_to_ignore,
    "invalid-companion": has_companions,
    "invalid-routing-case": has_routing_cases,
    "invalid-name": breaks_schema,
    "invalid-toolset": has_triggers,
    "invalid-trigger-pattern": has_triggers,
    "invalid-version": breaks_schema,
    "invalid-yaml": has_odd_frontmatter,
    "invisible-run": may_be_invisible,
    "leaking-url": has_linked_placeholders,
    "leftover-placeholder": has_placeholders,
    "literal-placeholder": has_placeholders_of_clients,
    "literal-block-mark": begins_with_block_mark,
    "literal-secret": has_secrets,
    "load-time-command": may_run_at_load_time,
    "long-description": has_long_fields,
    "long-field": breaks_schema,
    "long-name": breaks_schema,
    "lost-frontmatter": is_not_plain,
    "merge-conflict": has_conflict_marks,
    "misnamed-evals": has_evals,
    "misnamed-file": is_odd_file,
    "missing-field": has_no_description,
    "missing-file-mention": names_missing_files,
    "missing-frontmatter": has_odd_frontmatter,
    "missing-named-file": has_named_files,
    "missing-script": has_triggers,
    "missing-toolset": has_triggers,
    "multiline-description": has_multiline_description,
    "name-directory-mismatch": has_name_unlike_directory,
    "not-loaded": may_be_refused,
    "not-utf8": has_odd_bytes,
    "oversized-file": is_large,
    "padded-fence": has_odd_frontmatter,
    "permission-prompt": has_asking_fields,
    "piped-download": has_downloads,
    "placeholder-description": may_have_placeholder_description,
    "positional-in-code": has_positional_arguments,
    "price-as-argument": has_numbers_after_dollars,
    "reserved-name": has_special_name,
    "secret-upload": may_send,
    "sibling-link": has_doubtful_links,
    "slow-trigger-pattern": has_triggers,
    "tool-list-format": has_tools,
    "unbalanced-tool": has_tools,
    "unclosed-fence": has_odd_fences,
    "unclosed-frontmatter": has_odd_frontmatter,
    "unencrypted-pipe": has_downloads,
    "undefined-reference": has_references,
    "unknown-field": breaks_schema,
    "unknown-tool": has_tools,
    "unlisted-tool": has_tools,
    "unpinned-package": may_install,
    "unreachable-mention": has_mentions,
    "unreadable-file": is_odd_file,
    "unrunnable-script": has_scripts,
    "unsafe-yaml": has_odd_frontmatter,
    "variable-in-command": has_commands_with_variables,
    "waits-for-input": may_prompt,
    "wrong-type": has_odd_types,
    "yaml-surprise": has_versioned_words,
    "zero-width-in-word": may_be_invisible,
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
        found.setdefault(MAY_APPLY.get(rule), []).append(rule)
    return tuple((prefilter, tuple(filtered)) for prefilter, filtered in found.items())


def repeat_a_name(records: Sequence[Record], target: Runtime) -> bool:
    """Return whether two skills share a name or a directory name, with `_` as `-` and case ignored.

    For a runtime that was measured, also whether a name is the directory's name of another skill.
    """
    for names in ([record.name for record in records if record.name], [record.skill for record in records]):
        if len({name.casefold().replace("_", "-") for name in names}) < len(names):
            return True
    if target.text_mapper is None:
        return False
    others = {record.name for record in records if record.name != record.skill}
    return any(record.skill in others for record in records)


def share_keywords(records: Sequence[Record], target: Runtime) -> bool:
    """Return whether more than one skill has keywords."""
    return sum(bool(record.keywords) for record in records) > 1


def share_a_description(records: Sequence[Record], target: Runtime) -> bool:
    """Return whether two skills have the same description."""
    described = [record.described for record in records if record.described]
    return len(set(described)) < len(described)


def expect_skills(records: Sequence[Record], target: Runtime) -> bool:
    """Return whether a skill has routing cases that name skills."""
    return any(record.expected for record in records)


def catalog_is_limited(records: Sequence[Record], target: Runtime) -> bool:
    """Return whether the runtime limits the length of its skill listing."""
    return target.budget is not None


def are_several(records: Sequence[Record], target: Runtime) -> bool:
    """Return whether there is more than one skill."""
    return len(records) > 1


def runtime_has_roots(records: Sequence[Record], target: Runtime) -> bool:
    """Return whether the runtime looks for skills in directories of its own."""
    return bool(target.project_roots)


MANY_MAY_APPLY: dict[str, Callable[[Sequence[Record], Runtime], bool]] = {
    "case-collision": repeat_a_name,
    "crowded-catalog": catalog_is_limited,
    "drifted-copy": repeat_a_name,
    "duplicate-name": repeat_a_name,
    "equal-descriptions": share_a_description,
    "shadowed-skill": runtime_has_roots,
    "shared-trigger": share_keywords,
    "similar-description": are_several,
    "undiscovered-skill": runtime_has_roots,
    "unknown-expected-skill": expect_skills,
}

# What a runtime is asked that only reads a place of another: not whether it finds a skill or how skills are
# described, which is no objection; and whether a copy is shadowed only where two of the checked skills have a name in common.
MANY_MAY_APPLY_FOR_READERS: dict[str, Callable[[Sequence[Record], Runtime], bool]] = {
    **{
        name: prefilter
        for name, prefilter in MANY_MAY_APPLY.items()
        if name not in {"equal-descriptions", "undiscovered-skill"}
    },
    "shadowed-skill": repeat_a_name,
}

# Rules that compare skills for different runtimes: they see every skill of a run, for each target.
ACROSS_AUDIENCES = frozenset({"drifted-copy", "equal-descriptions", "similar-description"})

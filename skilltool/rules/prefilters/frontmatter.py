"""Prefilters that look at the file as a whole, its name and its frontmatter."""

from __future__ import annotations

from skilltool.rules.shared.plain_frontmatter import is_plain, surely_loads
from skilltool.rules.shared.readings import reading_of
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME, SERVERS_FILE

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
    if target.reading is not None and (reading := reading_of(skill, target)) and reading.misread:
        return True
    return breaks_schema(skill, target)


def has_long_fields(skill: Skill, target: Runtime) -> bool:
    """Return whether the frontmatter may break the schema, or the listing cuts the description."""
    if target.reading is not None and (reading := reading_of(skill, target)) and reading.cut is not None:
        return True
    return breaks_schema(skill, target)


def has_asking_fields(skill: Skill, target: Runtime) -> bool:
    """Return whether the runtime was measured, and has a field or a command for which it may ask."""
    if target.reading is None:
        return False
    text = skill.source.text
    return "allowed" in text or "hooks" in text or "!" in text


def has_no_description(skill: Skill, target: Runtime) -> bool:
    """Return whether the frontmatter may break the schema, or has no description and the listing may differ."""
    if target.summary is not None and "description" not in (skill.frontmatter.data or ()):
        return True
    if target.reading is not None and (reading := reading_of(skill, target)) and reading.description is None:
        return True
    return breaks_schema(skill, target)


def has_odd_bytes(skill: Skill, target: Runtime) -> bool:
    """Return whether the file is anything but UTF-8 with LF line endings and no byte order mark."""
    source = skill.source
    return source.bom or source.encoding != "utf-8" or bool(source.invalid) or "\r" in source.text


def may_end_loading(skill: Skill, target: Runtime) -> bool:
    """Return whether a byte of the file is not UTF-8, which ends loading in some runtimes, or it may be refused.

    In a common ground nobody ends for another reason.
    """
    is_utf8 = skill.source.encoding == "utf-8" and not skill.source.invalid
    return not is_utf8 or (not target.ground and may_be_refused(skill, target))


def is_odd_file(skill: Skill, target: Runtime) -> bool:
    """Return whether the file is not named `SKILL.md`, or could not be read."""
    return skill.file_name != FILE_NAME or skill.unreadable is not None


def is_large(skill: Skill, target: Runtime) -> bool:
    """Return whether the file may have more bytes than the runtime reads, or more lines than it advises."""
    longest = schema.load(target.schema).get("x-max-bytes")
    if longest and skill.size > longest:
        return True
    limit = schema.load(target.schema).get("x-max-lines")
    text = skill.source.text
    return bool(limit and text.count("\n") + text.count("\r") >= limit)


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


def may_have_placeholder_description(skill: Skill, target: Runtime) -> bool:
    """Return whether the description contains a word of placeholders, or begins with a bracket."""
    text = (skill.frontmatter.text("description") or "").strip().lower()
    return text.startswith(("<", "{")) or any(word in text for word in _PLACEHOLDERS)


def has_comments(skill: Skill, target: Runtime) -> bool:
    """Return whether the block between the markers contains a `#` after a blank."""
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
    if target.reading is not None and (reading := reading_of(skill, target)) and reading.replaces:
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

"""Cheap questions about the file as a whole, its name and its frontmatter."""

from __future__ import annotations

from skilltool.rules.shared.plain_frontmatter import is_plain
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.model import MAX_BYTES, Skill
from skilltool.skill.skill_file import FILE_NAME

_DEVICES = ("con", "prn", "aux", "nul", "com", "lpt")
# Plain words that YAML 1.1 takes for truth values or nothing; other words are text in every version.
_OLD_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def has_odd_frontmatter(skill: Skill, target: Runtime) -> bool:
    """Whether the block is missing, cannot be read, or holds what readers disagree about."""
    envelope = skill.frontmatter.envelope
    return bool(skill.frontmatter.problems or envelope.padding) or envelope.closing is None


def breaks_schema(skill: Skill, target: Runtime) -> bool:
    """Whether something in the frontmatter may break the target's schema."""
    data = skill.frontmatter.data
    return data is not None and not schema.surely_fits(data, target.schema)


def has_odd_bytes(skill: Skill, target: Runtime) -> bool:
    """Whether the file is not UTF-8 with line feeds and no byte order mark."""
    source = skill.source
    return source.bom or source.encoding != "utf-8" or bool(source.invalid) or "\r" in source.text


def is_odd_file(skill: Skill, target: Runtime) -> bool:
    """Whether the file has another name, or could not be read."""
    return skill.file_name != FILE_NAME or skill.unreadable is not None


def is_large(skill: Skill, target: Runtime) -> bool:
    """Whether the file has more bytes than are read, or may have more lines than the target advises."""
    limit = schema.load(target.schema).get("x-max-lines")
    text = skill.source.text
    return skill.size > MAX_BYTES or bool(limit and text.count("\n") + text.count("\r") >= limit)


def is_not_plain(skill: Skill, target: Runtime) -> bool:
    """Whether some known runtime may refuse the skill, or read another name or description."""
    return not is_plain(skill)


def has_versioned_words(skill: Skill, target: Runtime) -> bool:
    """Whether YAML 1.1 and 1.2 may read a key or a value differently: short words, and what is no word."""
    root = skill.frontmatter.root
    if root is None:
        return False
    keys = [key for key, _value in root.entries]
    texts = [node.text for _path, node in skill.frontmatter.scalars if node.plain]
    texts += [str(getattr(key, "text", "")) for key in keys]
    return any(not text[:1].isalpha() or text.lower() in _OLD_WORDS for text in texts)


def has_angle_brackets(skill: Skill, target: Runtime) -> bool:
    """Whether a `<` stands in the description."""
    return "<" in (skill.frontmatter.text("description") or "")


def has_dashes(skill: Skill, target: Runtime) -> bool:
    """Whether `---` stands between the markers."""
    block = skill.frontmatter.envelope.block
    return skill.source.text.find("---", block.start, block.end) >= 0


def has_description_in_lines(skill: Skill, target: Runtime) -> bool:
    """Whether the description takes more than one line of the file."""
    span = skill.frontmatter.span("description")
    text = skill.source.text
    if text[span.start : span.start + 1] in "|>":
        return True
    return text.find("\n", span.start, span.end) >= 0 or text.find("\r", span.start, span.end) >= 0


def has_other_name(skill: Skill, target: Runtime) -> bool:
    """Whether the name is not the directory's, to the letter."""
    return skill.frontmatter.text("name") != skill.name


def has_special_name(skill: Skill, target: Runtime) -> bool:
    """Whether the name is no plain word, begins like a device, or holds a word that the target reserves."""
    name = (skill.frontmatter.text("name") or "").lower()
    plain = name.replace("-", "").replace("_", "").isalnum()
    return not plain or name.startswith(_DEVICES) or any(word in name for word in target.reserved_words)


def has_tools(skill: Skill, target: Runtime) -> bool:
    """Whether tools are listed."""
    return "allowed-tools" in (skill.frontmatter.data or ())


def has_triggers(skill: Skill, target: Runtime) -> bool:
    """Whether triggers, toolsets or scripts are listed."""
    data = skill.frontmatter.data or ()
    return "triggers" in data or "toolsets" in data or "scripts" in data

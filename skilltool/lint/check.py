"""Check one skill: run the rules about one skill for each target, and stamp what they find.

The result is a pure function of the skill's files and the settings, and small enough to be sent between
processes or kept in the cache.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from skilltool import runtimes
from skilltool.bounds.budget import Budget, GivenUpError, InternalReason, out_of_memory
from skilltool.files.paths import display_path
from skilltool.findings.diagnostic import locate
from skilltool.findings.finding import Finding
from skilltool.findings.secrets import without_secrets
from skilltool.lint import given_up, severity
from skilltool.lint.memo import Memo, first_findings
from skilltool.lint.merging import Merged, without_repetition
from skilltool.lint.settings import AUTO, Settings
from skilltool.lint.targets import Audience, audience_of, cache_key
from skilltool.rules import RULES
from skilltool.rules.may_apply import has_routing_cases, rules_to_run
from skilltool.rules.records import CheckedSkill, IgnoreComment, Record
from skilltool.rules.shared.fields import list_entries
from skilltool.rules.shared.plain_frontmatter import is_plain
from skilltool.rules.traits import traits_of
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.model import Skill, load_skill
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.source import Source, Span

if TYPE_CHECKING:
    from skilltool.lint.cache.store import Row


_EXPECTED = (GivenUpError, MemoryError)  # what ends the check of a skill, and no rule has to answer for
_FEW = 8  # targets, which are asked one by one: for so few, to remember answers costs more than it saves


def check_directory(directory: Path, settings: Settings) -> CheckedSkill:
    """Check one skill directory by the rules about one skill."""
    return check_skill(load_skill(directory), directory, settings)


def check_bytes(raw: bytes, file: Path, settings: Settings) -> CheckedSkill:
    """Check bytes as if they were the SKILL.md `file`, which need not exist; what lies beside it counts."""
    return check_skill(skill_of_text(raw, file), file.parent, settings)


def skill_of_text(raw: bytes, file: Path) -> Skill:
    """Return the skill whose SKILL.md `file`, which need not exist, holds these bytes."""
    directory = file.parent
    skill = (
        load_skill(directory)
        if directory.is_dir()
        else Skill(directory.absolute().name, FILE_NAME, Source(""))
    )
    return skill.with_text(Source.decode(raw), len(raw), file.name)


def check_skill(skill: Skill, directory: Path, settings: Settings, every_fix: bool = False) -> CheckedSkill:
    """Check a skill that has been read, or changed in memory, by the rules about one skill.

    What cannot be written back has no fixes that edit it, unless `every_fix` is asked for. A rule that raises
    what nobody expected hides no other: the first one is told. Raises `OverBudgetError` for a skill with more
    files or more text than skilltool reads.
    """
    skill.require_size()
    skill.max_length = settings.max_length or skill.max_length
    path = display_path(directory / skill.file_name)
    audience = audience_of(settings, directory)
    targets = [runtimes.get(name) for name in (audience.owners if is_plain(skill) else audience.runtimes)]
    memo = Memo(skill) if len(targets) > _FEW else None
    merged = Merged(skill, path)
    defects: list[InternalReason] = []
    for target in targets:
        rules = _rules_for(target, settings, audience)
        findings = _findings(rules, skill, target, memo, defects)
        if settings.name_source == "frontmatter":
            findings = [(rule, _keeping_name(rule, finding, skill)) for rule, finding in findings]
        rated = severity.for_target(findings, skill, target)
        told_once = without_repetition(rated)
        merged.add(severity.for_place(told_once, audience, skill, target), target.id)
    unread = given_up.unread(skill, path, audience) if given_up.ID in settings.rules else ()
    diagnostics = (*merged.diagnostics(every_fix), *unread)
    defect = defects[0] if defects else None
    return CheckedSkill(_record(skill, directory, path), diagnostics, _comments(skill, path), defect)


def _rules_for(target: Runtime, settings: Settings, audience: Audience) -> tuple[str, ...]:
    """Return the rules about one skill that say something to a target: of a reader those about loading."""
    rules = _about_one(settings.rules)
    if target.id not in audience.readers:
        return rules
    return tuple(rule for rule in severity.rules_of_readers(rules) if not traits_of(rule).for_owners)


def _findings(
    rules: tuple[str, ...], skill: Skill, target: Runtime, memo: Memo | None, defects: list[InternalReason]
) -> list[tuple[str, Finding]]:
    """Ask each rule that may apply; what one raises that nobody expected is added to `defects`."""
    try:
        rules = tuple(rules_to_run(rules, skill, target, memo.ask if memo else None))
    except _EXPECTED:
        raise
    except Exception as error:  # all rules run then
        defects.append(InternalReason.of(error, f"the prefilters for `{target.id}`"))
    findings: list[tuple[str, Finding]] = []
    for rule in rules:
        check = RULES[rule].check
        try:
            found = memo.findings(check, target) if memo else first_findings(check(skill, target))
        except _EXPECTED:
            raise
        except Exception as error:
            defects.append(InternalReason.of(error, f"rule `{rule}` for `{target.id}`"))
        else:
            findings += [(rule, finding) for finding in found]
    return findings


def _keeping_name(rule: str, finding: Finding, skill: Skill) -> Finding:
    """Return a finding with the fix that renames the directory, where names differ."""
    from skilltool.rules.frontmatter import name_directory_mismatch

    if rule != name_directory_mismatch.ID:
        return finding
    return finding._replace(fix=name_directory_mismatch.rename_directory(skill))


@lru_cache(maxsize=2)
def _about_one(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name in RULES)


def _comments(skill: Skill, path: str) -> tuple[IgnoreComment, ...]:
    # The part of the mark that has no other spelling.
    if not any("killtool:" in text.source.text for text in skill.texts):
        return ()
    from skilltool.lint.ignore_comments import ignore_comments

    return ignore_comments(skill, path)


def _record(skill: Skill, directory: Path, path: str) -> Record:
    name = skill.frontmatter.text("name")
    span = skill.frontmatter.span("name") if name else Span(0, 0)
    absolute = os.path.abspath(directory).replace(os.sep, "/")
    keywords = tuple(
        dict.fromkeys(text for _, text, _ in list_entries(skill, "triggers", "keywords") if text.strip())
    )
    name, keywords = name and without_secrets(name), tuple(map(without_secrets, keywords))
    return Record(
        path,
        absolute,
        skill.name,
        name,
        locate(skill.source, span),
        keywords,
        _described(skill),
        _expected(skill),
    )


def _expected(skill: Skill) -> tuple[tuple[str, str], ...]:
    """Return the names of skills in the routing cases of a skill, each once, after the file that has it."""
    if not has_routing_cases(skill):
        return ()
    from skilltool.rules.shared.routing_files import routing_files

    return tuple(
        dict.fromkeys(
            (file, without_secrets(name))
            for file, cases in routing_files(skill)
            for case in cases.cases
            for name in case.names
        )
    )


def _described(skill: Skill) -> str:
    """Return a digest of the words of the description, empty for none."""
    words = " ".join((skill.frontmatter.text("description") or "").split())
    return blake2b(words.encode("utf-8", "replace"), digest_size=12).hexdigest() if words else ""


# What was found, or the reason why the skill was given up, as in a `GivenUpError`.
Outcome = CheckedSkill | str


def prepare(settings: Settings) -> None:
    """Import what a run over many skills needs: the rules, the runtimes, and their schemas."""
    for rule in settings.rules:
        RULES.get(rule)
    for target in map(runtimes.get, (name for name in settings.runtimes if name != AUTO)):
        for name in target.ground:
            runtimes.get(name)
        schema.load(target.schema)


def attempt(directory: Path, settings: Settings) -> tuple[Outcome, Row | None]:
    """Check one skill; return what was found, or why it was given up, and a row for the cache."""
    try:
        if settings.cache is None:
            return check_skill(load_skill(directory), directory, settings), None
        from skilltool.lint import cache

        before = cache.snapshot(directory)
        skill = load_skill(directory)
        checked = check_skill(skill, directory, settings)
        if before is None or checked.defect is not None:
            return checked, None
        return checked, cache.make_row(directory, skill, checked, before, cache_key(settings, directory))
    except MemoryError:
        return out_of_memory(Budget()), None
    except GivenUpError as error:
        return error.reason, None
    except Exception as error:  # a defect of ours in one skill must not hide the others
        return InternalReason.of(error), None


def attempt_all(directories: Sequence[str], settings: Settings) -> Iterator[tuple[Outcome, Row | None]]:
    """Check skills one after the other; see `attempt`."""
    for directory in directories:
        yield attempt(Path(directory), settings)

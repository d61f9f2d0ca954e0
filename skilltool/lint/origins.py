"""Whose text is a finding about? What a project only keeps is not its author's to fix.

That is data of its tests (`tests/fixtures/pdf`), an archive (`_legacy/pdf`), a `template/SKILL.md` to copy, a
translation (`docs/zh-CN/skills/pdf`), what others wrote (`vendor/`, the skills that Codex comes with in
`.system`, and what `copies` finds), what lies in a hidden directory of another skill (`brain/.raw/pdf`), a
`skills/SKILL.md` that lists the skills beside it, a `SKILL.md` without frontmatter at the top of a repository
of skills, the documents of a repository of skills whose top is a skill, too, the fields of a skill inside
another (`.claude/skills/forms/pdf`) where the client does not look so deep, a limit that only the card has
where a library names its clients, and a note where a skill was. Such findings are notes, except what harms
and, for installed skills, errors that are not only the specification's. Nor does the card decide about
skills in which a build fills in `{{VERSION}}`. Paths count under the path that the user named: who names a
fixture, means it.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import pairwise
from pathlib import Path

from skilltool import runtimes
from skilltool.files.repository import is_repository_root
from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity
from skilltool.lint import copies
from skilltool.lint.settings import Settings
from skilltool.lint.targets import COMMON, ELSEWHERE, audience_of, depends_on_place
from skilltool.packages.configurations import clients_of, names_clients, names_one_client, names_strict_client
from skilltool.packages.manifest import leading_clients, places
from skilltool.packages.owners import directories_up
from skilltool.rules import GROUP_OF
from skilltool.rules.records import CheckedSkill, Record
from skilltool.rules.traits import traits_of
from skilltool.skill.skill_file import FILE_NAME, read_skill_file
from skilltool.skill.tree import bytes_of
from skilltool.text.lazy_pattern import lazy_pattern

_TEST_DATA = frozenset(
    {"tests", "__tests__", "fixture", "fixtures", "__fixtures__", "testdata", "test-data", "test_data"}
)
_OF_OTHERS = frozenset({"vendor", "vendored", "third-party", "third_party", "node_modules", "_bmad"})
# `reference/shop/.claude/skills`: another project, to look at, or on which something was tried.
_LOOKED_AT = frozenset({"benchmarks", "experiments", "reference", "references"})
_PAST = frozenset(
    "archive archived _archive _archived attic backup backups deprecated _deprecated dormant _legacy".split()  # noqa: SIM905
)
# To copy, or a copy of the skill at `pdf` that was made to compare it with, `pdf-workspace/skill-snapshot`.
_TO_COPY = frozenset(
    {"template", "templates", "_template", "skill-template", "template-skill", "skill-snapshot"}
)
_TEMPLATES = frozenset({"_template", "_templates"})  # of others, in which they are sorted
_BACKUPS = frozenset({"backup", "backups", "bak"})
_ENDS_OF_PAST = (
    "-archive",
    "-archived",
    "_archive",
    "_archived",
)  # of what lies above a skill, not its own name
# `docs/zh-CN/skills/pdf`: a translation for people to read.
_TRANSLATED = frozenset("doc docs documentation i18n l10n locales translations".split())  # noqa: SIM905
_LANGUAGE = lazy_pattern(
    r"[a-z]{2}[-_][A-Za-z]{2,4}|ar|cs|de|es|fa|fr|he|hi|id|it|ja|ko|nl|pl|pt|ru|sv|th|tr|uk|vi|zh"
)
# What was, and stays as it was written; beside SKILL.md or in `docs`.
_HISTORY = frozenset({"changelog.md", "changes.md", "history.md", "release-notes.md"})
# `eval/scenarios/add-field/codebase`: what evaluations run on.
_EVALUATIONS = frozenset({"eval", "evals"})
_INPUTS = frozenset({"cases", "fixtures", "scenarios", "tasks", "workspaces"})
# What a skill has for its model; the rest of a repository is for people.
_OF_SKILL = frozenset({"references", "reference", "scripts", "assets", "resources", "rules"})
# `skills/tests/unit-tests`: a category of skills, whatever it is called; `skills/archive/pdf` is the past.
_CATEGORIES = "skills"


def eased(
    diagnostics: Sequence[Diagnostic], checked: Sequence[CheckedSkill], settings: Settings
) -> Iterator[Diagnostic]:
    """Yield the diagnostics of a run, those about what its project only keeps as notes."""
    tops = [os.path.abspath(path) for path in settings.paths]
    directories = [one.record.directory for one in checked]
    inner = set(_inside_of_others(directories, settings))
    asked = {
        os.path.abspath(each.directory or ".").replace(os.sep, "/")
        for each in diagnostics
        if each.severity is Severity.WARNING or _is_of_specification(each, settings)
    }
    described = {one.record.directory: one.record.described for one in checked if one.record.described}
    around = {above for each in asked for above in directories_up(each)[1:]}.intersection(directories)
    installed = {*copies.installed(directories, tops), *copies.copied(asked | around, tops)}
    asked.intersection_update(directories)
    of_publishers = {*copies.of_publishers(asked, directories, tops)}
    taken = {*copies.likely(asked, directories, tops), *copies.published(asked, described, tops)}
    of_publishers, taken = (
        {each for each in found if copies.has_remote(each) or not audience_of(settings, each).is_package}
        for found in (of_publishers, taken)
    )
    installed |= of_publishers
    installed.update(_inside(directories, installed))
    sources = {*_sources_of_builds(diagnostics)}
    of_plugins = {*_skills_of_plugins(diagnostics, directories, settings)}
    unsearched = dict(_below_skills(directories))
    collections = {each for each in directories if _is_collection(each, directories)}
    indexes = {one.record.parent for one in checked if one.record.parent.endswith(f"/{_CATEGORIES}")}
    indexes.intersection_update(directories)
    past = {one.record.directory for one in checked if _is_of_the_past(one.record)}.difference(tops)
    is_library = depends_on_place(settings)  # who names the card, is told of what it has
    for diagnostic in diagnostics:
        if diagnostic.severity > Severity.INFO and not traits_of(diagnostic.rule).never_eased:
            directory = os.path.abspath(diagnostic.directory or ".").replace(os.sep, "/")
            of_repository = directory in collections and diagnostic.file.split("/")[0] not in {*_OF_SKILL, ""}
            is_list = directory in collections and diagnostic.rule == "missing-frontmatter"
            is_kept = of_repository or is_list or directory in indexes or directory in inner
            is_kept = is_kept or directory in past
            is_kept = is_kept or _is_kept(diagnostic, directory, tops)
            is_warning = diagnostic.severity is Severity.WARNING
            is_kept = is_kept or (is_warning and copies.is_published_page(diagnostic.file, directory, tops))
            is_kept = is_kept or (directory in sources and _is_of_card(diagnostic))
            is_kept = is_kept or _is_of_unread_fields(diagnostic, unsearched.get(directory))
            is_kept = is_kept or (
                diagnostic.rule == "missing-frontmatter" and _needs_none(diagnostic, directory)
            )
            is_kept = is_kept or (
                is_library
                and (
                    _is_for_others(diagnostic, directory, tops)
                    or _is_of_program(diagnostic, directory, tops)
                    or _is_for_absent_readers(diagnostic, directory, tops, settings)
                )
            )
            is_kept = is_kept or (
                _is_of_plugins(diagnostic)
                and _named_text(directory) in of_plugins
                and not audience_of(settings, directory).is_package
            )
            of_others = directory in installed or (directory in taken and not names_lost_file(diagnostic))
            is_kept = is_kept or (of_others and is_warning)
            if is_kept or (directory in installed and _is_of_specification(diagnostic, settings)):
                diagnostic = diagnostic._replace(severity=Severity.INFO)
        yield diagnostic


def _inside(directories: Iterable[str], outer: Set[str]) -> list[str]:
    """Return the skills inside any of the `outer` ones."""
    return [each for each in directories if not outer.isdisjoint(directories_up(each)[1:])]


def _is_of_specification(diagnostic: Diagnostic, settings: Settings) -> bool:
    """Return whether an error is one because of the open specification alone: no leading client objects."""
    if diagnostic.severity is not Severity.ERROR:
        return False
    if not set(leading_clients()).isdisjoint(diagnostic.runtimes):
        return False
    owners = audience_of(settings, diagnostic.directory or ".").owners
    objecting = [name for name in diagnostic.runtimes if name in owners]
    return bool(objecting) and all(runtimes.get(name).specification for name in objecting)


def _below_skills(directories: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the skills inside another one that the client of their place does not find, with that client.

    The skill above sends its model to them, as to any of its files; the client does not read their fields.
    """
    known = frozenset(directories)
    flat = [place for place in places() if place.flat]
    for directory in directories:
        place = next((each for each in flat if f"/{each.path}/" in directory), None)
        if place is not None:
            top, inside, below = directory.rpartition(f"/{place.path}/")
            parts = below.split("/")
            if any(f"{top}{inside}{'/'.join(parts[:at])}" in known for at in range(1, len(parts))):
                yield directory, place.client


def _is_of_unread_fields(diagnostic: Diagnostic, client: str | None) -> bool:
    """Return whether only the client that does not find a skill objects to what it would read of it."""
    if client is None or diagnostic.file or set(diagnostic.runtimes) != {client}:
        return False
    traits = traits_of(diagnostic.rule)
    is_of_fields = GROUP_OF.get(diagnostic.rule) == "frontmatter" or traits.loses_text or traits.is_refusal
    return is_of_fields or bool(traits.cause)


def _needs_none(diagnostic: Diagnostic, directory: str) -> bool:
    """Return whether a file without frontmatter is a note where a skill was, or has its fields beside it."""
    if diagnostic.runtimes == (ELSEWHERE,) and any(
        len(_NAMED & copies.json_of(Path(directory, file)).keys()) >= least for file, least in _FIELDS.items()
    ):
        return True
    if diagnostic.runtimes == (ELSEWHERE,) and any(
        os.path.isfile(f"{directory}/{each}") for each in _MODULES
    ):
        return True
    raw, _, _ = read_skill_file(Path(directory, FILE_NAME), Path(directory))
    return _TOMBSTONE.match(raw[:_BEGINNING].decode("utf-8", "replace")) is not None


# What makes a directory a module of a program, which its SKILL.md is then about.
_MODULES = ("index.ts", "index.js", "__init__.py", "mod.rs")
_NAMED = {"name", "description"}
# By which a program of the repository's own finds the skill, and how many of these fields it has at least.
_FIELDS = {"skill.json": 1, "manifest.json": 2}
# `# PDF tools (DEPRECATED)`, `# Retired: see forms`, and not `# Find deprecated calls`; or, under a title,
# `**Status: Absorbed into forms**`.
_TOMBSTONE = lazy_pattern(
    r"\s*#+ (?:[^\n]{0,200}\n\s{0,3}\*{0,2}status:\*{0,2} (?:absorbed|deprecated|retired|superseded)\b"
    r"|[^\n]{0,200}?[(\[](?:deprecated|retired|obsolete|removed)\b"
    r"|(?:deprecated|retired|obsolete)(?:[:.]|[ \t]*$)"
    r"|[^\n]{0,200}? [-\u2013\u2014] (?:deprecated|retired|obsolete)\b)",
    re.MULTILINE | re.IGNORECASE,
)
_BEGINNING = 400  # bytes


def _is_for_others(diagnostic: Diagnostic, directory: str, tops: Sequence[str]) -> bool:
    """Return whether only the card objects to a length or a name, in a library for clients that do not.

    That is a length of at most what the specification allows where the library names clients at all, a longer
    one where it names claude-code alone, and a name where it names none that is strict about names.
    """
    if diagnostic.runtimes != (ELSEWHERE,):
        return False
    traits, top = traits_of(diagnostic.rule), copies.levels_of(Path(directory), tops)[-1].as_posix()
    if traits.of_length:
        is_error = diagnostic.severity is Severity.ERROR
        return (names_one_client if is_error else names_clients)(top)
    return diagnostic.rule == "invalid-name" and names_clients(top) and not names_strict_client(top)


def _is_for_absent_readers(
    diagnostic: Diagnostic, directory: str, tops: Sequence[str], settings: Settings
) -> bool:
    """Return whether no client objects to a field that reads `.agents/skills` and has files at the top.

    Many read it, and most leave no trace; one that does says for whom it is. A link from `.claude/skills` is
    none: there would be no need of the other directory for Claude Code.
    """
    if COMMON not in diagnostic.runtimes or not _is_of_fields(diagnostic):
        return False
    present = clients_of(copies.levels_of(Path(directory), tops)[-1].as_posix())
    readers = present.intersection(audience_of(settings, directory).readers)
    return bool(readers) and readers.isdisjoint(diagnostic.runtimes)


def _is_of_program(diagnostic: Diagnostic, directory: str, tops: Sequence[str]) -> bool:
    """Return whether only the card objects to the fields of a skill in a hidden directory: `.forms/pdf`.

    No known client looks there: a program of its own does, or fills the directories of clients from it.
    """
    if diagnostic.runtimes not in {(ELSEWHERE,), (COMMON,)} or diagnostic.file:
        return False
    hidden = next((part for part in _below(directory, tops) if part.startswith(".")), "")
    is_known = any(place.path.startswith(f"{hidden}/") for place in places())
    is_of_fields = _is_of_fields(diagnostic) or diagnostic.rule in {"missing-frontmatter", "misnamed-file"}
    return bool(hidden) and not is_known and is_of_fields


def _is_of_fields(diagnostic: Diagnostic) -> bool:
    """Return whether a finding is about fields, or that a client refuses them."""
    return GROUP_OF.get(diagnostic.rule) == "frontmatter" or traits_of(diagnostic.rule).is_refusal


def _is_of_plugins(diagnostic: Diagnostic) -> bool:
    """Return whether a finding is about a variable of plugins that stays as it is."""
    return diagnostic.rule == "literal-placeholder" and "PLUGIN" in diagnostic.message


def _named_text(directory: str) -> tuple[str, bytes]:
    return directory.rpartition("/")[2], bytes_of(Path(directory, FILE_NAME)) or b""


def _skills_of_plugins(
    diagnostics: Iterable[Diagnostic], directories: Sequence[str], settings: Settings
) -> Iterator[tuple[str, bytes]]:
    """Yield name and text of the skills in packages of which there may be a copy with such a finding."""
    named = {
        Path(os.path.abspath(each.directory or ".")).name for each in diagnostics if _is_of_plugins(each)
    }
    for directory in directories:
        if directory.rpartition("/")[2] in named and audience_of(settings, directory).is_package:
            yield _named_text(directory)


def _sources_of_builds(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """Yield the skills whose frontmatter has slots for a build (`{{VERSION}}`), as several beside them have.

    The build may add fields, too, by which the skill conforms to the card.
    """
    beside: dict[tuple[Path, str], list[str]] = {}
    for directory in sorted({each.directory for each in diagnostics if _is_of_card(each)}):
        path = Path(os.path.abspath(directory or "."))
        if slot := _SLOT.search(copies.frontmatter_of(path)):
            beside.setdefault((path.parent, slot[0]), []).append(path.as_posix())
    for found in beside.values():
        if len(found) >= _LEAST_OF_BUILD:
            yield from found


_SLOT = lazy_pattern(r"\{\{[A-Z][A-Z0-9_]{1,40}\}\}")
_LEAST_OF_BUILD = 3


def _is_of_card(diagnostic: Diagnostic) -> bool:
    """Return whether only the card's requirements make an error of a finding."""
    return diagnostic.severity is Severity.ERROR and diagnostic.runtimes == (ELSEWHERE,)


def _is_kept(diagnostic: Diagnostic, directory: str, tops: Sequence[str]) -> bool:
    """Return whether a path says that its file is data of tests, of others, or hidden in the skill."""
    *inside, name = diagnostic.file.split("/")
    *above, own = _below(directory, tops) or ("",)
    if own in _TO_COPY and (*above[-1:], own) != (_CATEGORIES, "templates"):
        return True
    if any(part.startswith(".") for part in inside) or any(map(_is_past, above)):
        return True
    if not _TEMPLATES.isdisjoint(above):
        return True
    if name.lower() in _HISTORY and inside in ([], ["docs"]):
        return True
    if _first_hidden(above) > 1 and above[0].lower() in _LOOKED_AT:
        return True
    parts = (*above, own, *inside)
    evaluations = zip(("", *parts), parts, parts[1:], strict=False)
    if any(
        before != _CATEGORIES and part.lower() in _EVALUATIONS and inner.lower() in _INPUTS
        for before, part, inner in evaluations
    ):
        return True
    if (_CATEGORIES, ".system") in pairwise(above):  # where Codex keeps the skills that it comes with
        return True
    if any(before in _TRANSLATED and _LANGUAGE.fullmatch(part) for before, part in pairwise(above)):
        return True
    named = zip(("", *above, ""), (*above, "", *inside), strict=False)
    return any(
        before != _CATEGORIES and part.lower() in _TEST_DATA | _OF_OTHERS | _PAST for before, part in named
    )


def _first_hidden(parts: Sequence[str]) -> int:
    """Return the position of the first directory of a client (`.claude`); 0 if there is none."""
    return next((at for at, part in enumerate(parts) if part.startswith(".")), 0)


def _is_of_the_past(record: Record) -> bool:
    """Return whether a directory says that it has a skill of another name as it was: `pdf/backup`."""
    own = record.directory.rpartition("/")[2]
    return own.lower() in _BACKUPS and record.name not in (None, "", own)


def _is_past(part: str) -> bool:
    return part.lower() in _PAST or part.lower().endswith(_ENDS_OF_PAST)


def _below(directory: str, tops: Sequence[str]) -> tuple[str, ...]:
    """Return the parts of a path under the nearest path that the user named; none if it is under none."""
    above = [top for top in tops if directory == top or directory.startswith(f"{top.rstrip('/')}/")]
    return Path(directory).relative_to(max(above, key=len)).parts if above else ()


def _is_collection(directory: str, directories: Sequence[str]) -> bool:
    """Return whether a skill is a repository with other skills in it."""
    below = f"{directory}/"
    return is_repository_root(Path(directory)) and any(each.startswith(below) for each in directories)


def _inside_of_others(directories: Sequence[str], settings: Settings) -> Iterator[str]:
    """Yield the skills in a hidden directory of another skill, unless a client looks there."""
    known = frozenset(directories)
    for directory in directories:
        if "/." in directory and _is_hidden_inside(directory, known):
            audience = audience_of(settings, directory)
            if audience.is_package or not audience.reason:
                yield directory


def _is_hidden_inside(directory: str, known: frozenset[str]) -> bool:
    parts = directory.split("/")
    hidden = next((at for at in range(len(parts), 0, -1) if parts[at - 1].startswith(".")), 0)
    return any("/".join(parts[:at]) in known for at in range(1, hidden))


def names_lost_file(diagnostic: Diagnostic) -> bool:
    """Return whether a SKILL.md names a file of its skill that is missing: left out in copying."""
    text, start, end = diagnostic.location.excerpt
    path = posixpath.normpath(_PATH.sub("", text[start:end]) or "..")
    is_inside = not path.startswith(("..", "/", "~", "$"))
    return traits_of(diagnostic.rule).is_path and not diagnostic.file and is_inside


_PATH = lazy_pattern(r"[#?].*|[<>]")  # what a link may have besides a path

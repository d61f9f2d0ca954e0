"""Whose text is a finding about? What a project only keeps is not its author's to fix.

That is data of its tests (`tests/fixtures/pdf`), an archive (`_legacy/pdf`), a `template/SKILL.md` to copy, a
translation (`docs/zh-CN/skills/pdf`), what others wrote (`vendor/`, a skill that `skills-lock.json` names,
the skills that Codex comes with in `.system`, or one of which its frontmatter, a `SYNC.md`, a registry's
`_meta.json`, its `package.json` or the sources in a README say from which repository it is, a page or skill
that another repository publishes, or a page whose name or first lines say that it was copied), what lies in a
hidden directory of another skill (`brain/.raw/pdf`), a `skills/SKILL.md` that lists the skills beside it, a
`SKILL.md` without frontmatter at the top of a repository of skills, and the documents of a repository of
skills whose top is a skill, too. Such findings are notes, except what harms and, for installed skills, errors
that are not only the specification's. Nor does the card decide about skills in which a build fills in
`{{VERSION}}`. Paths count under the path that the user named: who names a fixture, means it.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from skilltool._resources import data
from skilltool.files.one_run import once_a_run
from skilltool.files.paths import cached_realpath
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.files.repository import is_repository_root, up_to_repository
from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity
from skilltool.lint.settings import Settings
from skilltool.lint.targets import ELSEWHERE, audience_of
from skilltool.packages.installer import copies
from skilltool.packages.manifest import LOCK, Manifest, read_manifest
from skilltool.rules.records import CheckedSkill
from skilltool.rules.shared.copied_pages import is_copied
from skilltool.rules.traits import traits_of
from skilltool.skill.skill_file import FILE_NAME, read_skill_file
from skilltool.skill.tree import bytes_of
from skilltool.text.frontmatter import envelope
from skilltool.text.lazy_pattern import lazy_pattern

_TEST_DATA = frozenset(
    {"tests", "__tests__", "fixture", "fixtures", "__fixtures__", "testdata", "test-data", "test_data"}
)
_OF_OTHERS = frozenset({"vendor", "vendored", "third-party", "third_party", "node_modules"})
_PAST = frozenset(
    "archive archived _archive _archived backup backups deprecated _deprecated _legacy".split()  # noqa: SIM905
)
# To copy, or a copy of the skill at `pdf` that was made to compare it with, `pdf-workspace/skill-snapshot`.
_TO_COPY = frozenset(
    {"template", "templates", "_template", "skill-template", "template-skill", "skill-snapshot"}
)
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
    installed, published = (
        {*_installed(directories), *_copied(diagnostics)},
        {*_published(diagnostics, checked)},
    )
    sources = {*_sources_of_builds(diagnostics)}
    collections = {each for each in directories if _is_collection(each, directories)}
    indexes = {one.record.parent for one in checked if one.record.parent.endswith(f"/{_CATEGORIES}")}
    indexes.intersection_update(directories)
    for diagnostic in diagnostics:
        if diagnostic.severity > Severity.INFO and not traits_of(diagnostic.rule).never_eased:
            directory = os.path.abspath(diagnostic.directory or ".").replace(os.sep, "/")
            of_repository = directory in collections and diagnostic.file.split("/")[0] not in {*_OF_SKILL, ""}
            is_list = directory in collections and diagnostic.rule == "missing-frontmatter"
            is_kept = of_repository or is_list or directory in indexes or directory in inner
            is_kept = is_kept or _is_kept(diagnostic, directory, tops)
            is_kept = is_kept or _is_published_page(diagnostic, directory)
            of_others = directory in installed or (
                directory in published and not _is_lost_in_copying(diagnostic)
            )
            is_kept = is_kept or (directory in sources and _is_of_card(diagnostic))
            if is_kept or (of_others and _is_for_readers(diagnostic)):
                diagnostic = diagnostic._replace(severity=Severity.INFO)
        yield diagnostic


def _is_for_readers(diagnostic: Diagnostic) -> bool:
    """Return whether a finding is no error of a client, so that whoever installed the skill need not know."""
    of_specification = diagnostic.severity is Severity.ERROR and _SPECIFICATION in diagnostic.runtimes
    return diagnostic.severity is Severity.WARNING or of_specification


_SPECIFICATION = "agentskills"


def _sources_of_builds(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """Yield the skills whose frontmatter has slots for a build (`{{VERSION}}`), as several beside them have.

    The build may add fields, too, by which the skill conforms to the card.
    """
    beside: dict[str, list[str]] = {}
    for directory in sorted({each.directory for each in diagnostics if _is_of_card(each)}):
        path = Path(os.path.abspath(directory or "."))
        raw, _, _ = read_skill_file(path / FILE_NAME, path)
        text = raw.decode("utf-8", "replace")
        if _SLOT.search(text[: envelope.split(text).body.start]):
            beside.setdefault(path.parent.as_posix(), []).append(path.as_posix())
    for found in beside.values():
        if len(found) >= _LEAST_OF_BUILD:
            yield from found


_SLOT = lazy_pattern(r"\{\{ ?[A-Z][A-Z0-9_]{1,40} ?\}\}")
_LEAST_OF_BUILD = 3


def _is_of_card(diagnostic: Diagnostic) -> bool:
    """Return whether only the card's requirements make an error of a finding."""
    return diagnostic.severity is Severity.ERROR and diagnostic.runtimes == (ELSEWHERE,)


def _is_kept(diagnostic: Diagnostic, directory: str, tops: Sequence[str]) -> bool:
    """Return whether a path says that its file is data of tests, of others, or hidden in the skill."""
    *inside, _ = diagnostic.file.split("/")
    *above, own = _below(directory, tops) or ("",)
    if own in _TO_COPY and (*above[-1:], own) != (_CATEGORIES, "templates"):
        return True
    if any(part.startswith(".") for part in inside) or any(map(_is_past, above)):
        return True
    if (_CATEGORIES, ".system") in pairwise(above):  # where Codex keeps the skills that it comes with
        return True
    if any(before in _TRANSLATED and _LANGUAGE.fullmatch(part) for before, part in pairwise(above)):
        return True
    named = zip(("", *above, ""), (*above, "", *inside), strict=False)
    return any(
        before != _CATEGORIES and part.lower() in _TEST_DATA | _OF_OTHERS | _PAST for before, part in named
    )


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


def _installed(directories: Sequence[str]) -> Iterator[str]:
    """Yield the skills that a lock file of their project says were installed from elsewhere."""
    wanted = {cached_realpath(directory): directory for directory in directories}
    parents = {Path(directory).parent for directory in directories}
    levels = {level for parent in parents for level in up_to_repository(parent)}
    for level in sorted(levels):
        lock = read_manifest(f"{level.as_posix()}/{LOCK.file}")
        for copy in _locked_copies(lock) if lock is not None else ():
            if (directory := wanted.get(cached_realpath(copy))) is not None:
                yield directory


def _copied(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """Yield the skills with a finding that say from which other repository they were copied."""
    for directory in sorted({each.directory for each in diagnostics if _is_for_readers(each)}):
        path = Path(os.path.abspath(directory or "."))
        *levels, top = up_to_repository(path)
        own = _own_address(top)
        if own is None:
            continue
        is_copy = _names_source(path, own) or any(_is_mirror(level.as_posix(), own) for level in levels)
        if is_copy or _is_of_registry(path, own) or _is_credited(path, (*levels, top), own):
            yield path.as_posix()


def _names_source(path: Path, own: str) -> bool:
    """Return whether the frontmatter of a skill names another repository as its source."""
    raw, _, _ = read_skill_file(path / FILE_NAME, path)
    text = raw.decode("utf-8", "replace")
    head = text[: envelope.split(text).body.start]
    source = _SOURCE.search(head)
    if source is None:
        return _names_repository(head, own)
    named = source["full"] or source["short"]
    return _is_foreign(named.lower(), own) and not (path / named).exists()


def _names_repository(text: str, own: str) -> bool:
    """Return whether a frontmatter says that the skill's repository is of another owner."""
    found = _OF_SKILL_ITSELF.search(text)
    return (
        found is not None
        and f"/{found['owner'].lower()}/" not in own
        and f":{found['owner'].lower()}/" not in own
    )


_OF_SKILL_ITSELF = lazy_pattern(
    r"^[ \t]{0,4}(?:repository|repo|homepage):[ \t]*[\"']?(?:https?://)?(?:www\.)?github\.com/(?P<owner>[\w-]{1,80})/[\w.-]{1,100}",
    re.MULTILINE | re.IGNORECASE,
)


@once_a_run()
def _is_mirror(directory: str, own: str) -> bool:
    """Return whether a directory below the top of a repository has a file that says of what it is a copy."""
    for name in _ABOUT_COPY:
        text = (bytes_of(Path(directory, name)) or b"")[:_BEGINNING].decode("utf-8", "replace").lower()
        found = _ADDRESS.search(text)
        if found is not None:
            return _is_foreign(found["full"], own)
    readme = (bytes_of(Path(directory, "README.md")) or b"")[:_BEGINNING].decode("utf-8", "replace").lower()
    taken = _TAKEN.search(readme)
    return taken is not None and _is_foreign(taken["full"], own)


def _is_foreign(address: str, own: str) -> bool:
    """Return whether a repository (`owner/name`, in lowercase) is not that of the configuration `own`."""
    return address.rstrip(".").removesuffix(".git") not in own


def _is_of_registry(path: Path, own: str) -> bool:
    """Return whether a registry or organization wrote whose a skill is, or its package names another one."""
    registry, package = (_json_of(path / name) for name in ("_meta.json", "package.json"))
    if isinstance(registry.get("ownerId"), str) and isinstance(registry.get("slug"), str):
        return True
    organization = str(_json_of(path / "metadata.json").get("organization", "")).lower()
    scope = _PUNCTUATION.sub("", organization.partition("/")[0])
    if organization.startswith("@") and scope and scope not in _PUNCTUATION.sub("", own):
        return True
    repository = package.get("repository")
    address = str(repository.get("url", "") if isinstance(repository, dict) else repository or "").lower()
    found = _REPOSITORY.search(address)
    return found is not None and _is_foreign(found["full"], own)


_PUNCTUATION = lazy_pattern(r"[\W_]+")
_REPOSITORY = lazy_pattern(r"(?:github\.com[/:]|github:|\A)(?P<full>[\w.-]{1,80}/[\w.-]{1,100})/?\Z")


def _json_of(path: Path) -> Mapping[str, object]:
    raw = bytes_of(path)
    try:
        found = json.loads(raw) if raw and len(raw) < MEBIBYTE else None
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_credited(path: Path, levels: Sequence[Path], own: str) -> bool:
    """Return whether a README above a skill says that its directory of a category came from others."""
    for level in levels[1:]:
        inside = path.relative_to(level).parts
        named = {"/".join(inside[: number + 1]).lower() for number in range(1, len(inside))}
        if named & _credited(level.as_posix(), own):
            return True
    return False


@once_a_run()
def _credited(directory: str, own: str) -> frozenset[str]:
    """Return the paths that a README links to in sections whose sources are repositories of others."""
    found: set[str] = set()
    text = (bytes_of(Path(directory, "README.md")) or b"")[:MEBIBYTE].decode("utf-8", "replace").lower()
    for section in _SECTION.split(text):
        credit = _CREDIT.search(section)
        if credit is not None and _is_foreign(credit["full"], own):
            found.update(match["path"].removeprefix("./").rstrip("/") for match in _LINKED.finditer(section))
    return frozenset(found)


_SECTION = lazy_pattern(r"^(?=#{1,6} )|^(?=<summary>)", re.MULTILINE)
# `Sources: [acme/agents](https://github.com/acme/agents)`, as a line before a table of directories
_CREDIT = lazy_pattern(
    r"^[ \t>*_-]{0,8}(?:sources?|(?:copied|imported|taken|vendored|collected) from)"
    r"[*_]{0,2}:[*_]{0,2} "
    r"[^\n]{0,300}?github\.com/(?P<full>[\w.-]{1,80}/[\w.-]{1,100})",
    re.MULTILINE,
)
_LINKED = lazy_pattern(r"\]\((?P<path>(?:\./)?[\w.-]+(?:/[\w.-]+)*/?)\)")


# What people call the file that says of what a directory is a copy, and how up to date it is.
_ABOUT_COPY = ("SYNC.md", "UPSTREAM.md", "UPSTREAM", "UPSTREAM-PIN", "VENDOR.md", "_VENDOR.md", "VENDORED.md")
# `Taken from the forms plugin: https://github.com/acme/forms`, at the beginning of a line of a README.
_TAKEN = lazy_pattern(
    r"^[ \t>*_-]{0,8}(?:copied|imported|mirrored|taken|vendored) (?:\w+ )?from\b"
    r"[^.\n]{0,200}\n?[^.\n]{0,200}?github\.com/(?P<full>[\w.-]{1,80}/[\w.-]{1,100})",
    re.MULTILINE,
)
_ADDRESS = lazy_pattern(r"github\.com/(?P<full>[\w.-]{1,80}/[\w.-]{1,100})")


def _published(diagnostics: Iterable[Diagnostic], checked: Sequence[CheckedSkill]) -> Iterator[str]:
    """Yield the skills with a finding whose description is that of one which another repository publishes."""
    warned = {each.directory for each in diagnostics if _is_for_readers(each)}
    described = {one.record.directory: one.record.described for one in checked if one.record.described}
    for directory in sorted({os.path.abspath(each or ".").replace(os.sep, "/") for each in warned}):
        if _is_of_others("skills", described.get(directory, ""), directory):
            yield directory


def _is_lost_in_copying(diagnostic: Diagnostic) -> bool:
    """Return whether a copied SKILL.md names a file of the skill that whoever copied it has left out."""
    text, start, end = diagnostic.location.excerpt
    path = posixpath.normpath(_PATH.sub("", text[start:end]) or "..")
    is_inside = not path.startswith(("..", "/", "~", "$"))
    return traits_of(diagnostic.rule).is_path and not diagnostic.file and is_inside


_PATH = lazy_pattern(r"[#?].*|[<>]")  # what a link may have besides a path


def _is_published_page(diagnostic: Diagnostic, directory: str) -> bool:
    """Return whether a page is from elsewhere: it says so, or another repository publishes the same bytes."""
    if not diagnostic.file.endswith(".md") or diagnostic.severity is not Severity.WARNING:
        return False
    raw = bytes_of(Path(directory, diagnostic.file)) or b""
    if is_copied(diagnostic.file, raw[:_BEGINNING].decode("utf-8", "replace")):
        return True
    if len(raw) < _LEAST_PAGE:
        return False
    from hashlib import blake2b

    digest = blake2b(raw.replace(b"\r\n", b"\n").strip(), digest_size=12).hexdigest()
    return _is_of_others("pages", digest, directory)


_DIGITS = {"skills": 12, "pages": 8}  # of a digest in `published.json`
_LEAST_PAGE = 400  # bytes
_BEGINNING = 4_096  # bytes in which a page may say where it is from


def _is_of_others(kind: str, digest: str, directory: str) -> bool:
    """Return whether something with this digest is published, and not by the repository around a skill."""
    wanted = digest[: _DIGITS[kind]]
    table, known = _published_digests(kind)
    own = _own_address(up_to_repository(Path(directory))[-1]) if wanted in known else None
    publishers = (each for each, digests in table.items() if wanted in digests)
    return own is not None and not any(each.lower() in own for each in publishers)


@once_a_run()
def _published_digests(kind: str) -> tuple[Mapping[str, str], frozenset[str]]:
    """Return the digests of the published `skills` or `pages`, by repository with spaces between, and all."""
    table: dict[str, str] = json.loads((data("schemas") / "published.json").read_bytes())[kind]
    return table, frozenset(" ".join(table.values()).split())


# `source: github:acme/forms`, `vendored_from: acme/forms@1f2e`, or the `github-repo` that `gh skill` writes.
# A comment may also have the path: `# Upstream source: https://github.com/acme/forms - skills/pdf/SKILL.md`.
_SOURCE = lazy_pattern(
    r"^[ \t#]{0,4}(?:source|upstream(?: source)?|vendored[-_]from|github-repo):[ \t]*[\"']?"
    r"(?:(?:github:|https://github\.com/)(?P<full>[\w.-]{1,80}/[\w.-]{1,100})|(?P<short>[\w-]{1,80}/[\w-]{1,100}))"
    r"(?:[@/#][^\s\"']*)?[\"']?(?:[ \t]{1,4}-[ \t]{1,4}[\w./-]{1,200})?[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)


@once_a_run()
def _own_address(top: Path) -> str | None:
    """Return the `.git/config` of a repository, which has its address; None where that cannot be told."""
    try:
        raw = read_bounded(top / ".git" / "config", MEBIBYTE)
    except OSError:
        return None
    text = raw.decode("utf-8", "replace").lower()
    return text if _URL.search(text) is not None else None


_URL = lazy_pattern(r"^[ \t]*url[ \t]*=", re.MULTILINE)


def _locked_copies(lock: Manifest) -> Iterator[str]:
    locked = lock.value("skills")
    for name, entry in locked.items() if isinstance(locked, dict) else ():
        if isinstance(entry, dict) and entry.get("sourceType") != "local":
            yield from copies(lock, name)

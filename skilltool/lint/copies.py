"""Which skills and pages of a project were copied from elsewhere? Signs of it, sure ones and likely ones.

Sure are a lock file, a repository or a commit that the skill or a file beside it names as its source, what an
installer or the archive of a branch leaves, a page that forbids to edit a directory, and bytes that another
repository publishes. Likely, beside skills that have none of it, are a vendor's prefix before the name
(`acme-forms` for `forms`), a license of the skill's own or the other files of a repository, the name of a
project or of a known publisher as its author, and a page of credits that names the skill's directory; so is
all of a declared fork.

What is elsewhere is told by the address of the repository, in `.git/config`. A download has none, nor has a
clone from the same disk: there every repository that the pages at its top name is taken for its own.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from skilltool._resources import data
from skilltool.files.one_run import once_a_run
from skilltool.files.paths import cached_realpath
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.files.repository import is_repository_root, up_to_repository
from skilltool.packages.installer import copies
from skilltool.packages.manifest import LOCK, Manifest, kinds, read_manifest
from skilltool.packages.owners import directories_up
from skilltool.rules.shared.copied_pages import is_copied
from skilltool.skill.skill_file import FILE_NAME, read_skill_file
from skilltool.skill.tree import bytes_of
from skilltool.text.frontmatter import envelope
from skilltool.text.lazy_pattern import lazy_pattern

_BEGINNING = 4_096  # bytes, or characters of a README, in which a file may say where it is from


Tops = Sequence[str]  # absolute paths that the user named


def installed(directories: Sequence[str], tops: Tops) -> Iterator[str]:
    """Yield the skills (absolute paths) that a lock file of their project says were installed from elsewhere.

    They are where the installer puts them, or have a name that it gives: somebody moved them.
    """
    wanted = {cached_realpath(directory): directory for directory in directories}
    parents = {directory.rpartition("/")[0] for directory in directories}
    levels = {level for parent in parents for level in directories_up(parent)}
    for level in sorted(levels):
        deployed = {cached_realpath(f"{level}/{path}") for path in _deployed(f"{level}/{_APM}")}
        yield from (wanted[copy] for copy in deployed & wanted.keys())
        file = f"{level}/{LOCK.file}"
        lock = read_manifest(file) if os.path.lexists(file) else None
        if lock is None:
            continue
        own = own_address(levels_of(Path(level), tops)[-1])
        entries = dict(_locked(lock))
        sources = dict(_own_sources(level, entries, own))
        wherever = {name for name, entry in entries.items() if _is_from_elsewhere(entry, own)}
        for name, entry in entries.items():
            for copy in map(cached_realpath, copies(lock, name)):
                directory = wanted.get(copy)
                is_own = copy == sources.get(name) or (directory is not None and _is_source(directory, entry))
                if directory is not None and not is_own:
                    yield directory
                if os.path.isdir(copy):
                    wherever.discard(name)
        for each in directories:
            name = each.rpartition("/")[2]
            if each.startswith(f"{level}/") and name in wherever and not _is_source(each, entries[name]):
                yield each


# The lock of Microsoft's package manager for agents, which lists what it wrote, files and directories.
_APM = "apm.lock.yaml"
_DEPLOYED = lazy_pattern(r"^[ \t]+- (?P<path>[\w.-]+(?:/[\w.-]+)+)[ \t]*\r?$", re.MULTILINE)


@once_a_run()
def _deployed(file: str) -> tuple[str, ...]:
    text = (bytes_of(Path(file)) or b"")[:MEBIBYTE].decode("utf-8", "replace") if os.path.isfile(file) else ""
    return tuple(match["path"] for match in _DEPLOYED.finditer(text) if ".." not in match["path"].split("/"))


def _locked(lock: Manifest) -> Iterator[tuple[str, Mapping[str, object]]]:
    locked = lock.value("skills")
    for name, entry in locked.items() if isinstance(locked, dict) else ():
        if isinstance(entry, dict) and entry.get("sourceType") != "local":
            yield name, entry


def _own_sources(
    level: str, entries: Mapping[str, Mapping[str, object]], own: str
) -> Iterator[tuple[str, str]]:
    """Yield the locked skills of the repository itself, each with the directory that it is installed from."""
    for name, entry in entries.items():
        path = entry.get("skillPath")
        if isinstance(path, str) and not _is_from_elsewhere(entry, own):
            with suppress(ValueError):  # of a path that no file can have
                yield name, cached_realpath(Path(f"{level}/{path}").parent.as_posix())


def _is_source(directory: str, entry: Mapping[str, object]) -> bool:
    """Return whether a skill is the very repository from which a locked one is installed."""
    address = own_address(Path(directory))
    return bool(address) and not _is_from_elsewhere(entry, address)


def _is_from_elsewhere(entry: Mapping[str, object], own: str) -> bool:
    """Return whether the source of a locked skill is a repository other than that of the lock."""
    source = entry.get("source")
    found = _FULL.search(source.lower()) if isinstance(source, str) else None
    return found is not None and _is_foreign(found[1], own)


_FULL = lazy_pattern(r"(?:\A|[/:])([\w.-]{1,80}/[\w.-]{1,100})/?\Z")


def copied(asked: Iterable[str], tops: Tops) -> Iterator[str]:
    """Yield the skills, of those that are asked about, that say from which repository they were copied."""
    for path, levels, own in _with_addresses(asked, tops):
        if (
            _names_source(path, own)
            or any(_is_mirror(level.as_posix(), own) for level in levels[:-1])
            or any(_is_locked(level.as_posix()) for level in levels[1:-1])
            or _is_of_registry(path, own)
            or _is_of_installer(path.as_posix())
            or _is_credited(path, levels, own)
            or _is_left_alone(path, levels)
        ):
            yield path.as_posix()


def likely(asked: Iterable[str], directories: Sequence[str], tops: Tops) -> Iterator[str]:
    """Yield the skills, of those that are asked about, that look like copies.

    `directories` are those of all skills (absolute paths), of which most have none of the signs.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for path, levels, own in _with_addresses(asked, tops):
        head = frontmatter_of(path)
        if _is_below(path, levels, _in_credits) or _is_fork(levels[-1].as_posix(), own):
            yield path.as_posix()
        signs: tuple[tuple[str, str], ...] = (
            ("license", "license" if _license(path.as_posix()) else ""),
            ("repository", "repository" if _is_repository(path.as_posix()) else ""),
        )
        if own:
            signs += (
                ("prefix", _prefix(path, head, own)),
                ("line", _owner(head, own)),
                ("line", _project(head, own)),
            )
        for kind, text in signs:
            if text:
                found.setdefault((kind, text), []).append(path.as_posix())
    for (kind, text), skills in found.items():
        if _is_rare(kind, text, directories):
            yield from skills


def of_publishers(asked: Iterable[str], directories: Sequence[str], tops: Tops) -> Iterator[str]:
    """Yield the skills, of those that are asked about, whose author publishes skills elsewhere.

    That is a known publisher, or one after whom the skill is named: `author: Acme` in `acme-forms`. The name
    may be on many skills of the repository, but not on all, as that of its owner would be.
    """
    found: dict[str, list[str]] = {}
    for path, _, own in _with_addresses(asked, tops):
        if own and (name := _publisher(frontmatter_of(path), own, path.name)):
            found.setdefault(name, []).append(path.as_posix())
    for name, skills in found.items():
        count = sum(name in _authors(frontmatter_of(Path(each))) for each in directories)
        if count < len(directories) or len(directories) == 1:
            yield from skills


def _is_rare(kind: str, text: str, directories: Sequence[str]) -> bool:
    """Return whether few skills have a sign that an author would put on all; a prefix several must have."""
    match kind:
        case "license":
            return sum(map(_license, directories)) * _FEW < len(directories)
        case "repository":
            return sum(map(_is_repository, directories)) * 2 < len(directories)
        case "prefix":
            return _LEAST <= sum(each.startswith(text) for each in directories) < len(directories)
        case _:
            return sum(text in frontmatter_of(Path(each)) for each in directories) * 2 < len(directories)


def _with_addresses(asked: Iterable[str], tops: Tops) -> Iterator[tuple[Path, Sequence[Path], str]]:
    """Yield skills with the directories up to the top of their repository, and its address, "" if unknown."""
    for directory in sorted(asked):
        path = Path(directory)
        levels = levels_of(path, tops)
        yield path, levels, own_address(levels[-1])


def levels_of(path: Path, tops: Tops) -> Sequence[Path]:
    """Return a directory and those above it up to the top of its repository, without one what was named."""
    return (path,) if is_repository_root(path) else (path, *_above(path.parent, tuple(tops)))


@once_a_run()
def _above(parent: Path, tops: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the levels of what lies in a directory: that and those above, none outside of all `tops`."""
    levels = up_to_repository(parent)
    if len(levels) > 1 or is_repository_root(parent):
        return tuple(levels)
    inside = [Path(top) for top in tops if parent.is_relative_to(top)]
    top = min(inside, key=lambda each: len(each.parts), default=None)
    if top is None:
        return ()
    return (parent, *(above for above in parent.parents if above.is_relative_to(top)))


@once_a_run()
def frontmatter_of(path: Path) -> str:
    """Return the text of a skill's SKILL.md (directory) up to its body; a file is read once a run."""
    raw, _, _ = read_skill_file(path / FILE_NAME, path)
    text = raw.decode("utf-8", "replace")
    return text[: envelope.split(text).body.start]


def _names_source(path: Path, own: str) -> bool:
    """Return whether the frontmatter of a skill names another repository as its source, or a community."""
    head = frontmatter_of(path)
    if _COMMUNITY.search(head) is not None or _PINNED.search(head) is not None:
        return True
    if (licensed := _LICENSED.search(head)) is not None and licensed["name"].lower() not in own:
        return True
    if (origin := _ORIGIN.search(head)) is not None and _is_foreign(origin["full"].lower(), own):
        return True
    source = _SOURCE.search(head)
    if source is None:
        return _names_repository(head, own)
    named = source["full"] or source["short"]
    return _is_foreign(named.lower(), own) and not (path / named).exists()


_COMMUNITY = lazy_pattern(
    r"^[ \t]{0,4}(?:origin|source):[ \t]*[\"']?(?:[\w-]{1,40}-)?community[\"']?[ \t]*\r?$", re.M | re.I
)


# `mirror: forms@1f2e3d4 skills/pdf`: a text that is taken from a commit is renewed, and not edited.
_PINNED = lazy_pattern(
    r"^[ \t]{1,4}(?:mirror|mirrored[-_](?:from|of)|synced[-_]from|vendored[-_]from):[ \t]*[\"']?"
    r"[\w./:-]{1,120}@[0-9a-f]{7,40}\b",
    re.MULTILINE | re.IGNORECASE,
)


# `source: forms-skills (Apache 2.0)`: what is one's own needs no word about its license.
_LICENSED = lazy_pattern(
    r"^[ \t]{0,4}source:[ \t]*[\"']?(?P<name>[\w.-]{1,60}/[\w.-]{1,60}|[\w.-]{0,60}skills) "
    r"\((?:mit|apache|bsd|cc[- ]by|gpl|isc|mpl)\b[^)\n]{0,40}\)"
    r"[\"']?[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)


# `source: github:acme/forms`, `vendored_from: acme/forms@1f2e`, or the `github-repo` that `gh skill` writes.
# A comment may also have the path: `# Upstream source: https://github.com/acme/forms - skills/pdf/SKILL.md`.
_SOURCE = lazy_pattern(
    r"^[ \t#]{0,4}(?:source|upstream(?: source)?|vendored[-_]from|github-repo):[ \t]*[\"']?"
    r"(?:(?:github:|https://github\.com/)(?P<full>[\w.-]{1,80}/[\w.-]{1,100})|(?P<short>[\w-]{1,80}/[\w-]{1,100}))"
    r"(?:[@/#][^\s\"']*)?[\"']?(?:[ \t]{1,4}-[ \t]{1,4}[\w./-]{1,200})?[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)


# `Originally from https://github.com/acme/forms`, a line of its own in a field such as `attribution`.
_ORIGIN = lazy_pattern(
    r"^[ \t#>-]{0,8}(?:[\w-]{1,40}:[ \t]*)?[\"']?(?:originally|copied|imported|vendored) from[: \t]{1,4}"
    r"(?:https?://)?github\.com/(?P<full>[\w.-]{1,80}/[\w.-]{1,100})",
    re.MULTILINE | re.IGNORECASE,
)


def _names_repository(text: str, own: str) -> bool:
    """Return whether a frontmatter says that the skill's repository is of another owner."""
    named = [*_OF_SKILL_ITSELF.finditer(text)]
    upstream = [match for match in named if match["upstream"]]
    owners = (match["owner"].lower() for match in upstream or named[:1])
    return bool(own) and any(not any(f"{mark}{owner}/" in own for mark in "/:") for owner in owners)


_OF_SKILL_ITSELF = lazy_pattern(
    r"^[ \t]{0,4}(?P<upstream>(?:[\w-]{1,40}\.){0,3}upstream\.)?(?:repository|repo):[ \t]*[\"']?(?:https?://)?(?:www\.)?github\.com/(?P<owner>[\w-]{1,80})/[\w.-]{1,100}",
    re.MULTILINE | re.IGNORECASE,
)


def _prefix(path: Path, head: str, own: str) -> str:
    """Return the path of a directory up to the skill's name, if that comes after a prefix: `skills/acme-`.

    Whoever copies the skills of others puts a prefix before their names; an author's own is in the address.
    """
    named = _NAME.search(head)
    if named is None or not path.name.endswith(f"-{named[1]}"):
        return ""
    prefix = path.name.removesuffix(named[1])
    return "" if prefix.strip("-") in own else f"{path.parent.as_posix()}/{prefix}"


_NAME = lazy_pattern(r"^name:[ \t]*[\"']?([a-z0-9][a-z0-9-]{0,63})[\"']?[ \t]*\r?$", re.MULTILINE)
_LEAST = 3  # skills with one prefix


@once_a_run()
def _license(directory: str) -> bool:
    return any(os.path.isfile(f"{directory}/{name}") for name in _names(directory).intersection(_LICENSES))


@once_a_run()
def _is_repository(directory: str) -> bool:
    """Return whether a skill inside a repository has several things that a repository has at its top."""
    more = _names(directory).intersection(_OF_REPOSITORY)
    return len(more) > 1 and _license(directory) and not is_repository_root(Path(directory))


_OF_REPOSITORY = (
    ".github",
    ".gitignore",
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
)
_FEW = 5  # times as many skills have no license
_LICENSES = ("LICENSE.txt", "LICENSE", "LICENSE.md", "license.txt")


def _owner(head: str, own: str) -> str:
    """Return the line of a frontmatter with an organization of which the address has no word."""
    found = _ORGANIZATION.search(head)
    is_own = found is None or _PUNCTUATION.sub("", found[1].lower()) in _PUNCTUATION.sub("", own)
    return "" if found is None or is_own else found[0].strip()


def _project(head: str, own: str) -> str:
    """Return the line of a frontmatter with an author that is a collection, of which the address has no word.

    `author: forms-skills` in a repository of `acme`: people and teams have names of another kind.
    """
    found = _AUTHOR.search(head)
    if found is None or _PROJECT.search(found[1].strip()) is None:
        return ""
    words = [word for word in _WORD.findall(found[1].lower()) if word not in _COMMON]
    return found[0].strip() if words and not any(word in own for word in words) else ""


def _publisher(head: str, own: str, skill: str) -> str:
    """Return the author that a frontmatter names, if it is a publisher of skills: `author: Vercel`."""
    for name in _authors(head):
        owners = _publishers().get(name, ())
        if owners and not any(f"{each}/" in own for each in owners):
            return name
        is_named_after = len(name) >= _LEAST_OF_NAME and name == _PUNCTUATION.sub(
            "", skill.partition("-")[0].lower()
        )
        if is_named_after and name not in _PUNCTUATION.sub("", own):
            return name
    return ""


_LEAST_OF_NAME = 4  # letters and digits of a publisher who is not known


def _authors(head: str) -> Iterator[str]:
    """Yield the authors and origins that a frontmatter names, as letters and digits."""
    for found in _AUTHOR.finditer(head):
        yield _PUNCTUATION.sub("", _COMPANY.sub("", found[1].lower()))


_ORGANIZATION = lazy_pattern(
    r"^[ \t]{0,4}organi[sz]ation:[ \t]*[\"']?([\w. -]{2,60}?)[\"']?[ \t]*\r?$", re.MULTILINE | re.IGNORECASE
)
_AUTHOR = lazy_pattern(
    r"^[ \t]{0,4}(?:(?:skill-)?author|origin):[ \t]*[\"']?([^\"'\n]{3,80})", re.MULTILINE | re.IGNORECASE
)
_COMPANY = lazy_pattern(r"<[^>]*>|https?://(?:www\.)?github\.com/|,? (?:inc|labs|llc|ltd|team)\b\.?")
_PROJECT = lazy_pattern(r"\A[\w-]{3,40}kit\Z|\b(?:skills|suite|community)\Z", re.IGNORECASE)
_WORD = lazy_pattern(r"[a-z0-9]{3,40}")
_COMMON = frozenset("agent agents claude code community dev kit skill skills suite team the".split())  # noqa: SIM905


@once_a_run()
def _is_mirror(directory: str, own: str) -> bool:
    """Return whether a directory below the top of a repository has a file that says of what it is a copy."""
    if directory.endswith(_ENDS_OF_ARCHIVE) and _is_unpacked(directory):
        return True
    own_name = directory.rpartition("/")[2]
    if f".{own_name}-sync" in _names(directory):  # of a program that keeps the copy up to date
        return True
    for name in _ABOUT_COPY:
        if name not in _names(directory):
            continue
        text = (bytes_of(Path(directory, name)) or b"")[:_BEGINNING].decode("utf-8", "replace").lower()
        found = _ADDRESS.search(text)
        if found is not None:
            return _is_foreign(found["full"], own)
    source = json_of(Path(directory, _SYNCED)).get("source")
    if isinstance(source, str) and (found := _FULL.search(source.lower())) is not None:
        return _is_foreign(found[1], own)
    taken = _TAKEN.search(_text(Path(directory, "README.md"))[:_BEGINNING])
    return taken is not None and _is_foreign(taken["full"], own)


_ENDS_OF_ARCHIVE = ("-main", "-master")  # what the archive of a branch on GitHub unpacks to: `forms-main`


def _is_unpacked(directory: str) -> bool:
    """Return whether a directory, which is neither a skill nor a plugin, has the files of a repository."""
    own = (FILE_NAME, *(kind.file for kind in kinds() if kind.entries is None))
    is_own = any(os.path.isfile(f"{directory}/{name}") for name in own)
    offers = os.path.isdir(f"{directory}/skills") or any(
        os.path.isfile(f"{directory}/{each.file}") for each in kinds()
    )
    has_top = offers and os.path.isfile(f"{directory}/README.md")
    return has_top and not is_own and any(os.path.isfile(f"{directory}/{name}") for name in _AT_TOP)


_AT_TOP = (".gitignore", ".gitattributes", "LICENSE", "LICENSE.md", "LICENSE.txt")


_SYNCED = ".provenance.json"  # of a program that copies skills, with the repository as its `source`
# What people call the file that says of what a directory is a copy, and how up to date it is.
_ABOUT_COPY = ("SYNC.md", "UPSTREAM.md", "UPSTREAM", "UPSTREAM-PIN", "VENDOR.md", "_VENDOR.md", "VENDORED.md")


# `Taken from the forms plugin: https://github.com/acme/forms`, at the beginning of a line of a README.
_TAKEN = lazy_pattern(
    r"^[ \t>*_-]{0,8}(?:copied|imported|mirrored|taken|vendored) (?:\w+ )?from\b"
    r"[^.\n]{0,200}\n?[^.\n]{0,200}?github\.com/(?P<full>[\w.-]{1,80}/[\w.-]{1,100})",
    re.MULTILINE,
)


@once_a_run()
def _is_locked(directory: str) -> bool:
    """Return whether the README of a directory says that nobody edits what is in it."""
    return _LOCKED.search(_text(Path(directory, "README.md"))[:_BEGINNING]) is not None


# `**Do not edit anything in this directory.**`, a sentence of its own.
_LOCKED = lazy_pattern(
    r"(?:^|[.!:] |\*\*)(?:do not|don't|never) edit (?:anything|(?:the )?(?:files|skills)) in this "
    r"(?:directory|folder)(?:[.!*]|\s*$)",
    re.MULTILINE,
)


_ADDRESS = lazy_pattern(r"github\.com/(?P<full>[\w.-]{1,80}/[\w.-]{1,100})")


def _is_foreign(address: str, own: str) -> bool:
    """Return whether a repository (`owner/name`, in lowercase) is another than `own`, if that is known."""
    return bool(own) and address.rstrip(".").removesuffix(".git") not in own


def _is_of_registry(path: Path, own: str) -> bool:
    """Return whether a registry or organization wrote whose a skill is, or its package names another one."""
    registry, package = (json_of(path / name) for name in ("_meta.json", "package.json"))
    if json_of(path / ".skill-meta.json").keys() >= _DOWNLOADED:
        return True
    if isinstance(registry.get("slug"), str):
        owner = str(registry.get("owner", "")).lower()
        if isinstance(registry.get("ownerId"), str) or (
            own and owner and "latest" in registry and owner not in own
        ):
            return True
    organization = str(json_of(path / "metadata.json").get("organization", "")).lower()
    scope = _PUNCTUATION.sub("", organization.partition("/")[0])
    if own and organization.startswith("@") and scope and scope not in _PUNCTUATION.sub("", own):
        return True
    repository = package.get("repository")
    address = str(repository.get("url", "") if isinstance(repository, dict) else repository or "").lower()
    found = _REPOSITORY.search(address)
    return found is not None and _is_foreign(found["full"], own)


_DOWNLOADED = {"contentHash", "downloadedAt"}  # of what a program downloaded


def _is_of_installer(directory: str) -> bool:
    """Return whether a program that installs its skill left its version there: `.forms_version`."""
    return any(map(_VERSION.fullmatch, _names(directory)))


_VERSION = lazy_pattern(r"\.[a-z][a-z0-9]{1,40}_version")  # `.python-version` is of a version manager
_PUNCTUATION = lazy_pattern(r"[\W_]+")


_REPOSITORY = lazy_pattern(r"(?:github\.com[/:]|github:|\A)(?P<full>[\w.-]{1,80}/[\w.-]{1,100})/?\Z")


def json_of(path: Path) -> Mapping[str, object]:
    """Return the object in a JSON file of a skill; an empty one if there is none."""
    raw = bytes_of(path) if path.name in _names(os.fspath(path.parent)) else None
    try:
        found = json.loads(raw) if raw and len(raw) < MEBIBYTE else None
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_credited(path: Path, levels: Sequence[Path], own: str) -> bool:
    """Return whether a README above a skill says that it or its category came from others."""
    return _is_below(path, levels, lambda directory: _credited(directory, own))


def _is_left_alone(path: Path, levels: Sequence[Path]) -> bool:
    """Return whether a page above a skill says that nobody edits it, or what is in a directory around it."""
    whole = f"{path.as_posix()}/"
    for level in levels[1:]:
        left = _left_alone(level.as_posix())
        if left and whole[len(level.as_posix().rstrip("/")) + 1 :].lower().startswith(tuple(left)):
            return True
    return False


@once_a_run()
def _left_alone(directory: str) -> frozenset[str]:
    """Return the directories, with a `/`, that pages at a top call vendored or read-only, or not to edit."""
    texts = (_text(Path(directory, name)) for name in ("README.md", "CLAUDE.md", "AGENTS.md"))
    return frozenset(
        f"{match[1].removeprefix('./').rstrip('/')}/"
        for text in texts
        for line in _LEFT_ALONE.finditer(text)
        for match in _NAMED.finditer(line[0])
        if not match[1].rstrip("/").endswith("skills")  # a whole directory that clients only read
    )


# With the paths in backticks: `Treat skills/a/ and skills/b/ as vendored`, `Do not edit skills/a/`, and a row
# `| Library | skills/forms/ | Read-only. |`.
_LEFT_ALONE = lazy_pattern(
    r"\btreat `[^`\n]{1,200}`(?:(?:,|,? and) `[^`\n]{1,200}`){0,5} as (?:vendored|read-only)\b"
    r"|\b(?:do not|don't|never) edit (?:(?:anything|files|skills) in )?`[^`\n]{1,200}`"
    r"|^\|[^\n|`]{0,100}\|?[ \t]*`[^`\n]{1,200}`[ \t]*\|[ \t]*(?:imported, |vendored, )?"
    r"(?:read-only|vendored)(?=[.,;| \t]*(?:$|[.|]))",
    re.MULTILINE,
)


@once_a_run()
def _is_fork(top: str, own: str) -> bool:
    """Return whether a README calls its repository a fork of one whose name speaks of skills or clients."""
    readme = _text(Path(top, "README.md"))
    found = _FORK.search(readme)
    return (found is not None and _is_foreign(found["full"], own)) or _has_name_of_another(top, readme, own)


def _has_name_of_another(top: str, readme: str, own: str) -> bool:
    """Return whether a manifest at a top says that its repository is another one of the same name: a fork.

    What a README tells people to clone does not count: an author's account may have been renamed since.
    """
    address = _OWN.search(own)
    manifests = [_text(Path(top, name)) for name in (*_ABOUT_ITSELF[1:], *(kind.file for kind in kinds()))]
    if address is None:
        return False
    itself = re.compile(rf"(?<![\w.-]){re.escape(address['full'])}(?![\w-])")
    if any(map(itself.search, (readme, *manifests))):
        return False
    named = (match["full"] for text in manifests for match in _OF_ITSELF.finditer(text))
    return any(each.removesuffix(".git").partition("/")[2] == address["name"] for each in named)


_OWN = lazy_pattern(
    r"github\.com[:/](?P<full>[\w-]{1,80}/(?P<name>[\w.-]{1,100}?))(?:\.git)?/?[ \t]*\r?$", re.MULTILINE
)
_OF_ITSELF = lazy_pattern(
    r"\b(?:repository|homepage|url|source)\b[\"']?[ \t]*[:=][ \t]*[\"'](?:git\+)?https://github\.com/"
    r"(?P<full>[\w-]{1,80}/[\w.-]{1,100})"
)


_FORK = lazy_pattern(
    r"^[ \t>*_-]{0,8}(?:this (?:project |repo |repository )?is )?(?:an? )?(?:[\w-]{1,30} )?"
    r"(?:fork of|forked from)\b"
    r"[^\n]{0,200}?github\.com/"
    r"(?P<full>[\w.-]{1,80}/(?:[\w.-]{0,80}[-_.])?"
    r"(?:agents?|claude|codex|config|dotfiles|kit|plugins?|prompts?|skills?)"
    r"(?:[-_.][\w.-]{0,80})?)",
    re.MULTILINE,
)


def _is_below(path: Path, levels: Sequence[Path], named_in: Callable[[str], frozenset[str]]) -> bool:
    """Return whether a directory above a skill names the skill, or a part of its path with a `/`."""
    whole = path.as_posix()
    for level in levels[1:]:
        named = named_in(level.as_posix())
        inside = whole[len(level.as_posix().rstrip("/")) + 1 :].lower().split("/") if named else ()
        if any("/".join(inside[: number + 1]) in named for number in range(1, len(inside))):
            return True
    return False


@once_a_run()
def _text(file: Path) -> str:
    """Return the beginning of a page in lowercase; empty if there is none."""
    if file.name not in _names(os.fspath(file.parent)):
        return ""
    return (bytes_of(file) or b"")[:MEBIBYTE].decode("utf-8", "replace").lower()


@once_a_run()
def _names(directory: str) -> frozenset[str]:
    """Return the names in a directory: to list it once is faster than to look for each of many files."""
    try:
        return frozenset(os.listdir(directory))
    except OSError:
        return frozenset()


@once_a_run()
def _credited(directory: str, own: str) -> frozenset[str]:
    """Return the paths that a README links to in sections whose sources are repositories of others."""
    found: set[str] = set()
    text = _text(Path(directory, "README.md"))
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


@once_a_run()
def _in_credits(directory: str) -> frozenset[str]:
    """Return the paths with a `/` that pages of credits name, but in sections about what is original."""
    texts = (_text(Path(directory, name)) for name in _CREDITS)
    sections = (section for text in texts for section in _SECTION.split(text))
    return frozenset(
        match[1].removeprefix("./").rstrip("/")
        for section in sections
        if _OWN_WORDS.search(section) is None
        for match in _NAMED.finditer(section)
    )


_CREDITS = ("CREDITS.md", "ATTRIBUTION.md", "ATTRIBUTIONS.md", "THIRD_PARTY.md")
_OWN_WORDS = lazy_pattern(
    r"\b(?:our own|no third[- ]party|inspired|original (?:parts|work)|originally written|from scratch)\b"
)
_NAMED = lazy_pattern(r"[`(]((?:\./)?[\w.-]{1,60}(?:/[\w.-]{1,60}){1,5}/?)[`)]")


def published(asked: Iterable[str], described: Mapping[str, str], tops: Tops) -> Iterator[str]:
    """Yield the skills, of those that are asked about, that another repository publishes.

    `described` are the digests of their descriptions, by their directories (absolute paths).
    """
    for directory in sorted(asked):
        if _is_of_others("skills", described.get(directory, ""), directory, tops):
            yield directory


def is_published_page(file: str, directory: str, tops: Tops) -> bool:
    """Return whether a page of a skill is from elsewhere: it says so, or another repository publishes it."""
    if not file.endswith(".md"):
        return False
    raw = bytes_of(Path(directory, file)) or b""
    if is_copied(file, raw[:_BEGINNING].decode("utf-8", "replace")) or _is_made(file, directory):
        return True
    if len(raw) < _LEAST_PAGE:
        return False
    from hashlib import blake2b

    digest = blake2b(raw.replace(b"\r\n", b"\n").strip(), digest_size=12).hexdigest()
    return _is_of_others("pages", digest, directory, tops)


def _is_made(file: str, directory: str) -> bool:
    """Return whether SKILL.md says that a program makes what is in the directory of a page."""
    inside = file.partition("/")[0]
    made = (match[1] for match in _MADE.finditer(_text(Path(directory, FILE_NAME)))) if inside != file else ()
    return inside.lower() in made


_MADE = lazy_pattern(
    r"\bthe `([\w.-]{1,60})/?` (?:directory|folder) (?:is|gets) (?:auto-?)?(?:re)?generated (?:by|from)\b"
)


_DIGITS = {"skills": 10, "pages": 8}  # of a digest in `published.json`


_LEAST_PAGE = 400  # bytes


def _is_of_others(kind: str, digest: str, directory: str, tops: Tops) -> bool:
    """Return whether something with this digest is published, and not by the repository around a skill."""
    wanted = digest[: _DIGITS[kind]]
    table, known = _published_digests(kind)
    if wanted not in known:
        return False
    own = own_address(levels_of(Path(directory), tops)[-1])
    publishers = (each for each, digests in table.items() if wanted in digests)
    return not any(each.lower() in own for each in publishers)


@once_a_run()
def _published_digests(kind: str) -> tuple[Mapping[str, str], frozenset[str]]:
    """Return the digests of the published `skills` or `pages`, by repository with spaces between, and all."""
    table: dict[str, str] = _published()[kind]
    return table, frozenset(" ".join(table.values()).split())


@once_a_run()
def _published() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads((data("schemas") / "published.json").read_bytes())
    return found


@once_a_run()
def _publishers() -> Mapping[str, Sequence[str]]:
    """Return the owners (in lowercase) of publishers' repositories, by the names as letters and digits."""
    known = _published()
    owners = {each.partition("/")[0].lower() for each in known["skills"]}
    return {_PUNCTUATION.sub("", owner): [owner] for owner in owners} | known.get("authors", {})


@once_a_run()
def own_address(top: Path) -> str:
    """Return a text, in lowercase, that has the address of a repository; "" where that cannot be told.

    That is its git configuration; without a remote there, what its pages name, itself with others.
    """
    text = _git_config(top)
    if _URL.search(text) is not None:
        return text
    pages = "\n".join(_text(top / name) for name in (*_ABOUT_ITSELF, *(kind.file for kind in kinds())))
    named = dict.fromkeys(match["full"] for match in islice(_NAMED_REPOSITORY.finditer(pages), _MOST_NAMED))
    return " ".join(f"github.com/{each}" for each in named)


@once_a_run()
def has_remote(directory: str) -> bool:
    """Return whether the repository around a skill (absolute path) has an address on another machine."""
    return _URL.search(_git_config(up_to_repository(Path(directory))[-1])) is not None


def _git_config(top: Path) -> str:
    """Return the configuration of a repository, for a work tree that of the repository it belongs to."""
    try:
        git = top / ".git"
        if git.is_file():
            pointer = read_bounded(git, MEBIBYTE).decode("utf-8", "replace").strip()
            git = top / pointer.removeprefix("gitdir:").strip()
            common = git / "commondir"
            git = (
                git / read_bounded(common, MEBIBYTE).decode("utf-8", "replace").strip()
                if common.is_file()
                else git
            )
        return read_bounded(git / "config", MEBIBYTE).decode("utf-8", "replace").lower()
    except (OSError, ValueError):
        return ""


_URL = lazy_pattern(r"^[ \t]*url[ \t]*=[ \t]*(?!file:)[\w@.+-]{2,}:", re.MULTILINE)  # not that of a directory
_ABOUT_ITSELF = ("README.md", "package.json", "pyproject.toml")
# An address, or what an installer is told: `npx skills add acme/forms`.
_NAMED_REPOSITORY = lazy_pattern(
    r"(?:github\.com[/:]|\b(?:add|install) )(?P<full>[\w-][\w.-]{0,80}/[\w.-]{1,100}[\w-])(?=[^\w/]|/|\Z)"
)
_MOST_NAMED = 1_000

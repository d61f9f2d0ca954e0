"""Calls git, and is the only module that does: a stranger's repository can configure programs.

What runs programs is switched off, and so are prompts, pagers, locks and the network. A repository of another
owner stays refused, as `safe.directory` has it.

A tree may be made to do harm: its names are checked, links are made last, and none leads out.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, NamedTuple

from skilltool.files.reading import MEBIBYTE

_SECONDS = 20.0
_SECONDS_TO_CLONE = 600.0
_MAX_BYTES = 64 * 1024 * 1024
_MAX_REASON = 2_000
# Settings that win over those of the repository. The first line concerns every command, the others those that
# talk to a server or show differences: none is called, and a later git may call one where this one does not.
_ALWAYS = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "core.pager=cat")
_READING = (
    *("core.sshCommand=false", "core.askPass=false", "core.gitProxy=false", "core.editor=false"),
    *("core.alternateRefsCommand=false", "credential.helper=", "protocol.allow=never", "diff.external=false"),
    *("gpg.program=false", "gc.auto=0", "maintenance.auto=false", "safe.bareRepository=explicit"),
)
_BATCHES = ("--batch", "--batch-check")  # apply no filter to what they read
# Variables that choose among the user's own files; all other `GIT_*` could name another repository or index.
_OF_USER = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM")
# Those by which a user reaches a server.
_OF_NETWORK = ("GIT_ASKPASS", "GIT_EXEC_PATH", "GIT_HTTP_", "GIT_PROXY_", "GIT_SSH", "GIT_SSL_")


class GitError(Exception):
    """Git is not installed, refused, took too long or printed too much; the text is one line."""


class NotInstalledError(GitError):
    """There is no git on the search path."""


class TooSlowError(GitError):
    """Git took too long, perhaps since a file of the repository is a pipe."""


def read(repository: Path, command: str, *arguments: str, given: bytes = b"") -> bytes:
    """Return what a git command prints that reads the repository whose root is the directory `repository`.

    Only a repository at that directory counts, none above it. Blobs are read by `cat-file`, which applies no
    filter; `show`, `diff` and `status` can run programs. `given` is its standard input. Raises `GitError`.
    """
    filters = command == "cat-file" and any(
        argument.startswith("--") and argument not in _BATCHES for argument in arguments
    )
    if filters or command not in ("cat-file", "ls-files"):
        raise ValueError(f"git {command} may run programs")
    offline = {
        "GIT_ALLOW_PROTOCOL": "none",  # wins over `protocol.ext.allow`, which a missing object could reach
        "GIT_CEILING_DIRECTORIES": os.fspath(repository.parent),
        "GIT_NO_LAZY_FETCH": "1",
    }
    call = ["--no-pager", command, *arguments]
    return _run(call, repository, (*_ALWAYS, *_READING), offline, _SECONDS, given)


def clone(address: str, target: Path) -> None:
    """Clone the newest commit of a repository to `target`, with the user's own keys. Raises `GitError`."""
    arguments = ["clone", "--quiet", "--depth", "1", "--", address, os.fspath(target)]
    alone = {"GIT_CEILING_DIRECTORIES": os.fspath(target.parent.parent)}
    _run(arguments, target.parent, _ALWAYS, alone | _variables(_OF_NETWORK), _SECONDS_TO_CLONE)


def _variables(prefixes: tuple[str, ...]) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(prefixes)}


def _environment() -> dict[str, str]:
    """Return the variables of this process, without those that choose a repository, and without prompts."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**plain, **_variables(_OF_USER), "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}


def _program() -> str:
    """Return where git is; one that is found relative to the working directory is not the user's."""
    import shutil

    program = shutil.which("git")
    if program is None or not Path(program).is_absolute():
        raise NotInstalledError("git is not installed")
    return program


def _run(
    arguments: list[str],
    directory: Path,
    settings: tuple[str, ...],
    more: dict[str, str],
    seconds: float,
    given: bytes = b"",
) -> bytes:
    from tempfile import TemporaryFile
    from threading import Timer

    command = [_program(), *(word for setting in settings for word in ("-c", setting)), *arguments]
    with TemporaryFile() as errors, TemporaryFile() as source:
        source.write(given)
        source.seek(0)
        process = _started(command, directory, _environment() | more, source, errors)
        timer = Timer(seconds, process.kill)
        timer.daemon = True  # a run that is interrupted does not wait for it
        try:
            timer.start()
            printed: bytes = process.stdout.read(_MAX_BYTES + 1)
            if len(printed) > _MAX_BYTES:
                raise GitError("git printed too much output")
            status = process.wait()
            if timer.finished.is_set():
                raise TooSlowError(f"git took longer than {seconds:.0f} seconds")
        finally:
            timer.cancel()
            process.kill()  # nothing if it has ended
            process.stdout.close()
            process.wait()
        errors.seek(0)
        reason = " ".join(errors.read(_MAX_REASON).decode("utf-8", "replace").split())
    if status != 0:
        raise GitError(reason or f"git exited with status {status}")
    return printed


def _started(
    command: list[str], directory: Path, environment: dict[str, str], source: IO[bytes], errors: IO[bytes]
) -> Any:
    import subprocess

    streams = {"stdin": source, "stdout": subprocess.PIPE, "stderr": errors}
    try:
        return subprocess.Popen(command, cwd=directory, env=environment, **streams)  # type: ignore[call-overload]
    except (OSError, ValueError) as error:
        raise GitError(f"git cannot be started: {error}") from None


_TREE, _LINK, _FILES = "40000", "120000", ("100644", "100755", "100664")
_MAX_ENTRIES, _MAX_DEPTH, _MAX_ROUNDS = 20_000, 32, 8
_MAX_FILE, _MAX_GROUP, _MAX_IN_ALL = MEBIBYTE, 16 * MEBIBYTE, 256 * MEBIBYTE
_HASH_LENGTHS = {40: 20, 64: 32}  # in hexadecimal: in bytes


class _Entry(NamedTuple):
    """A file, link or directory of a tree: its path from the root, its mode, and the name of its object."""

    path: str
    mode: str
    object: str


class _Store:
    """The objects of one repository, bounded in number and size."""

    def __init__(self, repository: Path) -> None:
        self._repository = repository
        self._entries = self._bytes = 0

    def root(self, revision: str) -> str:
        """Return the name of a revision's tree; raises `GitError`."""
        if not revision or revision.startswith("-") or any(ord(each) < 32 for each in revision):
            raise GitError("not a revision")
        commit = read(self._repository, "cat-file", "commit", revision)
        name = commit.split(b"\n", 1)[0].removeprefix(b"tree ").decode("ascii", "replace")
        if len(name) not in _HASH_LENGTHS:
            raise GitError("not a commit")
        return name

    def contents(self, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield objects with their contents, without those that are missing or too large.

        Raises `GitError` if all that was read is more than skilltool reads.
        """
        group: list[str] = []
        size = 0
        for name, more in self._sizes(names):
            self._bytes += more
            if self._bytes > _MAX_IN_ALL:
                raise GitError(f"more than {_MAX_IN_ALL >> 20} MiB of files")
            if size + more > _MAX_GROUP:
                yield from self._batch(group)
                group, size = [], 0
            group.append(name)
            size += more
        yield from self._batch(group)

    def _sizes(self, names: Iterable[str]) -> Iterator[tuple[str, int]]:
        listed = read(self._repository, "cat-file", "--batch-check", given=_lines(names))
        for line in listed.decode("ascii", "replace").splitlines():
            name, _, rest = line.partition(" ")
            size = rest.rpartition(" ")[2]
            if size.isdecimal() and int(size) <= _MAX_FILE:
                yield name, int(size)

    def _batch(self, names: list[str]) -> Iterator[tuple[str, bytes]]:
        """Yield the objects that `cat-file --batch` prints: a line `NAME TYPE SIZE`, then the content."""
        raw = read(self._repository, "cat-file", "--batch", given=_lines(names)) if names else b""
        at = 0
        while (end := raw.find(b"\n", at)) != -1:
            name, _, size = raw[at:end].decode("ascii", "replace").split(" ")
            yield name, raw[end + 1 : end + 1 + int(size)]
            at = end + 2 + int(size)

    def entries(self, root: str, wanted: Iterable[str]) -> Iterator[_Entry]:
        """Yield the files and links of a tree at and under the paths `wanted`, and what leads to them."""
        prefixes = tuple(dict.fromkeys(wanted))
        pending = {"": root}
        for _ in range(_MAX_DEPTH):
            trees = dict(self.contents(pending.values()))
            below: dict[str, str] = {}
            for path, name in pending.items():
                for entry in _parsed(path, trees.get(name, b""), len(root)):
                    if not _is_wanted(entry.path, prefixes):
                        continue
                    self._entries += 1
                    if self._entries > _MAX_ENTRIES:
                        raise GitError(f"more than {_MAX_ENTRIES:,} files")
                    if entry.mode == _TREE:
                        below[entry.path] = entry.object
                    else:
                        yield entry
            pending = below
            if not pending:
                return


def lay(repository: Path, revision: str, wanted: Iterable[str], target: Path) -> None:
    """Write what a revision has at and under the relative paths `wanted` to the directory `target`.

    Files of more than 1 MiB, submodules, and links that lead out are left out. Raises `git.GitError` if the
    repository has no such revision, or it has too many files, or too large ones together.
    """
    store = _Store(repository)
    root = store.root(revision)
    prefixes = dict.fromkeys(wanted)
    for _ in range(_MAX_ROUNDS):
        entries = list(store.entries(root, prefixes))
        texts = dict(store.contents(entry.object for entry in entries if entry.mode == _LINK))
        links = dict(_links(entries, texts))
        if not (more := {goal for _, goal in links.values()} - prefixes.keys()):
            break
        prefixes |= dict.fromkeys(sorted(more))
    paths: dict[str, list[str]] = {}
    for entry in entries:
        if entry.mode in _FILES:
            paths.setdefault(entry.object, []).append(entry.path)
    for name, content in store.contents(paths):
        for path in paths[name]:
            _write(target / path, content)
    _make_links({target / path: text for path, (text, _) in links.items()}, target)


@contextmanager
def laid_out(repository: Path, revision: str, wanted: Iterable[str]) -> Iterator[Path]:
    """Yield a temporary directory, the root of a repository, with what `lay` writes of a revision.

    Its path is as long as that of the repository, unless that is very short: a client may count it where it
    truncates a text.
    Raises `GitError` where `lay` does; the text begins with the revision, and has advice for a shallow clone.
    """
    with TemporaryDirectory(prefix="sk-") as folder:
        parent = Path(os.path.realpath(folder))
        missing = len(os.path.realpath(repository)) - len(str(parent)) - 1
        top = parent / ("t" * missing if 1 <= missing <= _LONGEST_NAME else "tree")
        (top / ".git").mkdir(parents=True)  # where a search in the directories above ends
        try:
            lay(repository, revision, wanted, top)
        except GitError as error:
            # A clone without its older commits, such as CI makes.
            is_shallow = (repository / ".git" / "shallow").exists()
            way_out = "; this is a shallow clone, run `git fetch --unshallow`" if is_shallow else ""
            raise GitError(f"{revision}: {error}{way_out}") from None
        yield top


_LONGEST_NAME = 200  # characters of a directory's name


def _lines(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in dict.fromkeys(names)).encode()


def _is_wanted(path: str, prefixes: tuple[str, ...]) -> bool:
    return any(
        prefix in ("", path) or path.startswith(f"{prefix}/") or prefix.startswith(f"{path}/")
        for prefix in prefixes
    )


def _parsed(path: str, raw: bytes, length: int) -> Iterator[_Entry]:
    """Yield the entries of a tree object: `MODE NAME`, NUL, and the bytes of a hash."""
    size = _HASH_LENGTHS[length]
    at = 0
    while (end := raw.find(b"\0", at)) != -1 and end + 1 + size <= len(raw):
        mode, _, name = raw[at:end].partition(b" ")
        at = end + 1 + size
        text = os.fsdecode(name)
        if text not in ("", ".", "..") and "/" not in text and text.lower() != ".git" and "\\" not in text:
            yield _Entry(posixpath.join(path, text), mode.decode("ascii", "replace"), raw[end + 1 : at].hex())


def _links(entries: Iterable[_Entry], contents: Mapping[str, bytes]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the path of each link that stays inside, with its text and the path that it leads to."""
    for entry in entries:
        if entry.mode == _LINK and entry.object in contents:
            text = os.fsdecode(contents[entry.object])
            goal = posixpath.normpath(posixpath.join(posixpath.dirname(entry.path), text))
            if "\0" not in text and not text.startswith("/") and goal.split("/")[0] != "..":
                yield entry.path, (text, goal)


def _write(path: Path, raw: bytes) -> None:
    with suppress(OSError):  # a name that is a file and a directory, or that this system does not allow
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(raw)


def _make_links(links: Mapping[Path, str], top: Path) -> None:
    """Make symbolic links, and remove those that lead out of `top` by way of others."""
    for path, text in links.items():
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(text)
    real = os.path.realpath(top)
    while outside := [path for path in links if path.is_symlink() and not _is_inside(path, real)]:
        for path in outside:
            path.unlink()


def _is_inside(path: Path, top: str) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(top)

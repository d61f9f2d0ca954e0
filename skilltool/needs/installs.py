"""Which packages does a command fetch, by which program, and is a version named?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.shell import Command, Word
from skilltool.text.source import Span


class Package(NamedTuple):
    """A package: its name without version, how it is got, whether a version is named, and where."""

    name: str
    how: str
    pinned: bool | None
    span: Span


# How a command begins, and the options of it that take a value; whether only the first operand is a package.
_PIP = (
    "-c --constraint -i --index-url --extra-index-url -t --target --python -f --find-links --prefix --root"
    " --progress-bar --platform --python-version --index --group"
)
_NPM = "--prefix --registry -C --dir --filter -w --workspace --cwd --tag --omit --include"
_BEGINNINGS: tuple[tuple[str, str, bool], ...] = (
    ("pip install", _PIP, False),
    ("pip3 install", _PIP, False),
    ("uv pip install", _PIP, False),
    ("uv add", f"{_PIP} --extra --optional", False),
    ("uv tool install", _PIP, True),
    ("uv tool run", _PIP, True),
    ("uvx", _PIP, True),
    ("pipx install", _PIP, True),
    ("pipx run", _PIP, True),
    ("poetry add", "--group -G --extras -E --source", False),
    ("conda install", "-c --channel -n --name -p --prefix", False),
    ("mamba install", "-c --channel -n --name -p --prefix", False),
    ("npx", "-p --package -c --call --registry", True),
    ("bunx", "-p --package", True),
    ("pnpm dlx", "--package", True),
    ("yarn dlx", "-p --package", True),
    ("npm exec", "-p --package", True),
    ("bun x", "", True),
    ("npm install", _NPM, False),
    ("npm i", _NPM, False),
    ("npm add", _NPM, False),
    ("pnpm add", _NPM, False),
    ("pnpm install", _NPM, False),
    ("yarn add", _NPM, False),
    ("yarn global add", _NPM, False),
    ("bun add", _NPM, False),
    ("bun install", _NPM, False),
    ("brew install", "", False),
    ("brew install --cask", "", False),
    ("apt install", "-t -o", False),
    ("apt-get install", "-t -o", False),
    ("dnf install", "", False),
    ("yum install", "", False),
    ("apk add", "-t --virtual --repository", False),
    ("pacman -S", "", False),
    ("cargo install", "--version --git --branch --path --features -F --root --rev --tag", False),
    ("cargo binstall", "--version", False),
    ("cargo add", "--features -F --git --branch --rename", False),
    ("go install", "", False),
    ("go get", "", False),
    ("gem install", "-v --version", False),
    ("dotnet add package", "--version -v", True),
    ("dotnet tool install", "--version --add-source --tool-path", True),
    ("composer require", "", False),
    ("winget install", "--source -e", False),
    ("choco install", "--version", False),
    ("scoop install", "", False),
)
_BY_FIRST: dict[str, list[tuple[tuple[str, ...], frozenset[str], bool]]] = {}
for _begin, _valued, _only_first in _BEGINNINGS:
    _words = tuple(_begin.split())
    _BY_FIRST.setdefault(_words[0], []).append((_words, frozenset(_valued.split()), _only_first))
_PYTHON = lazy_pattern(r"python[0-9.]{0,5}")
_FROM_FILE = frozenset({"-r", "--requirement", "-e", "--editable"})
_LOCAL = lazy_pattern(r"\.{1,2}(?:/|\Z)|/|~|\$|file:|\.\[|-\Z|[^@/]+\.(?:whl|tgz|zip|txt|toml)\Z")
_NAMED = lazy_pattern(r"(?:@[\w.-]{1,80}/)?[A-Za-z0-9_][\w./+-]{0,120}", re.ASCII)
_WITH_PACKAGE = ("--from", "-p", "--package", "--with")
_SYSTEM = ("brew", "apt", "apt-get", "dnf", "yum", "apk", "pacman", "winget", "choco", "scoop")


def packages(command: Command) -> Iterator[Package]:
    """Yield the packages that a command fetches."""
    words = command.run
    if len(words) > 2 and _PYTHON.fullmatch(words[0].text) and words[1].text == "-m":
        words = words[2:]
    texts = [word.text for word in words if not _is_global_option(word.text)]
    kept = [word for word in words if not _is_global_option(word.text)]
    for begin, valued, only_first in _BY_FIRST.get(texts[0] if texts else "", ()):
        if tuple(texts[: len(begin)]) == begin:
            yield from _operands(kept[len(begin) :], " ".join(begin), valued, only_first)
            return


def _is_global_option(text: str) -> bool:
    return text in ("--system", "-y", "--yes", "-q", "--quiet", "--no-cache-dir", "-U", "--upgrade", "--user")


def _operands(words: list[Word], how: str, valued: frozenset[str], only_first: bool) -> Iterator[Package]:
    at = 0
    texts = [word.text for word in words]
    version = next((value for name, value in pairwise(texts) if name in ("--version", "-v")), None)
    if any(text in ("--no-install", "--no", "--offline", "--help", "-h") for text in texts):
        return
    while at < len(words):
        word = words[at]
        text = word.text
        if text in _WITH_PACKAGE and only_first and at + 1 < len(words):
            yield from _package(words[at + 1], how, None)
            if text in ("--from", "-p", "--package"):
                return
            at += 2
            continue
        if text in _FROM_FILE or text in valued:
            at += 2
            continue
        if text == "--git" or text.startswith(("-", "+")):
            at += 1
            continue
        yield from _package(word, how, version)
        if only_first:
            return
        at += 1


def _package(word: Word, how: str, version: str | None) -> Iterator[Package]:
    text = word.text
    if not word.literal or _LOCAL.match(text) or text.isupper():
        return
    manager = how.partition(" ")[0]
    if text.startswith(("git+", "http://", "https://", "github:", "git@")):
        pinned = re.search(r"(?:@|#)[0-9a-f]{7,40}\Z", text) is not None
        yield Package(text[:120], how, pinned, word.span)
        return
    name = re.split(r"[=<>!~\[ ;]", text)[0]
    rest = text[len(name) :]
    at = name.find("@", 1)
    if at > 0:
        name, rest = name[:at], name[at:] + rest
    if not _NAMED.fullmatch(name):
        return
    pinned = version is not None or _is_version(re.sub(r"\A\[[^\]]*\]", "", rest), manager)
    yield Package(name, how, None if manager in _SYSTEM and not pinned else pinned, word.span)


def _is_version(rest: str, manager: str) -> bool:
    """Return whether what follows a name is one version: `==1.2`, `@1.2.3`, not `>=1` or `@latest`."""
    if manager in ("npx", "npm", "pnpm", "yarn", "bun", "bunx", "go", "cargo", "brew"):
        return re.match(r"@v?\d", rest) is not None
    return re.match(r"={1,3}\d|@v?\d", rest) is not None

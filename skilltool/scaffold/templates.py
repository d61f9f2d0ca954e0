"""Finds a template and reads its questions: a built-in one by name, a directory, or a git repository.

A template from elsewhere is code, since Jinja can reach the interpreter. One that loads code of its own is
refused; one from a URL, or that cannot be rendered in a sandbox, needs `trust`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import as_file
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from skilltool._resources import data
from skilltool.bounds.limited_process import LimitedProcess
from skilltool.errors import SkilltoolError, UnknownNameError
from skilltool.files import git
from skilltool.scaffold.questions import Question, read_questions

DEFAULT = "basic"
_FILE = "cookiecutter.json"
_URL = re.compile(r"(?:https?|ssh|git|file|git\+\w+)://|[\w.-]+@[\w.-]+:|(?:gh|gl|bb):")
_LOADS_CODE = ("_extensions", "_jinja2_env_vars")
_MAX_FILES = 1_000  # and directories
_MAX_BYTES = 10 * 1024 * 1024
_MAX_DEPTH = 32  # directory levels
# Of the context file: bytes, values, and levels of lists and objects.
_MAX_CONTEXT, _MAX_VALUES, _MAX_LEVELS = 1024 * 1024, 10_000, 64
_RENDERER = "skilltool.scaffold.rendering:answer"


@dataclass(frozen=True, slots=True)
class Template:
    """A template on disk.

    `questions` maps the name of each variable that is asked for to its question. `about` is one line for a
    list; `own` says whether the template ships with skilltool. `process` renders it, until it is closed.
    """

    name: str
    directory: Path
    questions: dict[str, Question]
    about: str
    own: bool
    process: LimitedProcess


def template_names() -> list[str]:
    """Return the names of the templates that ship with skilltool."""
    return sorted(entry.name for entry in data("templates").iterdir() if entry.joinpath(_FILE).is_file())


@contextmanager
def open_template(source: str, trust: bool = False) -> Iterator[Template]:
    """Open a template by name, directory or URL; its directory exists until the context ends.

    Raises `UnknownNameError` for a name that does not exist, and `SkilltoolError` for a template that
    is refused, cannot be read or needs `trust`.
    """
    if source in template_names():
        with as_file(data("templates") / source) as directory:
            yield from _opened(source, directory, own=True)
    elif _URL.match(source):
        if not trust:
            raise SkilltoolError(
                f"{source}: a template from a URL may run code on this machine; "
                "clone it, read it and name its directory, or pass --trust"
            )
        with TemporaryDirectory(prefix="skilltool-") as folder:
            yield from _opened(source, _clone(source, Path(folder)), own=False)
    elif os.sep in source or Path(source).is_dir():
        if not Path(source).is_dir():
            raise SkilltoolError(f"{source}: no such directory")
        yield from _opened(source, Path(os.path.abspath(source)), own=False)
    else:
        raise UnknownNameError("template", source, template_names(), "skilltool new --list")


def _opened(name: str, directory: Path, own: bool) -> Iterator[Template]:
    """Yield a template, and end the process that renders it afterwards."""
    template = read_template(name, directory, own)
    try:
        yield template
    finally:
        template.process.close()


def read_template(name: str, directory: Path, own: bool) -> Template:
    """Read and check a template; raises `SkilltoolError` for one that is refused or cannot be read."""
    _check_files(name, directory)
    values = _load(directory / _FILE)
    for key in _LOADS_CODE:
        if key in values:
            raise SkilltoolError(
                f"template {name}: `{key}` in {_FILE} loads code, which skilltool does not allow"
            )
    if "name" not in values:
        raise SkilltoolError(f"template {name}: {_FILE} has no `name`")
    empty = next((key for key, value in values.items() if value == [] and not key.startswith("_")), None)
    if empty is not None:
        raise SkilltoolError(f"template {name}: `{empty}` in {_FILE} is an empty list of choices")
    about = str(values.get("_about", ""))
    return Template(name, directory, read_questions(values), about, own, LimitedProcess(_RENDERER))


def _load(file: Path) -> dict[str, Any]:
    try:
        if file.stat().st_size > _MAX_CONTEXT:
            raise SkilltoolError(f"{file}: larger than the 1 MiB that skilltool allows")
        values = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise SkilltoolError(f"{file.parent}: not a template, it has no {_FILE}") from None
    except OSError as error:
        raise SkilltoolError(f"{file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise SkilltoolError(f"{file}: not valid JSON: {error}") from None
    if not isinstance(values, dict):
        raise SkilltoolError(f"{file}: not a JSON object")
    _check_size(file, values)
    return values


def _check_size(file: Path, values: dict[str, Any]) -> None:
    """Raise for a context that is nested too deeply or has too many values."""
    level: list[Any] = [values]
    count = depth = 0
    while level:
        depth, count = depth + 1, count + len(level)
        if depth > _MAX_LEVELS or count > _MAX_VALUES:
            raise SkilltoolError(
                f"{file}: exceeds the {_MAX_VALUES:,} values or {_MAX_LEVELS} levels that skilltool allows"
            )
        level = [
            each
            for value in level
            if isinstance(value, (dict, list))
            for each in (value.values() if isinstance(value, dict) else value)
        ]


def _check_files(name: str, directory: Path) -> None:
    """Raise for links out of a template, pipes and devices, and too many or too large files."""
    count = size = 0
    for folder, folders, files in os.walk(directory):
        for entry in (Path(folder, each) for each in [*folders, *files]):
            if entry.is_symlink() and not Path(os.path.realpath(entry)).is_relative_to(directory.resolve()):
                raise SkilltoolError(
                    f"template {name}: `{entry.relative_to(directory)}` links out of the template"
                )
            if entry.exists() and not (entry.is_file() or entry.is_dir()):
                raise SkilltoolError(
                    f"template {name}: `{entry.relative_to(directory)}` is not a file or directory"
                )
        folders[:] = [each for each in folders if each != ".git"]
        count += len(files) + len(folders)
        if len(Path(folder).relative_to(directory).parts) >= _MAX_DEPTH:
            raise SkilltoolError(
                f"template {name}: nested deeper than the {_MAX_DEPTH} levels that skilltool allows"
            )
        size += sum(Path(folder, each).lstat().st_size for each in files)
        if count > _MAX_FILES or size > _MAX_BYTES:
            raise SkilltoolError(
                f"template {name}: exceeds the {_MAX_FILES:,} files or 10 MiB that skilltool allows"
            )


def _clone(url: str, folder: Path) -> Path:
    target = folder / "template"
    address = url.removeprefix("git+")
    for short, host in (("gh:", "github.com"), ("gl:", "gitlab.com"), ("bb:", "bitbucket.org")):
        address = (
            f"https://{host}/{address.removeprefix(short)}.git" if address.startswith(short) else address
        )
    try:
        git.clone(address, target)
    except git.NotInstalledError as error:
        raise SkilltoolError(
            f"{url}: {error}; install it, or download the template and name its directory"
        ) from None
    except git.GitError as error:
        raise SkilltoolError(f"{url}: git clone failed: {error}") from None
    return target

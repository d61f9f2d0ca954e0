"""Which template is meant, and what it asks: ours by name, a directory, or a git repository.

A template from elsewhere is code: Jinja reaches the interpreter. What loads code of its own is refused, and
what cannot be rendered in a sandbox, or comes from a URL, has to be trusted in so many words.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import as_file
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from skilltool._resources import data
from skilltool.errors import SkilltoolError, UnknownNameError

DEFAULT = "basic"
_FILE = "cookiecutter.json"
_URL = re.compile(r"(?:https?|ssh|git|file|git\+\w+)://|[\w.-]+@[\w.-]+:|(?:gh|gl|bb):")
_LOADS_CODE = ("_extensions", "_jinja2_env_vars")
_MAX_FILES = 1_000
_MAX_BYTES = 10 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Template:
    """A template on disk: its directory, what it asks (name to default), and whether it is ours.

    `choices` are the closed lists among its questions; the default is the first entry.
    """

    name: str
    directory: Path
    questions: dict[str, str]
    about: str
    own: bool
    choices: dict[str, list[str]] = field(default_factory=dict)


def names() -> list[str]:
    """Return the names of the templates that ship with skilltool."""
    return sorted(entry.name for entry in data("templates").iterdir() if entry.joinpath(_FILE).is_file())


@contextmanager
def opened(wanted: str, trust: bool = False) -> Iterator[Template]:
    """Open a template by name, directory or URL; it is there as long as the context lasts.

    Raises `UnknownNameError` for a name that does not exist, and `SkilltoolError` for a template that
    is refused, cannot be read or would have to be trusted.
    """
    if wanted in names():
        with as_file(data("templates") / wanted) as directory:
            yield _read(wanted, directory, own=True)
    elif _URL.match(wanted):
        if not trust:
            raise SkilltoolError(
                f"{wanted}: a template from a URL may run code on this machine; look at it first, "
                "then name its directory, or pass --trust"
            )
        with TemporaryDirectory(prefix="skilltool-") as folder:
            yield _read(wanted, _cloned(wanted, Path(folder)), own=False)
    elif os.sep in wanted or Path(wanted).is_dir():
        if not Path(wanted).is_dir():
            raise SkilltoolError(f"{wanted}: no such directory")
        yield _read(wanted, Path(os.path.abspath(wanted)), own=False)
    else:
        raise UnknownNameError("template", wanted, names(), "skilltool new --list")


def _read(name: str, directory: Path, own: bool) -> Template:
    _check_files(name, directory)
    values = _values(directory / _FILE)
    for key in _LOADS_CODE:
        if key in values:
            raise SkilltoolError(
                f"{name}: `{key}` in {_FILE} loads code; skilltool takes no template that does"
            )
    if "name" not in values:
        raise SkilltoolError(
            f"{name}: {_FILE} does not ask for `name`, so the skill's name has no place in it"
        )
    asked = {key: value for key, value in values.items() if not key.startswith("_")}
    choices = {key: value for key, value in asked.items() if isinstance(value, list) and value}
    questions = {key: choices[key][0] if key in choices else value for key, value in asked.items()}
    everything = [*questions.items(), *((key, each) for key, value in choices.items() for each in value)]
    odd = [key for key, value in everything if not isinstance(value, str)]
    if odd:
        raise SkilltoolError(
            f"{name}: `{odd[0]}` in {_FILE} is no text; only questions with a text are asked"
        )
    return Template(name, directory, questions, str(values.get("_about", "")), own, choices)


def _values(file: Path) -> dict[str, Any]:
    try:
        values = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise SkilltoolError(f"{file.parent}: no template, it has no {_FILE}") from None
    except OSError as error:
        raise SkilltoolError(f"{file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise SkilltoolError(f"{file}: not JSON: {error}") from None
    if not isinstance(values, dict):
        raise SkilltoolError(f"{file}: must be an object of questions and defaults")
    return values


def _check_files(name: str, directory: Path) -> None:
    """Raise for links that lead out of a template, pipes and devices, and more than a skill may have."""
    count = size = 0
    for folder, folders, files in os.walk(directory):
        for entry in (Path(folder, each) for each in [*folders, *files]):
            if entry.is_symlink() and not entry.resolve().is_relative_to(directory.resolve()):
                raise SkilltoolError(f"{name}: {entry.relative_to(directory)} is a link out of the template")
            if entry.exists() and not (entry.is_file() or entry.is_dir()):
                raise SkilltoolError(f"{name}: {entry.relative_to(directory)} is neither a file nor a folder")
        folders[:] = [each for each in folders if each != ".git"]
        count += len(files)
        size += sum(Path(folder, each).lstat().st_size for each in files)
        if count > _MAX_FILES or size > _MAX_BYTES:
            raise SkilltoolError(f"{name}: a template of more than {_MAX_FILES:,} files or 10 MiB")


def _cloned(url: str, folder: Path) -> Path:
    git = shutil.which("git")
    if git is None:
        raise SkilltoolError(f"{url}: git is not installed; clone the template and name its directory")
    target = folder / "template"
    quiet = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    wanted = url.removeprefix("git+")
    for short, host in (("gh:", "github.com"), ("gl:", "gitlab.com"), ("bb:", "bitbucket.org")):
        wanted = f"https://{host}/{wanted.removeprefix(short)}.git" if wanted.startswith(short) else wanted
    command = [git, "clone", "--quiet", "--depth", "1", "--", wanted, str(target)]
    run = subprocess.run(command, env=quiet, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        said = " ".join(run.stderr.split()) or "git failed"
        raise SkilltoolError(f"{url}: {said}")
    return target

"""Finds a template and reads its questions: a built-in one by name, a directory, or a git repository.

A template from elsewhere is code, since Jinja can reach the interpreter. One that loads code of its own is
refused; one from a URL, or that cannot be rendered in a sandbox, needs `trust`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import as_file
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from skilltool._resources import data
from skilltool.bounds.limited_process import LimitedProcess
from skilltool.errors import SkilltoolError, UnknownNameError
from skilltool.files import git
from skilltool.rules.shared.names import is_windows_device, to_kebab_case
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.text.lazy_pattern import lazy_pattern

_YES = frozenset({"1", "true", "t", "yes", "y", "on"})
_NO = frozenset({"0", "false", "f", "no", "n", "off"})


@dataclass(frozen=True, slots=True)
class Question:
    """One variable of a template that is asked for.

    `default` is as in the file: a list holds the options of a closed question, whose first is the default;
    a bool is answered with yes or no, an object with JSON. `prompt` is the text for people, `labels` are
    those of options.
    """

    key: str
    default: Any
    prompt: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def options(self) -> list[Any]:
        """The options of a closed question, as in the file; empty for any other."""
        return self.default if isinstance(self.default, list) else []

    @property
    def is_computed(self) -> bool:
        """Whether an option depends on the answers to other questions."""
        return any("{{" in str(option) or "{%" in str(option) for option in self.options)


def read_questions(values: Mapping[str, Any]) -> dict[str, Question]:
    """Return the questions in the order in which cookiecutter asks them: objects come last."""
    prompts = values.get("__prompts__")
    said = prompts if isinstance(prompts, dict) else {}
    asked = [(key, value) for key, value in values.items() if not key.startswith("_")]
    asked.sort(key=lambda entry: isinstance(entry[1], dict))
    return {key: _question(key, value, said.get(key)) for key, value in asked}


def _question(key: str, default: Any, said: Any) -> Question:
    if not isinstance(said, dict):
        return Question(key, default, said if isinstance(said, str) else "")
    labels = {option: str(label) for option, label in said.items() if option != "__prompt__"}
    return Question(key, default, str(said.get("__prompt__", "")), labels)


def as_text(value: Any) -> str:
    """Return the value of a variable as the text that a person would type for it."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)


def answer_problem(question: Question, answer: str, options: list[str]) -> str | None:
    """Return what is wrong with an answer to a question that is not a plain text, or None."""
    if question.options and answer not in options:
        return f"`{question.key}` is `{answer}`; choose one of: {_listed(options)}"
    if isinstance(question.default, bool) and answer.strip().lower() not in _YES | _NO:
        return f"`{question.key}` is `{answer}`; answer yes or no"
    if isinstance(question.default, dict) and _object(answer) is None:
        return f'`{question.key}` is not a JSON object; write one such as {{"key": "value"}}'
    return None


_MOST_LISTED, _LONGEST_LISTED = 20, 60  # names in a message, and characters of each


def _listed(names: Sequence[str]) -> str:
    """Return names for a message, as far as they have room there: a template may have any number."""
    shown = [
        name if len(name) <= _LONGEST_LISTED else f"{name[:_LONGEST_LISTED]}\u2026"
        for name in names[:_MOST_LISTED]
    ]
    more = [f"and {len(names) - len(shown):,} more"] if len(names) > len(shown) else []
    return ", ".join([*shown, *more])


def value_of(question: Question, answer: str) -> Any:
    """Return a valid answer for cookiecutter's context; text in it is never rendered as a template."""
    if isinstance(question.default, bool):
        return answer.strip().lower() in _YES
    return _literal(_object(answer) if isinstance(question.default, dict) else answer)


def _literal(value: Any) -> Any:
    """Return data whose every text is a template that gives this text."""
    if isinstance(value, str):
        return f"{{{{ {json.dumps(value, ensure_ascii=False)} }}}}"
    if isinstance(value, dict):
        return {_literal(key): _literal(each) for key, each in value.items()}
    return [_literal(each) for each in value] if isinstance(value, list) else value


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


_MAX_ANSWER = 10_000  # characters, where no schema sets a limit


def check_answers(
    template: Template, given: Mapping[str, str], options: Mapping[str, list[str]], runtime: Runtime
) -> None:
    """Raise `SkilltoolError` for an answer the template does not ask for or the runtime does not allow.

    `options` are those of the closed questions.
    """
    unknown = [key for key in given if key not in template.questions]
    if unknown:
        asked = _listed(list(template.questions))
        raise SkilltoolError(
            f"template {template.name} does not ask for `{unknown[0]}` (it asks for: {asked})"
        )
    for key, value in given.items():
        problem = answer_problem(template.questions[key], value, options.get(key, []))
        if problem := problem or _problem(runtime, key, value):
            raise SkilltoolError(problem)


def check_name(name: str, runtime: Runtime) -> None:
    """Raise `SkilltoolError` for a name that no skill may have, or that the runtime does not allow."""
    if problem := _name_problem(runtime, name):
        raise SkilltoolError(problem)


def _problem(runtime: Runtime, key: str, value: str) -> str | None:
    """Return what is wrong with the answer to one question, or None."""
    if key == "name":
        return _name_problem(runtime, value)
    if re.search(r"[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", value):
        return f"`{key}` contains a line break or a control character"
    if len(value) > max_length(runtime, key):
        return f"`{key}` has {len(value):,} characters; {_allows(runtime, key)}"
    if key == "description" and not value.strip():
        return "`description` is empty; describe what the skill does and when to use it"
    return None


def _name_problem(runtime: Runtime, name: str) -> str | None:
    """Return what is wrong with the name of a skill, and so of its directory, or None."""
    longest = max_length(runtime, "name")
    if not name:
        return f"name is empty; {_suggestion(name, longest)}"
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", name):
        return f"name `{name}` is not lowercase words joined by hyphens; {_suggestion(name, longest)}"
    if len(name) > longest:
        return f"name has {len(name)} characters; {_allows(runtime, 'name')}; {_suggestion(name, longest)}"
    if is_windows_device(name):
        return f"name `{name}` is reserved on Windows; did you mean `{name}-skill`?"
    return None


def _suggestion(name: str, longest: int) -> str:
    """Return a hint with a valid name, similar to `name` if possible."""
    found = to_kebab_case(name)
    if len(found) > longest:
        found = found[:longest].rpartition("-")[0] or found[:longest]
    return f"did you mean `{found}`?" if found else "use a name such as `pdf-tools`"


def max_length(runtime: Runtime, field: str) -> int:
    """Return how many characters a field may have, by the runtime's or the portable limit."""
    return min(_limits(runtime, field).values(), default=_MAX_ANSWER)


def _allows(runtime: Runtime, field: str) -> str:
    """Return the limit of a field in words, with the id of the runtime that sets it."""
    limits = _limits(runtime, field)
    owner = min(limits, key=limits.__getitem__, default="skilltool")
    return f"{owner} allows {max_length(runtime, field):,}"


def _limits(runtime: Runtime, field: str) -> dict[str, int]:
    """Return the limits of a field in characters, by the id of the runtime that sets each."""
    schemas = {runtime.id: schema.load(runtime.schema), "portable": schema.load("skill")}
    properties = {owner: value.get("properties", {}).get(field, {}) for owner, value in schemas.items()}
    return {owner: value["maxLength"] for owner, value in properties.items() if "maxLength" in value}


DEFAULT = "basic"
_FILE = "cookiecutter.json"
_URL = lazy_pattern(r"(?:https?|ssh|git|file|git\+\w+)://|[\w.-]+@[\w.-]+:|(?:gh|gl|bb):")
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
                "clone it, review it and pass its directory, or pass --trust"
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
        raise SkilltoolError(f"{file.parent}: not a template: it has no {_FILE}") from None
    except OSError as error:
        raise SkilltoolError(f"{file}: {error.strerror}") from None
    except ValueError as error:
        raise SkilltoolError(f"{file}: not valid JSON: {error}") from None
    except RecursionError:
        raise SkilltoolError(f"{file}: lists or objects are nested too deeply") from None
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
                    f"template {name}: `{entry.relative_to(directory)}` is a link that points outside the "
                    "template"
                )
            if entry.exists() and not (entry.is_file() or entry.is_dir()):
                raise SkilltoolError(
                    f"template {name}: `{entry.relative_to(directory)}` is not a file or directory"
                )
        folders[:] = [folder for folder in folders if folder != ".git"]
        count += len(files) + len(folders)
        if len(Path(folder).relative_to(directory).parts) >= _MAX_DEPTH:
            raise SkilltoolError(
                f"template {name}: nested deeper than the {_MAX_DEPTH} levels that skilltool allows"
            )
        size += sum(Path(folder, file).lstat().st_size for file in files)
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
            f"{url}: {error}; install it, or download the template and pass its directory"
        ) from None
    except git.GitError as error:
        raise SkilltoolError(f"{url}: git clone failed: {error}") from None
    return target

"""Renders a template with cookiecutter, without hooks, and in a sandbox unless the template is trusted.

All of this runs in the process with limits that `bounded_rendering` asks. No other imports
this module, since cookiecutter takes 0.4 s to import.

Answers are text, never code. Neither the home directory nor a hook is used: of cookiecutter only
`generate_context`, `prompt_for_config` and `generate_files` are called. Every file name is rendered and
checked before a file is written.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jinja2
from cookiecutter import generate, prompt
from cookiecutter.environment import StrictEnvironment
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from skilltool.errors import PathError, SkilltoolError
from skilltool.files.paths import display_path
from skilltool.scaffold.templates import Template, read_template, value_of

# The function that creates cookiecutter's Jinja environment.
_FACTORY = "create_env_with_context"
# Variables of ours, which cookiecutter renders as it does all that begin so, and which no template sees.
_OPTIONS = "__skilltool_options_"
# Characters of text that one request may render: of all files, or of all answers, together.
_MAX_TEXT = 10 * 1024 * 1024
_FULL = (errno.ENOSPC, errno.EDQUOT)  # the disk, or what the user may have of it
_MAX_REASON = 300  # characters of an error of somebody else


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Do what `skilltool.scaffold.bounded_rendering` asks of the process with limits.

    The answer has `value`: the variables, the options of closed questions, or the path of the skill that was
    rendered; or it has `error`, one sentence.
    """
    source, trust = request["template"], request["trust"]
    try:
        template = read_template(source["name"], Path(source["directory"]), source["own"])
        if request["call"] == "render":
            value: Any = _render(template, request["variables"], Path(request["output"]), trust)
        else:
            resolved = _resolved(template, request["answers"], trust)
            variables = {key: value for key, value in resolved.items() if not key.startswith(_OPTIONS)}
            options = {
                key.removeprefix(_OPTIONS): list(map(str, value))
                for key, value in resolved.items()
                if key.startswith(_OPTIONS)
            }
            value = options if request["call"] == "options" else variables
    except SkilltoolError as error:
        return {"error": str(error)}
    return {"value": value}


def _resolved(template: Template, answers: Mapping[str, str], trust: bool) -> dict[str, Any]:
    """Return the variables, and under names that begin with `_OPTIONS` those of each closed question."""
    with _failures(template), _environment(template, trust):
        context = generate.generate_context(str(template.directory / "cookiecutter.json"))
        values: dict[str, Any] = {}
        for key, value in context["cookiecutter"].items():
            question = template.questions.get(key)
            if question is not None and question.options:
                values[_OPTIONS + key] = value
            values[key] = (
                value if question is None or key not in answers else value_of(question, answers[key])
            )
        return dict(prompt.prompt_for_config({"cookiecutter": values}, no_input=True))


def _render(template: Template, variables: Mapping[str, Any], output: Path, trust: bool) -> str:
    """Render a template into the directory `output`; return the path of the skill's directory."""
    with _failures(template), _environment(template, trust) as create:
        context = {"cookiecutter": dict(variables)}
        _check_names(template, create(context), context)
        try:
            rendered = generate.generate_files(
                template.directory, context, output, accept_hooks=False, overwrite_if_exists=False
            )
        except OSError as error:
            if error.errno not in _FULL:
                raise
            raise PathError(f"{display_path(output.parent)}: {error.strerror}") from None
    return str(rendered)


@contextmanager
def _failures(template: Template) -> Iterator[None]:
    """Convert what a template can raise to `SkilltoolError`: anything, since its expressions are code."""
    try:
        yield
    except (SkilltoolError, MemoryError):
        raise
    except SecurityError as error:
        raise SkilltoolError(
            f"template {template.name}: blocked by the sandbox: {str(error).rstrip('.')}; "
            "pass --trust only if you know what the template does"
        ) from None
    except RecursionError:
        raise SkilltoolError(f"template {template.name}: cannot be rendered: nested too deeply") from None
    except Exception as error:
        cause = getattr(error, "error", error)  # cookiecutter's own says only which file it was
        reason = str(getattr(cause, "message", None) or cause).partition("\n")[0][:_MAX_REASON]
        raise SkilltoolError(
            f"template {template.name}: cannot be rendered: {reason or type(error).__name__}"
        ) from None


@contextmanager
def _environment(template: Template, trust: bool) -> Iterator[Any]:
    """Yield the function that creates the Jinja environment: a sandbox, unless the template is trusted."""

    class Sandboxed(StrictEnvironment, ImmutableSandboxedEnvironment):  # type: ignore[misc]
        """Cookiecutter's environment, without access to the interpreter's attributes."""

    bounded = _bounded_template(template)

    def create(context: dict[str, Any]) -> Any:
        kind = StrictEnvironment if trust else Sandboxed
        environment = kind(context=context, keep_trailing_newline=True)
        environment.template_class = bounded
        return environment

    modules = [module for module in (generate, prompt) if hasattr(module, _FACTORY)]
    if len(modules) < 2 and not (template.own or trust):
        raise SkilltoolError(
            f"template {template.name}: this version of cookiecutter cannot be sandboxed and may "
            "run code on this machine; pass --trust to allow it"
        )
    original = [getattr(module, _FACTORY) for module in modules]
    try:
        for module in modules:
            setattr(module, _FACTORY, create)
        yield create
    finally:
        for module, function in zip(modules, original, strict=True):
            setattr(module, _FACTORY, function)


def _bounded_template(template: Template) -> Any:
    """Return a class of Jinja's templates that count what they render, all together."""
    rendered = 0

    class Bounded(jinja2.Template):
        """A template, or a text that is one, which ends when there is more text than is allowed."""

        def render(self, *args: Any, **kwargs: Any) -> str:
            nonlocal rendered
            parts = []
            for part in self.generate(*args, **kwargs):
                rendered += len(part)
                if rendered > _MAX_TEXT:
                    raise SkilltoolError(
                        f"template {template.name}: renders to more than the 10 MiB that skilltool allows"
                    )
                parts.append(part)
            return "".join(parts)

    return Bounded


def _check_names(template: Template, environment: Any, context: Mapping[str, Any]) -> None:
    """Render the name of each file and folder; raise for one outside the skill's directory."""
    entries = template.directory.iterdir()
    tops = [path for path in entries if "{{" in path.name and "cookiecutter" in path.name]
    if len(tops) != 1 or not tops[0].is_dir():
        expected = "`{{cookiecutter.name}}`"
        raise SkilltoolError(f"template {template.name}: must contain one directory {expected}")
    for path in (tops[0], *tops[0].rglob("*")):
        rendered = environment.from_string(path.name).render(**context)
        if rendered in ("", ".", "..") or set(rendered) & set("/\\\0"):
            raise SkilltoolError(
                f"template {template.name}: the file name `{path.name}` points outside the skill"
            )

"""Renders a template with cookiecutter, without hooks, and in a sandbox unless the template is trusted.

Answers are text, never code. Neither the home directory nor a hook is used: of cookiecutter only
`generate_context`, `prompt_for_config` and `generate_files` are called. Every file name is rendered and
checked before a file is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from skilltool.errors import SkilltoolError
from skilltool.scaffold.questions import value_of
from skilltool.scaffold.templates import Template

# The function that creates cookiecutter's Jinja environment.
_FACTORY = "create_env_with_context"
# Variables of ours, which cookiecutter renders as it does all that begin so, and which no template sees.
_OPTIONS = "__skilltool_options_"


def resolve_variables(template: Template, answers: Mapping[str, str], trust: bool = False) -> dict[str, Any]:
    """Return the value of each variable of a template: the answer verbatim, else its rendered default.

    Raises `SkilltoolError` for a default that cannot be rendered, or that the sandbox blocks.
    """
    variables = _resolved(template, answers, trust)
    return {key: value for key, value in variables.items() if not key.startswith(_OPTIONS)}


def resolve_options(
    template: Template, answers: Mapping[str, str], trust: bool = False
) -> dict[str, list[str]]:
    """Return the options of each closed question, which may depend on the answers given so far.

    Raises `SkilltoolError` for an option that cannot be rendered, or that the sandbox blocks.
    """
    closed = {key: question for key, question in template.questions.items() if question.options}
    if not any(question.is_computed for question in closed.values()):
        return {key: list(map(str, question.options)) for key, question in closed.items()}
    variables = _resolved(template, answers, trust)
    return {key: list(map(str, variables[_OPTIONS + key])) for key in closed}


def _resolved(template: Template, answers: Mapping[str, str], trust: bool) -> dict[str, Any]:
    """Return the variables, and under names that begin with `_OPTIONS` those of each closed question."""
    from cookiecutter import generate, prompt

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


def render(template: Template, variables: Mapping[str, Any], output: Path, trust: bool = False) -> Path:
    """Render a template into the directory `output`; return the skill's directory.

    Raises `SkilltoolError` for a template that cannot be rendered, that the sandbox blocks, or that names a
    file outside the skill.
    """
    from cookiecutter import generate

    with _failures(template), _environment(template, trust) as create:
        context = {"cookiecutter": dict(variables)}
        _check_names(template, create(context), context)
        rendered = generate.generate_files(
            template.directory, context, output, accept_hooks=False, overwrite_if_exists=False
        )
    return _check_files(template, Path(rendered), output)


@contextmanager
def _failures(template: Template) -> Iterator[None]:
    """Convert the errors of cookiecutter and Jinja to `SkilltoolError`."""
    from cookiecutter.exceptions import CookiecutterException
    from jinja2.exceptions import SecurityError, TemplateError

    try:
        yield
    except SecurityError as error:
        raise SkilltoolError(
            f"template {template.name}: blocked by the sandbox: {str(error).rstrip('.')}; "
            "pass --trust only if you know what the template does"
        ) from None
    except (CookiecutterException, TemplateError, OSError, ValueError) as error:
        reason = getattr(error, "message", None) or str(error).partition("\n")[0]
        raise SkilltoolError(f"template {template.name}: cannot be rendered: {reason}") from None


@contextmanager
def _environment(template: Template, trust: bool) -> Iterator[Any]:
    """Yield the function that creates the Jinja environment: a sandbox, unless the template is trusted."""
    from cookiecutter import generate, prompt
    from cookiecutter.environment import StrictEnvironment
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Sandboxed(StrictEnvironment, ImmutableSandboxedEnvironment):  # type: ignore[misc]
        """Cookiecutter's environment, without access to the interpreter's attributes."""

    def create(context: dict[str, Any]) -> Any:
        kind = StrictEnvironment if trust else Sandboxed
        return kind(context=context, keep_trailing_newline=True)

    modules = [module for module in (generate, prompt) if hasattr(module, _FACTORY)]
    if len(modules) < 2 and not (template.own or trust):
        raise SkilltoolError(
            f"template {template.name}: this version of cookiecutter cannot be sandboxed, so it may "
            "run code on this machine; pass --trust to allow that"
        )
    original = [getattr(module, _FACTORY) for module in modules]
    try:
        for module in modules:
            setattr(module, _FACTORY, create)
        yield create
    finally:
        for module, function in zip(modules, original, strict=True):
            setattr(module, _FACTORY, function)


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
                f"template {template.name}: the file name `{path.name}` leads out of the skill"
            )


def _check_files(template: Template, rendered: Path, output: Path) -> Path:
    """Return the rendered directory after checking that it is in `output` and contains no links."""
    top = rendered.resolve()
    if top.parent != output.resolve():
        raise SkilltoolError(f"template {template.name}: writes outside the skill")
    for folder, folders, files in os.walk(top):
        for entry in (Path(folder, each) for each in [*folders, *files]):
            if entry.is_symlink():
                raise SkilltoolError(f"template {template.name}: `{entry.relative_to(top)}` is a link")
    return top

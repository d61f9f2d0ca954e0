"""A template with answers becomes files: by cookiecutter, without hooks, in a sandbox unless it is trusted.

What a user answers is text and nothing else: only the template's own words are code. Neither the home
directory nor any hook is touched: only `generate_context`, `prompt_for_config` and `generate_files` of
cookiecutter are used. All names are rendered and looked at before a file is written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from skilltool.errors import SkilltoolError
from skilltool.scaffold.templates import Template

# The function with which cookiecutter makes its Jinja environment.
_HOOK = "create_env_with_context"


def values(template: Template, answers: Mapping[str, str], trust: bool = False) -> dict[str, Any]:
    """Return the value of each variable of a template: the answer as it is, else what its default renders to.

    Raises `SkilltoolError` for a default that cannot be rendered, or that reaches for the interpreter.
    """
    from cookiecutter import generate, prompt

    with _failures(template), _environment(template, trust):
        context = generate.generate_context(str(template.directory / "cookiecutter.json"))
        literal = {
            key: f"{{{{ {json.dumps(value, ensure_ascii=False)} }}}}" for key, value in answers.items()
        }
        context["cookiecutter"].update(literal)
        return dict(prompt.prompt_for_config(context, no_input=True))


def render(template: Template, variables: Mapping[str, Any], output: Path, trust: bool = False) -> Path:
    """Write the skill that a template makes of its variables into `output`; return the skill's directory.

    Raises `SkilltoolError` for a template that cannot be rendered, that reaches for the interpreter, or
    that names a file outside of the skill.
    """
    from cookiecutter import generate

    with _failures(template), _environment(template, trust) as create:
        context = {"cookiecutter": dict(variables)}
        _check_names(template, create(context), context)
        made = generate.generate_files(
            template.directory, context, output, accept_hooks=False, overwrite_if_exists=False
        )
    return _checked(template, Path(made), output)


@contextmanager
def _failures(template: Template) -> Iterator[None]:
    """Turn what goes wrong with a template into a `SkilltoolError`."""
    from cookiecutter.exceptions import CookiecutterException
    from jinja2.exceptions import SecurityError, TemplateError

    try:
        yield
    except SecurityError as error:
        raise SkilltoolError(
            f"{template.name}: the template reaches for the interpreter and was stopped: {error}; "
            "pass --trust only if you know why it does"
        ) from None
    except (CookiecutterException, TemplateError, OSError, ValueError) as error:
        said = getattr(error, "message", None) or str(error).partition("\n")[0]
        raise SkilltoolError(f"{template.name}: the template cannot be rendered: {said}") from None


@contextmanager
def _environment(template: Template, trust: bool) -> Iterator[Any]:
    """Give a function that makes the Jinja environment; in a sandbox unless the template is trusted."""
    from cookiecutter import generate, prompt
    from cookiecutter.environment import StrictEnvironment
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Sandboxed(StrictEnvironment, ImmutableSandboxedEnvironment):  # type: ignore[misc]
        """Cookiecutter's environment, in which a template reaches no attribute of the interpreter's."""

    def create(context: dict[str, Any]) -> Any:
        kind = StrictEnvironment if trust else Sandboxed
        return kind(context=context, keep_trailing_newline=True)

    modules = [module for module in (generate, prompt) if hasattr(module, _HOOK)]
    if len(modules) < 2 and not (template.own or trust):
        raise SkilltoolError(
            f"{template.name}: this version of cookiecutter has no place for the sandbox, so the template "
            "may run code on this machine; pass --trust if you know it"
        )
    usual = [getattr(module, _HOOK) for module in modules]
    try:
        for module in modules:
            setattr(module, _HOOK, create)
        yield create
    finally:
        for module, function in zip(modules, usual, strict=True):
            setattr(module, _HOOK, function)


def _check_names(template: Template, environment: Any, context: Mapping[str, Any]) -> None:
    """Render the name of each file and folder; raise for one that leaves the skill's directory."""
    entries = template.directory.iterdir()
    tops = [path for path in entries if "{{" in path.name and "cookiecutter" in path.name]
    if len(tops) != 1 or not tops[0].is_dir():
        wanted = "{{cookiecutter.name}}"
        raise SkilltoolError(f"{template.name}: a template has one directory, called {wanted}")
    for path in (tops[0], *tops[0].rglob("*")):
        rendered = environment.from_string(path.name).render(**context)
        if rendered in ("", ".", "..") or set(rendered) & set("/\\\0"):
            raise SkilltoolError(f"{template.name}: the name {path.name!r} leads out of the skill")


def _checked(template: Template, made: Path, output: Path) -> Path:
    """Return the directory that was made, once more looked at: inside, and without links that lead out."""
    top = made.resolve()
    if top.parent != output.resolve():
        raise SkilltoolError(f"{template.name}: the template writes outside of the skill")
    for folder, folders, files in os.walk(top):
        for entry in (Path(folder, each) for each in [*folders, *files]):
            if entry.is_symlink():
                raise SkilltoolError(f"{template.name}: {entry.relative_to(top)} is a link")
    return top

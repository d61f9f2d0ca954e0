"""Has a template rendered in a process with limits of time and memory, and checks what that wrote.

The process is started by the first request and ends with `open_template`; only it imports cookiecutter.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from skilltool.bounds.limited_process import LimitedProcessError
from skilltool.errors import SkilltoolError
from skilltool.scaffold.templates import Template


def resolve_variables(template: Template, answers: Mapping[str, str], trust: bool = False) -> dict[str, Any]:
    """Return the value of each variable of a template: the answer verbatim, else its rendered default.

    Raises `SkilltoolError` for a default that cannot be rendered, that the sandbox blocks, or that exceeds a
    limit.
    """
    variables: dict[str, Any] = _ask(template, "variables", trust, answers=dict(answers))
    return variables


def resolve_options(
    template: Template, answers: Mapping[str, str], trust: bool = False
) -> dict[str, list[str]]:
    """Return the options of each closed question, which may depend on the answers given so far.

    Raises `SkilltoolError` as `resolve_variables` does.
    """
    closed = {key: question for key, question in template.questions.items() if question.options}
    if not any(question.is_computed for question in closed.values()):
        return {key: list(map(str, question.options)) for key, question in closed.items()}
    options: dict[str, list[str]] = _ask(template, "options", trust, answers=dict(answers))
    return options


def render(template: Template, variables: Mapping[str, Any], output: Path, trust: bool = False) -> Path:
    """Render a template into the directory `output`; return the skill's directory.

    Raises `SkilltoolError` as `resolve_variables` does, and for a template that names a file outside the
    skill. What was written by then stays in `output`, and nothing is written afterwards.
    """
    rendered = _ask(template, "render", trust, variables=dict(variables), output=os.path.abspath(output))
    return _check_files(template, Path(rendered), output)


def _ask(template: Template, call: str, trust: bool, **arguments: Any) -> Any:
    source = {"name": template.name, "directory": os.fspath(template.directory), "own": template.own}
    try:
        answer = template.process.ask({"call": call, "template": source, "trust": trust, **arguments})
    except LimitedProcessError as error:
        raise SkilltoolError(f"template {template.name}: {error}") from None
    if "error" in answer:
        raise SkilltoolError(answer["error"])
    return answer["value"]


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

"""What `skilltool new` asks on a terminal: the template, the runtime, and the template's own questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from skilltool.cli.output import ask, note, write
from skilltool.errors import SkilltoolError
from skilltool.text.printable import safe_lines

if TYPE_CHECKING:
    from skilltool.runtimes.base import Runtime
    from skilltool.scaffold import SkillRequest
    from skilltool.scaffold.questions import Question

Answer = TypeVar("Answer")


def ask_template(default: str, trust: bool) -> str:
    """Ask for the name of a template, a directory or a URL, until one can be opened."""
    from skilltool import scaffold

    def opened(source: str) -> str:
        with scaffold.open_template(source, trust):
            return source

    write(safe_lines(["templates:", *template_list()]))
    return _asked("template", default, opened)


def ask_runtime(default: str) -> Runtime:
    """Ask for the id of a runtime until there is one."""
    from skilltool import runtimes

    write(safe_lines([f"runtimes: {', '.join((*runtimes.BARE, 'portable'))}"]))
    return _asked("runtime", default, runtimes.get)


def template_list() -> list[str]:
    """Return a line for each template that ships with skilltool."""
    from skilltool import scaffold

    lines = []
    for name in scaffold.template_names():
        with scaffold.open_template(name) as template:
            lines.append(f"{name:<12} {template.about}")
    return lines


def ask_answers(order: SkillRequest) -> SkillRequest:
    """Check the answers given, then prompt for the others until each is valid."""
    from skilltool import scaffold

    scaffold.check_request(order)
    for key, question in order.template.questions.items():
        if key not in order.answers:
            order = _answered(order, question)
    return order


def _answered(order: SkillRequest, question: Question) -> SkillRequest:
    """Return the request with the answer to one more question."""
    from skilltool import scaffold

    default = scaffold.default_answer(order, question.key)
    options = order.options.get(question.key, [])

    def checked(text: str) -> SkillRequest:
        answer = default if text == shown else text
        if options:
            answer = _chosen(question.key, text, options)
        more = replace(order, answers={**order.answers, question.key: answer})
        scaffold.check_request(more)
        return more

    text = question.prompt or question.key
    if options:
        labels = (question.labels.get(option, option) for option in options)
        numbered = [f"    {number} - {label}" for number, label in enumerate(labels, start=1)]
        write(safe_lines([question.prompt or f"Select {question.key}", *numbered]))
        numbers = "/".join(str(number) for number in range(1, len(options) + 1))
        text, shown = f"    Choose from [{numbers}]", "1"
    elif isinstance(question.default, bool):
        text, shown = f"{text} [y/n]", "y" if question.default else "n"
    elif isinstance(question.default, dict):
        shown = "default"
    else:
        text, shown = _with_limit(text, question.key, order.runtime), default
    return _asked(text, shown, checked)


def _chosen(key: str, text: str, options: list[str]) -> str:
    """Return the option with the number that was typed; raises `SkilltoolError` for anything else."""
    if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= len(options):
        return options[int(text[:9]) - 1]
    raise SkilltoolError(f"`{key}`: choose a number from 1 to {len(options)}")


def _with_limit(text: str, key: str, runtime: Runtime) -> str:
    from skilltool.scaffold import answers

    if key in ("name", "description"):
        return f"{text} (at most {answers.max_length(runtime, key):,} characters)"
    return text


def _asked(question: str, default: str, checked: Callable[[str], Answer]) -> Answer:
    """Prompt until `checked` takes the answer, and return what it makes of it."""
    while True:
        text = ask(question, default)
        try:
            return checked(text)
        except SkilltoolError as error:
            note(str(error))

"""The questions of a template, as `cookiecutter.json` states them: texts, yes or no, choices, objects.

Source: cookiecutter 2.7, `prompt.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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
        return f"`{question.key}` is `{answer}`; choose one of: {', '.join(options)}"
    if isinstance(question.default, bool) and answer.strip().lower() not in _YES | _NO:
        return f"`{question.key}` is `{answer}`; answer yes or no"
    if isinstance(question.default, dict) and _object(answer) is None:
        return f'`{question.key}` is not a JSON object; write one such as {{"key": "value"}}'
    return None


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

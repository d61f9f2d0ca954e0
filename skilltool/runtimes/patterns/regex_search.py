"""A skill's own regular expressions, searched in a process that can be ended.

They are untrusted: one can take years, or all memory. The process gets them as data, answers
skill by skill, and is ended when one skill takes too long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from skilltool.runtimes.patterns.bounded_process import NotStartedError, OutOfTimeError
from skilltool.runtimes.patterns.bounded_process import answers as answers_of

SECONDS = 1.0

# What the process runs: it searches the patterns of a skill in their order up to the first one that
# is found, as agent-base does.
_PROGRAM = r"""
import json, re, sys, warnings
warnings.simplefilter("ignore")
text, groups = json.load(sys.stdin)
print(json.dumps(None), flush=True)
for patterns in groups:
    answer = {"found": False, "errors": [], "failure": None}
    for pattern in patterns:
        try:
            if re.search(pattern, text, re.IGNORECASE):
                answer["found"] = True
                break
        except re.error as error:
            answer["errors"].append([pattern, str(error)])
        except Exception as error:
            answer["failure"] = str(error) or type(error).__name__
            break
    print(json.dumps(answer), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of the patterns of one skill.

    `errors` are the patterns that are no regular expressions, each with the words of Python's `re`;
    `failure` says why the search ended without an answer.
    """

    found: bool = False
    errors: tuple[tuple[str, str], ...] = ()
    failure: str | None = None


def search(groups: Sequence[Sequence[str]], text: str, seconds: float = SECONDS) -> list[Answer]:
    """Say for each group of patterns whether one is found in `text`, ignoring case; never raises.

    Each group has `seconds`; one that takes longer is not found, and the others are searched all the same.
    """
    answers: list[Answer] = []
    while len(answers) < len(groups):
        found, failure = _run(groups[len(answers) :], text, seconds)
        answers += found
        if failure is None:
            answers += [Answer(failure="no process could be started")] * (len(groups) - len(answers))
        elif len(answers) < len(groups):
            answers.append(Answer(failure=failure))
    return answers


def _run(groups: Sequence[Sequence[str]], text: str, seconds: float) -> tuple[list[Answer], str | None]:
    """Return the answers of one process, and what ended it; None if it did not even begin."""
    answers: list[Answer] = []
    try:
        for raw in answers_of(_PROGRAM, [text, list(map(list, groups))], seconds):
            answers.append(_answer(raw))  # noqa: PERF401 - those before an error are kept
    except NotStartedError:
        return answers, None
    except OutOfTimeError:
        return answers, f"the search took longer than {seconds:g} s"
    return answers, "the search ended without an answer"


def _answer(raw: dict[str, Any]) -> Answer:
    return Answer(raw["found"], tuple((pattern, words) for pattern, words in raw["errors"]), raw["failure"])

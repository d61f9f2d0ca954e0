"""Which skills have a regular expression that matches a message? Searched in a process that can be killed.

The expressions are untrusted: one can take years, or all memory. The process gets them as data, answers
skill by skill, and is killed when one skill takes too long.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from skilltool.runtimes.patterns.bounded_process import NotStartedError, OutOfTimeError
from skilltool.runtimes.patterns.bounded_process import answers as answers_of

SECONDS = 1.0  # for one skill
_SECONDS_IN_ALL = 5.0

# What the process runs: it searches for the patterns of a skill in their order, up to the first match, as
# agent-base does.
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
    """The result for the patterns of one skill: whether one of them matches.

    `errors` are the patterns that do not compile, each with the message of Python's `re`; `failure` says
    why the search ended without a result.
    """

    found: bool = False
    errors: tuple[tuple[str, str], ...] = ()
    failure: str | None = None


def search(groups: Sequence[Sequence[str]], text: str, seconds: float = SECONDS) -> list[Answer]:
    """Return for each group of patterns whether one matches in `text`, ignoring case; never raises.

    Each group has `seconds`; one that takes longer counts as no match, and the search goes on with the
    others. After some seconds in all it does not.
    """
    answers: list[Answer] = []
    last = time.monotonic() + _SECONDS_IN_ALL
    while len(answers) < len(groups):
        if time.monotonic() > last:
            late = Answer(failure=f"the search for other skills took longer than {_SECONDS_IN_ALL:g} s")
            return answers + [late] * (len(groups) - len(answers))
        found, failure = _run(groups[len(answers) :], text, seconds, last)
        answers += found
        if failure is None:
            answers += [Answer(failure="the search process could not be started")] * (
                len(groups) - len(answers)
            )
        elif len(answers) < len(groups):
            answers.append(Answer(failure=failure))
    return answers


def _run(
    groups: Sequence[Sequence[str]], text: str, seconds: float, last: float
) -> tuple[list[Answer], str | None]:
    """Return the answers of one process and why it ended, None in place of the reason if it never started."""
    answers: list[Answer] = []
    try:
        for raw in answers_of(_PROGRAM, [text, list(map(list, groups))], seconds):
            answers.append(_answer(raw))
            if time.monotonic() > last:
                break
    except NotStartedError:
        return answers, None
    except OutOfTimeError:
        return answers, f"the search took longer than {seconds:g} s"
    return answers, "the search ended without an answer"


def _answer(raw: dict[str, Any]) -> Answer:
    return Answer(raw["found"], tuple((pattern, words) for pattern, words in raw["errors"]), raw["failure"])

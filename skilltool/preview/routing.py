"""The page of a result of `route`: what was expected against what was called, each cell with its prompts.

It is read from the JSON that `skilltool route --output-format json` prints, whose form `schemas/route` says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator

from skilltool.errors import SkilltoolError
from skilltool.files.paths import display_path
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.lint.result import count_of
from skilltool.preview.markup import clipped
from skilltool.skill import schema

_MOST_BYTES = 16 * MEBIBYTE
_MOST_WHY = 200  # characters
_NO_SKILL = "no skill"  # as in `route`
_RATES = {"right": "Right answers", "recall": "Recall", "precision": "Precision"}


class Exchange(NamedTuple):
    """A case: its file and line, its prompt, empty where the result has none, and what each answer called."""

    place: str
    prompt: str
    called: tuple[str, ...]


class Pair(NamedTuple):
    """A cell: how many answers called a skill where one is expected, whether that is right, and the cases."""

    called: str
    answers: int
    is_right: bool
    cases: tuple[Exchange, ...]


class Part(NamedTuple):
    """What was found in one client.

    `rates` have a name, a value, of what and its interval, as text. `rows` have what is expected, and a cell
    for each of the `columns`, None where nothing was called so. `remarks` are what was not sent or failed.
    """

    runtime: str
    rates: tuple[tuple[str, str, str, str], ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Pair | None, ...]], ...]
    remarks: tuple[str, ...]


class Routing(NamedTuple):
    """A result: one sentence, what it is based on, each client, and whether it has the prompts."""

    sentence: str
    about: str
    parts: tuple[Part, ...]
    has_prompts: bool


def read(path: Path) -> Routing:
    """Read a result; raises `SkilltoolError` if the file is none."""
    shown = display_path(path)
    try:
        found = json.loads(read_bounded(path, _MOST_BYTES))
    except OSError as error:
        raise SkilltoolError(f"{shown} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise SkilltoolError(f"{shown} is not JSON; write it with `{_COMMAND}`") from None
    wrong = next(Draft202012Validator(schema.load("route")).iter_errors(found), None)
    if wrong is not None:
        why = f"{wrong.json_path}: {clipped(wrong.message, _MOST_WHY)}"
        raise SkilltoolError(f"{shown} is not a result of `{_COMMAND}`: {why}")
    return routing(found)


_COMMAND = "skilltool route --output-format json -o FILE"


def routing(data: Mapping[str, Any]) -> Routing:
    """Return what the page shows of a result."""
    prompts = {case["place"]: case.get("prompt", "") for case in data["cases"]}
    model = data.get("model")
    if model is None:
        parts = tuple(_by_words(data, client, prompts) for client in data["lexical"]["runtimes"])
        first = "By shared words, the expected skill ranks first"
        about = f"{data['lexical']['about']}. No model was queried."
    else:
        parts = tuple(_by_model(client, prompts) for client in model["runtimes"])
        first = f"{model['model']} gives the right answer"
        answers = count_of(model["repeats"], "answer")
        about = f"{answers} for each case from {model['endpoint']}, {model['about']}; {model['intervals']}."
    shown = ((part.runtime, *part.rates[0]) for part in parts if part.rates)
    shares = [f"for {value} of {of} in {runtime}" for runtime, _, value, of, _ in shown]
    sentence = f"{first} {', '.join(shares)}" if shares else "No client has a case"
    return Routing(sentence, about, parts, any(prompts.values()))


def _by_model(client: Mapping[str, Any], prompts: Mapping[str, str]) -> Part:
    pairs: dict[tuple[str, str], list[tuple[bool, Exchange]]] = {}
    for case in client["cases"]:
        called = tuple(name or _NO_SKILL for name in case["called"])
        exchange = Exchange(case["place"], prompts.get(case["place"], ""), called)
        for name, is_right in zip(called, case["right"], strict=False):
            pairs.setdefault((case["wanted"], name), []).append((is_right, exchange))
    known = (name for name in _RATES if client[name]["value"] is not None)
    rates = [(_RATES[name], *_shown(client[name])) for name in known]
    remarks = [f"Not sent: {'; '.join(client['not_sent'])}."] if client["not_sent"] else []
    if client["not_asked"]:
        number = count_of(len(client["not_asked"]), "case")
        remarks.append(f"{number} not sent because the skill is not listed.")
    for why, number in client["errors"].items():
        remarks.append(f"{count_of(number, 'error')}, not included in any rate: {why}.")
    return _part(client["runtime"], rates, pairs, remarks)


def _by_words(data: Mapping[str, Any], client: Mapping[str, Any], prompts: Mapping[str, str]) -> Part:
    expected = {case["place"]: case["expected"] for case in data["cases"]}
    pairs: dict[tuple[str, str], list[tuple[bool, Exchange]]] = {}
    for each in client["ranks"]:
        wanted = expected.get(each["place"])
        if not wanted:
            continue
        name = each["first"] or _NO_SKILL
        exchange = Exchange(each["place"], prompts.get(each["place"], ""), (name,))
        pairs.setdefault((wanted[0], name), []).append((each["rank"] == 1, exchange))
    every = [is_right for found in pairs.values() for is_right, _ in found]
    rates = [("First by words", f"{sum(every):,}", count_of(len(every), "case"), "")] if every else []
    return _part(client["runtime"], rates, pairs, [])


def _part(
    runtime: str,
    rates: Sequence[tuple[str, str, str, str]],
    pairs: Mapping[tuple[str, str], Sequence[tuple[bool, Exchange]]],
    remarks: Sequence[str],
) -> Part:
    """Return the part of a client, the rows with most wrong answers first."""
    wrong: dict[str, int] = {}
    for (expected, _), found in pairs.items():
        wrong[expected] = wrong.get(expected, 0) - sum(not is_right for is_right, _ in found)
    rows = sorted(wrong, key=lambda name: (wrong[name], name == _NO_SKILL, name))
    called = {name for _, name in pairs}
    columns = (*(name for name in rows if name in called), *sorted(called.difference(rows)))
    return Part(
        runtime,
        tuple(rates),
        columns,
        tuple((row, tuple(_cells(row, columns, pairs))) for row in rows),
        tuple(remarks),
    )


def _cells(
    row: str, columns: Sequence[str], pairs: Mapping[tuple[str, str], Sequence[tuple[bool, Exchange]]]
) -> Iterator[Pair | None]:
    for column in columns:
        found = pairs.get((row, column))
        if found is None:
            yield None
        else:
            cases = tuple(dict.fromkeys(exchange for _, exchange in found))
            yield Pair(column, len(found), all(is_right for is_right, _ in found), cases)


def _shown(rate: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return a rate in percent, of how many cases, and its interval."""
    interval = f"{rate['low']:.0%} to {rate['high']:.0%}"
    return f"{rate['value']:.0%}", count_of(rate["cases"], "case"), interval

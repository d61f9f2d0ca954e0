"""Directives before the first document as yaml.v2 2.4.0 and yaml.v3 3.0.1 take them: only YAML 1.1 is known.

Source: `parserc.go` of both (`yaml_parser_process_directives`), and their results for generated texts
(`tests/libraries/yaml-go-directives-2.4.0-3.0.1.jsonl`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import yaml

from skilltool.text.frontmatter.nodes import YamlError

_DIRECTIVE = re.compile("\ufeff?" + r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|[\r\n\x85\u2028\u2029]))*%")
_KNOWN_VERSION = (1, 1)
CONTROL = "control characters are not allowed"  # so say their readers, which are ahead of their scanners


def check_directives(text: str, tokens_ahead: int) -> None:
    """Raise `YamlError` for directives at the start of `text` that Go refuses and libyaml accepts.

    Before a token is parsed, `tokens_ahead` more are scanned, so an error in those comes first.
    """
    if not _DIRECTIVE.match(text):
        return
    tokens, error = _prologue(text, tokens_ahead)
    handles: set[str] = set()
    for number, token in enumerate(tokens, start=1):
        if error is not None and len(tokens) - number < tokens_ahead:
            raise error
        if not isinstance(token, yaml.DirectiveToken):
            if not isinstance(token, yaml.DocumentStartToken):
                raise _error("did not find expected <document start>", token)
            return
        name = str(token.name if token.name == "YAML" else token.value[0])
        if name in handles:
            raise _error(f"found duplicate %{token.name} directive", token)
        if token.name == "YAML" and token.value != _KNOWN_VERSION:
            raise _error("found incompatible YAML document", token)
        handles.add(name)


def _prologue(text: str, tokens_ahead: int) -> tuple[list[Any], YamlError | None]:
    """Return the directives, the token after them and `tokens_ahead` more, and the error that ended them."""
    tokens: list[Any] = []
    scanned = islice(all_tokens(text), 1, None)  # the first token is the start of the stream
    try:
        for token in scanned:
            tokens.append(token)
            if not isinstance(token, yaml.DirectiveToken):
                tokens += islice(scanned, tokens_ahead)
                break
    except YamlError as error:
        return tokens, error
    except yaml.MarkedYAMLError as error:
        mark = error.context_mark if error.context_mark and error.context_mark.line else error.problem_mark
        line = mark.line if mark else 0
        words = error.problem or ""
        return tokens, YamlError(words, mark.index if mark else 0, go_line=line + 1 if line else 0)
    return tokens, None


def all_tokens(text: str) -> Iterator[Any]:
    """Yield the tokens of `text`; raises `yaml.MarkedYAMLError`, and `YamlError` for control characters."""
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
        try:
            yield from iter(loader.get_token, None)
        finally:
            loader.dispose()
    except yaml.reader.ReaderError:
        raise YamlError(CONTROL, 0) from None


def _error(problem: str, token: Any) -> YamlError:
    return YamlError(problem, token.start_mark.index, go_line=token.start_mark.line)

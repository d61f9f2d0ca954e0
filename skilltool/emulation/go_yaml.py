"""What gopkg.in/yaml.v2 2.4.0 and yaml.v3 3.0.1 have in common: how they scan YAML, and the types of scalars.

Both are ports of libyaml; here is where they differ from it. `go_yaml_v2` and `go_yaml_v3` decode the tree.
Sources: `scannerc.go`, `parserc.go` (`yaml_parser_process_directives`), `decode.go` and `resolve.go` of both
(they differ in the words for bools: `BOOLS` is v3's, `OLD_BOOLS` v2's), `strconv`, and their results for
generated texts (`tests/libraries/yaml-go-2.4.0-3.0.1.jsonl`, `yaml-go-directives-2.4.0-3.0.1.jsonl`).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import Any

import yaml

from skilltool.emulation.go import decoded, replaced
from skilltool.text.frontmatter.composing import compose as compose_events
from skilltool.text.frontmatter.nodes import Alias, Mapping, Node, Scalar, Sequence, YamlError
from skilltool.text.lazy_pattern import lazy_pattern

# A slash after an odd number of backslashes: JSON's escape, which YAML 1.2 has and Go's scanner does not.
_SLASH = lazy_pattern(r"(?<!\\)(?:\\\\)*\\/")
# libyaml skips a byte order mark at the start of any line, Go's scanner only at the start of the text.
_BOM, _BOM_STAND_IN = "\ufeff", "\U0010fffd"
# yaml.v3 reads two tokens past the end of the document, looking for comments.
_TOKENS_AHEAD = 2
# Python's reason -> what the reader of both says about the same byte.
_READER_WORDS = {
    "invalid continuation byte": "invalid trailing UTF-8 octet",
    "unexpected end of data": "incomplete UTF-8 octet sequence",
}
_DIRECTIVE = lazy_pattern("\ufeff?" + r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|[\r\n\x85\u2028\u2029]))*%")
_KNOWN_VERSION = (1, 1)
_CONTROL = "control characters are not allowed"  # so say their readers, which are ahead of their scanners
_STANDARD = "tag:yaml.org,2002:"
BOOLS = frozenset({"true", "True", "TRUE", "false", "False", "FALSE"})
OLD_BOOLS = BOOLS | {"y", "Y", "yes", "Yes", "YES", "on", "On", "ON"}
OLD_BOOLS |= {"n", "N", "no", "No", "NO", "off", "Off", "OFF"}
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_FLOAT_WORDS = lazy_pattern(r"\.(?:nan|NaN|NAN)|[-+]?\.(?:inf|Inf|INF)")
# Underscores are removed before a number is read, wherever they are.
_INTEGER = lazy_pattern(r"[-+]?(?:0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)")
_SIGN_AFTER_BASE = lazy_pattern(r"0b[-+][01]+")
_FLOAT = lazy_pattern(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_LEADING_DOT = lazy_pattern(r"\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?")
_DATE = lazy_pattern(
    r"(?P<date>[0-9]{4}-[0-9]{1,2}-[0-9]{1,2})"
    r"(?:(?: |(?P<zoned>[Tt]))(?P<time>[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2})(?:[.,][0-9]+)?"
    r"(?(zoned)(?:Z|[-+][0-9]{2}:[0-9]{2})))?"
)
_TYPED = frozenset({"bool", "float", "int", "null", "timestamp"})


def compose(text: str, reads_ahead: bool = False) -> Node | None:
    """Return the tree of the first document in YAML `text`, None if it is empty.

    Raises `YamlError` with Go's messages. With `reads_ahead`, as in yaml.v3, the first tokens after the
    document must be valid, too.
    """
    if problem := _invalid_utf8(text):
        raise YamlError(problem, 0)
    scanned = text[:1] + text[1:].replace(_BOM, _BOM_STAND_IN)
    try:
        _check_directives(scanned, _TOKENS_AHEAD if reads_ahead else 0)
        document = compose_events(scanned, first_only=True)
    except YamlError as error:
        if error.problem.endswith(_CONTROL):
            raise YamlError(_CONTROL, error.start) from None
        raise
    root = document.root
    if root is not None and "\\/" in text:
        _check_escapes(text, root)
    if reads_ahead and document.end < len(scanned):
        _scan_ahead(scanned, document.end)
    return _with_byte_order_marks(root) if root is not None and _BOM_STAND_IN in scanned else root


def _invalid_utf8(text: str) -> str | None:
    """Return the error for `decoded` text that is not valid UTF-8, else None."""
    try:
        text.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeDecodeError as error:
        return _READER_WORDS.get(error.reason, "invalid leading UTF-8 octet")
    return None


def targets(root: Node) -> dict[int, Node]:
    """Return the target of each alias under `root`, by the `id()` of the alias; raises `YamlError`.

    The target is the last node before the alias that has the anchor; the alias may be inside it.
    """
    anchors: dict[str, Node] = {}
    found: dict[int, Node] = {}
    _bind(root, anchors, found)
    return found


def is_merge(key: Node) -> bool:
    """Return whether a key is YAML 1.1's `<<`, which merges the entries of other mappings."""
    if not isinstance(key, Scalar) or key.text != "<<":
        return False
    return key.plain or key.tag == "tag:yaml.org,2002:merge"


def _bind(node: Node, anchors: dict[str, Node], found: dict[int, Node]) -> None:
    if isinstance(node, Alias):
        if node.name not in anchors:
            raise YamlError(f"unknown anchor '{node.name}' referenced", node.span.start)
        found[id(node)] = anchors[node.name]
        return
    if node.anchor:
        anchors[node.anchor] = node
    for child in _children(node):
        _bind(child, anchors, found)


def _children(node: Node) -> list[Node]:
    if isinstance(node, Sequence):
        return list(node.items)
    return [child for entry in node.entries for child in entry] if isinstance(node, Mapping) else []


def _check_escapes(text: str, node: Node) -> None:
    quoted = isinstance(node, Scalar) and node.style == '"'
    if quoted and _SLASH.search(text[node.span.start : node.span.end]):
        line = text.count("\n", 0, node.span.start)
        words = "found unknown escape character"
        raise YamlError(words, node.span.start, go_line=line + 1 if line else 0)
    for child in _children(node):
        _check_escapes(text, child)


def _scan_ahead(text: str, start: int) -> None:
    """Scan the token at offset `start`, which ends a document, and two more; raises `YamlError`."""
    try:
        for _ in islice(_all_tokens(text[start:]), _TOKENS_AHEAD + 2):  # one is the start of the stream
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.context_mark or error.problem_mark
        line = text.count("\n", 0, start) + (mark.line if mark else 0)
        raise YamlError(error.problem or "", start, go_line=line + 1 if line else 0) from None


def _with_byte_order_marks(node: Node) -> Node:
    """Return a tree with the byte order marks back that `compose` replaced."""
    if isinstance(node, Scalar):
        return node._replace(text=node.text.replace(_BOM_STAND_IN, _BOM))
    if isinstance(node, Sequence):
        return node._replace(items=tuple(map(_with_byte_order_marks, node.items)))
    if isinstance(node, Mapping):
        entries = tuple(
            (_with_byte_order_marks(key), _with_byte_order_marks(value)) for key, value in node.entries
        )
        return Mapping(node.span, entries, node.flow, node.tag, node.anchor)
    return node


def _check_directives(text: str, tokens_ahead: int) -> None:
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
                raise _directive_error("did not find expected <document start>", token)
            return
        name = str(token.name if token.name == "YAML" else token.value[0])
        if name in handles:
            raise _directive_error(f"found duplicate %{token.name} directive", token)
        if token.name == "YAML" and token.value != _KNOWN_VERSION:
            raise _directive_error("found incompatible YAML document", token)
        handles.add(name)


def _prologue(text: str, tokens_ahead: int) -> tuple[list[Any], YamlError | None]:
    """Return the directives, the token after them and `tokens_ahead` more, and the error that ended them."""
    tokens: list[Any] = []
    scanned = islice(_all_tokens(text), 1, None)  # the first token is the start of the stream
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


def _all_tokens(text: str) -> Iterator[Any]:
    """Yield the tokens of `text`; raises `yaml.MarkedYAMLError`, and `YamlError` for control characters."""
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
        try:
            yield from iter(loader.get_token, None)
        finally:
            loader.dispose()
    except yaml.reader.ReaderError:
        raise YamlError(_CONTROL, 0) from None


def _directive_error(problem: str, token: Any) -> YamlError:
    return YamlError(problem, token.start_mark.index, go_line=token.start_mark.line)


def short_tag(tag: str) -> str:
    """Return a tag as messages show it: `!!int` for one of YAML's own."""
    return f"!!{tag.removeprefix(_STANDARD)}" if tag.startswith(_STANDARD) else tag


def kind_of(node: Scalar, bools: frozenset[str]) -> str:
    """Return the kind of a scalar's value: `str`, `null`, `bool`, `int`, `float`, `timestamp`, `binary`.

    A scalar with an unknown tag is a `str`. Raises `YamlError` for a value that its tag does not allow.
    """
    tag = node.tag or ""
    name = tag.removeprefix(_STANDARD) if tag.startswith(_STANDARD) else ""
    if tag in ("", "!"):
        return "str" if node.style else _untagged(node.text, bools)
    if name not in _TYPED:
        return "binary" if name == "binary" else "str"
    found = _untagged(node.text, bools, dates=name == "timestamp")
    if found != name and not (name == "float" and found == "int"):
        raise YamlError(f"cannot decode !!{found} `{node.text}` as a !!{name}", node.span.start)
    return name


def _untagged(text: str, bools: frozenset[str], dates: bool = True) -> str:
    """Return the kind of a plain scalar without a tag; without `dates`, never `timestamp`."""
    if text in _NULLS:
        return "null"
    if text in bools:
        return "bool"
    if _FLOAT_WORDS.fullmatch(text):
        return "float"
    if text == "<<":
        return "merge"
    if text[0] == ".":
        return "float" if _LEADING_DOT.fullmatch(text) and _in_range(text) else "str"
    if text[0] not in "+-0123456789":
        return "str"
    if dates and _is_date(text):
        return "timestamp"
    number = text.replace("_", "")
    if (_INTEGER.fullmatch(number) and _fits(number)) or _SIGN_AFTER_BASE.fullmatch(number):
        return "int"
    return "float" if _FLOAT.fullmatch(number) and _in_range(number) else "str"


def text_of(node: Scalar, kind: str) -> str:
    """Return the text that a Go field of type `string` gets from a scalar; raises `YamlError`."""
    if kind != "binary":
        return node.text
    plain = node.text.replace("\n", "").replace("\r", "")
    try:
        if len(plain) % 4:
            raise ValueError(plain)
        return replaced(decoded(base64.b64decode(plain, validate=True)))
    except (binascii.Error, ValueError):
        raise YamlError("!!binary value contains invalid base64 data", node.span.start) from None


def _fits(number: str) -> bool:
    """Return whether an integer fits 64 bits: signed if it has a sign, else unsigned."""
    digits = number.lstrip("+-")
    if len(digits) > 70:
        return False
    octal = digits[0] == "0" and digits[1:2].isdigit()
    value: int = int(digits, 8) if octal else int(digits, 0)
    highest = {"-": 2**63, "+": 2**63 - 1}.get(number[0], 2**64 - 1)
    return value <= highest


def _in_range(number: str) -> bool:
    """Return whether a number is finite as a float."""
    return abs(float(number)) < float("inf")


def _is_date(text: str) -> bool:
    match = _DATE.fullmatch(text)
    if not match:
        return False
    try:
        year, month, day = map(int, match["date"].split("-"))
        hour, minute, second = map(int, (match["time"] or "0:0:0").split(":"))
        datetime(year or 4, month, day, hour, minute, second)
    except ValueError:
        return False
    return True

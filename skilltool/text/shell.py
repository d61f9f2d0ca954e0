r"""What does a shell script say, and where: which commands, pipes, redirections and variables does it have?

The parser is tree-sitter's for Bash, which also reads what is not quite right, such as half a script.
It is imported when the first text is read. Texts are untrusted: nothing is run, and what takes too
long is read in smaller pieces. Offsets are code points, of the text that is read plus `base`.

Aliases, functions and variables are not looked up: a word says what is written, with `literal` if that is its
value.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

# What is read at once; a longer text is read in pieces. Pipes take time with the square of their number.
_MOST_CHARS = 50_000
_MOST_BARS = 1_000
_MOST_SECONDS = 1.0  # of processor time for one piece; ordinary scripts take 0.3 ms for a kilobyte
_MOST_DEPTH = 100  # nodes in nodes that are visited by recursion
_MOST_INNER = 3  # scripts in words of scripts, as `sh -c "..."` has them

SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh"})
# Programs that run the command after them, and those of their options that take a value of their own.
_RUNNERS = {
    "sudo": ("-u", "-g", "-h", "-p", "-C", "-T", "-U"),
    "doas": ("-u", "-C"),
    "env": ("-u", "-C", "-S"),
    "nohup": (),
    "time": ("-f", "-o"),
    "exec": ("-a",),
    "command": (),
    "builtin": (),
    "nice": ("-n",),
    "ionice": ("-c", "-n"),
    "timeout": ("-s", "-k"),
    "stdbuf": ("-i", "-o", "-e"),
    "setsid": (),
    "xargs": ("-I", "-n", "-P", "-L", "-d", "-a", "-s"),
}
_ASSIGNED = lazy_pattern(r"[A-Za-z_]\w*=")
_NOT_ASCII = lazy_pattern(r"[^\x00-\x7f]")
_MOST_REDIRECTS = 10  # of one command
_MOST_STEPS = 20  # from a command to those that get its output
_ESCAPED = lazy_pattern(r"\\(?:\n|([\s\S]))")
_ESCAPED_IN_STRING = lazy_pattern(r"\\(?:\n|([$`\"\\]))")
_COMMANDS = frozenset({"command", "declaration_command", "unset_command", "test_command"})
_STRINGS = frozenset({"string", "raw_string", "ansi_c_string", "translated_string"})
_EXPANSIONS = frozenset(
    {"simple_expansion", "expansion", "command_substitution", "process_substitution", "arithmetic_expansion"}
)


class Word(NamedTuple):
    """A word without its quotes. What is substituted stands as it is written: `$HOME/x`, `$(date)`.

    `literal` says that nothing is substituted; patterns such as `*` and `~` may still be expanded.
    `quoted` says that all of it is in quotes, so that they are not.
    """

    text: str
    span: Span
    literal: bool = True
    quoted: bool = False


class Assignment(NamedTuple):
    """A variable that is set, and its value: `NAME=value`, `export NAME=value`, `for NAME in value`."""

    name: str
    value: Word
    span: Span


class Redirect(NamedTuple):
    """A redirection: its operator, `>` or `<<<`, and the file; for `<<` the word is the text itself."""

    operator: str
    target: Word
    span: Span


class Variable(NamedTuple):
    """A variable that is read: `$NAME` or `${NAME}`; `has_default` for `${NAME:-value}` and its like."""

    name: str
    span: Span
    has_default: bool = False


class Command(NamedTuple):
    """One command: the program and its arguments, without assignments and redirections.

    `readers` are the indices of the commands that get its output through a pipe. `within` is the index of the
    command in one of whose words or assignments it stands, as in `rm $(ls)`, or whose word it is, as in
    `sh -c 'ls'`; else None.
    """

    words: tuple[Word, ...]
    span: Span
    assignments: tuple[Assignment, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    readers: range = range(0)
    within: int | None = None

    @property
    def run(self) -> tuple[Word, ...]:
        """The program that does the work and its arguments, without `sudo`, `env`, `time` and the like."""
        words = self.words
        for _ in range(5):
            name = _base_name(words)
            if name not in _RUNNERS or len(words) == 1:
                break
            rest = _after_options(words, _RUNNERS[name], name == "timeout")
            if not rest:
                break
            words = rest
        return words

    @property
    def program(self) -> str:
        """The name of that program without its directory; empty if there is none, or if it is not literal."""
        return _base_name(self.run)

    @property
    def arguments(self) -> tuple[Word, ...]:
        """The words after that program."""
        return self.run[1:]


class Script(NamedTuple):
    """What is in a text: all its commands in the order of the text, and the variables that it reads.

    `functions` are the names of those that it defines. `complete` is False if a part took too long to read.
    """

    commands: tuple[Command, ...] = ()
    variables: tuple[Variable, ...] = ()
    functions: frozenset[str] = frozenset()
    complete: bool = True


@lru_cache(maxsize=64)
def read(text: str, base: int = 0) -> Script:
    """Read a script, or a piece of one; never raises. A part that takes too long to read is left out."""
    return _read(text, base, 0)


def readers_of(script: Script, number: int) -> set[int]:
    """Return the numbers of a command and of those that get its output, through pipes and substitutions."""
    found, waiting = {number}, [number]
    for _ in range(_MOST_STEPS):
        following: list[int] = []
        for each in waiting:
            command = script.commands[each]
            others = list(command.readers)
            if command.within is not None:
                others.append(command.within)
            following += (other for other in others if other not in found)
            found.update(others)
        waiting = following
    return found


def moved(script: Script, span: Span) -> Script:
    """Return a script whose parts all have one span: for text whose offsets say nothing, as in YAML."""
    commands = tuple(
        _moved(each, 0, None, span)._replace(readers=each.readers, within=each.within)
        for each in script.commands
    )
    variables = tuple(each._replace(span=span) for each in script.variables)
    return script._replace(commands=commands, variables=variables)


def without_prompts(text: str) -> str:
    """Return a text of the same length with the commands of a session alone: what follows `$ ` in its lines.

    A text without such a line is returned as it is.
    """
    if "$" not in text or not _PROMPT.search(text):
        return text
    lines, goes_on = [], False
    for line in text.splitlines(keepends=True):
        prompt = _PROMPT.match(line)
        ended = line.rstrip("\r\n")
        if prompt or goes_on:
            start = prompt.end() if prompt else 0
            lines.append(" " * start + line[start:])
            goes_on = ended.endswith("\\")
        else:
            lines.append(" " * len(ended) + line[len(ended) :])
    return "".join(lines)


_PROMPT = lazy_pattern(r"^[ \t]{0,20}\$[ \t]", re.MULTILINE)


def _read(text: str, base: int, inner: int) -> Script:
    # A carriage return belongs to the end of its line; a backslash before it goes on in the next.
    text = text.replace("\\\r\n", " \\\n").replace("\r", " ")
    found, start = Script(), 0
    while start < len(text) or not start:
        end = _end_of_piece(text, start)
        found = _joined(found, _piece(text[start:end], base + start, inner))
        start = max(end, 1)
    return found


def _end_of_piece(text: str, start: int) -> int:
    """Return where a piece ends that begins at `start`: with the text, a blank line or any line."""
    most = len(text) - start
    if most > _MOST_CHARS:
        most = _MOST_CHARS
    if text.count("|", start, start + most) > _MOST_BARS:
        at = start
        for _ in range(_MOST_BARS):
            at = text.index("|", at) + 1
        most = at - start
    if start + most == len(text):
        return len(text)
    half = start + most // 2
    blank = text.rfind("\n\n", half, start + most)
    return blank + 2 if blank >= 0 else text.rfind("\n", half, start + most) + 1 or start + most


def _piece(text: str, base: int, inner: int) -> Script:
    # One byte for each character, so that the parser counts code points.
    data = _NOT_ASCII.sub("x", text).encode()
    end = time.process_time() + _MOST_SECONDS
    parser = _parser()
    try:
        tree = parser.parse(
            lambda offset, _point: data[offset:],
            progress_callback=lambda _offset, _has_error: time.process_time() > end,
        )
    except ValueError:  # the time is over
        parser.reset()
        return Script(complete=False)
    return _Reader(text, base, inner).script(tree.root_node)


def _joined(first: Script, second: Script) -> Script:
    """Return the script of two pieces, one after the other."""
    if not first.commands:
        commands = second.commands
    else:
        shift = len(first.commands)
        commands = first.commands + tuple(
            each._replace(
                readers=range(each.readers.start + shift, each.readers.stop + shift)
                if each.readers
                else range(0),
                within=None if each.within is None else each.within + shift,
            )
            for each in second.commands
        )
    return Script(
        commands,
        first.variables + second.variables,
        first.functions | second.functions,
        first.complete and second.complete,
    )


@lru_cache(maxsize=1)
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


class _Readers:
    """The commands that get the output of a stage of a pipeline, which are only known after it was read."""

    def __init__(self) -> None:
        self.found = range(0)


class _Place(NamedTuple):
    """Where a node is: in which command's words, what reads its output, and how deep."""

    within: int | None
    readers: _Readers
    depth: int


class _Reader:
    """Collects what one text has."""

    def __init__(self, text: str, base: int, inner: int) -> None:
        self._text = text
        self._base = base
        self._inner = inner
        self._commands: list[Command] = []
        self._readers: list[_Readers] = []  # of each command
        self._variables: list[Variable] = []
        self._functions: set[str] = set()
        self._complete = True
        self._later: list[tuple[Node, _Place]] = []  # what is too deep to be visited where it is

    def script(self, root: Node) -> Script:
        self._below(root, _Place(None, _Readers(), 0))
        for node, place in self._later:  # grows
            self._visit(node, place)
        commands = tuple(
            command._replace(readers=readers.found) if readers.found else command
            for command, readers in zip(self._commands, self._readers, strict=True)
        )
        return Script(commands, tuple(self._variables), frozenset(self._functions), self._complete)

    def _visit(self, node: Node, place: _Place) -> None:
        """Collect from a node and all under it."""
        kind = node.type
        if kind in _COMMANDS:
            self._command(node, place)
        elif kind == "pipeline":
            self._pipeline(node, place)
        elif kind == "redirected_statement":
            self._redirected(node, place)
        elif kind == "variable_assignment":
            self._add(place, (), (node,), (), node)
        elif kind == "file_redirect":
            self._add(place, (), (), (node,), node)
        elif kind == "for_statement":
            self._loop(node, place)
        elif kind in ("simple_expansion", "expansion"):
            self._variable(node)
            self._below(node, place)
        elif kind == "function_definition":
            if (name := node.child_by_field_name("name")) is not None:
                self._functions.add(self._source(name))
            self._below(node, place)
        elif kind in ("command_substitution", "process_substitution"):
            # What it prints goes to the command in whose word it is.
            self._below(node, place._replace(readers=_Readers()))
        elif kind == "list":
            for part in _parts_of_list(node):
                self._visit(part, place)
        elif kind != "comment":
            self._below(node, place)

    def _below(self, node: Node, place: _Place) -> None:
        if not node.named_child_count:
            return
        for child in node.named_children:
            self._visit_deeper(child, place)

    def _pipeline(self, node: Node, place: _Place) -> None:
        stages = [stage for stage in node.named_children if stage.type != "comment"]
        before: _Readers | None = None
        for number, stage in enumerate(stages, start=1):
            readers = _Readers() if number < len(stages) else place.readers
            begin = len(self._commands)
            self._visit_deeper(stage, place._replace(readers=readers))
            if before is not None:
                before.found = range(begin, len(self._commands))
            before = readers

    def _loop(self, node: Node, place: _Place) -> None:
        """Read `for NAME in WORDS`, which sets a variable to each of the words, and the commands in it."""
        name = node.child_by_field_name("variable")
        values = node.children_by_field_name("value")
        if name is not None and values:
            number = len(self._commands)
            span = Span(self._base + name.start_byte, self._base + values[-1].end_byte)
            self._commands.append(Command((), span, within=place.within))
            self._readers.append(_Readers())
            inside = _Place(number, _Readers(), place.depth + 1)
            words = [self._word(value, inside) for value in values]
            text = " ".join(word.text for word in words)
            word = Word(text, Span(words[0].span.start, span.end), all(word.literal for word in words))
            assignment = Assignment(self._source(name), word, span)
            self._commands[number] = self._commands[number]._replace(assignments=(assignment,))
        if (body := node.child_by_field_name("body")) is not None:
            self._visit_deeper(body, place)

    def _visit_deeper(self, node: Node, place: _Place) -> None:
        if place.depth < _MOST_DEPTH:
            self._visit(node, _Place(place.within, place.readers, place.depth + 1))
        else:
            self._later.append((node, _Place(place.within, place.readers, 0)))

    def _redirected(self, node: Node, place: _Place) -> None:
        """Give the redirections of a statement to all its commands."""
        body = node.child_by_field_name("body")
        parts = node.children_by_field_name("redirect")
        if body is None:
            self._add(place, (), (), parts, node)
            return
        begin = len(self._commands)
        self._visit_deeper(body, place)
        end = len(self._commands)
        found = self._redirects(parts, place._replace(within=begin if begin < end else None))
        for number in range(begin, end):
            command = self._commands[number]
            self._commands[number] = command._replace(
                redirects=(*command.redirects, *found)[:_MOST_REDIRECTS]
            )
        for part in parts:
            if part.type == "heredoc_redirect":
                self._after_heredoc(part, place, range(begin, end))

    def _after_heredoc(self, node: Node, place: _Place, owners: range) -> None:
        """Read what follows `<<EOF` in its line: a pipeline that reads the output, or another command."""
        for child in node.named_children:
            begin = len(self._commands)
            if child.type == "pipeline":
                self._visit_deeper(child, place)
                readers = _Readers()
                readers.found = range(begin, len(self._commands))
                for number in owners:
                    self._readers[number] = readers
            elif child.type in _COMMANDS or child.type in ("list", "redirected_statement"):
                self._visit_deeper(child, place)

    def _command(self, node: Node, place: _Place) -> None:
        words, assignments, redirects = [], [], []
        if node.type != "command":
            words.append(node.children[0])  # `export`, `unset`, `[[`: no named node
        for child in node.named_children:
            kind = child.type
            if kind == "variable_assignment":
                assignments.append(child)
            elif kind.endswith("redirect"):
                redirects.append(child)
            elif kind != "comment":
                words.append(child)
        self._add(place, words, assignments, redirects, node)

    def _add(
        self,
        place: _Place,
        words: Sequence[Node],
        assignments: Sequence[Node],
        redirects: Sequence[Node],
        node: Node,
    ) -> None:
        number = len(self._commands)
        span = self._span(node)
        self._commands.append(Command((), span))  # keeps the place before the commands in its words
        self._readers.append(place.readers)
        inside = _Place(number, _Readers(), place.depth + 1)
        self._commands[number] = Command(
            tuple([self._word(word, inside) for word in words]),
            span,
            tuple([each for part in assignments for each in self._assignment(part, inside)]),
            self._redirects(redirects, inside),
            within=place.within,
        )
        self._add_inner(number)

    def _add_inner(self, number: int) -> None:
        """Add the commands of `sh -c "..."` and `eval "..."`, at the word that has them."""
        outer = self._commands[number]
        word = _script_in(outer)
        if word is None:
            return
        if self._inner >= _MOST_INNER:
            self._complete = False
            return
        script = _read(word.text, 0, self._inner + 1)
        start = len(self._commands)
        for each in script.commands:
            self._commands.append(_moved(each, start, number, word.span))
            readers = self._readers[number]
            if each.readers:
                readers = _Readers()
                readers.found = range(each.readers.start + start, each.readers.stop + start)
            self._readers.append(readers)
        self._variables += (each._replace(span=word.span) for each in script.variables)
        self._complete = self._complete and script.complete

    def _assignment(self, node: Node, place: _Place) -> Iterator[Assignment]:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None:
            span = self._span(node)
            word = Word("", Span(span.end, span.end)) if value is None else self._word(value, place)
            yield Assignment(self._source(name), word, span)

    def _redirects(self, nodes: Sequence[Node], place: _Place) -> tuple[Redirect, ...]:
        return tuple(each for node in nodes for each in self._redirect(node, place))

    def _redirect(self, node: Node, place: _Place) -> Iterator[Redirect]:
        if node.type == "heredoc_redirect":
            for child in node.named_children:
                if child.type == "heredoc_body":
                    self._below(child, place)
                    literal = not child.named_child_count
                    word = Word(self._source(child), self._span(child), literal, quoted=True)
                    yield Redirect("<<", word, self._span(node))
                elif child.type.endswith("redirect"):
                    yield from self._redirect(child, place)
            return
        operator = next((child.type for child in node.children if not child.is_named), "")
        for child in node.named_children:
            if child.type != "file_descriptor":
                yield Redirect(operator, self._word(child, place), self._span(node))

    def _variable(self, node: Node) -> None:
        for child in node.named_children:
            if child.type in ("variable_name", "special_variable_name"):
                rest = self._text[child.end_byte : child.end_byte + 2].lstrip(":")
                has_default = node.type == "expansion" and rest[:1] in ("-", "=", "+")
                self._variables.append(Variable(self._source(child), self._span(node), has_default))
                return

    def _word(self, node: Node, place: _Place) -> Word:
        if node.type in _EXPANSIONS:
            self._visit(node, place)
        else:
            self._below(node, place)
        parts = list(self._parts(node, 0))
        text, literal = parts[0] if len(parts) == 1 else ("", True)
        if len(parts) != 1:
            text = "".join([part for part, _literal in parts])
            literal = all(literal for _part, literal in parts)
        return Word(text, self._span(node), literal, node.type in _STRINGS)

    def _parts(self, node: Node, depth: int) -> Iterator[tuple[str, bool]]:
        """Yield the pieces of a word without its quotes, each with whether it is literal."""
        kind, written = node.type, self._source(node)
        if kind == "string":
            at = node.start_byte + 1
            for child in node.named_children:
                if child.type in _EXPANSIONS:
                    yield _ESCAPED_IN_STRING.sub(_unescaped, self._text[at : child.start_byte]), True
                    yield self._source(child), False
                    at = child.end_byte
            yield _ESCAPED_IN_STRING.sub(_unescaped, self._text[at : node.end_byte - 1]), True
        elif kind == "raw_string":
            yield written[1:-1], True
        elif kind == "ansi_c_string":
            yield written[2:-1], True
        elif kind in _EXPANSIONS:
            yield written, False
        elif kind in ("concatenation", "command_name", "translated_string") and node.child_count:
            if depth >= _MOST_DEPTH:
                yield written, False
                return
            for child in node.children:
                yield from self._parts(child, depth + 1)
        else:
            yield _ESCAPED.sub(_unescaped, written), True

    def _source(self, node: Node) -> str:
        return self._text[node.start_byte : node.end_byte]

    def _span(self, node: Node) -> Span:
        return Span(self._base + node.start_byte, self._base + node.end_byte)


def _parts_of_list(node: Node) -> list[Node]:
    """Return the statements that `&&` and `||` join; a list has all before its last operator in one node."""
    parts: list[Node] = []
    while node.type == "list" and node.named_child_count:
        first, *others = node.named_children
        parts += reversed(others)
        node = first
    return [node, *reversed(parts)]


def _moved(command: Command, start: int, outer: int | None, span: Span) -> Command:
    """Return a command of an inner script as one of the outer script, where that is at the index `start`."""
    return Command(
        tuple(word._replace(span=span) for word in command.words),
        span,
        tuple(Assignment(each.name, each.value._replace(span=span), span) for each in command.assignments),
        tuple(Redirect(each.operator, each.target._replace(span=span), span) for each in command.redirects),
        range(0),
        outer if command.within is None else command.within + start,
    )


def _script_in(command: Command) -> Word | None:
    """Return the word of a command that a shell reads as a script."""
    program, arguments = command.program, command.arguments
    if program == "eval" and len(arguments) == 1:
        return arguments[0]
    if program in SHELLS:
        for option, word in pairwise(arguments):
            if re.fullmatch(r"-[a-z]*c", option.text):
                return word
            if not option.text.startswith("-"):
                break
    return None


def _unescaped(match: re.Match[str]) -> str:
    return match[1] or ""


def _base_name(words: Sequence[Word]) -> str:
    return words[0].text.rpartition("/")[2] if words and words[0].literal else ""


def _after_options(words: Sequence[Word], with_value: Sequence[str], has_operand: bool) -> tuple[Word, ...]:
    """Return the words after a program's options, assignments, and one more word if it has an operand."""
    at = 1
    while at < len(words):
        text = words[at].text
        if text in with_value:
            at += 2
        elif text.startswith("-") or _ASSIGNED.match(text):
            at += 1
        else:
            break
    return tuple(words[at + has_operand :])

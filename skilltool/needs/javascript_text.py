"""What JavaScript asks for: modules, hosts, programs, variables and paths outside.

Values are followed as far as constants go: a name that is set once to a text, a template to its first value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from skilltool.needs import seen
from skilltool.needs.seen import Rows
from skilltool.needs.shell_text import BUILT_IN
from skilltool.needs.urls import host_of
from skilltool.needs.words import words
from skilltool.rules.shared.credential_files import CREDENTIAL_FILE
from skilltool.skill.texts import Text
from skilltool.text import javascript
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.shell import read as read_shell
from skilltool.text.source import Span

if TYPE_CHECKING:
    from tree_sitter import Node

# https://nodejs.org/api/modules.html#built-in-modules, without those that only a prefix `node:` gives.
_BUILT_IN = words("node_built_in")
_PACKAGE = lazy_pattern(r"(?P<name>@[a-z0-9][\w.~-]*/[a-z0-9~][\w.~-]*|[a-z0-9][\w.~-]*)(?:/.*)?", re.ASCII)
_VERBS = frozenset({"get", "post", "put", "patch", "delete", "head", "request"})
_CLIENTS = frozenset({"axios", "http", "https", "got", "ky", "superagent", "undici"})
_STARTING = frozenset(
    {"exec", "execSync", "spawn", "spawnSync", "execFile", "execFileSync", "execa", "execaSync", "$"}
)
_PROGRAM = lazy_pattern(r"[a-zA-Z][\w.+-]{0,40}")
_NAME = lazy_pattern(r"[A-Za-z_]\w{1,80}")
_NOT_GIVEN = frozenset(
    {"HOME", "PATH", "USER", "PWD", "SHELL", "TMPDIR", "TEMP", "TMP", "NODE_ENV", "USERPROFILE"}
)
_SHOWING = frozenset({"log", "error", "warn", "info", "debug", "Error", "describe", "startsWith", "includes"})
_JOINS = frozenset({"join", "resolve"})
_ABSOLUTE = lazy_pattern(
    r"(?:~|/(?:etc|usr|var|opt|tmp|root|home|Users|Library|Applications|System|mnt|proc|sys|run|srv|private|Volumes))"
    r"/[\w.@+-][\w.@+/ -]{0,200}"
)
_MOST_NODES = 200_000
_ASKING = frozenset(
    """
    import_statement export_statement call_expression new_expression member_expression subscript_expression
    variable_declarator string template_string
    """.split()  # noqa: SIM905 - a list of names reads best as words
)
_MOST_DEPTH = 10


class Reading:
    """The rows of one script, or of a code block, which begins at the offset `base` of the file."""

    def __init__(self, rows: Rows, text: Text, where: str, written: str, base: int = 0) -> None:
        """Take where rows go, the file, what the text is, the text itself and where it begins."""
        self._rows = rows
        self._text = text
        self._where = where
        self._written = written
        self._base = base
        self._values: dict[str, str] = {}

    def read(self) -> bool:
        """Add what the text asks for; return False if it was not read."""
        root = javascript.read(self._written)
        if root is None:
            return False
        nodes = list(_nodes(root))
        # A node makes its type again each time it is asked, and most types ask for nothing.
        asking = [(kind, node) for node in nodes if (kind := node.type) in _ASKING]
        self._learn(node for kind, node in asking if kind == "variable_declarator")
        taken: set[int] = set()
        for kind, node in asking:
            if kind in ("import_statement", "export_statement"):
                self._module(node.child_by_field_name("source"), node, taken)
            elif kind in ("call_expression", "new_expression"):
                self._call(node, taken)
            elif kind in ("member_expression", "subscript_expression"):
                self._variable(node)
            elif kind == "variable_declarator":
                self._taken_apart(node)
        for kind, node in asking:
            if kind in ("string", "template_string") and node.id not in taken:
                self._url(node)
        return len(nodes) <= _MOST_NODES

    def _add(self, node: Node, kind: str, what: str, how: str) -> None:
        span = Span(node.start_byte, node.end_byte).shifted(self._base)
        self._rows.add(self._text, span, kind, what, how, self._where)

    def _source(self, node: Node | None) -> str:
        return "" if node is None else self._written[node.start_byte : node.end_byte]

    def _learn(self, declarators: Iterable[Node]) -> None:
        """Learn what constants mean that are set to a text."""
        for node in declarators:
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if name is not None and value is not None and name.type == "identifier":
                written, key = self._value(value), self._source(name)
                if key in self._values and self._values[key] != written:
                    self._values[key] = ""
                elif written:
                    self._values[key] = written

    def _module(self, source: Node | None, node: Node, taken: set[int]) -> None:
        if source is None:
            return
        taken.add(source.id)
        written = self._value(source)
        match = _PACKAGE.fullmatch(written.removeprefix("npm:"))
        if match is None or ":" in written.removeprefix("npm:"):
            return
        if match["name"] not in _BUILT_IN:
            self._add(node, seen.PACKAGE, match["name"], "imported")

    def _call(self, node: Node, taken: set[int]) -> None:
        function = node.child_by_field_name("function") or node.child_by_field_name("constructor")
        arguments = node.child_by_field_name("arguments")
        name = self._source(function)
        last = name.rpartition(".")[2]
        listed = list(arguments.named_children) if arguments is not None else []
        first = listed[0] if listed else None
        if last in _SHOWING:
            taken.update(each.id for each in _nodes(node))
        elif name in ("require", "import", "require.resolve") and first is not None:
            self._module(first, node, taken)
        elif self._connects(name, last) and first is not None:
            taken.update(each.id for each in _nodes(first))
            written = self._value(first)
            host = host_of(written)
            sends = (
                last == "post"
                or re.search(r"method\s*:\s*[\"']P(?:OST|UT|ATCH)", self._source(arguments)) is not None
            )
            if host is not None or not written.startswith(("http", "ws:", "wss:")):
                unknown = "(a host that is not written here)"
                if host is not None or not written.startswith(("/", ".")):
                    self._add(node, seen.NETWORK, host or unknown, f"{name}, sends data" if sends else name)
        elif first is not None and self._starts(name, last):
            self._program(first, last)
        elif name in ("Deno.env.get", "process.env.get") and first is not None:
            self._named_variable(node, self._value(first), has_default=False)
        elif last in _JOINS:
            self._path(node, listed)

    @staticmethod
    def _connects(name: str, last: str) -> bool:
        first = name.partition(".")[0]
        return name in ("fetch", "axios", "got", "ky", "WebSocket", "EventSource", "globalThis.fetch") or (
            name == f"{first}.{last}" and first in _CLIENTS and last in _VERBS
        )

    def _starts(self, name: str, last: str) -> bool:
        """Return whether a call starts a program: a function of `child_process`, or of `execa`."""
        is_plain = name == last or name in (f"child_process.{last}", f"cp.{last}", f"childProcess.{last}")
        return (
            is_plain and last in _STARTING and ("child_process" in self._written or "execa" in self._written)
        )

    def _program(self, first: Node, last: str) -> None:
        written = self._value(first)
        if last in ("exec", "execSync", "$"):
            for command in read_shell(written).commands:
                if _PROGRAM.fullmatch(command.program) and command.program not in BUILT_IN:
                    self._add(first, seen.COMMAND, command.program, "run")
            return
        program = written.rpartition("/")[2]
        if self._source(first) == "process.execPath":
            program = "node"
        if _PROGRAM.fullmatch(program) and not program.endswith((".js", ".mjs", ".ts", ".py", ".sh")):
            self._add(first, seen.COMMAND, program, "run")

    def _variable(self, node: Node) -> None:
        """Add a variable that is read from `process.env`."""
        if self._source(node.child_by_field_name("object")) not in ("process.env", "Bun.env"):
            return
        parent = node.parent
        is_left = parent is not None and parent.child_by_field_name("left") == node
        if is_left and parent is not None and parent.type.endswith("assignment_expression"):
            return  # set, not read
        if node.type == "member_expression":
            name = self._source(node.child_by_field_name("property"))
        else:
            name = self._value(node.child_by_field_name("index"))
        has_default = (
            parent is not None
            and parent.type == "binary_expression"
            and any(child.type in ("||", "??") for child in parent.children)
            and parent.child_by_field_name("left") == node
        )
        self._named_variable(node, name, has_default=has_default)

    def _named_variable(self, node: Node, name: str, *, has_default: bool) -> None:
        if _NAME.fullmatch(name) and name not in _NOT_GIVEN:
            self._add(node, seen.ENVIRONMENT, name, "read, with a default" if has_default else "read")

    def _taken_apart(self, node: Node) -> None:
        """Add the variables of `const { A, B = "x" } = process.env`."""
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or name.type != "object_pattern" or self._source(value) != "process.env":
            return
        for child in name.named_children:
            left = child.child_by_field_name("left") or child.child_by_field_name("key") or child
            self._named_variable(
                child, self._source(left), has_default=child.type == "object_assignment_pattern"
            )

    def _path(self, node: Node, listed: list[Node]) -> None:
        parts = [self._part(each) for each in listed]
        if not parts or not all(parts):
            known = parts[: parts.index("")] if "" in parts else parts
            written = "/".join(known) + "/*" if len(known) > 1 else ""
        else:
            written = "/".join(parts)
        plain = written.removesuffix("/*")
        if CREDENTIAL_FILE.fullmatch(plain):
            self._add(node, seen.CREDENTIAL, plain, "named in code")
        elif _ABSOLUTE.fullmatch(plain):
            self._add(node, seen.PATH, written, "named in code")

    def _part(self, node: Node) -> str:
        written = self._source(node)
        if re.fullmatch(r"(?:os\.)?homedir\(\)|process\.env\.HOME|(?:os\.)?HOME", written):
            return "~"
        return self._value(node)

    def _url(self, node: Node) -> None:
        written = self._value(node)
        if written.startswith(("http://", "https://", "wss://", "ws://")) and not re.search(r"\s", written):
            host = host_of(written)
            if host is not None:
                self._add(node, seen.NETWORK, host, "a URL in code")

    def _value(self, node: Node | None, depth: int = 0) -> str:
        """Return the text with which an expression begins, as far as it is written."""
        if node is None or depth > _MOST_DEPTH:
            return ""
        if node.type == "string":
            return self._source(node)[1:-1]
        if node.type == "identifier":
            return self._values.get(self._source(node), "")
        if node.type == "template_string":
            found, at = "", node.start_byte + 1
            for child in node.named_children:
                if child.type == "template_substitution":
                    found += self._written[at : child.start_byte]
                    inner = self._value(child.named_children[0], depth + 1) if child.named_children else ""
                    if not inner:
                        return found
                    found, at = found + inner, child.end_byte
            return found + self._written[at : node.end_byte - 1]
        if node.type == "binary_expression":
            operator = node.child_by_field_name("operator")
            left = self._value(node.child_by_field_name("left"), depth + 1)
            if operator is not None and operator.type == "+":
                return left and left + self._value(node.child_by_field_name("right"), depth + 1)
        return ""


def _nodes(root: Node) -> Iterator[Node]:
    """Yield a node and all under it that have a name, in the order of the text, at most so many."""
    waiting, count = [root], 0
    while waiting and count <= _MOST_NODES:
        node = waiting.pop()
        count += 1
        yield node
        if node.named_child_count:
            waiting.extend(reversed(node.named_children))

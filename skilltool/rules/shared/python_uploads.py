"""Finds secrets that a script in Python reads and sends to another machine: whole files of keys, and the environment.

What is followed is what keeps a secret whole: reading, encoding, containers, variables, and functions of the
script by their names. A part of a file, such as one token of a parsed one, may be how it is meant to be used.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from skilltool.rules.shared.wording import backticked
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.python import Script, called, children_of, nodes_in
from skilltool.text.source import Span

ENVIRONMENT = "all environment variables"
_MOST_ROUNDS = 6  # functions that hand a secret to each other
_MOST_NODES = 50_000
_SENDERS = frozenset({"post", "put", "patch", "request", "urlopen", "Request", "sendall", "get"})
_MODULES = frozenset(
    {"requests", "httpx", "aiohttp", "session", "client", "sock", "socket", "s", "request", "urllib"}
)
# Arguments that prove who asks.
_PROVING = frozenset({"headers", "auth", "cert", "cookies", "verify", "timeout", "proxies", "context"})
# Calls that return all that they are given, in another form.
_KEEPING = frozenset(
    """
    open read read_text read_bytes expanduser expandvars Path PurePath home joinpath join resolve str
    bytes dict list tuple format dumps encode decode strip items copy b64encode urlsafe_b64encode
    b32encode hexlify hex quote quote_plus urlencode compress BytesIO StringIO readlines read_file
    """.split()  # noqa: SIM905 - a list of names reads best as words
)
_OWN = lazy_pattern(r"\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0)\b")
# What a script looks for in the names of variables.
_SECRET_NAME = lazy_pattern(r"(?:API_?)?(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?", re.IGNORECASE)
_MOST_PARTS = 10  # of a path

_Names = dict[tuple[str, str], str]  # what is in a variable of a function, or in what a function returns


class Upload(NamedTuple):
    """A secret, the call that sends it, and where that is."""

    what: str
    program: str
    span: Span


def uploads(script: Script, path_of_secret: re.Pattern[str]) -> list[Upload]:
    """Return the calls that send a secret; `path_of_secret` matches the path of a file of keys as `path`.

    A script with very many or very deep expressions is not read.
    """
    found: list[Upload] = []
    if script.tree is None:
        return found
    flow = _Flow(path_of_secret)
    try:
        if flow.collect(script.tree) and flow.senders:
            flow.follow()
            for call, scope in flow.senders:
                if (what := flow.sent(call, scope)) is not None:
                    found.append(Upload(what, ast.unparse(call.func), script.span(call.func)))
    except RecursionError:
        return []
    return found


def _is_sender(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id in ("urlopen", "Request")
    if not isinstance(function, ast.Attribute) or function.attr not in _SENDERS:
        return False
    return called(function.value).lower() in _MODULES


class _Flow:
    """Which variables of a script have a secret in them."""

    def __init__(self, path_of_secret: re.Pattern[str]) -> None:
        self._path = path_of_secret
        self._names: _Names = {}
        self._steps: list[tuple[ast.AST, str]] = []
        self.senders: list[tuple[ast.Call, str]] = []
        self._parameters: dict[str, list[str]] = {}
        self._names_secrets = False

    def follow(self) -> None:
        """Find what is in each variable, over and over until nothing is new."""
        for _ in range(_MOST_ROUNDS):
            before = len(self._names)
            for node, scope in self._steps:
                self._step(node, scope)
            if len(self._names) == before:
                break

    def collect(self, tree: ast.Module) -> bool:
        """Note what matters of a script, and return whether it has no more expressions than are read."""
        waiting: list[tuple[ast.AST, str]] = [(tree, "")]
        left = _MOST_NODES
        while waiting:
            node, scope = waiting.pop()
            left -= 1
            if left < 0:
                return False
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                scope = node.name
                self._parameters[scope] = [
                    each.arg for each in node.args.args if each.arg not in ("self", "cls")
                ]
            elif isinstance(node, ast.Call) and _is_sender(node.func):
                self.senders.append((node, scope))
            elif isinstance(node, ast.Constant):
                is_name = isinstance(node.value, str) and _SECRET_NAME.fullmatch(node.value) is not None
                self._names_secrets = self._names_secrets or is_name
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.For | ast.With | ast.Return | ast.Call):
                self._steps.append((node, scope))
            waiting += [(child, scope) for child in children_of(node)]
        return True

    def _step(self, node: ast.AST, scope: str) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._put(target, self._value(value, scope), scope)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._put(target, self._value(value, scope), scope)
            case ast.For(target=target, iter=value):
                if not _is_filtered(node) or self._names_secrets:
                    self._put(target, self._value(value, scope), scope)
            case ast.With(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        self._put(item.optional_vars, self._value(item.context_expr, scope), scope)
            case ast.Return(value=ast.expr() as value):
                if (what := self._value(value, scope)) is not None:
                    self._names.setdefault(("()", scope), what)
            case ast.Call():
                for name, value in zip(self._parameters.get(called(node.func), ()), node.args, strict=False):
                    if (what := self._value(value, scope)) is not None:
                        self._names.setdefault((called(node.func), name), what)

    def _put(self, target: ast.expr, what: str | None, scope: str) -> None:
        if what is None:
            return
        if isinstance(target, ast.Tuple | ast.List):
            for each in target.elts:
                self._put(each, what, scope)
        elif isinstance(target, ast.Subscript):
            self._put(target.value, what, scope)
        elif isinstance(target, ast.Name):
            self._names.setdefault((scope, target.id), what)

    def sent(self, call: ast.Call, scope: str) -> str | None:
        """Return the secret in the arguments of a call that sends; None if there is none, or it goes nowhere far."""
        texts = (node.value for node in nodes_in(call) if isinstance(node, ast.Constant))
        if any(isinstance(text, str) and _OWN.search(text) for text in texts):
            return None
        values = [*call.args, *(each.value for each in call.keywords if each.arg not in _PROVING)]
        return next((what for value in values if (what := self._value(value, scope)) is not None), None)

    def _value(self, node: ast.expr | None, scope: str) -> str | None:
        """Return the secret that all of an expression's value has in it, None without one."""
        if (match := self._path.fullmatch(path_of(node))) is not None:
            return backticked(match["path"])
        match node:
            case ast.Name(id=name):
                return self._names.get((scope, name)) or self._names.get(("", name))
            case ast.Attribute(value=ast.Name(id="os"), attr="environ"):
                return ENVIRONMENT
            case ast.Call():
                return self._called(node, scope)
            case ast.DictComp() | ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                is_part = any(each.ifs for each in node.generators) and not self._names_secrets
                return None if is_part else self._first((each.iter for each in node.generators), scope)
            case ast.Dict(values=values):
                return self._first(values, scope)
            case ast.List(elts=values) | ast.Tuple(elts=values) | ast.JoinedStr(values=values):
                return self._first(values, scope)
            case ast.FormattedValue(value=value) | ast.Await(value=value) | ast.Starred(value=value):
                return self._value(value, scope)
            case ast.BinOp(left=left, right=right):
                return self._first((left, right), scope)
            case _:
                return None

    def _called(self, node: ast.Call, scope: str) -> str | None:
        name = called(node.func)
        if name in self._parameters:
            return self._names.get(("()", name))
        if name not in _KEEPING:
            return None
        receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return self._first((*receiver, *node.args), scope)

    def _first(
        self, nodes: Iterator[ast.expr] | tuple[ast.expr, ...] | list[ast.expr], scope: str
    ) -> str | None:
        return next((what for each in nodes if (what := self._value(each, scope)) is not None), None)


def path_of(node: ast.expr | None, depth: int = 0) -> str:
    """Return the path that an expression makes, such as `Path.home() / ".netrc"`; empty if it makes none."""
    match node:
        case ast.Constant(value=str() as text):
            return text.strip()
        case ast.BinOp(left=left, op=ast.Div(), right=right) if depth < _MOST_PARTS:
            return f"{path_of(left, depth + 1) or '~'}/{path_of(right, depth + 1)}"
        case ast.Call(func=function, args=[first, *rest]) if depth < _MOST_PARTS:
            if called(function) in ("join", "joinpath", "Path", "expanduser"):
                parts = [path_of(first, depth + 1) or "~", *(path_of(each, depth + 1) for each in rest)]
                return "/".join(parts)
    return ""


def _is_filtered(loop: ast.For) -> bool:
    return any(isinstance(each, ast.If) for each in loop.body)

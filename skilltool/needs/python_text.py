"""What Python asks for: modules, hosts, programs, variables, files of credentials and paths outside.

Values are followed as far as constants go: a name that is set once to a text, an f-string to its first value.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cached_property

from skilltool.needs import seen
from skilltool.needs.seen import Rows
from skilltool.needs.shell_text import BUILT_IN
from skilltool.needs.urls import host_of
from skilltool.rules.shared.credential_files import CREDENTIAL_DIRECTORY, CREDENTIAL_FILE
from skilltool.skill.texts import Text
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.python import Script, called, nodes_in
from skilltool.text.shell import read as read_shell
from skilltool.text.source import Span

_MOST_NODES = 100_000
# The nodes that say something; most others are names.
_ASKING = frozenset(
    {ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.Call, ast.Subscript, ast.BinOp}
    | {ast.Expr, ast.Raise}
)
_MOST_DEPTH = 10
# Modules of the standard library that connect, and calls of them and of others that do.
_CONNECTING = frozenset(
    {
        "urllib.request",
        "http.client",
        "socket",
        "smtplib",
        "ftplib",
        "imaplib",
        "poplib",
        "ssl",
        "xmlrpc.client",
        "asyncio",
    }
)
_CLIENTS = frozenset(
    {"requests", "httpx", "aiohttp", "urllib3", "websockets", "websocket", "pycurl", "curl_cffi"}
)
_VERBS = frozenset(
    {"get", "post", "put", "patch", "delete", "head", "options", "request", "stream", "ws_connect"}
)
_SESSION_NAMES = frozenset({"session", "client", "sess", "s", "self", "http", "_session", "_client"})
_SENDING = frozenset({"post", "put", "patch"})
_OTHER_CALLS = frozenset(
    """
    urlopen urlretrieve Request create_connection HTTPSConnection HTTPConnection SMTP SMTP_SSL FTP FTP_TLS
    PoolManager open_connection websocket_connect
    """.split()  # noqa: SIM905 - a list of names reads best as words
)
_STARTING = {
    "subprocess": {"run", "call", "check_call", "check_output", "Popen", "getoutput", "getstatusoutput"},
    "os": {"system", "popen", "execv", "execvp", "execl", "execlp", "spawnl", "spawnlp", "spawnv", "spawnvp"},
    "asyncio": {"create_subprocess_exec", "create_subprocess_shell"},
}
_SESSIONS = frozenset({"Session", "ClientSession", "Client", "AsyncClient", "connect", "PoolManager"})
_OPENING = frozenset(
    {
        "open",
        "Path",
        "PurePath",
        "PosixPath",
        "expanduser",
        "join",
        "makedirs",
        "listdir",
        "remove",
        "unlink",
        "copy",
    }
    | {
        "copyfile",
        "copytree",
        "move",
        "rmtree",
        "mkdir",
        "exists",
        "isfile",
        "isdir",
        "chdir",
        "walk",
        "glob",
        "joinpath",
    }
    | {"read_text", "write_text", "connect", "Image", "load_dotenv"}
)
_ABSOLUTE = lazy_pattern(
    r"(?:~|/(?:etc|usr|var|opt|tmp|root|home|Users|Library|Applications|System|mnt|proc|sys|run|srv|private|Volumes))"
    r"/[\w.@+-][\w.@+/ -]{0,200}/?"
)
_PLACEHOLDER = lazy_pattern(r"path/to|/(?:username|user|yourname|me|you)/")
_METADATA = lazy_pattern(
    r"^# /// script[ \t]*$\n(?P<body>(?:^#(?:[ \t].*)?$\n)+?)^# ///[ \t]*$", re.MULTILINE
)
_REQUIREMENT = lazy_pattern(
    r"(?P<name>[A-Za-z0-9][\w.-]{0,80})(?:\[[\w,. -]{0,80}\])?[ \t]*(?P<version>[=<>!~].{0,80})?"
)
_INTERPRETER = lazy_pattern(r"#![ \t]*(?:/usr/bin/env[ \t]+(?:-S[ \t]+)?)?(?P<program>\S+)")


class Reading:
    """The rows of one script, or of a code block in Python, whose first line is `line` of the file."""

    def __init__(
        self, rows: Rows, text: Text, where: str, is_own: Callable[[str], bool], line: int | None = None
    ) -> None:
        """Take where rows go, the file, what the text is, and which modules are the skill's own."""
        self._rows = rows
        self._text = text
        self._where = where
        self._is_own = is_own
        self._line = line
        self._values: dict[str, str] = {}
        self._imported: set[str] = set()
        self._modules: dict[str, str] = {}  # a name in the script, and the module or function that it is

    def read(self, script: Script) -> bool:
        """Add what a script asks for; return False if it was not read."""
        nodes = script.nodes
        if script.tree is None or len(nodes) > _MOST_NODES:
            return False
        self._script = script
        asking = [node for node in nodes if node.__class__ in _ASKING]
        self._collect(asking)
        for node in asking:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self._import(node)
        connects = any(
            name in _CONNECTING or name.partition(".")[0] not in sys.stdlib_module_names
            for name in self._imported
        )
        taken: set[int] = set()
        joined = {id(node.left) for node in asking if isinstance(node, ast.BinOp)}
        for node in asking:
            if isinstance(node, ast.Call):
                taken |= self._call(node)
            elif isinstance(node, ast.Subscript):
                self._subscript(node)
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and id(node) not in joined:
                self._path(node)
        urls = list(_urls(nodes)) if connects else []
        passive = _passive(asking) if urls else set()
        for constant, written in urls:
            if id(constant) not in taken and id(constant) not in passive:
                self._url(constant, written)
        return True

    def _add(
        self, node: ast.expr | ast.stmt, kind: str, what: str, how: str, pinned: bool | None = None
    ) -> None:
        if self._line is not None:
            at: Span | int = self._line + node.lineno - 1
        else:
            at = self._script.span(node) if isinstance(node, ast.expr) else node.lineno
        self._rows.add(self._text, at, kind, what, how, self._where, pinned)

    def _collect(self, nodes: list[ast.AST]) -> None:
        """Learn what names mean that are set once to a text, and which modules names are of."""
        often: set[str] = set()
        for node in nodes:
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                for target in node.targets if isinstance(node, ast.Assign) else (node.target,):
                    self._assigned(called(target), node.value, often)
            elif isinstance(node, ast.Import):
                for each in node.names:
                    self._imported.add(each.name)
                    top = each.name.partition(".")[0]
                    self._modules[each.asname or top] = each.name if each.asname else top
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for each in node.names:
                    self._modules[each.asname or each.name] = f"{node.module}.{each.name}"

    def _assigned(self, name: str, value: ast.expr | None, often: set[str]) -> None:
        if not name:
            return
        if name in self._values or name in often:
            often.add(name)
            self._values.pop(name, None)
        elif isinstance(value, (ast.Constant, ast.JoinedStr, ast.BinOp)) and (written := self._value(value)):
            self._values[name] = written

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        if isinstance(node, ast.ImportFrom) and node.level:
            return
        for name in dict.fromkeys(map(_top_of, names)):
            if name and name not in sys.stdlib_module_names and not self._is_own(name):
                self._add(node, seen.PACKAGE, name, "imported")

    def _call(self, node: ast.Call) -> set[int]:
        """Add what a call asks for; return the constants in it that are not looked at again."""
        name = self._name(node.func)
        last = name.rpartition(".")[2]
        first = name.partition(".")[0]
        if self._connects(name, node):
            return self._connection(node, name)
        if last in _STARTING.get(first, ()):
            self._program(node, last)
        elif name in ("os.getenv", "os.environ.get", "os.environ.pop", "environ.get", "getenv") and node.args:
            has_default = len(node.args) > 1 or bool(node.keywords)
            self._variable(node.args[0], "read, with a default" if has_default else "read")
        elif name in ("os.environ.copy",) or (
            name == "dict" and node.args and self._name(node.args[0]) == "os.environ"
        ):
            self._add(node, seen.ENVIRONMENT, "(all)", "copied")
        elif name in ("shutil.which", "which") and node.args:
            program = self._value(node.args[0])
            if re.fullmatch(r"[a-zA-Z][\w.+-]{0,40}", program):
                self._add(node, seen.COMMAND, program, "looked for")
        elif last in _OPENING:
            for argument in node.args[:2]:
                self._path(argument)
        return set()

    def _connects(self, name: str, node: ast.Call) -> bool:
        last, first = name.rpartition(".")[2], name.partition(".")[0]
        if first in _CLIENTS:
            return last in _VERBS or (last in _SESSIONS and bool(node.args))
        if name.startswith(
            (
                "urllib.request.",
                "http.client.",
                "socket.create_connection",
                "smtplib.",
                "ftplib.",
                "asyncio.open_connection",
            )
        ):
            return last in _OTHER_CALLS
        return (
            last in _VERBS
            and first.lower() in _SESSION_NAMES
            and self._uses_client
            and bool(node.args)
            and bool(self._host(node.args[0]))
        )

    @cached_property
    def _uses_client(self) -> bool:
        return any(module.partition(".")[0] in _CLIENTS for module in self._imported)

    def _connection(self, node: ast.Call, name: str) -> set[int]:
        last = name.rpartition(".")[2]
        arguments = [
            *node.args,
            *(each.value for each in node.keywords if each.arg in ("url", "base_url", "host", "uri")),
        ]
        how = f"{name}, sends data" if last in _SENDING else name
        found = None
        for argument in arguments[:2]:
            found = self._host(argument)
            if found is None and last in (
                "HTTPSConnection",
                "HTTPConnection",
                "SMTP",
                "SMTP_SSL",
                "FTP",
                "FTP_TLS",
            ):
                found = host_of(f"https://{self._value(argument)}")
            if found is not None:
                break
        taken = {id(each) for argument in arguments for each in nodes_in(argument)}
        written = [self._value(argument) for argument in arguments[:1]]
        if found is None and written and written[0].startswith("http"):
            return taken  # an example
        if found is not None or arguments:
            self._add(node, seen.NETWORK, found or "(a host that is not written here)", how)
        return taken

    def _host(self, node: ast.expr) -> str | None:
        return host_of(self._value(node))

    def _url(self, node: ast.Constant, written: str) -> None:
        host = host_of(written) if not re.search(r"\s", written.strip()) else None
        if host is not None:
            self._add(node, seen.NETWORK, host, "a URL in code")

    def _program(self, node: ast.Call, last: str) -> None:
        if not node.args:
            return
        argument = node.args[0]
        if isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Add):
            argument = argument.left
        if isinstance(argument, ast.List | ast.Tuple):
            if argument.elts:
                self._started(node, argument.elts[0])
        elif last in ("execv", "execvp", "execl", "execlp", "create_subprocess_exec"):
            self._started(node, argument)
        elif written := self._value(argument):
            script = read_shell(written)
            for command in script.commands:
                if command.program not in BUILT_IN and re.fullmatch(r"[a-zA-Z][\w+-]{0,40}", command.program):
                    self._add(node, seen.COMMAND, command.program, "run")

    def _started(self, node: ast.Call, first: ast.expr) -> None:
        if self._name(first) == "sys.executable":
            self._add(node, seen.COMMAND, "python", "run")
            return
        program = self._value(first).rpartition("/")[2]
        if re.fullmatch(r"[a-zA-Z][\w.+-]{0,40}", program) and not program.endswith((".py", ".sh", ".js")):
            self._add(node, seen.COMMAND, program, "run")

    def _variable(self, node: ast.expr, how: str) -> None:
        name = self._value(node)
        if re.fullmatch(r"[A-Za-z_]\w{1,80}", name) and name not in _NOT_GIVEN:
            self._add(node, seen.ENVIRONMENT, name, how)

    def _subscript(self, node: ast.Subscript) -> None:
        if self._name(node.value) in ("os.environ", "environ") and isinstance(node.ctx, ast.Load):
            self._variable(node.slice, "read")

    def _path(self, node: ast.expr) -> None:
        written = _path_of(node, self._value)
        if not written or len(written) > 300:
            return
        match = CREDENTIAL_FILE.fullmatch(written)
        if match is not None or CREDENTIAL_DIRECTORY.match(written):
            self._add(node, seen.CREDENTIAL, written, "named in code")
        elif _ABSOLUTE.fullmatch(written) and not _PLACEHOLDER.search(written):
            self._add(node, seen.PATH, written.rstrip("/"), "named in code")

    def _name(self, node: ast.expr) -> str:
        """Return the dotted name of an expression, with the module that its first name is."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name):
            parts.append(self._modules.get(node.id, node.id))
        elif isinstance(node, ast.Call) and parts:
            parts.append("()")
        return ".".join(reversed(parts))

    def _value(self, node: ast.expr | None, depth: int = 0) -> str:
        """Return the text with which an expression begins, as far as it is written; empty if it is not."""
        if depth > _MOST_DEPTH:
            return ""
        match node:
            case ast.Constant(value=str() as text):
                return text
            case ast.Name(id=name) | ast.Attribute(attr=name):
                return self._values.get(name, "")
            case ast.JoinedStr(values=values):
                found = ""
                for each in values:
                    inner = each.value if isinstance(each, ast.FormattedValue) else each
                    part = self._value(inner, depth + 1)
                    if not part:
                        break
                    found += part
                return found
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                head = self._value(left, depth + 1)
                return head and head + self._value(right, depth + 1)
        return ""


def _top_of(module: str) -> str:
    """Return the first part of a module's name; two parts where the first is shared by many packages."""
    parts = module.split(".")
    return ".".join(parts[: 2 if parts[0] in ("google", "azure") else 1])


_NOT_GIVEN = frozenset(
    {"HOME", "PATH", "USER", "PWD", "SHELL", "TMPDIR", "TEMP", "TMP", "LANG", "TERM", "USERPROFILE"}
    | {
        "APPDATA",
        "LOCALAPPDATA",
        "XDG_CONFIG_HOME",
        "XDG_CACHE_HOME",
        "XDG_DATA_HOME",
        "NO_COLOR",
        "PYTHONPATH",
        "COLUMNS",
        "EDITOR",
        "USERNAME",
        "LOGNAME",
        "DISPLAY",
    }
)


_URLS = ("http://", "https://", "wss://", "ws://")


def _urls(nodes: list[ast.AST]) -> Iterator[tuple[ast.Constant, str]]:
    """Yield the constants that begin as a URL, and what they say."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(_URLS):
            yield node, node.value


def _passive(nodes: list[ast.AST]) -> set[int]:
    """Return the constants that are only shown: docstrings, help, printed and raised text, metadata."""
    found: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            found.add(id(node.value))
        elif isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and _is_shown(node.func)):
            found |= {id(each) for each in nodes_in(node) if isinstance(each, ast.Constant)}
    return found


_SHOWING = frozenset(
    {
        "print",
        "echo",
        "add_argument",
        "ArgumentParser",
        "debug",
        "info",
        "warning",
        "error",
        "exception",
        "log",
    }
    | {
        "startswith",
        "endswith",
        "replace",
        "compile",
        "match",
        "search",
        "sub",
        "exit",
        "add_parser",
        "secho",
    }
)


def _is_shown(function: ast.expr) -> bool:
    return called(function) in _SHOWING


def _path_of(node: ast.expr | None, value: Callable[[ast.expr | None], str], depth: int = 0) -> str:
    """Return the path that an expression makes: `Path.home() / ".netrc"`, `os.path.join("/etc", "x")`."""
    if depth > _MOST_DEPTH:
        return ""
    match node:
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            head, rest = _path_of(left, value, depth + 1), value(right)
            return f"{head}/{rest}" if head and rest else ""
        case ast.Call(func=ast.Attribute(attr="home"), args=[]):
            return "~"
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[first, *rest]) if name in (
            "join",
            "joinpath",
            "Path",
            "expanduser",
        ):
            parts = [_path_of(first, value, depth + 1), *(value(each) for each in rest)]
            return "/".join(parts) if all(parts) else ""
    return value(node)


def own_modules(files: Iterator[str] | frozenset[str]) -> frozenset[str]:
    """Return the names by which the scripts of a skill may import each other."""
    found = set()
    for file in files:
        if file.endswith(".py"):
            *directories, name = file.split("/")
            found |= {*directories, name.removesuffix(".py")}
    return frozenset(found)


def declared(text: str) -> Iterator[tuple[str, bool, int]]:
    """Yield the packages of a script's own metadata (PEP 723), whether a version is named, and the line."""
    match = _METADATA.search(text)
    if match is None:
        return
    body = "".join(
        line[2:] if line.startswith("# ") else line[1:] for line in match["body"].splitlines(keepends=True)
    )
    try:
        listed = tomllib.loads(body).get("dependencies")
    except tomllib.TOMLDecodeError:
        return
    for requirement in listed if isinstance(listed, list) else ():
        found = _REQUIREMENT.match(requirement) if isinstance(requirement, str) else None
        if found is not None:
            at = text.find(requirement, match.start())
            yield (
                found["name"],
                (found["version"] or "").startswith("=="),
                text.count("\n", 0, max(at, 0)) + 1,
            )


def requirements(text: str) -> Iterator[tuple[str, bool, int]]:
    """Yield the packages of a requirements file, whether a version is named, and the line."""
    for number, line in enumerate(text.splitlines(), start=1):
        found = _REQUIREMENT.match(line.strip())
        if found is not None and not line.strip().startswith(("-", "#")):
            yield found["name"], (found["version"] or "").startswith("=="), number


def interpreter(text: str) -> str | None:
    """Return the program in the first line of a script."""
    match = _INTERPRETER.match(text)
    return match["program"].rpartition("/")[2] if match else None

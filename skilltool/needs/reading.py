"""Reads every file of a skill once and collects what it is seen to ask for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from skilltool import runtimes
from skilltool.needs import python_text, seen
from skilltool.needs.javascript_text import Reading as JavaScriptReading
from skilltool.needs.seen import Rows, Seen, Unread
from skilltool.needs.shell_text import Reading as ShellReading
from skilltool.needs.urls import Url, urls
from skilltool.needs.variables import SECRET, is_own
from skilltool.needs.words import endings, words
from skilltool.rules.shared.counterexamples import is_commented, is_counterexample, is_introduced
from skilltool.rules.shared.load_time import load_time_commands
from skilltool.rules.shared.regions import Regions
from skilltool.rules.shared.shell_texts import FENCES, code_in_fence, language_of
from skilltool.rules.shared.text_signs import is_shell_script
from skilltool.rules.shared.tools import tool_entries
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text import python, shell
from skilltool.text.frontmatter.nodes import Mapping, Scalar, Sequence
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.markdown import Fence
from skilltool.text.source import Span

_PYTHON = frozenset({"python", "py", "python3"})
_SESSIONS = frozenset({"console", "terminal", "shell-session", "shellsession"})
_JAVASCRIPT_FENCES = frozenset({"js", "javascript", "jsx", "mjs", "ts", "typescript", "tsx"})
_COMMENT = lazy_pattern(r"[ \t]*(?://|#|\*|--|/\*|;|')")
_LONG_LINES = 1_000  # characters of an average line of a file that no person wrote
_MOST_URLS = 500  # of one file
# Programs whose name and arguments in a code span of a page are a command.
_SPAN_PROGRAMS = words("inline_programs")
_SPAN = lazy_pattern(r"(?:sudo )?(?P<program>[\w.-]{1,30})[ \t]+(?P<first>\S+)")
_INTERPRETERS = words("interpreters")
_RUNS_FILE = lazy_pattern(
    r"[ \t](?:-{1,2}[A-Za-z]|[\w./<{$~-]+\.(?:m?[jt]s|cjs|py|rb|pl|php|sh|jar|R|swift)\b)|\A(?:\S+[ \t]+)?"
    r"(?:go (?:run|build|test|mod|get|install|vet|fmt)|make [a-z][\w-]*\Z|swift (?:build|run|test|package)"
    r"|open (?:https?:|[\w./~-]+/|[\w.-]+\.\w+\Z)|op (?:run|read|item|signin|inject)"
    r"|hf (?:auth|download|upload|jobs|repo)|deno (?:run|task|test|install|add|deploy))\b"
)
_ASSIGNED = lazy_pattern(r"(?:export[ \t]+)?\$?\{?(?P<name>[A-Z][A-Z0-9_]{2,80})\}?(?:=.*)?\Z")
_REQUEST = lazy_pattern(r"^[ \t]*(?:GET|POST|PUT|PATCH|DELETE|HEAD)[ \t]+(?P<url>https?://)", re.MULTILINE)
_HOOKS = "hooks"
_CLAW_CLIENTS = ("openclaw", "clawdbot", "moltbot", "clawdis")


class Found(NamedTuple):
    """What is seen in a skill, and what was not read."""

    rows: tuple[Seen, ...]
    unread: tuple[Unread, ...]


def read(skill: Skill, directory: Path) -> Found:
    """Return what a skill is seen to ask for."""
    reader = _Reader(skill)
    for text in skill.texts:
        reader.add_text(text)
    reader.add_loaded()
    reader.add_fields()
    unread = [*reader.rows.unread, *_unread(skill, directory)]
    return Found(reader.rows.rows(), tuple(sorted(unread)))


class _Reader:
    """Collects the rows of one skill."""

    def __init__(self, skill: Skill) -> None:
        self._skill = skill
        self.rows = Rows(skill.file_name)
        modules = python_text.own_modules(skill.tree.files)
        self._is_own = modules.__contains__
        self._client = runtimes.get(
            "claude-code"
        )  # which runs commands at load time, and has hooks and tools

    def add_text(self, text: Text) -> None:
        """Add what one file asks for, by what it is."""
        name = text.file.rpartition("/")[2].lower()
        if text.is_page:
            self._page(text)
        elif text.file.endswith(".py") or (python_text.interpreter(text.source.text) or "").startswith(
            "python"
        ):
            self._python(text)
        elif is_shell_script(text):
            self._shell(text)
        elif re.fullmatch(r"(?:.*[-_])?requirements(?:[-_.].*)?\.(?:txt|in)", name):
            for package, pinned, line in python_text.requirements(text.source.text):
                self.rows.add(text, line, seen.PACKAGE, package, "requirements file", seen.FILE, pinned)
        elif name == "package.json":
            self._package_json(text)
        elif name in (".mcp.json", "mcp.json"):
            self._servers(text)
        elif name.endswith(endings("javascript")) or python_text.interpreter(text.source.text) in (
            "node",
            "bun",
            "deno",
        ):
            self._javascript(text)
        elif name.endswith(endings("code")) or python_text.interpreter(text.source.text):
            self._other_code(text)
        else:
            for url in _first(urls(text.source.text)):
                self.rows.add(text, url.span, seen.LINK, url.host, "in a data file", seen.FILE)

    def _interpreter(self, text: Text, default: str) -> None:
        program = python_text.interpreter(text.source.text) or default
        if re.fullmatch(r"[a-z][\w.+-]{0,30}", program):
            self.rows.add(text, 1, seen.COMMAND, program, "interpreter of the script", seen.SCRIPT)

    def _python(self, text: Text) -> None:
        self._interpreter(text, "python3")
        if not python_text.Reading(self.rows, text, seen.SCRIPT, self._is_own).read(text.python):
            self.rows.unread.append(Unread(text.file, "does not parse as Python 3, or is very long"))
        del text.python  # nothing asks for it after this, and many trees at a time cost the collector much
        for package, pinned, line in python_text.declared(text.source.text):
            self.rows.add(text, line, seen.PACKAGE, package, "metadata of the script", seen.SCRIPT, pinned)

    def _shell(self, text: Text) -> None:
        self._interpreter(text, "bash" if text.file.endswith(".bash") else "sh")
        script = shell.read(text.source.text)
        ShellReading(self.rows, text, seen.SCRIPT, lambda span: True).read(script)
        if not script.complete:
            self.rows.unread.append(Unread(text.file, "a part of it took too long to read"))

    def _javascript(self, text: Text) -> None:
        if text.source.text.startswith("#!"):
            self._interpreter(text, "node")
        is_data = len(text.source.text) > (text.source.text.count("\n") + 1) * _LONG_LINES
        if is_data:
            self._other_code(text, "minified, read for URLs only")
        elif not JavaScriptReading(self.rows, text, seen.SCRIPT, text.source.text).read():
            self.rows.unread.append(Unread(text.file, "is very long, or took too long to read"))

    def _other_code(self, text: Text, why: str = "read for URLs only") -> None:
        program = python_text.interpreter(text.source.text)
        if program is not None:
            self._interpreter(text, program)
        written = text.source.text
        for url in _first(urls(written)):
            if not _COMMENT.match(written[text.source.line_span(url.span.start).start : url.span.start]):
                self.rows.add(text, url.span, seen.NETWORK, url.host, "a URL in code", seen.SCRIPT)
        self.rows.unread.append(Unread(text.file, why))

    def _package_json(self, text: Text) -> None:
        data = _json(text)
        for key in ("dependencies", "devDependencies", "optionalDependencies"):
            listed = data.get(key) if isinstance(data, dict) else None
            for name, version in listed.items() if isinstance(listed, dict) else ():
                at = text.source.text.find(
                    json.dumps(name, ensure_ascii=False), text.source.text.find(f'"{key}"')
                )
                pinned = isinstance(version, str) and re.fullmatch(r"v?\d+\.\d+\.\d+\S*", version) is not None
                self.rows.add(
                    text, Span(max(at, 0), max(at, 0)), seen.PACKAGE, name, "package.json", seen.FILE, pinned
                )

    def _servers(self, text: Text) -> None:
        data = _json(text)
        servers = data.get("mcpServers", data) if isinstance(data, dict) else {}
        for name, server in servers.items() if isinstance(servers, dict) else ():
            if not isinstance(server, dict):
                continue
            at = max(text.source.text.find(json.dumps(name, ensure_ascii=False)), 0)
            how = server.get("command") or server.get("url") or "?"
            self.rows.add(text, Span(at, at), seen.TOOL, name, f"MCP server: {how}", seen.FILE)
            for url in urls(str(server.get("url", ""))):
                self.rows.add(text, Span(at, at), seen.NETWORK, url.host, "MCP server", seen.FILE)
            if isinstance(server.get("env"), dict):
                for variable in server["env"]:
                    self.rows.add(
                        text, Span(at, at), seen.ENVIRONMENT, str(variable), "MCP server", seen.FILE
                    )

    def _page(self, text: Text) -> None:
        markdown = text.markdown
        for fence in markdown.fences:
            self._fence(text, fence)
        for code in markdown.codes:
            self._code_span(text, code.span, code.text)
        for link in markdown.links:
            for url in urls(link.target):
                self.rows.add(text, link.span, seen.LINK, url.host, "linked", seen.PAGE)
        if "://" in text.body:
            parts = (markdown.fences, markdown.codes, markdown.links)
            taken = Regions(part.span for each in parts for part in each)
            for url in urls(text.body, text.body_span.start):
                if url.span.start not in taken:
                    self.rows.add(text, url.span, seen.LINK, url.host, "named", seen.PAGE)

    def _fence(self, text: Text, fence: Fence) -> None:
        language = language_of(fence)
        if language in FENCES:
            self._shell_fence(text, fence)
        elif language in _PYTHON:
            self._python_fence(text, fence)
        elif language in _JAVASCRIPT_FENCES:
            span, written = code_in_fence(text, fence)
            JavaScriptReading(self.rows, text, seen.BLOCK, written, span.start).read()
        elif not language and _all_commands(code_in_fence(text, fence)[1]):
            self._shell_fence(text, fence)
        elif "://" in fence.text and not is_counterexample(text, fence.span, fence.span):
            span, written = code_in_fence(text, fence)
            requests = {match.start("url") for match in _REQUEST.finditer(written)}
            for url in _first(urls(written)):
                at = url.span.shifted(span.start)
                if url.span.start in requests:
                    self.rows.add(text, at, seen.NETWORK, url.host, "an HTTP request", seen.BLOCK)
                else:
                    self.rows.add(text, at, seen.LINK, url.host, "in a code block", seen.BLOCK)

    def _shell_fence(self, text: Text, fence: Fence) -> None:
        span, written = code_in_fence(text, fence)
        if language_of(fence) in _SESSIONS and not re.search(
            r"^[ \t]*\$[ \t]", text.source[span], re.MULTILINE
        ):
            return  # commands and what they print cannot be told apart
        if is_introduced(text, span):
            return
        script = shell.read(written, span.start)
        lines = {text.source.position(command.span.start).line for command in script.commands}
        if len(lines) > _MOST_URLS:
            return
        ShellReading(self.rows, text, seen.BLOCK, lambda at: not is_commented(text, span, at)).read(script)

    def _python_fence(self, text: Text, fence: Fence) -> None:
        span, written = code_in_fence(text, fence)
        from textwrap import dedent

        script = python.Script(dedent(written.lstrip("\r\n")))
        skipped = len(written) - len(written.lstrip("\r\n"))
        line = text.source.position(span.start + skipped).line
        python_text.Reading(self.rows, text, seen.BLOCK, self._is_own, line).read(script)

    def _code_span(self, text: Text, span: Span, written: str) -> None:
        named = _ASSIGNED.match(written)
        if named is not None:
            if SECRET.fullmatch(named["name"]) and is_own(named["name"]):
                self.rows.add(text, span, seen.ENVIRONMENT, named["name"], "named", seen.INLINE)
            return
        request = _REQUEST.match(written)
        for url in urls(written) if request is not None or written.startswith("http") else ():
            if request is not None:
                self.rows.add(text, span, seen.NETWORK, url.host, "an HTTP request", seen.INLINE)
            else:
                self.rows.add(text, span, seen.LINK, url.host, "named", seen.INLINE)
        match = _SPAN.match(written)
        is_named = match is not None and match["program"] in _SPAN_PROGRAMS and _is_command(written, match)
        if "\n" in written or not (is_named or _INTO_SHELL.search(written)):
            return
        if is_counterexample(text, span, span):
            return
        script = shell.moved(shell.read(written), span)
        ShellReading(self.rows, text, seen.INLINE, lambda at: True).read(script)

    def add_loaded(self) -> None:
        """Add the commands that clients run when they load the skill, and what these ask for."""
        if "!" not in self._skill.body:
            return
        text = self._skill.text
        for command in load_time_commands(self._skill, self._client):
            self.rows.add(
                text, command.span, seen.LOAD_TIME, command.text, "run when the skill is loaded", seen.AT_LOAD
            )
            script = shell.moved(shell.read(command.text), command.span)
            ShellReading(self.rows, text, seen.AT_LOAD, lambda at: True).read(script)

    def add_fields(self) -> None:
        """Add the tools, hooks, programs and variables that the frontmatter asks for."""
        text = self._skill.text
        for entry in tool_entries(self._skill, self._client):
            if entry.field == "allowed-tools":
                self.rows.add(text, entry.span, seen.TOOL, entry.text, entry.field, seen.FIELD)
        for path, scalar in self._skill.frontmatter.scalars:
            if path[0] == _HOOKS and path[-1] == "command" and len(path) > 2:
                self.rows.add(text, scalar.span, seen.TOOL, str(path[1]), f"hook: {scalar.text}", seen.HOOK)
                script = shell.moved(shell.read(scalar.text), scalar.span)
                ShellReading(self.rows, text, seen.HOOK, lambda at: True).read(script)
        for scalar, kind in self._declared():
            self.rows.add(text, scalar.span, kind, scalar.text, "declared", seen.FIELD)

    def _declared(self) -> Iterator[tuple[Scalar, str]]:
        """Yield what the formats of ClawHub and Hermes declare: programs and variables."""
        of_clients = (("metadata", client, "requires") for client in _CLAW_CLIENTS)
        places: tuple[tuple[str, ...], ...] = (
            ("required_environment_variables",),
            ("metadata", "requires"),
            *of_clients,
        )
        for place in places:
            node = self._skill.frontmatter.node(*place)
            if isinstance(node, Sequence):
                for item in node.items:
                    named = item.entry("name") if isinstance(item, Mapping) else None
                    name = named[1] if named is not None else item
                    if isinstance(name, Scalar):
                        yield name, seen.ENVIRONMENT
            elif isinstance(node, Mapping):
                for key, kind in (
                    ("bins", seen.COMMAND),
                    ("anyBins", seen.COMMAND),
                    ("env", seen.ENVIRONMENT),
                ):
                    entry = node.entry(key)
                    if entry is not None and isinstance(entry[1], Sequence):
                        yield from ((item, kind) for item in entry[1].items if isinstance(item, Scalar))


_INTO_SHELL = lazy_pattern(r"\|[ \t]{0,4}(?:sudo[ \t]{1,4})?(?:ba|z|da)?sh\b")  # whatever begins the command
_MOST_LINES = 12  # of a code block without a language that is read as commands


def _all_commands(code: str) -> bool:
    """Return whether each line of a code block begins with a program, a comment or a continued line."""
    lines = [line.strip() for line in code.split("\n") if line.strip()]
    goes_on = False
    for line in lines:
        match = _SPAN.match(line)
        is_command = match is not None and match["program"] in _SPAN_PROGRAMS and _is_command(line, match)
        if not (is_command or goes_on or line.startswith("#")):
            return False
        goes_on = line.endswith("\\")
    return 0 < len(lines) <= _MOST_LINES


def _is_command(line: str, match: re.Match[str]) -> bool:
    """Return whether an interpreter is called with a file; `node configure` is of another program."""
    return match["program"] not in _INTERPRETERS or _RUNS_FILE.search(line) is not None


def _first(found: Iterator[Url]) -> Iterator[Url]:
    """Yield the first URL of each host."""
    hosts: set[str] = set()
    for url in found:
        if url.host not in hosts and len(hosts) < _MOST_URLS:
            hosts.add(url.host)
            yield url


def _json(text: Text) -> Any:
    try:
        return json.loads(text.source.text)
    except (ValueError, RecursionError):
        return None


def _unread(skill: Skill, directory: Path) -> Iterator[Unread]:
    """Yield the files of which nothing was read: binaries, archives, links, and what is too large."""
    read_files = {skill.file_name, *skill.other_texts.read}
    told = {each.file: each.bound for each in skill.other_texts.unread}
    for file in sorted(skill.tree.files - read_files):
        try:
            size = (directory / file).lstat().st_size
        except OSError:
            size = None
        inside = file not in skill.other_texts.considered
        why = told.get(file) or ("belongs to a skill inside this one" if inside else _kind_of(file))
        yield Unread(file, why, size)
    for link in skill.tree.links:
        yield Unread(link.path, f"a link to {link.target}")
    if not skill.tree.complete:
        yield Unread(".", "directories such as node_modules are not read")


def _kind_of(file: str) -> str:
    lower = file.lower()
    for kind in ("archive", "program or library", "picture, font, sound or PDF", "office document"):
        if lower.endswith(endings(kind)):
            return kind
    return "binary"

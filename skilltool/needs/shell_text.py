"""What shell text asks for: programs, hosts, packages, variables, files of credentials and paths outside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from skilltool.needs import seen
from skilltool.needs.installs import packages
from skilltool.needs.seen import Rows
from skilltool.needs.urls import host_of, urls
from skilltool.needs.variables import SECRET, is_own
from skilltool.needs.words import words
from skilltool.rules.shared.credential_files import CREDENTIAL_DIRECTORY, CREDENTIAL_FILE
from skilltool.skill.texts import Text
from skilltool.text import shell
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.shell import Assignment, Command, Script, Word
from skilltool.text.source import Span

# What a shell does itself.
BUILT_IN = words("shell_built_in")
# Functions of scripts that print what they are given.
_MESSAGES = lazy_pattern(
    r"(?:print|log|echo|msg|show)_\w+|\w+_(?:msg|log)|info|warn|warning|error|err|fail|die|success|ok|note|log|usage"
    r"|abort|step|header|msg|debug|skip|pass"
)
_PRINTERS = frozenset({"echo", "printf", "cat"})
_PROGRAM = lazy_pattern(
    r"(?:[a-z][a-z0-9]*(?:[-_+][a-z0-9]+|\.(?:exe|\d+))*\+{0,2}|R|Rscript|Xvfb|PlistBuddy|MSBuild|7z)"
)
_IN_DIRECTORY = lazy_pattern(
    r"(?:~|\$HOME|\$\{HOME\}|/(?:usr|opt|bin|sbin|Applications|Library|System))/[\w./+@ -]{1,200}"
)
_SENDS = lazy_pattern(
    r"-[a-zA-Z]*[dFT]|--(?:data(?:-\w{1,12})?|form|json|upload-file|post-data|post-file|body-file)(?:=.*)?"
)
_REMOTE = lazy_pattern(r"(?:[\w.-]{1,60}@)?(?P<host>[\w-]+(?:\.[\w-]+)+):(?!\d+\Z)")
_COPIES = frozenset({"scp", "rsync", "sftp"})
_ABSOLUTE = lazy_pattern(
    r"(?:~|\$HOME|\$\{HOME\})/[\w.@+-][^\t\n:;,|&<>()\"']{0,200}"
    r"|/(?:etc|usr|var|opt|tmp|root|home|Users|Library|Applications|System|mnt|proc|sys|run|srv|private|Volumes)/[\w.@+-][^\t\n:;,|&<>()\"']{0,200}"
)
_GOES_ON = (".", "/", "_")
_OF_SYSTEM = lazy_pattern(r"/dev/|/usr/bin/env\b|/proc/(?:self|cpuinfo|meminfo|version)|/etc/os-release")
_PLACEHOLDER = lazy_pattern(r"path/to|\.\.\.|<|\{\{|\byour[-_]|\bmy[-_]|/(?:username|user|yourname|me|you)/")
_INNER = lazy_pattern(r"\$\{(?P<name>[A-Z][A-Z0-9_]+)(?P<default>:?[-=+?])?")
_NEAR = 80  # characters before a program
_LONGEST_PATH = 120
_OF_OTHER_LANGUAGES = words("not_programs")
# What is before a command in its line: nothing, a prompt, what ends another command or runs this one.
_BEFORE = lazy_pattern(
    r"(?:\A[\s>$#%]*|[\s;]&&?[ \t]*|\|\|[ \t]*|[\s)\"'}]\|&?[ \t]*|\|[ \t]+|;[ \t]*|\$\([ \t]*"
    r"|`[ \t]*|<\([ \t]*|\A\s*\([ \t]*|[\"'][ \t]*|[\w)\"'}]&&[ \t]*"
    r"|(?:\A|[\s;(])(?:then|do|else|elif|if|while|until|!|sudo|env|xargs|time|timeout|nohup|exec|command|eval|watch"
    r"|nice|stdbuf|doas|setsid|builtin|-exec|\{)"
    r"(?:[ \t]+(?:-[\w-]+|\d+[smh]?|\{\}))*[ \t]+|(?:\A|[\s;&|(])(?:[A-Za-z_]\w*=\S*[ \t]+)+|\)[ \t]*)\Z"
)


class Reading:
    """The rows of one piece of shell text; `at` moves a span of the script into the file."""

    def __init__(self, rows: Rows, text: Text, where: str, keep: Callable[[Span], bool]) -> None:
        """Take where rows go, the file, what the text is, and which spans of the file count."""
        self._rows = rows
        self._text = text
        self._where = where
        self._keep = keep

    def read(self, script: Script) -> None:
        """Add what a script asks for."""
        defined = script.functions | _aliases(script)
        for number, command in enumerate(script.commands):
            if self._keep(command.span):
                self._command(script, number, command, defined)
        self._variables(script)

    def _add(self, span: Span, kind: str, what: str, how: str, pinned: bool | None = None) -> None:
        self._rows.add(self._text, span, kind, what, how, self._where, pinned)

    def _command(self, script: Script, number: int, command: Command, defined: frozenset[str]) -> None:
        program = self._program(command, defined)
        name = command.program
        is_printed = (name in _PRINTERS or _MESSAGES.fullmatch(name) is not None) and not command.readers
        is_prose = self._where == seen.BLOCK and program is None and command.words and name not in BUILT_IN
        if not is_printed and not is_prose:
            self._hosts(script, number, command)
            for package in packages(command):
                self._add(package.span, seen.PACKAGE, package.name, package.how, package.pinned)
        files = [] if name == "echo" else list(command.words)
        files += [
            redirect.target for redirect in command.redirects if redirect.operator not in ("<<", "<<-", "<<<")
        ]
        files += [each.value for each in command.assignments]
        for word in files[0 if program is None else 1 :]:
            self._file(word)

    def _program(self, command: Command, defined: frozenset[str]) -> str | None:
        """Add the program of a command, and those that run it; return it, None for any other word."""
        run = command.run
        shown = [command.words[0]] if command.words and run and command.words[0] is not run[0] else []
        found = None
        if len(run) > 1 and run[1].text in ("=", ":", ":=", "=>", "->"):
            return None  # of another language
        for word in [*shown, *run[:1]]:
            name = _name_of(word)
            if name is None or name in BUILT_IN or name in defined or name in _OF_OTHER_LANGUAGES:
                continue
            if self._where == seen.BLOCK and not self._begins(word.span.start):
                continue
            found = name
            self._add(word.span, seen.COMMAND, name, "run")
        return found

    def _begins(self, start: int) -> bool:
        """Return whether a command may begin here: at a line, or after what separates or runs commands.

        `--type <user|group>` has no pipe, and prose in a block of code has no command.
        """
        written = self._text.source.text
        line = written[max(written.rfind("\n", 0, start) + 1, start - _NEAR) : start]
        return _BEFORE.search(line) is not None

    def _hosts(self, script: Script, number: int, command: Command) -> None:
        program = command.program
        how = program or "a command"
        words = [*command.words, *(each.target for each in command.redirects if each.operator == "<<<")]
        if program in ("curl", "wget") and any(_SENDS.fullmatch(word.text) for word in command.arguments):
            how = f"{program}, sends data"
        if program in ("curl", "wget") and _is_run(script, number):
            how = f"{program}, downloaded and run"
        if program == "git" and len(command.arguments) > 1:
            how = f"git {command.arguments[0].text}"
        for word in words:
            for url in urls(word.text):
                self._add(word.span, seen.NETWORK, url.host, how)
        if program in _COPIES or (program == "git" and command.arguments[:1]):
            for word in command.arguments:
                match = _REMOTE.match(word.text)
                if match and "/" not in word.text[: match.end()] and host_of(f"https://{match['host']}"):
                    self._add(word.span, seen.NETWORK, match["host"].lower(), how)
        if program == "ssh":
            self._ssh(command)
        for assignment in command.assignments:
            written = assignment.value.text
            for url in urls(written) if written.startswith("http") or ":-http" in written else ():
                self._add(assignment.span, seen.NETWORK, url.host, f"in the variable {assignment.name}")

    def _ssh(self, command: Command) -> None:
        for before, word in pairwise((command.run[0], *command.arguments)):
            if before.text in ("-i", "-p", "-o", "-L", "-R", "-D", "-F", "-l", "-J") or word.text.startswith(
                "-"
            ):
                continue
            host = word.text.rpartition("@")[2]
            if word.literal and "." in host and host_of(f"ssh://{host}"):
                self._add(word.span, seen.NETWORK, host.lower(), "ssh")
            return

    def _file(self, word: Word) -> None:
        """Add a path outside of the skill and the project, and a file of credentials."""
        written = word.text
        if len(written) > 1_000:
            return
        match = CREDENTIAL_FILE.search(written)
        if match is not None and written[match.end() : match.end() + 1] in _GOES_ON:
            match = None  # the name of another file
        directory = CREDENTIAL_DIRECTORY.match(written)
        if (
            match is not None and (not match.start() or written[match.start() - 1] in "@=:<,")
        ) or directory is not None:
            path = match["path"] if match is not None else directory["path"] if directory is not None else ""
            if path.startswith((".azure/", ".gnupg/", ".config/")):
                return  # of the project
            self._add(word.span, seen.CREDENTIAL, path, "named in a command")
            return
        start = written.rfind("=") + 1 if "=" in written and written.startswith("-") else 0
        found = _ABSOLUTE.match(written, start)
        if found is not None and not _OF_SYSTEM.match(found[0]) and not _PLACEHOLDER.search(written):
            goes_on = self._text.source.text[word.span.end : word.span.end + 1] in ("<", "{")
            path = _plain(found[0])
            self._add(word.span, seen.PATH, f"{path}*" if goes_on else path, "named in a command")

    def _variables(self, script: Script) -> None:
        in_script = self._where in (seen.SCRIPT, seen.HOOK, seen.AT_LOAD)
        set_here = {each.name for command in script.commands for each in command.assignments}
        set_here |= set(_read_names(script))
        for each in _assigned(script) if in_script else ():
            inner = _INNER.search(each.value.text)  # `NAME="${NAME:-value}"`
            if inner is not None and inner["name"] == each.name and self._keep(each.span):
                self._variable(each.span, each.name, (inner["default"] or "?")[-1] in "-=+")
        for each in () if in_script else _exported(script):
            if SECRET.fullmatch(each.name) and is_own(each.name) and self._keep(each.span):
                self._add(each.span, seen.ENVIRONMENT, each.name, "set by the reader")
        for variable in script.variables:
            name = variable.name
            if name in set_here or not is_own(name) or not self._keep(variable.span):
                continue
            if in_script or variable.has_default or SECRET.fullmatch(name):
                self._variable(variable.span, name, variable.has_default)

    def _variable(self, span: Span, name: str, is_optional: bool) -> None:
        if is_own(name):
            self._add(span, seen.ENVIRONMENT, name, "read, with a default" if is_optional else "read")


def _name_of(word: Word) -> str | None:
    """Return the name of a program, or its path outside; None for files of the skill and other words."""
    written = word.text
    if not word.literal and not _IN_DIRECTORY.fullmatch(written):
        return None
    if "/" in written:
        return (
            _plain(written) if _IN_DIRECTORY.fullmatch(written) and not _PLACEHOLDER.search(written) else None
        )
    return written if _PROGRAM.fullmatch(written) and not written.endswith(_FILES) else None


_FILES = (".md", ".txt", ".json", ".yaml", ".yml", ".toml", ".sh", ".py", ".js", ".ts", ".csv", ".html")


def _plain(path: str) -> str:
    """Return a path with one spelling of the home directory, up to what is put in, which becomes `*`."""
    path = re.sub(r"\A\$\{?HOME\}?", "~", path)
    begin = re.split(r"[$*`{?\[]| -", path)[0]
    if begin != path or len(begin) > _LONGEST_PATH:
        return begin[:_LONGEST_PATH].rstrip("/ ") + ("*" if not path.startswith(f"{begin} -") else "")
    return begin.rstrip("/.") or path


def _is_run(script: Script, number: int) -> bool:
    """Return whether an interpreter reads what a command prints."""
    readers = shell.readers_of(script, number) - {number}
    return any(_runs_input(script.commands[each]) for each in readers)


def _runs_input(command: Command) -> bool:
    """Return whether a command runs what it reads: `sh`, `bash -s -- x`, `python -`, `eval "$(...)"`."""
    if command.program in ("eval", "source", "."):
        return True
    if command.program not in _INTERPRETERS:
        return False
    words = [word.text for word in command.arguments]
    if words[:1] and re.fullmatch(r"-[a-z]*c|-e", words[0]):
        return command.program in shell.SHELLS and "$(" in " ".join(words[1:2])
    return (
        not words
        or words[0] in ("-", "-s", "--", "-x", "-e", "-l")
        or words[0].startswith(("<(", "/dev/stdin"))
    )


_INTERPRETERS = shell.SHELLS | {"python", "python3", "node", "perl", "ruby", "php", "iex", "pwsh"}


def _assigned(script: Script) -> Iterator[Assignment]:
    """Yield the first assignment to each variable."""
    names: set[str] = set()
    for command in script.commands:
        for each in command.assignments:
            if each.name not in names:
                names.add(each.name)
                yield each


def _exported(script: Script) -> Iterator[Assignment]:
    for command in script.commands:
        if command.words and command.words[0].text == "export":
            yield from command.assignments


def _aliases(script: Script) -> frozenset[str]:
    return frozenset(
        word.text.partition("=")[0]
        for command in script.commands
        if command.program == "alias"
        for word in command.arguments
    )


def _read_names(script: Script) -> Iterator[str]:
    """Yield the variables that `read`, `mapfile`, `getopts` and `declare` set."""
    for command in script.commands:
        program = command.words[0].text if command.words and command.words[0].literal else ""
        if program in ("read", "mapfile", "readarray", "getopts", "declare", "local", "typeset", "readonly"):
            yield from (word.text for word in command.words[1:] if not word.text.startswith("-"))

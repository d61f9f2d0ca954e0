"""Signs in a text that a rule may have something to say about it: a rule looks closer only if they are there.

An answer may be yes without need, but never no where the rule would find something. Prefilters ask them of all
files of a skill, and rules again of each, so that one suspicious file does not make the others cost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from skilltool.findings.secrets import secrets_of
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text.lazy_pattern import lazy_pattern

# ASCII in lower case.
_LOADERS = (b"curl", b"wget", b"iwr", b"invoke-", b"downloadstring")
_SHORT_LOADER = rb"\birm\b"
_ENCODERS = (b"base64", b"b64decode", b"atob", b"powershell", b"pwsh")
_ARCHIVERS = (b"unzip", b"7z", b"unrar")
_ARCHIVES = (b"zip", b"archive", b".rar", b".7z")
_PLACEHOLDERS = (
    b"todo",
    b"fixme",
    b"tbd",
    b"[insert",
    b"[your",
    b"[fill in",
    b"[add your",
    b"<insert",
    b"<your",
    b"{{",
)
_FENCED, _WAVED = lazy_pattern("```"), lazy_pattern("```|~~~")
_SAMPLE = lazy_pattern(
    r"template|(?:\A|/)(?:assets|evals)/|boilerplate|scaffold|skeleton|example|sample|fixture", re.IGNORECASE
)
_PRINTED = bytes([*b"\t\n\r", *range(0x20, 0x7F)])
_BEFORE_HTML = " \t>*+0123456789.)-"
_PASSWORD, _ARCHIVE = "\u5bc6\u7801".encode(), "\u538b\u7f29\u5305".encode()


def is_sample(file: str) -> bool:
    """Return whether a file of a skill is there to be filled in or copied: a template, an asset, an example."""
    return bool(file) and _SAMPLE.search(file) is not None


def texts_with(skill: Skill, hint: Callable[[Text], bool]) -> Iterator[Text]:
    """Yield the text files of a skill for which the answer to a question is yes."""
    return (text for text in skill.texts if text.once(hint))


def has_downloads(text: Text) -> bool:
    """Return whether a file contains a URL and the name of a program that downloads."""
    folded = text.folded
    return b"://" in folded and (
        _holds_any(folded, _LOADERS) or (b"irm" in folded and re.search(_SHORT_LOADER, folded) is not None)
    )


def has_passwords(text: Text) -> bool:
    """Return whether a file contains a URL, an archive and something like a password."""
    folded = text.folded
    if b"://" not in folded:
        return False
    named = b"pass" in folded or (b"-p" in folded and _holds_any(folded, _ARCHIVERS))
    if text.source.text.isascii():
        return named and _holds_any(folded, _ARCHIVES)
    return (named or _PASSWORD in folded) and (_holds_any(folded, _ARCHIVES) or _ARCHIVE in folded)


def has_encoded_text(text: Text) -> bool:
    """Return whether a file contains the name of a program or function that decodes."""
    return _holds_any(text.folded, _ENCODERS)


def has_home_paths(text: Text) -> bool:
    """Return whether a file may contain a path into a user's home directory."""
    return "/home/" in text.source.text or "Users" in text.source.text


def has_placeholders(text: Text) -> bool:
    """Return whether a page contains a word that templates leave to be replaced."""
    return text.is_page and _holds_any(text.folded, _PLACEHOLDERS)


def has_carriage_return_after_interpreter(text: Text) -> bool:
    """Return whether the first line of a script names its interpreter and ends with a carriage return."""
    written = text.source.text
    return written.startswith("#!") and not text.is_page and written.find("\r", 0, written.find("\n")) > 0


def has_conflict_marks(text: Text) -> bool:
    """Return whether a file contains what begins the conflict of a merge."""
    return b"<<<<<<<" in text.folded


def has_secrets(text: Text) -> bool:
    """Return whether a file contains a secret with a known prefix, or a private key."""
    return bool(secrets_of(text.source))


def may_be_invisible(text: Text) -> bool:
    """Return whether a file contains a character beyond ASCII that Unicode does not print."""
    if text.source.text.isascii():
        return False
    rest = text.folded.translate(None, _PRINTED)
    return not rest.decode("utf-8", "surrogatepass").isprintable()


# A reference link, `[text][label]` or `[text][]`, not after a word, an escape or another bracket.
REFERENCE = lazy_pattern(
    r"(?<![\\\]\w])!?\[(?P<text>[^\[\]\n]{1,200})\]\[(?P<label>[^\[\]\n]{0,200})\](?![\[(])"
)


def has_references(text: Text) -> bool:
    """Return whether a page may contain a reference link; templates are left out."""
    if "][" not in text.source.text or not text.is_page or is_sample(text.file):
        return False
    return REFERENCE.search(text.source.text, text.body_span.start) is not None


# A relative path with backslashes to a file with an extension: `scripts\fill.py`.
BACKSLASH_PATH = lazy_pattern(
    r"(?<![\w.:/\\${}%<>~-])(?P<path>(?:\.\\)?[A-Za-z0-9][\w.-]{0,60}(?:\\[A-Za-z0-9][\w.-]{0,80}){1,8}"
    r"(?<=[A-Za-z0-9]))(?![\w\\/<{$%*])"
)
_EXTENDED = lazy_pattern(r"\\[\w.-]{1,80}\.[A-Za-z]")


def has_backslash_paths(text: Text) -> bool:
    """Return whether a page may contain a relative path with backslashes; templates are left out."""
    if "\\" not in text.source.text or not text.is_page or is_sample(text.file):
        return False
    return _EXTENDED.search(text.source.text, text.body_span.start) is not None


def has_odd_fences(text: Text) -> bool:
    """Return whether the fences of a page are anything but plain pairs, each with its code indented at least as much.

    Such a pair is closed, or no fence at all, in whatever list it is. Fences in quotes or after a list mark,
    and those that may be inside HTML, are left to the Markdown parser.
    """
    body = text.body if text.is_page else ""
    if "```" not in body and "~~~" not in body:
        return False
    if "\r" in body:
        body = body.replace("\r\n", "\n").replace("\r", "\n")
    opened, start, done = "", 0, 0
    for match in (_WAVED if "~~~" in body else _FENCED).finditer(body):
        if match.start() < done:
            continue  # in the same line as the one before
        begin = body.rfind("\n", 0, match.start()) + 1
        if not opened and _has_html_line(body, done, begin):
            return True
        done = (body.find("\n", match.end()) + 1) or len(body) + 1
        line = body[begin : done - 1]
        fence = line.lstrip(" ")
        info = fence.lstrip("`" if fence.startswith("`") else "~")
        marks = line[: len(line) - len(info)]
        if len(fence) - len(info) < 3 or "`" in info or "~~~" in info:
            return True
        if opened and (marks != opened or info.strip(" \t") or _is_outdented(body, start, begin, line)):
            return True
        opened, start = "" if opened else marks, begin
    return bool(opened) or _has_html_line(body, done, len(body))


def _has_html_line(body: str, start: int, end: int) -> bool:
    """Return whether a line between two offsets begins with `<`, after spaces, quote and list marks."""
    at = body.find("<", start, end)
    while at >= 0:
        line = body.rfind("\n", 0, at) + 1
        if not body[line:at].strip(_BEFORE_HTML):
            return True
        line = body.find("\n", at, end)
        at = body.find("<", line, end) if line >= 0 else -1
    return False


def _is_outdented(body: str, start: int, end: int, closing: str) -> bool:
    """Return whether a line between two offsets, other than of spaces, is indented less than a fence."""
    indent = closing[: len(closing) - len(closing.lstrip(" "))]
    if not indent:
        return False
    lines = body[start:end].split("\n")[:-1]
    return any(not line.startswith(indent) and line.strip(" \t") for line in lines)


_SCRIPTS = (".sh", ".bash", ".zsh", ".ksh")
_INTERPRETER = lazy_pattern(r"#![^\n]{0,80}\b(?:ba|z|da|k)?sh\b")
# A word that a text must have, which is looked for first, and an expression for what is around it.
_DESTROYERS = (
    (
        "rm",
        lazy_pattern(
            r"rm\s(?=[\s\S]{0,100}?-(?:[a-zA-Z]*[rR]|-recursive))(?=[\s\S]{0,200}?[\s\"'](?:/|~|\$\{?HOME|[A-Z]:))"
        ),
    ),
    ("chmod", lazy_pattern(r"chmod\s[\s\S]{0,60}?-(?:[a-zA-Z]*R|-recursive)")),
    ("chown", lazy_pattern(r"chown\s[\s\S]{0,60}?-(?:[a-zA-Z]*R|-recursive)")),
    ("mkfs", lazy_pattern(r"mkfs")),
    ("wipefs", lazy_pattern(r"wipefs\s")),
    ("shred", lazy_pattern(r"shred\s")),
    ("of=/dev/", lazy_pattern(r"of=/dev/")),
    ("/dev/", lazy_pattern(r">\|?\s{0,3}/dev/(?:[shvxmrd]|nv)")),
    ("find", lazy_pattern(r"find\s[\s\S]{0,200}?(?:-delete\b|-exec\s{1,5}(?:sudo\s)?rm\b)")),
    ("()", lazy_pattern(r"\(\)\s{0,3}\{[^\n}]{0,40}\|")),
)
_SECRETS = (
    (
        ".",
        lazy_pattern(
            r"\.(?:aws|ssh|netrc|git-credentials|pypirc|npmrc|kube|docker/|gnupg|config/g|azure|bash_history|zsh_history"
            r"|claude/\.cred|codex/auth|env)\b"
        ),
    ),
    ("env", lazy_pattern(r"env\s{0,3}(?:[|)`\"';&>\n]|\Z)")),
    ("export", lazy_pattern(r"export\s{1,3}-p\b")),
    ("set", lazy_pattern(r"set\s{0,3}\|")),
    ("Library/Keychains", lazy_pattern(r"Library/Keychains")),
    ("/etc/shadow", lazy_pattern(r"/etc/shadow")),
)
_SENDERS = lazy_pattern(
    r"\b(?:curl|wget|n?cat|nc|netcat|socat|telnet|dig|nslookup|host|ping|drill|scp|rsync|s?ftp|rclone|mailx?|sendmail"
    r"|mutt|https?|xh|openssl|aws)\s|/dev/(?:tcp|udp)/"
)
# All variables of the environment: `dict(os.environ)`, and no single one of them.
_ENVIRONMENT = lazy_pattern(r"os\.environ\b(?!\.(?:get|pop|setdefault|update)\b|\[)")
_PYTHON_SENDERS = ("requests", "httpx", "aiohttp", "urllib", "socket")
_INSTALLERS = lazy_pattern(
    r"\b(?:npx|bunx|uvx|dlx|pipx|npm\s+exec|bun\s+x|pip3?\s+install|uv\s+tool\s+install)\b"
)
_PROMPTERS = (("read", lazy_pattern(r"read\s")), ("select", lazy_pattern(r"select\s")))
_INITIALIZERS = (("npm", lazy_pattern(r"npm\s{1,3}init\b")), ("yarn", lazy_pattern(r"yarn\s{1,3}init\b")))
_ASKERS = (("input", lazy_pattern(r"input\s{0,3}\(")), ("getpass", lazy_pattern(r"getpass\s{0,3}\(")))
# A question of a script for Node.js, at the beginning of a statement or an expression, not in a comment.
QUESTIONS = lazy_pattern(
    r"^(?![ \t]{0,40}(?://|\*))[^\n'\"`]{0,80}?\b(?P<call>inquirer\.prompt|(?:rl|readline|reader|iface|interface)\.question)\(",
    re.MULTILINE,
)
# An image or link to another machine.
_REMOTE_LINK = lazy_pattern(
    r"(?P<image>!?)\[[^\[\]\n]{0,200}\]\([ \t]{0,3}<?(?P<url>https?://(?P<host>[\w.:-]{1,253})(?P<rest>[/?][^)\n]{0,400}))\)"
)
_PLACEHOLDER = lazy_pattern(r"[<{\[$]")
_COMMENTS = (b"<!--", b"]: #", b"]: <")
_COVERT = lazy_pattern(
    rb"ignor|disregard|forget|overrid|bypass|n't|n\xe2\x80\x99t|dont|not\s|never|without|hide|conceal|keep|silent|secret"
    rb"|quiet|covert|send|upload|post|forward|exfil|transmit|run|execut|fetch|download|install|open|load|visit|you\s"
    rb"|act\s|/\.\w|system\s{1,20}prompt|always|automatic"
)


def _has_sign(written: str, signs: Iterable[tuple[str, re.Pattern[str]]]) -> bool:
    return any(word in written and sign.search(written) is not None for word, sign in signs)


def destroys(written: str) -> bool:
    """Return whether shell text may have a command that deletes or overwrites."""
    return _has_sign(written, _DESTROYERS)


def sends_secrets(written: str) -> bool:
    """Return whether shell text names something secret, and may have a command that sends."""
    return _has_sign(written, _SECRETS) and _SENDERS.search(written) is not None


def installs(written: str) -> bool:
    """Return whether shell text names a program that fetches packages."""
    return _INSTALLERS.search(written) is not None


def prompts(written: str) -> bool:
    """Return whether a script may wait for input."""
    return _has_sign(written, _PROMPTERS) or initializes(written)


def initializes(written: str) -> bool:
    """Return whether shell text may have a command that asks for what a new package is to have."""
    return _has_sign(written, _INITIALIZERS)


def may_destroy(text: Text) -> bool:
    """Return whether a page or a script may have a command that deletes or overwrites."""
    return _has_shell(text) and destroys(text.source.text)


def may_send(text: Text) -> bool:
    """Return whether a page or a script may have a command that sends, and something secret."""
    return _has_shell(text) and sends_secrets(text.source.text)


def may_install(text: Text) -> bool:
    """Return whether a script, or a command that the page runs at load time, may install something."""
    written = text.source.text
    runs = "!`" in written or "``!" in written or "~~!" in written if text.is_page else is_shell_script(text)
    return runs and installs(written)


def may_prompt(text: Text) -> bool:
    """Return whether a page or a script may have a command that waits for input."""
    written = text.source.text
    return initializes(written) if text.is_page else is_shell_script(text) and prompts(written)


def sends_from_python(text: Text) -> bool:
    """Return whether a script in Python names something secret, and a module that sends."""
    written = text.source.text
    if not text.file.endswith(".py") or not any(module in written for module in _PYTHON_SENDERS):
        return False
    return _ENVIRONMENT.search(written) is not None or _has_sign(written, _SECRETS)


def asks_questions(text: Text) -> bool:
    """Return whether a script for Node.js asks what somebody types."""
    written = text.source.text
    if not text.file.endswith((".js", ".mjs", ".cjs", ".ts", ".mts")):
        return False
    has_module = "inquirer" in written or ("readline" in written and "process.stdin" in written)
    return has_module and QUESTIONS.search(written) is not None


def has_input_calls(text: Text) -> bool:
    """Return whether a script in Python may read what somebody types."""
    written = text.source.text
    return text.file.endswith(".py") and _has_sign(written, _ASKERS)


def linked_placeholders(text: Text) -> Iterator[re.Match[str]]:
    """Yield the images and links of a page to other machines whose address may have something put into it.

    The groups are `image`, which is `!` or empty, `url`, its `host`, and the `rest` after that.
    """
    if text.is_page and "](" in text.source.text:
        for match in _REMOTE_LINK.finditer(text.source.text, text.body_span.start):
            if _PLACEHOLDER.search(match["rest"]):
                yield match


def has_linked_placeholders(text: Text) -> bool:
    """Return whether a page has a link to an address with a placeholder."""
    return any(True for _ in linked_placeholders(text))


def has_hidden_instructions(text: Text) -> bool:
    """Return whether a page has a comment, and a word that a covert instruction has."""
    return text.is_page and _holds_any(text.folded, _COMMENTS) and _COVERT.search(text.folded) is not None


def is_shell_script(text: Text) -> bool:
    """Return whether a file is a script for a shell, by its name or its first line."""
    if text.is_page:
        return False
    return text.file.lower().endswith(_SCRIPTS) or _INTERPRETER.match(text.source.text) is not None


def _has_shell(text: Text) -> bool:
    return text.is_page or is_shell_script(text)


def _holds_any(text: bytes, words: Iterable[bytes]) -> bool:
    return any(word in text for word in words)

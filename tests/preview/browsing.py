"""What the tests of `preview` share: a project with a hostile skill, and the command as a server."""

from __future__ import annotations

import http.client
import os
import re
import select
import signal
import subprocess
import sys
import time
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from types import TracebackType

from tests.support.terminal import PATIENCE

_LABEL = re.compile(r'<span class="char" data-c="([0-9a-f]+)" data-n="(\d+)"[^>]*>[^<]*</span>')
ATTACK = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
ICON = "data:image/svg+xml;base64,"
HOSTILE_BODY = f"""
# {ATTACK}

{ATTACK}

[a](javascript:document.title='owned') <javascript:document.title='owned'>
[b](data:text/html,<script>1</script>) [c](vbscript:x) [d](../../secret.txt) [e](/etc/passwd)
[f](file:///etc/passwd)
[g](http://127.0.0.1:1/leak) ![h](http://127.0.0.1:1/leak.png) ![i](../../secret.png)
![j](//127.0.0.1:1/leak.png)
![k](<x.png" onerror="document.title='owned'>) [l](<" onclick="document.title='owned'>)

<iframe src="http://127.0.0.1:1/leak"></iframe><style>@import "http://127.0.0.1:1/leak"</style>

zero\u200bwidth \u202eright-to-left\u202c bell\x07 tag\U000e0041 $ARGUMENTS

```html
</code></pre></script>{ATTACK}
```
"""


def exact(html: str) -> str:
    """Return the text that HTML of `preview.markup` shows, labels as the characters they stand for."""
    marked = _LABEL.sub(lambda match: chr(int(match[1], 16)) * int(match[2]), re.sub("\0", "", html))
    return unescape(re.sub(r"<[^>]*>", "", marked))


def together(runs: str, lines: list[str]) -> str:
    """Return the text for which numbers of lines stand, see `skilltool.preview.lines`."""
    text = ""
    for run in runs.split(" "):
        found = re.fullmatch(r"(~?)(?:(\d+):)?(\d+)(?:\+(\d+))?", run)
        assert found is not None, run
        indent, end = " " * int(found[2] or 0), "\\n" if found[1] else "\n"
        for number in range(int(found[3]), int(found[3]) + int(found[4] or 0) + 1):
            text += f"{indent}{lines[number]}{end}"
    return text.removesuffix("\n")


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def harmful(html: str) -> list[str]:
    """Return what in a page could run or fetch something, beside the one script and the one style of ours."""
    parser = _Elements()
    parser.feed(html)
    found = []
    for tag, attributes in parser.found:
        found += [f"{tag} {name}" for name in attributes if name.startswith("on") or name == "srcdoc"]
        for name in ("href", "src", "action"):
            value = (attributes.get(name) or "").strip().lower()
            is_own = value.startswith(("/", "#", "?", ICON)) and not value.startswith("//")
            if value and not is_own and not (tag == "a" and value.startswith(("http:", "https:", "mailto:"))):
                found.append(f"{tag} {name}={value}")
        if tag in {"iframe", "object", "embed", "base", "link", "style", "script"}:
            loads = attributes.get("src") or attributes.get("href") or attributes.get("type")
            found += [f"{tag} {loads}"] if not (loads or "").startswith(ICON) else []
    return found


def hostile(project: Path) -> Path:
    """Write a skill that tries to run scripts, to read files outside, and to send requests."""
    (project / "secret.txt").write_text("secret", "utf-8")
    directory = project / ".claude" / "skills" / "<b onclick=x>"
    directory.mkdir(parents=True)
    quoted = ATTACK.replace('"', '\\"')
    text = f'---\nname: "{quoted}"\ndescription: "{quoted} Use when asked."\n---\n{HOSTILE_BODY}'
    (directory / "SKILL.md").write_text(text, "utf-8")
    (directory / "<img src=x onerror=alert(1)>.txt").write_text("text", "utf-8")
    (directory / "page.html").write_text(ATTACK, "utf-8")
    (directory / "image.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "utf-8"
    )
    (directory / "link.txt").symlink_to("../../../secret.txt")
    return directory


class Preview:
    """`skilltool preview` as a process; `address` is where it answers, without a slash at the end."""

    def __init__(self, cwd: Path, *arguments: str, home: Path) -> None:
        """Start it on any free port, and wait until it answers."""
        command = [sys.executable, "-m", "skilltool", "preview", "--no-open", "--port", "0", *arguments]
        self.process = subprocess.Popen(
            command, cwd=cwd, env={**os.environ, "HOME": str(home)}, stderr=subprocess.PIPE
        )
        self._written = b""
        line = self.line()
        found = re.search(r"(http://127\.0\.0\.1:(\d+))", line)
        assert found is not None, line
        self.address, self.port = found[1], int(found[2])

    def line(self) -> str:
        """Return the next line that it writes to standard error."""
        assert self.process.stderr is not None
        last = time.monotonic() + PATIENCE
        while b"\n" not in self._written:
            assert time.monotonic() < last, "it has written nothing"
            if select.select([self.process.stderr], [], [], 0.1)[0]:
                more = os.read(self.process.stderr.fileno(), 65_536)
                assert more, "it has ended"
                self._written += more
        line, _, self._written = self._written.partition(b"\n")
        return line.decode()

    def ask(
        self, path: str, method: str = "GET", host: str | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Return the status, the headers (names in lower case) and the content of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", host if host is not None else f"127.0.0.1:{self.port}")
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, content

    def page(self, path: str) -> str:
        """Return a page as text; its status must be 200."""
        status, _, content = self.ask(path)
        assert status == 200, content
        return content.decode()

    def skills(self) -> dict[str, str]:
        """Return the addresses of the pages of skills, by the path that the overview shows."""
        rows = re.findall(
            r'<th scope="row"><div><span><a href="(/skill/[^"]*)">'
            r'.*?<span class="path"[^>]*>(.*?)</span></span>',
            self.page("/"),
            re.DOTALL,
        )
        return {exact(path): address for address, path in rows}

    def end(self) -> int:
        """End it as Ctrl-C does; return its exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Preview:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stderr is not None:
            self.process.stderr.close()

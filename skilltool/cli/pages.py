"""Pages of Markdown, such as the manuals of rules, on a terminal: `rich` draws them, in our colours."""

from __future__ import annotations

import io
import re
from typing import ClassVar

from markdown_it.token import Token
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, MarkdownElement
from rich.padding import Padding
from rich.text import Text
from rich.theme import Theme

from skilltool.text.printable import SafeText, safe_text

_THEME = Theme(
    {
        "markdown.code": "cyan",
        "markdown.h1": "bold",
        "markdown.h2": "bold",
        "markdown.item.bullet": "default",
    }
)
_SEVERITY = {"error": "bold red", "warning": "bold yellow", "info": "bold cyan"}
_OF_REPORT = r"\b(error|warning|info)\[[\w-]+\]"
_NARROWEST = 40


def drawn(markdown: str, width: int, in_color: bool) -> SafeText:
    """Return a page of ours as lines of at most `width` cells; a longer line of code goes on below."""
    console = Console(
        file=io.StringIO(),
        width=max(width, _NARROWEST),
        force_terminal=in_color,
        color_system="standard" if in_color else None,
        theme=_THEME,
        highlight=False,
    )
    with console.capture() as capture:
        console.print(_Page(str(safe_text(markdown)), hyperlinks=False))
    return SafeText("".join(f"{line.rstrip()}\n" for line in capture.get().splitlines()))


class _Title(Heading):
    """A heading at the left edge."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it without the frame that rich has for the first level."""
        self.text.justify = "left"
        yield self.text


class _Code(CodeBlock):
    """Code and reports, indented, below the path that the fence names; the fences are not shown."""

    title = ""

    @classmethod
    def create(cls, markdown: Markdown, token: Token) -> _Code:
        """Take the block, and what its fence says after the language: a path, or for whom a report is."""
        block = cls("", "default")
        _, _, more = (token.info or "").strip().partition(" ")
        block.title = more.removeprefix("--runtime ").removeprefix("escaped").strip()
        return block

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the lines as they are, the severities of a report in their colours."""
        if self.title:
            yield Text(f"  {self.title}:", style="dim")
        text = Text(str(self.text).rstrip("\n"))
        for match in re.finditer(_OF_REPORT, text.plain):
            text.stylize(_SEVERITY[match[1]], match.start(), match.end())
        yield Padding(text, (0, 0, 0, 4))


class _Page(Markdown):
    """Markdown with these headings and code blocks."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _Title,
        "fence": _Code,
        "code_block": _Code,
    }

"""The page docs/cli.md: what `--help` prints, for skilltool and for each command."""

from pathlib import Path

from skilltool.cli import COMMANDS

_INTRO = Path(__file__).with_name("cli-intro.md").read_text("utf-8")


def page() -> str:
    """Return the page as Markdown, its blocks without output: `transcripts` fills them in."""
    contents = [f"- [`skilltool {name}`](#skilltool-{name}): {about}" for name, about in COMMANDS.items()]
    parts = [_INTRO, *contents, "", *(_section(name) for name in COMMANDS)]
    return "\n".join(parts)


def _section(name: str) -> str:
    return f"## skilltool {name}\n\n```console\n$ skilltool {name} --help\n```\n"

"""A hook of mkdocs: gives rules and runtimes their entries in the navigation, and blocks of files a title."""

import re
from pathlib import Path
from typing import Any

_HEADING_OR_ROW = re.compile(
    r"^## (?P<heading>.+)$|^\| \[`(?P<name>[^`]+)`\]\((?P<page>[\w/@.-]+\.md)\)", re.MULTILINE
)
_BLOCK = re.compile(
    r"^(?P<fence>`{3,})(?P<language>\w+)(?P<more> [^\n]+)?\n(?P<text>.*?^(?P=fence)$)", re.M | re.S
)


def on_config(config: Any) -> Any:
    """Return the configuration with an entry for each row of docs/rules.md and docs/runtimes.md, below it."""
    config["nav"] = [_section(entry, Path(config["docs_dir"])) for entry in config["nav"]]
    return config


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return the page with ```markdown PATH as mkdocs writes it; what else a manual's fences say is shown."""
    return _BLOCK.sub(_titled, markdown)


def _titled(block: re.Match[str]) -> str:
    more = (block["more"] or "").strip()
    if not more:
        return block[0]
    title = {"escaped": "\\\\x and two digits stand for a byte"}.get(more, more)
    return f'{block["fence"]}{block["language"]} title="{title}"\n{block["text"]}'


def _section(entry: dict[str, Any], docs: Path) -> dict[str, Any]:
    (title, page), *_ = entry.items()
    if page not in ("rules.md", "runtimes.md"):
        return entry
    pages: list[Any] = [page]
    group = pages
    for found in _HEADING_OR_ROW.finditer((docs / page).read_text("utf-8")):
        if found["heading"]:
            group = []
            pages.append({found["heading"]: group})
        else:
            group.append({found["name"]: found["page"]})
    return {title: pages}

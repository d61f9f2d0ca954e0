"""A hook of mkdocs: rules and runtimes in the navigation, titles of blocks, the version, short addresses."""

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

sys.path.append(str(Path(__file__).parent))  # mkdocs runs this file, and does not know the directory
import gallery

_HEADING_OR_ROW = re.compile(
    r"^## (?P<heading>.+)$|^\| \[`(?P<name>[^`]+)`\]\((?P<page>[\w/@.-]+\.md)\)", re.MULTILINE
)
_VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
_LEADS_TO = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>skilltool</title>
<meta http-equiv="refresh" content="0; url=../{page}">
<p><a href="../{page}">{page}</a></p>
</html>
"""
_GALLERY = """\
# Gallery

The skills of [the tour](tour.md), as [`skilltool preview`](preview.md) shows them: one file, made with
`skilltool preview --export`. Click what you like, or [open it alone](gallery/tour.html).

<iframe class="gallery" src="gallery/tour.html" title="skilltool preview of the tour"></iframe>
"""
_BLOCK = re.compile(
    r"^(?P<fence>`{3,})(?P<language>\w+)(?P<more> [^\n]+)?\n(?P<text>.*?^(?P=fence)$)", re.M | re.S
)


def on_config(config: Any) -> Any:
    """Return the configuration with an entry for each row of docs/rules.md and docs/runtimes.md, under it."""
    config["nav"] = [_section(entry, Path(config["docs_dir"])) for entry in config["nav"]]
    for section in config["nav"]:
        for entries in section.values():
            if isinstance(entries, list) and {"Preview": "preview.md"} in entries:
                entries.insert(entries.index({"Preview": "preview.md"}) + 1, {"Gallery": "gallery.md"})
    version = _VERSION.search(
        (Path(config["docs_dir"]).parent / "skilltool" / "__init__.py").read_text("utf-8")
    )
    assert version is not None
    config["copyright"] = f"skilltool {version[1]}"
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the page that shows the tour as `skilltool preview` does, and that page itself."""
    files.append(File.generated(config, "gallery.md", content=_GALLERY))
    files.append(File.generated(config, "gallery/tour.html", content=gallery.page()))
    return files


def on_post_build(config: Any) -> None:
    """Make `rules/broken-link/` lead to `rules/broken-link.html`, for each page: people type it so."""
    site = Path(config["site_dir"])
    own = ("index.html", "404.html", "tour.html")
    for page in [path for path in site.rglob("*.html") if path.name not in own]:
        folder = page.with_suffix("")
        folder.mkdir(exist_ok=True)
        (folder / "index.html").write_text(_LEADS_TO.format(page=page.name), "utf-8")


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
    if isinstance(page, list) or page not in ("rules.md", "runtimes.md"):
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

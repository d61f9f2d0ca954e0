"""The page docs/pack.md: archives, and the places to upload them to, from schemas/uploads.json."""

import json
from pathlib import Path
from typing import Any

_INTRO = Path(__file__).with_name("pack-intro.md").read_text("utf-8")
_TABLE = Path(__file__).parents[1] / "schemas" / "uploads.json"
_WORDS = {
    "archive-bytes": "archive of at most {most:,} bytes",
    "depth": "at most {most} directory levels",
    "description-length": "description of at most {most:,} characters",
    "description-tags": "no tags in the description",
    "file-bytes": "files of at most {most:,} bytes each",
    "files": "at most {most:,} files",
    "first-line": "`{is}` at the first byte",
    "name-length": "name of at most {most} characters",
    "name-pattern": "name like `{is}`",
    "name-words": "no {none} in the name",
    "path-length": "paths of at most {most} characters",
    "paths": "no {none}",
    "total-bytes": "at most {most:,} bytes in total",
}
_LAYOUTS = {
    "folder": "in a folder",
    "root": "at the root",
    "either": "in a folder, or at the root",
    "unknown": "not known",
}


def page() -> str:
    """Return the page as Markdown."""
    table = json.loads(_TABLE.read_text("utf-8"))
    rows = ["| service | SKILL.md | limits | source |", "|---|---|---|---|"]
    for name, place in table["places"].items():
        limits = "; ".join(_limit(limit) for limit in place["limits"])
        source = f"{place['evidence']}: {place['source']}"
        rows.append(f"| `{name}` ({place['title']}) | {_LAYOUTS[place['layout']]} | {limits} | {source} |")
    return "\n".join([f"{_INTRO}## Upload services\n", *rows]) + "\n"


def _limit(limit: dict[str, Any]) -> str:
    values = {**limit, "none": " or ".join(f"`{word}`" for word in limit.get("none", ()))}
    said = _WORDS[limit["limit"]].format(**values).replace("|", "\\|")
    return f"{said} ({limit['evidence']}: {limit['source']})" if "source" in limit else said

"""The page docs/places.md: which client owns which place, from schemas/places.json."""

import json
from pathlib import Path

from skilltool import runtimes

_INTRO = Path(__file__).with_name("places-intro.md").read_text("utf-8")
_TABLE = Path(__file__).parents[1] / "schemas" / "places.json"


def page() -> str:
    """Return the page as Markdown."""
    table = json.loads(_TABLE.read_text("utf-8"))
    rows = ["| directory or manifest | client | checked against | source |", "|---|---|---|---|"]
    for row in (*table["places"], *table["manifests"]):
        client = row["client"]
        known = client in runtimes.IDS and client not in runtimes.REPORTED
        checked = client if known else "agentskills"
        rows.append(f"| `{row.get('path') or row['file']}` | {client} | {checked} | {row['source']} |")
    return "\n".join([_INTRO + "## Directories and manifests\n", *rows]) + "\n"

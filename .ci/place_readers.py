"""The readers in schemas/places.json: the runtimes that look in the place of another client."""

import json
import re
from pathlib import Path

from skilltool import runtimes

_TABLE = Path(__file__).parents[1] / "schemas" / "places.json"
_ROW = re.compile(r'^    (\{"path": .*?\})(,?)$', re.MULTILINE)
_SCOPES = frozenset({"project", "user"})


def refresh() -> None:
    """Write the readers of each place, as the roots of the profiles have them."""
    looking = _looking()
    _TABLE.write_text(
        _ROW.sub(lambda row: f"    {_with_readers(row[1], looking)}{row[2]}", _TABLE.read_text("utf-8"))
    )


def _looking() -> dict[str, list[str]]:
    """Return path in a project or in the home directory -> the ids of the runtimes that look there."""
    found: dict[str, list[str]] = {}
    for runtime in map(runtimes.get, runtimes.BARE):
        for root in runtime.roots:
            if root.scope in _SCOPES and (root.path_template or "").startswith("{"):
                found.setdefault(str(root.path_template).partition("/")[2], []).append(runtime.id)
    return found


def _with_readers(row: str, looking: dict[str, list[str]]) -> str:
    place = json.loads(row)
    source, client = place.pop("source"), place["client"]
    place.pop("readers", None)
    readers = [name for name in dict.fromkeys(looking.get(place["path"], ())) if name != client]
    return json.dumps(
        {**place, **({"readers": readers} if readers else {}), "source": source}, ensure_ascii=False
    )

"""JSON that is safe to print anywhere: ASCII only, and nothing that a CI runner would obey."""

from __future__ import annotations

import json

from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.printable import SafeText

# Outside of strings JSON has neither, and in strings it has an escape for each.
_HARMFUL = lazy_pattern(r"(?<=#)#(?=(?i:vso|teamcity)?\[)|\x7f")


def dumps(data: object, indent: int | None = 2) -> SafeText:
    """Serialize `data` with a final line end; a JSON parser gets back every string unchanged."""
    text = _HARMFUL.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(data, indent=indent))
    return SafeText(f"{text}\n")

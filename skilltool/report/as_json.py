"""JSON that is safe to print anywhere: ASCII only, and nothing that a CI runner would obey."""

from __future__ import annotations

import json
import re

# Outside of strings JSON has no `#`, and in strings it has an escape for it.
_COMMAND = re.compile(r"(?<=#)#(?=(?i:vso|teamcity)?\[)")


def dumps(data: object, indent: int | None = 2) -> str:
    """Serialize `data` with a final line end; a JSON parser gets back every string unchanged."""
    return _COMMAND.sub(r"\\u0023", json.dumps(data, indent=indent)) + "\n"

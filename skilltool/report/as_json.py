"""Data as JSON that can be printed anywhere: ASCII, and no command to the runner of a CI job."""

from __future__ import annotations

import json
import re

# `#` stands only in texts, where JSON has an escape for it.
_COMMAND = re.compile(r"(?<=#)#(?=(?i:vso|teamcity)?\[)")


def dumps(data: object, indent: int | None = 2) -> str:
    """Return `data` as JSON with a final line end; a reader of JSON gets back every text as it was."""
    return _COMMAND.sub(r"\\u0023", json.dumps(data, indent=indent)) + "\n"

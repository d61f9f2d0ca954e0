"""Which `.mcp.json` beside a SKILL.md makes OpenHands refuse the skill?

Source: `load_mcp_config` in `openhands/sdk/skills/utils.py` of openhands-sdk 1.58.0. The library that checks
the servers, fastmcp, has more conditions; checked here is that each one is an object with a command or a URL.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from skilltool.runtimes.loading import bytes_beside_skills, decoded, is_file_here
from skilltool.runtimes.values import Refusal, not_read
from skilltool.skill.skill_file import SERVERS_FILE

_KIND = "SkillValidationError"


def check_servers(directory: Path) -> None:
    """Raise `Refusal` if the skill in `directory` has a file of servers that is refused."""
    file = directory / SERVERS_FILE
    if not is_file_here(file):
        return
    try:
        config = json.loads(decoded(bytes_beside_skills(file)))
    except json.JSONDecodeError as error:
        raise Refusal(f"Invalid JSON in {file}: {error}", kind=_KIND, library=str(error)) from None
    except RecursionError:
        raise not_read(f"{SERVERS_FILE} is nested too deep") from None
    except OSError as error:
        raise Refusal(f"Cannot read {file}: {error}", kind=_KIND, library=str(error)) from None
    except ValueError as error:  # not UTF-8, or a number of thousands of digits
        raise Refusal(str(error), kind=type(error).__name__, library=str(error)) from None
    if not isinstance(config, dict):
        got = type(config).__name__
        raise Refusal(f"Invalid {SERVERS_FILE} format: expected object, got {got}", kind=_KIND)
    if fault := _fault(config.get("mcpServers", {})):
        raise Refusal(f"Invalid MCP configuration: {fault}", kind=_KIND, library=fault)


def _fault(servers: Any) -> str | None:
    """Return what is wrong with the servers, in words of ours."""
    if not isinstance(servers, dict):
        return "`mcpServers` is not an object"
    for name, server in servers.items():
        if not isinstance(server, dict):
            return f"server `{name}` is not an object"
        if not isinstance(server.get("command"), str) and not isinstance(server.get("url"), str):
            return f"server `{name}` has no `command` and no `url`"
    return None

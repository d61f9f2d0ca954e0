"""Kimi CLI: the program that its package keeps and no longer runs, Chat Completions, the tool `ReadFile`.

The script `kimi` that people install prints that it is no longer maintained, and does nothing: the Python of
its environment runs what it was.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from skilltool.capture.client import Client, Listing, library_start
from skilltool.runtimes.values import LoadedSkill

_CONFIG = {
    "default_model": "m",
    "models": {"m": {"provider": "loop", "model": "m", "max_context_size": 1000000}},
    "providers": {"loop": {"type": "openai_legacy", "base_url": "{base}/v1", "api_key": "dummy"}},
}
_PROGRAM = f"""
import sys
from kimi_cli.__main__ import run_original_cli
sys.argv[:] = ["kimi"]
sys.exit(run_original_cli(["--config", {json.dumps(_CONFIG)!r}, "--print", "-p", "hello"]))
"""


def _arguments(skill: LoadedSkill) -> Mapping[str, Any]:
    return {"path": str(skill.path)}


CLIENT = Client(
    id="kimi-cli",
    programs=(),
    package="kimi-cli",
    skills=(".agents/skills", ".agents/skills"),
    start=library_start({"KIMI_CLI_NO_AUTO_UPDATE": "1", "KIMI_DISABLE_TELEMETRY": "1"}),
    listing=Listing(
        r"### Project\n",
        r"(?=\n+### Built-in)|\Z",
        r"^- (?P<key>[^\n]*)\n  - Path: [^\n]*\n  - Description: [\s\S]*?(?=\n- |\n+### |\n*\Z)",
    ),
    tool="ReadFile",
    arguments=_arguments,
    library=_PROGRAM,
    note="the package's `kimi` script only says that it is no longer maintained; this starts the old program",
)

"""Deep Agents Code: `dcode -n`, OpenAI Responses; a skill is read with a file tool. It starts slowly."""

from __future__ import annotations

from skilltool.capture.client import Client, Listing, Place, Start


def _start(place: Place, prompt: str) -> Start:
    return Start(
        ("-M", "openai:gpt-4o", "-n", prompt),
        {
            "OPENAI_API_KEY": "dummy",
            "OPENAI_BASE_URL": "{base}/v1",
            "DEEPAGENTS_CODE_NO_UPDATE_CHECK": "1",
            "LANGSMITH_TRACING": "false",
        },
    )


CLIENT = Client(
    id="deepagents-code",
    programs=("dcode",),
    package="deepagents-code",
    skills=(".deepagents/skills", ".deepagents/agent/skills"),
    start=_start,
    listing=Listing(
        r"(?m:^)- \*\*(?=.*\*\*: )(?=[\s\S]*?\n  -> Read `)",
        r"(?=\n\n\*\*How to Use Skills)|\Z",
        r"^- \*\*(?P<key>.*?)\*\*: [\s\S]*?\n  -> Read `[^\n]*$",
    ),
)

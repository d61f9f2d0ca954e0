"""How does Kimi CLI read one file: its frontmatter, what stands in for a description, its flow?

Source: `kimi_cli/skill/__init__.py` and `utils/frontmatter.py` of kimi-cli 1.52.0, and runs of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.emulation import fence_lines
from skilltool.emulation.pydantic import Problem, error_text, string
from skilltool.emulation.pyyaml import PyYamlError, safe_load
from skilltool.runtimes.kimi_cli.flows import d2, mermaid
from skilltool.runtimes.kimi_cli.flows.graph import Flow, FlowError
from skilltool.runtimes.loading import decoded
from skilltool.runtimes.values import Refusal, not_read
from skilltool.text.frontmatter.nodes import BoundError

STANDARD, FLOW = "standard", "flow"
LONGEST_LINE = 240
_NO_DESCRIPTION = "No description provided."
_PYDANTIC = "2.12"
_MOST_SIGNS = 50_000  # of a diagram: it is read sign by sign
_NO_DIAGRAM = "Flow skills require a mermaid or d2 code block in SKILL.md."


class Manifest(NamedTuple):
    """One file: its name, description, text without white space at the ends, body, and flow if it has one.

    `problem` is what is wrong with the diagram of a flow, which makes it a standard skill.
    """

    name: str
    description: str
    text: str
    body: str
    flow: Flow | None = None
    problem: str | None = None

    @property
    def kind(self) -> str:
        """The program's word: `flow` or `standard`."""
        return STANDARD if self.flow is None else FLOW


def text_of(raw: bytes) -> str:
    """Return the text of a file, raises `Refusal` if it is not UTF-8, which ends the program."""
    try:
        return decoded(raw)
    except UnicodeDecodeError as error:
        raise Refusal(str(error), kind="UnicodeDecodeError", library=str(error)) from None


def read(content: str, default_name: str) -> Manifest:
    """Return what a file says; raises `Refusal` with the program's reason."""
    parts = fence_lines.split(content)
    fields = {} if parts is None else _fields("\n".join(parts.lines).strip())
    body = content if parts is None else parts.body
    given = fields.get("name") or default_name, fields.get("description") or _stand_in(body)
    kind = fields.get("type") or STANDARD
    if kind not in (STANDARD, FLOW):
        raise Refusal(f'Invalid skill type "{kind}"', "`type` is neither `standard` nor `flow`")
    flow, problem = _flow(content) if kind == FLOW else (None, None)
    values = [string((field,), value) for field, value in zip(("name", "description"), given, strict=True)]
    if problems := [value for value in values if isinstance(value, Problem)]:
        words = error_text("Skill", problems, _PYDANTIC)
        raise Refusal(words, library=words)
    name, description = map(str, values)
    return Manifest(name, description, content.strip(), body, flow, problem)


def _fields(yaml: str) -> dict[str, Any]:
    if not yaml:
        return {}
    try:
        found = safe_load(yaml)
    except BoundError as error:
        raise not_read(error) from None
    except PyYamlError as error:
        if error.is_yaml:
            raise Refusal("Invalid frontmatter YAML.", f"the YAML is invalid: {error.text}") from None
        raise Refusal(error.text, kind=error.kind, library=error.text) from None
    if not isinstance(found, dict):
        raise Refusal("Frontmatter YAML must be a mapping.", "the frontmatter is not a mapping")
    return found


def _stand_in(body: str) -> str:
    """Return what stands in for a description: the first line that is neither empty nor a fence."""
    lines = (line.strip() for line in body.splitlines())
    line = next((line for line in lines if line not in ("", "---")), None)
    if line is None:
        return _NO_DESCRIPTION
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1].rstrip()}…"


def _flow(content: str) -> tuple[Flow | None, str | None]:
    """Return the flow of the first diagram, or what is wrong with it."""
    for language, lines in _code_blocks(content):
        if language not in ("mermaid", "d2"):
            continue
        code = "\n".join(lines).strip("\n")
        if len(code) > _MOST_SIGNS:
            raise not_read(f"a diagram of more than {_MOST_SIGNS:,} characters")
        try:
            return (mermaid.read if language == "mermaid" else d2.read)(code), None
        except FlowError as error:
            return None, f"Invalid flow diagram: {error}"
    return None, _NO_DIAGRAM


def _code_blocks(content: str) -> Iterator[tuple[str, list[str]]]:
    """Yield language and lines of each fenced block that is closed."""
    fence, language, lines = "", "", list[str]()
    for line in content.splitlines():
        stripped = line.lstrip()
        run = _run(stripped)
        if not fence:
            if len(run) >= len("```"):
                fence, language, lines = run, _language(stripped[len(run) :].strip()), []
        elif run.startswith(fence) and not stripped[len(run) :].strip():
            yield language, lines
            fence = ""
        else:
            lines.append(line)


def _run(line: str) -> str:
    """Return the backticks or tildes with which a line begins."""
    sign = line[:1]
    return line[: len(line) - len(line.lstrip(sign))] if sign and sign in "`~" else ""


def _language(info: str) -> str:
    word = info.split()[0].lower() if info else ""
    return word[1:-1].strip() if word.startswith("{") and word.endswith("}") else word


def parse(raw: bytes, directory: str | None) -> dict[str, Any]:
    """Return name, description, body and text of a SKILL.md; raises `Refusal` with the program's reason.

    `fields_lost` tells that it sees no frontmatter.
    """
    content = text_of(raw)
    found = read(content, Path(directory or "").name)
    shown = {"name": found.name, "description": found.description, "body": found.body, "text": found.text}
    lost = {"fields_lost": True} if fence_lines.split(content) is None else {}
    return shown | ({"type": FLOW} if found.flow is not None else {}) | lost

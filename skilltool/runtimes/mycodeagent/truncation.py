"""How does MyCodeAgent truncate an answer that is too long? To its head, with the size of the whole.

Sources: `core/context_engine/observation_truncator.py` of YYHDBL/MyCodeAgent at 262795a;
`tools/orchestrator.py` and recordings of 2026-07.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

# Lines and UTF-8 bytes, of the text with every `\n` escape as a line end.
_MAX_LINES, _MAX_BYTES = 2000, 51200
# The budget of 2026-07: bytes of the answer as it is sent; lines and bytes that are kept of a longer one.
_BUDGET, _BUDGET_LINES, _BUDGET_BYTES = 50000, 40, 512
_ADVICE = "建议: 可用 Task 让子代理处理，或用 Read 分页读取 / Grep 搜索"

Truncate = Callable[[str, str], str]


def truncated_2026_01(text: str, tool: str) -> str:
    """Return an answer as the first implementation shows it: a long one is truncated, as compact JSON."""
    lines = _lines(text)
    if not _is_long(lines):
        return text
    cut = _cut(text, lines, tool, _MAX_LINES, _MAX_BYTES, head_tail=False)
    return json.dumps(cut, ensure_ascii=False, separators=(",", ":"))


def truncated_2026_07(text: str, tool: str) -> str:
    """Return an answer as in 2026-07: over the budget, very little of it is kept; a long one is truncated."""
    lines = _lines(text)
    if _size(text) > _BUDGET:
        cut = _cut(text, lines, tool, min(len(lines), _BUDGET_LINES), _BUDGET_BYTES, head_tail=True)
    elif _is_long(lines):
        cut = _cut(text, lines, tool, _MAX_LINES, _MAX_BYTES, head_tail=True)
    else:
        return text
    return json.dumps(cut, ensure_ascii=False, indent=2)


def _cut(
    text: str, lines: list[str], tool: str, max_lines: int, max_bytes: int, head_tail: bool
) -> dict[str, Any]:
    """Return the envelope of a truncated answer; `head_tail`: it has the key `head_tail_lines`."""
    envelope: dict[str, Any] = json.loads(text)
    preview = _encoded("\n".join(lines[:max_lines]))[:max_bytes].decode("utf-8", "ignore")
    size = _size("\n".join(lines))
    path = f"tool-output/tool_<TS>_{tool}.json"
    measures: dict[str, Any] = {"direction": "head", "max_lines": max_lines, "max_bytes": max_bytes}
    if head_tail:
        measures["head_tail_lines"] = None
    measures |= {
        "original_lines": len(lines),
        "original_bytes": size,
        "kept_lines": len(preview.split("\n")),
        "kept_bytes": _size(preview),
        "full_output_path": path,
    }
    is_error = envelope["status"] == "error"
    cut = {
        "status": "error" if is_error else "partial",
        "data": {"truncated": True, "truncation": measures, "preview": preview},
        "text": f"⚠️ 输出过大已截断 ({len(lines)} 行, {size / 1024:.1f}KB)\n完整内容见: {path}\n{_ADVICE}",
        "stats": envelope.get("stats") or {},
        "context": envelope.get("context") or {},
    }
    return {**cut, "error": envelope["error"]} if is_error else cut


def _lines(text: str) -> list[str]:
    return text.replace("\\n", "\n").split("\n")


def _is_long(lines: list[str]) -> bool:
    return len(lines) > _MAX_LINES or _size("\n".join(lines)) > _MAX_BYTES


def _size(text: str) -> int:
    return len(_encoded(text))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")

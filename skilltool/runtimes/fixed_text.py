"""Text that a runtime always prints and that skilltool does not store: its length and digest stand for it.

Prose that is in no design document and in no recording belongs to other people. What depends on the skills is
exact; the rest is only measured.
"""

from __future__ import annotations

from skilltool.text.lazy_pattern import lazy_pattern

_MARKER = lazy_pattern(r"\[\.\.\. (\d+) fixed characters, sha256 ([0-9a-f]{64}) \.\.\.\]")


def fixed_text(chars: int, sha256: str) -> str:
    """Return the marker that stands for `chars` code points whose UTF-8 bytes have the digest `sha256`."""
    return f"[... {chars} fixed characters, sha256 {sha256} ...]" if chars else ""


def unmeasured_text(chars: int | None = None) -> str:
    """Return the marker for text whose digest was not recorded, and perhaps not its length either."""
    return "[... fixed text ...]" if chars is None else f"[... {chars} fixed characters ...]"


def whole_length(text: str) -> int:
    """Return the length of a text in code points, that of what its markers stand for included."""
    return len(_MARKER.sub("", text)) + sum(chars for chars, _ in fixed_parts(text))


def fixed_parts(text: str) -> list[tuple[int, str]]:
    """Return length and digest of each text that a marker in `text` stands for."""
    return [(int(chars), sha256) for chars, sha256 in _MARKER.findall(text)]

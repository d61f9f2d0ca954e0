"""How does OpenHands shorten a text? In the middle, where a notice takes the place of what is left out."""

from __future__ import annotations

NOTICE = (
    "<response clipped><NOTE>Due to the max output limit, only part of the full response has been shown to "
    "you.</NOTE>"
)


def shortened(text: str, most: int, notice: str = NOTICE) -> str:
    """Return a text of at most `most` code points, the notice included; the begin gets the odd one."""
    if len(text) <= most:
        return text
    if len(notice) >= most:
        return notice[:most]
    room = most - len(notice)
    tail = room // 2
    return text[: room - tail] + notice + (text[-tail:] if tail else "")

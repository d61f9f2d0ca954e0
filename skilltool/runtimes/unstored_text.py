"""Text that a runtime always prints and that skilltool does not store: its size and digest stand for it.

Prose that is neither in a design document nor in a golden is other people's. What depends on the
skills is exact; the rest is measured.
"""

from __future__ import annotations


def fixed(chars: int, sha256: str) -> str:
    """Return the marker that stands for `chars` code points whose UTF-8 has the digest `sha256`."""
    return f"[... {chars} fixed characters, sha256 {sha256} ...]" if chars else ""

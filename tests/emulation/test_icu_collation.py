"""Names in the order of ICU's root collation, as Node.js with ICU 78.2 sorts them."""

from __future__ import annotations

import json
from pathlib import Path

from skilltool.emulation.icu_collation import collation_key

LIBRARIES = Path(__file__).parents[1] / "libraries"
# Each comes before the next, none is equal to it.
FORMS = [
    *("-", "‐", "‑", "–", "—", "…", "·", "“", "„", "(1)", "㈠", "§", "※", "℃", "÷", "×", "¦", "⁄", "★"),
    *("♥", "✓", "😀", "£", "€", "1", "１", "𝟏", "①", "1/4", "½", "¼", "10", "11", "1①", "①①", "①a", "2"),
    *("②", "²", "3", "³", "a", "ａ", "𝐚", "ⓐ", "Ａ", "Ⓐ", "ª", "🄰", "å", "Å", "ad", "ae", "AE", "æ", "Æ"),
    *("æa", "Æa", "aez", "af", "ɐ", "b", "ƀ", "ɓ", "d", "đ", "Đ", "ð", "da", "đa", "db", "dz", "ǆ", "ɖ"),
    *("ɗ", "e", "é", "ə", "f", "ﬀ", "fi", "ﬁ", "fia", "ﬁa", "fib", "fj", "ﬂ", "h", "ħ", "i", "ij", "ĳ"),
    *("iv", "Ⅳ", "ı", "k", "K", "kg", "㎏", "l", "ł", "n", "No", "№", "ŋ", "o", "º", "ø", "oe", "œ", "q"),
    *("ĸ", "s", "ſ", "ss", "ß", "t", "tm", "™", "ŧ", "z", "ｚ", "Z", "zz", "ｚz", "ＺＺ", "ʒ", "þ", "ʼ", "ŉ"),
    *("α", "μ", "µ", "ω", "а", "я", "א", "ا", "ก", "가", "中", "文"),
]


def test_names_are_sorted_as_icu_sorts_them() -> None:
    wanted = json.loads((LIBRARIES / "icu-collation-78.2.json").read_text("utf-8"))
    shuffled = sorted(wanted)
    assert shuffled != wanted
    assert sorted(shuffled, key=collation_key) == wanted


def test_ligatures_circles_and_strokes_are_where_icu_has_them() -> None:
    keys = [collation_key(name) for name in FORMS]
    wrong = [FORMS[at] for at in range(1, len(FORMS)) if keys[at - 1] >= keys[at]]
    assert wrong == []

"""Text as HTML: nothing of it is markup, nothing of it is lost, and what is invisible is a label."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.preview.html import rendered
from skilltool.preview.lines import LineStore
from skilltool.preview.markup import lines, message, visible
from tests.preview.browsing import ATTACK, HOSTILE_BODY, exact, together

TEXTS = st.text(
    st.characters() | st.sampled_from("\n\r\t <>&\"'\u200b\u200d\ufe0f\u202e\x00\x1b\xa0\U0001f600")
)


@given(TEXTS)
def test_every_text_can_be_read_back_from_its_html(text: str) -> None:
    assert exact(str(visible(text))) == text
    assert exact(str(lines(text))) == text


@given(st.lists(TEXTS, max_size=4), st.integers(0, 8))
def test_a_line_store_gives_back_every_text(texts: list[str], indent: int) -> None:
    body = "\n".join(f"A line of some length that says a thing, number {number}." for number in range(40))
    texts += [body, *texts, json.dumps(body), "\n".join(f"{' ' * indent}{line}" for line in body.split("\n"))]
    store = LineStore()
    kept = [(text, store.numbers(text)) for text in texts]
    assert all(together(runs, store.lines()) == text for text, runs in kept)
    assert kept[-2][1].count(" ") <= 2
    assert kept[-1][1].count(" ") == 0


@pytest.mark.parametrize(
    ("character", "label"),
    [("\u200b", "U+200B"), ("\x1b", r"\x1b"), ("\r", r"\r"), ("\U000e0041", "U+E0041"), ("\u202e", "U+202E")],
)
def test_an_invisible_character_is_a_label(character: str, label: str) -> None:
    assert f">{label}</span>" in str(visible(f"a{character}b"))
    assert f">{label} \u00d73</span>" in str(visible(character * 3))


@pytest.mark.parametrize(
    "text", ["\U0001f468\u200d\U0001f469", "\u26a0\ufe0f", "1\ufe0f\u20e3", "\u4f8b \u00e9"]
)
def test_emoji_and_letters_are_left_alone(text: str) -> None:
    assert str(visible(text)) == text


def test_lines_that_differ_are_marked_and_blank_ones_are_not() -> None:
    html = str(lines("a\n\nb", [True, False, False]))
    assert re.findall(r'class="([^"]*)"', html) == ["line", "line", "line differs"]


def test_code_in_a_message_is_code() -> None:
    assert str(message("no `<b>` here")) == 'no <code class="whole">&lt;b&gt;</code> here'
    assert str(message("one ` only")) == "one ` only"


def test_the_body_brings_no_element_attribute_or_address_of_its_own() -> None:
    html = str(rendered(HOSTILE_BODY, lambda path: f"/file/x/{path}" if path == "a.png" else None))
    tags = set(re.findall(r"<([a-z0-9]+)", html))
    assert tags <= {"p", "h4", "span", "a", "pre", "code", "br"}
    assert set(re.findall(r'href="([^"]*)"', html)) == {"http://127.0.0.1:1/leak"}
    assert not re.search(r"<[^>]*\son\w+=", html)
    assert ATTACK not in html


def test_links_lead_to_files_of_the_skill_only() -> None:
    html = str(rendered("[a](a%20b.md#x) ![c](c.png) [d](../a.md) [e](missing.md)", "/file/{}".format))
    assert 'href="/file/a b.md"' in html
    assert '<img src="/file/c.png" alt="c"' in html
    assert html.count("<a ") == html.count("</a>") == 2
    assert html.count("<span ") == html.count("</span>") == 1

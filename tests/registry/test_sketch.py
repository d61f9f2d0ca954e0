"""The same body has the same sketch everywhere; form does not count, words do."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import unicodedata
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("rensa", reason="needs rensa: pip install 'skilltool[registry]'")

from skilltool.registry.clusters import sketch
from skilltool.registry.clusters.sketch import EMPTY, SHINGLE, SIGNATURE, normalised_body, shingles, sketch_of
from tests.registry.making_copies import edited, prose

BODY = (
    "# Forms\n\n* Read the **fields** of `form.pdf`.\n* Fill it.\n\nD\u00e9j\u00e0 \u6f22\u5b57 \U0001f680\n"
)


def similarity(one: str, other: str) -> float:
    return sketch.similarity(sketch_of(one).minhash + sketch_of(other).minhash, 0, 1)


def test_a_sketch_is_the_same_on_every_machine_and_in_every_release() -> None:
    """If it is another one, `sketch.VERSION` has to be one, too: sketches are kept from run to run."""
    found = sketch_of(BODY)
    assert sketch.VERSION == "1 RMinHash 2"
    assert found.normalised.hex() == "bc2639c31172aac88ee69c72e38b842b"
    assert found.minhash[:32].hex() == "a76cd27ac8588ecf4616c95fb79a0ca9b05234e10046d62197e5862fb0a39112"
    assert (
        sha256(found.minhash).hexdigest()
        == "2e6789193c98f70e30b342617d87bc62cbb7d8e2611e261ede1b1ae2dffe877a"
    )


def test_a_sketch_does_not_depend_on_the_process() -> None:
    program = (
        f"from skilltool.registry.clusters.sketch import sketch_of; print(sketch_of({BODY!r}).minhash.hex())"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    for seed in ("0", "1"):
        run = subprocess.run(
            [sys.executable, "-c", program],
            env={**environment, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == sketch_of(BODY).minhash.hex()


@pytest.mark.parametrize(
    "other",
    [
        BODY.replace("\n", "\r\n"),
        BODY.replace("\n", "\r"),
        BODY.replace("\n* ", "\n- "),
        BODY.replace("\n* ", "\n  + "),
        BODY.replace("**", ""),
        BODY.upper(),
        f"\ufeff\n\n{BODY}\t\n",
        BODY.replace(" ", "\xa0 \t"),
        unicodedata.normalize("NFD", BODY),
    ],
)
def test_bodies_that_differ_in_form_have_one_sketch(other: str) -> None:
    assert other != BODY
    assert sketch_of(other) == sketch_of(BODY)


@pytest.mark.parametrize(
    "other", [BODY.replace("Fill", "Print"), BODY + "Never.", BODY.replace("form.pdf", "form pdf")]
)
def test_bodies_that_differ_in_a_word_have_different_digests(other: str) -> None:
    assert sketch_of(other).normalised != sketch_of(BODY).normalised


@pytest.mark.parametrize("body", ["", " \n\t", "\ufeff\r\n", "****"])
def test_a_body_without_text_is_empty(body: str) -> None:
    assert sketch_of(body) == EMPTY
    assert shingles(normalised_body(body)) == []


@pytest.mark.parametrize("body", ["TODO", "---", "See README.", "\u6f22", "."])
def test_a_tiny_body_is_one_shingle(body: str) -> None:
    assert len(shingles(normalised_body(body))) == 1
    assert sketch_of(body) != EMPTY


def test_a_character_of_a_script_without_blanks_is_a_word() -> None:
    assert shingles("\u8868\u683c\u6a94\u6848 pdf") == [
        "\u8868 \u683c \u6a94",
        "\u683c \u6a94 \u6848",
        "\u6a94 \u6848 pdf",
    ]
    assert shingles("a b c d") == ["a b c", "b c d"]


def test_a_long_run_of_combining_characters_is_composed_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's time for a run is quadratic in its length."""
    lengths: list[int] = []

    class Counting:
        @staticmethod
        def normalize(form: str, text: str) -> str:
            lengths.append(len(text))
            return unicodedata.normalize(form, text)

    monkeypatch.setattr(sketch, "unicodedata", Counting)
    sketch_of("D\u00e9j\u00e0 vu. " + "a" + "\u0301\u0316" * 5000)
    assert sum(lengths) > 20_000
    assert max(lengths) <= 200


def test_words_around_a_long_one_are_composed() -> None:
    text = f"De\u0301ja\u0300 {'x' * 300}\u00e9 vu\u0301"
    assert normalised_body(text) == unicodedata.normalize("NFC", text).lower()


@given(st.text())
def test_any_text_has_a_sketch(body: str) -> None:
    found = sketch_of(body)
    assert (len(found.normalised), len(found.minhash)) == (16, SIGNATURE)
    assert len(shingles(normalised_body(body))) <= max(len(normalised_body(body)) - SHINGLE + 1, 1)
    assert (found == EMPTY) == (normalised_body(body) == "")


def test_the_estimate_is_near_the_true_similarity() -> None:
    chance = random.Random(1)
    errors = []
    for edits in range(0, 120, 3):
        text = prose(chance, 400)
        other = edited(chance, text, edits)
        one, two = set(shingles(text)), set(shingles(other))
        errors.append(similarity(text, other) - len(one & two) / len(one | two))
    assert max(map(abs, errors)) < 0.15  # 128 permutations: four standard errors of 0.044 at most
    assert abs(sum(errors) / len(errors)) < 0.02
    assert similarity(prose(chance, 400), prose(chance, 400)) < 0.1

"""Clusters: nested, the same in every order, stars and not chains, and true to copies that are known."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("rensa", reason="needs rensa: pip install 'skilltool[registry]'")

from skilltool.registry.clusters import sketch
from skilltool.registry.clusters.clustering import Clustering, ClusterRow
from skilltool.registry.clusters.sketch import THRESHOLD, sketch_of
from tests.conftest import examples
from tests.registry.making_copies import clustered, content_of, edited, families, members, prose

KINDS = ("exact", "normalised", "near")
_CHANCE = random.Random(3)
_ORIGINALS = [prose(_CHANCE, words) for words in (0, 1, 2, 5, 40, 200)]
# Near copies, copies that differ in form, and nothing at all.
TEXTS = [
    *_ORIGINALS,
    *(edited(_CHANCE, text, 1) for text in _ORIGINALS if text),
    *(text.upper() for text in _ORIGINALS),
    " ",
    "---",
    "***",
    "\n---\n",
]
SKILLS = st.lists(st.tuples(st.text("abc", min_size=1, max_size=4), st.sampled_from(TEXTS)), max_size=30).map(
    lambda pairs: list(dict(pairs).items())
)


@given(SKILLS, st.randoms())
def test_the_order_does_not_matter(skills: list[tuple[str, str]], chance: random.Random) -> None:
    other = chance.sample(skills, len(skills))
    assert clustered(skills) == clustered(other)


@given(SKILLS)
def test_each_kind_contains_the_one_before(skills: list[tuple[str, str]]) -> None:
    rows = clustered(skills)
    kinds = [members(rows, kind) for kind in KINDS]
    for finer, coarser in pairwise(kinds):
        for cluster in finer.values():
            assert any(cluster <= each for each in coarser.values())


@given(SKILLS)
def test_a_cluster_has_its_canonical_member_once_and_says_its_size(skills: list[tuple[str, str]]) -> None:
    rows = clustered(skills)
    assert [row for row in rows if row.skill_id == row.cluster and row.similarity != 1] == []
    for kind in KINDS:
        found = members(rows, kind)
        of_kind = [row for row in rows if row.kind == kind]
        assert len({row.skill_id for row in of_kind}) == len(of_kind)
        for cluster, within in found.items():
            assert cluster in within
            assert len(within) > 1
            assert {row.size for row in of_kind if row.cluster == cluster} == {len(within)}


@given(SKILLS)
def test_equal_bodies_are_together_and_others_are_not(skills: list[tuple[str, str]]) -> None:
    rows = clustered(skills)
    texts = dict(skills)
    same = Counter(texts.values())
    found = members(rows, "exact")
    assert {name for each in found.values() for name in each} == {
        name for name, text in skills if same[text] > 1
    }
    for cluster, within in members(rows, "normalised").items():
        assert len({sketch.normalised_body(texts[name]) for name in within}) == 1
        assert sketch.normalised_body(texts[cluster]) or cluster in found


@given(SKILLS)
def test_every_member_of_a_near_cluster_is_like_the_canonical_one(skills: list[tuple[str, str]]) -> None:
    texts = dict(skills)
    for row in clustered(skills):
        one, two = (
            set(sketch.shingles(sketch.normalised_body(texts[n]))) for n in (row.skill_id, row.cluster)
        )
        if row.kind == "near" and (one or two):
            assert row.similarity >= THRESHOLD
            assert len(one & two) / len(one | two) > THRESHOLD - 0.2
        else:
            assert row.similarity == 1


def test_empty_bodies_are_copies_only_with_the_same_files() -> None:
    clustering = Clustering()
    for name, files in [("a", "one"), ("b", "two"), ("c", "two")]:
        clustering.add(name, content_of(files), sketch_of("" if name != "b" else "\n"))
    assert list(clustering.rows()) == [
        ClusterRow(name, kind, "b", 2, 1.0) for kind in KINDS for name in ("b", "c")
    ]


def test_bodies_of_few_words_are_alike_only_if_the_words_are_equal() -> None:
    rows = clustered(
        [("a", "See README.md"), ("b", "see *readme.md*"), ("c", "See README.md."), ("d", "TODO")]
    )
    assert members(rows, "near") == {}
    rows = clustered([("a", "See README.md"), ("b", "SEE  readme.md"), ("c", "TODO"), ("d", "TODO\n")])
    assert sorted(map(sorted, members(rows, "near").values())) == [["a", "b"], ["c", "d"]]


def test_a_chain_of_copies_is_not_one_cluster() -> None:
    """Each link is near the one before it; after some links nothing of the first is there any more."""
    chance = random.Random(5)
    words = prose(chance, 300).split(" ")
    chain = []
    for number in range(200):
        chain.append((f"{number:03d}", " ".join(words)))
        at = number * 10 % 300
        words[at : at + 10] = prose(chance, 10).split(" ")
    texts = dict(chain)
    similar = [
        len(one & two) / len(one | two)
        for one, two in (
            (set(sketch.shingles(texts[f"{n:03d}"])), set(sketch.shingles(texts[f"{n + 1:03d}"])))
            for n in range(199)
        )
    ]
    assert min(similar) > THRESHOLD
    clusters = members(clustered(chain), "near")
    assert len(clusters) > 10
    for cluster, within in clusters.items():
        assert all(abs(int(name) - int(cluster)) <= 10 for name in within)
        assert len(within) <= 15


def test_the_original_is_the_canonical_member_of_its_copies() -> None:
    chance = random.Random(6)
    text = prose(chance, 400)
    copies = [(f"copy-{number}", edited(chance, text, 12)) for number in range(12)]
    assert list(members(clustered([*copies, ("original", text)]), "near")) == ["original"]


def test_the_most_copied_version_is_the_canonical_member() -> None:
    chance = random.Random(7)
    text = prose(chance, 400)
    other = edited(chance, text, 4)
    skills = [("a", text), *((f"b{number}", other) for number in range(5))]
    (cluster,) = members(clustered(skills), "near")
    assert cluster.startswith("b")


@pytest.mark.slow
def test_known_copies_are_found_and_nothing_else() -> None:
    """Recall and precision over pairs of skills: at least 0.98 each, among some thousand."""
    bodies = list(families(11, examples(3000)))
    family = {body.id: body.family for body in bodies}
    clusters = members(clustered([(body.id, body.text) for body in bodies]), "near")
    known = sum(size * (size - 1) // 2 for size in Counter(family.values()).values())
    joined = sum(len(within) * (len(within) - 1) // 2 for within in clusters.values())
    right = sum(
        size * (size - 1) // 2
        for within in clusters.values()
        for size in Counter(family[name] for name in within).values()
    )
    assert known > examples(3000) / 2
    assert right / known >= 0.98
    assert right / joined >= 0.98


def test_the_comparisons_of_alike_bodies_grow_with_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of skills from one template are all in the same bands: each is compared with few of them."""
    chance = random.Random(8)
    template = prose(chance, 300)
    counts = []
    for number in (100, 400):
        bodies = [(f"{at}", edited(chance, template, 25)) for at in range(number)]
        with monkeypatch.context() as patched:
            counted = Counter[str]()
            real = sketch.similarity

            def counting(*arguments: Any, real: Any = real, counted: Counter[str] = counted) -> Any:
                counted["calls"] += 1
                return real(*arguments)

            patched.setattr("skilltool.registry.clusters.clustering.similarity", counting)
            clustered(bodies)
            counts.append(counted["calls"] / number)
    assert counts[1] < counts[0] * 2.5
    assert counts[1] < 32 * 8


def test_what_is_no_hash_is_refused() -> None:
    with pytest.raises(ValueError, match="'a'"):
        Clustering().add("a", b"short", sketch_of("text"))


def test_no_skill_has_no_cluster() -> None:
    assert list(Clustering().rows()) == []
    assert clustered([("a", "a text of some words")]) == []

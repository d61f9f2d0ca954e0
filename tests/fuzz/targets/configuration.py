"""Any configuration is obeyed or refused with a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from skilltool._resources import data
from skilltool.rules import RULES
from tests.fuzz.box import command, write_tree
from tests.fuzz.skills import MUTATIONS, mutated

_TREE: dict[str, bytes | str] = {
    "skills/a/SKILL.md": b"---\nname: a\ndescription: Fills in forms. Use when asked.\n---\n\n[x](gone.md)\n",
    "skilltool-baseline.json": b"{}",
    "fifo": "/dev/zero",
}
_words = st.one_of(
    st.sampled_from(
        [
            *(
                "all",
                "portable",
                "kodelet",
                "agent-base@0.3.2",
                "x",
                "",
                "json",
                "full",
                "error",
                "never",
                "directory",
            ),
            *(
                "**",
                "skills/*",
                "*a*a*a*a*b",
                "[!a",
                "\\",
                "/",
                "../..",
                "/dev/zero",
                "fifo",
                "skilltool-baseline.json",
            ),
            *("body", "frontmatter", *sorted(RULES)[:9]),
        ]
    ),
    st.text(max_size=8),
)
_values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.booleans(), st.integers(-(1 << 70), 1 << 70), st.floats(), _words),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_words, inner, max_size=3)),
    max_leaves=6,
)
_KEYS = sorted(json.loads(data("schemas/config.schema.json").read_text("utf-8"))["properties"])
_keys = st.one_of(st.sampled_from(_KEYS), st.sampled_from(_KEYS), st.text(max_size=5))
_lists = st.lists(_words, max_size=4)
_baselines = st.one_of(
    st.recursive(
        st.one_of(st.none(), st.integers(), st.floats(), _words),
        lambda inner: st.one_of(
            st.lists(inner, max_size=2),
            st.dictionaries(
                st.sampled_from(["schema_version", "findings", "count", "path", "rule", "message", "x"]),
                inner,
                max_size=4,
            ),
        ),
    )
)
INPUTS = st.tuples(
    st.dictionaries(_keys, st.one_of(_lists, _words, _values), max_size=4),
    st.one_of(st.just([]), st.just([]), MUTATIONS),
    st.sampled_from(["skilltool.toml", "pyproject.toml"]),
    _baselines,
)


def check(drawn: tuple[dict[str, Any], list[tuple[int, int, bytes]], str, Any], place: Path) -> None:
    values, cuts, name, baseline = drawn
    write_tree(place, _TREE)
    (place / "skilltool-baseline.json").write_text(json.dumps(baseline), "utf-8")
    head = "" if name == "skilltool.toml" else "[tool.skilltool]\n"
    text = head + "".join(f"{_string(key)} = {_toml(value)}\n" for key, value in values.items())
    (place / name).write_bytes(mutated(text.encode("utf-8", "replace"), cuts))
    for arguments in (("--show-settings",), ("--no-cache", "--jobs", "1")):
        status, _, messages = command("lint", *arguments, ".")
        assert status != 2 or messages
    if "baseline" not in values:
        status, _, messages = command(
            "lint", "--no-cache", "--isolated", "--baseline", "skilltool-baseline.json", "."
        )
        assert status != 2 or messages


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_string(key)} = {_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return _string(value) if isinstance(value, str) else str(value).lower().replace("infinity", "inf")


def _string(text: str) -> str:
    return json.dumps(text).replace("\x7f", "\\u007f")

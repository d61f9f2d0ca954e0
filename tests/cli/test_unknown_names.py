"""A name that does not exist: the nearest ones are suggested, and the command that lists all is named."""

from __future__ import annotations

import subprocess
import sys

import pytest

from skilltool.errors import UnknownNameError, nearest, suggestions
from tests.conftest import Skilltool

NAMES = ["broken-link", "escaping-link", "escaping-symlink", "link-in-code", "long-name", "long-field"]


def test_a_name_that_is_spelled_alike_is_suggested_and_at_most_three_are() -> None:
    assert suggestions("broken-lnk", NAMES) == ["broken-link"]
    assert suggestions("Broken Link", NAMES) == ["broken-link"]
    assert suggestions("escaping-slink", NAMES) == ["escaping-link", "escaping-symlink"]
    assert suggestions("link", NAMES) == ["broken-link", "escaping-link", "escaping-symlink"]
    assert suggestions("li", NAMES) == []
    assert suggestions("zebra", NAMES) == []


def test_the_nearest_name_is_the_first_one_spelled_alike() -> None:
    assert nearest("long-nam", NAMES) == "long-name"
    assert nearest("link", NAMES) is None  # only a part of some: too vague for a fix


def test_the_message_lists_suggestions_and_a_command_only_where_there_are_any() -> None:
    assert str(UnknownNameError("rule", "x", NAMES)) == "unknown rule `x`"
    assert str(UnknownNameError("rule", "x", NAMES, "ls")) == "unknown rule `x` (see `ls`)"
    assert str(UnknownNameError("rule", "link", NAMES)).endswith(
        "did you mean `broken-link`, `escaping-link` or `escaping-symlink`?"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["rule", "broken-lnk"],
            "rule or group `broken-lnk`; did you mean `broken-link`? (see `skilltool rule`)",
        ),
        (["lint", "--ignore", "zz"], "unknown rule or group `zz` (see `skilltool rule`)"),
        (
            ["lint", "--runtime", "kodelt"],
            "runtime `kodelt`; did you mean `kodelet`? (see `skilltool runtimes`)",
        ),
        (
            ["lint", "--runtime", "mcp-skills"],
            "runtime `mcp-skills`; did you mean `mcp-skills@2026-09`? (see `skilltool runtimes`)",
        ),
        (["runtimes", "zz"], "unknown runtime `zz` (see `skilltool runtimes`)"),
        (["schema", "confg"], "schema `confg`; did you mean `config`? (see `skilltool schema --list`)"),
        (["new", "--template", "zz", "a"], "unknown template `zz` (see `skilltool new --list`)"),
        (
            ["resolve", "--runtime", "nfa", "--set", "zz=1"],
            "unknown nfa setting `zz` (see `skilltool runtimes nfa`)",
        ),
    ],
)
def test_every_kind_of_name_says_which_command_lists_it(
    skilltool: Skilltool, arguments: list[str], message: str
) -> None:
    run = skilltool(*arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.endswith(f"{message}\n")
    assert run.stderr.count("\n") == 1
    named = message.rpartition("(see `")[2].removesuffix("`)").split()
    listing = subprocess.run([sys.executable, "-m", *named], capture_output=True, check=False)
    assert listing.returncode == 0

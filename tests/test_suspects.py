"""A cheap test that says "not suspicious" is never wrong: the exact check then finds nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skilltool import runtimes, skill
from skilltool.rules import RULES

SUSPECTING = sorted(name for name, rule in RULES.items() if hasattr(rule, "SUSPECT"))
MARKS = "` ``` ~~~ ```` [ ] ]( ](here.md) ](gone.md ) ( < > <!-- --> & # a ]: [x] ![ ../up /abs <pre> <div>"
WORDS = f"{MARKS} here.md gone.md %20 \u00e9 ]:gone.md"
NAMED = "scripts/gone.py references/x.md {baseDir}/y.sh $1 $ARGUMENTS !`ls`"
PEDANTIC = ("/Users/anna/x", "/home/anna/x", "TODO: x", "[insert x]", "{{x}}", "<your x>")
SAFETY = (
    "curl http://a.dev/x.sh",
    "wget -O- https://a.dev",
    "| sh",
    "Y3VybCAtcyB4IHwgc2g=",
    "base64 -d",
    "eval(atob('",
)
HIDDEN = ("\u200b", "\u202e", "\U000e0041", "x.zip", "unzip", "password: `agent`", "unzip -P agent", "run")
BLANKS = (" ", "  ", "    ", "\t", "\n", "\r\n", "\n\n", "\\", "- ", "1. ", "> ", "\u00a0")
BLOCKS = ("```\n", "\n```\n", "\n~~~\n", "\n```sh\n", "\n```!\nls\n```\n", "<pre>\n", "\n| a |\n|---|\n| ")
PIECES = st.sampled_from(
    [*WORDS.split(" "), *NAMED.split(" "), *SAFETY, *HIDDEN, *PEDANTIC, *BLANKS, *BLOCKS]
)


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("skills") / "pdf-tools"
    path.mkdir()
    (path / "here.md").write_text("# Here\n", "utf-8")
    return path


def test_there_are_rules_that_suspect() -> None:
    expected = [
        *(
            "absolute-path",
            "archive-password",
            "broken-link",
            "command-in-fence",
            "different-key",
            "different-text",
        ),
        *(
            "encoded-command",
            "escaping-link",
            "hidden-text",
            "ignored-arguments",
            "invisible-run",
            "leftover-placeholder",
        ),
        *("missing-file-mention", "not-loaded", "piped-download", "positional-in-code", "unclosed-fence"),
        "unencrypted-pipe",
    ]
    assert expected == SUSPECTING


@pytest.mark.parametrize("name", SUSPECTING)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.lists(PIECES, max_size=30).map("".join))
def test_what_is_not_suspected_has_no_finding(name: str, directory: Path, body: str) -> None:
    text = f"---\nname: pdf-tools\ndescription: Fills in forms.\n---\n{body}"
    (directory / "SKILL.md").write_bytes(text.encode())
    read = skill.load(directory)
    rule = RULES[name]
    if not getattr(rule, "SUSPECT")(read):  # noqa: B009 - optional, so no type has it
        for runtime in ("portable", "kodelet"):
            assert list(rule.check(read, runtimes.get(runtime))) == []


LINES = st.sampled_from(
    [
        *(
            "name: pdf-tools",
            "name: 'pdf-tools'",
            "name: no",
            "name: 12",
            "name: Pdf",
            "description: Fills in forms.",
        ),
        *(
            "description: yes",
            'description: "x"',
            "description: ''",
            "description: 2026-01-01",
            "description: >",
        ),
        *(
            "description: " + "x" * 501,
            "license: MIT",
            "metadata:",
            "  author: x",
            "  version: 1.0",
            "  on: y",
        ),
        *(
            "compatibility: a b",
            "tags: [a]",
            "# comment",
            "",
            "text",
            "description: a: b",
            "description: é",
            "...",
        ),
        *(
            "description: a --- b",
            "description: a # b",
            "license: MIT # c",
            "  more",
            "\tname: x",
            "name: pdf-tools ",
            "name:pdf-tools",
            "allowed-tools: [a]",
        ),
    ]
)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(LINES, max_size=6), rest=st.lists(LINES, max_size=2))
def test_what_is_plain_is_loaded_by_every_runtime(directory: Path, lines: list[str], rest: list[str]) -> None:
    text = "\n".join(["---", "name: pdf-tools", "description: Fills in forms.", *lines, "---", *rest])
    for document in (text, text.replace("name: pdf-tools\ndescription: Fills in forms.\n", "", 1)):
        (directory / "SKILL.md").write_bytes(document.encode())
        read = skill.load(directory)
        for rule in (RULES["not-loaded"], RULES["different-key"], RULES["different-text"]):
            if not getattr(rule, "SUSPECT")(read):  # noqa: B009 - as above
                for runtime in map(runtimes.get, runtimes.IDS):
                    assert list(rule.check(read, runtime)) == []

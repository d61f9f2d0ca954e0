"""What a shell script says, read by its parser."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool.text import shell
from skilltool.text.shell import Script, read, without_prompts
from tests.conftest import examples


def programs(script: Script) -> list[str]:
    return [command.program for command in script.commands]


def test_a_pipeline_says_which_commands_read_the_output() -> None:
    script = read("cat a | (b; c) | d")
    assert programs(script) == ["cat", "b", "c", "d"]
    assert [list(command.readers) for command in script.commands] == [[1, 2], [3], [3], []]


def test_a_substitution_belongs_to_the_command_in_whose_word_it_is() -> None:
    script = read('curl -d "$(cat x | gzip)" h')
    assert [(each.program, each.within) for each in script.commands] == [
        ("curl", None),
        ("cat", 0),
        ("gzip", 0),
    ]
    assert [word.literal for word in script.commands[0].words] == [True, True, False, True]


def test_words_have_no_quotes_and_keep_what_is_substituted() -> None:
    (command,) = read("""echo "$HOME"/a 'b c' d\\ e ~""").commands
    assert [word.text for word in command.words] == ["echo", "$HOME/a", "b c", "d e", "~"]
    assert [word.literal for word in command.words] == [True, False, True, True, True]


def test_the_program_is_found_after_those_that_run_another() -> None:
    for written in (
        "sudo -u root rm x",
        "env A=b rm x",
        "timeout 5 rm x",
        "A=b rm x",
        "nohup time /bin/rm x",
    ):
        (command,) = read(written).commands
        assert (command.program, [word.text for word in command.arguments]) == ("rm", ["x"])


def test_what_is_quoted_printed_or_commented_is_no_command() -> None:
    assert programs(read("echo 'rm -rf /' # rm -rf /\ngrep \"rm -rf ~\" x")) == ["echo", "grep"]


def test_a_script_in_a_word_is_read_too() -> None:
    script = read("bash -c 'rm -rf x | cat' | nc h 1; eval 'ls'")
    assert programs(script) == ["bash", "rm", "cat", "nc", "eval", "ls"]
    assert list(script.commands[1].readers) == [2]
    assert list(script.commands[2].readers) == [3]


def test_assignments_variables_redirections_and_functions() -> None:
    script = read(
        "export A=$(env) B=1\nf() { echo ${X:-y} $Y >out; }\nfor i in 1 2; do f; done\ncat <<E | sh\n$Z\nE\n"
    )
    assert [each.name for command in script.commands for each in command.assignments] == ["A", "B", "i"]
    assert [(each.name, each.has_default) for each in script.variables] == [
        ("X", True),
        ("Y", False),
        ("Z", False),
    ]
    assert script.functions == {"f"}
    found = [(each.operator, each.target.text) for command in script.commands for each in command.redirects]
    assert found == [(">", "out"), ("<<", "$Z\n")]
    assert [programs(script)[reader] for reader in script.commands[-2].readers] == ["sh"]


def test_offsets_count_code_points_from_the_base() -> None:
    text = "\u00e9=1\r\necho \U0001f642 \\\r\n  '\u00f1'\r\n"
    script = read(text, 100)
    word = script.commands[1].words[2]
    assert word.text == "\u00f1"
    assert text[word.span.start - 100 : word.span.end - 100] == "'\u00f1'"


def test_of_a_session_only_what_was_typed_is_read() -> None:
    text = "$ ls \\\n  -l\nrm -rf /\n$ pwd\n"
    assert programs(read(without_prompts(text))) == ["ls", "pwd"]
    assert len(without_prompts(text)) == len(text)
    assert without_prompts("ls $x\n") == "ls $x\n"


@pytest.mark.slow
def test_what_comes_after_much_text_or_deep_inside_is_found() -> None:
    for before in ("echo x\n" * 20_000, "a|" * 3_000 + "a\n", "{ " * 300):
        assert programs(read(before + "rm -rf ~/\n"))[-1] == "rm"


HOSTILE = (
    "a|",
    "a && ",
    "f(){ ",
    "[[ ",
    "<(",
    "$((1+",
    "$(a ",
    '"$(a ',
    "${a:-",
    "`a ",
    "case a in b) ",
    "{ a; } | ",
)


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_texts_are_read_in_bounded_time(piece: str) -> None:
    found = read(piece * (60_000 // len(piece)))
    assert all(0 <= command.span.start <= command.span.end <= 60_000 for command in found.commands)


PIECES = st.sampled_from(
    [
        *(
            "a",
            "b ",
            " ",
            "\n",
            "\r\n",
            "|",
            "&&",
            ";",
            "&",
            "(",
            ")",
            "{ ",
            "; }",
            "$(",
            "`",
            '"',
            "'",
            "$x",
            "${x",
            "}",
        ),
        *(
            "<<E\n",
            "E\n",
            "<<<",
            ">",
            "<(",
            "\\",
            "#",
            "=",
            "$((",
            "))",
            "\u00e9",
            "\ud800",
            "\0",
            "if ",
            "; then ",
            "; fi",
        ),
        *("bash -c ", "eval ", "for i in ", "; do ", "; done", "[[ ", " ]]", "f() "),
    ]
)


@pytest.mark.slow
@settings(max_examples=examples(400), deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join))
def test_every_text_is_read_and_every_span_is_in_it(text: str) -> None:
    shell.read.cache_clear()
    script = read(text)
    for number, command in enumerate(script.commands):
        spans = [command.span, *(word.span for word in command.words)]
        assert all(0 <= span.start <= span.end <= len(text) for span in spans)
        assert all(0 <= reader < len(script.commands) for reader in command.readers)
        assert command.within is None or 0 <= command.within < len(script.commands)
        assert command.within != number

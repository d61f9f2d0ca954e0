"""What Claude Code loses, cuts, runs and asks for, as findings at the line at fault.

The expected readings are those of recorded requests; `tests/goldens` has the records.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from skilltool.findings.diagnostic import Diagnostic
from skilltool.lint.check import check_directory
from skilltool.lint.check_collection import check_together, targets_of
from skilltool.lint.config import Config
from skilltool.lint.find import find_skills
from skilltool.lint.run import check_skills
from skilltool.lint.settings import resolve
from skilltool.rules.shared.limits import refusal
from skilltool.skill.model import load_skill

Found = list[tuple[str, str, int, int]]
NAME = "pdf-tools"


def put(repo: Path, text: str, root: str = ".claude/skills", name: str = NAME) -> Path:
    directory = repo / root / name
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "SKILL.md").write_bytes(text.encode())
    return directory


def diagnostics(repo: Path, rules: tuple[str, ...], runtime: str) -> list[Diagnostic]:
    """Check the skills under a directory in this process, which is faster than a run."""
    chosen = resolve(Config(), {"paths": [repo], "runtimes": [runtime], "select": list(rules) or ()})
    checked = [check_directory(directory, chosen) for directory in find_skills(chosen).skills]
    found = [each for one in checked for each in one.diagnostics]
    records = [one.record for one in checked]
    return [*found, *check_together(records, chosen, targets_of(records, chosen)).diagnostics]


def of(repo: Path, *rules: str, runtime: str = "claude-code") -> list[tuple[str, str, str]]:
    """Return rule, severity and message of what is found under a directory."""
    found = diagnostics(repo, rules, runtime)
    return [(each.rule, str(each.severity), each.message) for each in found]


def at(repo: Path, *rules: str, runtime: str = "claude-code") -> Found:
    """Return rule, severity, line and column of what is found under a directory."""
    starts = [(each, each.location.start) for each in diagnostics(repo, rules, runtime)]
    return [(each.rule, str(each.severity), start.line, start.column) for each, start in starts]


def document(*lines: str, body: str = "Read the fields.\n") -> str:
    return "\n".join(["---", f"name: {NAME}", *lines, "---", "", body])


DESCRIPTION = "description: Fills in PDF forms."
COLON = "description: Fills in forms: PDF."
QUIET = ("yaml-surprise", "multiline-description", "carriage-return")

LOST = {
    "colon-in-crlf": (document(COLON).replace("\n", "\r\n"), "lost-frontmatter", 3),
    "colon-beside-block": (document(COLON, "license: |", "  MIT"), "lost-frontmatter", 3),
    "colon-at-the-end": (document("description: Ends with a colon:"), "lost-frontmatter", 3),
    "colon-in-list": (document(DESCRIPTION, "metadata:", "  a: b: c"), "lost-frontmatter", 5),
    "second-line": (document("description: *bold*", "and more"), "lost-frontmatter", 4),
    "open-quote": (document('description: "never closed'), "lost-frontmatter", 3),
    "list-not-indented": (document(DESCRIPTION, "metadata:", "  t: [a,", "b]"), "lost-frontmatter", 1),
    "blank-first-line": ("\n" + document(DESCRIPTION), "lost-frontmatter", 1),
    "carriage-returns": (document(DESCRIPTION).replace("\n", "\r"), "lost-frontmatter", 1),
    "control-character": (document(DESCRIPTION, "license: \0"), "control-character", 4),
    "never-closed": (f"---\nname: {NAME}\n{DESCRIPTION}\n\nRead the fields.\n", "unclosed-frontmatter", 1),
    "dots": (document(DESCRIPTION).replace("\n---\n", "\n...\n"), "unclosed-frontmatter", 1),
    "four-dashes": ("-" + document(DESCRIPTION), "missing-frontmatter", 1),
    "not-a-mapping": ("---\n- a\n---\n\nText.\n", "invalid-yaml", 2),
    "dashes-in-quotes": (document('description: "left --- right"'), "dashes-in-description", 3),
    "dashes-in-comment": (document("# --- fields ---", DESCRIPTION), "dashes-in-description", 3),
    "dashes-before-a-field": (
        document("description: left --- right", "model: x"),
        "dashes-in-description",
        3,
    ),
    "list": (document("description: [a, b]"), "wrong-type", 3),
}


@pytest.mark.parametrize("name", LOST)
def test_what_costs_the_fields_or_the_description_is_one_error_at_its_line(repo: Path, name: str) -> None:
    text, rule, line = LOST[name]
    put(repo, text)
    errors = [(each, at_line) for each, severity, at_line, _ in at(repo) if severity == "error"]
    assert errors == [(rule, line)]


def test_a_line_that_continues_a_quoted_value_is_to_be_indented(repo: Path) -> None:
    put(repo, document(DESCRIPTION, 'argument-hint: "[form]', '/pdf-fill check [form]"'))
    (found,) = diagnostics(repo, ("lost-frontmatter",), "claude-code")
    advice = "indent this line: it belongs to the value that starts on line 4"
    assert (found.location.start.line, found.help) == (5, advice)


READ = {
    "colon": (document(COLON), [("invalid-yaml", "info")]),
    "byte-order-mark": ("\ufeff" + document(DESCRIPTION), [("byte-order-mark", "info")]),
    "byte-order-mark-without-frontmatter": (
        "\ufeff# PDF tools\n\nRead the fields.\n",
        [("byte-order-mark", "info"), ("missing-frontmatter", "warning")],
    ),
    "blanks-after-the-marker": ("--- " + document(DESCRIPTION)[3:], [("padded-fence", "warning")]),
    "crlf": (document(DESCRIPTION).replace("\n", "\r\n"), [("carriage-return", "info")]),
    "two-dashes": (document("description: Fills -- and reads."), []),
    "block": (document("description: >", "  Fills in forms: PDF."), []),
    "no-frontmatter": ("# PDF tools\n\nRead the fields.\n", [("missing-frontmatter", "warning")]),
}


@pytest.mark.parametrize("name", READ)
def test_what_is_read_as_it_was_meant_is_no_error(repo: Path, name: str) -> None:
    text, expected = READ[name]
    put(repo, text)
    assert [(rule, severity) for rule, severity, _ in of(repo)] == expected


@pytest.mark.parametrize("name", [*LOST, *READ])
def test_the_default_runtime_has_nothing_of_it(repo: Path, name: str) -> None:
    put(repo, (LOST | READ)[name][0], "skills")
    new = {"lost-frontmatter", "permission-prompt", "price-as-argument", "unreachable-mention"}
    assert {rule for rule, _, _ in of(repo, runtime="portable")} & new == set()


def test_a_fix_restores_the_fields(repo: Path) -> None:
    put(repo, document(COLON, "license: |", "  MIT"))
    (found,) = diagnostics(repo, ("lost-frontmatter",), "claude-code")
    assert found.fix is not None
    assert found.fix.safe
    assert found.help is not None
    assert "values are repaired only where no field is a `|` or `>` block" in found.help


def test_a_description_that_dashes_shorten_is_a_warning_with_what_is_left(repo: Path) -> None:
    put(repo, document("description: left --- right"))
    ((rule, severity, message),) = of(repo)
    assert (rule, severity) == ("dashes-in-description", "warning")
    assert message.endswith("`claude-code` ends the frontmatter here and reads `left` as the description")


@pytest.mark.parametrize(
    ("lines", "line", "column"),
    [
        ((f"description: {'a' * 1537}",), 3, 14 + 1535),
        ((f"description: '{'a' * 1537}'",), 3, 15 + 1535),
        ((f"description: {'<' * 385}",), 3, 14 + 383),
        ((f"description: {chr(0x1F600) * 769}",), 3, 14 + 767),
        (("description: >", f"  {'word ' * 307}", "  word word"), 5, 3),
        ((f"description: {'a' * 1500}", f"when_to_use: {'b' * 40}"), 4, 14 + 32),
    ],
)
def test_the_finding_is_where_the_listing_is_cut(
    repo: Path, lines: tuple[str, ...], line: int, column: int
) -> None:
    put(repo, document(*lines))
    assert at(repo, "long-description") == [("long-description", "warning", line, column)]


@pytest.mark.parametrize("lines", [(f"description: {'a' * 1536}",), (f"description: {'<' * 384}",)])
def test_what_fits_the_listing_is_not_reported(repo: Path, lines: tuple[str, ...]) -> None:
    put(repo, document(*lines))
    assert of(repo, "long-description") == []


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("/forms", "it starts with `/`"),
        (
            '" forms"',
            "it starts or ends with a space, or contains a line break, `<`, `>` or an invisible character",
        ),
        ("compact", "a built-in command has that name"),
        ("n" * 257, "it is longer than 256 UTF-16 code units"),
    ],
)
def test_a_name_that_calls_nothing_is_reported(repo: Path, written: str, reason: str) -> None:
    put(repo, f"---\nname: {written}\n{DESCRIPTION}\n---\n\nRead the fields.\n")
    ((_, severity, message),) = of(repo, "different-key")
    assert severity == "warning"
    assert (
        f"does not work as an alias, because {reason}; `claude-code` knows this skill only as `{NAME}`"
        in message
    )


@pytest.mark.parametrize("written", [NAME, "Two Words", "a/b", "other", "n" * 256])
def test_a_name_that_is_an_alias_is_not(repo: Path, written: str) -> None:
    put(repo, f"---\nname: {written}\n{DESCRIPTION}\n---\n\nRead the fields.\n")
    assert of(repo, "different-key") == []


def test_a_name_that_is_the_directory_of_another_skill_calls_that_one(repo: Path) -> None:
    put(repo, document(DESCRIPTION), name="forms")
    assert of(repo, "duplicate-name") == []
    put(repo, document(DESCRIPTION).replace(NAME, "reader"))
    ((_, severity, message),) = of(repo, "duplicate-name")
    assert severity == "warning"
    assert message.startswith(
        "name `pdf-tools` does not work as an alias of this skill; `claude-code` uses it for `"
    )
    assert message.endswith("/pdf-tools/SKILL.md`, whose directory has that name")
    assert of(repo, "duplicate-name", runtime="portable") == []


def test_a_skill_in_place_of_a_bundled_one_is_reported_but_not_in_a_plugin(repo: Path) -> None:
    text = f"---\nname: loop\n{DESCRIPTION}\n---\n\nRead the fields.\n"
    put(repo, text, name="loop")
    assert of(repo, "reserved-name") == [
        ("reserved-name", "info", "`claude-code` replaces its built-in `loop` with this skill")
    ]
    plugin(repo / "other")
    put(repo / "other", text, "skills", "loop")
    assert of(repo / "other", "reserved-name") == []


def plugin(top: Path) -> None:
    (top / ".claude-plugin").mkdir(parents=True)
    (top / ".claude-plugin" / "plugin.json").write_text('{"name": "forms"}', "utf-8")


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (["allowed-tools: Read"], "`allowed-tools`"),
        (["disallowed-tools: [Bash]"], "`disallowed-tools`"),
        (["hooks:", "  Stop: []", "allowed-tools: [Read]"], "`hooks` and `allowed-tools`"),
        (["allowed-tools: []"], None),
        (["allowed-tools: [1, 2]"], None),
        (["hooks: {NoSuchEvent: []}"], None),
        (["hooks: {PreToolUse: nonsense}", "allowed-tools: Bash"], None),
        (["hooks: {PreToolUse: nonsense}", "disallowed-tools: Bash"], "`disallowed-tools`"),
        (["hooks: {PostToolUse: nonsense}", "allowed-tools: Bash"], "`allowed-tools`"),
        (["hooks: yes"], None),
        (["model: haiku", "context: fork"], None),
    ],
)
def test_fields_for_which_a_call_needs_permission(repo: Path, lines: list[str], names: str | None) -> None:
    put(repo, document(DESCRIPTION, *lines))
    found = [message for _, _, message in of(repo, "permission-prompt")]
    text = "(tested only in print mode, `claude -p`)"
    call = f"`claude-code` asks for permission before the model calls a skill that has {names} {text}"
    assert found == ([call] if names else [])


@pytest.mark.parametrize("rule", ["Skill", "Skill(pdf-tools)", "Skill(pdf-tools:*)"])
def test_the_project_may_give_permission(repo: Path, rule: str) -> None:
    put(repo, document(DESCRIPTION, "allowed-tools: Read"))
    assert of(repo, "permission-prompt") != []
    allow(repo, rule)
    assert of(repo, "permission-prompt") == []


def allow(repo: Path, rule: str) -> None:
    settings = repo / ".claude" / "settings.json"
    settings.write_text(json.dumps({"permissions": {"allow": [rule]}}), "utf-8")


def test_a_command_that_may_write_needs_permission(repo: Path) -> None:
    body = "Branch: !`git status`\n\n!`make all`\n"
    put(repo, document(DESCRIPTION, body=body))
    assert at(repo, "permission-prompt") == [("permission-prompt", "info", 8, 1)]
    allow(repo, "Bash(make:*)")
    assert of(repo, "permission-prompt") == []


RUNS = {
    "line": ("!`ls`\n", []),
    "fence": ("```sh\n!`ls`\n```\n", [("command-in-fence", 7)]),
    "comment": ("<!-- !`ls` -->\n", [("command-in-fence", 6)]),
    "block": ("```!\nls\n```\n", []),
    "glued": ("```sh\na!`ls` [!`ls`]\n```\n", []),
    "waves": ("~~~!\nls\n~~~\n", []),
}


@pytest.mark.parametrize("name", RUNS)
def test_commands_run_in_fences_and_comments(repo: Path, name: str) -> None:
    body, expected = RUNS[name]
    put(repo, document(DESCRIPTION, body=body))
    assert [(rule, line) for rule, _, line, _ in at(repo, "command-in-fence")] == expected


@pytest.mark.parametrize(("line", "severity"), [("", "warning"), ("id: ${CLAUDE_SESSION_ID}\n", "info")])
def test_a_command_beside_a_variable_is_meant_to_run(repo: Path, line: str, severity: str) -> None:
    put(repo, document(DESCRIPTION, body=f"```sh\n{line}!`ls`\n```\n"))
    assert [level for _, level, _, _ in at(repo, "command-in-fence")] == [severity]


@pytest.mark.parametrize(
    ("fence", "severity"),
    [
        ("```\n!`ls`\n\n!`pwd -P`\n```", "info"),
        ("```\n- !`ls`\n!`pwd -P`\n```", "warning"),
        ("```markdown\n!`ls`\n!`pwd -P`\n```", "warning"),
    ],
)
def test_a_block_of_nothing_but_commands_is_meant_to_run(repo: Path, fence: str, severity: str) -> None:
    put(repo, document(DESCRIPTION, body=f"Files:\n\n{fence}\n"))
    ((_, level, message),) = of(repo, "command-in-fence")
    assert (level, message.endswith(" (and 1 more in this block)")) == (severity, True)


def test_commands_of_two_blocks_and_comments_are_told_apart(repo: Path) -> None:
    body = "```sh\n!`ls`\n!`pwd`\n```\n\n```sh\n!`date`\n```\n\n<!-- !`id` -->\n<!-- !`tty` -->\n"
    put(repo, document(DESCRIPTION, body=body))
    assert [line for _, _, line, _ in at(repo, "command-in-fence")] == [7, 12, 15, 16]


def test_commands_that_the_project_turns_off_do_not(repo: Path) -> None:
    put(repo, document(DESCRIPTION, body="```sh\n!`make`\n```\n"))
    (repo / ".claude" / "settings.json").write_text('{"disableSkillShellExecution": true}', "utf-8")
    assert of(repo, "command-in-fence", "permission-prompt", "load-time-command") == []


PRICES = {
    "A run costs $5 per hour.": "`$5` in `A run costs $5 per hour.` with the 6th",
    "Budget: $1,000 a day.": "`$1` in `Budget: $1,000 a day.` with the 2nd",
    "Pay $20, or $0.50.": "`$0` in `Pay $20, or $0.50.` with the 1st",
    "It is $29 per month.": "`$29` in `It is $29 per month.` with the 30th",
    "It is $30 per month.": None,
    "It is $500 per month.": None,
    "It is $5k.": None,
    r"It is \$5 per month.": None,
    "Fix issue $1.": None,
    "Run `echo $5 per month`.": None,
    "```\n$5 per month\n```": None,
}


@pytest.mark.parametrize("body", PRICES)
def test_prices_that_become_words(repo: Path, body: str) -> None:
    put(repo, document(DESCRIPTION, body=f"{body}\n"))
    found = [message for _, _, message in of(repo, "price-as-argument")]
    expected = PRICES[body]
    assert found == (
        [f"`claude-code` replaces {expected} argument (numbering starts at `$0`), if there is one"]
        if expected
        else []
    )


@pytest.mark.parametrize("line", ["arguments: [price]", "argument-hint: PRICE"])
def test_a_skill_that_expects_arguments_has_no_such_finding(repo: Path, line: str) -> None:
    put(repo, document(DESCRIPTION, line, body="A run costs $5 per hour.\n"))
    assert of(repo, "price-as-argument") == []


@pytest.mark.parametrize(
    ("value", "name"),
    [("file, mode", "file,"), ("file,mode", "file,mode"), ("file mode", None), ("[file, mode]", None)],
)
def test_names_of_arguments_keep_their_commas(repo: Path, value: str, name: str | None) -> None:
    put(repo, document(DESCRIPTION, f"arguments: {value}", body="Read $file.\n"))
    clause = f"`claude-code` splits `arguments` only at spaces, so the name is `{name}`"
    message = f"`$file` in the body is not substituted; {clause}"
    assert of(repo, "ignored-arguments") == ([("ignored-arguments", "warning", message)] if name else [])


MENTIONS = {
    "Follow @fields.md.": 8,
    'Follow @"fields.md" now.': 8,
    "See @guide/ first.": 5,
    "Follow `@fields.md`.": None,
    "Ask me@fields.md.": None,
    "Follow @${CLAUDE_SKILL_DIR}/fields.md.": None,
    "Follow @elsewhere.md and @README.md.": None,
    "Follow [the fields](fields.md).": None,
}


@pytest.mark.parametrize("body", MENTIONS)
def test_files_of_the_skill_are_not_found_by_their_name(repo: Path, body: str) -> None:
    skill = put(repo, document(DESCRIPTION, body=f"{body}\n"))
    for name in ("fields.md", "README.md"):
        (skill / name).write_text("# Text\n", "utf-8")
    (skill / "guide").mkdir()
    (repo / "README.md").write_text("# Text\n", "utf-8")
    column = MENTIONS[body]
    expected = [("unreachable-mention", "warning", 6, column)] if column else []
    assert at(repo, "unreachable-mention") == expected


def test_all_mentions_of_a_skill_that_are_not_found_are_one_finding(repo: Path) -> None:
    skill = put(repo, document(DESCRIPTION, body="Follow @fields.md.\n\nSee @guide/ and @fields.md.\n"))
    (skill / "fields.md").write_text("# Text\n", "utf-8")
    (skill / "guide").mkdir()
    looks = "looks for `@fields.md` (and 2 more) in the working directory, not in the skill"
    assert of(repo, "unreachable-mention") == [("unreachable-mention", "warning", f"`claude-code` {looks}")]


@pytest.mark.parametrize(("value", "says"), [("never", "`never`"), ("maybe", "`maybe`"), ("Off", None)])
def test_a_switch_that_cannot_be_read_is_false(repo: Path, value: str, says: str | None) -> None:
    put(repo, document(DESCRIPTION, f"user-invocable: {value}"))
    message = f"`user-invocable` is {says}; `claude-code` reads it as false"
    assert of(repo, "wrong-type") == ([("wrong-type", "warning", message)] if says else [])


def test_a_skill_without_a_description_is_listed_by_its_body_or_in_a_plugin_not_at_all(repo: Path) -> None:
    put(repo, document("license: MIT", body="# PDF tools\n"))
    message = "field `description` is missing; `claude-code` lists `PDF tools` instead"
    assert of(repo, "missing-field") == [("missing-field", "warning", message)]
    top = repo / "forms"
    plugin(top)
    put(top, document("license: MIT"), "skills")
    message = "field `description` is missing; `claude-code` does not list a plugin's skill without it"
    assert of(top, "missing-field") == [("missing-field", "error", message)]
    put(top, document("when_to_use: Forms."), "skills")
    assert [severity for _, severity, _ in of(top, "missing-field")] == ["warning"]
    put(top, document("disable-model-invocation: true"), "skills")
    assert of(top, "missing-field") == []


def test_a_skill_at_the_top_of_a_plugins_skills_hides_the_others(repo: Path) -> None:
    plugin(repo)
    put(repo, document(DESCRIPTION), "skills")
    assert of(repo, "undiscovered-skill") == []
    put(repo, document(DESCRIPTION).replace(NAME, "skills"), "", "skills")
    ((_, _, message),) = of(repo, "undiscovered-skill")
    assert message == "`claude-code` loads only the SKILL.md in the directory above, which hides this skill"


def test_a_skill_hides_a_command_of_its_name(repo: Path) -> None:
    put(repo, document(DESCRIPTION))
    put(repo, document(DESCRIPTION), ".claude/commands")
    ((_, _, message),) = of(repo, "shadowed-skill")
    assert message.endswith("/.claude/skills/pdf-tools/SKILL.md` as `pdf-tools` instead of this skill")


def test_a_skill_that_takes_the_key_of_a_command_file_is_named(repo: Path) -> None:
    put(repo, document(DESCRIPTION))
    commands = repo / ".claude" / "commands"
    commands.mkdir()
    (commands / "other.md").write_text("Do it.\n", "utf-8")
    assert of(repo, "shadowed-skill") == []
    (commands / f"{NAME}.md").write_text("Do it.\n", "utf-8")
    rest = "`.claude/commands/pdf-tools.md`, because this skill is also named `pdf-tools`"
    assert of(repo, "shadowed-skill") == [
        ("shadowed-skill", "warning", f"`claude-code` does not load {rest}")
    ]


@pytest.mark.parametrize("size", [1_000_000, 1_000_001, 1 << 21])
def test_a_file_over_the_limit_is_not_loaded(repo: Path, size: int) -> None:
    text = document(DESCRIPTION)
    put(repo, text + "a" * (size - len(text)))
    report = check_skills(resolve(Config(), {"paths": [repo], "runtimes": ["claude-code"]}))
    [message] = [each.message for each in report.diagnostics if each.rule == "oversized-file"]
    not_loaded = f"file is {size:,} bytes; `claude-code` loads no file over 1,000,000 bytes"
    assert (message == not_loaded) == (size > 1_000_000)


def crowd(repo: Path, length: int, count: int = 20) -> None:
    for number in range(count):
        text = f"---\nname: s{number:02d}\ndescription: {'a' * length}\n---\n\nText.\n"
        put(repo, text, name=f"s{number:02d}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "lost"),
    [
        (20, "5 of 20 skills (`s15`, `s16`, `s17`, `s18`, `s19`)"),
        (21, "6 of 21 skills (`s15`, `s16`, `s17`, `s18`, `s19` and 1 more)"),
    ],
)
def test_the_skills_that_lose_their_descriptions_are_named(repo: Path, count: int, lost: str) -> None:
    crowd(repo, 1_500, count)
    ((_, _, message),) = of(repo, "crowded-catalog")
    assert message.startswith(f"skill listing has no room for the descriptions of {lost}; ")
    assert "`claude-code` limits the listing to 30,000 terminal columns" in message


def test_only_the_settings_of_the_project_count(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd(repo, 1_000)
    tight, loose = '{"skillListingBudgetFraction": 0.001}', '{"skillListingBudgetFraction": 1}'
    home = tmp_path / "home"
    (home / ".claude").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    for file in (home / ".claude" / "settings.json", repo / ".claude" / "settings.local.json"):
        file.write_text(tight, "utf-8")
    assert of(repo, "crowded-catalog") == []
    (repo / ".claude" / "settings.json").write_text(tight, "utf-8")
    assert len(of(repo, "crowded-catalog")) == 1
    (repo / ".claude" / "settings.json").write_text(loose, "utf-8")
    assert of(repo, "crowded-catalog") == []


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("Read $CLAUDE_SKILL_DIR/fields.md now.\n", ["$CLAUDE_SKILL_DIR"]),
        ("Read ${CLAUDE_SKILL_DIR}/fields.md now.\n", []),
        ("Read ${CLAUDE_PLUGIN_ROOT}/fields.md now.\n", ["${CLAUDE_PLUGIN_ROOT}"]),
        ("Scripts see `$CLAUDE_PLUGIN_ROOT` in hooks.\n", []),
        ("`$CLAUDE_SKILL_DIR/x.sh` is not a shell variable, and stays.\n", []),
        ("Write ${CLAUDE_SKILL_DIR}/x.sh, not $CLAUDE_SKILL_DIR/x.sh.\n", []),
        ("```sh\nsh ${CLAUDE_PLUGIN_ROOT:+$CLAUDE_PLUGIN_ROOT/x.sh}\n```\n", []),
        ("```sh\nsh $CLAUDE_SKILL_DIR/x.sh\n```\n", ["$CLAUDE_SKILL_DIR"]),
        ('```json\n{"command": "$CLAUDE_SKILL_DIR/x.sh"}\n```\n', ["$CLAUDE_SKILL_DIR"]),
    ],
)
def test_what_stays_as_it_is_written(tmp_path: Path, body: str, left: list[str]) -> None:
    (tmp_path / ".git").mkdir()
    put(tmp_path, document(DESCRIPTION, body=body))
    found = [message for _, _, message in of(tmp_path, "literal-placeholder")]
    assert [message.partition("` is not substituted")[0].strip("`") for message in found] == left


@pytest.mark.parametrize(("language", "severity"), [("sh", "warning"), ("json", "info"), ("yaml", "info")])
def test_a_variable_in_an_example_of_a_configuration_is_a_note(
    repo: Path, language: str, severity: str
) -> None:
    put(repo, document(DESCRIPTION, body=f"```{language}\n$CLAUDE_PLUGIN_ROOT/x.sh\n```\n"))
    assert [found[1] for found in of(repo, "literal-placeholder")] == [severity]


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("Start with `$CLAUDE_SKILL_DIR/a.md`.", "warning"),
        ("Run\n`$CLAUDE_SKILL_DIR/a.sh`.", "warning"),
        ("To fill in the form:\n\n1. `python $CLAUDE_SKILL_DIR/a.py form.pdf`", "warning"),
        ("The server reads its version from\n`$CLAUDE_SKILL_DIR/a.json`.", "info"),
    ],
)
def test_a_variable_that_only_a_program_reads_is_a_note(repo: Path, body: str, severity: str) -> None:
    put(repo, document(DESCRIPTION, body=f"{body}\n"))
    assert [found[1] for found in of(repo, "literal-placeholder")] == [severity]


def test_a_variable_of_plugins_is_replaced_in_a_plugin(repo: Path) -> None:
    plugin(repo)
    put(repo, document(DESCRIPTION, body="Read ${CLAUDE_PLUGIN_ROOT}/fields.md now.\n"), "skills")
    assert of(repo, "literal-placeholder") == []


@pytest.mark.parametrize(
    ("event", "hook", "runs"),
    [
        ("Stop", "{type: command, command: make}", True),
        ("stop", "{type: command, command: make}", False),
        ("SessionStart", "{type: command, command: make}", False),
        ("Stop", "{command: make}", False),
        ("Stop", "{type: command, command: make, timeout: soon}", False),
    ],
)
def test_a_hook_that_does_not_run_is_said_not_to(repo: Path, event: str, hook: str, runs: bool) -> None:
    put(repo, document(DESCRIPTION, f"hooks: {{{event}: [{{hooks: [{hook}]}}]}}"))
    assert [rule for rule, _, _ in of(repo, "load-time-command", "ignored-value")] == [
        "load-time-command" if runs else "ignored-value"
    ]


POSITIONS = {
    ("", "Run `awk '{print $1}' x`.\n"): ["warning"],
    ("user-invocable: false", "Run `awk '{print $1}' x`.\n"): ["info"],
    ("user-invocable: false", "Run `awk '{print $1}' x`. Then $ARGUMENTS.\n"): ["warning"],
    ("", "## Arguments\n\n- `$0` (required): a file\n\nRun `cp $0 x`.\n"): [],
    ("", "## Fields of awk\n\n- `$1`: a name\n\nRun `awk '{print $1}' x`.\n"): ["warning"],
    ("", "```js\nask('SELECT * FROM forms WHERE id = $1', [id])\n```\n"): ["warning"],
    ("", "```sh\n# Once it was $0 here.\nls\n```\n"): ["info"],
    ("", "```js\n// Once it was $0 here.\nls\n```\n"): ["info"],
    ("", "# Run `awk '{print $1}' x`\n"): ["warning"],
    ("", "```sh\necho 'first column \u2014 $1'\n```\n"): ["warning"],
    ("", "```sh\n# Once it was $0 here.\nawk '{print $1}' x\n```\n"): ["warning"],
    ("", "```\n| [50 forms \u2014 $5] |\n```\n"): [],
}


@pytest.mark.parametrize(("field", "body"), POSITIONS)
def test_positions_that_are_meant_or_that_nobody_fills(repo: Path, field: str, body: str) -> None:
    put(repo, document(DESCRIPTION, *([field] if field else []), body=body))
    assert [level for _, level, _ in of(repo, "positional-in-code")] == POSITIONS[field, body]


@pytest.mark.parametrize(("command", "found"), [("Read the fields.\n", 0), ("Read it all.\n", 1)])
def test_a_command_with_the_text_of_the_skill_loses_nothing(repo: Path, command: str, found: int) -> None:
    put(repo, document(DESCRIPTION, body="Read the fields.\n"))
    (skill,) = (repo / ".claude/skills").iterdir()
    (repo / ".claude/commands").mkdir()
    (repo / f".claude/commands/{skill.name}.md").write_text(f"---\nmodel: opus\n---\n\n{command}", "utf-8")
    assert len(of(repo, "shadowed-skill")) == found


@pytest.mark.parametrize(("name", "advice"), [(NAME, True), ("other", None)])
def test_a_byte_order_mark_is_blamed_where_it_is_the_cause(
    repo: Path, name: str, advice: bool | None
) -> None:
    runtime = "codex" if advice else "crush"
    put(repo, "\ufeff" + document(DESCRIPTION).replace(NAME, name), ".agents/skills")
    (found,) = diagnostics(repo, ("not-loaded",), runtime)
    assert ("byte order mark" in (found.help or "")) is bool(advice)


def test_the_clients_that_a_byte_order_mark_is_said_to_stop_do_not_load_it(repo: Path) -> None:
    put(repo, READ["byte-order-mark"][0])
    (told,) = diagnostics(repo, ("byte-order-mark",), "claude-code")
    skill = load_skill(repo / ".claude/skills" / NAME)
    named = re.findall(r"`([\w-]+)`", told.message)
    assert len(named) == 2
    assert all(refusal(skill, name) is not None for name in named)

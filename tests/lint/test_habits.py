"""What has one cause in many skills is told once: a habit, or a directory that the repository lacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity
from skilltool.lint.config import Config
from skilltool.lint.run import check_skills
from skilltool.lint.settings import resolve
from skilltool.report.shown import once


def put(top: Path, number: int, characters: int) -> None:
    directory = top / "skills" / f"forms-{number}"
    directory.mkdir(parents=True)
    text = f"---\nname: forms-{number}\ndescription: {'Fills in forms. ' * characters}"[: characters + 35]
    (directory / "SKILL.md").write_text(f"{text}.\n---\n\nRead the fields.\n", "utf-8")


def write(
    directory: Path, description: str = "Fills in forms.", body: str = "Read it.", name: str = ""
) -> None:
    directory.mkdir(parents=True)
    text = f"---\nname: {name or directory.name}\ndescription: {description}\n---\n\n{body}\n"
    (directory / "SKILL.md").write_text(text, "utf-8")


def found(top: Path, **options: object) -> list[Diagnostic]:
    report = check_skills(resolve(Config(), {"paths": [top], "select": ["long-description"], **options}))
    return list(report.diagnostics)


@pytest.mark.parametrize(("skills", "warnings"), [(1, 1), (2, 1), (9, 1)])
def test_several_are_one_warning_that_counts_them(tmp_path: Path, skills: int, warnings: int) -> None:
    for number in range(skills):
        put(tmp_path, number, 600)
    report = found(tmp_path)
    assert [each.severity for each in report] == [Severity.WARNING] * warnings + [Severity.INFO] * (
        skills - warnings
    )
    others = {
        1: "",
        2: "; 1 more skill like this",
        9: "; 8 more skills like this",
    }
    assert report[0].message.endswith(others[skills] or "runtimes accept it")


@pytest.mark.parametrize(("skills", "warnings"), [(10, 10), (12, 1)])
def test_many_skills_without_a_directory_of_one_name_were_copied_without_it(
    tmp_path: Path, skills: int, warnings: int
) -> None:
    for number in range(skills):
        write(tmp_path / "skills" / f"forms-{number}", body=f"See [fields](references/{number}.md).")
    report = found(tmp_path, select=["broken-link"])
    told = [each for each in report if each.severity is Severity.WARNING]
    assert (len(report), len(told)) == (skills, warnings)
    assert told[0].message.endswith("; 11 more findings like this") == (warnings == 1)


def test_many_links_of_few_skills_are_told_of_each(tmp_path: Path) -> None:
    for number in range(4):
        links = " ".join(f"[{letter}](references/{letter}.md)" for letter in "abc")
        write(tmp_path / "skills" / f"forms-{number}", body=f"See {links}.")
    assert {each.severity for each in found(tmp_path, select=["broken-link"])} == {Severity.WARNING}


def test_what_the_specification_forbids_is_told_of_each(tmp_path: Path) -> None:
    for number in range(5):
        put(tmp_path, number, 1100)
    assert {each.severity for each in found(tmp_path)} == {Severity.ERROR}


def test_who_names_the_card_is_told_of_each(tmp_path: Path) -> None:
    for number in range(5):
        put(tmp_path, number, 600)
    assert {each.severity for each in found(tmp_path, runtimes=["portable"])} == {Severity.ERROR}


def test_files_without_frontmatter_that_are_loaded_are_told_once(tmp_path: Path) -> None:
    for number in range(5):
        directory = tmp_path / ".claude" / "skills" / f"forms-{number}"
        directory.mkdir(parents=True)
        (directory / "SKILL.md").write_text("# Forms\n\nRead the fields.\n", "utf-8")
    report = found(tmp_path, select=["missing-frontmatter"])
    assert [str(each.severity) for each in report] == ["warning"] + 4 * ["info"]
    assert report[0].message.endswith("; 4 more skills like this")


@pytest.mark.parametrize(("skills", "directory", "warnings"), [(3, False, 3), (4, False, 1), (4, True, 4)])
def test_links_into_a_directory_that_the_repository_lacks_are_told_once(
    repo: Path, skills: int, directory: bool, warnings: int
) -> None:
    for number in range(skills):
        put(repo, number, 60)
        with (repo / f"skills/forms-{number}/SKILL.md").open("a", encoding="utf-8") as file:
            file.write(f"\nSee [tool](../../tools/{number}.md).\n")
    if directory:
        (repo / "tools").mkdir()
    report = found(repo, select=["broken-link"])
    assert [str(each.severity) for each in report] == ["warning"] * warnings + ["info"] * (skills - warnings)
    assert report[0].message.endswith("; 3 more findings like this") == (warnings == 1)


@pytest.mark.parametrize(("bare", "others", "errors"), [(4, 0, 1), (4, 1, 1), (3, 0, 3), (3, 1, 3)])
def test_a_directory_in_which_many_files_lack_frontmatter_is_told_once(
    tmp_path: Path, bare: int, others: int, errors: int
) -> None:
    for number in range(bare):
        directory = tmp_path / "bots" / "skills" / f"bare-{number}"
        directory.mkdir(parents=True)
        (directory / "SKILL.md").write_text("# Forms\n\nRead the fields.\n", "utf-8")
    for number in range(others):
        put(tmp_path / "bots", number, 60)
    report = found(tmp_path, select=["missing-frontmatter"])
    assert [str(each.severity) for each in report] == ["error"] * errors + ["info"] * (bare - errors)
    assert report[0].message.endswith(f"; {bare - 1} more skills like this") == (errors == 1)


@pytest.mark.parametrize(("others", "errors"), [(0, 1), (1, 4)])
def test_a_field_that_no_skill_of_a_directory_has_is_told_once(
    tmp_path: Path, others: int, errors: int
) -> None:
    for number in range(4 + others):
        directory = tmp_path / "skills" / f"forms-{number}"
        directory.mkdir(parents=True)
        field = "purpose" if number < 4 else "description"
        text = f"---\nname: forms-{number}\n{field}: Fills in forms {number}.\n---\n\n# Forms\n\nRead.\n"
        (directory / "SKILL.md").write_text(text, "utf-8")
    report = found(tmp_path, select=["missing-field"])
    assert sorted(str(each.severity) for each in report) == ["error"] * errors + ["info"] * (4 - errors)


@pytest.mark.parametrize(("several", "errors"), [(3, 3), (4, 1)])
def test_a_value_of_one_type_in_several_skills_is_told_once(
    tmp_path: Path, several: int, errors: int
) -> None:
    for number in range(several + 2):
        directory = tmp_path / "skills" / f"forms-{number}"
        directory.mkdir(parents=True)
        value = "[linux]" if number < several else "linux"
        fields = f"name: forms-{number}\ndescription: Fills in forms {number}.\ncompatibility: {value}"
        (directory / "SKILL.md").write_text(f"---\n{fields}\n---\n\nRead.\n", "utf-8")
    report = found(tmp_path, select=["wrong-type"])
    assert sorted(str(each.severity) for each in report) == ["error"] * errors + ["info"] * (several - errors)


@pytest.mark.parametrize(("skills", "warnings"), [(3, 3), (4, 1)])
def test_a_value_that_a_client_ignores_everywhere_is_told_once(
    tmp_path: Path, skills: int, warnings: int
) -> None:
    for number in range(skills):
        directory = tmp_path / ".claude" / "skills" / f"forms-{number}"
        directory.mkdir(parents=True)
        fields = f"name: forms-{number}\ndescription: Fills in forms {number}.\nallowed-tools: '*'"
        (directory / "SKILL.md").write_text(f"---\n{fields}\n---\n\nRead.\n", "utf-8")
    report = found(tmp_path, select=["ignored-value"])
    assert (
        sorted(str(each.severity) for each in report)
        == ["info"] * (skills - warnings) + ["warning"] * warnings
    )


def test_a_template_beside_them_does_not_make_others_count(tmp_path: Path) -> None:
    for name in ("_template", "a", "b", "c", "d"):
        directory = tmp_path / "skills" / name
        directory.mkdir(parents=True)
        (directory / "SKILL.md").write_text("# Forms\n\nRead the fields.\n", "utf-8")
    report = found(tmp_path, select=["missing-frontmatter"])
    assert sorted(str(each.severity) for each in report) == ["error"] + 4 * ["info"]


def test_a_link_in_a_copy_further_down_is_told_once(tmp_path: Path) -> None:
    for top in ("skills", "plugins/forms/skills"):
        directory = tmp_path / top / "forms"
        (directory / "references").mkdir(parents=True)
        head = "---\nname: forms\ndescription: Fills in forms. Use when the user has a form.\n---\n"
        (directory / "SKILL.md").write_text(f"{head}\nRead [fields](references/a.md).\n", "utf-8")
        (directory / "references" / "a.md").write_text("See [the list](../../../docs/LIST.md).\n", "utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "LIST.md").write_text("# List\n", "utf-8")
    (tmp_path / ".git").mkdir()
    report = found(tmp_path, select=["broken-link", "escaping-link"])
    assert {
        (each.path.removeprefix(tmp_path.as_posix()), each.rule, str(each.severity)) for each in report
    } == {
        ("/plugins/forms/skills/forms/references/a.md", "broken-link", "info"),
        ("/skills/forms/references/a.md", "escaping-link", "info"),
    }


def test_what_two_clients_delete_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("Works in VS Code.\n", "utf-8")
    for number in range(3):
        write(tmp_path / "skills" / f"forms-{number}", "Fills in <form> files.")
    report = found(tmp_path, select=["angle-bracket-description"])
    assert [str(each.severity) for each in report] == ["warning", "info", "info"]
    assert report[0].message.endswith("; 2 more skills like this")


@pytest.mark.parametrize(("titles", "errors"), [(7, 1), (4, 1), (3, 3)])
def test_names_in_capitals_are_told_once_where_several_skills_have_them(
    tmp_path: Path, titles: int, errors: int
) -> None:
    for number in range(9):
        name = f"Forms / Fields {number}" if number < titles else ""
        write(tmp_path / "skills" / f"group-{number}" / f"forms-{number}", name=name)
    report = found(tmp_path, select=["invalid-name", "reserved-name"])
    assert [each.severity for each in report].count(Severity.ERROR) == errors
    assert report[0].message.endswith(f"; {titles - 1} more skills like this") == (errors == 1)


def test_who_refuses_a_name_that_is_counted_is_counted_with_it(tmp_path: Path) -> None:
    for number in range(4):
        directory = tmp_path / ".agents" / "skills" / f"forms-{number}"
        write(directory, name=f"Forms and Fields {number}")
    report = found(tmp_path, select=["invalid-name", "not-loaded"])
    assert [each.rule for each in report if each.severity > Severity.INFO] == ["invalid-name"]
    assert "does not load this skill" in report[0].also[0].message


def test_a_file_that_the_skills_of_a_library_lack_is_told_once(tmp_path: Path) -> None:
    for number in range(4):
        write(tmp_path / "skills" / f"forms-{number}", body="See [it](../../RULES.md).")
    report = found(tmp_path, select=["broken-link"])
    assert [str(each.severity) for each in report] == ["warning", "info", "info", "info"]
    assert report[0].message.endswith("; 3 more findings like this")


@pytest.mark.parametrize(("skills", "warnings"), [(3, 3), (4, 1)])
def test_a_field_without_the_one_that_it_needs_is_a_habit(tmp_path: Path, skills: int, warnings: int) -> None:
    for number in range(skills):
        description = f"Fills in forms. Use when asked.\nagent: painter-{number}"
        write(tmp_path / f".claude/skills/forms-{number}", description)
    report = found(tmp_path, select=["ignored-value"])
    assert [each.severity for each in report].count(Severity.WARNING) == warnings
    assert len(report) == skills


@pytest.mark.parametrize(("skills", "shown"), [(3, 3), (4, 1)])
def test_quotes_that_are_written_in_one_way_everywhere_are_told_once(
    tmp_path: Path, skills: int, shown: int
) -> None:
    for number in range(skills):
        description = f'Fills in forms.\nargument-hint: "<a>" [b{number}]'
        write(tmp_path / f"skills/forms-{number}", description)
    report = found(tmp_path, select=["invalid-yaml"])
    assert [str(each.severity) for each in report] == ["error"] * skills
    assert len(once(report)) == shown
    assert len(once(report, limit=False)) == skills


@pytest.mark.parametrize("mark", ["\ufeff", "\n"])
def test_what_an_editor_writes_before_every_frontmatter_is_told_once(tmp_path: Path, mark: str) -> None:
    for number in range(4):
        file = tmp_path / f"skills/forms-{number}/SKILL.md"
        write(file.parent)
        file.write_text(mark + file.read_text("utf-8"), "utf-8")
    report = found(tmp_path, select=["byte-order-mark", "padded-fence"])
    assert [str(each.severity) for each in report] == ["warning"] * 4
    assert len(once(report)) == 1


@pytest.mark.parametrize(("skills", "warnings"), [(3, 3), (5, 1)])
def test_an_author_who_writes_no_descriptions_is_told_once(
    tmp_path: Path, skills: int, warnings: int
) -> None:
    for number in range(skills):
        directory = tmp_path / ".claude" / "skills" / f"forms-{number}"
        directory.mkdir(parents=True)
        (directory / "SKILL.md").write_text(f"---\nname: forms-{number}\n---\n\nRead {number}.\n", "utf-8")
    report = [each for each in found(tmp_path, select=["missing-field"]) if "claude-code" in each.runtimes]
    assert [str(each.severity) for each in report].count("warning") == warnings


def test_what_copies_of_a_skill_have_is_told_once(tmp_path: Path) -> None:
    for place in (".claude", ".agents", ".cursor"):
        body = f"{'For Claude.' if place == '.claude' else ''}\n\nSee [fields](../gone.md)."
        write(tmp_path / place / "skills" / "forms", body=body)
    report = found(tmp_path, select=["broken-link"])
    assert sorted(str(each.severity) for each in report) == ["info", "info", "warning"]
    (told,) = [each.message for each in report if each.severity is Severity.WARNING]
    assert told.endswith("does not exist; 2 copies have the same")


def test_of_equal_copies_that_is_named_which_no_program_wrote(tmp_path: Path) -> None:
    for place in (".agent/skills", "dist/skills", "skills"):
        write(tmp_path / place / "forms", body="\nSee [fields](gone.md).")
    (told,) = [each for each in found(tmp_path, select=["broken-link"]) if each.severity is Severity.WARNING]
    assert told.directory.endswith("/skills/forms")
    assert "/.agent/" not in told.path
    assert "/dist/" not in told.path


def test_what_copies_have_elsewhere_in_the_text_is_told_once(tmp_path: Path) -> None:
    for place, above in ((".claude", "One.\n\n"), (".agents", "")):
        write(
            tmp_path / place / "skills" / "forms",
            body=f"{above}```md\n# A\n\n```sh\nls\n```\n\nB.\n\n```\n\nC.\n",
        )
    report = found(tmp_path, select=["unclosed-fence"])
    assert sorted(str(each.severity) for each in report) == ["info", "warning"]


def test_a_count_says_how_many_there_are_once(tmp_path: Path) -> None:
    for number in range(4):
        for place in (".claude", ".cursor"):
            description = f"Fills in forms. Use when asked.\nagent: painter-{number}"
            write(tmp_path / place / f"skills/forms-{number}", description)
    told = [each for each in found(tmp_path, select=["ignored-value"]) if each.severity is Severity.WARNING]
    assert [each.message.count("like this") + each.message.count("the same") for each in told] == [1]


@pytest.mark.parametrize(("skills", "more", "warnings"), [(10, 0, 10), (11, 0, 1), (11, 2, 11)])
def test_files_that_a_catalogue_of_bare_skill_files_lacks_are_told_once(
    tmp_path: Path, skills: int, more: int, warnings: int
) -> None:
    for number in range(skills):
        write(tmp_path / "skills" / f"forms-{number}", body=f"See [fields](fields-{number}.md).")
    for number in range(more):
        (tmp_path / "skills" / f"forms-{number}" / "other.md").write_text("Other.\n", "utf-8")
    report = found(tmp_path, select=["broken-link"])
    assert [each.severity for each in report].count(Severity.WARNING) == warnings


def test_skills_that_one_file_hides_are_told_once(tmp_path: Path) -> None:
    (tmp_path / ".claude-plugin").mkdir()
    (tmp_path / ".claude-plugin" / "plugin.json").write_text('{"name": "forms"}', "utf-8")
    write(tmp_path / "skills", name="forms")
    for number in range(3):
        write(tmp_path / "skills" / f"forms-{number}")
    report = found(tmp_path, select=["undiscovered-skill"])
    assert sorted(str(each.severity) for each in report) == ["info", "info", "warning"]
    assert report[0].message.endswith("; 2 more skills like this")


@pytest.mark.parametrize(("target", "errors"), [("/Users/ann/skills", 1), ("../../elsewhere", 4)])
def test_links_to_one_machine_are_told_once(tmp_path: Path, target: str, errors: int) -> None:
    for number in range(4):
        directory = tmp_path / "skills" / f"forms-{number}"
        directory.mkdir(parents=True)
        (directory / "SKILL.md").symlink_to(f"{target}/forms-{number}/SKILL.md")
    report = found(tmp_path, select=["unreadable-file"])
    assert [each.severity for each in report].count(Severity.ERROR) == errors


def test_an_error_counts_what_is_milder_in_others(tmp_path: Path) -> None:
    """A name in capitals is an error, one with `_` a warning where clients accept it; the cause is one."""
    (tmp_path / "README.md").write_text("For Claude Code and Codex.\n", "utf-8")
    for number in range(4):
        write(tmp_path / ".agent" / "skills" / f"forms_{number}")
    write(tmp_path / ".agent" / "skills" / "fields", name="anthropic-fields")
    report = found(tmp_path, select=["invalid-name"])
    assert len([each for each in report if each.severity > Severity.INFO]) == 1


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("# Forms\n\nRead it.\n\n```ts\nname: string\n```\n", "warning"),  # of an example
        ("name: forms\ndescription: Fills in forms.\n\n# Forms\n", "error"),
        ("# Forms\n---\nname: forms\ndescription: Fills in forms.\n---\n\nRead it.\n", "error"),
    ],
)
def test_fields_in_an_example_are_none_that_an_author_lost(tmp_path: Path, text: str, severity: str) -> None:
    directory = tmp_path / ".claude" / "skills" / "forms"
    directory.mkdir(parents=True)
    (directory / "SKILL.md").write_text(text, "utf-8")
    report = found(tmp_path, select=["missing-frontmatter", "lost-frontmatter"])
    assert [str(each.severity) for each in report] == [severity]


def test_a_single_file_beside_links_is_reported_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    write(tmp_path / ".agents" / "skills" / "forms")
    root = tmp_path / ".claude" / "skills"
    root.mkdir(parents=True)
    (root / "forms").symlink_to("../../.agents/skills/forms")
    (root / "fields.md").write_text("---\nname: fields\ndescription: Fills in.\n---\n\nRead.\n", "utf-8")
    report = found(Path(), select=["undiscovered-skill"])
    assert [each.path for each in report] == [".claude/skills/fields.md"]


@pytest.mark.parametrize(
    ("copies", "equal", "warnings"), [(11, 0, 0), (11, 1, 0), (11, 5, 1), (4, 0, 1), (3, 0, 3)]
)
def test_copies_that_all_differ_were_made_by_a_program(
    tmp_path: Path, copies: int, equal: int, warnings: int
) -> None:
    for number in range(copies + equal):
        for place in (".agents", ".claude"):
            body = (
                f"Read the fields of a form for {place if number < copies else 'it'}.\n\nSay what is missing."
            )
            write(
                tmp_path / place / "skills" / f"forms-{number}",
                body=body.replace(".agents", "one").replace(".claude", "two"),
            )
    report = found(tmp_path, select=["drifted-copy"])
    assert [each.severity for each in report].count(Severity.WARNING) == warnings


@pytest.mark.parametrize(("skills", "warnings"), [(3, 3), (4, 1)])
def test_a_client_that_refuses_all_for_one_reason_is_told_once(
    tmp_path: Path, skills: int, warnings: int
) -> None:
    (tmp_path / ".qwen").mkdir()  # the only client here that leaves a trace, and objects
    for number in range(skills):
        write(tmp_path / ".agents" / "skills" / f"forms-{number}", name=f"Forms {number}")
    report = found(tmp_path, select=["invalid-name", "not-loaded"])
    assert [each.rule for each in report if each.severity > Severity.INFO] == ["not-loaded"] * warnings


def test_a_mention_that_a_client_looks_for_elsewhere_is_a_habit(tmp_path: Path) -> None:
    for number in range(3):
        directory = tmp_path / ".claude" / "skills" / f"forms-{number}"
        write(directory, body=f"Read @FIELDS.md, number {number}.")
        (directory / "FIELDS.md").write_text("# Fields\n", "utf-8")
    told = [
        each for each in found(tmp_path, select=["unreachable-mention"]) if each.severity is Severity.WARNING
    ]
    assert [each.message.rpartition("; ")[2] for each in told] == ["2 more skills like this"]


def test_copies_that_drifted_in_one_way_in_many_places_are_told_once(tmp_path: Path) -> None:
    for project in "abc":
        for place, more in ((".claude", ""), (".gemini", "Then stop.\n")):
            write(tmp_path / "templates" / project / place / "skills" / "forms", body=f"Fill in.\n{more}")
    report = found(tmp_path, select=["drifted-copy"])
    assert sorted(str(each.severity) for each in report) == ["info", "info", "warning"]


@pytest.mark.parametrize(("skills", "warnings"), [(3, 3), (4, 1)])
def test_a_field_that_a_leading_client_refuses_in_many_skills_is_told_once_at_the_field(
    tmp_path: Path, skills: int, warnings: int
) -> None:
    for number in range(skills):
        path = tmp_path / "skills" / f"forms-{number}" / "SKILL.md"
        path.parent.mkdir(parents=True)
        fields = f"name: forms-{number}\ndescription: >-\n  Fills in forms: number {number}.\npaths: '*.pdf'"
        path.write_text(f"---\n{fields}\n---\n\nRead.\n", "utf-8")
    report = [each for each in found(tmp_path, select=["not-loaded"]) if "`qwen-code`" in each.message]
    assert [each.severity for each in report].count(Severity.WARNING) == warnings
    assert {each.location.start.line for each in report} == {5}


@pytest.mark.parametrize(("links", "warnings"), [(3, 3), (4, 1)])
def test_links_to_files_that_moved_out_of_one_directory_are_told_once(
    tmp_path: Path, links: int, warnings: int
) -> None:
    directory = tmp_path / ".claude" / "skills" / "forms"
    write(directory, body="\n\n".join(f"See [{name}](references/{name}.md)." for name in "abcd"[:links]))
    for name in "abcd":
        (directory / f"{name}.md").write_text(f"# {name}\n\nFields of {name}.\n", "utf-8")
    report = found(tmp_path, select=["broken-link"])
    assert [each.severity for each in report].count(Severity.WARNING) == warnings
    assert all(each.fix is not None for each in report)


def test_a_directory_of_skills_under_other_names_is_told_once(tmp_path: Path) -> None:
    for number in "abcde":
        write(tmp_path / "skills" / f"forms-{number}")
        write(tmp_path / "skills" / f"forms_{number}")
    told = [each for each in found(tmp_path, select=["case-collision"]) if each.severity is Severity.WARNING]
    assert [each.message.rpartition("; ")[2] for each in told] == ["4 more findings like this"]

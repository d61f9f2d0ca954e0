"""Links of a body: which are broken, which point outside the skill, and which are only examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool.findings.finding import Severity
from skilltool.rules import RULES
from skilltool.runtimes import get
from skilltool.skill.model import load_skill


def lay(directory: Path, body: str) -> Path:
    (directory / "references").mkdir(parents=True)
    (directory / "references" / "fields.md").write_text("# Fields\n", "utf-8")
    text = f"---\nname: {directory.name}\ndescription: Fills in forms.\n---\n\n{body}\n"
    (directory / "SKILL.md").write_text(text, "utf-8")
    return directory


def found(directory: Path, rule: str) -> list[tuple[str, Severity | None]]:
    loaded = load_skill(directory)
    findings = list(RULES[rule].check(loaded, get("portable")))
    return [(loaded.source[finding.span], finding.severity) for finding in findings]


@pytest.mark.together
@pytest.mark.parametrize(
    "target",
    [
        *(
            "gone.md",
            "./gone.md",
            "references/Fields.md",
            "LICENSE",
            "getting-started",
            "docs/",
            "images/form.png",
        ),
        *("references/fields.md#gone", "#gone", "your.md", "url.md", "references/gone.md:12"),
    ],
)
def test_a_link_to_what_is_not_there_is_broken(target: str, tmp_path: Path) -> None:
    assert found(lay(tmp_path / "pdf-tools", f"See [this]({target})."), "broken-link") == [(target, None)]


@pytest.mark.together
@pytest.mark.parametrize(
    "target",
    [
        *(
            "url",
            "URL",
            "link",
            "./link",
            "image-url",
            "pr_link",
            "link-to-page",
            "your-page",
            "href",
            "here",
        ),
        *("path", "file", "image", "path/to/page.md", "../path/to/page.md", "1", "x", "链接", "source"),
        *("../specs/FEATURE-ID.md", "TASK_NAME.md#steps", "../stage-XXX/STAGE.md", "notes/NNN.md"),
        *("file.ts#L42", "./filename.md:12", "file.py", "filename", "[Definition]"),
        *(
            "pdfUrl",
            "link2",
            "references/fields.md",
            "references",
            "references/fields.md#fields",
            "https://a.dev/x",
        ),
        *("references/fields.md:12", "references/fields.md#L3-L5", "#given", "#:~:text=Print"),
    ],
)
def test_placeholders_and_links_to_existing_files_are_not_broken(target: str, tmp_path: Path) -> None:
    directory = lay(tmp_path / "pdf-tools", f"Print each as [title]({target}).\n\n## Heading {{#given}}")
    assert found(directory, "broken-link") == found(directory, "escaping-link") == []


def test_brackets_and_parentheses_of_code_are_not_a_broken_link(tmp_path: Path) -> None:
    assert (
        found(lay(tmp_path / "pdf-tools", "The field is done[](with.marks), or int[](size)."), "broken-link")
        == []
    )
    [image] = found(lay(tmp_path / "forms", "![](gone.png)"), "broken-link")
    assert image[0] == "gone.png"


def test_a_directory_with_the_name_of_a_form_is_found(tmp_path: Path) -> None:
    directory = lay(tmp_path / "pdf-tools", "See [these](source).")
    (directory / "source").mkdir()
    assert found(directory, "broken-link") == []


def leads(directory: Path, *targets: str) -> dict[str, tuple[str, Severity | None]]:
    """Return the rule and the severity of each target that is reported, in the skill `directory`."""
    body = " ".join(f"[a]({target})" for target in targets)
    text = f"---\nname: {directory.name}\ndescription: Fills in forms.\n---\n\n{body}\n"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "SKILL.md").write_text(text, "utf-8")
    rules = ("broken-link", "escaping-link")
    return {target: (rule, severity) for rule in rules for target, severity in found(directory, rule)}


def put(*files: Path, text: str = "") -> None:
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def test_a_link_to_another_skill_of_the_root_is_fine_and_a_dead_one_is_broken(tmp_path: Path) -> None:
    skills = tmp_path / "skills"
    put(skills / "forms/SKILL.md", skills / "forms/references/a.md", skills / "office/mail/SKILL.md")
    alive = [
        "../forms/SKILL.md",
        "../forms/",
        "../forms",
        "../forms/references/a.md#x",
        "../office/mail/SKILL.md",
    ]
    dead = ["../forms/gone.md", "../gone/SKILL.md", "../../docs/gone.md"]
    assert leads(skills / "pdf-tools", *alive, *dead) == dict.fromkeys(dead, ("broken-link", None))
    assert leads(skills / "office" / "pdf-tools", "../mail/SKILL.md", "../../forms/SKILL.md") == {}


def test_a_link_to_a_file_of_the_repository_is_only_an_info(tmp_path: Path) -> None:
    put(tmp_path / "docs/style.md", tmp_path / "skills/shared/a.md", tmp_path / "more/forms/SKILL.md")
    inside = ["../../docs/style.md", "../shared/a.md", "../", "../../more/forms/SKILL.md"]
    expected = dict.fromkeys(inside, ("escaping-link", Severity.INFO))
    assert leads(tmp_path / "skills" / "pdf-tools", *inside) == expected


def test_links_of_a_page_out_of_the_repository_are_one_finding_that_says_where_the_place_is(
    tmp_path: Path,
) -> None:
    put(tmp_path / "repo/skills/forms/SKILL.md", tmp_path / "repo/skills/mail/SKILL.md")
    (tmp_path / "repo" / ".git").mkdir()
    directory = tmp_path / "repo" / "skills" / "pdf-tools"
    leads(directory, "../../../forms/", "../../../mail/", "../../../gone/")
    (found,) = RULES["escaping-link"].check(load_skill(directory), get("portable"))
    assert found.message == "link `../../../forms/` points outside the skill (and 2 more on this page)"
    assert found.help == "link to `../forms`, which exists"


def test_a_link_out_of_the_repository_or_to_an_absolute_path_escapes(tmp_path: Path) -> None:
    put(tmp_path / "secret.md")
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    outside = ["../../../secret.md", "../../../gone.md", "~/style.md", "file:///a/b.md"]
    for link in outside:
        assert leads(tmp_path / "repo" / "skills" / "pdf-tools", link) == {link: ("escaping-link", None)}
    (tmp_path / "clone" / ".git").mkdir(parents=True)  # the skill is a repository, and nothing around it is
    assert leads(tmp_path / "clone", "../secret.md") == {"../secret.md": ("escaping-link", None)}


def test_a_nested_skill_may_link_into_the_outermost_one_around_it(tmp_path: Path) -> None:
    outer = tmp_path / "skills" / "office"
    put(
        outer / "SKILL.md",
        outer / "shared/style.md",
        outer / "mail/SKILL.md",
        tmp_path / "skills/forms/SKILL.md",
    )
    alive = ["../shared/style.md", "../mail/SKILL.md", "../", "../../forms/SKILL.md"]
    assert leads(outer / "pdf-tools", *alive, "../shared/gone.md") == {
        "../shared/gone.md": ("broken-link", None)
    }


def test_a_slash_command_is_not_a_link_to_a_file(tmp_path: Path) -> None:
    put(tmp_path / "LICENSE")
    commands = ["/deploy", "/forms:fill", "/forms:fill:all", "/fill_in-form"]
    assert leads(tmp_path / "skills" / "pdf-tools", *commands, "/LICENSE", "/etc/deploy.md") == {
        "/LICENSE": ("escaping-link", Severity.INFO),
        "/etc/deploy.md": ("escaping-link", None),
    }


def test_a_link_from_the_root_of_the_repository_to_what_is_there_is_a_note(tmp_path: Path) -> None:
    put(tmp_path / "docs/adr/1.md")
    skill = tmp_path / "skills" / "pdf-tools"
    assert leads(skill, "/docs/adr/1.md") == {"/docs/adr/1.md": ("escaping-link", Severity.INFO)}
    assert leads(skill, "/docs/adr/2.md") == {"/docs/adr/2.md": ("escaping-link", None)}


def test_links_from_the_root_of_a_web_site_are_one_info(tmp_path: Path) -> None:
    body = "[a](/docs/a) [b](/docs/b.md#x) ![c](/img/c.png) [d](/Users/alice/d.md)"
    skill = load_skill(lay(tmp_path / "skills" / "pdf-tools", body))
    found = [(each.message, each.severity) for each in RULES["escaping-link"].check(skill, get("portable"))]
    assert found == [
        ("link `/Users/alice/d.md` points outside the skill", None),
        (
            "link `/docs/a` is relative to the root of a web site or repository (and 2 more on this page)",
            Severity.INFO,
        ),
    ]


def test_a_link_or_two_from_the_root_of_a_web_site_are_the_author_s_own(tmp_path: Path) -> None:
    skill = load_skill(lay(tmp_path / "skills" / "pdf-tools", "[a](/docs/a) [b](/docs/b.md)"))
    (found,) = RULES["escaping-link"].check(skill, get("portable"))
    assert found.message.endswith(" (and 1 more on this page)")
    assert found.severity is None


def test_no_link_is_said_to_mean_its_own_skill(tmp_path: Path) -> None:
    skill = load_skill(lay(tmp_path / "skills" / "pdf-tools", "[a](../../docs/pdf-tools.md)"))
    (told,) = RULES["broken-link"].check(skill, get("portable"))
    assert "the skill" not in (told.help or "")


def test_a_link_to_a_heading_in_an_example_is_a_note_also_where_that_has_a_dash(tmp_path: Path) -> None:
    written = "[a](#fill-in-check)\n\n```markdown\n## Fill in \u2014 check\n```\n"
    skill = load_skill(lay(tmp_path / "skills" / "pdf-tools", written))
    (told,) = RULES["broken-link"].check(skill, get("portable"))
    assert str(told.severity) == "info"


def test_links_into_several_directories_that_moved_together_are_one_finding(tmp_path: Path) -> None:
    written = " ".join(f"[{each}](../../parts/{each}/README.md)" for each in "abcde")
    skill = load_skill(lay(tmp_path / "skills" / "pdf-tools", written))
    (tmp_path / "parts").mkdir()
    (told,) = RULES["broken-link"].check(skill, get("portable"))
    assert told.message.endswith("(and 4 more on this page)")


@pytest.mark.parametrize(("links", "messages"), [(3, 3), (4, 1)])
def test_many_links_of_a_page_to_headings_that_it_lacks_are_one_finding(
    tmp_path: Path, links: int, messages: int
) -> None:
    body = (
        " ".join(f"[{number}](#gone-{number}a)" for number in range(links)) + " [5.1](#51)\n\n## 5.1 Fields"
    )
    findings = list(
        RULES["broken-link"].check(load_skill(lay(tmp_path / "skills" / "a", body)), get("portable"))
    )
    assert [each.help for each in findings if each.severity is Severity.INFO] == ["write `#51-fields`"]
    reported = [each.message for each in findings if each.severity is None]
    assert len(reported) == messages
    assert reported[0].endswith(" (and 3 more on this page)") == (messages == 1)


@pytest.mark.parametrize(("links", "messages"), [(3, 3), (4, 1)])
def test_many_links_into_a_directory_that_is_missing_are_one_finding(
    tmp_path: Path, links: int, messages: int
) -> None:
    body = (
        " ".join(f"[{number}](rules/{number}.md)" for number in range(links)) + " [gone](references/gone.md)"
    )
    reported = [message for message, _ in found(lay(tmp_path / "skills" / "a", body), "broken-link")]
    assert len(reported) == messages + 1
    assert "rules/0.md" in reported
    assert "references/gone.md" in reported
    body = "[all](rules/) " + body
    reported = [message for message, _ in found(lay(tmp_path / "skills" / "b", body), "broken-link")]
    assert len(reported) == 2  # the link to the directory counts as one of four, or of five


@pytest.mark.parametrize(
    ("pages", "links", "messages"), [(1, 5, 5), (1, 6, 1), (2, 5, 10), (3, 5, 1), (1, 0, 0)]
)
def test_many_dead_links_of_copied_pages_are_one_finding(
    tmp_path: Path, pages: int, links: int, messages: int
) -> None:
    directory = lay(tmp_path / "skills" / "a", "Read the pages in references/.")
    for page in range(pages):
        body = "".join(f"[{number}](cli_zone-{number}.md)\n" for number in range(links))
        put(directory / f"references/page-{page}.md", text=f"{body}[api](Client.html)\n")
    findings = list(RULES["broken-link"].check(load_skill(directory), get("portable")))
    assert len([each for each in findings if each.severity is None]) == messages
    assert len([each for each in findings if each.severity is Severity.INFO]) == pages


@pytest.mark.parametrize(("pages", "messages"), [(3, 3), (4, 1)])
def test_tables_of_contents_of_many_pages_are_one_finding(tmp_path: Path, pages: int, messages: int) -> None:
    directory = lay(tmp_path / "skills" / "a", "Read the pages in references/.")
    for page in range(pages):
        body = "".join(f"[{number}](#sec{number}x{page}y)\n" for number in range(4))
        put(directory / f"references/page-{page}.md", text=body)
    reported = [each.message for each in RULES["broken-link"].check(load_skill(directory), get("portable"))]
    assert len(reported) == messages
    assert reported[0].endswith(" (and 15 more in this skill)") == (messages == 1)


@pytest.mark.parametrize(("links", "severity"), [(20, None), (21, Severity.INFO)])
def test_a_table_of_contents_that_leads_nowhere_is_a_note(
    tmp_path: Path, links: int, severity: Severity | None
) -> None:
    directory = lay(tmp_path / "a", "See [it](api.md).")
    put(directory / "api.md", text="".join(f"[{number}](#sec{number}x)\n" for number in range(links)))
    (broken,) = RULES["broken-link"].check(load_skill(directory), get("portable"))
    assert broken.severity is severity
    body = "".join(f"[{number}](#sec{number}x)\n" for number in range(links))
    (broken,) = RULES["broken-link"].check(load_skill(lay(tmp_path / "b", body)), get("portable"))
    assert broken.severity is None  # in SKILL.md it is the author's own


@pytest.mark.parametrize(("page", "severity"), [("api.md", Severity.INFO), ("SKILL.md", None)])
def test_an_anchor_with_a_capital_is_of_a_web_site(
    tmp_path: Path, page: str, severity: Severity | None
) -> None:
    link = "\n\n[color](#Inclusive-color)\n"
    directory = lay(tmp_path / "a", f"See [it](api.md).{link if page == 'SKILL.md' else ''}")
    put(directory / "api.md", text=f"# Color{link if page == 'api.md' else ''}")
    severities = [
        each.severity for each in RULES["broken-link"].check(load_skill(directory), get("portable"))
    ]
    assert severities == [severity]


def test_a_page_of_html_belongs_to_a_web_site_and_in_the_skill_itself_to_the_skill(tmp_path: Path) -> None:
    directory = lay(tmp_path / "a", "See [it](api.md) and [that](sql/gone.html).")
    put(directory / "api.md", text="[sql](sql/intro.html) [gone](sql/gone.md)\n")
    broken = RULES["broken-link"].check(load_skill(directory), get("portable"))
    assert {(each.file, each.message.split("`")[1]): each.severity for each in broken} == {
        ("", "sql/gone.html"): None,
        ("api.md", "sql/gone.md"): None,
        ("api.md", "sql/intro.html"): Severity.INFO,
    }


@pytest.mark.parametrize(("directories", "messages"), [(3, 3), (4, 1)])
def test_pages_with_links_into_several_missing_directories_are_one_finding(
    tmp_path: Path, directories: int, messages: int
) -> None:
    skill = lay(tmp_path / "a", "Read the pages in references/.")
    for number in range(directories):
        links = "".join(f"[{page}](gone{number}/cli-zone-{page}.md)\n" for page in range(4))
        put(skill / f"references/{number}.md", text=links)
    reported = [each.message for each in RULES["broken-link"].check(load_skill(skill), get("portable"))]
    assert len(reported) == messages
    assert reported[0].endswith(" (and 15 more in this skill)") == (messages == 1)


def test_spaces_in_angle_brackets_do_not_belong_to_a_url(tmp_path: Path) -> None:
    body = "[a](< https://example.com/a>) [b](< references/gone.md>)"
    directory = lay(tmp_path / "skills" / "a", body)
    assert [target for target, _ in found(directory, "broken-link")] == ["< references/gone.md>"]


def test_a_template_of_a_link_is_none(tmp_path: Path) -> None:
    directory = lay(tmp_path / "skills" / "a", "[{run.id}](run.url) [run](run.url)")
    assert [target for target, _ in found(directory, "broken-link")] == ["run.url"]


def test_links_to_files_of_a_machine_are_one_finding_of_their_page(tmp_path: Path) -> None:
    body = "[a](file:///home/alice/a.md) [b](/home/alice/b.md) [c](~/c.md)"
    skill = load_skill(lay(tmp_path / "skills" / "pdf-tools", body))
    assert [each.message for each in RULES["escaping-link"].check(skill, get("portable"))] == [
        "link `~/c.md` points outside the skill",
        "link `file:///home/alice/a.md` points outside the skill (and 1 more on this page)",
    ]


@pytest.mark.parametrize(
    ("link", "severity"),
    [
        ("[index.mjs](file:///C:/work/index.mjs)", Severity.INFO),
        ("[core/index.mjs:12](file:///C:/work/core/index.mjs#L12)", Severity.INFO),
        ("[the index](file:///C:/work/index.mjs)", None),
        ("[index.mjs](/home/alice/index.mjs)", None),
        ("[index.mjs](file:///C:/work/index.mjs); read [a.md](file:///C:/work/a.md)", None),
        ("[index.mjs](file:///C:/work/index.mjs), [the index](file:///C:/work/index.mjs)", None),
    ],
)
def test_a_file_of_a_machine_that_a_statement_is_about_need_not_be_opened(
    tmp_path: Path, link: str, severity: Severity | None
) -> None:
    skill = load_skill(lay(tmp_path / "skills" / "pdf-tools", f"As in {link}."))
    assert [each.severity for each in RULES["escaping-link"].check(skill, get("portable"))] == [severity]


@pytest.mark.parametrize(("copy", "severity"), [(".claude/skills/pdf-tools", Severity.INFO), ("other", None)])
def test_a_link_that_works_from_the_copy_that_a_build_makes_is_an_info(
    tmp_path: Path, copy: str, severity: Severity | None
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "house.md").write_text("# House\n", "utf-8")
    body = "See [the house](../../../docs/house.md)."
    lay(tmp_path / copy, body)
    skill = load_skill(lay(tmp_path / "build/source/skills/pdf-tools", body))
    (found,) = RULES["broken-link"].check(skill, get("portable"))
    assert found.severity is severity


def test_pages_of_a_web_site_in_an_example_are_an_info(tmp_path: Path) -> None:
    skill = load_skill(lay(tmp_path / "skills" / "pdf-tools", "[analytics](/features/analytics)"))
    (found,) = RULES["escaping-link"].check(skill, get("portable"))
    assert found.severity is Severity.INFO


def test_a_heading_with_another_punctuation_is_an_info_that_says_its_anchor(tmp_path: Path) -> None:
    headings = "## search_tools() Function\n\n## Sprout \u2014 plant care"
    headings += "\n\n## Step 4 \u2014 Release Rules\n\n## N\u00b2 (N-Squared)"
    links = "[a](#searchtools-function) [b](#sprout-plant-care) [s](#release-rules) [n](#n\u00b2-n-squared)"
    body = f"{links} [c](#gone)\n\n{headings}"
    skill = load_skill(lay(tmp_path / "skills" / "pdf-tools", body))
    found = [(each.help, each.severity) for each in RULES["broken-link"].check(skill, get("portable"))]
    assert found == [
        ("write `#search_tools-function`", Severity.INFO),
        ("write `#sprout--plant-care`", Severity.INFO),
        ("write `#step-4--release-rules`", Severity.INFO),
        ("write `#n-n-squared`", Severity.INFO),
        ("correct the part after the `#`", None),
    ]


def test_what_a_page_has_from_a_web_site_is_an_info(tmp_path: Path) -> None:
    directory = lay(tmp_path / "skills" / "pdf-tools", "[options](upload_reference#options), docs/api.md")
    put(
        directory / "docs/api.md",
        text="# API\n\n[a](upload_reference#options) [b](#datasource_values) [c](values)",
    )
    found = RULES["broken-link"].check(load_skill(directory), get("portable"))
    assert sorted((each.file, each.severity or Severity.WARNING) for each in found) == [
        ("", Severity.WARNING),
        ("docs/api.md", Severity.INFO),
        ("docs/api.md", Severity.INFO),
        ("docs/api.md", Severity.WARNING),
    ]


def test_a_link_without_the_extension_of_its_page_means_that_page(tmp_path: Path) -> None:
    directory = lay(tmp_path / "skills" / "pdf-tools", "[fields](./rules/fields)")
    put(directory / "rules/fields.md")
    (found,) = RULES["broken-link"].check(load_skill(directory), get("portable"))
    assert found.help == "did you mean `rules/fields.md`?"


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ('Keep it named: "See [fields](references/gone.md)"', Severity.INFO),
        ("- \u201cSee [fields](references/gone.md) first.\u201d", Severity.INFO),
        ('The "form" is in [fields](references/gone.md).', None),
        ('Read [fields](references/gone.md) for "forms".', None),
        ("[Spans](#spant-and-others)\n\n# Span<T> and others\n", Severity.INFO),
        ("Create [src/app.ts](src/app.ts):\n\n```ts\n1\n```\n", Severity.INFO),
        ("**Set up** ([src/app.ts](src/app.ts)):\n```ts\n1\n```\n", Severity.INFO),
        ("This regenerates [src/app.ts](src/app.ts) with types.", Severity.INFO),
        ("The project includes a [src/app.ts](src/app.ts).", Severity.INFO),
        ("Create or update [src/app.ts](src/app.ts):\n", Severity.INFO),
        ("See [the app](src/app.ts):\n\n```ts\n1\n```\n", None),
        ("Before you edit, read [src/app.ts](src/app.ts):\n", None),
        ("Run [src/app.ts](src/app.ts):\n```sh\n1\n```\n", None),
        ("Fields ([references/gone.md](references/gone.md)):\n```sh\n1\n```\n", None),
        ("This repository contains [a guide](gone.md).", None),
        ("Create a form. See [src/app.ts](src/app.ts) first.", None),
        ('Keep it named: "See [fields](#gone)"', Severity.INFO),
        ("[Spans](#spanx-and-others)\n\n# Span<T> and others\n", None),
    ],
)
def test_an_example_in_quotes_and_an_anchor_with_angle_brackets_are_infos(
    tmp_path: Path, body: str, severity: Severity | None
) -> None:
    ((_, seen),) = found(lay(tmp_path / "a", body), "broken-link")
    assert seen is severity


@pytest.mark.parametrize(
    ("link", "severity"),
    [
        ("#find-the-form", Severity.INFO),  # a heading of the example
        ("#find-the-fields", None),
        ("TableDrivenTests", Severity.INFO),  # of a wiki
        ("guide#assert", Severity.INFO),
        ("guide/fields.md", None),
    ],
)
def test_links_of_a_page_to_its_examples_and_to_a_wiki_are_infos(
    tmp_path: Path, link: str, severity: Severity | None
) -> None:
    directory = lay(tmp_path / "a", "See [it](page.md).")
    put(directory / "page.md", text=f"[x]({link})\n\n```markdown\n## Find the form\n```\n")
    assert [seen for _, seen in found(directory, "broken-link")] == [severity]


@pytest.mark.parametrize(
    ("page", "severity"),
    [
        ("references/github/README.md", Severity.INFO),
        ("references/README.md", None),
    ],
)
def test_links_of_what_was_copied_from_a_repository_are_infos(
    tmp_path: Path, page: str, severity: Severity | None
) -> None:
    directory = lay(tmp_path / "a", f"See [it]({page}).")
    for target in ("gone/api.md", "#gone"):
        put(directory / page, text=f"[api]({target})\n")
        ((_, seen),) = found(directory, "broken-link")
        assert seen is severity


@pytest.mark.parametrize(
    ("frontmatter", "severity"),
    [
        ("source_url: https://docs.shop.dev/api", Severity.INFO),
        ("url: 'http://docs.shop.dev/api'", Severity.INFO),
        ("source: forms", None),
        ("title: Forms", None),
    ],
)
def test_links_of_a_page_that_says_which_url_it_is_from_are_infos(
    tmp_path: Path, frontmatter: str, severity: Severity | None
) -> None:
    directory = lay(tmp_path / "a", "See [it](api.md).")
    put(directory / "api.md", text=f"---\n{frontmatter}\n---\n\n# Fields\n\n[skip](#main-content)\n")
    (broken,) = RULES["broken-link"].check(load_skill(directory), get("portable"))
    assert broken.severity is severity


def test_a_link_to_a_skill_of_another_group_works_where_both_are_installed(repo: Path) -> None:
    put(repo / "skills/web/pages/SKILL.md", repo / "skills/web/pages/references/a.md")
    dead = ["../gone/SKILL.md", "../pages/references/gone.md"]
    alive = ["../pages/SKILL.md", "../pages/references/a.md#x"]
    reported = leads(repo / "skills/office/forms", *alive, *dead)
    assert reported == {
        **dict.fromkeys(alive, ("broken-link", Severity.INFO)),
        **dict.fromkeys(dead, ("broken-link", None)),
    }
    assert leads(repo / ".claude/skills/forms", alive[0]) == {alive[0]: ("broken-link", None)}


def test_the_identifier_after_a_heading_is_its_anchor(tmp_path: Path) -> None:
    body = "# Cloud fields [ecs-cloud]\n\n# Other {#more}\n\n[a](#ecs-cloud) [b](#more) [c](#ecs-other)"
    assert found(lay(tmp_path / "a", body), "broken-link") == [("#ecs-other", None)]


def test_one_parenthesis_too_many_and_a_list_before_a_word(tmp_path: Path) -> None:
    directory = lay(
        tmp_path / "a", "See [it]((https://shop.dev/a)), count=3 -> [0,2,4](MON/WED), [1](gone.md)."
    )
    broken = list(RULES["broken-link"].check(load_skill(directory), get("portable")))
    assert {each.help for each in broken} == {
        "remove one of the two parentheses",
        "correct the path or add the file",
    }


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("Read [the fields](docs/fields.md).", None),
        ("Read `docs/fields.md`.", None),
        ("For the rest there is fields.md.", None),
        ("Read the pages in `docs/`.", None),
        ("Read `docs/<topic>.md`.", None),
        ("Read [more](more.md).", Severity.INFO),  # which names the page
        ("Fill in the form.", Severity.INFO),
    ],
)
def test_links_of_a_page_that_the_skill_does_not_name_are_infos(
    tmp_path: Path, body: str, severity: Severity | None
) -> None:
    directory = lay(tmp_path / "a", body)
    put(directory / "more.md", text="[fields](docs/fields.md)\n")
    put(directory / "docs/fields.md", text="[api](api.md) [top](#gone) [own](FIELDS.md)\n")
    put(directory / "agents/filler.md", text="[api](api.md)\n")  # which clients load
    found = list(RULES["broken-link"].check(load_skill(directory), get("portable")))
    assert {(each.file, each.severity) for each in found} == {
        ("docs/fields.md", severity),
        ("agents/filler.md", None),
    }
    assert len(found) == 4


@pytest.mark.parametrize(
    ("headings", "severity"),
    [
        ("## 11. Smooth scrolling", Severity.INFO),
        ("## 11. Smooth scrolling\n\n## 11. Pinning", None),
        ("## 1. Smooth scrolling", None),
    ],
)
def test_the_number_of_one_heading_says_which_is_meant(
    tmp_path: Path, headings: str, severity: Severity | None
) -> None:
    ((_, seen),) = found(lay(tmp_path / "a", f"[scrolling](#11-smoother)\n\n{headings}\n"), "broken-link")
    assert seen is severity


def test_a_path_from_the_root_of_the_project_is_only_an_info(tmp_path: Path) -> None:
    body = "[a](src/main.py) [b](.github/test.yml#L3) [c](src/gone.py) [d](README.md) [e](references/main.md)"
    directory = lay(tmp_path / ".claude" / "skills" / "pdf-tools", body)
    for name in ("src/main.py", "README.md", "references/main.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert dict(found(directory, "broken-link")) == {
        "src/main.py": Severity.INFO,
        ".github/test.yml#L3": Severity.INFO,
        "src/gone.py": None,
        "README.md": Severity.INFO,
        "references/main.md": None,
    }


@pytest.mark.parametrize(
    ("target", "severity"),
    [
        ("docs/pull_request_template.md", Severity.INFO),
        ("PULL_REQUEST_TEMPLATE.md", Severity.INFO),
        ("pull_request_template.txt", Severity.INFO),
        ("docs/PULL_REQUEST_TEMPLATE/fix.md", Severity.INFO),
        (".github/pull_request_template.md", Severity.INFO),
        ("own/pull_request_template.md", None),
        ("references/pull_request_template.md", None),
        ("docs/pull_request_rules.md", None),
    ],
)
def test_the_template_for_pull_requests_is_a_file_of_the_user_s_project(
    target: str, severity: Severity | None, tmp_path: Path
) -> None:
    directory = lay(tmp_path / "skills" / "a", f"Use the structure of [the template]({target}).")
    [finding] = RULES["broken-link"].check(load_skill(directory), get("portable"))
    assert finding.severity is severity
    if severity is not None:
        assert finding.help == "use a code span for a file of the user's project"
    (directory / "assets").mkdir()
    (directory / "assets/pull_request_template.md").touch()  # which is not meant by a path of GitHub's
    if target.startswith(".github/"):
        assert found(directory, "broken-link") == [(target, severity)]
    (directory / "assets/pull_request_template.md").unlink()
    (directory / "docs").mkdir()
    assert found(directory, "broken-link") == [(target, None if target.startswith("docs/") else severity)]


def test_a_path_that_comes_back_stays_in_the_skill(tmp_path: Path) -> None:
    body = "[a](../pdf-tools/SKILL.md) [b](../pdf-tools/gone.md) [c](../pdf-tools)"
    directory = lay(tmp_path / "pdf-tools", body)
    assert found(directory, "escaping-link") == []
    assert [target for target, _ in found(directory, "broken-link")] == ["../pdf-tools/gone.md"]


def test_a_call_in_a_sentence_is_not_a_link(tmp_path: Path) -> None:
    directory = lay(
        tmp_path / "pdf-tools", "Then fn[0](arg) and table[key](value) are called, [see](gone.md)."
    )
    assert [target for target, _ in found(directory, "broken-link")] == ["gone.md"]


@pytest.mark.parametrize(
    ("body", "advice"),
    [
        ("[a](assets/fill.md)", "did you mean `assets/fill.ts`?"),
        ("[a](assets/fields.md)", "did you mean `references/fields.md`?"),
        ("[a](assets/fields.md), [b](references/fields.md)", "correct the path or add the file"),
        ("[a](fields.md), [b](references/fields.md)", "did you mean `references/fields.md`?"),
        ("[a](references/draw.md)", "did you mean `assets/draw.py`?"),
        ("[a](references/draw.md), [b](assets/draw.py)", "correct the path or add the file"),
        ("[a](references/fill.md)", "did you mean `scripts/fill.md`?"),
        ("[a](references/two.md)", "correct the path or add the file"),
        ("[a](references/index.md)", "correct the path or add the file"),
        ("![a](assets/fill.png)", "correct the path or add the file"),
    ],
)
def test_a_file_of_the_same_name_is_meant_first_in_the_directory_of_the_link(
    body: str, advice: str, tmp_path: Path
) -> None:
    directory = lay(tmp_path / "skills" / "a", body)
    for name in ("assets/fill.ts", "assets/draw.py", "assets/two.py", "assets/two.ts", "assets/index.js"):
        (directory / name).parent.mkdir(exist_ok=True)
        (directory / name).touch()
    (directory / "scripts").mkdir()
    (directory / "scripts/fill.md").touch()
    [finding] = RULES["broken-link"].check(load_skill(directory), get("portable"))
    assert finding.help == advice


@pytest.mark.parametrize(
    ("title", "page", "is_checked"),
    [
        ("# {{project_name}}", "repo/README.md", False),
        ("# About {{ project.name }}", "repo/README.md", False),
        ("# {{project_name}}", "repo/docs/api.md", False),
        ("# {{project_name}}", "other/api.md", True),
        ("# Project", "repo/README.md", True),
        ("# Project\n\n{{project_name}}", "repo/README.md", True),
        ("# `{{project_name}}`", "repo/docs/api.md", False),
        ("# Project\n\n```\n# {{project_name}}\n```", "repo/docs/api.md", True),
    ],
)
def test_links_of_what_a_project_copies_as_a_whole_are_not_the_skills(
    title: str, page: str, is_checked: bool, tmp_path: Path
) -> None:
    directory = lay(tmp_path / "skills" / "a", f"Copy `repo/`, and read `{page}`.")
    for file in (page, "repo/README.md"):
        (directory / file).parent.mkdir(parents=True, exist_ok=True)
        (directory / file).write_text("[more](gone.md), see `RULES-OF-ALL.md`.\n", "utf-8")
    (directory / "repo/README.md").write_text(f"{title}\n\n[more](gone.md)\n", "utf-8")
    pages = {each.file for each in RULES["broken-link"].check(load_skill(directory), get("portable"))}
    assert (page in pages) is is_checked
    if page != "repo/README.md":
        named = list(RULES["missing-named-file"].check(load_skill(directory), get("portable")))
        assert bool(named) is is_checked


@pytest.mark.parametrize("where", ["references", "docs"])
def test_a_form_among_the_pages_of_a_skill_is_alone_to_be_filled_in(where: str, tmp_path: Path) -> None:
    directory = lay(tmp_path / "skills" / "a", f"Read `{where}/`.")
    (directory / where).mkdir(exist_ok=True)
    (directory / where / "form.md").write_text("# {{name}}\n\n[more](gone.md)\n", "utf-8")
    (directory / where / "guide.md").write_text("# Guide\n\n[more](gone.md)\n", "utf-8")
    [finding] = RULES["broken-link"].check(load_skill(directory), get("portable"))
    assert finding.file == f"{where}/guide.md"


def test_the_help_says_where_the_only_file_of_the_name_is_from_the_page(repo: Path) -> None:
    (repo / "shared").mkdir()
    (repo / "shared/fill.md").touch()
    directory = lay(repo / "skills" / "a", "Read `references/`. [a](rules/fill.md)")
    (directory / "references/fields.md").write_text("[b](fill.md)\n", "utf-8")
    helps = {
        each.file: each.help for each in RULES["broken-link"].check(load_skill(directory), get("portable"))
    }
    missing = "correct the path or add the file (a file of this name is"
    assert helps == {
        "": f"{missing} `../../shared/fill.md`)",
        "references/fields.md": f"{missing} `../../../shared/fill.md`)",
    }


@pytest.mark.slow
@pytest.mark.parametrize(("more", "is_told"), [(1998, True), (1999, False)])
def test_the_file_that_is_meant_is_looked_for_among_so_many_files(
    more: int, is_told: bool, tmp_path: Path
) -> None:
    directory = lay(tmp_path / "a", "[fields](references/Fields.md)")
    for number in range(more):
        (directory / f"{number}.md").touch()
    [finding] = RULES["broken-link"].check(load_skill(directory), get("portable"))
    assert ("references/fields.md" in (finding.help or "")) == is_told


@pytest.mark.parametrize(
    ("top", "severity"), [("src", Severity.INFO), ("pkg", None)], ids=["of a build", "of no build"]
)
def test_what_a_build_copies_into_a_skill_is_an_info(
    tmp_path: Path, top: str, severity: Severity | None
) -> None:
    (tmp_path / ".git").mkdir()
    put(tmp_path / top / "references" / "forms" / "shared.md")
    directory = lay(tmp_path / top / "skills" / "pdf-tools", "Read [it](references/forms/shared.md).")
    ((_, seen),) = found(directory, "broken-link")
    assert seen is severity


def test_links_of_a_linked_file_are_those_of_its_place(tmp_path: Path) -> None:
    put(tmp_path / "plugin/skills/pdf/flow.md")
    (tmp_path / "plugin/skills/pdf/SKILL.md").write_text(
        "---\nname: pdf\ndescription: Fills in forms.\n---\n\n[a](flow.md), [b](gone.md), [c](../b/a.md)\n",
        "utf-8",
    )
    put(tmp_path / "plugin/skills/b/a.md")
    (tmp_path / ".git").mkdir()
    (tmp_path / "skills/pdf").mkdir(parents=True)
    (tmp_path / "skills/pdf/SKILL.md").symlink_to("../../plugin/skills/pdf/SKILL.md")
    found = RULES["broken-link"].check(load_skill(tmp_path / "skills/pdf"), get("portable"))
    by_target = {finding.message.split("`")[1]: finding.severity for finding in found}
    assert by_target == {"flow.md": Severity.INFO, "gone.md": None, "../b/a.md": Severity.INFO}


@pytest.mark.parametrize(("number", "severity"), [(50, None), (60, Severity.INFO)])
def test_a_copy_of_a_web_site_is_a_note(tmp_path: Path, number: int, severity: Severity | None) -> None:
    skill = tmp_path / "pdf"
    put(skill / "references/a.md")
    (skill / "SKILL.md").write_text(
        "---\nname: pdf\ndescription: Fills in forms.\n---\n\nRead [all](references/a.md).\n", "utf-8"
    )
    links = "".join(f"[{n}](../site/page-{n}.md)\n" for n in range(number))
    (skill / "references/a.md").write_text(links, "utf-8")
    found = list(RULES["broken-link"].check(load_skill(skill), get("portable")))
    assert [finding.severity for finding in found] == [severity]


def test_a_directory_that_a_skill_forgot_is_a_warning_however_many_links_lead_there(tmp_path: Path) -> None:
    links = "".join(f"- [{n}](references/{n}.md)\n" for n in range(60))
    (tmp_path / "pdf").mkdir()
    (tmp_path / "pdf/SKILL.md").write_text(
        f"---\nname: pdf\ndescription: Fills in forms.\n---\n\n{links}", "utf-8"
    )
    (finding,) = RULES["broken-link"].check(load_skill(tmp_path / "pdf"), get("portable"))
    assert (finding.severity, finding.message.endswith(" (and 59 more on this page)")) == (None, True)


def test_a_link_to_what_a_build_makes_is_a_note(tmp_path: Path) -> None:
    directory = lay(
        tmp_path / "skills" / "pdf-tools", "See [all](../../docs/all.txt) and [mine](made/all.txt)."
    )
    (tmp_path / ".git").mkdir()
    (tmp_path / "docs").mkdir()
    targets = ["../../docs/all.txt", "made/all.txt"]
    assert found(directory, "broken-link") == [(target, None) for target in targets]
    (tmp_path / "docs" / ".gitignore").write_text("all.txt\n", "utf-8")
    (directory / ".gitignore").write_text("made/\n", "utf-8")
    assert found(directory, "broken-link") == [(target, Severity.INFO) for target in targets]


def helps(directory: Path, rule: str) -> list[str | None]:
    return [finding.help for finding in RULES[rule].check(load_skill(directory), get("portable"))]


def test_a_link_out_of_the_skill_in_other_letters_is_told_with_the_file(tmp_path: Path) -> None:
    directory = lay(tmp_path / "skills" / "pdf-tools", "See [the form](../../.github/form.md).")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github" / "FORM.md").write_text("# Form\n", "utf-8")
    (advice,) = helps(directory, "broken-link")
    assert advice == "write `../../.github/FORM.md`: the case of a letter differs"


def test_a_file_elsewhere_is_told_with_the_heading_that_it_lacks(tmp_path: Path) -> None:
    directory = lay(
        tmp_path / "skills" / "pdf-tools", "See [rules](../GUIDE.md#rules) and [b](../GUIDE.md#parts)."
    )
    (tmp_path / ".git").mkdir()
    (tmp_path / "GUIDE.md").write_text("# Parts\n", "utf-8")
    assert helps(directory, "broken-link") == [
        "link to `../../GUIDE.md`, which exists but has no heading `#rules`",
        "link to `../../GUIDE.md`, which exists",
    ]


def test_a_link_through_a_lost_symbolic_link_is_a_note(tmp_path: Path) -> None:
    directory = lay(tmp_path / "skills" / "pdf-tools", "See [it](../forms/SKILL.md).")
    (tmp_path / ".git").mkdir()
    assert found(directory, "broken-link") == [("../forms/SKILL.md", None)]
    (tmp_path / "skills" / "forms").symlink_to("../../elsewhere/forms")
    assert found(directory, "broken-link") == [("../forms/SKILL.md", Severity.INFO)]


def test_links_that_were_written_for_another_directory_are_one_finding(tmp_path: Path) -> None:
    links = " ".join(f"[{name}](../notes/{name}.md)" for name in "abcd")
    directory = lay(tmp_path / "skills" / "pdf-tools", f"See {links} and [it](../other/gone.md).")
    (tmp_path / ".git").mkdir()
    (tmp_path / "docs" / "notes").mkdir(parents=True)
    for name in "abcd":
        (tmp_path / "docs" / "notes" / f"{name}.md").write_text("# A\n", "utf-8")
    findings = list(RULES["broken-link"].check(load_skill(directory), get("portable")))
    assert sorted("(and 3 more" in finding.message for finding in findings) == [False, True]


def test_a_page_with_the_name_of_a_skill_is_that_skill(tmp_path: Path) -> None:
    directory = lay(tmp_path / "skills" / "pdf-tools", "See [forms](forms.md).")
    (tmp_path / ".git").mkdir()
    (tmp_path / "skills" / "forms").mkdir()
    (tmp_path / "skills" / "forms" / "SKILL.md").write_text("---\nname: forms\n---\n", "utf-8")
    assert helps(directory, "broken-link") == ["did you mean `../forms/SKILL.md`, the skill?"]


def test_a_link_to_a_skill_under_a_longer_name_names_the_skill(tmp_path: Path) -> None:
    directory = lay(tmp_path / "skills" / "pdf-tools", "[a](../my-forms/SKILL.md), [b](../my-mail/SKILL.md)")
    (tmp_path / ".git").mkdir()
    lay(tmp_path / "skills" / "forms", "Text.")
    told, other = helps(directory, "broken-link")
    assert told == "did you mean `../forms/SKILL.md`, the skill?"
    assert other == "correct the path or remove the link"


@pytest.mark.parametrize(
    ("pages", "advice"),
    [
        ({"references/setup.md": "# Keys\n\n## API token\n"}, "write `references/setup.md#api-token`"),
        ({"references/setup.md": "# Keys\n"}, "correct the part after the `#`"),
        ({"a.md": "# API token\n", "b.md": "# API token\n"}, "correct the part after the `#`"),
    ],
)
def test_a_heading_that_another_page_has_is_said_to_be_there(
    pages: dict[str, str], advice: str, tmp_path: Path
) -> None:
    lay(tmp_path / "a", "See [the token](#api-token).")
    for file, text in pages.items():
        (tmp_path / "a" / file).write_text(text, "utf-8")
    (finding,) = RULES["broken-link"].check(load_skill(tmp_path / "a"), get("portable"))
    assert (finding.help or "").startswith(advice)


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("[![a form](https://a.dev/form.png)](/usr/uploads/2021/form.png)", Severity.INFO),
        ("[a form](/usr/uploads/2021/form.png)", None),
        ("[a form](/usr/share/form.png)", None),
    ],
)
def test_a_link_around_an_image_to_the_root_of_its_site_is_a_note(
    body: str, severity: Severity | None, tmp_path: Path
) -> None:
    lay(tmp_path / "a", body)
    (finding,) = RULES["escaping-link"].check(load_skill(tmp_path / "a"), get("portable"))
    assert finding.severity is severity
    assert ("root of a web site" in finding.message) == ("uploads" in body)

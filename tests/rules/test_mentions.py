"""Files that a body mentions: which it expects to exist, and which are examples or results."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool.findings.finding import Severity
from skilltool.rules.body import missing_file_mention
from skilltool.rules.may_apply import names_missing_files
from skilltool.rules.shared.skill_paths import DIRECTORY_VARIABLES, VARIABLE_HINTS
from skilltool.runtimes import get
from skilltool.skill.model import load_skill


def lay(directory: Path, body: str) -> Path:
    (directory / "scripts").mkdir(parents=True)
    (directory / "scripts" / "fill.py").touch()
    text = f"---\nname: {directory.name}\ndescription: Fills in forms.\n---\n\n{body}\n"
    (directory / "SKILL.md").write_text(text, "utf-8")
    return directory


def severities(directory: Path) -> list[Severity | None]:
    found = missing_file_mention.check(load_skill(directory), get("portable"))
    return [finding.severity for finding in found]


def missing(directory: Path) -> list[str]:
    loaded = load_skill(directory)
    found = list(missing_file_mention.check(loaded, get("portable")))
    assert bool(found) <= names_missing_files(loaded, get("portable"))
    return [loaded.source[finding.span] for finding in found]


@pytest.mark.together
@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("See references/gone.md.", "references/gone.md"),
        ("This skill includes a `scripts/gone.py`. Run `scripts/gone.py` now.", "scripts/gone.py"),
        ("If the user says `paid`, run `scripts/gone.py`.", "scripts/gone.py"),
        ("If fields exist (as a rule they do), run `scripts/gone.py`.", "scripts/gone.py"),
        ("If the reader is available (see `references/gone.md`), use it.", "references/gone.md"),
        ("Edge cases are deferred to `references/gone.md`.", "references/gone.md"),
        ("For deferred revenue, read `references/gone.md`.", "references/gone.md"),
        ("For C, read `references/C.md`.", "references/C.md"),
        ("Lee `references/gone.md` para ver ejemplos.", "references/gone.md"),
        ("Run `scripts/x.py`.", "scripts/x.py"),
        ("See `references/gone.md` for more.", "references/gone.md"),
        ("Run `python scripts/gone.py in.pdf > out.txt`.", "scripts/gone.py"),
        ("```bash\npython3 ./scripts/gone.py \\\n  --all\n```", "scripts/gone.py"),
        ("```\nbash scripts/deep/gone.sh\n```", "scripts/deep/gone.sh"),
        ("- **references/gone.md**: all fields", "references/gone.md"),
        ("| `assets/gone.docx` | the form |", "assets/gone.docx"),
        ("参考references/gone.md文件", "references/gone.md"),
        ("node {baseDir}/tools/gone.js", "tools/gone.js"),
        ("Run `<skill-dir>/scripts/gone.py`.", "scripts/gone.py"),
        ("Run `<SKILL_DIR>/scripts/gone.py`.", "scripts/gone.py"),
        ("node ${CLAUDE_SKILL_DIR}/tools/gone.js", "tools/gone.js"),
        ("bash ~/.claude/skills/pdf-tools/run/gone.sh", "run/gone.sh"),
        ("Generate it with `python scripts/gone.py`.", "scripts/gone.py"),
        ("The `pdf-tools` skill (`scripts/gone.py`) does it.", "scripts/gone.py"),
        ("Read `skills/pdf-tools/SKILL.md` and `references/gone.md`.", "references/gone.md"),
        ("The list in references/gone.md is available to you.", "references/gone.md"),
        ("When packages are missing, run `python scripts/gone.py`.", "scripts/gone.py"),
        ("Load the `forms` skill first. Then run scripts/gone.py.", "scripts/gone.py"),
        ("Read references/Fill.md, then scripts/fill.py.", "references/Fill.md"),
        ("> Details are in `references/gone.md`.", "references/gone.md"),
        ("- If the form is XFA -> `references/gone.md`", "references/gone.md"),
        ("| Extract text | `scripts/gone.py` |", "scripts/gone.py"),
        ("Look at `references/gone.md` for examples.", "references/gone.md"),
        ("- **New projects**: `references/gone.md`", "references/gone.md"),
        ("bash ${PDF_TOOLS_SKILL_DIR}/run/gone.sh", "run/gone.sh"),
        ("Load the `forms` skill.\nThen run\nscripts/gone.py.", "scripts/gone.py"),
        ("In the `forms` skill:\n\n- a field\n\nRead `references/gone.md`.", "references/gone.md"),
        ("In the drawing skill: `references/gone.md`.", "references/gone.md"),
        ("The mode `fast` and its options are in `references/gone.md`.", "references/gone.md"),
        ("A form may contain hidden fields: see `references/gone.md`.", "references/gone.md"),
        ("```bash\npython scripts/gone.py src/ tests/\n```", "scripts/gone.py"),
        ("```bash\npytest tests/\npython scripts/fill.py\npython scripts/gone.py\n```", "scripts/gone.py"),
        ("```bash\npytest tests/\n```\n\n```bash\npython scripts/gone.py\n```", "scripts/gone.py"),
        ("```bash\npytest tests/\npython {baseDir}/scripts/gone.py\n```", "scripts/gone.py"),
        ("```bash\ncp references/gone.md out.md\n```", "references/gone.md"),
        ("| Key | File |\n|---|---|\n| source | `scripts/gone.py` |", "scripts/gone.py"),
        ("Read `references/gone.md` in the pdf-tools skill.", "references/gone.md"),
        ("Read `references/filename-rules.md`.", "references/filename-rules.md"),
        ("This makes the report:\n\n```\npython scripts/gone.py\n```", "scripts/gone.py"),
        ('```bash\nSKILL_DIR="$(pwd)"\nbash "$SKILL_DIR/run/gone.sh"\n```', "run/gone.sh"),
        ("```bash\ncd ~/.claude/skills/pdf-tools\npython scripts/gone.py\n```", "scripts/gone.py"),
        ("The server's own is `shop/scripts/a.py`. Run `scripts/gone.py`.", "scripts/gone.py"),
    ],
)
def test_a_file_that_the_body_expects_but_that_does_not_exist_is_reported(
    body: str, named: str, tmp_path: Path
) -> None:
    assert missing(lay(tmp_path / "pdf-tools", body)) == [named]


@pytest.mark.together
@pytest.mark.parametrize(
    "body",
    [
        "scripts/fill.py, ./scripts/fill.py, {baseDir}/scripts/fill.py, skills/pdf-tools/scripts/fill.py.",
        "What was found last time is in `~/.claude/skills/pdf-tools/results.json`.",
        "Your key stands in {baseDir}/.env and {baseDir}/config.yaml.",
        "For example, `references/gone.md` could hold it.",
        "Such files (e.g. scripts/gone.py) stay.",
        "例如 references/gone.md",
        "将结果导出到 assets/gone.csv，并更新 references/gone.md。",
        "若有 references/gone.md，先读它。",
        "If `references/gone.md` exists, read it first.",
        "Read references/gone.md first, where it exists.",
        "When scripts/gone.py is missing, go on without.",
        "`references/gone.md` doesn't exist in older versions.",
        "もし references/gone.md があれば読む。",
        "All fields: `references/gone.md` (coming soon).",
        "Read `.agents/skills/forms/SKILL.md` and `references/gone.md`.",
        "Check it with the `forms` skill (`scripts/gone.py`), or **forms** Claude skill: scripts/gone.py.",
        "Write the result to `assets/gone.png`.",
        "Preserve the source in `references/gone.md`.",
        "- `references/report-YYYY-MM-DD.md`",
        "Save `references/gone.md`; later, read references/gone.md again.",
        "If it exists, read references/gone.md.",
        "<!-- made by scripts/gone.js -->",
        "[the page](references/gone.md)",
        '```json\n{"run": "scripts/gone.sh"}\n```',
        "Use the `pdf` skill's\n`references/gone.md`.",
        "`src/scripts/gone.py` and other-skill:scripts/gone.py",
        "See https://example.com/references/gone.md and ../references/gone.md",
        "references/*.md, scripts/<name>.py, scripts/{name}.py, scripts/",
        "Call scripts/my_script.py or scripts/script_name.py or scripts/script.py.",
        "Read `references/filename.md`, the one of the list above that fits.",
        "SKILL.md " * 5 + "and references/gone.md",
        "Do not use `uv run scripts/gone.py` to prepare it.",
        "All of it: `references/gone.md` (in `docs/more/`), part 2.",
        "- `../forms/SKILL.md` has the shapes. Its `references/gone.md` has their fields.",
        '```sh\nV_DIR=$(ls -d ~/.claude/plugins/video/skills/watch)\npython "$V_DIR/scripts/gone.py"\n```',
        "### Check the text (Planned)\n\n```sh\n# NOT YET IMPLEMENTED\npython scripts/gone.py\n```",
        "`scripts/gone.py` stands in the repository root",
        "`python scripts/fill.py > references/gone.md`",
        "Write a new `references/gone.md`.",
        "Run `scripts/gone.sh` in the target project.",
        "`git clone https://example.com/b && cd b && python scripts/gone.py`",
        "In your project: `git bisect run ./scripts/gone.sh`",
        "Do not read `references/gone.md` (it does not exist).",
        "The stylesheet is `assets/gone.css`.",
        "See [the guide][g].\n\n[g]: references/gone.md",
        "Choices are in `.acme-skills/pdf-tools/EXTEND.md` and `~/.acme-skills/pdf-tools/scripts/a.sh`.",
        "`${FORMS_SKILL_DIR}/scripts/gone.py` $FORMS_SKILL_DIR/run/gone.ts FORMS_SKILL_ROOT/run/gone.ts",
        "On my machine: `/home/alice/…/skills/pdf-tools/scripts/gone.sh`.",
        "bash /home/alice/skills/pdf-tools/scripts/gone.sh C:/work/skills/pdf-tools/scripts/gone.sh",
        "In the `forms` skill:\n`references/gone.md`",
        "In the **forms** skill:\n\n- `references/gone.md` has the fields\n- `scripts/gone.py` fills them in",
        "Run this in the `forms` skill:\n\n```bash\npython a.py\npython scripts/gone.py\n```",
        "The `forms` plugin has all of\nthis in\n`references/gone.md`.",
        "An installation may also contain `references/gone.md`, the full text.",
        "The file references/gone.md may not exist.",
        "Read `references/style.local.md` first.",
        "```bash\n# Test\npython -m pytest tests/ -q\n\n# Train\npython scripts/gone.py --all src/\n```",
        "```\nruff check ./src/\nbash scripts/gone.sh\n```\n\nAfter `scripts/gone.sh` commit.",
        "```bash\ncp templates/form.html references/gone.md\n```",
        "`curl -fsSLo references/gone.md https://example.com/a` and `echo x | tee scripts/gone.py`",
        "Run `curl https://example.com/a > ~/.claude/skills/pdf-tools/notes/gone.md`.",
        "The shapes are in `references/gone.md` in shape-library.",
        "Read `references/gone.md` of the `forms` skill.",
        "This runs in `shop-web`.\n\nAll of it lives in `shop-web`:\n\n| `scripts/gone.py` | sums up |",
        "## Scripts (shop-web repo)\n\n- `scripts/gone.py` sums up",
        "Run `scripts/gone.py` from the\nmigration project root.",
        '- "Count the tokens of references/gone.md"\n- "Fill in the form"',
        "One reader for each part of a typical repository:\n\n- A: `scripts/gone.md` and the rest",
        "The state is in `skills/pdf-tools/.work/`.",
        "```sh\n[ -f scripts/gone.py ] && python scripts/gone.py\n```",
        "```sh\ncat references/gone.json package.json 2>/dev/null | jq .\n```",
        "```sh\nbash scripts/fill.py assets/diagram1.drawio\n```",
        "| Key | Example |\n|---|---|\n| source | `scripts/gone.py` |",
        "The installer creates:\n\n- `references/gone.md`",
        "This merges in:\n- `references/gone.md` (a page)",
        "This adds:\n- `scripts/gone.py` (a migration)",
        '```bash\nHERE_SKILL=1\nSKILL_DIR="$(dirname x)/scripts"\nbash "$SKILL_DIR/fill.py"\n```',
        "### Load what is there (if available)\n\n- `references/gone.md`",
        "If a reference for the form exists, load it:\n- `references/gone.md`",
        "```\nscripts/gone.py:97  load()\n  Return a value.\n```",
        "```sh\nprove run --target scripts/gate.sh --test 'bash tests/gate.sh'\n```",
        "```\nhttps://example.com/skills/pdf-tools/gone.md\n```",
        "More than one skill ships a `scripts/gone.py`, with a store of its own.",
        'If `form.json` says `{"run": "scripts/gone.sh"}`, check it first.',
        "**Replaces:** `references/gone.md` (now shared)",
        "Reads as: read references/X.md for more.",
        "A check is deferred to the next version (`scripts/gone.py`).",
        "If form fields exist (`assets/gone.html`, `references/gone.md`), check them.",
        "If form fields exist (`references/gone.md` or `references/b.md`), check them.",
        "Ejecuta `scripts/gone.py` (cuando exista).",
        "Lies `references/gone.md` (falls vorhanden).",
        "**Planned, not yet there:**\n\n```\nreferences/gone.md  # the fields\nscripts/gone.py\n```",
        "```js\n```\n`import logo from './assets/gone.png'` and `require('assets/gone.html')`",
    ],
)
def test_existing_files_examples_and_results_are_not_reported(body: str, tmp_path: Path) -> None:
    assert missing(lay(tmp_path / "pdf-tools", body)) == []


@pytest.mark.parametrize(
    "body",
    [
        "See `drawing` `references/gone.md` for the rules.",
        "In the drawing skill: `references/gone.md`.",
        "In the drawing skill:\n`references/gone.md`.",
        "- `drawing` — its\n  `references/gone.md` has the shapes.",
    ],
)
def test_a_name_without_quotes_is_an_owner_if_a_skill_has_it(body: str, tmp_path: Path) -> None:
    lay(tmp_path / "skills" / "drawing", "Draw.")
    assert missing(lay(tmp_path / "skills" / "pdf-tools", body)) == []


@pytest.mark.parametrize(
    "name", ["skill-creator", "writing-skills", "create-plugin", "example-skill", "plugin"]
)
def test_a_skill_about_skills_names_files_of_others(tmp_path: Path, name: str) -> None:
    assert missing(lay(tmp_path / name, "See references/gone.md.")) == []


@pytest.mark.parametrize("name", ["pdf-fill-skill", "forms_plugin", "git-command"])
def test_a_skill_that_is_only_called_so_is_about_something_else(tmp_path: Path, name: str) -> None:
    assert missing(lay(tmp_path / name, "See references/gone.md.")) == ["references/gone.md"]


@pytest.mark.parametrize(
    "body",
    [
        "Use `python scripts/gone.py`.",
        "Do not wait. Run `scripts/gone.py` now.",
        "It has its `references/gone.md`.",
    ],
)
def test_similar_words_are_not_signs_of_another_place(body: str, tmp_path: Path) -> None:
    assert len(missing(lay(tmp_path / "pdf-tools", body))) == 1


@pytest.mark.parametrize("verb", ["adds the details", "adds the rules of the company"])
def test_a_page_that_adds_something_is_expected(verb: str, tmp_path: Path) -> None:
    body = f"Read the guide, which {verb}:\n\n- `references/gone.md`"
    assert missing(lay(tmp_path / "pdf-tools", body)) == ["references/gone.md"]


def test_a_skill_of_a_project_may_describe_what_another_skill_has(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "plugins/forms/skills/fill/references").mkdir(parents=True)
    (tmp_path / "plugins/forms/skills/fill/references/fields.md").touch()
    body = "The rules are in `references/fields.md` and `references/gone.md`."
    assert severities(lay(tmp_path / ".claude/skills/forms-ops", body)) == [Severity.INFO, None]
    assert severities(lay(tmp_path / "skills/forms-ops", body)) == [None]


def test_all_of_the_repository_is_above(tmp_path: Path) -> None:
    directory = lay(tmp_path / "a" / "b" / "c" / "d" / "e" / "pdf-tools", "Run `python scripts/shared.py`.")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "shared.py").touch()
    assert missing(directory) == ["scripts/shared.py"]
    (tmp_path / ".git").mkdir()
    assert missing(directory) == []


def test_nothing_is_above_a_skill_that_is_a_repository(tmp_path: Path) -> None:
    directory = lay(tmp_path / "pdf-tools", "Run `python scripts/shared.py`.")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "shared.py").touch()
    assert missing(directory) == []
    (directory / ".git").mkdir()
    assert missing(directory) == ["scripts/shared.py"]


def test_what_lies_in_a_directory_above_is_a_plugins(tmp_path: Path) -> None:
    directory = lay(tmp_path / "plugin" / "skills" / "pdf-tools", "Run `python scripts/shared.py`.")
    assert missing(directory) == ["scripts/shared.py"]
    (tmp_path / "plugin" / "scripts").mkdir()
    (tmp_path / "plugin" / "scripts" / "shared.py").touch()
    assert missing(directory) == []


def test_without_directories_of_its_own_scripts_may_be_the_projects(tmp_path: Path) -> None:
    directory = lay(tmp_path / "pdf-tools", "Run `scripts/gone.sh`, and see references/gone.md.")
    (directory / "scripts" / "fill.py").unlink()
    (directory / "scripts").rmdir()
    assert missing(directory) == ["scripts/gone.sh", "references/gone.md"]
    assert severities(directory) == [Severity.INFO, None]


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("The gate is `shop/scripts/lint.py`. `scripts/gone.py` fails today.", []),
        ("The gates are `shop/scripts/check_*.py`. Run `bash scripts/gone.sh`.", []),
        ("Use `{baseDir}/scripts/gone.py`; the shop has `shop/scripts/lint.py`.", ["scripts/gone.py"]),
        ("See pdf-tools/scripts/fill.py. Run `python scripts/gone.py`.", ["scripts/gone.py"]),
        ("See ../shop/scripts/lint.py. Run `python scripts/gone.py`.", ["scripts/gone.py"]),
        ("See https://a.test/shop/scripts/lint.py. Run `python scripts/gone.py`.", ["scripts/gone.py"]),
        ("The `forms` skill has forms/scripts/fill.py. Run `python scripts/gone.py`.", ["scripts/gone.py"]),
        ("See shop/scripts/lint.py and references/gone.md.", ["references/gone.md"]),
    ],
)
def test_the_scripts_of_another_directory_are_not_the_skills(
    body: str, names: list[str], tmp_path: Path
) -> None:
    directory = lay(tmp_path / "skills" / "pdf-tools", body)
    (directory / "scripts").rename(directory / "references")
    lay(tmp_path / "skills" / "forms", "Fill in.")
    assert missing(directory) == names


def test_a_file_for_projects_to_copy_is_only_a_note(tmp_path: Path) -> None:
    directory = lay(tmp_path / "pdf-tools", "Then `scripts/index.sh` is run, and scripts/gone.py.")
    (directory / "assets" / "scripts").mkdir(parents=True)
    (directory / "assets" / "scripts" / "index.sh").touch()
    assert severities(directory) == [Severity.INFO, None]


def test_several_files_in_a_directory_that_is_missing_are_one_finding(tmp_path: Path) -> None:
    body = "Read `references/a.md`, `references/b.md` and `references/c.md`, and run scripts/gone.py."
    directory = lay(tmp_path / "pdf-tools", body)
    found = missing_file_mention.check(load_skill(directory), get("portable"))
    assert [finding.message for finding in found] == [
        "mentioned file `references/a.md` does not exist (and 2 more in that directory)",
        "mentioned file `scripts/gone.py` does not exist",
    ]
    for names, told in (("abc", 3), ("abcd", 1)):
        body = " and ".join(f"`references/{name}.md`" for name in names)
        directory = lay(tmp_path / names, f"Read {body}.")
        (directory / "references").mkdir()
        found = missing_file_mention.check(load_skill(directory), get("portable"))
        assert len([*found]) == told


def test_files_in_several_directories_that_are_missing_are_one_finding(tmp_path: Path) -> None:
    directory = lay(
        tmp_path / "pdf-tools", "Read `references/go/a.md`, `references/c.md` or `references/js/b.md`."
    )
    (directory / "references").mkdir()
    found = missing_file_mention.check(load_skill(directory), get("portable"))
    assert [finding.message for finding in found] == [
        "mentioned file `references/go/a.md` does not exist (and 1 more in directories that do not exist)",
        "mentioned file `references/c.md` does not exist",
    ]


def test_the_name_of_a_skill_beside_this_one_before_a_path_says_whose_it_is(tmp_path: Path) -> None:
    body = "The list is in forms `references/gone.md`, and all `references/other.md` is ours."
    directory = lay(tmp_path / "skills" / "pdf-tools", body)
    (directory / "references").mkdir()
    assert missing(directory) == ["references/gone.md", "references/other.md"]
    lay(tmp_path / "skills" / "forms", "Fill in.")
    assert missing(lay(tmp_path / "skills" / "pdf-fill", body)) == ["references/other.md"]


def test_the_name_of_a_skill_before_an_arrow_says_whose_a_path_is(tmp_path: Path) -> None:
    lay(tmp_path / "skills" / "forms", "Fill in.")
    body = "| `forms` \u2192 `references/gone.md` | `other` -> `references/more.md` |"
    assert missing(lay(tmp_path / "skills" / "pdf-fill", body)) == ["references/more.md"]


def test_a_skill_named_in_the_paragraph_has_the_file_also_in_another_plugin(repo: Path) -> None:
    (lay(repo / "office/skills/forms", "Fill in.") / "references").mkdir()
    (repo / "office/skills/forms/references/limits.md").write_text("# Limits\n", "utf-8")
    body = (
        "See `office:forms`\n(limits \u2192 `references/limits.md`) first.\n\n- `forms` \u2014 once it is\n"
        "  filled in, read `references/limits.md` and `references/gone.md`."
    )
    assert missing(lay(repo / "web/skills/pdf-fill", body)) == ["references/gone.md"]
    body = "See `forms` first.\n\nThen read `references/limits.md`."
    assert missing(lay(repo / "web/skills/pdf-read", body)) == ["references/limits.md"]


@pytest.mark.parametrize(
    "body",
    [
        "| rules | (forms)references/gone.md |",
        "For the rest see `swift-forms-skill` (`references/gone.md`).",
        "- `swift-forms` (community) - the fields\n  (`references/gone.md`, `references/more.md`)",
        "Use the project-local validators:\n\n```sh\n./scripts/gone.sh\n```",
        "Run `scripts/check.sh` and `scripts/list.py`.",
    ],
)
def test_files_of_skills_and_projects_of_others_and_of_dotfiles(tmp_path: Path, body: str) -> None:
    directory = lay(tmp_path / "pdf-tools", body)
    (directory / "scripts/executable_check.sh").touch()
    (directory / "scripts/private_list.py").touch()
    assert missing(directory) == []


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("| `references/check.md` | `shared/references/check.md` |", []),
        ("| `references/check.md` | `other/references/check.md` |", ["references/check.md"]),
        ("```\nFEATURES.md (the whole)\n\u251c\u2500\u2500 references/FEATURES.md (a part)\n```", []),
        ("```\npdf-tools/\n\u2514\u2500\u2500 references/part.md (a part)\n```", ["references/part.md"]),
        ("- `plan.md`, `spec.md`, `design.md`, `references/imported.md`", []),
        ("- `plan.md`, `spec.md`, `references/imported.md`", ["references/imported.md"]),
        ("- `SKILL.md`, `plan.md`, `spec.md`, `references/imported.md`", ["references/imported.md"]),
    ],
)
def test_a_path_of_another_directory_is_not_the_skills(tmp_path: Path, body: str, named: list[str]) -> None:
    (tmp_path / "shared/references").mkdir(parents=True)
    (tmp_path / "shared/references/check.md").touch()
    directory = lay(tmp_path / "pdf-tools", body)
    (directory / "references").mkdir()
    assert missing(directory) == named


@pytest.mark.parametrize(
    ("language", "named"), [("typescript", []), ("sh", ["scripts/send.ts"]), ("", ["scripts/send.ts"])]
)
def test_the_text_of_a_script_is_given_below_its_name(
    tmp_path: Path, language: str, named: list[str]
) -> None:
    body = (
        "```sh\nnpx hardhat run scripts/send.ts\n```\n\n"
        f"The script (`scripts/send.ts`):\n\n```{language}\nimport x;\n```"
    )
    assert missing(lay(tmp_path / "pdf-tools", body)) == named


@pytest.mark.parametrize(
    "body",
    [
        "Expected output of `python scripts/gone.py`:\n\n```json\n{}\n```",
        "Expected output of `python scripts/gone.py`:\n\n```python\n1\n```",
        "Fill in with `scripts/gone.py`:\n\n```json\n{}\n```",
    ],
)
def test_what_a_script_prints_is_not_its_text(tmp_path: Path, body: str) -> None:
    assert missing(lay(tmp_path / "pdf-tools", body)) == ["scripts/gone.py"]


def test_a_file_that_git_ignores_is_made_by_a_program(tmp_path: Path) -> None:
    body = "Read references/cache/pdf.md and references/gone.md."
    directory = lay(tmp_path / "skills" / "pdf-tools", body)
    (tmp_path / ".git").mkdir()
    (directory / "references").mkdir()
    assert missing(directory) == ["references/cache/pdf.md", "references/gone.md"]
    (directory / ".gitignore").write_text("# made by fetch.sh\nreferences/cache/\n", "utf-8")
    assert missing(directory) == ["references/gone.md"]
    (directory / ".gitignore").unlink()
    (tmp_path / ".gitignore").write_text("/references/cache/\n", "utf-8")  # beside the repository's skills
    assert missing(directory) == ["references/gone.md"]
    (tmp_path / ".gitignore").unlink()
    (tmp_path / "references").mkdir()
    (tmp_path / "references/.gitignore").write_text("gone.md\n", "utf-8")
    assert missing(directory) == ["references/cache/pdf.md"]


def test_a_skill_with_tests_of_its_own_runs_them_itself(tmp_path: Path) -> None:
    directory = lay(tmp_path / "pdf-tools", "```bash\npytest tests/\npython scripts/gone.py\n```")
    assert missing(directory) == []
    (directory / "tests").mkdir()
    (directory / "tests" / "test_fill.py").touch()
    assert missing(directory) == ["scripts/gone.py"]


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("```\npython scripts/gone.py\n```", Severity.INFO),
        ("Run `python scripts/gone.py`.", None),
        ("Run `npm run smoke` or `./scripts/gone.sh`.", Severity.INFO),
        ("A job:\n\n```bash\n- name: Smoke\n  run: bash scripts/gone.sh\n```", Severity.INFO),
        ("Run `fill` or `scripts/gone.sh`.", None),
        ("Read `fields for forms` or `references/gone.md`.", None),
        ("```\npython {baseDir}/scripts/gone.py\n```", None),
        ("```\ncat references/gone.md\n```", None),
        ("```\npython scripts/gone.py\n```\n\nThe script is `scripts/gone.py`.", None),
    ],
)
def test_without_scripts_commands_may_be_those_of_a_repository(
    body: str, severity: Severity | None, tmp_path: Path
) -> None:
    directory = lay(tmp_path / "pdf-tools", body)
    (directory / "scripts").rename(directory / "references")
    assert severities(directory) == [severity]


@pytest.mark.parametrize(
    ("top", "project", "severity"),
    [
        (".claude/skills", "scripts", None),
        (".claude/skills", "src", Severity.INFO),
        ("skills", "src", None),
    ],
)
def test_a_project_without_scripts_may_mean_those_of_another(
    top: str, project: str, severity: Severity | None, repo: Path
) -> None:
    (repo / project).mkdir()
    directory = lay(repo / top / "pdf-tools", "Compare it with `scripts/gone.py`.")
    (directory / "scripts").rename(directory / "references")
    assert severities(directory) == [severity]


MISSING = "correct the path, add the file, or remove the mention"


@pytest.mark.parametrize(
    ("named", "advice", "is_fixed"),
    [
        ("references/fill.py", "did you mean `scripts/fill.py`?", True),
        ("scripts/Fill.py", "did you mean `scripts/fill.py`?", True),
        (
            "scripts/draw.py",
            "use `../drawing/scripts/draw.py`, which exists, or copy that file into this skill",
            False,
        ),
        ("references/shapes.md", MISSING, False),
        ("scripts/filled.sh", MISSING, False),
    ],
)
def test_the_help_says_where_the_file_is(named: str, advice: str, is_fixed: bool, tmp_path: Path) -> None:
    other = lay(tmp_path / "skills" / "drawing", "Draw.")
    (other / "scripts" / "draw.py").touch()
    (other / "references").mkdir()
    (other / "references" / "shapes.md").touch()
    skill = load_skill(lay(tmp_path / "skills" / "pdf-tools", f"Read `{named}`."))
    (finding,) = missing_file_mention.check(skill, get("portable"))
    assert (finding.help, finding.fix is not None) == (advice, is_fixed)


@pytest.mark.parametrize(
    ("named", "others", "place"),
    [
        ("fill.md", ["shared/fill.md"], "../../shared/fill.md"),
        ("fill.md", ["shared/fill.md", "docs/fill.md"], ""),
        ("fill.md", [], ""),
        ("fill.md", ["skills/drawing/shared/fill.md"], "../drawing/shared/fill.md"),
        ("fill.md", ["skills/drawing/shared/fill.md", "shared/fill.md"], ""),
        (f"{'a' * 70}.md", [f"shared/{'a' * 70}.md"], f"../../shared/{'a' * 70}.md"),
        ("README.md", ["shared/README.md"], ""),
    ],
)
def test_the_help_says_where_the_only_file_of_the_name_is(
    repo: Path, named: str, others: list[str], place: str
) -> None:
    lay(repo / "skills" / "drawing", "Draw.")
    for other in others:
        (repo / other).parent.mkdir(exist_ok=True)
        (repo / other).touch()
    skill = load_skill(lay(repo / "skills" / "pdf-tools", f"Read `references/{named}`."))
    (finding,) = missing_file_mention.check(skill, get("portable"))
    where = ", in the skill `drawing`" if "drawing" in place else ""
    more = f" (a file of this name is `{place}`{where})" if place else ""
    assert finding.help == f"{MISSING}{more}"


def test_each_file_is_reported_once(tmp_path: Path) -> None:
    assert (
        len(missing(lay(tmp_path / "pdf-tools", "See references/gone.md.\n\nRead references/gone.md."))) == 1
    )


def test_a_skill_about_skills_names_its_own_files_by_its_name(tmp_path: Path) -> None:
    body = "Run `bash ~/.claude/skills/skill-tools/scripts/gone.sh`; see scripts/a.sh, {baseDir}/run/b.sh."
    assert missing(lay(tmp_path / "skill-tools", body)) == ["scripts/gone.sh"]


def test_every_mark_of_the_skills_own_directory_has_a_hint_in_it() -> None:
    missed = [name for name in DIRECTORY_VARIABLES if not any(hint in name for hint in VARIABLE_HINTS)]
    assert missed == []


@pytest.mark.parametrize("rest", ["{a,b}", "<n>", "$name", "[1]", "(old)", "%d", "…"])
def test_a_path_that_goes_on_is_a_pattern_for_several_files(rest: str, tmp_path: Path) -> None:
    body = "Run `scripts/gone.py%s`, then read references/gone%s first."
    assert missing(lay(tmp_path / "pdf", body % (rest, rest))) == []
    assert missing(lay(tmp_path / "txt", body % ("", ""))) == ["scripts/gone.py"]


@pytest.mark.parametrize(
    ("body", "top", "named"),
    [
        ("See `~/.claude/skills/pdf-tools/SETUP.md`.", ".claude/skills", []),
        ("See `$HOME/.claude/skills/pdf-tools/setup/a.md`.", ".claude/skills", []),
        ("See `~/.claude/skills/pdf-tools/SETUP.md`.", "skills", ["SETUP.md"]),
        ("See `~/.claude/skills/pdf-tools/scripts/gone.md`.", ".claude/skills", ["scripts/gone.md"]),
        ("See `.claude/skills/pdf-tools/SETUP.md`.", ".claude/skills", ["SETUP.md"]),
        ("Run `sh ~/.claude/skills/pdf-tools/setup.sh`.", ".claude/skills", ["setup.sh"]),
        ("```\nsh ~/.claude/skills/pdf-tools/setup.sh\n```", ".claude/skills", ["setup.sh"]),
    ],
)
def test_a_place_in_the_home_directory_is_not_in_the_project(
    repo: Path, body: str, top: str, named: list[str]
) -> None:
    assert missing(lay(repo / top / "pdf-tools", body)) == named


@pytest.mark.parametrize(
    ("block", "is_found"),
    [
        ("#!/bin/bash\n# scripts/gone.sh\n\nls", False),
        ("# scripts/gone.sh\nset -e\ncd /tmp\nls", False),
        ("# scripts/gone.sh\nls", True),
        ("#!/bin/bash\n# scripts/gone.sh", True),
        ("#!/bin/bash\n# run scripts/gone.sh\nls", True),
        ("#!/bin/bash\nls\n# scripts/gone.sh\nls\nls\nls", True),
        ("#!/bin/bash\nscripts/gone.sh\nls", True),
    ],
)
def test_a_path_over_the_text_of_a_script_is_its_title(tmp_path: Path, block: str, is_found: bool) -> None:
    body = f"Check it:\n\n```bash\n{block}\n```\n\n```bash\nls\nls\nls\n```"
    assert missing(lay(tmp_path / "pdf-tools", body)) == ["scripts/gone.sh"] * is_found


def test_what_a_title_names_may_be_expected_elsewhere(tmp_path: Path) -> None:
    body = "Run `scripts/gone.sh`:\n\n```bash\n#!/bin/bash\n# scripts/gone.sh\nls\n```"
    skill = load_skill(lay(tmp_path / "pdf-tools", body))
    (finding,) = missing_file_mention.check(skill, get("portable"))
    assert skill.source.text[: finding.span.start].endswith("Run `")


def test_a_file_of_another_skill_of_the_name_is_there(repo: Path) -> None:
    other = repo / ".agents" / "skills" / "pdf-tools" / "setup"
    other.mkdir(parents=True)
    (other / "page.md").write_text("Text.\n", "utf-8")
    body = "Read `.agents/skills/pdf-tools/setup/page.md`, then `.agents/skills/pdf-tools/setup/gone.md`."
    assert missing(lay(repo / "addons" / "skills" / "pdf-tools", body)) == ["setup/gone.md"]


@pytest.mark.parametrize(
    ("body", "top", "is_found"),
    [
        ("Require `assets/fill_form.json`.", ".claude/skills", False),
        ("Run `bash assets/fill_form.json`.", ".claude/skills", True),
        ("Require `assets/other_form.json`.", ".claude/skills", True),
        ("Require `scripts/fill_form.json`.", ".claude/skills", True),
        ("Require `assets/fill_form.json`.", "skills", True),
    ],
)
def test_a_skill_of_a_project_may_name_a_file_of_its_repository(
    tmp_path: Path, body: str, top: str, is_found: bool
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "packages" / "forms" / "assets").mkdir(parents=True)
    (tmp_path / "packages" / "forms" / "assets" / "fill_form.json").write_text("{}", "utf-8")
    assert bool(missing(lay(tmp_path / top / "pdf-tools", body))) is is_found

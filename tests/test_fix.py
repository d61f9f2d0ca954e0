"""Fixes are trusted only as far as they are checked: what is written parses, and reads the same.

Each line of `tests/fixes/frontmatter.jsonl` is a text that is no YAML, what a repair makes of it (null: it
has several readings, or none), and whether the repair is safe.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import settings as tried
from hypothesis import strategies as st

from skilltool import fix, mend, settings
from skilltool.config import Config
from skilltool.diagnostic import Edit, Fix, applied
from skilltool.frontmatter.quoting import quoted, quoted_if_needed
from skilltool.frontmatter.scalars import core_value, yaml11_value
from skilltool.rules.yaml_repairs import glued_fence, repair
from skilltool.runtimes.readings import objection, readings
from skilltool.skill import Skill
from skilltool.source import Source
from tests.conftest import Skilltool

HERE = Path(__file__).parent
LINES = (HERE / "fixes" / "frontmatter.jsonl").read_text("utf-8").split("\n")
REPAIRS = [json.loads(line) for line in LINES if line]
EVERYTHING = settings.resolve(Config(), {"runtimes": ["agentskills", "portable", "kodelet"]})
HEAD = "---\nname: a\ndescription: Fills in forms. Use when asked.\n"


def skill_of(text: str) -> Skill:
    return Skill("a", "SKILL.md", Source(text))


def write(directory: Path, text: str, name: str = "SKILL.md") -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    return directory / name


@pytest.mark.parametrize("case", REPAIRS, ids=lambda case: repr(case["before"][4:44]))
def test_frontmatter_that_is_no_yaml_is_repaired_where_it_has_one_reading(case: dict[str, object]) -> None:
    before = str(case["before"])
    found = repair(skill_of(before))
    mended = found.fix if found else glued_fence(skill_of(before)) if "---#" in before else None
    if case["after"] is None:
        assert mended is None
        return
    assert mended is not None
    assert (applied(before, mended.edits), mended.safe) == (case["after"], case["safe"])
    assert repair(skill_of(str(case["after"]))) is None


@given(st.text())
def test_quoted_text_is_read_as_that_text(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    assert skill_of(f"---\na: {quoted(text)}\n---\n").frontmatter.data == {"a": text}
    written = quoted_if_needed(text)
    if written == text:
        assert core_value(text) == yaml11_value(text) == text


@given(st.lists(st.builds(Edit, st.integers(0, 8), st.integers(0, 4), st.text(max_size=2)), max_size=6))
def test_edits_that_are_chosen_together_do_not_touch(drawn: list[Edit]) -> None:
    edits = [Edit(edit.start, edit.start + edit.end, edit.text) for edit in drawn]
    chosen = fix.apart(("rule", Fix(True, (edit,))) for edit in edits)
    taken = sorted(edit for _, each in chosen for edit in each.edits)
    assert all(one.end <= other.start and one.start < other.start for one, other in pairwise(taken))
    if edits:
        assert min(edits) in taken
    text = "0123456789abc"
    kept = [text[i] for i in range(len(text)) if not any(e.start <= i < e.end for e in taken)]
    assert "".join(kept) == "".join(c for c in applied(text, [Edit(e.start, e.end, "") for e in taken]))


FIELDS = st.sampled_from(
    [
        *("name: a", "name: 12", 'name: "a"', "name: A_b", "description: Use when: x", "description: yes"),
        *("description: d", "description: |\n  one\n  two", "description: **x** y", "description: d"),
        *("allowed-tools: [Read, Bash]", "allowed-tools:\n  - Read", "allowed-tools: Read, Bash(a, b)"),
        *("metadata:\n  version: 1.0", "metadata: {a: 1}", "author: me", "version: 1.0", "on: true"),
        *("# note", "", 'x: "a" b', "x: [a] b", "stray words", 'y: "\\ud83d\\ude00"', "\ttab: x"),
    ]
)
DOCUMENTS = st.builds(
    lambda bom, fields, end, body, newline: (
        bom + "\n".join(["---", *fields, end, *body]).replace("\n", newline)
    ),
    st.sampled_from(["", "", "\ufeff", "\n"]),
    st.lists(FIELDS, max_size=7),
    st.sampled_from(["---", "---", "--- ", "---# Title", ""]),
    st.lists(st.sampled_from(["# Title", "text", "", "---", "- a", "```"]), max_size=4),
    st.sampled_from(["\n", "\n", "\r\n", "\r"]),
)


@pytest.mark.parametrize("unsafe", [False, True])
@tried(max_examples=60)
@given(text=DOCUMENTS)
@example(
    text="---\n" + "metadata:\n  version: 1.0\n" * 3 + 'x: "a" b\nname: a\nmetadata:\n  version: 1.0\n---\n'
)
def test_what_is_mended_reads_the_same_and_needs_no_mending(tmp_path: Path, unsafe: bool, text: str) -> None:
    file = write(tmp_path / "a", text)
    before = readings(text, "a")
    mend.apply(mend.plan([tmp_path / "a"], EVERYTHING, unsafe))
    after = file.read_bytes().decode()
    assert objection("a", text, after, safe=not unsafe) is None
    assert set(before) <= set(readings(after, "a"))
    lines = [Counter(skill_of(each).body.splitlines()) for each in (text, after)]
    if not skill_of(text).frontmatter.problems:
        assert lines[0] == lines[1]
    assert not any(change.changes for change in mend.plan([tmp_path / "a"], EVERYTHING, unsafe).changes)


REAL = sorted({file for top in ("goldens", "goldens-public") for file in (HERE / top).rglob("SKILL.md")})


@pytest.mark.parametrize("unsafe", [False, True])
def test_the_fixtures_of_the_goldens_are_mended_without_a_loss(tmp_path: Path, unsafe: bool) -> None:
    for number, file in enumerate(REAL):
        name = file.parent.name
        copy = tmp_path / str(number) / name / "SKILL.md"
        copy.parent.mkdir(parents=True)
        copy.write_bytes(file.read_bytes())
        mend.apply(mend.plan([copy.parent], EVERYTHING, unsafe))
        if copy.read_bytes() != file.read_bytes():
            before, after = (path.read_bytes().decode() for path in (file, copy))
            assert objection(name, before, after, safe=not unsafe) is None, file
        assert not any(change.changes for change in mend.plan([copy.parent], EVERYTHING, unsafe).changes)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (f"{HEAD}---\nx\n", f"{HEAD}---\ny\n", "would read another body"),
        (f"{HEAD}---\nx\n", "---\nname: b\ndescription: d\n---\nx\n", "would read another name"),
        (f"{HEAD}---\nx\n", "x\n", "would no longer load it"),
        ("---\nx: {a: 1}\n---\n", "---\nx: [\n---\n", "it would not be valid YAML"),
    ],
)
def test_a_text_that_must_not_take_the_place_of_another_is_refused(
    before: str, after: str, words: str
) -> None:
    assert words in (objection("a", before, after, safe=True) or "")
    assert objection("a", before, before, safe=True) is None


def test_a_fix_that_would_change_what_a_runtime_reads_is_left_and_said() -> None:
    text = f"{HEAD}---\nx\n"
    at = text.index("Fills")
    edit = Fix(True, (Edit(at, at + 5, "Reads"),))
    refused = fix.mend(skill_of(text), lambda now: [("some-rule", edit)])
    assert refused.text == text
    assert "would read another description" in refused.refused["some-rule"]
    assert fix.mend(skill_of(text), lambda now: [("x", Fix(False, edit.edits))]).text == text
    wanted = [[("x", Fix(False, edit.edits))], []]
    assert "Reads in forms" in fix.mend(skill_of(text), lambda now: wanted.pop(0), unsafe=True).text


def test_a_fix_that_never_ends_is_not_begun() -> None:
    grows = fix.mend(skill_of(HEAD + "---\n"), lambda now: [("x", Fix(True, (Edit(4, 4, "# more\n"),)))])
    assert grows.text == HEAD + "---\n"
    assert grows.refused == {"x": "it does not come to an end"}


def test_safe_fixes_are_applied_and_the_rest_is_reported(skilltool: Skilltool, repo: Path) -> None:
    file = write(repo / "a", f"\ufeff{HEAD}compatibility: 1.0\n---\n\n[x](gone.md)\n")
    run = skilltool("lint", "--fix", "--show-fixes", "--output-format", "concise")
    assert run.returncode == 0
    assert file.read_text("utf-8") == f'{HEAD}compatibility: "1.0"\n---\n\n[x](gone.md)\n'
    assert "skilltool: fixed a/SKILL.md: byte-order-mark (1), wrong-type (1)" in run.stderr
    assert "skilltool: fixed 2 findings in 1 file" in run.stderr
    assert "broken-link" in run.stdout
    assert "byte-order-mark" not in run.stdout
    again = skilltool("lint", "--fix", "--exit-non-zero-on-fix")
    assert (again.returncode, again.stderr) == (0, "")


def test_the_status_tells_of_fixes_where_that_is_asked_for(skilltool: Skilltool, repo: Path) -> None:
    write(repo / "a", f"\ufeff{HEAD}---\n\nText.\n")
    assert skilltool("lint", "--diff").returncode == 1
    assert skilltool("lint", "--fix", "--exit-non-zero-on-fix").returncode == 1
    assert skilltool("lint", "--diff").returncode == 0


def test_a_diff_writes_nothing_and_git_can_apply_it(skilltool: Skilltool, repo: Path) -> None:
    file = write(repo / "a", f"{HEAD}allowed-tools: [Read, Bash]\n---\n\nText without a line end")
    other = write(repo / "b", f"{HEAD.replace('name: a', 'name: b')}---\n\nText.\n", "skill.md")
    before = file.read_bytes()
    diff = skilltool("lint", "--runtime", "agentskills", "--diff")
    assert (diff.returncode, file.read_bytes()) == (1, before)
    patch = repo / "x.patch"
    patch.write_text(diff.stdout, "utf-8", newline="")
    subprocess.run(["git", "init", "-q"], cwd=repo, check=True)
    subprocess.run(["git", "apply", "x.patch"], cwd=repo, check=True)
    assert 'allowed-tools: "Read Bash"' in file.read_text("utf-8")
    assert os.listdir(other.parent) == ["SKILL.md"]
    patch.unlink()
    assert skilltool("lint", "--runtime", "agentskills", "--diff").returncode == 0


def test_what_is_ignored_or_accepted_is_not_mended(skilltool: Skilltool, repo: Path) -> None:
    text = (
        "---\n# skilltool: ignore[wrong-type] a number on purpose\n"
        + HEAD[4:]
        + "compatibility: 1.0\n---\n\nT.\n"
    )
    write(repo / "a", text)
    assert skilltool("lint", "--diff").stdout == ""
    write(repo / "a", f"{HEAD}compatibility: 1.0\n---\n\nT.\n")
    skilltool("baseline")
    assert skilltool("lint", "--diff", "--baseline", "skilltool-baseline.json").stdout == ""
    assert skilltool("lint", "--diff").stdout != ""


def test_modes_and_links_stay(repo: Path) -> None:
    file = write(repo / "a", f"\ufeff{HEAD}---\n")
    file.rename(repo / "a" / "real.md")
    (repo / "a" / "SKILL.md").symlink_to("real.md")
    (repo / "a" / "real.md").chmod(0o640)
    mend.apply(mend.plan([repo / "a"], EVERYTHING))
    assert (repo / "a" / "SKILL.md").is_symlink()
    assert (repo / "a" / "real.md").read_text("utf-8") == f"{HEAD}---\n"
    assert (repo / "a" / "real.md").stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(repo / "a")) == ["SKILL.md", "real.md"]


def test_a_link_out_of_the_skill_and_bytes_that_are_no_text_are_not_touched(repo: Path) -> None:
    outside = write(repo / "elsewhere", f"\ufeff{HEAD}---\n")
    (repo / "a").mkdir()
    (repo / "a" / "SKILL.md").symlink_to(outside)
    (repo / "b").mkdir()
    (repo / "b" / "SKILL.md").write_bytes(b"\xef\xbb\xbf---\nname: b\ndescription: \xff\n---\n")
    planned = mend.plan([repo / "a", repo / "b"], EVERYTHING)
    assert not any(change.changes for change in planned.changes)


def test_a_file_that_changes_meanwhile_is_not_overwritten(repo: Path) -> None:
    file = write(repo / "a", f"\ufeff{HEAD}---\n")
    planned = mend.plan([repo / "a"], EVERYTHING)
    file.write_text("something else", "utf-8")
    done = mend.apply(planned)
    assert file.read_text("utf-8") == "something else"
    assert "changed in the meantime" in done.problems[0]


def test_unsafe_fixes_need_to_be_asked_for(skilltool: Skilltool, repo: Path) -> None:
    text = (
        "---\nname: PDF_Tools\ndescription: |\n  Fills in forms.\n  Use when asked.\nauthor: me\n---\n\nT.\n"
    )
    file = write(repo / "pdf-tools", text)
    skilltool("lint", "--runtime", "agentskills", "--fix")
    assert file.read_text("utf-8") == text
    skilltool("lint", "--runtime", "agentskills", "--fix", "--unsafe-fixes")
    assert file.read_text("utf-8") == (
        '---\nname: pdf-tools\ndescription: "Fills in forms. Use when asked."\n'
        "metadata:\n  author: me\n---\n\nT.\n"
    )


@pytest.mark.parametrize("source", ["directory", "frontmatter"])
def test_a_name_and_a_directory_are_made_the_same(skilltool: Skilltool, repo: Path, source: str) -> None:
    write(repo / "skills/forms", HEAD.replace("name: a", "name: pdf-tools") + "---\n\nText.\n")
    (repo / "skilltool.toml").write_text(f'name-source = "{source}"\n', "utf-8")
    run = skilltool("lint", "skills/forms", "--fix", "--unsafe-fixes")
    assert (run.returncode, run.stdout) == (0, "1 skill checked, no findings\n")
    name = "forms" if source == "directory" else "pdf-tools"
    assert os.listdir(repo / "skills") == [name]
    assert f"name: {name}" in (repo / "skills" / name / "SKILL.md").read_text("utf-8")


def test_a_directory_is_not_renamed_over_another(skilltool: Skilltool, repo: Path) -> None:
    write(repo / "skills/forms", HEAD.replace("name: a", "name: pdf-tools") + "---\n\nText.\n")
    (repo / "skills/pdf-tools").mkdir()
    (repo / "skilltool.toml").write_text('name-source = "frontmatter"\n', "utf-8")
    run = skilltool("lint", "--fix", "--unsafe-fixes")
    assert run.returncode == 2
    assert "`pdf-tools` is there already; the file is as it was" in run.stderr
    assert sorted(os.listdir(repo / "skills")) == ["forms", "pdf-tools"]


@pytest.mark.usefixtures("enforced_permissions")
def test_a_directory_that_cannot_be_written_is_said_and_hides_no_other(
    skilltool: Skilltool, repo: Path
) -> None:
    closed = write(repo / "a", f"\ufeff{HEAD}---\n\nT.\n")
    other = write(repo / "b", f"\ufeff{HEAD.replace('name: a', 'name: b')}---\n\nT.\n")
    closed.parent.chmod(0o500)
    run = skilltool("lint", "--fix")
    closed.parent.chmod(0o700)
    assert run.returncode == 2
    assert "a/SKILL.md: Permission denied; the file is as it was" in run.stderr
    assert not other.read_text("utf-8").startswith("\ufeff")


def test_a_run_that_is_killed_leaves_each_file_old_or_new(repo: Path) -> None:
    old, new = f"\ufeff{HEAD}---\n\nText.\n", f"{HEAD}---\n\nText.\n"
    random.seed(7)
    for _ in range(3):
        files = [write(repo / f"s{number:03}", old) for number in range(120)]
        run = subprocess.Popen(
            [sys.executable, "-m", "skilltool", "lint", "--fix", "--select", "byte-order-mark", "."],
            cwd=repo,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(random.uniform(0.2, 0.9))
        run.send_signal(signal.SIGKILL)
        run.wait()
        assert {file.read_text("utf-8") for file in files} <= {old, new}

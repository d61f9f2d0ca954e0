"""One file: it holds every page, each text once, and a policy that allows one script and one style."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import zlib
from pathlib import Path

import pytest

from tests.conftest import MakeSkill, Skilltool
from tests.preview.browsing import ATTACK, exact, harmful, hostile, together

ATTACK_PATH = "<b>gone</b>"
STORED = re.compile(r'<script type="text/plain" id="packed-([^"]*)">([^<]*)</script>')


def stored(document: str) -> dict[str, str]:
    """Return the HTML in an export, by name: `rows`, `manuals`, and of each skill and client a page."""
    found = {
        name: zlib.decompress(base64.b64decode(packed)).decode() for name, packed in STORED.findall(document)
    }
    if not found:
        return found  # another file
    markup, texts = found.pop("markup").split("\n"), found["texts"].split("\n")
    for name, runs in json.loads(found.pop("pages")).items():
        page = together(runs, markup)
        found[name] = re.sub(r'data-lines="([^"]*)">', lambda match: f">{together(match[1], texts)}", page)
    found["rows"] = "".join(row["html"] for row in json.loads(found["rows"]))
    found["manuals"] = "".join(json.loads(found["manuals"]).values())
    return found


def pages(document: str) -> dict[str, str]:
    return {name: text for name, text in stored(document).items() if name.startswith("skill=")}


def exported(skilltool: Skilltool, repo: Path, *arguments: str) -> str:
    run = skilltool("preview", "--export", "out.html", *arguments)
    assert run.returncode == 0, run.stderr
    return (repo / "out.html").read_text("utf-8")


@pytest.mark.slow
def test_the_policy_allows_exactly_what_the_file_holds(skilltool: Skilltool, repo: Path) -> None:
    hostile(repo)
    document = exported(skilltool, repo)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', document)
    for kind, found in [
        ("script", re.findall(r'<script type="module">(.*?)</script>', document, re.DOTALL)),
        ("style", re.findall(r"<style>(.*?)</style>", document, re.DOTALL)),
    ]:
        (text,) = found
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src &#39;sha256-{digest}&#39;" in policy
    assert policy.startswith("default-src &#39;none&#39;")
    assert not re.search(r"^(?:import|export) ", document, re.MULTILINE)
    assert "http://" not in document.replace("http://127.0.0.1:1/leak", "")


@pytest.mark.slow
def test_a_hostile_skill_is_escaped_in_the_file(skilltool: Skilltool, repo: Path) -> None:
    hostile(repo)
    document = exported(skilltool, repo)
    for text in [document, *stored(document).values()]:
        assert ATTACK not in text
        assert set(harmful(STORED.sub("", text))) <= {"style None", "script module"}
    assert document.count("<script") == 1 + len(STORED.findall(document))


@pytest.mark.slow
def test_a_page_has_each_line_once_and_the_results_of_the_arguments(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    body = "\n# A line of its own\n\nDo $ARGUMENTS.\n"
    text = f"---\nname: pdf\ndescription: Fills in forms. Use when asked.\n---\n{body}"
    make_skill(repo / ".claude/skills/pdf", text)
    document = exported(skilltool, repo, "--runtime", "claude-code,kodelet", "--args", "this <thing>")
    (page,) = pages(document).values()
    results = [exact(text) for text in re.findall(r'id="result-.*?<pre[^>]*>(.*?)</pre>', page, re.DOTALL)]
    assert [("# A line of its own\n" in text, "Do this <thing>." in text) for text in results] == [
        (True, True)
    ]
    (packed,) = (packed for name, packed in STORED.findall(document) if name == "texts")
    lines = zlib.decompress(base64.b64decode(packed)).decode().split("\n")
    long = [line for line in lines if len(line) > 40]
    assert len(long) == len(set(long)) > 0
    assert re.search(r'<input name="args"[^>]* disabled', page)
    assert "A file cannot" not in page


@pytest.mark.slow
def test_it_needs_neither_a_server_nor_its_packages(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "skills/pdf")
    hidden = repo.parent / "hidden"
    for name in ("starlette", "uvicorn"):
        (hidden / name).mkdir(parents=True)
        (hidden / name / "__init__.py").write_text(f"raise ModuleNotFoundError('no', name='{name}')", "utf-8")
    path = os.pathsep.join([str(hidden), str(Path(__file__).parents[2])])
    assert skilltool("preview", "--export", "out.html", PYTHONPATH=path).returncode == 0
    run = skilltool("preview", "--no-open", PYTHONPATH=path)
    assert run.returncode == 2
    assert "the preview needs uvicorn; install it with: pip install 'skilltool[preview]'" in run.stderr
    missing = "raise ModuleNotFoundError('no', name='skilltool.preview.gone')"
    (hidden / "uvicorn" / "__init__.py").write_text(missing, "utf-8")
    run = skilltool("preview", "--no-open", PYTHONPATH=path)
    assert ("internal error" in run.stderr, "install it with" in run.stderr) == (True, False)


@pytest.mark.slow
def test_the_overview_lists_what_is_wrong_with_the_manifests_of_packages(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "plugin" / "skills" / "pdf")
    manifest = repo / "plugin" / ".claude-plugin" / "plugin.json"
    manifest.parent.mkdir()
    manifest.write_text(f'{{"name": "forms", "skills": ["./{ATTACK_PATH}"]}}', "utf-8")
    document = exported(skilltool, repo)
    _, _, section = document.partition('<h2 id="manifests">')
    found = section.partition("</section>")[0]
    assert "plugin/.claude-plugin/plugin.json:1" in found
    assert "dangling-skill-path" in found
    assert "<b>gone" not in document
    manifest.write_text('{"name": "forms"}', "utf-8")
    assert "manifests" not in exported(skilltool, repo)


def test_a_client_that_lint_was_not_asked_about_is_quoted_with_field_and_line(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    head = "---\nname: forms\ndescription: Fills in forms.\nmetadata:\n  tags: [pdf]\n---\n"
    make_skill(repo / "skills" / "forms", f"{head}\nRead the fields.\n")
    document = exported(skilltool, repo)
    (page,) = pages(document).values()
    (why,) = re.findall(r"<strong>rejected</strong>.*?<details", page, re.DOTALL)
    assert "by crush: metadata is not a mapping of strings (line 4)" in " ".join(exact(why).split())
    assert "crush: metadata" in stored(document)["rows"]


def test_a_page_about_one_skill_counts_no_others(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    for number in range(3):
        make_skill(repo / ".claude" / "skills" / f"forms-{number}", "# Forms\n\nRead the fields.\n")
    document = exported(skilltool, repo, "--runtime", "claude-code")
    texts = pages(document).values()
    assert all("file has no frontmatter" in page for page in texts)
    assert not any("like this" in page for page in texts)


def test_a_link_to_a_skill_is_no_copy_of_it(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(
        repo / ".agents" / "skills" / "forms", "---\nname: forms\ndescription: Fills in.\n---\n\nRead.\n"
    )
    (repo / ".github" / "skills").mkdir(parents=True)
    (repo / ".github" / "skills" / "forms").symlink_to("../../.agents/skills/forms")
    texts = stored(exported(skilltool, repo, "--runtime", "copilot"))
    (listing,) = (text for name, text in texts.items() if name.startswith("listing="))
    assert "wins over" not in listing


def test_a_skill_whose_fields_are_lost_is_not_shown_as_loaded_whole(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    head = "---\nname: forms\ndescription: 'Fills in forms.'\nargument-hint: '[x]'\n  tools: [a]\n---\n"
    make_skill(repo / ".claude" / "skills" / "forms", f"{head}\nRead the fields.\n")
    document = exported(skilltool, repo, "--runtime", "claude-code")
    (page,) = pages(document).values()
    (why,) = re.findall(r"<strong>without its fields</strong>.*?</li>", page, re.DOTALL)
    assert "reads no fields of the frontmatter (line 5)" in " ".join(exact(why).split())

"""Every view in Chromium: what people see, what hostile skills try, and that nothing leaves the machine.

Runs where CI is set and both Chromium and Playwright are installed, as in `.ci/run --full`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Skilltool, slow
from tests.preview.browsing import Preview, exact, hostile
from tests.preview.test_pages import skill

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
AXE = os.environ.get("AXE")  # the path of axe-core's axe.min.js
playwright = pytest.importorskip(
    "playwright.sync_api", reason="needs Playwright: pip install 'skilltool[browser]'"
)
pytestmark = [slow, pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium")]
SIZES = [(360, 800), (1440, 900)]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    top = tmp_path / "project"
    (top / ".git").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    long = "\n".join(f"Line {number} says a thing.\n" for number in range(300))
    skill(
        top / ".claude/skills/pdf", body=f"\n# Forms\n\nFill in $ARGUMENTS now.\n\nA\u200bb \x07.\n\n{long}"
    )
    skill(top / ".kodelet/skills/pdf", body=f"\n# Forms\n\nFill in this.\n\n{long}")
    skill(top / ".claude/skills/docx", "Writes documents. Use when asked.")
    hostile(top)
    return top


@pytest.fixture
def preview(project: Path) -> Iterator[Preview]:
    with Preview(project, "--runtime", "claude-code,kodelet", home=project.parent / "home") as started:
        yield started


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page that remembers the requests it sent in `sent`, and what went wrong in `wrong`."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened = context.new_page()
    opened.sent, opened.wrong = [], []
    opened.on("request", lambda request: opened.sent.append(request.url))
    opened.on("pageerror", lambda error: opened.wrong.append(str(error)))
    opened.on("console", lambda said: opened.wrong.append(said.text) if said.type == "error" else None)
    yield opened
    context.close()


def result(page: Any, runtime: str) -> str:
    return exact(page.locator(f"[id='result-{runtime}'] pre").inner_html())


def test_the_filter_finds_rows_and_a_reload_by_a_save_keeps_it(
    page: Any, preview: Preview, project: Path
) -> None:
    page.goto(f"{preview.address}/")
    page.get_by_label("Search").fill("documents")
    assert page.locator("tr[data-row]:visible").count() == 1
    page.evaluate("window.here = true")
    text = project / ".claude/skills/docx/SKILL.md"
    text.write_text(text.read_text("utf-8").replace("Writes", "Prints"), "utf-8")
    page.get_by_text("Prints documents").first.wait_for()
    assert page.evaluate("window.here")
    assert page.get_by_label("Search").input_value() == "documents"
    assert page.locator("tr[data-row]:visible").count() == 1
    page.get_by_label("Search").fill("")
    page.get_by_label("Show").select_option("not kodelet")
    assert page.locator("tr[data-row]:visible").count() == 3
    assert page.wrong == []


def test_arguments_scrolling_and_focus_stay_when_the_skill_changes(
    page: Any, preview: Preview, project: Path
) -> None:
    page.goto(preview.address + preview.skills()[".claude/skills/pdf"])
    field = page.get_by_label("Arguments")
    field.fill("the red form")
    page.get_by_text("Fill in the red form now.").first.wait_for()
    page.evaluate("document.querySelector('[id=\"result-claude-code\"] pre').scrollTop = 700")
    page.evaluate("window.scrollTo(0, 300)")
    field.focus(timeout=5000)
    before = page.evaluate("window.scrollY")
    text = project / ".claude/skills/pdf/SKILL.md"
    text.write_text(text.read_text("utf-8").replace("now.", "soon."), "utf-8")
    page.get_by_text("Fill in the red form soon.").first.wait_for()
    assert field.input_value() == "the red form"
    assert page.evaluate("document.activeElement.name") == "args"
    assert page.evaluate("document.querySelector('[id=\"result-claude-code\"] pre').scrollTop") == 700
    assert page.evaluate("window.scrollY") == before
    assert page.wrong == []


def test_copied_text_is_exact(page: Any, preview: Preview) -> None:
    address = preview.skills()[".claude/skills/pdf"]
    page.goto(preview.address + address)
    page.locator("[id='result-claude-code'] button.copy").click()
    page.get_by_text("Copied", exact=True).wait_for()
    bytes_ = preview.ask(f"/text/{address.rpartition('/')[2]}/claude-code/result")[2]
    assert page.evaluate("navigator.clipboard.readText()") == bytes_.decode()


def test_two_clients_are_compared_by_keyboard_alone(page: Any, preview: Preview) -> None:
    page.goto(preview.address + preview.skills()[".claude/skills/pdf"])
    page.get_by_label("Compare with").focus()
    page.keyboard.type("kod")
    page.keyboard.press("Enter")
    page.locator("[id='result-kodelet']").wait_for()
    assert "Fill in this.\n" in page.locator("[id='result-kodelet'] .differs").all_text_contents()
    assert "Fill in  now.\n" in page.locator("[id='result-claude-code'] .differs").all_text_contents()
    assert page.locator(".differs", has_text="Line 7 says").count() == 0
    assert "Line 7 says" in result(page, "kodelet")


def test_ten_tabs_load_and_each_that_is_looked_at_follows(
    browser: Any, preview: Preview, project: Path
) -> None:
    """A browser opens six connections to a server, and a tab that listens keeps one."""
    context = browser.new_context()
    address = preview.address + preview.skills()[".claude/skills/docx"]
    tabs = [context.new_page() for _ in range(10)]
    for tab in tabs:
        # A browser without windows hides no tab by itself; what it says of a tab is said here.
        tab.add_init_script(
            "let hidden = true;"
            "Object.defineProperty(document, 'hidden', { get: () => hidden });"
            "window.look = (seen) => { hidden = !seen;"
            " document.dispatchEvent(new Event('visibilitychange')); };"
        )
        tab.goto(address)
        tab.get_by_text("Writes documents").first.wait_for()
    text = project / ".claude/skills/docx/SKILL.md"
    for number, tab in enumerate(tabs):
        tab.evaluate("look(true)")
        text.write_text(f"---\nname: docx\ndescription: Prints {number} pages.\n---\nText\n", "utf-8")
        tab.get_by_text(f"Prints {number} pages").first.wait_for()
        tab.evaluate("look(false)")
    # One that was not looked at meanwhile is up to date as soon as it is.
    tabs[0].evaluate("look(true)")
    tabs[0].get_by_text("Prints 9 pages").first.wait_for()
    context.close()


def test_a_hostile_skill_runs_nothing_and_asks_for_nothing(page: Any, preview: Preview) -> None:
    for address in ["/", *preview.skills().values()]:
        page.goto(preview.address + address)
        page.wait_for_timeout(200)
        for opened in page.locator("details").all():
            opened.evaluate("each => each.open = true")
        assert page.title() != "owned"
        for each in page.locator(".rendered a:not([target])").all():
            assert (each.get_attribute("href") or "").startswith("/file/")
    name = preview.skills()[".claude/skills/<b onclick=x>"].rpartition("/")[2]
    page.goto(f"{preview.address}/file/{name}/image.svg")
    page.goto(f"{preview.address}/file/{name}/page.html")
    assert page.title() != "owned"
    assert {url for url in page.sent if not url.startswith((preview.address, "data:,"))} == set()


def test_pages_work_without_scripts(browser: Any, preview: Preview) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{preview.address}/")
    page.get_by_role("row").get_by_role("link", name="pdf").first.click()
    page.get_by_label("Arguments").fill("without scripts")
    page.get_by_role("button", name="Show").click()
    assert "Fill in without scripts now." in page.content()
    context.close()


def test_a_file_opens_from_disk(page: Any, project: Path, skilltool: Skilltool) -> None:
    run = skilltool("preview", "--export", "out.html", "--runtime", "claude-code,kodelet", cwd=project)
    assert run.returncode == 0
    address = (project / "out.html").as_uri()
    page.goto(address)
    page.get_by_role("link", name="pdf", exact=True).first.click()
    page.locator("[id='result-claude-code'] .line").first.wait_for()
    skilltool("render", "pdf", "--runtime", "claude-code", "-o", "text", cwd=project)
    assert result(page, "claude-code") == (project / "text").read_bytes().decode()
    assert page.get_by_label("Arguments").is_disabled()
    page.get_by_label("Compare with").select_option("kodelet")
    assert "Fill in this.\n" in page.locator("[id='result-kodelet'] .differs").all_text_contents()
    assert page.locator(".differs", has_text="Line 7 says").count() == 0
    page.get_by_role("link", name="All skills").click()
    page.get_by_label("Search").fill("documents")
    assert page.locator("tr[data-row]:visible").count() == 1
    for link in page.locator("tr[data-row] a").all():
        page.goto(address + (link.get_attribute("href") or ""))
        page.locator(".rendered").wait_for()
        assert page.title() != "owned"
        page.goto(address)
    assert {url for url in page.sent if not url.startswith("file:")} == set()
    assert page.wrong == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_and_are_accessible(
    browser: Any, preview: Preview, size: tuple[int, int], scheme: str
) -> None:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, bypass_csp=True
    )
    page = context.new_page()
    pdf = preview.skills()[".claude/skills/pdf"]
    for address in [
        "/",
        *preview.skills().values(),
        f"{pdf}?client=claude-code&with=kodelet",
        "/skill/nothing",
    ]:
        page.goto(preview.address + address)
        page.wait_for_timeout(100)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
        if AXE:
            page.add_script_tag(path=AXE)
            found = page.evaluate("axe.run().then(found => found.violations)")
            assert [(each["id"], each["nodes"][0]["html"][:200]) for each in found] == [], address
    context.close()

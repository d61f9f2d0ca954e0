"""Every view in Chromium: what people see, what hostile skills try, and that nothing leaves the machine.

Runs where CI is set and both Chromium and Playwright are installed, as in `.ci/run --full`.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Skilltool, slow
from tests.preview.browsing import Preview, exact, hostile
from tests.preview.test_pages import skill
from tests.preview.test_routing import result as routed

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
AXE = os.environ.get("AXE")  # the path of axe-core's axe.min.js
playwright = pytest.importorskip(
    "playwright.sync_api", reason="needs Playwright: pip install 'skilltool[browser]'"
)
pytestmark = [slow, pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium")]
SIZES = [(390, 844), (768, 1024), (1440, 900)]


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


def rows(page: Any) -> list[str]:
    """Return the names of the skills that the matrix shows, in its order."""
    names: list[str] = page.locator("#rows tr:visible th a").all_text_contents()
    return names


def test_a_search_is_in_the_address_and_a_reload_by_a_save_keeps_it(
    page: Any, preview: Preview, project: Path
) -> None:
    page.goto(f"{preview.address}/")
    page.locator("#matches:not(:empty)").wait_for()
    page.get_by_label("Search").fill("documents")
    assert rows(page) == ["docx"]
    assert page.url.endswith("?q=documents")
    page.evaluate("() => { window.here = true; }")
    text = project / ".claude/skills/docx/SKILL.md"
    text.write_text(text.read_text("utf-8").replace("name: docx", "name: other"), "utf-8")
    page.locator("#rows .count, #rows .warning, #rows .error").first.wait_for()
    assert page.evaluate("() => window.here")
    assert page.get_by_label("Search").input_value() == "documents"
    assert rows(page) == ["docx"]
    page.reload()
    page.locator("#matches:not(:empty)").wait_for()
    assert rows(page) == ["docx"]
    page.get_by_label("Search").fill("")
    page.get_by_label("Show").select_option("not kodelet")
    assert len(rows(page)) == 3
    page.get_by_label("Show").select_option("problems")
    assert rows(page) == [name for name in rows(page) if name not in ("docx",)]
    assert page.url.endswith("?show=problems")
    state = page.get_by_label("Show").evaluate(
        "e => [...e.options].map(o => o.value).find(v => v.startsWith('is '))"
    )
    page.get_by_label("Show").select_option(state)
    titles = page.locator("#rows tr[data-row]").evaluate_all(
        "rows => rows.map(row => [...row.querySelectorAll('td.t s')].map(cell => cell.textContent).join(' '))"
    )
    assert titles
    assert all(state.removeprefix("is ") in title for title in titles)
    assert page.wrong == []


def test_columns_sort_and_a_chosen_client_goes_along(page: Any, preview: Preview) -> None:
    page.goto(f"{preview.address}/")
    page.locator("#matches:not(:empty)").wait_for()
    page.get_by_role("button", name="Skill").click()
    assert rows(page) == sorted(rows(page))
    assert page.locator('th[aria-sort="ascending"]').inner_text() == "Skill"
    page.locator('button[data-sort="kodelet"]').click()
    assert page.url.endswith("?sort=kodelet")
    page.get_by_role("link", name="pdf", exact=True).first.click()
    assert page.get_by_label("Client").input_value() == "kodelet"
    page.go_back()
    page.locator("#matches:not(:empty)").wait_for()
    page.locator("#rows td[data-c]").first.click()
    page.get_by_label("Client").wait_for()
    assert "client=" in page.url
    assert page.wrong == []


def test_the_matrix_works_by_keyboard(page: Any, preview: Preview) -> None:
    page.goto(f"{preview.address}/")
    page.locator("#matches:not(:empty)").wait_for()
    names = rows(page)
    page.keyboard.press("/")
    page.keyboard.type("pdf")
    assert len(rows(page)) == 2
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.press("ArrowDown")
    for key, expected in [("j", 1), ("j", 2), ("k", 1)]:
        page.keyboard.press(key)
        assert page.evaluate("() => document.activeElement.textContent") == names[expected]
    page.keyboard.press("Enter")
    page.locator("#source").wait_for()
    assert page.locator("h1").inner_text() == names[1]
    assert page.wrong == []


def test_many_rows_are_drawn_as_they_are_seen(page: Any, preview: Preview, project: Path) -> None:
    for number in range(90):
        skill(project / f".claude/skills/many-{number:02}", f"Does the thing {number}. Use when asked.")
    page.goto(f"{preview.address}/")
    page.get_by_text("of 94 rows").wait_for()
    assert len(rows(page)) < 90
    page.evaluate("() => window.scrollTo(0, document.body.scrollHeight)")
    page.locator("#rows tr >> nth=60").wait_for()
    page.get_by_label("Search").fill("thing 77")
    assert rows(page) == ["many-77"]
    assert page.locator("#more:visible").count() == 0
    assert page.wrong == []


def test_a_button_at_the_end_of_the_rows_draws_all_of_them(
    page: Any, preview: Preview, project: Path, skilltool: Skilltool
) -> None:
    for number in range(90):
        skill(project / f".claude/skills/many-{number:02}", f"Does the thing {number}. Use when asked.")
    run = skilltool("preview", "--export", "out.html", "--runtime", "claude-code", cwd=project)
    assert run.returncode == 0
    button = page.get_by_role("button", name="Show all 94 rows")
    # The click is that of a keyboard: a mouse would scroll to the button, and so draw the next rows.
    page.goto((project / "out.html").as_uri())
    button.wait_for()
    before = len(rows(page))
    assert before < 90
    button.evaluate("each => each.click()")
    assert len(rows(page)) == 94
    assert not page.locator("#more").is_visible()
    assert page.evaluate("() => document.activeElement.textContent") == rows(page)[before]
    assert page.locator(".legend").is_visible()
    page.goto(f"{preview.address}/")
    button.wait_for()
    button.evaluate("each => each.click()")
    is_whole = "() => document.querySelectorAll('#rows [data-row]').length >= 94"
    page.wait_for_function(is_whole)
    skill(project / ".claude/skills/one-more", "Does another thing. Use when asked.")
    page.locator("#matches", has_text="95 skills").wait_for()
    page.wait_for_function(is_whole)
    assert page.wrong == []


def test_the_source_says_what_a_client_does_with_it(page: Any, preview: Preview) -> None:
    page.goto(preview.address + preview.skills()[".claude/skills/pdf"])
    assert page.get_by_label("Client").input_value() == "claude-code"
    assert page.locator("mark.substituted:visible", has_text="$ARGUMENTS").count() == 1
    assert "Fill in  now." in result(page, "claude-code")
    page.goto(preview.address + preview.skills()[".kodelet/skills/pdf"])
    assert page.locator("mark.substituted").count() == 0


def test_a_finding_stands_once_with_its_manual_and_its_fix(
    page: Any, preview: Preview, project: Path
) -> None:
    page.goto(preview.address + preview.skills()[".claude/skills/pdf"])
    page.locator("details.notes summary").first.click()
    finding = page.locator(".finding", has_text="zero-width-in-word")
    assert finding.count() == 1
    command = finding.locator(".command code")
    finding.get_by_role("button", name="Copy").click()
    page.get_by_text("Copied", exact=True).wait_for()
    assert page.evaluate("() => navigator.clipboard.readText()") == command.inner_text()
    assert command.inner_text().startswith(
        "skilltool lint .claude/skills/pdf --select zero-width-in-word --fix"
    )
    finding.get_by_text("About").click()
    finding.get_by_text("Why it matters", exact=False).or_(finding.locator(".prose p")).first.wait_for()
    assert len(finding.locator(".prose").inner_text()) > 100
    finding.locator("a.where").click()
    assert page.locator(".source-line.found").count() == 1
    assert page.wrong == []


def test_clients_that_share_a_fate_share_a_line(page: Any, preview: Preview, project: Path) -> None:
    broken = project / ".claude/skills/broken"
    broken.mkdir()
    (broken / "SKILL.md").write_text("---\nname: broken\ndescription: [\n---\nText\n", "utf-8")
    page.goto(preview.address + "/")
    page.get_by_role("link", name="broken").click()
    page.locator(".fates").wait_for()
    shown = page.locator(".fates > li").all_inner_texts()
    assert len(shown) == len({text.split("\n")[0] for text in shown}) == 2
    assert page.wrong == []


def test_a_truncated_description_is_shown_where_it_is_truncated(
    page: Any, tmp_path: Path, skilltool: Skilltool
) -> None:
    top = tmp_path / "project"
    (top / ".git").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    skill(top / ".claude/skills/pdf", f"Fills in forms. {'All of them. ' * 85}", body="\nText.\n")
    clients = "claude-code,copilot"
    run = skilltool("preview", "--export", "out.html", "--runtime", clients, cwd=top)
    assert run.returncode == 0, run.stderr

    def look() -> None:
        page.get_by_role("link", name="show in copilot").click()
        assert "client=copilot&tab=listing" in page.url
        assert page.locator('#ask select[name="client"]').input_value() == "copilot"
        assert page.locator('[role="tabpanel"]:visible').get_attribute("data-tab") == "listing"

    page.goto((top / "out.html").as_uri())
    page.get_by_role("link", name="pdf").first.click()
    look()
    with Preview(top, "--runtime", clients, home=tmp_path / "home") as started:
        page.goto(started.address + started.skills()[".claude/skills/pdf"])
        look()
        assert page.wrong == []


def test_tabs_work_by_keyboard_and_are_in_the_address(page: Any, preview: Preview) -> None:
    page.goto(preview.address + preview.skills()[".claude/skills/pdf"])
    page.get_by_role("tab", name="Called by the model").focus()
    page.keyboard.press("ArrowRight")
    assert page.url.endswith("?tab=typed")
    assert page.locator('[role="tabpanel"]:visible').get_attribute("data-tab") == "typed"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.reload()
    assert "Fills in forms" in page.locator('[role="tabpanel"]:visible pre').inner_text()
    assert page.wrong == []


def test_arguments_scrolling_and_focus_stay_when_the_skill_changes(
    page: Any, preview: Preview, project: Path
) -> None:
    page.goto(preview.address + preview.skills()[".claude/skills/pdf"])
    field = page.get_by_label("Arguments")
    field.fill("the red form")
    page.get_by_text("Fill in the red form now.").first.wait_for()
    page.evaluate("() => { document.querySelector('[id=\"result-claude-code\"] pre').scrollTop = 700; }")
    page.evaluate("() => window.scrollTo(0, 300)")
    field.focus(timeout=5000)
    before = page.evaluate("() => window.scrollY")
    text = project / ".claude/skills/pdf/SKILL.md"
    text.write_text(text.read_text("utf-8").replace("now.", "soon."), "utf-8")
    page.get_by_text("Fill in the red form soon.").first.wait_for()
    assert field.input_value() == "the red form"
    assert page.evaluate("() => document.activeElement.name") == "args"
    assert page.evaluate("() => document.querySelector('[id=\"result-claude-code\"] pre').scrollTop") == 700
    assert page.evaluate("() => window.scrollY") == before
    assert page.wrong == []


def test_copied_text_is_exact(page: Any, preview: Preview) -> None:
    address = preview.skills()[".claude/skills/pdf"]
    page.goto(preview.address + address)
    # The message is gone after 2.5 seconds, which a busy machine may take to look.
    page.evaluate(
        "() => { window.said = []; const status = document.getElementById('status');"
        " const note = () => window.said.push(status.textContent);"
        " new MutationObserver(note).observe(status, {childList: true}); }"
    )
    page.locator("[id='result-claude-code'] button.copy").click()
    page.wait_for_function("() => window.said.includes('Copied')")
    bytes_ = preview.ask(f"/text/{address.rpartition('/')[2]}/claude-code/result")[2]
    assert page.evaluate("() => navigator.clipboard.readText()") == bytes_.decode()


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
        tab.locator("#source", has_text="Writes documents").wait_for()
    text = project / ".claude/skills/docx/SKILL.md"
    for number, tab in enumerate(tabs):
        tab.evaluate("look(true)")
        text.write_text(f"---\nname: docx\ndescription: Prints {number} pages.\n---\nText\n", "utf-8")
        tab.locator("#source", has_text=f"Prints {number} pages").wait_for()
        tab.evaluate("look(false)")
    # One that was not looked at meanwhile is up to date as soon as it is.
    tabs[0].evaluate("look(true)")
    tabs[0].locator("#source", has_text="Prints 9 pages").wait_for()
    context.close()


def test_a_hostile_skill_runs_nothing_and_asks_for_nothing(page: Any, preview: Preview) -> None:
    for address in ["/", *preview.skills().values()]:
        page.goto(preview.address + address)
        page.wait_for_timeout(200)
        for opened in page.locator("details").all():
            opened.evaluate("each => { each.open = true; }")
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
    page.get_by_role("row").get_by_role("link", name="pdf", exact=True).first.click()
    page.get_by_label("Client").select_option("claude-code")
    page.get_by_label("Arguments").fill("without scripts")
    page.get_by_role("button", name="Show").click()
    assert "Fill in without scripts now." in page.content()
    context.close()


def test_a_file_opens_from_disk(page: Any, project: Path, skilltool: Skilltool) -> None:
    run = skilltool("preview", "--export", "out.html", "--runtime", "claude-code,kodelet", cwd=project)
    assert run.returncode == 0
    address = (project / "out.html").as_uri()
    page.goto(address)
    page.locator("#rows tr", has_text=".claude/skills/pdf").get_by_role("link").first.click()
    page.locator("[id='result-claude-code'] .line").first.wait_for()
    skilltool("render", "pdf", "--runtime", "claude-code", "-o", "text", cwd=project)
    assert result(page, "claude-code") == (project / "text").read_bytes().decode()
    assert page.get_by_label("Arguments").count() == 0  # nothing in the file can answer
    page.get_by_label("Compare with").select_option("kodelet")
    assert "Fill in this.\n" in page.locator("[id='result-kodelet'] .differs").all_text_contents()
    assert page.locator(".differs", has_text="Line 7 says").count() == 0
    page.get_by_role("link", name="All skills").click()
    page.get_by_label("Search").fill("documents")
    assert rows(page) == ["docx"]
    assert page.url.endswith("#q=documents")
    page.reload()
    page.locator("#matches:not(:empty)").wait_for()
    assert rows(page) == ["docx"]
    page.get_by_label("Search").fill("")
    links = [link.get_attribute("href") for link in page.locator("#rows th a, .budgets th a").all()]
    assert len(links) > 4
    for link in links:
        page.goto(f"{address}{link}")
        page.locator(".home").wait_for()
        for each in page.locator("details").all():
            each.evaluate("each => { each.open = true; }")
        assert page.title() != "owned"
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
        f"{pdf}?tab=listing",
        "/client/claude-code",
        "/rule/broken-link",
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


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_a_list_over_its_budget_of_which_all_is_sent_fits(
    page: Any, skilltool: Skilltool, tmp_path: Path, width: int
) -> None:
    for number in range(14):
        path = tmp_path / f"skills/forms-{number}/SKILL.md"
        path.parent.mkdir(parents=True)
        text = f"---\nname: forms-{number}\ndescription: Fills {'in ' * 200}forms {number}.\n---\n\nText.\n"
        path.write_text(text, "utf-8")
    file = tmp_path / "out.html"
    assert skilltool("preview", tmp_path, "--export", file).returncode == 0
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(file.as_uri())
    page.locator("td.spared", has_text="it sends only").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_matrix_that_goes_on_has_a_shadow_there(page: Any, skilltool: Skilltool, tmp_path: Path) -> None:
    file = tmp_path / "out.html"
    tour = Path(__file__).parents[2] / "examples" / "tour"
    assert skilltool("preview", tour, "--export", file).returncode == 0
    page.set_viewport_size({"width": 768, "height": 1024})
    page.goto(file.as_uri())
    page.locator("#matches:not(:empty)").wait_for()
    hidden = "() => { const it = document.querySelector('.scroll'); return it.scrollWidth - it.clientWidth; }"
    assert page.evaluate(hidden) == 0
    page.set_viewport_size({"width": 660, "height": 1024})
    assert page.evaluate(hidden) > 0
    box = page.locator(".scroll").bounding_box()
    edge = {"x": box["x"] + box["width"] - 4, "y": box["y"] + 2, "width": 3, "height": 2}
    before = page.screenshot(clip=edge)
    page.evaluate("() => { document.querySelector('.scroll').scrollLeft = 1000; }")
    assert page.screenshot(clip=edge) != before


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_number_of_answers_opens_its_prompts(
    page: Any, skilltool: Skilltool, project: Path, tmp_path: Path, width: int, height: int
) -> None:
    (tmp_path / "result.json").write_text(json.dumps(routed()), "utf-8")
    file = tmp_path / "out.html"
    run = skilltool("preview", str(project), "--routing", tmp_path / "result.json", "--export", file)
    assert run.returncode == 0, run.stderr
    page.set_viewport_size({"width": width, "height": height})
    page.goto(file.as_uri())
    page.get_by_role("link", name="model-1 gives the right answer").click()
    cell = page.locator("tr:has(th[scope=row]:text-is('no skill')) .pair.bad")
    assert not cell.get_by_text("what is the time").is_visible()
    cell.locator("summary").click()
    assert cell.get_by_text("what is the time").is_visible()
    page.get_by_role("link", name="All skills").click()
    page.locator("#rows tr").first.wait_for()
    assert page.wrong == []

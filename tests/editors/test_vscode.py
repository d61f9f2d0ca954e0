"""The extension in a real Visual Studio Code, its server build, driven in Chromium as a person would.

Runs where `CODE_SERVER` names the program that `.ci/code-server` installs, and `VSIX` the packed extension,
as in `.ci/run --full`.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CODE_SERVER, VSIX = os.environ.get("CODE_SERVER"), os.environ.get("VSIX")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
playwright = pytest.importorskip(
    "playwright.sync_api", reason="needs Playwright: pip install 'skilltool[browser]'"
)
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium"),
    pytest.mark.skipif(not (CODE_SERVER and VSIX), reason="needs .ci/code-server and a .vsix"),
]
SKILL = """\
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
disallowed-tools: Raed
---

# PDF tools

See [the fields](references/fields.md#all-fields) and [gone](references/gone.md).

Use the `form-filler` skill.
"""
SECONDS = 60_000  # milliseconds


def lay(top: Path, name: str, text: str) -> Path:
    file = top / ".claude" / "skills" / name / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    return file


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with two skills, whose virtual environment has skilltool."""
    top = tmp_path_factory.mktemp("project")
    (top / ".git").mkdir()
    file = lay(top, "pdf-tools", SKILL)
    (file.parent / "references").mkdir()
    (file.parent / "references" / "fields.md").write_text("# Fields\n\n## All fields\n", "utf-8")
    lay(
        top,
        "form-filler",
        "---\nname: form-filler\ndescription: Fills forms. Use for forms.\n---\n\n# Forms\n",
    )
    (top / ".venv" / "bin").mkdir(parents=True)
    (top / ".venv" / "bin" / "skilltool").symlink_to(Path(sys.executable).parent / "skilltool")
    return top


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a VS Code in which only our extension is installed."""
    data = tmp_path_factory.mktemp("code")
    program = [
        "node",
        str(CODE_SERVER),
        "--user-data-dir",
        str(data / "user"),
        "--extensions-dir",
        str(data / "ext"),
    ]
    environment = {**os.environ, "HOME": str(data), "XDG_CONFIG_HOME": str(data / "config")}
    (data / "user" / "User").mkdir(parents=True)
    settings = '{"workbench.startupEditor": "none", "security.workspace.trust.enabled": false}'
    (data / "user" / "User" / "settings.json").write_text(settings, "utf-8")
    subprocess.run([*program, "--install-extension", str(VSIX)], env=environment, check=True, timeout=120)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    quiet = [
        "--auth",
        "none",
        "--disable-telemetry",
        "--disable-update-check",
        "--disable-getting-started-override",
    ]
    with (data / "log").open("wb") as log:
        started = subprocess.Popen(
            [*program, *quiet, "--bind-addr", f"127.0.0.1:{port}"], env=environment, stdout=log, stderr=log
        )
        try:
            _await(f"http://127.0.0.1:{port}/healthz")
            yield f"http://127.0.0.1:{port}"
        finally:
            started.terminate()
            started.wait(30)


def _await(url: str) -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(url, timeout=2).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise TimeoutError(url)


@pytest.fixture
def editor(address: str, folder: Path) -> Iterator[Any]:
    """A window with the first skill open, as it was written."""
    (folder / ".claude" / "skills" / "pdf-tools" / "SKILL.md").write_text(SKILL, "utf-8")
    with playwright.sync_playwright() as started:
        quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = started.chromium.launch(executable_path=CHROMIUM, args=quiet)
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(SECONDS)
        page.goto(f"{address}/?folder={folder}")
        page.wait_for_selector(".monaco-workbench .explorer-viewlet, .monaco-workbench")
        page.wait_for_selector("text=.claude")
        pick(page, "Control+P", "pdf-tools/SKILL.md")
        page.wait_for_selector(".codelens-decoration >> text=Compare clients")
        yield page
        browser.close()


def pick(page: Any, key: str, text: str) -> None:
    """Type into the box that a key opens, and take what it offers first."""
    page.keyboard.press(key)
    box = page.locator(".quick-input-widget input.input")
    box.wait_for(state="visible")
    box.fill(f">{text}" if key == "F1" else text)
    page.locator(".quick-input-list .monaco-list-row").first.wait_for()
    page.wait_for_timeout(1_000)  # until the list is of this text
    page.keyboard.press("Enter")


def go_to(page: Any, line: int, column: int) -> None:
    page.keyboard.press("Control+1")
    pick(page, "Control+P", f":{line}:{column}")


def word(page: Any, text: str) -> Any:
    return page.locator(".view-line span span").filter(has_text=re.compile(re.escape(text))).first


def test_findings_have_a_fix_and_a_manual(editor: Any, folder: Path) -> None:
    pick(editor, "F1", "Problems: Focus on Problems View")
    panel = editor.locator(".markers-panel")
    panel.get_by_text("unknown tool `Raed`").wait_for()
    panel.get_by_text("link `references/gone.md` points to a file that does not exist").wait_for()
    panel.get_by_text("broken-link").first.wait_for()
    go_to(editor, 4, 20)
    editor.keyboard.press("Control+.")
    editor.locator(".action-widget").get_by_text("did you mean `Read`?").wait_for()
    editor.keyboard.press("Enter")
    editor.locator(".view-lines").get_by_text("disallowed-tools: Read").wait_for()


def test_hover_definition_and_completion_know_the_skill(editor: Any) -> None:
    word(editor, "form-filler").hover()
    editor.locator(".monaco-hover").get_by_text("Fills forms. Use for forms.").wait_for()
    go_to(editor, 11, 14)
    editor.keyboard.press("F12")
    editor.locator(".breadcrumbs-control").get_by_text("form-filler").first.wait_for()
    editor.keyboard.press("Control+End")
    editor.keyboard.type("Then use /pdf-")
    editor.keyboard.press("Control+Space")
    editor.locator(".suggest-widget .monaco-list-row").get_by_text("pdf-tools").first.wait_for()
    editor.keyboard.press("Escape")


def test_what_models_see_opens_beside_and_compares(editor: Any) -> None:
    editor.locator(".codelens-decoration a").first.click()
    editor.locator(".view-lines").get_by_text("Base directory for this skill").first.wait_for()
    editor.keyboard.press("Control+1")
    pick(editor, "F1", "skilltool: Compare clients")
    for client in ("codex", "gemini-cli"):
        editor.locator(".quick-input-title").wait_for()
        editor.locator(".quick-input-widget input.input").fill(client)
        editor.wait_for_timeout(500)
        editor.keyboard.press("Enter")
        editor.wait_for_timeout(800)
    editor.locator(".tab.active").get_by_text("codex and gemini-cli").wait_for()
    editor.locator(".diff-editor, .monaco-diff-editor").get_by_text("<activated_skill").first.wait_for()


def test_the_preview_is_a_panel_and_the_status_names_the_owner(editor: Any) -> None:
    editor.locator(".statusbar-item").get_by_text("claude-code").wait_for()
    pick(editor, "F1", "skilltool: Preview")
    inner = editor.frame_locator("iframe.webview").frame_locator("#active-frame").frame_locator("iframe")
    inner.get_by_role("link", name="form-filler").first.wait_for()
    inner.get_by_role("link", name="pdf-tools").first.click()
    inner.get_by_text("What the model sees").first.wait_for()

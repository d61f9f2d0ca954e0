#!/usr/bin/env python3
"""Write the pictures of `skilltool preview` in docs/, of the tour; needs Chromium and `.[browser]`.

Not a part of `.ci/generate`, since two versions of Chromium draw two pictures.
"""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gallery import page as tour
from playwright.sync_api import sync_playwright

_DOCS = Path(__file__).parents[1] / "docs"
_PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def _draw(page: Any, address: str) -> None:
    """Draw the overview, a skill that a client truncates, and one file in two clients."""
    page.goto(address)
    page.locator("#matches:not(:empty)").wait_for()
    page.screenshot(path=_DOCS / "preview.png")
    page.set_viewport_size({"width": 1280, "height": 1180})
    skill = page.get_by_role("link", name="incident", exact=True).get_attribute("href")
    page.goto(f"{address}{skill}&client=codex&tab=listing")
    page.locator("mark.truncated:visible").first.wait_for()
    page.screenshot(path=_DOCS / "preview-skill.png")
    page.set_viewport_size({"width": 1280, "height": 860})
    page.emulate_media(color_scheme="dark")
    page.goto(address)
    copy = page.locator("#rows tr", has_text="drifted-copy").get_by_role("link")
    page.goto(f"{address}{copy.get_attribute('href')}&client=claude-code&with=crush")
    page.locator(".differs").first.wait_for()
    page.screenshot(path=_DOCS / "preview-compare.png")


with TemporaryDirectory() as folder, sync_playwright() as started:
    file = Path(folder, "preview.html")
    file.write_text(tour(), "utf-8")
    browser = started.chromium.launch(executable_path=_PROGRAM, args=["--no-sandbox"])
    _draw(browser.new_page(viewport={"width": 1280, "height": 860}), file.as_uri())
    browser.close()

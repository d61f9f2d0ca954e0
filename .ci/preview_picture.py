#!/usr/bin/env python3
"""Write docs/preview.png, the overview of `skilltool preview` in the tour; needs Chromium and `.[browser]`.

Not a part of `.ci/generate`, since two versions of Chromium draw two pictures.
"""

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright
from sandbox import Sandbox

_PICTURE = Path(__file__).parents[1] / "docs" / "preview.png"
_COMMAND = "skilltool preview --runtime claude-code,codex,gemini-cli,opencode --export preview.html"
_PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

with Sandbox("tour") as sandbox, sync_playwright() as started:
    sandbox.run(_COMMAND, 100)
    browser = started.chromium.launch(executable_path=_PROGRAM, args=["--no-sandbox"])
    page = browser.new_page(viewport={"width": 1440, "height": 1080})
    page.goto((sandbox.project / "preview.html").as_uri())
    page.screenshot(path=_PICTURE)
    browser.close()

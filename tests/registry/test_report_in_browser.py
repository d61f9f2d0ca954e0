"""The report in Chromium: it fits, is accessible, and asks for nothing.

Runs where CI is set and both Chromium and Playwright are installed, as in `.ci/run --full`.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.conftest import slow

pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'skilltool[registry]'")

from skilltool.registry.report import write_report
from tests.registry.made_tables import registry, write_tables

playwright = pytest.importorskip(
    "playwright.sync_api", reason="needs Playwright: pip install 'skilltool[browser]'"
)

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
AXE = os.environ.get("AXE")  # the path of axe-core's axe.min.js
pytestmark = [slow, pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium")]


@pytest.mark.parametrize("size", [(360, 800), (1440, 900)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_fits_and_is_accessible(tmp_path: Path, size: tuple[int, int], scheme: str) -> None:
    rows = registry()
    long = "a-source-with-a-name-that-does-not-end" * 8
    rows["skills"][0]["source"] = long
    rows["verdicts"][0]["runtime"] = long
    for row in rows["clusters"]:
        row["cluster"] = row["skill_id"] = long
    write_report(write_tables(tmp_path / "tables", rows), tmp_path / "report.html")
    address = (tmp_path / "report.html").as_uri()
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for bypass in (False, True):  # the policy, and then the script of axe, which the policy refuses
            context = chromium.new_context(
                viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, bypass_csp=bypass
            )
            page = context.new_page()
            sent: list[str] = []
            wrong: list[str] = []
            page.on("request", lambda request, sent=sent: sent.append(request.url))
            page.on("console", lambda said, wrong=wrong: wrong.append(said.text))
            page.goto(address)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert sent == [address]
            assert wrong == []
            widths = page.locator(".bars .bar").evaluate_all(
                "bars => bars.map(bar => bar.getBoundingClientRect().width)"
            )
            assert min(widths) > 100
            if AXE and bypass:
                page.add_script_tag(path=AXE)
                found = page.evaluate("axe.run().then(found => found.violations)")
                assert [(each["id"], each["nodes"][0]["html"][:200]) for each in found] == []
        chromium.close()

"""The site: each page is built as it is written, each link leads somewhere, and nothing comes from elsewhere.

Runs where CI is set and mkdocs is installed (`pip install "skilltool[docs]"`), in part where Chromium is.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt

import skilltool
from skilltool import runtimes
from skilltool.rules import NAMES
from tests.conftest import slow

ROOT = Path(__file__).parents[2]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
COUNTED = ("h1", "h2", "h3", "li", "p", "pre", "table", "td", "img", "strong", "em")
pytestmark = [
    slow,
    pytest.mark.skipif(find_spec("material") is None, reason="needs mkdocs: pip install 'skilltool[docs]'"),
]


class Page(HTMLParser):
    """The links, the anchors and what loads of one page, and what its article is made of."""

    def __init__(self, text: str, is_article: bool = False) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.parts: Counter[str] = Counter()
        self._inside = is_article
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a":
            self.links += [found["href"]] if "href" in found else []
        elif tag in ("link", "script", "img", "source", "iframe") and found.get("rel") not in (
            "canonical",
            "next",
        ):
            self.loads += [found[name] for name in ("href", "src") if found.get(name)]
        self._inside = self._inside or tag == "article"
        if self._inside and tag in COUNTED:
            self.parts[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "article"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly."""
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(target)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return target


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    """All pages, but for that of `skilltool preview`, whose script makes what its links lead to."""
    found = sorted(set(site.rglob("*.html")) - {site / "gallery" / "tour.html"})
    return {path: Page(path.read_text("utf-8")) for path in found}


def test_every_rule_and_runtime_has_a_page(site: Path) -> None:
    assert {path.stem for path in (site / "rules").glob("*.html")} == {*NAMES, "index"}
    assert {path.stem for path in (site / "runtimes").glob("*.html")} >= {"portable", *runtimes.BARE}


def test_an_address_without_html_leads_to_the_page(site: Path) -> None:
    for name in ("rules/broken-link", "runtimes/codex", "faq"):
        page = (site / name / "index.html").read_text("utf-8")
        (target,) = re.findall(r'content="0; url=([^"]+)"', page)
        assert (site / name / target).resolve() == site / f"{name}.html"


def test_each_page_has_the_version_and_our_mark(pages: dict[Path, Page], site: Path) -> None:
    for name in ("index", "rules/broken-link"):
        assert f"skilltool {skilltool.__version__}" in (site / f"{name}.html").read_text("utf-8")
        assert any(load.endswith("mark.svg") for load in pages[site / f"{name}.html"].loads)


def test_the_home_page_answers_what_readers_ask_first(pages: dict[Path, Page], site: Path) -> None:
    asked = {
        "faq.html#why-does-my-skill-not-load",
        "places.html#directories-and-manifests",
        "faq.html#what-does-it-cost",
    }
    assert asked <= set(pages[site / "index.html"].links)
    text = (site / "index.html").read_text("utf-8")
    assert text.index("fates.svg") < text.index("Why does my skill not load?")


def test_every_link_leads_to_a_page_and_a_heading(site: Path, pages: dict[Path, Page]) -> None:
    broken = []
    for path, page in pages.items():
        for link in {*page.links, *page.loads} if path.name != "404.html" else ():
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file() or (parts.fragment and parts.fragment not in pages[target].anchors):
                broken.append((path.relative_to(site).as_posix(), link))
    assert broken == []


def test_nothing_on_a_page_comes_from_elsewhere(pages: dict[Path, Page]) -> None:
    foreign = {load for page in pages.values() for load in page.loads if urlsplit(load).netloc}
    assert foreign == set()


def test_a_page_shows_what_the_same_file_shows_elsewhere(site: Path, pages: dict[Path, Page]) -> None:
    """The site reads another Markdown than GitHub: lists, tables and code have to be the same in both."""
    common = MarkdownIt("commonmark").enable("table")
    for source in sorted((ROOT / "docs").rglob("*.md")):
        path = site / source.relative_to(ROOT / "docs").with_suffix(".html")
        expected = Page(common.render(source.read_text("utf-8")), is_article=True).parts
        assert pages[path].parts == expected, source.name


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs Playwright")
    if CHROMIUM is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


def test_a_search_finds_a_rule_by_its_id_and_nothing_is_asked_of_another_host(
    browser: Any, address: str
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    for name in ("index", "rules/broken-link", "runtimes/claude-code", "preview"):
        page.goto(f"{address}/{name}.html", wait_until="load")
    page.locator(".md-search__input").fill("yaml-surprise")
    found = page.locator(".md-search-result__link").first
    found.wait_for()
    assert "rules/yaml-surprise.html" in (found.get_attribute("href") or "")
    found.click()
    page.wait_for_url("**/rules/yaml-surprise.html*")
    assert page.locator("h1").inner_text().startswith("yaml-surprise")
    assert len(sent) > 10
    assert [url for url in sent if not url.startswith((f"{address}/", "data:", "blob:"))] == []
    page.close()


@pytest.mark.parametrize(("width", "scheme"), [(400, "light"), (1280, "dark")])
def test_pages_fit_the_window(browser: Any, address: str, site: Path, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    wide = []
    deep = (site / "rules" / "long-description.html", site / "runtimes" / "codex.html")
    for path in (*sorted(site.glob("*.html")), *deep):
        page.goto(f"{address}/{path.relative_to(site).as_posix()}")
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            wide.append(path.name)
    assert (
        page.evaluate("document.body.dataset.mdColorScheme") == {"light": "default", "dark": "slate"}[scheme]
    )
    context.close()
    assert wide == []

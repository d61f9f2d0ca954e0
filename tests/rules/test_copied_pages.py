"""A page that says where it was copied from, and what is not the author's in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool.findings.finding import Severity
from skilltool.lint.config import Config
from skilltool.lint.run import check_skills
from skilltool.lint.settings import resolve
from skilltool.rules.shared.copied_pages import is_copied


@pytest.mark.parametrize(
    "beginning",
    [
        "---\nsource_url: https://docs.shop.dev/api\n---\n",
        "---\ntitle: API\nurl: 'http://docs.shop.dev/api'\n---\n",
        "> Source: https://docs.shop.dev/api\n\n# API\n",
        "# API\n\n**Source:** <https://docs.shop.dev/api>\n",
        "<!-- Fetched from: https://docs.shop.dev/api -->\n",
        '---\ntitle: "API"\nmeta:\n  "og:title": "API"\n---\n',
        "# API [\u200b](#api)\n",
        "# API\n\n*Canonical URL: https://docs.shop.dev/api*\n",
        "<!-- Source: shop/agent-skills - skills/api/SKILL.md -->\n",
        "<!-- source: shop/agent-skills@a1b2c3d -->\n",
        "# API\n\nThis is a mirror of the manual at [docs.shop.dev](https://docs.shop.dev/api).\n",
        "# API\n\nCopy pageCopy page\n",
        "# API\r\n\r\nCopy page\r\n",
        "# Shop - API\n\n**Pages:** 12\n\n---\n",
    ],
)
def test_a_page_that_names_the_url_it_is_from_was_copied(beginning: str) -> None:
    assert is_copied("references/api.md", f"{beginning}\nFill it in.\n")
    assert not is_copied("", beginning)  # a SKILL.md
    assert not is_copied("references/api.md", f"{'Fill it in. ' * 100}\n\n{beginning}")


@pytest.mark.parametrize(
    "beginning",
    [
        "# API\n\nSee https://docs.shop.dev/api.\n",
        "# API\n\nThe source is open.\n",
        "<!-- Source: docs/api.md -->\n",
        "<!-- Source: src/api (generated) -->\n",
        "<!-- Source: docs/api - the fields -->\n",
        "---\nsource: forms\n---\n",
        "Base URL of the service: https://api.shop.dev\n",
        "Use the link https://docs.shop.dev/api\n",
        "# API\n\n- **URL**: https://api.shop.dev\n",
        "# API\n\n## Shop\n\n**URL:** https://api.shop.dev\n",
        "# API\n\nCopy pages from https://docs.shop.dev one by one.\n",
        "# API\n\nMake a mirror of https://docs.shop.dev first.\n",
        "---\ntitle: API\n---\n\nurl: https://api.shop.dev\n",
    ],
)
def test_a_page_that_only_has_a_url_was_not(beginning: str) -> None:
    assert not is_copied("references/api.md", beginning)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("docs/readme-upstream.md", True),
        ("references/colima-upstream/README.md", True),
        ("references/github/README.md", True),
        ("references/llms-full.md", True),
        ("references/llms.txt", True),
        ("references/llms/choosing.md", False),
        ("references/upstream-servers.md", False),
        ("upstream/README.md", True),
        ("references/github-actions.md", False),
    ],
)
def test_the_name_of_a_page_may_say_so(file: str, expected: bool) -> None:
    assert is_copied(file, "# API\n") is expected


@pytest.mark.parametrize(
    ("source", "severity"), [("> Source: https://shop.dev/api", "info"), ("", "warning")]
)
def test_findings_in_a_copied_page_are_notes_but_for_what_harms(
    tmp_path: Path, source: str, severity: str
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "SKILL.md").write_text(
        f"---\nname: {tmp_path.name}\ndescription: Fills in.\n---\n\nRead docs/api.md.\n", "utf-8"
    )
    page = f"{source}\n\n```sh\nrm -rf ~/\n```\n\nSee [it](gone.md).\n\n```\nls\n\n# A\n\nFill it in.\n"
    (tmp_path / "docs/api.md").write_text(page, "utf-8")
    rules = ["broken-link", "unclosed-fence", "destructive-command"]
    found = check_skills(resolve(Config(), {"paths": [tmp_path], "select": rules})).diagnostics
    assert {each.rule: str(each.severity) for each in found} == {
        "broken-link": severity,
        "unclosed-fence": severity,
        "destructive-command": str(Severity.ERROR),
    }

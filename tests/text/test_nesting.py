"""Fences that hold others of as many marks: where their authors meant them to end, and what rules say."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool.rules import RULES
from skilltool.runtimes import get
from skilltool.skill.model import load_skill
from skilltool.text import markdown

TEMPLATE = """\
```markdown
# Report

```sh
make
```

See [the sheet](sheet.md), and run `python scripts/gone.py`.
```
"""


def blocks(text: str) -> list[tuple[str, bool]]:
    found = markdown.intended_blocks(text, 0, markdown.read(text).fences)
    return [(text[block.span.start : block.span.end], block.nested) for block in found]


def test_a_block_ends_where_its_author_meant_it_to() -> None:
    text = f"A.\n\n{TEMPLATE}\nB.\n\n```sh\nls\n```\n"
    assert blocks(text) == [(TEMPLATE.rstrip(), True), ("```sh\nls\n```", False)]


@pytest.mark.parametrize(
    "text",
    [
        "```sh\nls\n```\n",
        "````markdown\n```sh\nls\n```\n````\n",
        "```text\n``` is the mark, and so is ```.\n```\n",
        "~~~markdown\n```sh\nls\n```\n~~~\n",
        "```sh\nls\n",
    ],
)
def test_without_nested_fences_there_are_no_intended_blocks(text: str) -> None:
    assert blocks(text) == []


def test_a_block_that_nobody_closed_is_left_out() -> None:
    assert blocks("```json\n{}\n\n```json\n[]\n```\n\nSee [this](gone.md).\n") == []


def findings(directory: Path, body: str, rule: str) -> list[tuple[str, str | None]]:
    (directory / "scripts").mkdir(parents=True, exist_ok=True)
    text = f"---\nname: {directory.name}\ndescription: Fills in forms.\n---\n\n{body}\n"
    (directory / "SKILL.md").write_text(text, "utf-8")
    found = RULES[rule].check(load_skill(directory), get("portable"))
    return [(finding.message, finding.help) for finding in found]


@pytest.mark.parametrize("rule", ["broken-link", "missing-file-mention"])
def test_links_and_mentions_in_a_template_with_nested_fences_are_ignored(rule: str, tmp_path: Path) -> None:
    assert findings(tmp_path / "pdf-tools", TEMPLATE, rule) == []
    after = f"{TEMPLATE}\n```sh\nls\n```\n\nSee [it](gone.md), and run `python scripts/gone.py`."
    assert len(findings(tmp_path / "pdf-tools", after, rule)) == 1


def test_a_heading_after_such_a_template_has_an_anchor(tmp_path: Path) -> None:
    after = "# Next\n\n```sh\nls\n```\n\n# Last\n"
    body = f"See [next](#next), [last](#last) and [gone](#gone).\n\n{TEMPLATE}\n{after}"
    [(message, _)] = findings(tmp_path / "pdf-tools", body, "broken-link")
    assert "#gone" in message


@pytest.mark.parametrize(
    ("body", "message", "remedy"),
    [
        ("```sh\nls", "the rest of the body is code", "add the same fence where the code ends"),
        ("```sh\nls\n```\n\nDone.\n\n```", "last line opens a code fence", "remove this line"),
        (
            f"{TEMPLATE}\n# Next\n\nGo on.",
            " closes this code block instead of the one that opens on line ",
            "fence it with 4 backticks",
        ),
    ],
)
def test_an_unclosed_fence_is_explained(body: str, message: str, remedy: str, tmp_path: Path) -> None:
    [(found, help_)] = findings(tmp_path / "pdf-tools", body, "unclosed-fence")
    assert message in found
    assert help_ is not None
    assert remedy in help_


# The first line of the template was removed, its last line was not.
LOST_START = """\
# Report

See [the sheet](sheet.md).
```

## Next

```sh
make
```

Then see [the fields](gone.md).
"""


def test_an_end_without_a_start_is_reported_and_text_before_it_has_no_broken_links(tmp_path: Path) -> None:
    [(found, help_)] = findings(tmp_path / "pdf-tools", LOST_START, "unclosed-fence")
    assert found == "code fence is not closed before another one opens on line 13"
    assert help_ is not None
    assert "remove this line" in help_
    [(found, _)] = findings(tmp_path / "pdf-tools", LOST_START, "broken-link")
    assert "gone.md" in found
    before = "See [it](gone.md).\n\n```sh\nls\n```\n\n"
    assert len(findings(tmp_path / "pdf-tools", before + LOST_START, "broken-link")) == 2


def test_two_ends_without_a_start_after_nested_blocks_hide_no_template(tmp_path: Path) -> None:
    body = "See [a](a.md).\n\n```sh\nls\n```\n````\n\nNotes.\n````\n\nSee [b](b.md).\n"
    [(found, _)] = findings(tmp_path / "pdf-tools", body, "broken-link")
    assert "b.md" in found
    apart = body.replace("```\n````", "```\n\n````")
    assert len(findings(tmp_path / "pdf-tools", apart, "broken-link")) == 2


@pytest.mark.parametrize(
    "body",
    [
        "```\ncopy it:\n\n    ```sh\n    cp a b\n    ```\n\nDone.\n```\n",
        "<good>\n```sh\nls\n\nmore\n```\n</good>\n\n<bad>\n```sh\nls\n```\n</bad>\n",
        "````\n```sh\nls\n```\n````\n",
        "```\n~~~sh\nls\n~~~\n```\n",
        "1. Run\n\n   ```\n   ls\n   ```\n\n2. Run\n\n   ```sh\n   ls\n   ```\n",
    ],
)
def test_a_fence_that_is_closed_where_a_reader_sees_it_is_not_reported(body: str, tmp_path: Path) -> None:
    assert findings(tmp_path / "pdf-tools", body, "unclosed-fence") == []


def test_a_fence_with_another_one_in_it_is_reported_once(tmp_path: Path) -> None:
    [(found, help_)] = findings(tmp_path / "pdf-tools", TEMPLATE.replace("markdown", ""), "unclosed-fence")[
        :1
    ]
    assert "line 11 closes this code block instead of the one that opens on line 9" in found
    assert help_ == "fence it with 4 backticks, here and on line 14"
    [(found, _)] = findings(tmp_path / "pdf-tools", "```\na\n\n```sh\nls", "unclosed-fence")
    assert "never closed" in found

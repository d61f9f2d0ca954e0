"""The page of each runtime shows what the command prints, and no runtime is left out."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from skilltool import runtimes
from tests.conftest import Skilltool

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted((DOCS / "runtimes").glob("*.md"))
COPIED = re.compile(r"^This example uses the skill `examples/([\w-]+)`, copied to `(.+?)`\.$", re.MULTILINE)
BLOCK = re.compile(r"^(```+)console\n\$ skilltool ([^\n]+)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


def test_every_runtime_is_in_the_index_and_has_a_page_or_is_an_edition_on_one() -> None:
    index = (DOCS / "runtimes.md").read_text("utf-8")
    linked = re.findall(r"^\| \[`(\S+)`\]\(runtimes/\1\.md\)", index, re.MULTILINE)
    assert sorted(linked) == sorted(page.stem for page in PAGES)
    assert set(linked) >= {"portable", *runtimes.BARE}
    for name in set(runtimes.IDS) - set(linked):
        page = DOCS / "runtimes" / f"{name.partition('@')[0]}.md"
        assert f"| `{name}` |" in page.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_its_blocks_show_what_the_command_prints(page: Path, tmp_path: Path, skilltool: Skilltool) -> None:
    text = page.read_text("utf-8")
    blocks = BLOCK.findall(text)
    assert len(blocks) == text.count("$ skilltool ")
    home, project = tmp_path / "home" / "you", tmp_path / "home" / "you" / "project"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    for name, place in COPIED.findall(text):
        directory = home / place[2:] if place.startswith("~/") else project / place
        shutil.copytree(ROOT / "examples" / name, directory / name)
    for _, command, shown in blocks:
        run = skilltool(*shlex.split(command), "--raw", cwd=project, HOME=str(home))
        assert run.returncode == 0, run.stderr
        assert run.stdout.replace(str(tmp_path), "").rstrip("\n") == shown.rstrip("\n")

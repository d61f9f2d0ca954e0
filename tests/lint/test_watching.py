"""`lint --watch`: a real process in a terminal, real files that change, vanish and come back."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from skilltool.cli.watch import _reader as output_reader
from skilltool.lint import watching
from tests.conftest import MakeSkill, Skilltool
from tests.support.terminal import PATIENCE, Terminal

WAITING = "waiting for changes (press Ctrl-C to stop)"
CLEAR = "\x1b[2J\x1b[1;1H"
HEAD = "---\nname: {}\ndescription: Fills in forms. Use when the user mentions a form.\n---\n\n# Forms\n"


@pytest.fixture
def watched(repo: Path, make_skill: MakeSkill) -> Path:
    """The directory `skills` with one skill, `a`."""
    make_skill(repo / "skills" / "a")
    return repo / "skills"


@pytest.mark.slow
def test_it_checks_again_after_each_change_and_ends_with_ctrl_c(watched: Path, repo: Path) -> None:
    file = watched / "a" / "SKILL.md"
    with Terminal("lint", "--watch", "skills", cwd=repo) as terminal:
        first = terminal.until(WAITING)
        assert first.startswith(f"{CLEAR}1 skill checked against `portable`, no findings\r\n")

        file.write_text(HEAD.format("a") + "\n[x](gone.md)\n", "utf-8")
        again = terminal.until(WAITING)
        assert again.startswith(CLEAR)
        assert again.count(CLEAR) == 1
        assert "broken-link" in again

        (watched / "a" / "gone.md").touch()  # a file that is only named is read, too
        assert "no findings" in terminal.until(WAITING)

        beside = watched / "a" / ".SKILL.md.swp"  # as editors save: a new file is moved into its place
        beside.write_text(HEAD.format("other"), "utf-8")
        beside.replace(file)
        terminal.until("name-directory-mismatch", WAITING)

        assert terminal.interrupt() == 130


@pytest.mark.slow
def test_rules_about_the_whole_collection_run_again(watched: Path, repo: Path) -> None:
    with Terminal("lint", "--watch", "--output-format", "concise", cwd=repo, NO_COLOR="1") as terminal:
        terminal.until(WAITING)
        deep = watched / "b" / "references"
        deep.mkdir(parents=True)
        (deep.parent / "SKILL.md").write_text(HEAD.format("a"), "utf-8")
        terminal.until("skills/b/SKILL.md:2:7: warning[duplicate-name]", WAITING)
        (deep.parent / "SKILL.md").write_text(HEAD.format("b") + "\n[x](references/x.md)\n", "utf-8")
        terminal.until("broken-link", WAITING)
        (deep / "x.md").touch()  # in a directory that was made while it watched
        terminal.until("2 skills checked against `portable`, no findings", WAITING)


@pytest.mark.slow
def test_it_waits_for_vanished_files(watched: Path, repo: Path, make_skill: MakeSkill) -> None:
    with Terminal("lint", "--watch", "skills", cwd=repo) as terminal:
        terminal.until(WAITING)
        shutil.rmtree(watched / "a")
        terminal.until("no skills found in `skills`", WAITING)
        shutil.rmtree(watched)
        terminal.until("skills: No such file or directory", WAITING)
        make_skill(watched / "b")
        terminal.until("1 skill checked against `portable`, no findings", WAITING)
        shutil.rmtree(watched / "b")
        make_skill(watched / "b")
        assert "1 skill checked against `portable`, no findings" in terminal.until(WAITING)
        # The same name is another directory now: a change in it must be seen all the same.
        (watched / "b" / "SKILL.md").write_text(HEAD.format("b") + "\n[x](gone.md)\n", "utf-8")
        terminal.until("broken-link", WAITING)
        repo.rename(repo.parent / "moved")
        terminal.until(f"{repo}: No such file or directory", WAITING)
        (repo.parent / "moved").rename(repo)
        terminal.until("broken-link", WAITING)
        assert terminal.process.poll() is None


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--config", "own.toml", "--baseline", "known.json"]])
def test_the_working_directory_may_be_deleted_and_come_back(
    skilltool: Skilltool, watched: Path, repo: Path, make_skill: MakeSkill, options: list[str]
) -> None:
    (repo / "own.toml").touch()
    skilltool("baseline", "-o", "known.json")
    known = (repo / "known.json").read_bytes()
    with Terminal("lint", "--watch", *options, cwd=repo) as terminal:
        terminal.until(WAITING)
        shutil.rmtree(repo)
        terminal.until(f"{repo}: No such file or directory", WAITING)
        make_skill(repo / "skills" / "a", HEAD.format("a") + "\n[x](gone.md)\n")
        (repo / "own.toml").touch()
        (repo / "known.json").write_bytes(known)
        terminal.until("broken-link", WAITING)
        assert terminal.interrupt() == 130


@pytest.mark.slow
def test_the_configuration_is_reloaded_and_may_be_invalid_for_a_while(watched: Path, repo: Path) -> None:
    (watched / "a" / "SKILL.md").write_text(HEAD.format("a") + "\n[x](gone.md)\n", "utf-8")
    settings = repo / "skilltool.toml"
    with Terminal("lint", "--watch", "skills", cwd=repo) as terminal:
        terminal.until("broken-link", WAITING)
        settings.write_text('ignore = ["broken-lnk"]\n', "utf-8")
        terminal.until("did you mean `broken-link`?", WAITING)
        settings.write_text('ignore = ["broken-link"]\n', "utf-8")
        terminal.until("no findings", WAITING)
        settings.unlink()
        terminal.until("broken-link", WAITING)


@pytest.mark.slow
def test_links_out_of_the_tree_are_followed_only_to_skills(
    watched: Path, repo: Path, tmp_path: Path, make_skill: MakeSkill
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (watched / "way-out").symlink_to(outside, target_is_directory=True)
    (watched / "loop").symlink_to(watched, target_is_directory=True)
    linked = make_skill(tmp_path / "linked")
    (watched / "linked").symlink_to(linked, target_is_directory=True)
    with Terminal("lint", "--watch", "skills", cwd=repo) as terminal:
        assert "2 skills checked" in terminal.until(WAITING)
        (outside / "file").touch()
        (repo / "beside").touch()
        assert terminal.quiet(1)
        (linked / "SKILL.md").write_text(HEAD.format("linked") + "\n[x](gone.md)\n", "utf-8")
        terminal.until("broken-link", WAITING)


@pytest.mark.slow
def test_its_own_cache_does_not_wake_it(watched: Path, repo: Path) -> None:
    with Terminal("lint", "--watch", "--cache-dir", "cache", cwd=repo) as terminal:
        terminal.until(WAITING)
        assert terminal.quiet(1)
        (watched / "a" / "SKILL.md").write_text(HEAD.format("a") + "\n[x](gone.md)\n", "utf-8")
        terminal.until("broken-link", WAITING)
        assert terminal.quiet(1)
        assert list((repo / "cache").iterdir())


@pytest.mark.slow
def test_without_a_terminal_nothing_is_cleared(watched: Path, repo: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "skilltool", "lint", "--watch", "skills"],
        cwd=repo,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"1 skill checked against `portable`, no findings\n"
        (watched / "a" / "SKILL.md").write_text(HEAD.format("a") + "\n[x](gone.md)\n", "utf-8")
        assert process.stdout.readline().startswith(b"warning[broken-link]")
        process.kill()
        process.wait(PATIENCE)


@pytest.mark.slow
def test_it_ends_when_its_reader_is_gone(watched: Path, repo: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "skilltool", "lint", "--watch", "skills"],
        cwd=repo,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(PATIENCE) == 0
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


@pytest.mark.slow
def test_directories_that_keep_changing_do_not_block_the_check(watched: Path, repo: Path) -> None:
    with Terminal("lint", "--watch", "skills", cwd=repo) as terminal:
        terminal.until(WAITING)
        (watched / "a" / "SKILL.md").write_text(HEAD.format("a") + "\n[x](gone.md)\n", "utf-8")
        over = threading.Event()

        def come_and_go() -> None:
            for number in itertools.count():
                (watched / "a" / f"d{number}").mkdir()
                over.wait(0.01)
                if over.is_set():
                    return
                (watched / "a" / f"d{number}").rmdir()

        busy = threading.Thread(target=come_and_go)
        busy.start()
        try:
            terminal.until("broken-link", WAITING)
            terminal.until("broken-link", WAITING)
        finally:
            over.set()
            busy.join()


@pytest.mark.slow
def test_a_format_for_programs_is_not_watched(watched: Path, repo: Path) -> None:
    with Terminal("lint", "--watch", "--output-format", "json", cwd=repo) as terminal:
        shown = terminal.until(WAITING)
        assert "--watch prints `full`, since the format `json` is for programs" in shown
        assert "1 skill checked against `portable`, no findings" in shown


@pytest.mark.parametrize(
    "options", [["--fix"], ["--diff"], ["-o", "x"], ["-", "--stdin-filename", "a/SKILL.md"]]
)
def test_watch_refuses_other_modes(skilltool: Skilltool, watched: Path, options: list[str]) -> None:
    run = skilltool("lint", "--watch", *options)
    assert (run.returncode, run.stdout) == (2, "")
    assert "--watch cannot be used together with" in run.stderr


@pytest.mark.slow
def test_a_system_without_watches_is_polled(watched: Path, repo: Path) -> None:
    with Terminal("lint", "--watch", "skills", cwd=repo, WATCHFILES_FORCE_POLLING="1") as terminal:
        terminal.until(WAITING)
        while not terminal.quiet(1.2):  # a poll compares seconds, and first looks a moment later
            pass
        (watched / "a" / "SKILL.md").write_text(HEAD.format("a") + "\n[x](gone.md)\n", "utf-8")
        terminal.until("broken-link", WAITING)


def test_a_tree_without_an_end_is_watched_near_its_top(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    deep = tmp_path.joinpath(*"abcdefgh")
    deep.mkdir(parents=True)
    monkeypatch.setattr(watching, "MAX_DIRECTORIES", 4)
    nearest = {tmp_path, tmp_path / "a", tmp_path / "a/b", tmp_path / "a/b/c"}
    assert set(watching.directories_below(tmp_path)) == nearest
    monkeypatch.setattr(watching, "MAX_ENTRIES", 2)
    assert set(watching.directories_below(tmp_path)) == {tmp_path, tmp_path / "a"}


def test_output_is_read_until_its_file_is_another_or_its_reader_is_gone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with (tmp_path / "out").open("w+") as file:
        monkeypatch.setattr(sys, "stdout", file)
        reads = output_reader()
        file.write("x")
        file.flush()
        assert reads()
        with (tmp_path / "other").open("w") as other:
            monkeypatch.setattr(sys, "stdout", other)
            assert not reads()
    reader, writer = os.pipe()
    with os.fdopen(writer, "w") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        reads = output_reader()
        assert reads()
        os.close(reader)
        assert not reads()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_what_is_typed_does_not_end_the_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.openpty()
    with os.fdopen(ours, "wb"), os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        reads = output_reader()
        os.write(ours, b"typed\n")
        assert reads()

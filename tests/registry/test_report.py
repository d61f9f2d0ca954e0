"""The report: every number is in the tables, every text is escaped, and the file needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'skilltool[registry]'")

from skilltool.registry.report import write_report
from skilltool.registry.report.figures import Distribution, figures
from skilltool.registry.report.page import bar, compact, histogram, share
from tests.preview.browsing import ATTACK, harmful
from tests.registry.made_tables import RUNTIMES, Rows, registry, write_tables


def report(folder: Path, rows: Rows) -> str:
    write_report(write_tables(folder / "tables", rows), folder / "report.html")
    return (folder / "report.html").read_text("utf-8")


def words(html: str) -> str:
    """The text of a page, in one line."""
    shown = re.sub(r"<(style|title)>.*?</\1>", " ", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", shown)).split())


def test_the_numbers_are_those_of_the_tables(tmp_path: Path) -> None:
    rows = registry()
    found = figures(write_tables(tmp_path, rows))
    skills = rows["skills"]
    checked = [row for row in skills if row["status"] == "checked"]
    assert found.run == rows["runs"][0]
    assert found.statuses == Counter(row["status"] for row in skills)
    assert found.worst["errors"] == sum(row["errors"] > 0 for row in checked)
    assert found.worst["warnings"] == sum(row["warnings"] > 0 and not row["errors"] for row in checked)
    assert found.worst["clean"] == sum(not row["warnings"] and not row["errors"] for row in checked)
    assert sum(found.worst.values()) == len(skills)
    assert found.unlicensed == sum(row["licence"] is None for row in checked)
    assert {each.name: each.skills for each in found.sources} == Counter(row["source"] for row in skills)
    assert [each.skills for each in found.sources] == sorted(
        (each.skills for each in found.sources), reverse=True
    )
    assert sum(each.with_errors for each in found.sources) == found.worst["errors"]
    assert sum(each.unchecked for each in found.sources) == 1
    assert found.found == Counter((row["rule"], row["severity"]) for row in rows["findings"])
    assert found.affected == Counter(row["rule"] for row in rows["findings"])
    assert found.verdicts == Counter((row["runtime"], row["state"], row["cut"]) for row in rows["verdicts"])


def test_a_distribution_has_every_value_in_its_bin(tmp_path: Path) -> None:
    rows = registry()
    found = figures(write_tables(tmp_path, rows))
    for each in found.distributions:
        values = sorted(row[each.column] for row in rows["skills"] if row["status"] == "checked")
        assert each.total == len(values)
        expected = Counter(value.bit_length() for value in values)
        assert {at: count for at, count in enumerate(each.bins) if count} == expected
        assert each.percentiles[0] == values[(len(values) - 1) // 2]


def test_clusters_are_counted_once_each(tmp_path: Path) -> None:
    rows = registry()
    found = figures(write_tables(tmp_path, rows))
    for each in found.clusters:
        of_kind = [row for row in rows["clusters"] if row["kind"] == each.kind]
        assert each.number == len({row["cluster"] for row in of_kind})
        assert each.copies == len(of_kind) - each.number
        assert [cluster.size for cluster in each.largest] == sorted(
            (row["size"] for row in of_kind if row["skill_id"] == row["cluster"]), reverse=True
        )


def test_partitions_add_up(tmp_path: Path) -> None:
    rows = registry()
    whole = figures(write_tables(tmp_path / "whole", rows))
    for part in range(3):
        some = {
            name: [row for row in table if int(row["skill_id"][-2:]) % 3 == part] if name != "runs" else []
            for name, table in rows.items()
        }
        write_tables(tmp_path / "parts", some, part)
    write_tables(tmp_path / "parts", {"runs": rows["runs"]}, 3)
    (tmp_path / "parts" / "skills" / ".part-00009.parquet").write_bytes(b"half of a file")
    assert figures(tmp_path / "parts") == whole


def test_a_page_says_what_an_operator_asks(tmp_path: Path) -> None:
    shown = words(report(tmp_path, registry()))
    assert "Survey of 40 skills" in shown
    assert "not complete" not in shown
    for runtime in RUNTIMES:
        assert re.search(rf"{runtime} [\d.]+% loaded", shown)
    assert "unknown-field" in shown
    assert "community.parquet" in shown
    assert "unreadable" in shown


def test_tables_that_are_not_complete_say_so(tmp_path: Path) -> None:
    rows = registry()
    rows["runs"][0] |= {"complete": False, "finished": None}
    assert "the tables are not complete" in words(report(tmp_path / "a", rows))
    assert "so they are incomplete" in words(report(tmp_path / "b", {"skills": rows["skills"]}))


def test_empty_tables_have_a_report(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    write_report(tmp_path / "tables", tmp_path / "report.html")
    assert "Survey of 0 skills" in words((tmp_path / "report.html").read_text("utf-8"))
    assert "No skill is a copy" in words(report(tmp_path, {}))


def test_the_text_of_a_stranger_is_escaped(tmp_path: Path) -> None:
    rows = registry()
    hostile = f"{ATTACK}\x1b[31m\u202e"
    for row in rows["skills"][:3]:
        row["source"] = hostile
    rows["clusters"] = [{**row, "cluster": hostile, "skill_id": hostile} for row in rows["clusters"]]
    rows["runs"][0]["sources"] = [hostile]
    rows["verdicts"][0] |= {"runtime": hostile, "state": hostile}
    rows["findings"][0] |= {"rule": hostile, "severity": hostile}
    rows["skills"][5]["status"] = hostile
    page = report(tmp_path, rows)
    assert ATTACK not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "U+202E" in page
    assert harmful(page) == ["style None"]
    assert page.count("owned") > 5


def test_the_policy_allows_the_one_style_and_nothing_else(tmp_path: Path) -> None:
    page = report(tmp_path, registry())
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert unescape(policy) == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert not re.search(r"<script|https?://| style=|url\(|@import|\son\w+=", page)


def test_bars_have_the_width_of_their_share(tmp_path: Path) -> None:
    page = report(tmp_path, registry())
    (found,) = re.findall(r'<svg class="bar" role="img" aria-label="claude-code: .*?</svg>', page, re.DOTALL)
    widths = [
        float(width) for width in re.findall(r'class="fill [\w-]+" x="[\d.]+%" width="([\d.]+)%"', found)
    ]
    numbers = [int(number) for number in re.findall(r": (\d+) \(", found)]
    assert sum(widths) == pytest.approx(100, abs=0.01)
    assert widths == pytest.approx([100 * number / sum(numbers) for number in numbers], abs=0.01)


@given(st.dictionaries(st.sampled_from("abcd"), st.integers(0, 10**7)), st.integers(1, 10**8))
def test_segments_follow_each_other(counts: dict[str, int], more: int) -> None:
    whole = sum(counts.values()) + more
    found = bar("x", counts, "dcba", whole)
    end = 0.0
    for each in found.segments:
        assert each.start == pytest.approx(end)
        assert each.width == pytest.approx(100 * counts[each.kind] / whole)
        end += each.width
    assert end <= 100.001


@given(st.lists(st.integers(0, 2**40), min_size=1, max_size=50))
def test_a_histogram_has_marks_in_the_columns_of_their_values(values: list[int]) -> None:
    bins = [0] * (max(values).bit_length() + 1)
    for value in values:
        bins[value.bit_length()] += 1
    ordered = sorted(values)
    percentiles = tuple(ordered[(len(ordered) - 1) * percent // 100] for percent in (50, 90, 99))
    found = histogram(Distribution("x", tuple(bins), percentiles))
    if not any(values):
        assert found is None
        return
    assert found is not None
    assert found.zeros == values.count(0)
    assert max(column.height for column in found.columns) == 100
    assert sum(column.number for column in found.columns) == len(values) - found.zeros
    for mark in found.marks:
        if not mark.value:
            assert mark.at == 0
            continue
        (column,) = [each for each in found.columns if each.low <= mark.value <= each.high]
        assert column.start - 0.001 <= mark.at <= column.start + column.width + 0.001
    assert len(found.ticks) <= 6


def test_no_value_has_no_histogram() -> None:
    assert histogram(Distribution("x", (), ())) is None


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0"), (512, "512"), (1024, "1k"), (8192, "8k"), (1 << 20, "1M"), (1 << 31, "2G")]
)
def test_ticks_are_short(number: int, text: str) -> None:
    assert compact(number) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (0, 0, "0%"),
        (0, 9, "0%"),
        (9, 9, "100%"),
        (1, 3, "33.3%"),
        (1, 10**6, "< 0.1%"),
        (999_999, 10**6, "> 99.9%"),
    ],
)
def test_a_share_is_not_rounded_to_nothing_or_to_all(part: int, whole: int, text: str) -> None:
    assert share(part, whole) == text


def test_a_report_that_exists_is_replaced_whole(tmp_path: Path) -> None:
    first = report(tmp_path, registry())
    second = report(tmp_path, registry(changed=True))
    assert first != second
    assert list(tmp_path.glob(".skilltool-*")) == []

"""What plain scalars mean in YAML 1.2 and in YAML 1.1; PyYAML is the judge of the latter."""

from __future__ import annotations

import datetime
import math

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool.text.frontmatter import Timestamp, core_value, yaml11_value
from tests.conftest import examples

# text, YAML 1.2 core schema, YAML 1.1
TABLE = [
    ("", None, None),
    ("~", None, None),
    ("null", None, None),
    ("NULL", None, None),
    ("nULL", "nULL", "nULL"),
    ("true", True, True),
    ("False", False, False),
    ("no", "no", False),
    ("Yes", "Yes", True),
    ("on", "on", True),
    ("OFF", "OFF", False),
    ("y", "y", True),
    ("N", "N", False),
    ("0", 0, 0),
    ("-0", 0, 0),
    ("+12", 12, 12),
    ("010", 10, 8),
    ("0o10", 8, "0o10"),
    ("08", 8, "08"),
    ("0x1F", 31, 31),
    ("0b11", "0b11", 3),
    ("-0b1_1", "-0b1_1", -3),
    ("0_", "0_", 0),
    ("0b_", "0b_", "0b_"),
    ("0x_", "0x_", "0x_"),
    ("0xg", "0xg", "0xg"),
    ("-0x1f", "-0x1f", -31),
    ("+0o7", "+0o7", "+0o7"),
    ("00", 0, 0),
    ("1_000", "1_000", 1000),
    ("12:30", "12:30", 750),
    ("12:30:45", "12:30:45", 45045),
    ("-1:30", "-1:30", -90),
    ("0:30", "0:30", "0:30"),
    ("1:60", "1:60", "1:60"),
    ("9007199254740993:00", "9007199254740993:00", 9007199254740993 * 60),
    ("1" + ":0" * 200, "1" + ":0" * 200, 60**200),
    ("1" + ":0" * 200 + ".5", "1" + ":0" * 200 + ".5", math.inf),
    ("1" * 3500, int("1" * 3500), int("1" * 3500)),
    ("0x" + "f" * 3498, int("f" * 3498, 16), int("f" * 3498, 16)),
    ("1" * 4001, math.inf, "1" * 4001),
    ("1e3", 1000.0, "1e3"),
    ("1.0e+3", 1000.0, 1000.0),
    ("1.", 1.0, 1.0),
    (".5", 0.5, 0.5),
    ("-.5", -0.5, -0.5),
    ("1_0.5_0", "1_0.5_0", 10.5),
    (".", ".", "."),
    ("+", "+", "+"),
    ("1.5e3", 1500.0, "1.5e3"),
    ("-1.E-2", -0.01, -0.01),
    ("1e", "1e", "1e"),
    ("1.5.2", "1.5.2", "1.5.2"),
    ("1:30.5", "1:30.5", 90.5),
    (".inf", math.inf, math.inf),
    ("-.INF", -math.inf, -math.inf),
    ("2026-03-01", "2026-03-01", Timestamp("2026-03-01")),
    ("2026-3-1", "2026-3-1", "2026-3-1"),
    ("2026-03-01 10:00:00", "2026-03-01 10:00:00", Timestamp("2026-03-01 10:00:00")),
    ("2026-3-1T1:00:00.5 +5:30", "2026-3-1T1:00:00.5 +5:30", Timestamp("2026-3-1T1:00:00.5 +5:30")),
    ("2026-03-01T10:00:00+0530", "2026-03-01T10:00:00+0530", "2026-03-01T10:00:00+0530"),
    ("2026-13-45", "2026-13-45", Timestamp("2026-13-45")),
    ("v1.0", "v1.0", "v1.0"),
    ("1\n", "1\n", "1\n"),
    ("١٢", "١٢", "١٢"),
    ("tRUE", "tRUE", "tRUE"),
    ("Null", None, None),
    ("True\n", "True\n", "True\n"),
    ("9" * 5000, math.inf, "9" * 5000),
    ("-" + "9" * 5000, -math.inf, "-" + "9" * 5000),
    ("0" * 5000 + "7", 7.0, "0" * 5000 + "7"),
    ("0x" + "f" * 5000, math.inf, "0x" + "f" * 5000),  # an integer of which nobody could write the decimals
    ("0o" + "0" * 5000, 0.0, "0o" + "0" * 5000),
    ("1e" + "9" * 5000, math.inf, "1e" + "9" * 5000),
]


@pytest.mark.together
@pytest.mark.parametrize(("text", "core", "old"), TABLE, ids=[repr(row[0])[:20] for row in TABLE])
def test_a_scalar_has_its_value_and_type_in_both_versions(text: str, core: object, old: object) -> None:
    for expected, actual in ((core, core_value(text)), (old, yaml11_value(text))):
        assert (type(expected), expected) == (type(actual), actual)


def test_not_a_number_is_a_number_in_both() -> None:
    for value in (core_value(".nan"), yaml11_value(".NaN")):
        assert isinstance(value, float)
        assert math.isnan(value)


@settings(max_examples=examples(500))
@given(st.text(alphabet="0123456789_:.+-eExobXnyNYtrueTRUfalsFALSnul~TZ ", min_size=1, max_size=14))
def test_yaml_1_1_agrees_with_pyyaml(text: str) -> None:
    """Where PyYAML leaves the repository we do not: `y`, `n`, `-.5`, and dates that no calendar has."""
    try:
        expected = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, OverflowError):
        return
    if (
        text != text.strip()
        or text in {"y", "Y", "n", "N"}
        or text[:2] in {"-.", "+."}
        or text[:3] in {"---", "..."}
        or isinstance(expected, dict | list)
    ):
        return
    actual = yaml11_value(text)
    if isinstance(expected, datetime.date):
        assert isinstance(actual, Timestamp)
    elif isinstance(expected, float) and math.isnan(expected):
        assert isinstance(actual, float)
    else:
        assert (type(expected), expected) == (type(actual), actual)

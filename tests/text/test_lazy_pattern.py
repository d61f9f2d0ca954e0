"""A pattern that is compiled when it is first used is the pattern that `re.compile` makes."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.text.lazy_pattern import lazy_pattern

SOURCES = (r"a|(?P<letter>[bc])", r"\s+", r"^x?$", "")
TEXTS = st.text("abcx \n", max_size=12)


@given(st.sampled_from(SOURCES), st.sampled_from([0, re.MULTILINE, re.IGNORECASE]), TEXTS)
def test_every_method_answers_as_that_of_the_compiled_pattern(source: str, flags: int, text: str) -> None:
    lazy, real = lazy_pattern(source, flags), re.compile(source, flags)
    assert [str(each) for each in lazy.finditer(text)] == [str(each) for each in real.finditer(text)]
    for method in ("search", "match", "fullmatch"):
        assert str(getattr(lazy, method)(text, 1)) == str(getattr(real, method)(text, 1))
    assert (lazy.findall(text), lazy.split(text)) == (real.findall(text), real.split(text))
    assert (lazy.sub("-", text), lazy.subn("-", text, 1)) == (real.sub("-", text), real.subn("-", text, 1))
    assert (lazy.pattern, lazy.flags, lazy.groupindex) == (real.pattern, real.flags, real.groupindex)
    assert pickle.loads(pickle.dumps(lazy)).findall(text) == real.findall(text)


def test_a_fault_is_raised_when_it_is_used() -> None:
    faulty = lazy_pattern("(")
    with pytest.raises(re.error):
        faulty.search("")


def test_a_module_compiles_none_while_it_is_imported() -> None:
    program = """
import re, sys
compiled = re.compile
def count(source, flags=0):
    callers.append(sys._getframe(1).f_globals["__name__"])
    return compiled(source, flags)
re.compile = count
callers = []
from skilltool.rules.shared import text_signs
assert not [each for each in callers if each.startswith("skilltool.rules")], callers
text_signs._FENCED.search("")
assert callers[-1] == "skilltool.text.lazy_pattern", callers
"""
    subprocess.run([sys.executable, "-c", program], check=True)

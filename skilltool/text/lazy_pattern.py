"""A pattern that is compiled when it is first used: a run uses few of those that its modules hold.

All patterns of the package take a fifth of a warm run to compile.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


class LazyPattern:
    """Stands for a `re.Pattern`: has its methods and attributes, and compiles it when asked for the first."""

    __slots__ = ("_flags", "_source", *_METHODS)

    def __init__(self, source: str | bytes, flags: int) -> None:
        """Take what `re.compile` takes."""
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the compiled pattern; from then on its methods are found here."""
        compiled = re.compile(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)

    def __reduce__(self) -> tuple[type[LazyPattern], tuple[str | bytes, int]]:
        """Pickle what it was made of."""
        return LazyPattern, (self._source, self._flags)


def lazy_pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern as `re.compile` does, which is compiled when it is first used.

    A fault in it is raised then; functions of `re` do not take it, its own methods do the same.
    """
    return cast("re.Pattern[AnyStr]", LazyPattern(source, flags))

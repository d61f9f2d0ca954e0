"""Is what a task found about all skills of a run still so? The rules about many skills, and about manifests.

Unlike that of one skill, its result depends on whatever its clients read on their way: directories above and
beside the skills, settings, links. So all of that was recorded when it was found.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from skilltool.findings.secrets import without_secrets
from skilltool.lint.cache import reads
from skilltool.lint.cache.reads import State
from skilltool.lint.cache.store import Row
from skilltool.lint.settings import Settings

if TYPE_CHECKING:
    from skilltool.lint.cache.store import Store

_MOST_AS_TEXT = 1 << 14  # bytes: to import `hashlib` takes as long as to compare very many
_VARIABLES = ("HOME", "USERPROFILE")  # of the environment, on which an answer depends


class KeptTask:
    """The kept result of one task; `about` are the values, as for JSON, that tell it from others."""

    def __init__(self, store: Store, settings: Settings, name: str, about: Sequence[Any]) -> None:
        """Take an open store, and the settings of the run."""
        environment = [os.environ.get(variable) for variable in _VARIABLES]
        relevant = settings._replace(jobs=0, cache=None, output_format="", fail_on=None, baseline=None)
        directory = os.getcwd()
        self._known = _text([directory, environment, relevant, about])
        self._store = store
        # Runs whose keys are equal by chance overwrite each other's result; the digest tells it from theirs.
        self._key = b"\0".join((b"", name.encode(), os.fsencode(directory), b"%08x" % crc32(self._known)))
        self._row = store.get(self._key)

    @property
    def is_known(self) -> bool:
        """Whether there is a result, which may be out of date."""
        return self._row is not None

    def get(self, given: Any, parse: Callable[[Any], Any]) -> Any:
        """Return what `parse` makes of the result for this input, as for JSON; None if it is out of date.

        `parse` raises ValueError for what another program wrote.
        """
        row = self._row
        if row is None or row.digest != self._digest(given):
            return None
        try:
            state: State = json.loads(row.dependencies)
            now = reads.current(state)
            if now is None:
                return None
            found = parse(json.loads(row.result))
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
        if now != state:
            self._store.put(self._key, row._replace(dependencies=json.dumps(now)))
        return found

    def put(self, given: Any, states: Sequence[State | None], result: Any) -> None:
        """Keep a result, as for JSON, of this input and of what is in these states, if all are known."""
        merged: State = {}
        for state in states:
            if state is None:
                return
            for kind, paths in state.items():
                merged.setdefault(kind, {}).update(paths)
        dependencies = json.dumps(merged)
        if without_secrets(dependencies) == dependencies:
            self._store.put(self._key, Row(b"", self._digest(given), dependencies, json.dumps(result)))

    def _digest(self, given: Any) -> bytes:
        """Return what stands for the input and all that was known before: itself, or a digest of much."""
        text = b"\0".join((self._known, _text(given)))
        if len(text) <= _MOST_AS_TEXT:
            return text
        from hashlib import blake2b

        return blake2b(text).digest()


def _text(value: Any) -> bytes:
    """Return a value that is plain data, apart from paths and sets, as JSON."""
    text = json.dumps(value, default=lambda each: os.fspath(each) if isinstance(each, Path) else sorted(each))
    return text.encode()

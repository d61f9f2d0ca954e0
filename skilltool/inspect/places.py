"""In which directories would runtimes look for skills, whether they exist or not?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from skilltool.files.repository import up_to_repository
from skilltool.runtimes.base import Runtime

_PROJECT, _HOME = "{project}/", "{home}/"


def places(runtimes: Iterable[Runtime], project: Path, home: Path) -> Iterator[Path]:
    """Yield the usual roots of runtimes: in the project, the directories above it, and the home directory."""
    above = up_to_repository(project)
    for runtime in runtimes:
        for root in runtime.roots:
            template = root.path_template or ""
            if template.startswith(_PROJECT):
                yield from (directory / template.removeprefix(_PROJECT) for directory in above)
            elif template.startswith(_HOME):
                yield Path(os.path.abspath(home)) / template.removeprefix(_HOME)

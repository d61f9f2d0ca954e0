"""Where `schemas/` and `templates/` are: inside an installed package, or at the top of a checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def data(name: str) -> Path:
    """Return the directory called `name`, `"schemas"` or `"templates"`.

    A wheel holds them in `skilltool/_data`; an editable install copies nothing and
    reads the checkout.
    """
    here = Path(__file__).parent
    packaged = here / "_data"
    return (packaged if packaged.is_dir() else here.parent) / name

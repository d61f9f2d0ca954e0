"""Where `schemas/` and `templates/` are: inside an installed package, or at the top of a checkout."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


@cache
def data(name: str) -> Traversable:
    """Return the directory called `name`, `"schemas"` or `"templates"`.

    A wheel holds them in `skilltool/_data`; an editable install copies nothing and
    reads the checkout.
    """
    packaged = files("skilltool") / "_data"
    root: Traversable = packaged if packaged.is_dir() else Path(__file__).parents[1]
    return root / name

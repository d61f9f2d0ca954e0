"""Where the repository is: the one place that its owner fills in. `.ci/generate` writes it into the pages."""

import re

REPOSITORY = "OWNER/skilltool"  # on GitHub

_NAMED = re.compile(
    r"(?<=github\.com/)[\w.-]+/skilltool\b|(?<=githubusercontent\.com/)[\w.-]+/skilltool\b"
    r"|(?<=uses: )[\w.-]+/skilltool(?=@)|(?<=`)[\w.-]+/skilltool(?=`)"
)


def filled(page: str) -> str:
    """Return a page with the repository where it names an earlier one."""
    return _NAMED.sub(REPOSITORY, page)

"""For whom were the skills checked, and why? The data that says so to programs."""

from __future__ import annotations

from skilltool.files.paths import display_path
from skilltool.lint.result import Report


def audience_entries(report: Report) -> list[dict[str, object]]:
    """Return an entry per skill, sorted by path, as JSON values: `audience` in the schema of reports."""
    return [
        {
            "path": path,
            "owners": list(each.owners),
            "readers": list(each.readers),
            "reason": each.reason,
            "clients": list(each.clients),
            "links": [display_path(link) for link in each.links],
        }
        for path, each in sorted(report.audiences.items())
    ]

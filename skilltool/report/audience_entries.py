"""For whom were the skills checked, and why? The data that says so to programs."""

from __future__ import annotations

from skilltool.files.paths import display_path
from skilltool.lint.result import Report


def audience_entries(report: Report) -> list[dict[str, object]]:
    """Return an entry per skill, sorted by path, as JSON values: `audience` in the schema of reports."""
    return [
        {
            "path": path,
            "owners": list(audience.owners),
            "readers": list(audience.readers),
            "reason": audience.reason,
            "clients": list(audience.clients),
            "links": [display_path(link) for link in audience.links],
        }
        for path, audience in sorted(report.audiences.items())
    ]

"""The manual of the rules, made from their docstrings: as pages, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skilltool.rules import GROUP_OF, OPT_IN, about


@dataclass(frozen=True, slots=True)
class Page:
    """One rule's page.

    `summary` is one sentence without Markdown headings, `body` the rest in Markdown: why, and examples.
    """

    rule: str
    group: str
    severity: str
    summary: str
    body: str

    @property
    def default(self) -> bool:
        """Whether the rule runs without being selected."""
        return self.group not in OPT_IN

    def text(self) -> str:
        """Return the page as Markdown: title, severity and group, summary, body."""
        run = "runs by default" if self.default else "opt-in"
        return (
            f"# {self.rule}\n\n{self.severity}, group {self.group}, {run}\n\n{self.summary}\n\n{self.body}\n"
        )

    def data(self) -> dict[str, object]:
        """Return the page as the object that `rule --output-format json` prints."""
        return {
            "id": self.rule,
            "group": self.group,
            "severity": self.severity,
            "default": self.default,
            "summary": self.summary,
            "manual": self.body,
        }


def page(name: str) -> Page:
    """Return the page of the rule `name`; raises `UnknownNameError`."""
    rule = about(name)
    summary, _, body = (rule.__doc__ or "").strip().partition("\n\n")
    return Page(rule.ID, GROUP_OF[rule.ID], str(rule.SEVERITY), " ".join(summary.split()), body.strip())


def table(pages: Sequence[Page]) -> str:
    """Return one line per rule: id, severity, group, summary."""
    width = max(len(page.rule) for page in pages)
    rows = [f"{p.rule:<{width}}  {p.severity:<7}  {p.group:<11}  {p.summary}" for p in pages]
    return "\n".join(rows) + "\n"

"""What does an operator see of a survey: one HTML file, drawn from its tables.

figures   counts and distributions, read from the tables in batches
charts    the same as bars and histograms, in percent of their space
page      the document
"""

from skilltool.registry.report.page import write_report

__all__ = ["write_report"]

"""What one call of `skilltool lint` asks for, and the answer to it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from skilltool.cli.color import use_color
from skilltool.cli.lint_options import chosen_settings
from skilltool.cli.options import is_quiet, use_links
from skilltool.cli.output import inform, note, write, write_file
from skilltool.report import FOR_PEOPLE
from skilltool.text.printable import SafeText

if TYPE_CHECKING:
    from skilltool.lint.result import Report
    from skilltool.lint.settings import Settings

_COUNTED = (*FOR_PEOPLE, "json")  # the formats of --statistics


class Request:
    """The options of one call, checked against each other; `options` are the raw values by parameter."""

    def __init__(self, settings: Settings, options: Mapping[str, Any]) -> None:
        """Take the settings that the options give."""
        self.settings = settings
        self.options = options

    def __getitem__(self, name: str) -> Any:
        """Return the value of an option by the name of its parameter (`output_file`)."""
        return self.options[name]

    def again(self) -> Request:
        """Return the request with the settings as they are configured now."""
        return self.with_settings(chosen_settings(self.options))

    def with_settings(self, settings: Settings) -> Request:
        """Return a request of the same options for a run with other settings."""
        return Request(settings, self.options)

    def text(self, found: Report) -> SafeText:
        """Return what is printed of a report, or written to a file."""
        from skilltool import report

        style = report.PLAIN
        if self["output_file"] is None:
            color = self["color"]
            style = report.Style(use_color(color), use_links(color), report.terminal_width())
        style = style._replace(quiet=is_quiet())
        if self["statistics"]:
            from skilltool.report.statistics import tally

            return tally(found, self.settings.output_format == "json", style)
        return report.render(found, self.settings.output_format, style)


class Answer(NamedTuple):
    """The text of a result, where it goes (standard output where `file` is None), and the exit status.

    `text` is None where nothing is written, and bytes where they must be exact. `notes` are errors and
    warnings, `hints` what `--quiet` drops.
    """

    text: SafeText | bytes | None
    status: int
    notes: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    file: Path | None = None

    def show(self) -> int:
        """Print the answer, notes on standard error, and return the exit status."""
        if self.text is not None and self.file is None:
            write(self.text)
        elif self.text is not None and self.file is not None:
            raw = self.text if isinstance(self.text, bytes) else self.text.encode("utf-8", "backslashreplace")
            write_file(self.file, raw)
        for each in self.notes:
            note(each)
        for each in self.hints:
            inform(each)
        return self.status


def request_of(options: dict[str, Any]) -> Request:
    """Return the request of these options; raises `UsageError` for options that exclude each other."""
    from_stdin = options["paths"] == (Path("-"),)
    if options["stdin_filename"] is not None and not from_stdin:
        raise click.UsageError("--stdin-filename needs `-` as the only path")
    if from_stdin and (options["stdin_filename"] is not None or not os.path.lexists("-")):
        if options["stdin_filename"] is None or options["fix"] or options["as_diff"]:
            raise click.UsageError(
                "`-` needs --stdin-filename FILE, and cannot be used together with --fix or --diff"
            )
        options["paths"] = (options["stdin_filename"],)
    _check_fix_options(options)
    if options["watch"] and any(options[key] for key in ("stdin_filename", "fix", "as_diff", "output_file")):
        raise click.UsageError("--watch cannot be used together with `-`, --fix, --diff or --output-file")
    request = Request(chosen_settings(options), options)
    form = request.settings.output_format
    if options["statistics"] and not options["as_diff"] and form not in _COUNTED:
        raise click.UsageError(f"--statistics prints text or JSON, not `{form}`; add --output-format full")
    return request


def _check_fix_options(options: Mapping[str, Any]) -> None:
    source = click.get_current_context().get_parameter_source("output_format")
    if options["as_diff"] and (
        options["fix"] or options["statistics"] or source is ParameterSource.COMMANDLINE
    ):
        raise click.UsageError("--diff cannot be used together with --fix, --output-format or --statistics")
    if options["raw"] and not options["as_diff"]:
        raise click.UsageError("--raw needs --diff")
    if options["exit_non_zero_on_fix"] and not (options["fix"] or options["as_diff"]):
        raise click.UsageError("--exit-non-zero-on-fix needs --fix or --diff")

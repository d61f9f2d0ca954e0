"""What one call of `skilltool lint` does: one function for each kind of request."""

from __future__ import annotations

from skilltool.cli.lint_request import Answer, Request


def perform(request: Request) -> Answer:
    """Do what is asked for: print the settings, watch, print a diff, or check, after fixes if wanted."""
    if request["show_settings"]:
        from skilltool.cli.settings_text import described

        return Answer(described(request.settings), 0, file=request["output_file"])
    if request["watch"]:
        from skilltool.cli.watching import watch

        watch(request)
        return Answer(None, 0)
    if request["as_diff"]:
        from skilltool.cli.fixing import make_diff

        return make_diff(request)
    if request["fix"]:
        from skilltool.cli.fixing import fix_then_check

        return fix_then_check(request)
    from skilltool.cli.lint_check import check

    return check(request)

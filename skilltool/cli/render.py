"""`skilltool render`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from skilltool.cli.answer import answer, is_for_people, watch_option
from skilltool.cli.color import painted_diff, painted_sections, use_color
from skilltool.cli.completion import complete_skills
from skilltool.cli.help import Command, option
from skilltool.cli.missing_skill import command_to_see, explain_absence
from skilltool.cli.options import (
    Choice,
    color_option,
    complete_runtimes,
    format_option,
    output_file_option,
    raw_option,
)
from skilltool.cli.output import exact, exact_or_escaped, inform, note, write, write_file
from skilltool.cli.sessions import SessionQuestion, named_runtimes, session_options
from skilltool.files.one_run import one_run
from skilltool.report.as_json import dumps
from skilltool.skill.skill_file import is_path

if TYPE_CHECKING:
    from skilltool.explain.compare import Shown

_PARTS = ("result", "content", "catalog", "tool", "prompt", "display", "context", "user")
_EPILOG = """\b
Examples:
  skilltool render pdf                    what the model reads for a skill
  skilltool render pdf --runtime claude-code --args "x y"
  skilltool render pdf --runtime all      all runtimes; identical texts are printed once
  skilltool render pdf --diff codex claude-code
  skilltool render --part catalog --runtime codex
  skilltool render --runtime agent --query "list skills"
  skilltool render --runtime kodelet --call '{"skill_name": "pdf"}'
  skilltool render pdf --captured DIR     what `skilltool capture -o DIR` saved

When piped or redirected, the output is the runtime's text, byte for byte. Control characters are escaped on a
terminal; workflow commands are escaped in CI (if GITHUB_ACTIONS or TF_BUILD is set). --raw turns this off.
"""


@click.command("render", cls=Command, epilog=_EPILOG)
@click.argument("name", required=False, shell_complete=complete_skills)
@option(
    "Text",
    "--part",
    type=Choice(_PARTS),
    metavar="PART",
    help="Which part of the runtime's output to print. [default: what the runtime returns for a skill]",
)
@option(
    "Text",
    "--args",
    "arguments",
    metavar="TEXT",
    help="Arguments for the skill, if the runtime supports them.",
)
@option(
    "Text",
    "--query",
    "queries",
    multiple=True,
    metavar="TEXT",
    help="Print what the runtime sends for this user message; may be repeated.",
)
@option(
    "Text",
    "--call",
    "calls",
    multiple=True,
    metavar="JSON",
    help="Print the result of a tool call with these arguments: JSON, or any other text that a model may "
    "write by mistake; may be repeated.",
)
@option(
    "Runtime",
    "--diff",
    "diff",
    nargs=2,
    metavar="ID ID",
    shell_complete=complete_runtimes,
    help="Print a unified diff of the texts of two runtimes.",
)
@option(
    "Runtime",
    "--captured",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Print what a client sent, as saved by `skilltool capture -o DIR`.",
)
@session_options
@watch_option
@output_file_option
@format_option
@color_option
@raw_option
@one_run()
def command(
    name: str | None,
    arguments: str | None,
    part: str | None,
    queries: tuple[str, ...],
    calls: tuple[str, ...],
    diff: tuple[str, str] | None,
    captured: Path | None,
    raw: bool,
    **options: Any,
) -> int:
    """Print the exact text that a runtime sends to its model.

    NAME is a skill's name or the path of its directory. Omit it with --part catalog, tool or prompt, and with
    --query or --call. Several queries and calls run in one session; the last result is printed.

    By default, use the first configured runtime, else the client that owns the skill's directory (claude-code
    for .claude/skills), else the first of claude-code, codex, gemini-cli, opencode and qwen-code that reads
    the directory. A line on standard error names the runtime used. With several runtimes, print a section for
    each distinct text. The exit status is 1 if there is no text.
    """
    _check(name, arguments, part, queries, calls)
    question = SessionQuestion.of(options)
    in_text = is_for_people(options)
    paint: Callable[[str], str] | None = None
    if diff:
        if question.runtimes or not in_text or queries or calls:
            raise click.UsageError("--diff cannot be used together with --runtime, --query, --call or JSON")
        question, paint = question._replace(runtimes=diff), painted_diff
    elif question.is_about_several:
        if queries or calls:
            raise click.UsageError("--query and --call need one runtime; name it with --runtime")
        paint = painted_sections
    asked = _Asked(name, arguments, part, queries, calls, in_text, bool(diff))
    paint = paint if use_color(options["color"]) else None
    show = partial(_write, raw or not in_text, options["output_file"], paint)
    if captured is not None:
        if question.runtimes or diff or queries or calls or arguments or options["watch"]:
            raise click.UsageError("--captured can only be used together with NAME and --part")
        text, status = _of_capture(captured, asked)
        show(text)
        return status
    return answer(question, _answer, asked, options, show)


class _Asked(NamedTuple):
    """What is to be rendered, by the names of the parameters."""

    name: str | None
    arguments: str | None
    part: str | None
    queries: tuple[str, ...]
    calls: tuple[str, ...]
    text: bool
    diff: bool


def _answer(question: SessionQuestion, asked: _Asked) -> tuple[str | None, int]:
    """Return the text, None if nothing is printed, and the exit status; notes go to standard error."""
    if asked.diff or question.is_about_several:
        return _of_several(question, asked)
    return _of_one(question, asked)


def _of_capture(directory: Path, asked: _Asked) -> tuple[str | None, int]:
    """Return the text that a client sent, as it was kept, and the exit status."""
    from skilltool.explain.captured import kept_text, read_kept

    kept = read_kept(directory)
    part = asked.part or "result"
    text = kept_text(kept, asked.name, part)
    if not asked.text:
        data = {"schema_version": 1, "runtime": f"{kept.client}@{kept.version}", "skill": asked.name}
        data |= {"part": part, "text": text, "ended": None, "permission": None}
        return dumps(data), int(text is None)
    if text is None:
        what = f"{part} of `{asked.name}`" if asked.name else part
        note(f"{directory} contains no {what}: {kept.client} {kept.version} did not send one")
    else:
        inform(f"as sent by {kept.client} {kept.version}; `{{project}}` and `{{home}}` stand for directories")
    return text, int(text is None)


def _of_one(question: SessionQuestion, asked: _Asked) -> tuple[str | None, int]:
    from skilltool.bounds.budget import InternalReason
    from skilltool.errors import SkilltoolError
    from skilltool.explain import render

    name, directory = asked.name, None
    if question.runtimes:
        session = question.open_one(named_runtimes(question.runtimes)[0], name)
    else:
        session, directory, _ = question.open_for(name, with_arguments=bool(asked.arguments))
    if asked.queries or asked.calls:
        rendered = render.sequence(session, asked.calls, asked.queries, asked.part or "result")
    else:
        key = render.key_of(session, name, directory) if name is not None else None
        part = asked.part or render.default_part(session.runtime)
        rendered = [render.render(session, part, key, asked.arguments)]
    if isinstance(session.failure, InternalReason):
        raise SkilltoolError(session.failure)
    last = rendered[-1]
    if reason := render.unknown(session, last):
        raise SkilltoolError(f"{reason}; what {session.runtime.id} would print is unknown")
    if render.lacks_skill(session, last):
        explain_absence(session, str(name), question.given)
        if is_path(str(name)) and asked.text:
            return None, 1  # no model calls a skill by its path
    elif remark := render.remark(session, last):
        note("; ".join(filter(None, (remark, render.typed_instead(session, last)))))
    failed = last.failed or (last.text is None and last.skill is not None)
    if not asked.text:
        return dumps(render.data(session, rendered)), int(failed)
    if last.text is not None or not failed:
        return last.text or "", int(failed)
    return None, 1


def _of_several(question: SessionQuestion, asked: _Asked) -> tuple[str | None, int]:
    """Return the sections, the diff or the JSON of several runtimes, and 1 if the text is not there."""
    from skilltool.explain import compare
    from skilltool.explain.contained import defects
    from skilltool.report import sections

    sessions, _ = question.open_all(asked.name, one_each=True)
    shown = [compare.shown_in(session, asked.name, asked.part, asked.arguments) for session in sessions]
    if asked.diff:
        return _diff(question, shown, str(asked.name))
    status = 2 if defects(sessions) else int(not any(each.gives_text for each in shown))
    if not asked.text:
        return dumps(compare.data(shown)), status
    absent = [each.session for each in shown if each.is_absent]
    hint = command_to_see(absent, str(asked.name), question.given) if absent else None
    if any(group.differing for group in compare.groups(shown)):
        inform(sections.LEGEND)
    return sections.sections(shown, hint), status


def _diff(question: SessionQuestion, found: list[Shown], name: str) -> tuple[str | None, int]:
    from skilltool.explain import compare, render

    for shown in found:
        if shown.is_absent:
            explain_absence(shown.session, name, question.given)
        elif shown.problem is not None:
            note(shown.problem)
        elif shown.rendered.permission:
            note(str(render.remark(shown.session, shown.rendered)))
    if len(found) < 2 or not all(each.gives_text for each in found):
        return None, 1
    text = compare.difference(*found)
    if not text:
        inform(f"{found[0].session.runtime.id} and {found[1].session.runtime.id} send the same text")
    return text, 0


def _write(raw: bool, file: Path | None, paint: Callable[[str], str] | None, text: str | None) -> None:
    """Print the text, if there is one, or write it to a file."""
    if text is None:
        return
    if file is not None:
        write_file(file, exact(text))
        return
    shown, remark = exact_or_escaped(text, raw, paint)
    write(shown)
    if remark:
        inform(remark)


def _check(
    name: str | None,
    arguments: str | None,
    part: str | None,
    queries: tuple[str, ...],
    calls: tuple[str, ...],
) -> None:
    """Raise `click.UsageError` for options of which one would silently override another."""
    if not (queries or calls):
        if name is None and part is None:
            raise click.UsageError("missing NAME; name a skill, or use --part, --query or --call")
        return
    if name is not None or arguments:
        raise click.UsageError("NAME and --args cannot be used together with --query or --call")
    fitting = {"result", "display"} if calls and not queries else {"context", "user"} if not calls else set()
    if part is not None and part not in fitting:
        others = " and ".join(name for name, given in (("--query", queries), ("--call", calls)) if given)
        raise click.UsageError(f"--part {part} cannot be used together with {others}")

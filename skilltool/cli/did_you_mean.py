"""What did a person mean who typed a command or an option that does not exist?

Other tools have other words for the same things: those are in two tables. A word that is in neither may be
misspelt. Imported only where a command line is wrong.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from shlex import quote

import click

_MOST = 3  # suggestions in one line
_SHORTEST = 3  # letters of a word that may be a misspelt one, or the beginning of one
_MOST_EDITS = 2

# What to type after `skilltool`, and other words for it. Where that is empty there is nothing to suggest,
# whatever is spelled alike.
_COMMANDS = {
    "new": "add create generate init make scaffold template",
    "lint": "analyse analyze audit check checks diagnose doctor scan test tests validate verify",
    "lint --fix": "autofix fix fmt format repair",
    "lint --diff": "diff",
    "lint --watch": "watch",
    "lint --statistics": "statistics stats",
    "lint --show-settings": "config configuration settings",
    "resolve": "find inspect list locate ls precedence roots skill skills where which why",
    "render": "cat display dump output print show view",
    "render --part catalog": "catalog listing",
    "render --part prompt": "prompt",
    "cost": "budget costs count length size tokens usage",
    "preview": "browse browser dashboard html open serve ui web",
    "runtimes": "agent agents client clients platforms providers runtime target targets tools",
    "rule": "doc docs explain man manual rules",
    "survey": "crawl registry report tables",
    "pack": "archive build bundle dist package publish release tar zip",
    "baseline": "accept ignore suppress",
    "clean": "cache clear prune purge",
    "server": "daemon language-server languageserver langserver lsp",
    "completion": "autocomplete completions",
    "schema": "json-schema jsonschema schemas",
    "--version": "version",
    "--help": "help",
    "": "exec extract install link login remove run search sync uninstall unpack update upgrade",
}

# What to type in place of an option, the best first, and other words for it: the first that a command has is
# suggested. A value is suggested only where the option takes it, and a placeholder only where it has that; a
# placeholder alone is an argument.
_OPTIONS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("--output-format", "--format", "--force"), "f"),
    (("--output-format", "--format"), "fmt format formatter reporter style type"),
    (("--output-format json",), "as-json json"),
    (("--output-format jsonl",), "json-lines jsonlines jsonl ndjson"),
    (("--output-format sarif",), "sarif"),
    (("--output-format github",), "annotations github github-annotations"),
    (("--output-format gitlab",), "code-quality codequality gitlab"),
    (("--output-format junit",), "junit junit-xml xml"),
    (("--output-format text", "--output-format full"), "human pretty text"),
    (("--output-format concise", "--quiet"), "brief compact concise oneline short terse"),
    (("--export", "--report"), "html page"),
    (
        ("--output-file", "--output", "--out", "--export"),
        "destination dest file-output o out out-dir outdir outfile out-file output output-dir output-file "
        "save save-to to write-to",
    ),
    (("--quiet",), "q quiet s silent"),
    (("--explain",), "details explain long v verbose why"),
    (("--raw",), "bytes exact no-escape"),
    (("--color never",), "no-color no-colors no-colour plain"),
    (("--color",), "colors colour colours"),
    (("--watch",), "follow live w watch"),
    (
        ("--fail-on",),
        "error-level fail-level fail-severity level min-severity minimum-severity severity threshold",
    ),
    (
        ("--fail-on warning",),
        "error-on-warning error-on-warnings fail-on-warning fail-on-warnings max-warnings pedantic strict "
        "warnings-as-errors werror",
    ),
    (("--fail-on shadowed",), "fail-on-shadowed"),
    (("--fail-on skipped",), "fail-on-skipped"),
    (("--exit-zero", "--fail-on never"), "advisory no-fail soft-fail warn-only"),
    (("--exit-non-zero-on-fix",), "fail-on-fix"),
    (("--fail-over",), "budget fail-above limit max max-tokens threshold"),
    (("--select",), "check checks include-rule only rule rules select-rule tests"),
    (("--extend-select", "--select"), "enable enable-rule extend extra-rules"),
    (("--ignore",), "disable disable-rule exclude-rule no-rule skip skip-rule suppress"),
    (
        ("--exclude",),
        "exclude-dir exclude-path exclude-pattern ignore-file ignore-path ignore-pattern skip-path",
    ),
    (("--no-respect-gitignore",), "hidden no-gitignore no-ignore no-ignore-vcs"),
    (
        ("--runtime",),
        "agent agents client clients flavor for harness model platform provider r runtimes target targets",
    ),
    (("--all", "--runtime all"), "all all-clients all-runtimes every everything"),
    (("--fix",), "apply auto-fix autofix autocorrect fix-all fixes in-place inplace write"),
    (("--unsafe-fixes",), "fix-unsafe unsafe unsafe-fix"),
    (("--diff", "--dry-run"), "dry dry-run dryrun n no-write patch show-diff"),
    (("--diff ID ID",), "compare compare-with"),
    (("--since",), "against base base-ref changed compare diff from git-ref ref rev revision"),
    (("--statistics",), "count stat stats summary totals"),
    (("--notes",), "hints info infos show-info show-notes verbose"),
    (("--no-limit",), "full-report max-diagnostics no-max show-all unlimited"),
    (("--show-settings",), "print-config print-settings show-config"),
    (("--config",), "c conf config-file configuration rc rcfile settings"),
    (("--isolated",), "ignore-config no-config no-settings"),
    (("--no-cache",), "disable-cache nocache"),
    (("--cache-dir",), "cache cache-directory cache-path"),
    (("--jobs",), "cores j n-jobs parallel processes threads workers"),
    (("--time-limit",), "deadline max-seconds max-time seconds time time-limit timeout"),
    (("--stdin-filename",), "stdin stdin-file stdin-file-path stdin-filepath stdin-path"),
    (("--baseline",), "accepted known"),
    (("--allow-empty",), "no-error-on-unmatched-pattern pass-with-no-skills skip-empty"),
    (
        ("--project", "PATHS", "SKILL", "SOURCE"),
        "C base-dir chdir cwd directory project project-dir repo repository root-dir work-dir workdir "
        "working-dir working-directory workspace",
    ),
    (("--output DIR", "--project", "PATHS", "SKILL", "SOURCE"), "d dir"),
    (("--output DIR", "PATHS", "PATH", "SKILL", "SOURCE", "--project"), "file files folder path paths src"),
    (("--port", "--project", "PATHS"), "p"),
    (("PATHS", "PATH", "SKILL", "SOURCE", "NAME"), "input key skill skill-dir skill-path skills source"),
    (("NAME", "ID", "PATHS", "PATH", "SKILL"), "id name"),
    (("--home",), "home-dir user user-home"),
    (("--root",), "add-root dirs roots search-path skills-dir skills-root"),
    (("--set",), "option setting"),
    (("--args",), "arg argument arguments params"),
    (("--part",), "section text what"),
    (("--query",), "ask message prompt say user-message"),
    (("--call",), "invoke tool-call"),
    (("--port",), "listen port"),
    (("--no-open",), "headless no-browser noopen"),
    (("--template",), "from-template kind"),
    (("--template", "--runtime"), "t"),
    (("--list",), "l list-templates ls"),
    (("--no-input",), "batch default defaults no-interactive no-prompt non-interactive y yes"),
    (("--force",), "overwrite replace"),
    (("--description",), "desc m summary"),
    (("--data",), "context extra var vars"),
    (("--scope user",), "global personal user"),
    (("--check",), "test validate verify"),
    (("--version",), "v ver"),
    (("--help",), "usage"),
)


def sentence(found: Sequence[str]) -> str:
    """Return ` Did you mean 'a' or 'b'?`, empty for no suggestions."""
    *first, last = (f"'{each}'" for each in found) if found else ("",)
    return f" Did you mean {', '.join(first)}{' or ' if first else ''}{last}?" if last else ""


def command(arguments: Sequence[str], known: Iterable[str]) -> list[str]:
    """Return what to type in place of `skilltool` with these arguments, of which the first is unknown."""
    name, *rest = arguments
    word, names = name.lower().replace("_", "-"), list(known)
    meant = {other: shown for shown, others in _COMMANDS.items() for other in others.split()}
    if word == "help" and rest and rest[0] in names:
        return [f"skilltool {rest[0]} --help"]
    if word not in meant and os.path.lexists(name):
        return [f"skilltool lint {quote(name)}"]
    return [f"skilltool {each}" for each in _suggested(word, {name: name for name in names}, meant)]


def option(name: str, context: click.Context) -> list[str]:
    """Return what to type in place of an option that the command of a context does not have."""
    here = context.command
    word = name.lstrip("-").replace("_", "-")
    own = {opt.lstrip("-"): opt for each in _options(context) for opt in (*each.opts, *each.secondary_opts)}
    meant: dict[str, str] = {}
    for candidates, others in _OPTIONS:
        if shown := next(filter(None, (_shown(context, candidate) for candidate in candidates)), None):
            meant |= {other: shown for other in others.split() if other not in meant}
    for candidates, others in _OPTIONS:  # a word of which this command has nothing is none that is misspelt
        names = (
            candidate.partition(" ")[0].lstrip("-") for candidate in candidates if candidate.startswith("-")
        )
        meant |= {other: "" for other in (*others.split(), *names) if other not in meant}
    if isinstance(here, click.Group):  # `skilltool --lint`, or an option of a command that was forgotten
        commands = here.list_commands(context)
        if not meant.get(word) and not _suggested(word, own, {}):
            return command([word], commands) if len(word) >= _SHORTEST else []
    return _suggested(word if len(word) == 1 else word.lower(), own, meant)


def _suggested(word: str, own: Mapping[str, str], meant: Mapping[str, str]) -> list[str]:
    """Return what a word stands for: itself, as the beginning of one of ours, or misspelt; else nothing."""
    if word in own or word in meant:
        shown = own.get(word) or meant[word]
        return [shown] if shown else []
    if len(word) < _SHORTEST:
        return []
    begun = list(dict.fromkeys(shown for name, shown in own.items() if name.startswith(word)))
    if begun and len(begun) <= _MOST:
        return begun
    near: list[tuple[int, int, str]] = []
    for rank, table in enumerate((own, meant)):
        for name, shown in table.items():
            if len(name) >= _SHORTEST and (edits := _edits(word, name)) is not None:
                near.append((edits, rank, shown))
    best = min(near, default=(0, 0, ""))[:2]
    found = list(dict.fromkeys(shown for *which, shown in near if tuple(which) == best))
    return found[:_MOST] if all(found) else []


def _edits(word: str, other: str) -> int | None:
    """Return how many letters differ, None if more than two do, or more than one of three.

    A letter that is missing, too many or another one counts, and so do two that changed places (the optimal
    string alignment distance).
    """
    most = min(_MOST_EDITS, max(1, min(len(word), len(other)) // 3))
    if abs(len(word) - len(other)) > most:
        return None
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(word, 1):
        above, last = before, row
        before, row = last, [i]
        for j, wanted in enumerate(other, 1):
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and (letter, wanted) == (other[j - 2], word[i - 2]):
                best = min(best, above[j - 2] + 1)
            row.append(best)
    return row[-1] if row[-1] <= most else None


def _options(context: click.Context) -> list[click.Option]:
    return [param for param in context.command.get_params(context) if isinstance(param, click.Option)]


def _shown(context: click.Context, candidate: str) -> str:
    """Return what is suggested for a candidate of the table, empty if the command of the context lacks it."""
    if not candidate.startswith("-"):
        return f"{context.command_path} {candidate}" if candidate in _placeholders(context) else ""
    name, _, value = candidate.partition(" ")
    found = next((each for each in _options(context) if name in (*each.opts, *each.secondary_opts)), None)
    if found is None:
        return ""
    if not value:
        return candidate if found.nargs == 1 else ""  # one of several values is not what the word is for
    if isinstance(found.type, click.Choice):
        return candidate if value in found.type.choices else ""
    return candidate if found.multiple or value == found.metavar else ""


def _placeholders(context: click.Context) -> list[str]:
    """Return how the usage line names the arguments: `[PATHS]...` is PATHS."""
    arguments = (param for param in context.command.params if isinstance(param, click.Argument))
    return [argument.make_metavar(context).removesuffix("...").strip("[]") for argument in arguments]

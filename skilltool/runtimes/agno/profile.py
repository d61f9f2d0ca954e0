"""Agno: directories that its caller names, listed in the system prompt, read with tools of its own."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.agno import answers, loading
from skilltool.runtimes.agno.loading import parse
from skilltool.runtimes.base import Runtime, Setting

_SETTINGS = {
    "paths": Setting(default=[], about="skills directories to use instead of those from `--root`"),
    "validate": Setting(
        default=True, about="reject skills that violate the specification (`LocalSkills(validate=)`)"
    ),
}
_FACTS = {
    "key": "the name in the frontmatter, which must match the directory's name",
    "duplicates": "the last copy wins, but is listed in the first copy's position. Within a directory, "
    "copies are read in file system order; skilltool uses byte order",
    "parser": "PyYAML is run twice; the validator reads up to the next `---` anywhere, and the loader reads "
    "up to a line that starts with `---`. If the loader finds no closing `---` line, the whole file is the "
    "body",
    "arguments": "none; the body is returned without leading or trailing whitespace",
    "tool": "`get_skill_instructions` with `skill_name`, and two more tools for files in "
    "`references` and `scripts`; all three exist even if there are no skills",
    "loading": "the listing is in the system prompt, unescaped, and shows every skill with the names of its "
    "scripts and references",
    "failure": "a single skill that the validator rejects prevents all skills from loading; a "
    "missing directory only causes a warning",
    "fields": "a field outside the specification, or an `allowed-tools` that is not a list, prevents a skill "
    "from loading",
    "stand-ins": "`{output}` stands for a script's output, and `<ADDRESS>` for a memory address",
}

AGNO_3_1_10 = Runtime(
    id="agno@3.1.10",
    title="Agno 3.1.10",
    docs="requests from agno 3.1.10 (PyPI, Skills with LocalSkills) to a loopback model "
    "server; the package's source code",
    verified="2026-11-21, wire: 287 recorded cases",
    evidence="wire",
    schema="agno",
    any_roots=True,
    undetermined="of skills with the same name in one skills directory, the last in file system "
    "order wins, which differs between machines",
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(
            ("key", "limits", "fields", "failure"),
            "errors raised by Skills(...); agno/skills/validator.py",
        ),
        **dict.fromkeys(
            ("roots", "duplicates", "parser"),
            "the log, and the listing in recorded requests; agno/skills/loaders/local.py",
        ),
        **dict.fromkeys(("arguments", "tool", "stand-ins"), "messages after a scripted call"),
        "loading": "recorded requests",
    },
    parameter="skill_name",
    severities={"name-directory-mismatch": Severity.ERROR, "unknown-field": Severity.ERROR},
    scan=loading.scan,
    load=loading.load,
    unsendable=loading.unsendable,
    parse=parse,
    catalog=answers.catalog,
    prompt=answers.prompt,
    tool=answers.tool,
    call=answers.call,
    content=answers.content,
)

AGNO = AGNO_3_1_10._replace(id="agno", title="Agno")

"""Agno: directories that its caller names, listed in the system prompt, read with tools of its own."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.agno import answers, loading
from skilltool.runtimes.agno.loading import parse
from skilltool.runtimes.base import Runtime, Setting

_SETTINGS = {
    "paths": Setting(default=[], about="skills directories to use instead of those in `--root`"),
    "validate": Setting(
        default=True, about="reject skills that violate the specification (`LocalSkills(validate=)`)"
    ),
}
_FACTS = {
    "key": "the name in the frontmatter, which must be that of the directory",
    "duplicates": "the last copy wins, and is listed where the first one was; in a directory the order is "
    "that of the file system, here that of bytes",
    "parser": "PyYAML, twice: the validator reads up to the next `---` anywhere, the loader up to a line "
    "that begins with it; where the loader finds no such line, the whole file is the body",
    "arguments": "none: the body is returned without white space at either end",
    "tool": "`get_skill_instructions` with `skill_name`, and two more for files of `references` and "
    "`scripts`; they are there without skills, too",
    "loading": "the listing is in the system prompt: every skill with the names of its scripts and "
    "references, nothing escaped",
    "failure": "one skill that its validator refuses ends the loading of all; a directory that does not "
    "exist is only warned about",
    "fields": "a field outside the specification keeps a skill from loading, as does `allowed-tools` that "
    "is not a list",
    "stand-ins": "`{output}` stands for what a script prints, `<ADDRESS>` for an address in memory",
}

AGNO_3_1_10 = Runtime(
    id="agno@3.1.10",
    title="Agno 3.1.10",
    docs="requests of agno 3.1.10 (PyPI, Skills with LocalSkills) to a loopback model server; its code",
    verified="2026-11-21, wire: 287 recorded cases",
    evidence="wire",
    schema="agno",
    any_roots=True,
    undetermined="of directories in one root with the same name, the last in the order of the file system "
    "wins, which differs from one machine to the next",
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(
            ("key", "limits", "fields", "failure"),
            "the errors of Skills(...); agno/skills/validator.py",
        ),
        **dict.fromkeys(
            ("roots", "duplicates", "parser"),
            "the log and the listing in requests; agno/skills/loaders/local.py",
        ),
        **dict.fromkeys(("arguments", "tool", "stand-ins"), "the messages after a scripted call"),
        "loading": "requests",
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

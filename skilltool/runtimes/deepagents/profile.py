"""Deep Agents: directories that its caller names, listed in the system prompt, read with `read_file`."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import Runtime, Setting
from skilltool.runtimes.deepagents import answers, loading
from skilltool.runtimes.deepagents.loading import parse

_SETTINGS = {
    "sources": Setting(
        default=[],
        about="directories, or pairs of a directory and its label, to use instead of those in `--root`",
    ),
    "virtual": Setting(
        default=False,
        about="`virtual_mode`: the agent sees the project as `/` and nothing "
        "else; deepagents' own default is true",
        differs_from_runtime=True,
    ),
    "pinned": Setting(default=[], about="names of skills (`pinned_skills`) whose bodies follow each message"),
}
_FACTS = {
    "key": "the name in the frontmatter as text, without white space at either end",
    "duplicates": "the last copy wins, and is listed where the first one was; in a directory the order is "
    "that of the paths with a `/` at their end",
    "parser": "PyYAML, from a first line `---` to the next line `---`, which must end in a line break; any "
    "value of name and description counts as its text, an empty one as `None`; names are only warned about",
    "arguments": "none: the file is read as it is",
    "tool": "none: the model reads the listed path with `read_file`, 100 lines unless it asks for more",
    "loading": "the listing is in the system prompt: every skill with its path, license, compatibility and "
    "allowed tools, nothing escaped",
    "pinned": "`pinned_skills` sends the body of each named skill as one more message of the user",
    "links": "a SKILL.md that is a link is rejected, and cannot be read; a directory may be a link",
    "failure": "a date that no calendar has, and other values that PyYAML cannot build, end the run",
}

DEEPAGENTS_0_7_32 = Runtime(
    id="deepagents@0.7.32",
    title="Deep Agents 0.7.32",
    docs="requests of deepagents 0.7.32 (PyPI, create_deep_agent, FilesystemBackend) to a loopback model "
    "server; its code",
    verified="2026-11-21, wire: 165 recorded cases",
    evidence="wire",
    schema="deepagents",
    any_roots=True,
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(
            ("roots", "key", "duplicates", "parser", "limits"),
            "the log and the listing in requests; deepagents/middleware/skills.py",
        ),
        **dict.fromkeys(("arguments", "tool"), "the messages after a scripted call"),
        **dict.fromkeys(("loading", "pinned"), "requests"),
        "links": "the log; deepagents/backends/filesystem.py",
        "failure": "runs of deepagents/middleware/skills.py",
    },
    # It warns about such a name, and loads the skill.
    severities={
        **dict.fromkeys(("invalid-name", "long-name", "name-directory-mismatch"), Severity.INFO),
    },
    scan=loading.scan,
    load=loading.load_directory,
    unsendable=loading.unsendable,
    parse=parse,
    catalog=answers.catalog,
    prompt=answers.prompt,
    call=answers.call,
    content=answers.content,
    user=answers.user,
)

DEEPAGENTS = DEEPAGENTS_0_7_32._replace(id="deepagents", title="Deep Agents")

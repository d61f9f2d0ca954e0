"""Deep Agents: directories that its caller names, listed in the system prompt, read with `read_file`."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import Runtime, Setting
from skilltool.runtimes.deepagents import answers, loading
from skilltool.runtimes.deepagents.loading import parse

_SETTINGS = {
    "sources": Setting(
        default=[],
        about="directories, or pairs of a directory and its label, to use instead of those from `--root`",
    ),
    "virtual": Setting(
        default=False,
        about="`virtual_mode`: the agent sees the project as `/`, and nothing else; in Deep Agents"
        " itself, the default is true",
        differs_from_runtime=True,
    ),
    "pinned": Setting(
        default=[], about="names of skills (`pinned_skills`) whose bodies are sent after a message"
    ),
}
_FACTS = {
    "key": "the name in the frontmatter, converted to a string and stripped of leading and trailing "
    "whitespace",
    "duplicates": "the last copy wins, but is listed in the first copy's position; within a directory, "
    "paths are sorted as if they ended in `/`",
    "parser": "PyYAML, from an initial `---` line to the next `---` line, which must end in a line break. "
    "The values of `name` and `description` are converted to strings, and an empty value becomes `None`. "
    "Invalid names only cause warnings",
    "arguments": "none; the file is read unchanged",
    "tool": "none; the model reads the listed path with `read_file`, which returns 100 lines "
    "unless the model asks for more",
    "loading": "the listing is in the system prompt, unescaped, and shows every skill with its path, "
    "license, compatibility and allowed tools",
    "pinned": "`pinned_skills` sends the body of each named skill as an additional user message",
    "links": "a SKILL.md that is a link is rejected and cannot be read; a skill's directory may be a link",
    "failure": "an impossible date, or another value that PyYAML cannot construct, aborts the run",
}

DEEPAGENTS_0_7_32 = Runtime(
    id="deepagents@0.7.32",
    title="Deep Agents 0.7.32",
    docs="requests from deepagents 0.7.32 (PyPI, create_deep_agent, FilesystemBackend) to a loopback model "
    "server; the package's source code",
    verified="2026-11-21, wire: 165 recorded cases",
    evidence="wire",
    schema="deepagents",
    any_roots=True,
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(
            ("roots", "key", "duplicates", "parser", "limits"),
            "the log, and the listing in recorded requests; deepagents/middleware/skills.py",
        ),
        **dict.fromkeys(("arguments", "tool"), "messages after a scripted call"),
        **dict.fromkeys(("loading", "pinned"), "recorded requests"),
        "links": "the log; deepagents/backends/filesystem.py",
        "failure": "running deepagents/middleware/skills.py",
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

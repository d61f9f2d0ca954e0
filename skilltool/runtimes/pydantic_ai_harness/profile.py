"""The harness of Pydantic AI: libraries that the developer names, skills as deferred capabilities."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import ARGUMENTS, Runtime, Setting
from skilltool.runtimes.pydantic_ai_harness import call, discovery, listing
from skilltool.runtimes.pydantic_ai_harness.manifest import parse

_SETTINGS = {
    "include": Setting(default=None, about="a list of the names to offer, all others are left out"),
    "exclude": Setting(default=None, about="a list of the names to leave out; not beside `include`"),
    "missing_directories": Setting(
        default="error", about="`skip`: a root that is not there, or not a library, does not end the run"
    ),
    "duplicate_names": Setting(
        default="error", about="`keep_first`: a name that is there twice does not end the run"
    ),
    "unknown_names": Setting(
        default="error", about="`skip`: a name of `include` or `exclude` may be of no skill"
    ),
    "own_workspace": Setting(
        default=False, about="the libraries are in a workspace of their own, whose paths the model cannot use"
    ),
}
_FACTS = {
    "key": "the name in the frontmatter, which equals the directory; without one, the directory",
    "duplicates": "two files with one name and other bytes end the run, or with `keep_first` the first wins",
    "parser": "PyYAML between two lines that are exactly `---`: every scalar is text, tags are ignored, "
    "a key that is there twice refuses the skill; U+2028 and others end a line, too",
    "arguments": "`$ARGUMENTS` where an application calls `render(arguments)`, else they are appended; the "
    "model has none",
    "tool": "`load_capability`: the body follows as a message of its own, in a `<context>` element",
    "loading": "names and descriptions in a system message; without a skill for the model there is none",
    "limits": "a longer description only warns",
    "people": "`disable-model-invocation: true` keeps a skill from the model; `user-invocable` is for apps",
    "failure": "a root that is not a library, two files with one name, and an unreadable file end the run",
}

PYDANTIC_AI_HARNESS_0_62_0 = Runtime(
    id="pydantic-ai-harness@0.62.0",
    title="Pydantic AI harness 0.62.0",
    docs="requests of pydantic-ai-harness 0.62.0 (PyPI) to a loopback model server; its functions and code",
    verified="2026-11-21, wire: 203 recorded cases",
    evidence="wire",
    schema="pydantic-ai-harness",
    any_roots=True,
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(
            ("roots", "key", "duplicates", "parser", "arguments", "limits", "people", "failure"),
            "pydantic_ai_harness/skills/_loader.py, and runs of it",
        ),
        **dict.fromkeys(("tool", "loading"), "requests"),
    },
    parameter="id",
    expands=frozenset({ARGUMENTS}),
    severities={"name-directory-mismatch": Severity.ERROR},
    scan=discovery.scan,
    load=discovery.load,
    parse=parse,
    catalog=listing.catalog,
    prompt=listing.prompt,
    summary=listing.summary,
    tool=listing.tool,
    call=call.call,
    content=call.content,
    user=call.user,
    typed=call.typed,
)

PYDANTIC_AI_HARNESS = PYDANTIC_AI_HARNESS_0_62_0._replace(
    id="pydantic-ai-harness", title="Pydantic AI harness"
)

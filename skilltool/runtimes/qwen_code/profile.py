"""qwen-code: skills in `.qwen/skills`, listed in a reminder, called with the tool `skill`."""

from __future__ import annotations

from typing import Any

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import Root, Runtime, Session, Setting
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.qwen_code import answers, loading
from skilltool.runtimes.qwen_code.loading import facts, parse


def scan(session: Session) -> None:
    """Fill a session, and touch the files that the setting `touched` names."""
    loading.scan(session)
    if session.settings["touched"]:
        answers.touch(session, session.settings["touched"])


def tool(session: Session) -> dict[str, Any] | None:
    """Return the definition of the tool, which is the same with any skills."""
    if "--bare" in session.settings["flags"] or answers.denied_by(session) is not None:
        return None
    size = facts()["tool_description"]
    skill = 'The skill or command name. E.g., "pdf" or "xlsx"'
    arguments = "Optional arguments for model-invocable slash commands."
    return {
        "type": "function",
        "function": {
            "name": "skill",
            "description": fixed_text(size["chars"], size["sha256"]),
            "parameters": {
                "type": "object",
                "properties": {
                    "skill": {"type": "string", "description": skill},
                    "args": {"type": "string", "description": arguments},
                },
                "required": ["skill"],
            },
        },
    }


_SETTINGS = {
    "approval_mode": Setting(
        default="yolo",
        about="with `yolo` or `auto-edit`, skills run; with `default` or `plan`, a call is "
        "declined if there is no terminal",
        differs_from_runtime=True,
    ),
    "trusted": Setting(default=True, about="whether the folder is trusted; otherwise every call is declined"),
    "skills.disabledLevels": Setting(
        default=[], about="levels to ignore: `project`, `user`, `extension`, `bundled`"
    ),
    "skills.disabled": Setting(default=[], about="names of disabled skills, case-insensitive"),
    "skills.defaultDisabled": Setting(
        default=[], about="names of skills that are disabled unless they are in `skills.enabled`"
    ),
    "skills.enabled": Setting(
        default=[], about="names of skills that `skills.defaultDisabled` does not disable"
    ),
    "skills.directories": Setting(default=[], about="additional skills directories of the user"),
    "permissions.deny": Setting(default=[], about="rules that deny tools: `Skill`, `Skill(name)`"),
    "tools.exclude": Setting(default=[], about="names of tools not to offer"),
    "tools.truncateToolOutputThreshold": Setting(
        default=25_000, about="length in UTF-16 code units above which the middle of an answer is cut out"
    ),
    "tools.truncateToolOutputLines": Setting(
        default=1_000, about="number of lines above which the middle of an answer is cut out"
    ),
    "flags": Setting(default=[], about="command-line options: `--bare`"),
    "touched": Setting(
        default=[], about="files that the model has read or written; they activate skills with `paths`"
    ),
}
_FACTS = {
    "key": "`name` in the frontmatter, case-sensitive; a skill in an extension is `extension:name`",
    "duplicates": "the first copy wins, in this order: .qwen/skills, .agents/skills, the same two in the "
    "home directory, `skills.directories`, extensions, built-in skills",
    "parser": "YAML 1.2 (npm yaml), from an initial `---` line to the next line that is exactly "
    "`---`; if that fails, the block is read as `key: value` lines",
    "arguments": "`args` from the model are ignored; what the user types after /name is appended to the body "
    "and also written to a file, whose path is appended too",
    "tool": "`skill` with `skill` and `args`; a second call only reports that the skill is already loaded",
    "loading": "the listing is in the first message; if it is longer than 8,000 UTF-16 code units, "
    "each description is reduced to its first line",
    "cuts": "if a result is longer than 25,000 UTF-16 code units or 1,000 lines, its middle is cut out; if "
    "it is longer than 28,000 code units, only the first 2,000 are kept",
    "silent": "a rejected file is mentioned only in the debug log",
    "stand-ins": "`{builtin}` stands for the directory of built-in skills, `{output}` for the output of "
    "another tool, `{tools}` for the tools that Qwen Code suggests when the model calls one that does not "
    "exist, and `<SESSION>`, `<PROJECT HASH>`, `<RANDOM>` and `<CALL ID>` for parts of file names",
}

QWEN_CODE_0_24_4 = Runtime(
    id="qwen-code@0.24.4",
    title="Qwen Code 0.24.4",
    docs="requests from @qwen-code/qwen-code 0.24.4 (`qwen -p`) to a loopback model server; "
    "the program's SkillManager",
    verified="2026-11-21, wire: 364 recorded cases",
    evidence="wire",
    schema="qwen-code",
    roots=(
        Root(role="project", path_template="{project}/.qwen/skills"),
        Root(role="project-agents", path_template="{project}/.agents/skills"),
        Root(role="user", path_template="{home}/.qwen/skills", scope="user"),
        Root(role="user-agents", path_template="{home}/.agents/skills", scope="user"),
        Root(
            role=loading.EXTENSIONS,
            path_template="{home}/.qwen/extensions",
            scope="plugin",
            unscanned="each extension in it has its own `skills` directory",
        ),
    ),
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(("roots", "key", "duplicates", "silent"), "SkillManager, skill-manager.ts"),
        **dict.fromkeys(("parser", "limits"), "SkillManager, skill-manager.ts and yaml-parser.ts"),
        **dict.fromkeys(("loading", "stand-ins"), "the first message in recorded requests"),
        **dict.fromkeys(("arguments", "tool", "cuts"), "messages after a scripted call"),
    },
    parameter="skill",
    argument="args",
    budget_unit=answers.UNIT,
    # The directory's name plays no part.
    severities={"name-directory-mismatch": Severity.INFO},
    scan=scan,
    load=loading.load,
    parse=parse,
    catalog=answers.catalog,
    summary=answers.summary,
    budget=answers.budget,
    shares=answers.shares,
    tool=tool,
    call=answers.call,
    content=answers.content,
    user=answers.user,
)

QWEN_CODE = QWEN_CODE_0_24_4._replace(id="qwen-code", title="Qwen Code")

"""Mention of a skill file that does not exist.

If the body mentions a script that does not exist, such as `scripts/fill.py`, the model tries to run it,
fails, and continues without it. The rule reports paths under `scripts/`, `references/` or `assets/`,
including those after an `@`, and paths after a variable for the skill's own directory.

In a block of commands, a path under `scripts` or `assets` is reported only as `info` if the skill does not
have that directory, because the path may just as well belong to the user's project. If the skill is in a
client's directory inside a project (`.claude/skills`), a path under `scripts` or `assets` is reported only as
`info` if neither the skill nor the project has that directory. A path is also reported only as `info` if it
exists under the skill's `assets`, because files in `assets` are copied into projects.

Missing files in the same directory are reported as one finding if the skill does not have that directory, or
if more than three files are missing from it.

The rule does not report:

- files that, according to the text, belong to a different skill ("in the `forms` skill:", `$FORMS_SKILL_DIR/...`) or
  a different repository ("in `shop`."), and files of another skill in the repository, if the paragraph names that
  skill
- files that the text calls examples, mentions in a sample prompt, tests for (`[ -f ... ]`), or tells the
  model to write
- paths that are the end of a longer path on the same line, if the longer path exists
- paths in a tree diagram of another directory, and paths in a line that also lists several other files that
  the skill does not have
- places in the home directory that a skill in a project names without running them (`~/.claude/skills/forms/SETUP.md`)
- a path alone in a comment at the top of a block that has the script's text, and a path with a colon before such a block
- paths with a line number (`scripts/fill.py:12`), and paths under a heading such as "Planned"
- targets of `cp`, `>` and `curl -o`, and state files that a skill creates on first use
- files that exist in a parent directory, such as the plugin's directory
- files in the project that the skill works on, that is, files mentioned next to commands such as
  `pytest tests/` or in a `scripts` directory that the text says is outside the skill
- files that exist elsewhere in the repository, if the skill is in a client's directory and does not tell the model to
  run or read them
- files with `.local.` in their name, and files that git ignores
- files mentioned in skills about writing skills

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Fill the form in with `python scripts/fill.py form.pdf`, and see references/fields.md.
```

```python scripts/check.py
print("checked")
```

```text
SKILL.md:8:31: warning[missing-file-mention]: mentioned file `scripts/fill.py` does not exist
SKILL.md:8:66: warning[missing-file-mention]: mentioned file `references/fields.md` does not exist
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Fill the form in with `python scripts/fill.py form.pdf`. Save the result to `assets/result.pdf`.
```

```python scripts/fill.py
print("filled")
```
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.shared.about_skills import explains_skills
from skilltool.rules.shared.links import named_elsewhere, repair
from skilltool.rules.shared.mentions import (
    Mention,
    belongs_to_another,
    introduction_of,
    is_below_assigned,
    missing_mentions,
    project_blocks,
    project_directories,
    rest_of_sentence,
    section_heading,
    table_heading,
)
from skilltool.rules.shared.projects import lies_in_project
from skilltool.rules.shared.regions import Regions, code_regions, intended_code_blocks, line_around
from skilltool.rules.shared.wording import and_more, backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

ID = "missing-file-mention"
SEVERITY = Severity.WARNING

_HYPOTHETICAL = lazy_pattern(
    r"\be\.g\.|\b(?:examples?|for instance|such as|like|would|could|might|imagine|suppose|hypothetical|placeholder"
    r"|optional(?:ly)?|(?:if|where) (?:it |they |one |there is one )?(?:exists?|present|available)|when (?:present|available)|legacy|deprecated"
    r"|removed|deleted|deferred (?:to|until) (?:v?\d|(?:an?|the) )|replaces(?=\*{0,2}:)|no longer|instead of|not (?:yet|implemented)|planned|coming soon|to be (?:added|done|written)|tbd|upstream"
    r"|(?:plugin|repo|repository|project|workspace)(?:'s)?[- ](?:root|level)"
    r"|(?:in|from|of) (?:the )?[\"'`]?[\w./-]{1,80}[\"'`]? repo(?:sitory)?"
    r"|(?:target|host|their|user'?s?'?|your) (?:own )?(?:project|repo(?:sitory)?|workspace|codebase|app|site|theme))\b"
    r"|\b(?:cuando existan?|si existen?|por ejemplo|a[u\u00fa]n no|pueden no existir|se existir(?:em)?|quando existir(?:em)?"
    r"|por exemplo|falls vorhanden|wenn vorhanden|zum beispiel|s'il existe|par exemple)\b"
    "|\u4f8b|\u6bd4\u5982|\u793a\u8303|\u53ef\u9009|\u5982\u679c|\u305f\u3068\u3048\u3070|\uc608\uc2dc|\uc608\ub97c"
    "|\u5982\u6709|\u5982\u5b58\u5728|\u5047\u8bbe|\u82e5|\u5373\u5c06|\u5f85[\u8865\u6dfb\u5efa]|\u3082\u3057|\u3042\u308c\u3070|\ub9cc\uc57d|\uc788\uc73c\uba74",
    re.IGNORECASE,
)
_WRITING = lazy_pattern(
    r"\b(?:preserv|sav|writ|wrote|creat|generat|output|export|stor|put|plac|add|record|produc|emit|render|copy|copi|mov|renam"
    r"|updat|append|mak|extract|split|build|download)\w*\b|\bnew\b[^.:;|]{0,15}\Z|--?o(?:ut\w*)?\b|(?<!\S)-\w{1,8}o[ \t]"
    "|\u521b\u5efa|\u751f\u6210|\u8f93\u51fa|\u4fdd\u5b58|\u5199\u5165|\u4f5c\u6210|\u51fa\u529b|\uc800\uc7a5|\uc0dd\uc131"
    "|\u65b0\u5efa|\u5bfc\u51fa|\u5b58[\u50a8\u653e\u5165\u5230]|\u5199\u5230|\u653e[\u5165\u5230\u5728]|\u590d\u5236|\u79fb\u52a8|\u8ffd\u52a0|\u66f4\u65b0|\u8bb0\u5f55"
    "|\u66f8\u304d|\uc791\uc131|\ucd94\uac00",
    re.IGNORECASE,
)
# In a command, what comes next is where it writes: `> FILE`, or the last argument of `cp`.
_REDIRECTED = lazy_pattern(r"\S\s+[\d&]?>{1,2}\s*[\"'`]?\Z|\b(?:tee|touch)\s+(?:-\w+\s+)?[\"'`]?\Z")
_COPYING = lazy_pattern(
    r"(?:^|[\s;&|`])(?:cp|mv|ln|install|rsync|scp)\s+(?:-\S+\s+)*[^-\s][^;&|]*\s[\"'`]?\Z"
)
_LAST_ARGUMENT = lazy_pattern(r"\A\S+[ \t]*(?:[;&|#`]|\Z)")
# A sentence with a colon that says what is in the list, table or code after it.
_RESULTS = lazy_pattern(
    r"\b(?:creates?|created|generates?|generated|writes|written|produces|downloads|downloaded|fetches|installs|installed)\b",
    re.IGNORECASE,
)
_BROUGHT = lazy_pattern(r"\bThis (?:adds|merges in):\s*\Z")  # after the command that does so
_ELSEWHERE_IN = lazy_pattern(
    r"\b(?:lives?|is|are|found|kept|stored) in (?:the )?`(?!(?:scripts|references|assets)\b)[\w./-]{1,80}`(?! skill)",
    re.IGNORECASE,
)
# After the path: "`scripts/x.py` in shop-web." and "from the migration project root".
_IN_REPOSITORY = lazy_pattern(
    r"\A\S{1,200} (?:in|from|of) (?:the )?[`*\"]{0,3}(?P<name>[a-z0-9]+(?:-[a-z0-9]+)+)[`*\"]{0,3}(?=[.;,)]|\Z)"
)
_FROM_ROOT = lazy_pattern(
    r"\bfrom (?:the|your|its|their|each) (?:\w+ ){0,3}(?:project|repo(?:sitory)?|workspace)(?:'s)? root\b",
    re.IGNORECASE,
)
_OF_REPOSITORY = lazy_pattern(
    r"(?:\(|\b(?:in|from|of) )(?:the )?[`\"']?[\w./-]{1,80}[`\"']? repo(?:sitory)?\b", re.IGNORECASE
)
# `[ -f scripts/fill.py ] && ...` and `cat assets/package.json 2>/dev/null`: the file need not exist.
_TESTED = lazy_pattern(r"(?:\[|\btest)[ \t]+(?:![ \t]+)?-[efrsx][ \t]+[\"']?[^\s\"']*\Z")
_SHOWING = lazy_pattern(r"\b(?:cat|find|grep|head|jq|ls|stat|tail|wc)[ \t][^|;&]*\Z")
_SILENCED = lazy_pattern(r"\A[^|;&]*2>[ \t]*/dev/null")
_ELSE = lazy_pattern(r"\A[^|;&]*2>[ \t]*/dev/null[ \t]*\|\|")  # a command whose failure is provided for
# A list of what users say: `- "Count the tokens of references/fields.md"`.
_PROMPT = lazy_pattern(r"\A[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+[\"\u201c][^\"\u201c\u201d]*\Z")
_ENDS_PROMPT = lazy_pattern(r"[\"\u201d][.,;]?\s*\Z")
_TYPICAL = lazy_pattern(
    r"\b(?:sample|typical|planned|roadmap|not yet|coming soon|project-(?:local|specific))\b", re.IGNORECASE
)
# `scripts/check.py:12  load()`, what a program prints about a line, and `--target scripts/x.sh` beside `tests/`.
_NUMBERED = lazy_pattern(r"\A[^\s:]{1,200}:\d")
_OPTION = lazy_pattern(r"(?<!\S)--?\w[\w-]{0,40}[= ]\Z")
_TESTS = lazy_pattern(r"(?<![\w./])(?:tests?|src)/\w")
_EXAMPLES = lazy_pattern(r"\bexamples?\b|\u4f8b|\u793a\u8303|\uc608\uc2dc", re.IGNORECASE)
# Before `scripts/x.py` these words say what the script does; the other words of `_WRITING` may say that the model
# writes the script.
_SCRIPT_ACTION = lazy_pattern(
    r"\b(?:output|export|render|extract|split|build|download|record|emit|updat|append)\w*\b", re.IGNORECASE
)
# A page that contains examples is not itself an example.
_HAS_EXAMPLES = lazy_pattern(
    r"\b(?:for|with|more|and|of|has|have|contains?|see|full|complete|code|usage) (?:\w+ ){0,2}examples\b",
    re.IGNORECASE,
)
# The path is in another directory: cloned, entered with `cd`, on another machine, or beside the module that
# imports it.
_ELSEWHERE = lazy_pattern(
    r"\b(?:git clone|cd\s+\S+\s*(?:&&|;)|docker (?:run|exec)|git bisect run|ssh\s)"
    r"|\bimport\s[^\n;]{1,80}\sfrom\s+[\"'](?:\./)?\Z|\b(?:import|require)\(\s*[\"'](?:\./)?\Z"
)
# Words after a path that say it may not exist: "`references/x.md` is missing", and after an "if" also "exists".
_ABSENT = lazy_pattern(
    r"\A\S{1,200}\s{1,3}\(?(?:(?:it|which|that) )?(?:is (?:missing|absent)|(?:is|does)(?:n't| not) (?:exist|there|present|available)|may (?:not )?exist)\b"
)
_PRESENT = lazy_pattern(r"\A\S{1,200}\s{1,3}(?:already )?(?:exists|is (?:there|present|available|found))\b")
# "Do not use `uv run scripts/x.py`": a script of a project that the model might take for a help.
_FORBIDDEN = lazy_pattern(
    r"\b(?:do not|don't|never|avoid) (?:use|run|call|using|running|calling)\b[^.;\n]{0,60}\Z", re.IGNORECASE
)
# "`references/x.md` (in `../forms/`)", and "Its `references/x.md`" in a line about `../forms/SKILL.md`.
_SAID_WHERE = lazy_pattern(r"\A\S{1,200}[ ]\((?:in|under|from) (?:the )?`[\w.-]+/")
_ADDRESS = lazy_pattern(r"\w://[^\s\"'`<>()]*\Z")
# "More than one skill ships a `scripts/store.py`"
_EACH_HAS = lazy_pattern(
    r"\b(?:each|every|more than one|other|several|some) skills? (?:ships?|has|have|contains?|includes?|comes? with)"
    r" (?:an? |its own |their own )[\"'`*]{0,3}\Z",
    re.IGNORECASE,
)
_ITS = lazy_pattern(
    r"\.\./[^\n]{0,400}\b[Ii]ts [`\"']{0,2}\Z|\[\[[\w-]{1,64}\]\] [`\"']{0,2}\Z"
)  # or `[[other]] `
_PLANNED = lazy_pattern(
    r"\b(?:planned|roadmap|not (?:yet )?implemented|coming soon)\b|^[#* ]*future\b", re.IGNORECASE
)
_MAY = lazy_pattern(r"\bmay (?:also )?(?:contain|have|hold|include) (?:an? )?[\"'`*]*\Z", re.IGNORECASE)
_IF = lazy_pattern(r"\b(?:if|when|where|whether|unless|once|until)\b[^.;\n]{0,40}\Z", re.IGNORECASE)
# "If `form.json` says `{"run": "scripts/fill.sh"}`"
_IF_SAYS = lazy_pattern(r"\bif\b(?:[^.,;\n]|\.(?=\w)){0,80}\bsays?:? [\"'`{][^,;\n]{0,60}\Z", re.IGNORECASE)
# "If tokens exist (`assets/tokens.json`, `assets/tokens.css`)"
_IF_IN_BRACKETS = lazy_pattern(
    r"\b(?:if|when|where) [^.;()\n]{1,80}\b(?:available|exists?|present) \((?:[`'\"]?[\w./-]{1,100}[`'\"]?(?:,| and| or) (?:and |or )?){0,5}[`'\"]?\Z",
    re.IGNORECASE,
)
_IF_THERE = lazy_pattern(
    r"\b(?:if|when|where) (?:[\w-]+ ){0,6}(?:available|exists?|present)\b", re.IGNORECASE
)
_RUN = lazy_pattern(
    r"(?:\b(?:python[0-9.]*|bash|sh|zsh|node|bun|deno|ruby|perl|pwsh|powershell|tsx|uv run|cat|source|run|execute|read|see)[ \t]+"
    r"(?:-\w+[ \t]+)?[\"'`]?(?:\./)?)\Z",
    re.IGNORECASE,
)
_EXAMPLE_NAME = lazy_pattern(
    r"(?:^|[_.-])(?:name|x{2,}|foo|bar|baz|examples?|samples?|your|my|some|placeholder|n+|y{4}|topic)(?=[_.-]|\Z)"
    r"|^(?:tool|script|file|filename|template|helper)\.|^(?-i:[NXYZ])\."
    r"|^(?:diagram|doc(?:ument)?|drawing|form|image|input|output|page|photo|sheet|slides?|video)-?\d{1,3}\."
    r"|\.local\.",  # by convention each user's own and never shipped
    re.IGNORECASE,
)
# `[guide]: references/guide.md`, the definition of a reference link.
_DEFINITION = lazy_pattern(r"^ {0,3}\[[^\]\n]+\]:[^\n]*", re.MULTILINE)
_DIRECTORY_BEFORE = lazy_pattern(r"[\w./-]{1,200}/\Z")
_LONGEST_DIRECTORY = 200
_SHELLS = frozenset(
    {"", "sh", "bash", "shell", "zsh", "console", "terminal", "powershell", "pwsh", "text", "txt"}
)
_PATH_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.~/${}-"
_OWN = ("scripts", "references", "assets")
# Names of files that many directories have.
_COMMON = frozenset({"readme.md", "index.md", "skill.md", "main.py", "index.js", "index.ts", "__init__.py"})
# Web files under `assets/` may be the project's.
_WEB_FILES = (".css", ".gif", ".ico", ".jpeg", ".jpg", ".js", ".png", ".svg", ".webp", ".woff", ".woff2")
# Outside `_OWN`, these are state or configuration that is created on first use.
_STATE_FILES = (".csv", ".db", ".env", ".json", ".jsonl", ".log", ".sqlite", ".toml", ".txt", ".yaml", ".yml")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield the first mention of each missing file, unless any mention calls it an example or a result."""
    is_candidate = _names_this_skill if explains_skills(skill) else _may_be_own_file
    mentions = [mention for mention in missing_mentions(skill) if is_candidate(skill, mention)]
    if all(skill.exists_above(path) for path in {mention.path for mention in mentions}):
        return  # so the Markdown need not be parsed
    ignored = _ignored_regions(skill)
    fences = Regions(fence.span for fence in skill.markdown.fences)
    mentions = [
        mention
        for mention in mentions
        if mention.span.start not in ignored and not _is_of_no_file(skill, mention, fences)
    ]
    expected = {mention.path for mention in mentions}
    expected -= {mention.path for mention in mentions if not _expects_file(skill, mention, fences)}
    doubtful = {mention for mention in mentions if _is_doubtful(skill, mention, fences)}
    yield from _by_directory(skill, _found(skill, mentions, expected, doubtful))


def _found(
    skill: Skill, mentions: Sequence[Mention], expected: set[str], doubtful: set[Mention]
) -> Iterator[tuple[str, Finding]]:
    """Yield the path and the finding of each of the `expected` files; a note if each mention is `doubtful`."""
    for mention in sorted(
        mentions, key=lambda each: each in doubtful
    ):  # a surer mention of a path goes first
        path = mention.path
        if path in expected and not _is_above(skill, mention) and not skill.surroundings.is_git_ignored(path):
            severity = Severity.INFO if mention in doubtful else None
            yield path, _finding(skill, mention)._replace(severity=severity)
        expected.discard(path)


_MOST_OF_DIRECTORY = 3  # missing files of a directory that the skill has, which are told one by one


def _by_directory(skill: Skill, found: Iterable[tuple[str, Finding]]) -> Iterator[Finding]:
    """Yield the findings; one that counts the others for a directory that the skill lacks, or lacks much of."""
    told: list[Finding] = []
    by_directory: dict[str, list[Finding]] = {}
    without: dict[
        str, list[Finding]
    ] = {}  # of files in directories that the skill lacks, by the one above these
    for path, finding in found:
        if finding.severity is None and finding.fix is None:
            directory = posixpath.dirname(path)
            is_lacking = "/" in directory and directory not in skill.tree.directories
            groups = (
                without if is_lacking and path.partition("/")[0] in skill.tree.directories else by_directory
            )
            groups.setdefault(path.partition("/")[0], []).append(finding)
        else:
            told.append(finding)
    for first, *others in without.values():
        more = and_more(len(others), "in directories that do not exist")
        told.append(first._replace(message=f"{first.message}{more}"))
    for top, findings in by_directory.items():
        first, *others = findings
        if top in skill.tree.directories and len(findings) <= _MOST_OF_DIRECTORY:
            told += findings
            continue
        more = and_more(len(others), "in that directory")
        told.append(first._replace(message=f"{first.message}{more}"))
    yield from sorted(told, key=lambda finding: finding.span.start)


def _is_above(skill: Skill, mention: Mention) -> bool:
    """Return whether a path leads to a file from a directory above, with or without the directory before it.

    `.agents/skills/forms/fields.md` may be in another skill of this name, such as its copy. In the source of
    dotfiles, chezmoi finds `check.sh` as `executable_check.sh`.
    """
    written = skill.source.text
    before = _DIRECTORY_BEFORE.search(
        written, max(mention.span.start - _LONGEST_DIRECTORY, 0), mention.span.start
    )
    directory = "" if before is None else before[0].removeprefix("./")
    if skill.exists_above(mention.path) or skill.exists_above(f"{directory}{mention.path}"):
        return True
    top, _, name = mention.path.rpartition("/")
    return any(skill.holds(f"{top}/{attribute}_{name}".lstrip("/")) for attribute in _OF_CHEZMOI)


_OF_CHEZMOI = ("executable", "private_executable", "private", "readonly")


def _finding(skill: Skill, mention: Mention) -> Finding:
    """Return the finding about a missing file, with the fix to the only file of the skill that can be meant."""
    message = f"mentioned file {backticked(mention.path)} does not exist"
    meant = repair(skill, mention.path)
    if meant is None:
        elsewhere = skill.surroundings.found_elsewhere(mention.path)
        remedy = f"correct the path, add the file, or remove the mention{named_elsewhere(skill, skill.text, mention.path)}"
        if elsewhere is not None:
            remedy = f"use {backticked(elsewhere)}, which exists, or copy that file into this skill"
        return Finding(message, mention.span, help=remedy)
    fix = Fix(safe=meant.by_case, edits=(Edit(mention.span.start, mention.span.end, meant.path),))
    return Finding(message, mention.span, help=f"did you mean {backticked(meant.path)}?", fix=fix)


def _may_be_own_file(skill: Skill, mention: Mention) -> bool:
    """Return whether a mention can mean a file of this skill.

    If the skill has none of the directories in `_OWN`, `scripts` and `assets` may well be the project's: not if
    no directory above has them, but see `_is_doubtful`.
    """
    top, _, rest = mention.path.partition("/")
    if not mention.explicit and top in project_directories(skill):
        return False
    if mention.path.endswith(_STATE_FILES) and top not in _OWN:
        return False
    has_own = top == "references" or any(name in skill.tree.directories for name in _OWN)
    if top == "assets" and top not in skill.tree.directories and mention.path.endswith(_WEB_FILES):
        return False
    is_of_project = top not in _OWN or (skill.exists_above(top) and not lies_in_project(skill))
    if not mention.explicit and not has_own and is_of_project:
        return False
    return not _EXAMPLE_NAME.search(rest.rpartition("/")[2])


def _is_doubtful(skill: Skill, mention: Mention, fences: Regions) -> bool:
    """Return whether `scripts/x` is as likely a file of a project that the skill works on.

    So it is where the skill has the file for projects to copy. It is so, too, where the skill has no `scripts`,
    and the project in which it lies has none, either, or it lies in none and names the file in a block of
    commands; in any code, if it has no directory of its own. A drawing with arrows shows what becomes of a project,
    after "`npm run deploy` or" is what projects have instead, and a step of a workflow runs what they have.
    """
    top = mention.path.partition("/")[0]
    is_script = top == "scripts" and not mention.explicit and top not in skill.tree.directories
    if is_script and (_is_alternative(skill, mention) or _is_in_workflow(skill, mention, fences)):
        return True
    if not mention.explicit and _is_to_copy(skill, mention.path):
        return True
    if not mention.explicit and lies_in_project(skill) and _is_of_others(skill, mention.path):
        return True
    if not mention.explicit and _ARROW.search(line_around(skill.text, mention.span)[0]):
        return True
    if mention.explicit or top == "references" or top in skill.tree.directories:
        return False
    if lies_in_project(skill):
        return not skill.exists_above(top)
    has_own = any(name in skill.tree.directories for name in _OWN)
    return mention.span.start in (fences if has_own else code_regions(skill.text))


def _is_in_workflow(skill: Skill, mention: Mention, fences: Regions) -> bool:
    """Return whether a path is in an example of a step of a workflow, which is of a project."""
    before = line_around(skill.text, mention.span)[0]
    return mention.span.start in fences and _STEP.match(before) is not None


_STEP = lazy_pattern(r"[ \t]*(?:- )?run:[ \t]")


def _is_alternative(skill: Skill, mention: Mention) -> bool:
    """Return whether a path comes after another command and an "or": a project has one of the two."""
    start = mention.span.start
    return _OR.search(skill.source.text, max(start - _BEFORE_OR, 0), start) is not None


_OR = lazy_pattern(
    r"(?:`[^`\n]{1,60} [^`\n]{1,60}` or `|\n[ \t]{0,8}# ?or:?[ \t]{0,4}\r?\n[ \t]{0,8})(?:(?:bash|python3?|sh) )?(?:\./)?\Z",
    re.IGNORECASE,
)
_BEFORE_OR = 150


def _is_of_others(skill: Skill, path: str) -> bool:
    """Return whether another skill or plugin of the project has a file at a path, such as one that is described."""
    is_common = path.rpartition("/")[2].lower() in _COMMON
    return "/" in path and not is_common and skill.surroundings.is_in_repository(path)


def _is_to_copy(skill: Skill, path: str) -> bool:
    """Return whether the skill has a file for projects at a path: `assets/scripts/x.sh` for `scripts/x.sh`."""
    return any(name.startswith(_FOR_PROJECTS) and name.endswith(f"/{path}") for name in skill.tree.files)


_ARROW = lazy_pattern(r"[\u2500-\u257f]\u2192 ?\Z")
_FOR_PROJECTS = ("assets/", "templates/", "template/", "scaffold/")


def _names_this_skill(skill: Skill, mention: Mention) -> bool:
    """Return whether the path of a mention contains this skill's name, as no example about another skill does."""
    by_name = skill.source.text.endswith(f"skills/{skill.name}/", 0, mention.span.start)
    return by_name and mention.explicit and _may_be_own_file(skill, mention)


def _expects_file(skill: Skill, mention: Mention, fences: Regions) -> bool:
    """Return whether the words around a mention imply that the file exists."""
    before, after = line_around(skill.text, mention.span)
    if _ABSENT.match(after) or _MAY.search(before) or (_PRESENT.match(after) and _IF.search(before)):
        return False
    if _FORBIDDEN.search(before) or _SAID_WHERE.match(after) or _ITS.search(before):
        return False
    if _ADDRESS.search(before) or _EACH_HAS.search(before) or _IF_SAYS.search(before):
        return False
    if _gives_text(skill, mention, before):
        return False
    if _IF_IN_BRACKETS.search(before):
        return False
    if _TESTED.search(before) or (_SHOWING.search(before) and _SILENCED.match(after)) or _ELSE.match(after):
        return False
    if _NUMBERED.match(after) or (_OPTION.search(before) and _TESTS.search(before + after)):
        return False
    if _PROMPT.match(before) and _ENDS_PROMPT.search(after):
        return False
    if _is_at_end_of_another(skill, mention, before + after) or _is_in_tree_of_another(
        skill, mention, before
    ):
        return False
    if not mention.explicit and _is_among_files_of_project(skill, before + after):
        return False
    if _ELSEWHERE.search(before) or _HYPOTHETICAL.search(_HAS_EXAMPLES.sub("", before + after)):
        return False
    if not mention.explicit and mention.span.start in project_blocks(skill):
        return False
    if mention.explicit and is_below_assigned(skill, mention):
        return False
    top = mention.path.partition("/")[0]
    has_none = top != "references" and top not in skill.tree.directories
    if not mention.explicit and has_none and not _RUN.search(before) and _is_elsewhere(skill, mention):
        return False
    if _is_result(before, after) or _EXAMPLES.search(table_heading(skill, mention.span.start)):
        return False
    in_repository = _IN_REPOSITORY.match(after)
    if in_repository is not None and in_repository["name"] != skill.name:
        return False
    if _FROM_ROOT.search(rest_of_sentence(skill, mention.span.end)):
        return False
    introduction = introduction_of(skill, mention.span.start, fences)
    heading = section_heading(skill, mention.span.start)
    if (
        _TYPICAL.search(introduction)
        or _PLANNED.search(heading)
        or any(map(_IF_THERE.search, (introduction, heading)))
    ):
        return False
    if _BROUGHT.search(introduction) or _ELSEWHERE_IN.search(introduction) or _OF_REPOSITORY.search(heading):
        return False
    if not _RUN.search(before) and mention.span.start not in fences and _RESULTS.search(introduction):
        return False
    words = _SCRIPT_ACTION.sub("", before) if mention.path.startswith("scripts/") else before
    if not _RUN.search(before) and _WRITING.search(words):
        return False
    return not belongs_to_another(skill, mention.span.start, fences)


def _is_of_no_file(skill: Skill, mention: Mention, fences: Regions) -> bool:
    """Return whether a mention says nothing of a file of the skill: a place in the home directory, or a title."""
    before, after = line_around(skill.text, mention.span)
    return _is_at_home(skill, mention, before, fences) or _is_title_of_listing(skill, mention, before, after)


def _is_at_home(skill: Skill, mention: Mention, before: str, fences: Regions) -> bool:
    """Return whether a skill of a project names, but does not run, what its own directory in a home directory has."""
    is_named = mention.span.start not in fences and _AT_HOME.search(before) is not None
    has_directory = mention.path.partition("/")[0] in skill.tree.directories
    return is_named and not has_directory and lies_in_project(skill)


_AT_HOME = lazy_pattern(r"`(?:~|\$HOME|\$\{HOME\})/[\w./-]{1,200}\Z")


def _is_title_of_listing(skill: Skill, mention: Mention, before: str, after: str) -> bool:
    """Return whether a path alone in a comment is above the text of a script, at most below its `#!/bin/sh`."""
    written = skill.source.text
    if before.strip() != "#" or after.strip() != written[mention.span.start : mention.span.end]:
        return False
    above = _LISTING.search(written, max(mention.span.start - _LONGEST_DIRECTORY, 0), mention.span.start)
    below = written[mention.span.end : mention.span.end + _LONGEST_TREE].split("\n```")[0]
    lines = [line for line in below.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    return above is not None and len(lines) >= (_SEVERAL if above["program"] is None else 1)


_LISTING = lazy_pattern(
    r"^[ \t>]{0,12}(?:```+|~~~+)[^\n`]{0,40}\n(?P<program>[ \t>]{0,12}#![^\n]{1,80}\n)?[ \t>]{0,12}# {0,3}\Z",
    re.MULTILINE,
)


def _gives_text(skill: Skill, mention: Mention, before: str) -> bool:
    """Return whether a line ends with a path and a colon, and the block of code after it is that script."""
    found = None if _RUN.search(before) else _TEXT_BELOW.match(skill.source.text, mention.span.end)
    return found is not None and found["language"].lower() in _LANGUAGES.get(
        mention.path.rpartition(".")[2], ()
    )


_TEXT_BELOW = lazy_pattern(
    r"[`*_]{0,3}\)?[*_]{0,2}:[*_]{0,2}[ \t]*\r?\n\s{0,20}(?:```|~~~)[ \t]*(?P<language>[\w+#-]{1,20})[^\n]{0,80}\n"
)
_LANGUAGES = {
    "go": ("go",),
    "js": ("javascript", "js"),
    "mjs": ("javascript", "js", "mjs"),
    "py": ("py", "python", "python3"),
    "rb": ("rb", "ruby"),
    "rs": ("rs", "rust"),
    "ts": ("ts", "typescript"),
    "tsx": ("tsx", "typescript"),
}


def _is_at_end_of_another(skill: Skill, mention: Mention, line: str) -> bool:
    """Return whether the line has a longer path to the file, which exists: `skills/shared/scripts/check.py`."""
    longer = (match[1] for match in _LONGER.finditer(line) if match[1].endswith(f"/{mention.path}"))
    return any(skill.exists_above(path) for path in longer)


def _is_in_tree_of_another(skill: Skill, mention: Mention, before: str) -> bool:
    """Return whether a path is in the drawing of a tree, of which the top is not the skill's directory."""
    if not _BRANCH.match(before):
        return False
    above = skill.source.text[max(mention.span.start - _LONGEST_TREE, 0) : mention.span.start]
    top = next((line for line in reversed(above.split("\n")[:-1]) if not _BRANCH.match(line)), "")
    return skill.name not in top and _FILE_AT_TOP.match(top) is not None


def _is_among_files_of_project(skill: Skill, line: str) -> bool:
    """Return whether a line lists several files by their names, and the skill has none of them."""
    names = {name for name in _NAMED.findall(line) if "/" not in name}
    return len(names) >= _SEVERAL and not any(map(skill.holds, names))


_LONGER = lazy_pattern(r"(?<![\w./-])((?:[A-Za-z0-9_-][\w.-]{0,80}/){1,8}[\w.-]{1,100})")
_BRANCH = lazy_pattern(r"[ \t\u2502|]{0,200}[\u251c\u2514+`|]\u2500{0,80}[ \u2500-]{0,80}(?=\S)")
_FILE_AT_TOP = lazy_pattern(r"[ \t]{0,80}[\w.-]{1,80}\.\w{1,8}(?!\S)")
_LONGEST_TREE = 4_000  # characters above a path in one
_NAMED = lazy_pattern(r"`([\w./-]{1,80}\.[A-Za-z]\w{0,5})`")
_SEVERAL = 3  # names in a line besides the path


def _is_elsewhere(skill: Skill, mention: Mention) -> bool:
    """Return whether a skill of a project names a file of its repository, for the model to find."""
    name = mention.path.rpartition("/")[2]
    is_common = name.lower() in _COMMON or "." not in name
    return not is_common and lies_in_project(skill) and skill.surroundings.is_in_repository(name)


def _is_result(before: str, after: str) -> bool:
    """Return whether the command around a path writes to it: `> PATH`, `cp FILE PATH`."""
    words = before[: len(before.rstrip(_PATH_CHARACTERS))]
    return bool(_REDIRECTED.search(words) or (_COPYING.search(words) and _LAST_ARGUMENT.match(after)))


def _ignored_regions(skill: Skill) -> Regions:
    """Return links (see `broken-link`), comments, and code that is not a shell command."""
    body = skill.markdown
    fences = (fence.span for fence in body.fences if fence.info.partition(" ")[0].lower() not in _SHELLS)
    links = (link.span for link in body.links)
    definitions = (Span(*match.span()) for match in _DEFINITION.finditer(skill.source.text))
    nested = (block.span for block in intended_code_blocks(skill.text) if block.nested)
    return Regions((*fences, *links, *definitions, *nested, *(comment.span for comment in body.comments)))

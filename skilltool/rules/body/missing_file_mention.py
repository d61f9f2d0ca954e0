"""The body names a file of the skill that is not there.

`scripts/fill.py` in a sentence or a command is a promise: the model runs the script or reads the page,
fails, and goes on without. A file counts if it stands below `scripts/`, `references/` or `assets/`, or
behind a name for the skill's own directory. What the text calls an example, what it tells the model to
write, what lies in a directory above (a plugin's), data that a skill may keep beside its own directories,
and skills about writing skills do not count.

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
SKILL.md:8:31: warning[missing-file-mention]: the file `scripts/fill.py` is not in the skill
SKILL.md:8:66: warning[missing-file-mention]: the file `references/fields.md` is not in the skill
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

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.about_skills import explains_skills
from skilltool.rules.shared.mentions import Mention, missing
from skilltool.rules.shared.regions import Regions, line_around, meant_as_code
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "missing-file-mention"
SEVERITY = Severity.WARNING

_NO_PROMISE = re.compile(
    r"\be\.g\.|\b(?:examples?|for instance|such as|like|would|could|might|imagine|suppose|hypothetical|placeholder"
    r"|optional(?:ly)?|(?:if|where) (?:it |they |one |there is one )?(?:exists?|present|available)|when (?:present|available)|legacy|deprecated"
    r"|removed|deleted|no longer|instead of|not yet|planned|coming soon|to be (?:added|done|written)|tbd|upstream"
    r"|(?:plugin|repo|repository|project|workspace)(?:'s)?[- ](?:root|level)"
    r"|(?:target|host|their|user'?s?'?|your) (?:own )?(?:project|repo(?:sitory)?|workspace|codebase|app|site|theme))\b"
    "|\u4f8b|\u6bd4\u5982|\u793a\u8303|\u53ef\u9009|\u5982\u679c|\u305f\u3068\u3048\u3070|\uc608\uc2dc|\uc608\ub97c"
    "|\u5982\u6709|\u5982\u5b58\u5728|\u5047\u8bbe|\u82e5|\u5373\u5c06|\u5f85[\u8865\u6dfb\u5efa]|\u3082\u3057|\u3042\u308c\u3070|\ub9cc\uc57d|\uc788\uc73c\uba74",
    re.IGNORECASE,
)
_WRITING = re.compile(
    r"\b(?:sav|writ|wrote|creat|generat|output|export|stor|put|plac|add|record|produc|emit|render|copy|copi|mov|renam"
    r"|updat|append|mak|extract|split|build|download)\w*\b|\bnew\b[^.:;|]{0,15}\Z|--?o(?:ut\w*)?\b"
    r"|\S\s*(?<![-=])>{1,2}\s*[\"'`]?\Z"
    "|\u521b\u5efa|\u751f\u6210|\u8f93\u51fa|\u4fdd\u5b58|\u5199\u5165|\u4f5c\u6210|\u51fa\u529b|\uc800\uc7a5|\uc0dd\uc131"
    "|\u65b0\u5efa|\u5bfc\u51fa|\u5b58[\u50a8\u653e\u5165\u5230]|\u5199\u5230|\u653e[\u5165\u5230\u5728]|\u590d\u5236|\u79fb\u52a8|\u8ffd\u52a0|\u66f4\u65b0|\u8bb0\u5f55"
    "|\u66f8\u304d|\uc791\uc131|\ucd94\uac00",
    re.IGNORECASE,
)
# What a script does in these words, it does; what is written in the others may be the script.
_DOING = re.compile(
    r"\b(?:output|export|render|extract|split|build|download|record|emit|updat|append)\w*\b", re.IGNORECASE
)
# Examples that a page has are no sign that the page is one.
_HAS_EXAMPLES = re.compile(
    r"\b(?:for|with|more|and|of|has|have|contains?|see|full|complete|code|usage) (?:\w+ ){0,2}examples\b",
    re.IGNORECASE,
)
# Another place: what is cloned, entered, or on another machine.
_AWAY = re.compile(r"\b(?:git clone|cd\s+\S+\s*(?:&&|;)|docker (?:run|exec)|ssh\s)")
# "`references/x.md` is missing", and behind an "if" also "exists": the words behind a path say that it may not be there.
_ABSENT = re.compile(
    r"\A\S{1,200}\s{1,3}\(?(?:(?:it|which|that) )?(?:is (?:missing|absent)|(?:is|does)(?:n't| not) (?:exist|there|present|available))\b"
)
_PRESENT = re.compile(r"\A\S{1,200}\s{1,3}(?:already )?(?:exists|is (?:there|present|available|found))\b")
_IF = re.compile(r"\b(?:if|when|where|whether|unless|once|until)\b[^.;\n]{0,40}\Z", re.IGNORECASE)
# `the reader's scripts/x.py` is somebody else's, on this line or the one before.
_THEIRS = re.compile(r"['\u2019]s\s+[`\"(*]*\Z")
# So is one behind another skill, up to the end of the sentence: "the `forms` skill (`scripts/x.py`)", or
# "`skills/forms/SKILL.md` and `references/x.md`".
_OTHER = re.compile(
    r"(?:[`*\"\u201c]([\w:-]{1,80})[`*\"\u201d]{1,3}(?: [A-Z]\w{1,30})? (?:skill|plugin)\b"
    r"|\b([\w-]{1,80})/SKILL\.md)(?!.*[.;] )"
)
_RUN = re.compile(
    r"(?:\b(?:python[0-9.]*|bash|sh|zsh|node|bun|deno|ruby|perl|pwsh|powershell|tsx|uv run|cat|source|run|execute|read|see)[ \t]+"
    r"(?:-\w+[ \t]+)?[\"'`]?(?:\./)?)\Z",
    re.IGNORECASE,
)
_MADE_UP = re.compile(
    r"(?:^|[_.-])(?:name|x{2,}|foo|bar|baz|examples?|samples?|your|my|some|placeholder|n+|topic)(?=[_.-]|\Z)"
    r"|^(?:tool|script|file|template|helper|[a-z])\.",
    re.IGNORECASE,
)
# `[guide]: references/guide.md`, where a link leads that stands elsewhere.
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]+\]:[^\n]*", re.MULTILINE)
_NEAR = 40
_SHELLS = frozenset(
    {"", "sh", "bash", "shell", "zsh", "console", "terminal", "powershell", "pwsh", "text", "txt"}
)
_OWN = ("scripts", "references", "assets")
# Outside of those directories a skill keeps what it remembers, or what its user fills in: it comes with the first use.
_OF_A_SITE = (".css", ".gif", ".ico", ".jpeg", ".jpg", ".js", ".png", ".svg", ".webp", ".woff", ".woff2")
_STATE = (".csv", ".db", ".env", ".json", ".jsonl", ".log", ".sqlite", ".toml", ".txt", ".yaml", ".yml")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield the first mention of each file that is missing and that no mention calls an example or a result."""
    elsewhere = _elsewhere(skill)
    counts = _is_own if explains_skills(skill) else _counts
    named = [each for each in missing(skill) if each.span.start not in elsewhere and counts(skill, each)]
    promised = {mention.path for mention in named}
    promised -= {mention.path for mention in named if not _is_promise(skill, mention)}
    for mention in named:
        if mention.path in promised and not skill.stands_above(mention.path):
            message = f"the file {backticked(mention.path)} is not in the skill"
            yield Finding(message, mention.span, help="correct the path, or add the file")
        promised.discard(mention.path)


def _counts(skill: Skill, mention: Mention) -> bool:
    """Return whether a mention could be of a file of the skill.

    Without directories of the skill's own, `scripts` and `assets` may well be the project's.
    """
    top, _, rest = mention.path.partition("/")
    if mention.path.endswith(_STATE) and top not in _OWN:
        return False
    has_own = top == "references" or any(name in skill.tree.directories for name in _OWN)
    if top == "assets" and top not in skill.tree.directories and mention.path.endswith(_OF_A_SITE):
        return False
    return (mention.explicit or has_own) and not _MADE_UP.search(rest.rpartition("/")[2])


def _is_own(skill: Skill, mention: Mention) -> bool:
    """Return whether a mention says by name that the file is this skill's: no example of another does."""
    by_name = skill.source.text.endswith(f"skills/{skill.name}/", 0, mention.span.start)
    return by_name and _counts(skill, mention)


def _is_promise(skill: Skill, mention: Mention) -> bool:
    """Return whether the words around a mention take it for granted that the file is there."""
    before, behind = line_around(skill, mention.span)
    near = skill.source[Span(max(mention.span.start - _NEAR, 0), mention.span.start)]
    other = _OTHER.search(before)
    uncertain = _ABSENT.match(behind) or (_PRESENT.match(behind) and _IF.search(before))
    if uncertain or _THEIRS.search(near) or (other and skill.name not in other.groups()):
        return False
    if _AWAY.search(before) or _NO_PROMISE.search(_HAS_EXAMPLES.sub("", before + behind)):
        return False
    said = _DOING.sub("", before) if mention.path.startswith("scripts/") else before
    return bool(_RUN.search(before)) or not _WRITING.search(said)


def _elsewhere(skill: Skill) -> Regions:
    """Return the links, which are another rule's, the comments, and the code that is no command."""
    body = skill.markdown
    fences = (fence.span for fence in body.fences if fence.info.partition(" ")[0].lower() not in _SHELLS)
    links = (link.span for link in body.links)
    places = (Span(*found.span()) for found in _DEFINITION.finditer(skill.source.text))
    shown = (block.span for block in meant_as_code(skill) if block.nested)
    return Regions((*fences, *links, *places, *shown, *(comment.span for comment in body.comments)))

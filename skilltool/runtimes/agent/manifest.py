"""How do agent-base and document 001 read a SKILL.md? Markers, PyYAML, a pydantic model.

Sources: document 001, "Manifest Fields"; `skills/manifest.py` of danielscholl/agent-base at 13733a71.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from skilltool.emulation.pydantic import (
    Check,
    bounded_text,
    error_text,
    flag,
    list_of,
    model_of,
    optional,
    table_of,
    text,
    validated,
)
from skilltool.emulation.pyyaml import PyYamlError, check_printable, safe_load
from skilltool.runtimes.loading import TOO_LARGE, decoded
from skilltool.runtimes.values import Refusal, not_read
from skilltool.skill.read_file import MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError

MANIFEST_ERROR = "SkillManifestError"
_PYDANTIC = "2.12"
_BRIEF, _CUT = 80, 77
_CLOSING = re.compile(r"\n---\s*\n")
_KINDS = ("keywords", "verbs", "patterns")
_UNUSED = (
    "version",
    "author",
    "repository",
    "license",
    "min_agent_base_version",
    "max_agent_base_version",
)
# The keys that the pydantic model reads; others may have any value.
_FIELDS = frozenset(
    {"name", "description", "default_enabled", "toolsets", "scripts", "scripts_ignore", "permissions"}
    | {"instructions", "brief_description", "triggers", *_UNUSED}
)


@dataclass(frozen=True, slots=True)
class Manifest:
    """The content of a SKILL.md that the runtime accepts.

    `brief` is the author's brief description or the generated one. `triggers` have the name among the
    keywords; `declared` says whether the author wrote any. `scripts` is None if the author lists none, to
    be discovered.
    """

    name: str
    description: str
    brief: str
    triggers: dict[str, list[str]]
    declared: bool
    default_enabled: bool
    toolsets: list[str]
    scripts: list[str] | None
    scripts_ignore: list[str]
    body: str

    @property
    def registry_line(self) -> str:
        """The brief description as the registry prints it: at most 80 characters, never empty."""
        return (self.brief or self.description)[:_BRIEF]


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between the two: the model of the frontmatter, and where a sentence ends."""

    model: Check
    first_sentence: Callable[[str], str]


def read(raw: bytes | OSError, dialect: Dialect) -> Manifest:
    """Return the manifest in the content of a SKILL.md, or in place of that, the error of opening it.

    Raises `Refusal`: its `kind` is `SkillManifestError`, or the class of an exception that the runtime does
    not expect; its `message` is None if skilltool refuses the file, and not the runtime.
    """
    if isinstance(raw, bytes) and len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    try:
        source = decoded(raw)
    except OSError as error:
        raise Refusal(str(error), f"it cannot be read: {error.strerror}", type(error).__name__) from None
    except UnicodeDecodeError:
        raise _manifest_error("SKILL.md must be UTF-8 encoded", "it is not UTF-8") from None
    block = split(source)
    if block is None:
        message = "SKILL.md must start with YAML front matter delimited by '---' markers"
        raise _manifest_error(message, "it does not start with frontmatter between two lines `---`")
    data = _data(block[0])
    data["instructions"] = block[1]
    return _manifest(data, dialect, block[0])


def split(source: str) -> tuple[str, str] | None:
    r"""Return the YAML text and the stripped body, or None: `^---\s*\n(.*?)\n---\s*\n(.*)` of Python's re.

    That expression itself would take time that grows with the square of the number of blank lines.
    """
    opening = re.match(r"---\s*", source)
    if opening is None:
        return None
    start = source.rfind("\n", 3, opening.end())
    if start < 0:
        return None
    closing = _CLOSING.search(source, start + 1)
    if closing is None:
        # The white space after the first marker gives back a line end if the second marker follows at once.
        closing, start = _CLOSING.match(source, start), source.rfind("\n", 3, start)
    if closing is None or start < 0:
        return None
    return source[start + 1 : closing.start()], source[closing.end() :].strip()


def _data(block: str) -> dict[Any, Any]:
    try:
        data = safe_load(block, _FIELDS)
    except BoundError as error:
        raise not_read(error) from None
    except PyYamlError as error:
        why = f"the frontmatter is not valid YAML: {error.text.partition(chr(10))[0]}"
        if not error.is_yaml:
            raise Refusal(error.text, why, error.kind, error.text) from None
        message = f"Invalid YAML front matter: {error.text}"
        raise Refusal(message, why, MANIFEST_ERROR, error.text) from None
    if not isinstance(data, dict):
        raise _manifest_error("YAML front matter must be a dictionary", "the frontmatter is not a mapping")
    return data


def _manifest(data: dict[Any, Any], dialect: Dialect, block: str) -> Manifest:
    if not all(isinstance(key, str) for key in data):
        words = "keywords must be strings"
        why = "a key in the frontmatter is not a string (YAML reads `on`, `yes` and `1` as bools and numbers)"
        raise Refusal(f"Invalid SKILL.md manifest: {words}", why, MANIFEST_ERROR, words)
    values, problems = dialect.model((), data)
    if problems:
        try:
            check_printable(block)
        except BoundError as error:
            raise not_read(error) from None
        words = error_text("SkillManifest", problems, _PYDANTIC)
        first = problems[0]
        why = f"`{'.'.join(map(str, first.path))}`: {first.message}"
        raise Refusal(f"Invalid SKILL.md manifest: {words}", why, MANIFEST_ERROR, words)
    given: dict[str, list[str]] = values["triggers"] or {kind: [] for kind in _KINDS}
    keywords, name = given["keywords"], values["name"].lower()
    if name not in [keyword.lower() for keyword in keywords]:
        keywords = [*keywords, name]
    return Manifest(
        name=values["name"],
        description=values["description"],
        brief=values["brief_description"] or brief(dialect.first_sentence(values["description"])),
        triggers={"keywords": keywords, "verbs": given["verbs"], "patterns": given["patterns"]},
        declared=any(given.values()),
        default_enabled=values["default_enabled"],
        toolsets=values["toolsets"],
        scripts=values["scripts"],
        scripts_ignore=values["scripts_ignore"],
        body=values["instructions"],
    )


def brief(sentence: str) -> str:
    """Return a sentence of at most 80 characters; a longer one is cut at a blank, with `...` after it."""
    if len(sentence) <= _BRIEF:
        return sentence
    cut = sentence.rfind(" ", 0, _CUT)
    return sentence[: _CUT if cut < 0 else cut] + "..."


def to_the_first_dot(description: str) -> str:
    """Return the text before the first `.`, even one inside a word, as agent-base does."""
    return description.partition(".")[0].strip()


def to_the_sentence_end(description: str) -> str:
    """Return the text before the first `.`, `!` or `?` that white space or nothing follows."""
    return re.split(r"[.!?](?=\s|$)", description, maxsplit=1)[0].strip()


def model(name_pattern: str, name_words: str, toolset_words: Callable[[str], str | None]) -> Check:
    """Return the model of the frontmatter, given the form of a name and the check of a toolset."""

    def name_error(name: str) -> str | None:
        return None if re.match(name_pattern, name) else name_words

    def toolsets_error(toolsets: list[str]) -> str | None:
        return next((words for each in toolsets if (words := toolset_words(each))), None)

    texts = list_of(text)
    triggers = model_of("SkillTriggers", dict.fromkeys(_KINDS, (texts, [])))
    maybe: tuple[Check, Any] = (optional(text), None)
    return model_of(
        "SkillManifest",
        {
            "name": (validated(bounded_text(1, 64), name_error), ...),
            "description": (bounded_text(1, 500), ...),
            **dict.fromkeys(_UNUSED, maybe),
            "default_enabled": (flag, True),
            "toolsets": (validated(texts, toolsets_error), []),
            "scripts": (optional(texts), None),
            "scripts_ignore": (texts, []),
            "permissions": (table_of(text, texts), {}),
            "instructions": (text, ""),
            "brief_description": maybe,
            "triggers": (optional(triggers), None),
        },
    )


def _manifest_error(message: str, why: str) -> Refusal:
    return Refusal(message, why, MANIFEST_ERROR)

"""Finds what a skill refers to: other skills, files outside it, and files within it that do not exist.

Other skills are known by the names in their frontmatter and of their directories. A name alone says little
(`pdf`, `test`): it counts in the forms that clients and authors have for skills.

| form | `by` |
|---|---|
| a link or a path to a skill's directory or SKILL.md | `link`, `path` |
| `/name`, `$name`, `@name`, `plugin:name`, `Skill("name")` | the same |
| `dependencies`, `requires`, `related_skills`, `skills` in the frontmatter, or in its `metadata` | `field` |
| the name in backticks beside the word "skill" | `prose`, a note |
| a name with a hyphen in a line about skills, or in bold as the start of a list item | `prose`, a note |
| `plugin:name` with a hyphen in the name and a plugin that is not in the repository | the same, a note |

Which links of a page count, and whether a file that is missing was meant to be there, is decided by the
rules of `lint` about links and mentions.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from skilltool.findings.finding import Finding, Severity
from skilltool.findings.secrets import without_secrets
from skilltool.needs.around import Around, Known
from skilltool.rules.body import broken_link, missing_file_mention, missing_named_file
from skilltool.rules.may_apply import MAY_APPLY
from skilltool.rules.shared.about_skills import explains_skills
from skilltool.rules.shared.links import Destination, all_file_links, destination
from skilltool.rules.shared.regions import code_regions, line_around
from skilltool.rules.shared.text_signs import is_sample
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME
from skilltool.skill.texts import Text
from skilltool.text.frontmatter.nodes import Node, Scalar, leaves
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

SKILL, SKILL_FILE, OUTSIDE, MISSING, NOWHERE = "skill", "skill-file", "outside", "missing", "nowhere"
OLD_NAME = "old-name"
PROSE = "prose"
MEANINGS = {
    SKILL: "another skill",
    SKILL_FILE: "a file in another skill",
    OUTSIDE: "a file in the repository, outside every skill",
    MISSING: "a file in this skill that does not exist",
    OLD_NAME: "a skill that used to have this name",
    NOWHERE: "a skill or a file outside this skill that does not exist in this repository",
}
_FIELDS = ("dependencies", "related_skills", "related-skills", "requires", "skills", "prerequisites")
_OF_PACKAGES = ("dependencies", "requires", "prerequisites")  # which hold other things more often
_NAME_KEYS = ("name", "skill", "slug", "id", "skills")
_MOST = 1_000  # references of one skill


class Reference(NamedTuple):
    """What a skill refers to, and where: `line` and `column` of a `file` of the skill, from 1.

    `to` is one of the constants above. `target` is the name of a skill, or the path as it is written. `leads`
    is the path under the top of the repository, empty where it leads to nothing. `skill` is the directory of
    the other skill, as printed. `by` says in which form, `path` is what a link or a path has written; a note
    is what may be meant otherwise.
    """

    to: str
    target: str
    by: str
    file: str
    line: int
    column: int
    text: str
    leads: str = ""
    skill: str = ""
    is_note: bool = False
    path: str = ""


def references(skill: Skill, own: Known, known: Around, target: Runtime) -> tuple[Reference, ...]:
    """Return what a skill refers to, file by file in the order of the text, each thing once in a line."""
    reader = _Reader(skill, own, known)
    reader.add_links(target)
    reader.add_missing(target)
    reader.add_fields()
    names = frozenset(name for name in (*known.names, *known.former) if len(name) > 1)
    names -= {own.name, own.directory.name}
    for text in skill.texts:
        if text.is_page and not is_sample(text.file):
            reader.add_paths(text)
            if names:
                reader.add_names(text, names)
    return reader.found()


class _Reader:
    """Collects the references of one skill."""

    def __init__(self, skill: Skill, own: Known, known: Around) -> None:
        self._skill = skill
        self._own = own
        self._known = known
        self._found: dict[tuple[str, int, str], Reference] = {}
        in_paths = len(
            _UP_TO_SKILL.findall(skill.body)
        )  # of other skills, no words about how they are written
        self._explains = explains_skills(skill) and in_paths * 2 <= skill.body.count(FILE_NAME)

    def found(self) -> tuple[Reference, ...]:
        order = sorted(self._found.values(), key=lambda each: (each.file != "", each.file, each.line))
        return tuple(order[:_MOST])

    def add_links(self, target: Runtime) -> None:
        """Add links that leave the skill, and those within it to what does not exist."""
        doubts: dict[tuple[str, Span], Finding] | None = None
        for text, link, resolved in all_file_links(self._skill):
            leads = destination(self._skill, resolved)
            if leads is Destination.PACKAGE or resolved.path == ".":
                continue
            if leads is Destination.SKILL and self._skill.holds(resolved.path):
                continue
            if leads in (Destination.SKILL, Destination.NOWHERE, Destination.OUTSIDE):
                if doubts is None:
                    found = broken_link.check(self._skill, target)
                    doubts = {(finding.file or "", finding.span): finding for finding in found}
                doubt = doubts.get((text.file, link.target_span))
                if doubt is None and leads is not Destination.OUTSIDE:
                    continue  # one of many copied links, of which the rule tells once
                is_note = link.image or (doubt is not None and doubt.severity is Severity.INFO)
                if leads is Destination.OUTSIDE and link.target.startswith(("/", "~", "file:")):
                    continue  # a web site's or a machine's, see the capabilities
                to = MISSING if leads is Destination.SKILL else NOWHERE
                self._add(text, link.target_span, to, link.target, "link", is_note=is_note, path=link.target)
                continue
            path = self._skill.surroundings.resolve(resolved.path)
            if path is not None:
                self._add_path(text, link.target_span, link.target, path, "link")

    def add_missing(self, target: Runtime) -> None:
        """Add the files of the skill that its text names, and that do not exist."""
        for rule in (missing_file_mention, missing_named_file):
            if not MAY_APPLY[rule.ID](self._skill, target):
                continue
            for finding in rule.check(self._skill, target):
                text = self._skill.text_of(finding.file or "")
                if text is not None:
                    written = text.source[finding.span].strip("`")
                    self._add(text, finding.span, MISSING, written, "path")

    def add_fields(self) -> None:
        """Add the skills that the frontmatter declares."""
        for path, node in self._fields():
            named = [
                (value.span, name) for value in _values(node) for name in re.split(r"[,\s]+", value.text)
            ]
            others = [(span, name, self._declared(name)) for span, name in named if name]
            if path[-1] in _OF_PACKAGES and not all(other for _, _, other in others):
                continue  # packages of Python or npm, some of which have the name of a skill
            for span, name, other in others:
                if other is not None and other.name != self._own.name:
                    self._add_skill(self._skill.text, span, name, other, f"field {'.'.join(path)}")

    def _declared(self, name: str) -> Known | None:
        return self._known.named(name.rpartition(":")[2].rpartition("/")[2], self._own.directory)

    def _fields(self) -> Iterator[tuple[tuple[str, ...], Node]]:
        for field in _FIELDS:
            for path in ((field,), ("metadata", field)):
                node = self._skill.frontmatter.node(*path)
                if node is not None:
                    yield path, node

    def add_paths(self, text: Text) -> None:
        """Add paths outside of links: `../NAME/SKILL.md`, `skills/NAME/...`, `~/.claude/skills/NAME/...`."""
        written, begin = text.source.text, text.body_span.start
        if "../" in written:
            for match in _UP.finditer(written, begin):
                self._add_upward(text, Span(*match.span()), match[0].rstrip("./"))
        if "skills/" in written and not self._explains:
            for match in _FROM_TOP.finditer(written, begin):
                other = self._known.named(match["name"], self._own.directory)
                if other is None or match["name"] in (self._own.name, self._own.directory.name):
                    continue
                if "://" in written[max(match.start() - _LONGEST, begin) : match.start()].split(" ")[-1]:
                    continue  # a URL
                span, rest = Span(*match.span()), match["rest"].rstrip(".")
                written_path = match[0].rstrip(".")
                if rest in ("", "/", f"/{FILE_NAME}"):
                    self._add_skill(text, span, written_path, other, "path")
                elif os.path.lexists(other.directory / rest.strip("/")):
                    self._add_path(text, span, written_path, other.directory / rest.strip("/"), "path")

    def _add_upward(self, text: Text, span: Span, path: str) -> None:
        """Add a path that goes up and leads out of the skill to what exists, from its page or the skill."""
        for directory in dict.fromkeys((text.directory, "")):
            normal = posixpath.normpath(posixpath.join(directory, path))
            if not normal.startswith("../"):
                return  # within the skill
            leads = self._skill.surroundings.resolve(normal)
            if leads is not None and os.path.lexists(leads) and leads != self._known.top:
                if not leads.is_relative_to(self._own.directory):
                    self._add_path(text, span, path, leads, "path")
                return
        if path.endswith(f"/{FILE_NAME}") and not self._explains:
            self._add(text, span, NOWHERE, path, "path")

    def add_names(self, text: Text, names: frozenset[str]) -> None:
        """Add the names of other skills in the forms that clients and authors have for them."""
        written, begin = text.source.text, text.body_span.start
        for name, start, end in _named(written, begin, names):
            form = _form(written, Span(start, end), text, self._known.plugins)
            if form is not None and name in self._known.former:
                leads, is_note = self._known.former[name], form.is_note or form.by == PROSE
                self._add(text, form.span, OLD_NAME, name, form.by, leads=leads, is_note=is_note)
                continue
            other = self._known.named(name, self._own.directory) if form else None
            if form is None or other is None or other.directory == self._own.directory:
                continue
            if form.plugin and form.plugin not in other.plugins and not form.is_note:
                others = [each for each in self._known.skills if name in (each.name, each.directory.name)]
                other = next((each for each in others if form.plugin in each.plugins), None)
                if other is None:
                    continue
            shown = f"{form.plugin}:{name}" if form.plugin else name
            self._add_skill(text, form.span, shown, other, form.by, is_note=form.is_note)

    def _add_path(self, text: Text, span: Span, written: str, path: Path, by: str) -> None:
        """Add a path that exists outside the skill: another skill, a file of it, or any other file."""
        real = Path(os.path.realpath(path))
        other = self._known.at(real)
        if other is not None and other.directory == self._own.directory:
            return
        if other is None:
            self._add(text, span, OUTSIDE, written, by, leads=self._below_top(real), path=written)
        elif real == other.directory or (real.parent == other.directory and real.name == FILE_NAME):
            self._add_skill(text, span, written, other, by)
        else:
            leads = self._below_top(real)
            self._add(text, span, SKILL_FILE, written, by, leads=leads, skill=other.shown, path=written)

    def _add_skill(
        self, text: Text, span: Span, written: str, other: Known, by: str, *, is_note: bool = False
    ) -> None:
        target = other.name if by in ("link", "path") else written
        leads = self._below_top(other.directory)
        is_note = is_note or by == PROSE
        path = written if by in ("link", "path") else ""
        self._add(text, span, SKILL, target, by, leads=leads, skill=other.shown, is_note=is_note, path=path)

    def _below_top(self, path: Path) -> str:
        return os.path.relpath(path, self._known.top).replace(os.sep, "/")

    def _add(
        self,
        text: Text,
        span: Span,
        to: str,
        target: str,
        by: str,
        *,
        leads: str = "",
        skill: str = "",
        is_note: bool = False,
        path: str = "",
    ) -> None:
        is_note = is_note or _FOR_PEOPLE.match(posixpath.basename(text.file)) is not None
        line, column = text.source.position(span.start)
        file = text.file or self._skill.file_name
        key = file, line, leads or target
        held = self._found.get(key)
        if held is None or (held.is_note and not is_note):
            shown = line_of(text, span)
            row = Reference(to, target, by, file, line, column, shown, leads, skill, is_note, path)
            self._found[key] = row


_LONGEST = 160
_FOR_PEOPLE = lazy_pattern(r"(?:readme|changelog|contributing|history)\b", re.IGNORECASE)


def line_of(text: Text, span: Span) -> str:
    """Return the line around a span, shortened on both sides where it is very long."""
    before, after = line_around(text, span)
    before, after = without_secrets(before)[-_LONGEST // 2 :], without_secrets(after)[: _LONGEST // 2]
    return " ".join(f"{before}{after}".split())


def _values(node: Node) -> Iterator[Scalar]:
    """Yield the scalars of a field that may name skills: of mappings only those of a few keys."""
    from skilltool.text.frontmatter.nodes import Mapping, Sequence

    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _values(item)
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            if isinstance(key, Scalar) and key.text in _NAME_KEYS:
                yield from (leaf for leaf in leaves(value) if isinstance(leaf, Scalar))


_UP = lazy_pattern(r"(?<![\w./*\\$}~-])(?:\.\./)+[A-Za-z0-9_][\w./-]{0,200}", re.ASCII)
_UP_TO_SKILL = lazy_pattern(r"\.\./[\w.-]{1,80}/SKILL\.md", re.ASCII)
_FROM_TOP = lazy_pattern(
    r"(?<![\w-])(?:[\w.~${}-]{1,60}/){0,8}skills/(?P<name>[A-Za-z0-9][\w.-]{0,80})(?P<rest>(?:/[\w.-]+)*/?)",
    re.ASCII,
)
_NEAR = 60  # characters around a name
_WORD_OF_SKILL = lazy_pattern(r"\bskills?\b", re.IGNORECASE)
_CALLED = lazy_pattern(
    r"\b(?:skills?|commands?|run|runs|running|invoke|invokes|use|uses|using|type|call|via)\b", re.IGNORECASE
)
_SKILL_AFTER = lazy_pattern(r"[`*\"\u201d]{1,3}(?: \([^)\n]{1,40}\))? skill\b(?!-)", re.IGNORECASE)
_SKILL_BEFORE = lazy_pattern(r"\bskill:? [`*\"\u201c]{1,3}\Z", re.IGNORECASE)
_TOOL = lazy_pattern(r"\bSkill\(\s*(?:\w{1,12}\s*[:=]\s*)?[\"'`]?(?:[\w-]{1,60}:)?\Z")
_PLUGIN = lazy_pattern(r"(?P<plugin>[a-z0-9][\w-]{0,60}):\Z")


class _Form(NamedTuple):
    """In which form a name stands, and where; the plugin before it, if any; whether it is a note."""

    by: str
    span: Span
    plugin: str = ""
    is_note: bool = False


_TOKEN = lazy_pattern(r"(?<![\w-])[\w-]{2,100}+(?!\.\w|/\w)")


def _named(text: str, start: int, names: frozenset[str]) -> Iterator[tuple[str, int, int]]:
    """Yield each name in a text, with its start and end: words, and the few names that are not one word."""
    for match in _TOKEN.finditer(text, start):
        if match[0] in names:
            yield match[0], *match.span()
    for name in names:
        if not _ONE_WORD.fullmatch(name):
            at = text.find(name, start)
            while at >= 0:
                end = at + len(name)
                around = text[max(at - 1, 0) : at] + text[end : end + 1]
                if not re.search(r"[\w-]", around):
                    yield name, at, end
                at = text.find(name, end)


_ONE_WORD = lazy_pattern(r"[\w-]+")


def _form(written: str, span: Span, text: Text, plugins: frozenset[str]) -> _Form | None:
    """Return the form in which a name at a span of a text stands; None where it may be any word."""
    start, end = span
    before, after = written[max(start - _NEAR, 0) : start], written[end : end + _NEAR]
    line_before = before.rpartition("\n")[2]
    has_hyphen = "-" in written[start:end]
    if _TOOL.search(line_before):
        plugin = _PLUGIN.search(line_before)
        named = plugin["plugin"] if plugin is not None and plugin["plugin"] in plugins else ""
        return _Form("Skill()", Span(start, end), named)
    if after[:1] == ":" and after[1:2].isalnum():
        return None  # the name of a plugin
    plugin = _PLUGIN.search(line_before)
    if plugin is not None:
        is_word = line_before[: plugin.start()][-1:] in ("", " ", "`", "/", "(", "*", '"', "'", ",")
        if not is_word or (plugin["plugin"] not in plugins and not has_hyphen):
            return None
        form = _Form("plugin:name", Span(start - len(plugin[0]), end), plugin["plugin"])
        if plugin["plugin"] in plugins:
            return form
        return None if _AGENT.search(after.partition("\n")[0]) else form._replace(is_note=True)
    mark = line_before[-1:]
    outer = line_before[-2:-1]
    if mark in ("/", "$", "@") and outer in ("", " ", "`", "(", "*", '"', "'", "\u201c", "["):
        if mark == "/" and after[:1] in ("/", "."):
            return None
        is_code = outer == "`" and after[:1] in ("`", " ")
        says = _CALLED.search(line_before) or _WORD_OF_SKILL.search(after.partition("\n")[0])
        if (has_hyphen and (is_code or says)) or (is_code and says):
            return _Form({"/": "/name", "$": "$name", "@": "@name"}[mark], Span(start - 1, end))
        return None
    if _SKILL_AFTER.match(after) and mark in ("`", "*", '"', "\u201c"):
        return _Form(PROSE, Span(start, end))
    if _SKILL_BEFORE.search(line_before) and after[:1] in ("`", "*", '"', "\u201d"):
        return _Form(PROSE, Span(start, end))
    if has_hyphen and mark == "`" and after[:1] == "`":
        line, rest = line_around(text, Span(start, end))
        if _WORD_OF_SKILL.search(line) or _WORD_OF_SKILL.search(rest):
            return _Form(PROSE, Span(start, end))
    return _plain(Span(start, end), text) if has_hyphen and mark != "`" else None


_AGENT = lazy_pattern(r"(?:sub)?agents?\b|\btype\b", re.IGNORECASE)
_AGENT_BEFORE = lazy_pattern(r"(?:agents?\b|agent_type\b|\bTask\b).{0,40}\Z", re.IGNORECASE)
_PLAIN_BEFORE = lazy_pattern(r"(?:\A|[\s(\[\"\u201c*,;|\u2192>+])\Z")
_PLAIN_AFTER = lazy_pattern(r"(?:\Z|[\s)\]\"\u201d*,;:|\u2192]|\.(?!\w))")
_OF_SKILLS = lazy_pattern(r"(?<![\w/.:-])(?:sub-)?skills?(?![\w/-]|\.\w)", re.IGNORECASE)
_ITEM = lazy_pattern(r"[ \t]*(?:[-*+]|\d{1,2}[.)])[ \t]+\*\*\Z")
_ITEM_AFTER = lazy_pattern(r":?\*\*:?[ \t]*(?:[:(\u2014\u2013\u2192]|- |\w)")


def _plain(span: Span, text: Text) -> _Form | None:
    """Return a note for a name with a hyphen that stands in a sentence without backticks; else None.

    Either its line contains the word "skill", or it starts an item of a list and is bold. Paths, code, and
    agents with the name of a skill are not references.
    """
    line, rest = line_around(text, span)
    after = rest[len(text.source[span]) :]
    if not _PLAIN_BEFORE.search(line) or not _PLAIN_AFTER.match(after):
        return None
    if _AGENT_BEFORE.search(line) or _AGENT.match(after.lstrip('*" ')):
        return None
    is_item = _ITEM.fullmatch(line) and _ITEM_AFTER.match(after)
    if not (is_item or _OF_SKILLS.search(line) or _OF_SKILLS.search(after)):
        return None
    return None if span.start in code_regions(text) else _Form(PROSE, span)


def cycles(edges: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Return the groups of skills that refer to each other in a circle (strongly connected), each sorted."""
    following: dict[str, list[str]] = {}
    for start, end in edges:
        following.setdefault(start, []).append(end)
        following.setdefault(end, [])
    backwards: dict[str, list[str]] = {each: [] for each in following}
    for start, ends in following.items():
        for end in ends:
            backwards[end].append(start)
    order: list[str] = []
    seen: set[str] = set()
    for each in following:
        _finish(each, following, seen, order.append)
    groups: list[tuple[str, ...]] = []
    seen = set()
    for each in reversed(order):
        group: list[str] = []
        _finish(each, backwards, seen, group.append)
        if len(group) > 1:
            groups.append(tuple(sorted(group)))
    return sorted(groups)


def _finish(start: str, following: dict[str, list[str]], seen: set[str], done: Callable[[str], None]) -> None:
    """Call `done` with all that can be reached and was not seen, each after what it leads to."""
    if start in seen:
        return
    seen.add(start)
    waiting = [(start, iter(following[start]))]
    while waiting:
        node, ends = waiting[-1]
        end = next((each for each in ends if each not in seen), None)
        if end is None:
            waiting.pop()
            done(node)
        else:
            seen.add(end)
            waiting.append((end, iter(following[end])))

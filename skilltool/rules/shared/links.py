"""Links of a body: which are written, where each leads, which are doubtful, and what the author meant."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from copy import copy
from enum import Enum
from functools import lru_cache
from itertools import tee
from typing import TYPE_CHECKING, NamedTuple

from skilltool.findings.finding import Edit, Fix
from skilltool.rules.shared.projects import is_overlay
from skilltool.rules.shared.regions import Regions, doubtful_prose, intended_code_blocks
from skilltool.rules.shared.scaffolds import is_scaffold
from skilltool.rules.shared.skill_paths import OWN_DIRECTORY, VARIABLE_HINTS
from skilltool.rules.shared.text_signs import is_sample
from skilltool.rules.shared.wording import backticked
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.markdown import Link
from skilltool.text.source import Span

if TYPE_CHECKING:
    from skilltool.text.markdown import Markdown


_SEPARATORS = lazy_pattern(r"[-_/]")
_MOST_FILES = 2_000  # of a skill; comparing a path with more takes too long
# Names that many directories have: a file of this name elsewhere is another file.
_COMMON_NAMES = frozenset(
    {"readme.md", "index.md", "skill.md", "license", "license.md", "license.txt", "changelog.md"}
)


class Repair(NamedTuple):
    """A file of the skill that a link may mean; `by_case` if the link differs from its path only in case."""

    path: str
    by_case: bool


def repair(skill: Skill, path: str) -> Repair | None:
    """Return the only file that a path, which does not exist, may mean: by case, by name, or by a slip of a key."""
    files = skill.tree.files
    if len(files) > _MOST_FILES:
        return None
    by_case = [name for name in files if name.casefold() == path.casefold()]
    if by_case:
        return Repair(by_case[0], by_case=True) if len(by_case) == 1 else None
    base = posixpath.basename(path).casefold()
    if "." not in base and f"{path}.md" in files:  # as web sites link their pages
        return Repair(f"{path}.md", by_case=False)
    if "." not in base or base in _COMMON_NAMES:
        return None
    by_name = [name for name in files if posixpath.basename(name).casefold() == base]
    if by_name:
        return Repair(by_name[0], by_case=False) if len(by_name) == 1 else None
    alike = [name for name in files if _is_slip(path, name)]
    alike = alike or [name for name in files if _is_longer(path, name)]
    return Repair(alike[0], by_case=False) if len(alike) == 1 else None


def namesake(skill: Skill, file: str, path: str) -> str | None:
    """Return the only file with the name of `path` but another extension: in its directory, or else in the skill.

    One in another directory is not meant if the page `file`, which has the link, links to it already.
    """
    directory, base = posixpath.split(path)
    stem, extension = posixpath.splitext(base.casefold())
    if not extension or base.casefold() in _COMMON_NAMES or len(skill.tree.files) > _MOST_FILES:
        return None
    alike = skill.once(_by_stem).get(stem, ())
    there = [each for each in alike if posixpath.dirname(each) == directory]
    linked = linked_files(skill, file) if alike and not there else frozenset()
    found = there or [each for each in alike if each not in linked]
    return found[0] if len(found) == 1 else None


def _by_stem(skill: Skill) -> dict[str, list[str]]:
    """Return the files of a skill by their names without extension, in lowercase."""
    found: dict[str, list[str]] = {}
    for each in skill.tree.files:
        found.setdefault(posixpath.splitext(posixpath.basename(each))[0].casefold(), []).append(each)
    return found


def only_outside_skills(skill: Skill, path: str) -> str | None:
    """Return the path from the skill to the repository's only file of a missing file's name; None for a common name."""
    name = _specific_name(path)
    return skill.surroundings.only_outside_skills(name) if name else None


def _specific_name(path: str) -> str:
    """Return the name of a file if it says which one is meant, as `README.md` does not; "" otherwise."""
    name = posixpath.basename(path)
    return name if "." in name and name.casefold() not in _COMMON_NAMES else ""


def named_elsewhere(skill: Skill, text: Text, path: str) -> str:
    """Return, for the end of a help, where the only file of a missing file's name is in the repository; "" for none."""
    name = _specific_name(path)
    found = skill.surroundings.only_file(name) if name else None
    if found is None:
        return ""
    place, owner = found
    where = f", in the skill {backticked(owner)}" if owner and owner != skill.name else ""
    return f" (a file of this name is {backticked(relative(text, place), _MOST_OF_PATH)}{where})"


_MOST_OF_PATH = 200  # characters of a path that somebody may copy


def linked_files(skill: Skill, file: str) -> frozenset[str]:
    """Return the paths under the skill to which a page has links, whether they exist or not."""
    return skill.once(_linked_files, file)


def _linked_files(skill: Skill, file: str) -> frozenset[str]:
    text = skill.text_of(file)
    links = () if text is None else text.markdown.links
    targets = (local_target(link.target, skill.name, posixpath.dirname(file)) for link in links)
    return frozenset(each.path for each in targets if each is not None and not each.escapes)


def _is_longer(path: str, name: str) -> bool:
    """Return whether a file has the name of `path` and more words: `layout-drag.md`, `drag-detail.md` for `drag.md`."""
    if posixpath.dirname(path) != posixpath.dirname(name) or _extension(path) != _extension(name):
        return False
    before, after = (posixpath.splitext(posixpath.basename(each))[0].casefold() for each in (path, name))
    return after.startswith((f"{before}-", f"{before}_")) or after.endswith((f"-{before}", f"_{before}"))


def _is_slip(path: str, name: str) -> bool:
    """Return whether two paths are one but for a letter, two letters in another order, or separators.

    `azure.md` and `aws.md` are two pages, and so are `part-1.md` and `part-2.md`.
    """
    if abs(len(path) - len(name)) > 1 or _extension(path) != _extension(name):
        return False
    before, after = (_SEPARATORS.sub("-", each.casefold()) for each in (path, name))
    start = len(posixpath.commonprefix([before, after]))
    before, after = before[start:], after[start:]
    end = len(posixpath.commonprefix([before[::-1], after[::-1]]))
    before, after = before[: len(before) - end], after[: len(after) - end]
    if before == after[::-1]:
        return len(before) <= 2  # none, or two letters in another order
    return len(before) <= 1 and len(after) <= 1 and not (before + after).isdigit()


def fix(text: Text, link: Link, path: str, safe: bool) -> Fix | None:
    """Return the fix that makes a link lead to `path`, relative to its page; None where it is not spelled plainly."""
    start, end = link.target_span
    written = text.source.text[start:end]
    if written.startswith("<") and written.endswith(">"):
        start, end, written = start + 1, end - 1, written[1:-1]
    if written != link.target or any(mark in written for mark in "%{}$\\&"):
        return None
    new = relative(text, path)
    if any(mark in new for mark in " ()<>"):
        return None
    stop = (
        min(at for mark in "#?" if (at := written.find(mark)) >= 0)
        if set("#?") & set(written)
        else len(written)
    )
    return Fix(safe, (Edit(start, start + stop, new),))


def relative(text: Text, path: str) -> str:
    """Return a path under the skill as a link in a page writes it."""
    return posixpath.relpath(path, text.directory) if text.directory else path


def use_existing(skill: Skill, text: Text, link: Link, path: str, fragment: str = "") -> str:
    """Return the help where the file that a link means is elsewhere, at a path from the skill."""
    verb = "use" if link.image else "link to"
    advice = f"{verb} {backticked(relative(text, path))}, which exists"
    place = skill.surroundings.resolve(path) if fragment and path.endswith(".md") else None
    page = None if place is None else skill.surroundings.content(place)
    if page is None:
        return advice
    from skilltool.text import markdown

    if fragment in anchors(markdown.read(page)):
        return advice
    return f"{advice} but has no heading `#{fragment}`"


def _extension(path: str) -> str:
    return posixpath.splitext(path)[1].lower()


_SCHEME = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
# `<name>`, `{id}`, `$DIR`, `*.md` and `...` are for the reader to fill in.
_PLACEHOLDER = lazy_pattern(r"[<>{}$*|]|\.\.\.|\u2026")
_OWN_DIRECTORY = lazy_pattern(rf"\A(?:{OWN_DIRECTORY})/+(?=.)", re.IGNORECASE)
# A line of a file, as editors write it (`page.md:12`, `page.md:12:5`), or after `#`, as web sites do.
_LINE = lazy_pattern(r"(?<=\w):\d+(?:[:-]\d+)?\Z")
_LINES = lazy_pattern(r"l\d+(?:c\d+)?(?:-l?\d+(?:c\d+)?)?|:~:.*")
# `# Heading {#id}`, and as Elastic's documentation has it, `# Heading [ecs-cloud]`.
_HEADING_ID = lazy_pattern(
    r"(?:\{[^{}]{0,80}?#(?P<marked>[^\s{}]{1,80})[^{}]{0,80}\}|\s\[(?P<bare>[\w-]{3,80})\])\s*\Z"
)
_URL = lazy_pattern(r"https?://[^(<\\]*\Z")  # which Markdown reads to its end
_SPECIAL = lazy_pattern(r"[(<\\&#]")
_HTML_ID = r"\b(?:id|name)\s*=\s*[\"']?([^\s\"'>]+)"
_VARIATION = "\ufe0f"  # selects the emoji form of a character; authors leave it out of anchors


class LocalTarget(NamedTuple):
    """The target of a link to a file: a normalized path with `/` (`.` for the file itself) and a fragment.

    `escapes` is True if the path is absolute, or leads above the directory it is relative to.
    """

    path: str
    fragment: str
    escapes: bool


@lru_cache(maxsize=1024)
def local_target(target: str, name: str = "", directory: str = "") -> LocalTarget | None:
    """Resolve a link target to a path under the skill; None for URLs and placeholders.

    `name` is the name of the skill's directory: a path that leaves and re-enters it (`../NAME/page.md`)
    does not escape. `directory` is that of the page with the link, under the skill.
    """
    if any(hint in target for hint in VARIABLE_HINTS):
        written, target = target, _OWN_DIRECTORY.sub("", target)
        directory = "" if target != written else directory
    target = target.strip()  # as browsers do with `< https://example.com>`
    on_disk = target[:8].lower() == "file:///"  # a file on the author's machine
    if not target or (_SCHEME.match(target) and not on_disk) or _PLACEHOLDER.search(target):
        return None
    target = target[7:] if on_disk else target
    written, _, fragment = target.partition("#")
    path = _LINE.sub("", _unquoted(written.partition("?")[0]))
    normal = posixpath.normpath(path)
    if directory and path and not path.startswith("~/"):
        normal = posixpath.normpath(posixpath.join(directory, path))
    if name and f"{normal}/".startswith(f"../{name}/"):
        normal = normal[len(name) + 4 :] or "."
    escapes = path.startswith(("/", "~/")) or normal == ".." or normal.startswith("../")
    return LocalTarget(normal, _folded(_unquoted(fragment)), escapes)


def is_surely_valid(skill: Skill, target: str, directory: str = "") -> bool:
    """Return True only for a simple link destination that is a URL or a file of the skill.

    False means that the destination needs the exact check.
    """
    if _URL.match(target):
        return True
    if _SPECIAL.search(target):
        return False
    resolved = local_target(target, "", directory)
    return resolved is None or (not resolved.escapes and skill.holds(resolved.path))


@lru_cache(maxsize=4)
def page_anchors(text: Text) -> set[str]:
    """Return the anchors of a page, both as CommonMark reads it and with code blocks as the author meant them."""
    from skilltool.rules.shared.regions import intended_code_blocks
    from skilltool.text import markdown

    found = anchors(text.markdown)
    body, start, at = text.body, text.body_span.start, 0
    prose: list[str] = []
    for block in intended_code_blocks(text):
        prose.append(body[at : block.span.start - start])
        at = block.span.end - start
    return found | anchors(markdown.read("".join([*prose, body[at:]]))) if at else found


def anchors(document: Markdown) -> set[str]:
    """Return every fragment that a link to `document` can use: of headings, of HTML ids, and `top`."""
    from skilltool.text import markdown

    found = {_folded(anchor) for anchor in markdown.anchors(heading.text for heading in document.headings)}
    found.update(_folded(m[1]) for html in document.html for m in re.finditer(_HTML_ID, html, re.IGNORECASE))
    ids = filter(None, (_HEADING_ID.search(heading.text) for heading in document.headings))
    found.update(_folded(match["marked"] or match["bare"]) for match in ids)
    return found | {"top"}


def is_line_fragment(fragment: str) -> bool:
    """Return whether a fragment selects lines or words of a page (`L3-L5`, `:~:text=`) instead of a heading."""
    return _LINES.fullmatch(fragment) is not None


def _folded(fragment: str) -> str:
    return fragment.casefold().replace(_VARIATION, "")


def _unquoted(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote

    return unquote(text)


class Destination(Enum):
    """Where a link leads."""

    SKILL = "into the skill, whether its target exists or not"
    PACKAGE = "to what exists in the outermost skill around a nested one, and is installed with it"
    SIBLING = "to what exists in another skill of the same root"
    REPOSITORY = "to what exists elsewhere in the repository"
    NOWHERE = "out of the skill, and its target does not exist in the repository"
    OUTSIDE = "to an absolute path, or out of the repository"


def destination(skill: Skill, target: LocalTarget) -> Destination:
    """Return where a link of the body leads."""
    if not target.escapes:
        return Destination.SKILL
    around = skill.surroundings
    path = around.resolve(target.path)
    if path is None:
        return Destination.OUTSIDE
    if not around.exists(path):
        return Destination.NOWHERE
    if path.is_relative_to(around.package):
        return Destination.PACKAGE
    return Destination.SIBLING if around.is_in_sibling(path) else Destination.REPOSITORY


# Bounded, since lines are untrusted and can be a megabyte long.
_BLANK_HINT = lazy_pattern(r"\]\([\w./-]+ [\w./-]")
_BLANK = lazy_pattern(
    r"(?P<image>!?)\[[^\[\]\n]{1,200}\]\((?P<target>[\w./-]{1,200}(?:[ ][\w./-]{1,100}){1,10}\.[A-Za-z]\w{0,5})\)"
)


def html_links(text: Text) -> Iterator[Link]:
    """Yield the links and images of a page that are written in HTML, without those in code and comments."""
    tags = list(html_tags(text))
    hidden = _hidden(text) if tags else Regions(())
    for tag in tags:
        if tag.start() not in hidden:
            target = Span(*tag.span("target"))
            yield Link(Span(*tag.span()), target, tag["target"].strip(), tag["name"].lower() == "img")


def blank_links(text: Text) -> Iterator[Link]:
    """Yield what was meant as a link to a file, but is text because its path has a space."""
    if _BLANK_HINT.search(text.source.text) is None:
        return
    matches = list(_BLANK.finditer(text.source.text, *text.body_span))
    hidden = _hidden(text) if matches else Regions(())
    for match in matches:
        if match.start() not in hidden:
            target = Span(*match.span("target"))
            yield Link(Span(*match.span()), target, match["target"], bool(match["image"]))


def _hidden(text: Text) -> Regions:
    comments = (comment.span for comment in text.markdown.comments)
    codes = (part.span for parts in (text.markdown.codes, text.markdown.fences) for part in parts)
    return Regions((*comments, *codes))


# Placeholders for a destination: `[title](url)`, `[name](your-link)`, `![chart](image)`.
_PLACEHOLDERS = frozenset(
    {"file", "filename", "image", "img", "path", "ref", "source", "src", "target", "website"}
)
_PLACEHOLDER_PARTS = frozenset(
    {"here", "href", "link", "links", "placeholder", "tbd", "todo", "uri", "url", "xxx", "your"}
)
# `../specs/FEATURE-ID.md`: capitals that stand for a name.
# Or `../stage-XXX/STAGE.md`.
_NAME_OF_KIND = lazy_pattern(
    r"(?:\A|/)[A-Z]{2,20}[-_](?:ID|NAME|SLUG|NUMBER)\.\w{1,5}(?:#|\Z)|(?:\A|[/_-])(?:X{3}|Y{3}|N{3})(?=[/._-]|\Z)"
)
# `file.py`, `file.py#L42`: any file, and a line of it.
_FILE = lazy_pattern(r"(?:\./)?(?:file|filename)\.\w{1,5}(?:[#:]L?\d+(?:-L?\d+)?)?")
# `/deploy`, `/plugin:deploy`: one word after the slash, without an extension.
_COMMAND = lazy_pattern(r"/[A-Za-z0-9][\w-]*(?::[A-Za-z0-9][\w-]*)*", re.ASCII)


def all_file_links(skill: Skill) -> Iterator[tuple[Text, Link, LocalTarget]]:
    """Yield the links of all pages to files, as `file_links` does; of pages without a doubtful one, none.

    Two rules ask, each up to its last finding: a link is looked at once, when the first of them comes to it.
    """
    return copy(skill.once(_found))


def _found(skill: Skill) -> Iterator[tuple[Text, Link, LocalTarget]]:
    pages = pages_with_doubtful_links(skill)
    found = ((text, *file_link) for text in pages for file_link in file_links(skill, text))
    return tee(found, 1)[0]  # copies of it share what is found, and it keeps all


def file_links(skill: Skill, text: Text) -> Iterator[tuple[Link, LocalTarget]]:
    """Yield the links of a page to files, each with its target; examples of how to write a link are left out.

    So are all links of a file that is merged into another skill, because they lead from there, and those of
    pages that are copied to where the skill is used.
    """
    if is_overlay(skill) or is_sample(text.file) or is_scaffold(skill, text.file):
        return
    code: Regions | None = None
    known: dict[tuple[str, bool], LocalTarget | None] = {}  # a body may have one destination 100,000 times
    for link in (*text.markdown.links, *html_links(text)):
        key = link.target, link.image
        if key not in known:
            known[key] = _file(skill, text, *key)
        target = known[key]
        if target is None or (not link.image and _is_call(text, link)):
            continue
        if code is None:
            intended = [block.span for block in intended_code_blocks(text)]
            code = Regions([*intended, *doubtful_prose(text)])
        if link.span.start not in code:
            yield link, target


def _file(skill: Skill, text: Text, destination: str, image: bool) -> LocalTarget | None:
    """Return the file to which a destination leads; None for a URL, a placeholder or a command."""
    target = local_target(destination, skill.name, text.directory)
    if target is None or (_is_placeholder(destination) and not skill.holds(target.path)):
        return None
    return None if not image and _is_command(skill, destination) else target


def _is_call(text: Text, link: Link) -> bool:
    """Return whether a link is program code that is not marked as code: `list[](size)`, `table[key](value)`.

    Or a template of one, `[{run.id}](run.url)`, whose file cannot exist.
    """
    written, start = text.source.text, link.span.start
    if written.startswith(("[](", "[{"), start):
        return True
    if _NUMBERS.match(written, start) and _WORDS.fullmatch(link.target):  # `[0,2,4](MON/WED/FRI)`
        return True
    before = written[max(start - 1, 0) : start]
    return before.isalnum() and before.isascii() and link.target.isidentifier()


_WORDS = lazy_pattern(r"[A-Za-z][A-Za-z/]{0,40}")
_NUMBERS = lazy_pattern(r"\[[\d, ]{1,40}\]\(")


def _is_command(skill: Skill, target: str) -> bool:
    """Return whether a destination is a slash command, and not a file or directory in the root of the project."""
    return target[:1] == "/" and _COMMAND.fullmatch(target) is not None and not skill.exists_above(target[1:])


def _is_placeholder(target: str) -> bool:
    """Return whether a destination is a placeholder such as `url` or `path/to/page.md`.

    Placeholders have no dot. File names without a dot, such as LICENSE, are not placeholders.
    """
    if f"/{target}".find("/path/to/") >= 0 or _NAME_OF_KIND.search(target) or _FILE.fullmatch(target):
        return True
    if target.startswith("[") and target.endswith("]"):  # `[Principle]: [Definition]`
        return True
    word = target.removeprefix("./").lower()
    if not word or any(mark in word for mark in "./#?"):
        return False
    parts = {part.rstrip("0123456789") for part in word.replace("_", "-").split("-")}
    return (
        word in _PLACEHOLDERS
        or word.endswith("url")
        or not parts.isdisjoint(_PLACEHOLDER_PARTS)
        or len(word) == 1
        or not word.isascii()
        or word.isdigit()
    )


_PLAIN_PATH = lazy_pattern(r"\w[\w./-]*", re.ASCII)
# Bounded, since lines are untrusted and can be a megabyte long.
_TAG = lazy_pattern(
    r"<(?P<name>img|a)\s(?:[^<>\"']|\"[^\"<>]{0,300}\"|'[^'<>]{0,300}'){0,120}?"
    r"(?<![\w-])(?:src|href)\s{0,3}=\s{0,3}(?P<mark>[\"'])(?P<target>[^\"'<>\n]{1,300})(?P=mark)",
    re.IGNORECASE,
)
# The label of the definition of a link, after the marks of quotes and lists. It may have several lines.
_LABEL = lazy_pattern(r"^[ \t>*+0-9.)-]*\[(?:[^\[\]\\]|\\.){1,999}\]:", re.MULTILINE | re.DOTALL)
_INLINE = lazy_pattern(r"\]\([ \t\r\n]*([^) \t\r\n]*)")


def pages_with_doubtful_links(skill: Skill) -> tuple[Text, ...]:
    """Return the pages with a link that may lead to a file that does not exist."""
    return skill.once(_doubtful_pages)


def _doubtful_pages(skill: Skill) -> tuple[Text, ...]:
    return tuple(text for text in skill.texts if has_doubtful_links(skill, text))


def has_doubtful_links(skill: Skill, text: Text) -> bool:
    """Return whether a link of a page may lead to a file that does not exist; a cheap question.

    A destination follows `](` or is in a link definition or in HTML. Each text after `](` that can be a path is
    looked up; definitions, fragments, and destinations that may extend past the next whitespace or
    parenthesis are left to the Markdown parser.
    """
    body = text.body if text.is_page and not is_sample(text.file) else ""
    if "]:" in body and _LABEL.search(body) is not None:
        return True
    directory = text.directory
    targets = {*_INLINE.findall(body), *(html_tag["target"] for html_tag in html_tags(text) if body)}
    return any(
        not _exists(skill, target, directory) and not is_surely_valid(skill, target, directory)
        for target in targets
    )


def html_tags(text: Text) -> Iterator[re.Match[str]]:
    """Find the tags of links and images in a page, also those in code and comments; `target` is a group."""
    return _TAG.finditer(text.source.text, *text.body_span)


def _exists(skill: Skill, target: str, directory: str) -> bool:
    """Return True only for a path of plain characters to an existing file of the skill."""
    if _PLAIN_PATH.fullmatch(target) is None:
        return False
    return skill.holds(posixpath.normpath(posixpath.join(directory, target)))

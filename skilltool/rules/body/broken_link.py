"""Relative link or image whose target does not exist.

The model opens links with its file tools. If the file is missing, the model wastes a step or makes up the
content. The `#heading` in a link must also exist. Names are compared case-sensitively on every operating
system.

The rule checks every Markdown page in the skill and resolves links relative to the page's directory.
`<img src>`, `<a href>`, `{baseDir}/page.md`, `${CLAUDE_SKILL_DIR}/page.md` and paths that contain a space
also count as links. Templates, examples and assets are skipped, because they are copied to wherever they are
needed. So are a page whose title is to be filled in (`# {{project_name}}`) and the pages in its directory. The rule offers a fix if exactly one file in the skill has the same or a similar name. The fix is safe
if the link differs from the file's path only in case. If exactly one file has the same name but another extension,
the help names that file, without a fix.

Broken links that probably have the same cause are reported as one finding:

- More than three links on a page to headings that do not exist on that page. If the skill has more than three
  such pages, they are all reported as one finding.
- More than three links to one missing file, or into one missing directory, counted across all skills.
- On pages other than SKILL.md, more than five broken links on one page, more than ten in total, or links into
  more than three missing directories. Such pages were copied without the files that they link to.

Links in code and examples of how to write a link (`[title](url)`, `path/to/page.md`) are ignored.

The severity is only `info` in these cases:

- SKILL.md mentions neither the page nor its directory, so the page is meant for people or was copied.
- The path exists in the project that contains the skill (`package.json`, `.github/workflows/test.yml`), so
  models can still find the file.
- The path is that of a file that any project may have: in a directory such as `.github`, or the template for pull
  requests (`docs/pull_request_template.md`).
- The link is on a page other than SKILL.md, and either its `#Heading` contains a capital letter, or more than
  twenty links on that page point to headings that the page does not have. Such pages were usually copied from a
  web site or a book.
- The `#heading` differs from a heading's anchor only in punctuation, or begins with the same number as a
  heading.
- The link is quoted as an example, or it points to a file that the page tells the model to write
  (`Create [app.ts](app.ts):`).
- More than fifty links on pages other than SKILL.md are broken for the same reason, which suggests that the
  pages were copied from a web site.
- SKILL.md is a symbolic link, and the file exists next to the symbolic link's target.
- The page's name (`readme-upstream.md`, `llms-full.md`, `references/github`) or first lines
  (`Source: https://...`) show that it was copied.
- The link points to a skill elsewhere in the repository that will be next to this skill once both are
  installed.
- A build step copies the file into the skill, from the same path under `src` in a parent directory.
- The link looks like a link from a web site or a wiki, such as `upload_reference#options` or
  `TableDrivenTests`.
- The `#heading` is in a code block on the page, as part of an example.
- The link works from a copy of the skill in a client's directory at the top of the repository, where a build puts it.
- The link leads through a symbolic link of the repository whose target is missing, such as a checkout beside it.
- A `.gitignore` file covers the link's target, so a build or the user makes the file.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

The fields are listed in [the reference](references/fields.md).
```

```text
SKILL.md:8:42: warning[broken-link]: link `references/fields.md` points to a file that does not exist
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

The fields are listed in [the reference](references/fields.md).
```

```markdown references/fields.md
# Fields
```
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.shared.copied_pages import is_copied
from skilltool.rules.shared.links import (
    Destination,
    LocalTarget,
    Repair,
    all_file_links,
    anchors,
    blank_links,
    destination,
    fix,
    is_line_fragment,
    linked_files,
    local_target,
    named_elsewhere,
    namesake,
    only_outside_skills,
    page_anchors,
    pages_with_doubtful_links,
    relative,
    repair,
    use_existing,
)
from skilltool.rules.shared.mentions import is_read
from skilltool.rules.shared.projects import lies_in_project
from skilltool.rules.shared.regions import line_around
from skilltool.rules.shared.skill_paths import OWN_DIRECTORIES
from skilltool.rules.shared.wording import and_more, backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME
from skilltool.skill.texts import Text
from skilltool.text import markdown
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.markdown import Link

ID = "broken-link"
SEVERITY = Severity.WARNING

_MOST_OF_COPY, _MOST_OF_SKILL = 5, 10  # of one page, or of all, but the SKILL.md
_MOST_OF_CAUSE = (
    3  # links to headings of their own page, or into a directory that is missing, that are told one by one
)
_MOST_OF_AUTHOR = 50  # links with one cause in pages that somebody may have written
_MOST_OF_TABLE = 20  # links to headings of their own pages that somebody may have written
_SPECIFIC = 2  # hyphens of a fragment that no other heading begins with
_NUMBERED = lazy_pattern(r"(?:(?:step|phase|part|section|chapter)-)?\d{1,3}[a-z]?-+")
_NUMBER = lazy_pattern(r"\d{1,3}-")
_OWN = frozenset({"scripts", "references", "assets"})
# `"See [the fields](fields.md)"`: what a page about writing says that one writes.
_QUOTED = lazy_pattern(r"(?:^|[\s:(`])(?P<mark>[\"\u201c])[^\"\u201c\u201d\n]{0,200}\Z")
_CLOSING = str.maketrans("\u201c", "\u201d")
# `image_upload#options`, `Client.html`: a page of the web site from which the text was copied.
# `TableDrivenTests`, `guide#assert`: a page of a wiki.
_SITE_PAGE = lazy_pattern(
    r"(?:[a-z0-9]+(?:[_-][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}|[\w.-]+\.html?)(?:#\S*)?|[a-z]\w*#\S+"
)
# `color.md#Inclusive-color`: GitHub and its like have no capitals in what they make of a heading.
_OF_SITE = lazy_pattern(r"#[^#]*[A-Z]")
_LIKE_HEADING = lazy_pattern(r"^[ \t]{0,12}#{1,6}[ \t]+(?P<title>\S[^\n]{0,200})", re.MULTILINE)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each link whose file or heading does not exist; `escaping-link` has those to other places."""
    for finding in _found(skill):
        is_doubtful = finding.severity is None and not is_read(skill, finding.file)
        yield finding._replace(severity=Severity.INFO) if is_doubtful else finding


def _found(skill: Skill) -> Iterator[Finding]:
    """Yield a finding for each cause; that of a link with a fix, or of a kind that is a note, is its own."""
    pages: dict[str, set[str] | None] = {}
    shared: dict[str, list[Finding]] = {}
    alone: list[Finding] = []
    links = {link.path for link in skill.tree.links}  # what is wrong with these, other rules tell
    for text, link, resolved in all_file_links(skill):
        leads = destination(skill, resolved)
        if resolved.path in links:
            continue
        if leads is Destination.NOWHERE or (leads is Destination.SKILL and not skill.holds(resolved.path)):
            finding = _missing(skill, text, link, resolved, leads)
            cause = _other_base(skill, resolved) or _missing_path(skill, resolved, leads)
        elif (
            leads is Destination.SKILL and resolved.fragment and not _has_anchor(skill, text, resolved, pages)
        ):
            finding = _without_heading(skill, text, link, resolved, pages)
            cause = f"#{text.file}" if resolved.path == "." else ""
        else:
            continue
        if finding.fix is not None or finding.severity is not None:
            lost = finding.severity is None and _lost_directory(skill, resolved, leads)
            yield finding._replace(cause=f"{skill.name}: {lost}") if lost else finding
        elif cause:
            is_absolute = cause.startswith("/")
            is_directory = leads is Destination.SKILL and cause != resolved.path and not is_absolute
            of_many = (
                cause if leads is Destination.NOWHERE or is_absolute else f"{cause}/" if is_directory else ""
            )
            shared.setdefault(cause, []).append(finding._replace(cause=of_many) if of_many else finding)
        else:
            alone.append(finding)
    tables, groups = [], []
    for cause, findings in _of_moved(shared).items():
        if len(findings) <= _MOST_OF_CAUSE:
            alone += findings
        elif not findings[0].file:
            yield _of_all(findings)
        elif cause.startswith("#"):
            tables.append(findings)
        else:
            groups.append(findings)
    yield from (finding for finding in alone if not finding.file)
    in_pages = [finding for finding in alone if finding.file]
    for expected in (True, False):
        yield from _of_tables([each for each in tables if is_read(skill, each[0].file) == expected])
        of_pages = [finding for finding in in_pages if is_read(skill, finding.file) == expected]
        of_groups = [each for each in groups if is_read(skill, each[0].file) == expected]
        if len(of_groups) > _MOST_OF_CAUSE:
            yield _of_all(sorted([*chain(*of_groups), *of_pages], key=lambda each: each.file))
        else:
            yield from map(_of_all, of_groups)
            yield from _of_pages(of_pages)
    yield from _with_blanks(skill)


def _of_moved(shared: dict[str, list[Finding]]) -> dict[str, list[Finding]]:
    """Return findings by their causes, as one those into directories outside the skill that are missing in one place.

    Whoever moved several directories of a project away, moved them together.
    """
    places: dict[str, list[str]] = {}
    for cause in shared:
        if cause.startswith("/"):
            places.setdefault(posixpath.dirname(cause), []).append(cause)
    moved = {cause: place for place, causes in places.items() if len(causes) > 1 for cause in causes}
    found: dict[str, list[Finding]] = {}
    for cause, findings in shared.items():
        found.setdefault(moved.get(cause, cause), []).extend(findings)
    return found


def _lost_directory(skill: Skill, resolved: LocalTarget, leads: Destination) -> str:
    """Return the directory of a link to a file that moved, if the skill has no such directory; "" otherwise."""
    top, _, rest = resolved.path.partition("/")
    return top if rest and leads is Destination.SKILL and top not in skill.tree.directories else ""


def _other_base(skill: Skill, resolved: LocalTarget) -> str:
    """Return the directory (absolute) below which a link leads to a file: whoever wrote it stood there; "" for none."""
    around = skill.surroundings
    rest = _UP.sub("", resolved.path).rstrip("/")
    found = around.found_elsewhere(resolved.path) or only_outside_skills(skill, rest)
    place = None if found is None else around.resolve(found)
    if place is not None and place.as_posix().endswith(f"/{rest}"):
        return place.as_posix()[: -len(rest) - 1]
    beside = _skill_named_as(skill, resolved)
    return "" if beside is None else beside.parent.as_posix()


def _skill_named_as(skill: Skill, resolved: LocalTarget) -> Path | None:
    """Return the directory of the skill beside this one that has the name of a page that does not exist.

    Or of a skill that does not exist, without its first words: `tailwind-css` for `../my-tailwind-css/SKILL.md`.
    """
    stem, extension = posixpath.splitext(posixpath.basename(resolved.path))
    names = [stem] if stem and extension == ".md" else []
    if (other := _OTHER_SKILL.fullmatch(resolved.path)) is not None:
        words = other["name"].split("-")
        names = ["-".join(words[number:]) for number in range(1, len(words))]
    others = (skill.surroundings.skill_beside(name) for name in names if name != skill.name)
    return next(filter(None, others), None)


_OTHER_SKILL = lazy_pattern(r"\.\./(?P<name>[\w-]{1,64})/SKILL\.md")


_UP = lazy_pattern(r"\A(?:\.\./)+")


def _missing_path(skill: Skill, resolved: LocalTarget, leads: Destination) -> str:
    """Return the topmost directory that does not exist on the way to a target, or else the file, which is missing.

    It is a path under the skill, or an absolute one: then several skills may link to it.
    """
    if leads is Destination.SKILL:
        parts = resolved.path.rstrip("/").split("/")
        paths = ("/".join(parts[:count]) for count in range(1, len(parts) + 1))
        return next((path for path in paths if not skill.holds(path)), "")
    around = skill.surroundings
    missing = place = around.resolve(resolved.path)
    while place is not None and not around.exists(place.parent):
        missing = place = place.parent
    return "" if missing is None else str(missing)


def _without_heading(
    skill: Skill, text: Text, link: Link, resolved: LocalTarget, pages: dict[str, set[str] | None]
) -> Finding:
    """Return the finding for a link to a heading that does not exist: a note where one has the same words."""
    kind = "image" if link.image else "link"
    message = f"{kind} {backticked(link.target)} points to a heading that does not exist"
    there = _anchors_at(skill, text, resolved, pages) or set()
    alike = sorted(anchor for anchor in there if _is_alike(anchor, resolved.fragment))
    number = _NUMBER.match(resolved.fragment)
    if not alike and number is not None:  # `#5-fields` for "5. All fields"
        numbered = [anchor for anchor in there if anchor.startswith(number[0])]
        alike = numbered if len(numbered) == 1 else []
    if resolved.path == "." and not alike:
        alike = list(_with_angle_brackets(text, resolved.fragment))
    remedy = "correct the part after the `#`"
    if resolved.path == "." and (page := _page_with_heading(skill, text, resolved.fragment)):
        remedy = f"write `{page}#{resolved.fragment}`: that page has the heading"
    finding = Finding(message, link.target_span, help=remedy, file=text.file)
    if alike:
        return finding._replace(help=f"write `#{alike[0]}`", severity=Severity.INFO)
    of_site = "_" in resolved.fragment and not any("_" in anchor for anchor in there)
    of_site = of_site or (bool(text.file) and _OF_SITE.search(link.target) is not None)
    is_note = (
        of_site
        or _is_quoted(text, link)
        or is_copied(text.file, text.source.text)
        or (resolved.path == "." and _is_in_code(text, resolved.fragment))
    )
    return finding._replace(severity=Severity.INFO if is_note else None)


def _page_with_heading(skill: Skill, text: Text, fragment: str) -> str:
    """Return the only other page of a skill that has a heading, as a link writes it; "" if none or several have it."""
    files = [each for each in skill.tree.files if each.endswith(".md") and each not in (text.file, FILE_NAME)]
    files = files if len(files) <= _MOST_OF_PAGES else []
    pages = filter(None, map(skill.text_of, files))
    found = [page.file for page in pages if fragment in page_anchors(page)]
    return relative(text, found[0]) if len(found) == 1 else ""


_MOST_OF_PAGES = 20  # pages of a skill in which a heading is looked for


def _is_in_code(text: Text, fragment: str) -> bool:
    """Return whether a fragment is the anchor of a line in code that looks like a heading.

    A page that shows what to write has that in its contents, too.
    """
    titles = (match["title"] for match in _LIKE_HEADING.finditer(text.source.text))
    return any(_is_alike(markdown.slug(title.rstrip("# \r")), fragment) for title in titles)


def _with_angle_brackets(text: Text, fragment: str) -> Iterator[str]:
    """Yield the anchor of a heading such as `Span<T>`, of which GitHub leaves out what a fragment has, the `T`."""
    for heading in text.markdown.headings:
        written = text.source.text[heading.span.start : heading.span.end]
        if "<" in written and _words(written.lower()) == _words(fragment):
            yield from markdown.anchors([heading.text])


def _of_pages(findings: list[Finding]) -> Iterator[Finding]:
    """Yield the findings of pages other than the SKILL.md: of many one, since the pages are copied from elsewhere."""
    if len(findings) > _MOST_OF_SKILL:
        yield _of_all(findings)
        return
    by_page: dict[str, list[Finding]] = {}
    for finding in findings:
        by_page.setdefault(finding.file, []).append(finding)
    for of_page in by_page.values():
        yield from of_page if len(of_page) <= _MOST_OF_COPY else (_of_all(of_page),)


def _of_tables(tables: list[list[Finding]]) -> Iterator[Finding]:
    """Yield a finding for the table of contents of each page: of many one, since one program made the pages.

    A table that leads nowhere at all is a note: it came along from a web site or a book, and the text is there.
    """
    if len(tables) > _MOST_OF_CAUSE:
        tables = [[*chain(*tables)]]
    for table in tables:
        severity = Severity.INFO if len(table) > _MOST_OF_TABLE else None
        yield _of_all(table)._replace(severity=severity)


def _of_all(findings: list[Finding]) -> Finding:
    """Return one finding for those that have one cause.

    A table of contents is made as a whole, and a directory that is missing has all of its files missing. Of very
    many links in other pages than the SKILL.md it is a note: nobody wrote them for the skill.
    """
    first, others = findings[0], len(findings) - 1
    where = "on this page" if all(each.file == first.file for each in findings) else "in this skill"
    severity = Severity.INFO if first.file and others > _MOST_OF_AUTHOR else first.severity
    return first._replace(message=f"{first.message}{and_more(others, where)}", severity=severity)


def _is_alike(anchor: str, fragment: str) -> bool:
    """Return whether an anchor has the words of a fragment, and at most a number before them: `step-4--rules`.

    Or a fragment is only that number, `51` for `5.1 Fields`, or the first three words or more of a heading.
    """
    words = _words(fragment)
    if words.isdigit():
        return anchor.startswith(f"{words}-")
    if fragment.count("-") >= _SPECIFIC and anchor.startswith(f"{fragment}-"):
        return True
    return bool(words) and words in (_words(anchor), _words(_NUMBERED.sub("", anchor)))


def _words(anchor: str) -> str:
    """Return the letters and digits of an anchor: tools differ in what they make of punctuation."""
    return "".join(each for each in anchor if each.isalpha() or each.isdecimal())


def _missing(skill: Skill, text: Text, link: Link, resolved: LocalTarget, leads: Destination) -> Finding:
    """Return the finding for a link to a file that does not exist, with the fix that makes it lead to one."""
    message = (
        f"{'image' if link.image else 'link'} {backticked(link.target)} points to a file that does not exist"
    )
    finding = Finding(message, link.target_span, file=text.file)
    if link.target.startswith("(") and "://" in link.target:
        return finding._replace(help="remove one of the two parentheses")
    from_top = local_target(link.target, skill.name) if text.directory else None
    if from_top is not None and not from_top.escapes and skill.holds(from_top.path):
        remedy = f"write `{relative(text, from_top.path)}`: links are relative to the page's directory"
        edit = fix(text, link, from_top.path, safe=False)
        return finding._replace(help=remedy, severity=Severity.INFO, fix=edit)
    alike = None if link.image else namesake(skill, text.file, resolved.path)
    meant = _meant(skill, text, resolved.path, alike)
    is_of_any_project = resolved.path.startswith(_ANY_PROJECT) and not skill.holds(resolved.path)
    if meant is not None and not is_of_any_project:
        edit = fix(text, link, meant.path, safe=meant.by_case)
        return finding._replace(help=f"did you mean {backticked(relative(text, meant.path))}?", fix=edit)
    around = skill.surroundings
    there = around.resolve(resolved.path) if leads is Destination.NOWHERE else None
    if there is not None and around.is_behind_lost_link(there):
        remedy = "the link leads through a symbolic link whose target is not here"
        return finding._replace(help=remedy, severity=Severity.INFO)
    other_case = around.in_other_case(resolved.path) if leads is Destination.NOWHERE else None
    if other_case is not None:
        return finding._replace(help=f"write `{relative(text, other_case)}`: the case of a letter differs")
    elsewhere = around.found_elsewhere(resolved.path)
    remedy = "correct the path or " + ("remove the link" if leads is Destination.NOWHERE else "add the file")
    if elsewhere is None and alike is None and (beside := _skill_named_as(skill, resolved)) is not None:
        remedy = f"did you mean `{relative(text, f'../{beside.name}/{FILE_NAME}')}`, the skill?"
    elif elsewhere is not None:
        remedy = use_existing(skill, text, link, elsewhere, resolved.fragment)
    elif alike is not None:
        remedy = f"did you mean {backticked(relative(text, alike))}?"
    else:
        remedy += named_elsewhere(skill, text, resolved.path)
    if elsewhere is not None and leads is Destination.SKILL and _is_source(skill, elsewhere, resolved.path):
        return finding._replace(help=remedy, severity=Severity.INFO)
    if not text.file and skill.is_beside_target(resolved.path):
        return finding._replace(
            help="link to the whole directory, not only to its SKILL.md", severity=Severity.INFO
        )
    if around.is_git_ignored(resolved.path):
        remedy = "the link works once the file is made: git ignores it"
        return finding._replace(help=remedy, severity=Severity.INFO)
    if leads is Destination.NOWHERE and around.leads_from_copy(skill.name, resolved.path):
        remedy = "the link works only in the copies in clients' skills directories"
        return finding._replace(help=remedy, severity=Severity.INFO)
    if leads is Destination.NOWHERE and _is_of_skill_elsewhere(skill, resolved.path):
        return finding._replace(help=remedy, severity=Severity.INFO)
    in_project = from_top.path if from_top and not from_top.escapes else resolved.path
    of_site = text.file and (_SITE_PAGE.fullmatch(link.target) or resolved.path.endswith((".html", ".htm")))
    if of_site or is_copied(text.file, text.source.text) or _is_quoted(text, link) or _is_written(text, link):
        return finding._replace(help=remedy, severity=Severity.INFO)
    if leads is Destination.NOWHERE or not _is_in_project(skill, in_project):
        return finding._replace(help=remedy)
    if elsewhere is None and not skill.exists_above(in_project):
        remedy = "use a code span for a file of the user's project"
        return finding._replace(help=remedy, severity=Severity.INFO)
    if elsewhere is None:
        remedy = "make the link relative to the page"
    return finding._replace(help=f"{remedy}, or use a code span instead", severity=Severity.INFO)


def _meant(skill: Skill, text: Text, path: str, alike: str | None) -> Repair | None:
    """Return the file that a link means; of those in another directory than it names, none to which the page links.

    `alike` is the file with its name and another extension, which is meant if it is in that directory.
    """
    meant = repair(skill, path)
    if meant is None or meant.by_case:
        return meant
    directory = posixpath.dirname(path)
    is_elsewhere = (
        bool(directory) and directory in skill.tree.directories and posixpath.dirname(meant.path) != directory
    )
    is_linked = is_elsewhere and meant.path in linked_files(skill, text.file)
    is_there = alike is not None and posixpath.dirname(alike) == directory
    is_page_itself = meant.path == (text.file or skill.file_name)
    return None if is_linked or is_there or is_page_itself else meant


def _is_source(skill: Skill, elsewhere: str, path: str) -> bool:
    """Return whether a file is at the same path of a `src` above: a build copies it into the skill."""
    place = skill.surroundings.resolve(elsewhere)
    if place is None or not elsewhere.endswith(f"../{path}"):
        return False
    return place.parents[path.count("/")].name == "src"


def _is_of_skill_elsewhere(skill: Skill, path: str) -> bool:
    """Return whether a link leads to a skill beside this one, as soon as both are installed.

    A library may have its skills in groups: `skills/office/forms` and `skills/web/pages`.
    """
    up, _, rest = path.partition("/")
    name, _, file = rest.partition("/")
    is_beside = up == ".." and bool(file) and name not in {"", ".."} and not lies_in_project(skill)
    return is_beside and all(map(skill.surroundings.is_in_repository, (f"{name}/{FILE_NAME}", rest)))


def _is_quoted(text: Text, link: Link) -> bool:
    """Return whether a link is in quotes with words before it, as an example of what to write."""
    before, after = line_around(text, link.span)
    said = _QUOTED.search(before)
    return said is not None and said["mark"].translate(_CLOSING) in after[link.span.end - link.span.start :]


def _is_written(text: Text, link: Link) -> bool:
    """Return whether a link names a file that the model or a program writes, perhaps with the block after the line.

    `Create [src/app.ts](src/app.ts):`, as tools that index a page write the names of files.
    """
    before, after = line_around(text, link.span)
    if _WRITTEN.search(before) is not None:
        return True
    rest = after[link.span.end - link.span.start :].strip(" \t\r*_)")
    if rest != ":" or not after.startswith(f"[{link.target}]"):
        return False
    is_used = _USED.search(before) is not None or link.target.startswith(OWN_DIRECTORIES)
    block = _BLOCK_NEXT.match(text.source.text, link.span.end)
    return _WRITE.search(before) is not None or (block is not None and not is_used)


_WRITTEN = lazy_pattern(
    r"\b(?:(?:project|app) (?:includes|has|contains) (?:an? )?|(?:re)?generates? (?:the )?)\Z", re.IGNORECASE
)
_WRITE = lazy_pattern(
    r"\b(?:add|create|edit|make|modify|update|write)s?(?: (?:and|or) [a-z]+)?(?: (?:an?|the|your|new|following|file)){0,3}[ *(]{1,4}\Z",
    re.IGNORECASE,
)
_USED = lazy_pattern(r"\b(?:execute|follow|load|open|read|run|see|use)\b", re.IGNORECASE)
_BLOCK_NEXT = lazy_pattern(r"[^\n]{0,20}\n[ \t\r]{0,8}\n?[ \t]{0,8}(?:```|~~~)")


def _with_blanks(skill: Skill) -> Iterator[Finding]:
    """Yield each link that is none because of a space in its path, and whose file may well exist."""
    for text in pages_with_doubtful_links(skill):
        for link in blank_links(text):
            resolved = local_target(link.target, skill.name, text.directory)
            if resolved is None or resolved.escapes:
                continue
            remedy = "put the path between `<` and `>`, or rename the file"
            if skill.holds(resolved.path):
                message = f"path {backticked(link.target)} contains a space, so it is not a link"
                edits = Edit(link.target_span.start, link.target_span.end, f"<{link.target}>")
                end = Fix(safe=False, edits=(edits,))
                yield Finding(message, link.target_span, remedy, Severity.INFO, end, file=text.file)
            else:
                yield _missing(skill, text, link, resolved, Destination.SKILL)


def _is_in_project(skill: Skill, path: str) -> bool:
    """Return whether a path starts at the root of the project around the skill (`.github/x.yml`).

    So does that of the template for pull requests, at each place where GitHub looks for it.
    """
    top, slash, _ = path.partition("/")
    if top in _OWN:
        return False
    of_github = _FOR_PULL_REQUESTS.fullmatch(path) is not None and top not in skill.tree.directories
    return of_github or (bool(slash) and top.startswith(".")) or skill.exists_above(path)


_ANY_PROJECT = ".github/"  # a place that is the project's, whatever the skill has of that name
_FOR_PULL_REQUESTS = lazy_pattern(r"(?:docs/)?pull_request_template(?:\.\w{1,5}|/[^/]{1,80})", re.IGNORECASE)


def _has_anchor(skill: Skill, text: Text, resolved: LocalTarget, pages: dict[str, set[str] | None]) -> bool:
    """Return whether the fragment names a heading or an element's id; files other than Markdown always pass."""
    if is_line_fragment(resolved.fragment):
        return True
    found = _anchors_at(skill, text, resolved, pages)
    return found is None or resolved.fragment in found


def _anchors_at(
    skill: Skill, text: Text, resolved: LocalTarget, pages: dict[str, set[str] | None]
) -> set[str] | None:
    """Return the anchors of the page that a link leads to; None for other files, and for one that is not read.

    `pages` keeps the anchors of the pages that have been read.
    """
    if resolved.path == ".":
        return page_anchors(text)
    if not resolved.path.lower().endswith((".md", ".markdown")):
        return None
    if resolved.path not in pages:
        pages[resolved.path] = _anchors_of(skill, resolved.path)
    return pages[resolved.path]


def _anchors_of(skill: Skill, path: str) -> set[str] | None:
    """Return the anchors of a page of the skill; None if it is not read."""
    page = skill.text if path == skill.file_name else skill.text_of(path)
    if page is not None:
        return anchors(page.markdown)
    written = skill.read_text(path)
    return None if written is None else anchors(markdown.read(written))

"""Code fence that is never closed, or is still open when another one starts.

Everything from the fence to the end of the next block is treated as code, so headings, links and steps are
lost.

Often the fence is the closing line of a block whose opening line was removed. In other cases, the block
contains another fence of the same length. The outer block then ends where the inner block ends, so the outer
fence must be longer (four backticks). The rule checks every Markdown page in the skill. The severity is
`info` in four cases: everything after the fence is code, with no heading or list before the end of the page; the
fence ends with a fence inside it and contains only code; the fence is the last line of the page and comes right after
a line of text; or SKILL.md mentions neither the page nor its directory.

## Bad

````markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

```sh
pdftk form.pdf dump_data_fields

## Filling in
````

```text
SKILL.md:8:1: warning[unclosed-fence]: code fence is never closed; the rest of the body is code
```

## Good

````markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

```sh
pdftk form.pdf dump_data_fields
```

## Filling in
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, takewhile

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.mentions import is_read
from skilltool.rules.shared.text_signs import has_odd_fences, texts_with
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.markdown import (
    PAGES,
    Fence,
    blocks_by_place,
    inner_fence,
    is_balanced,
    is_balanced_with_nesting,
    open_fences,
)
from skilltool.text.source import Source

ID = "unclosed-fence"
SEVERITY = Severity.WARNING

# A heading, an item of a list, another fence, or a sentence.
_PROSE = lazy_pattern(
    r"^ {0,3}(?:#{1,6} |[-*+] |\d{1,3}[.)] |```|~~~|[A-Z]\w{0,30} \w{1,30} \w[^\n]{0,2000}[.:!?]$)",
    re.MULTILINE,
)
_MOST_OF_PAGES = 10  # other than SKILL.md, that are told one by one
_MOST_INSIDE = 20  # blocks after the first inside of another block


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield at most one fence of each page, and of many pages one: they come from elsewhere, or from a program."""
    in_pages: list[Finding] = []
    for text in texts_with(skill, has_odd_fences):
        for finding in _in_page(text):
            if text.file and finding.severity is None and is_read(skill, text.file):
                in_pages.append(finding)
            else:
                yield finding if is_read(skill, text.file) else finding._replace(severity=Severity.INFO)
    if len(in_pages) > _MOST_OF_PAGES:
        first = in_pages[0]
        in_pages = [
            first._replace(message=f"{first.message} (and on {len(in_pages) - 1:,} more pages of this skill)")
        ]
    yield from in_pages


def _in_page(text: Text) -> Iterator[Finding]:
    """Yield the first fence that is still open where another one opens, else one that runs to the end.

    Where an earlier block contains a fence as long as its own, that one is at fault: it ends too early, and
    what was meant as its end opens a block.
    """
    fences, source = text.markdown.fences, text.source
    last = fences[-1] if fences else None
    is_unclosed = last and not last.closed and last.span.end >= len(source.text.rstrip())
    is_unclosed = is_unclosed and not is_balanced(text.body)
    fence, message = None, ""
    for open_fence in islice(open_fences(text.body, text.body_span.start, fences), 1):
        if open_fence.fence is not last or not is_unclosed:
            line = source.position(open_fence.inner).line
            fence, message = (
                open_fence.fence,
                f"code fence is not closed before another one opens on line {line}",
            )
    if fence is None and last and is_unclosed:  # where fences are off by one, the last one is often left open
        fence = last
        message = f"code fence is never closed; the rest of the {'page' if text.file else 'body'} is code"
        if not last.text.strip():
            message = "last line opens a code fence that is never closed"
    if fence is None:
        return
    swapped = next((each for each in fences if _looks_like_end(text, each) and each.closed), None)
    if swapped is not None and swapped.opening.start <= fence.opening.start:
        nesting = _nesting_by_place(text, fences, swapped.opening.start)
        if (found := nesting or _before_swapped(text, fences, swapped)) is not None:
            yield found
            return
        if swapped is not fence:
            fence, line = swapped, source.position(swapped.span.end - 1).line
            message = f"code fence is not closed before another one opens on line {line}"
    outer: Fence | None = next(
        (
            each
            for each in fences
            if inner_fence(each) is not None and each.opening.start <= fence.opening.start
        ),
        fence,
    )
    if outer is fence and _looks_like_end(text, fence):
        before = [each for each in fences if each.span.end <= fence.opening.start]
        shifted = list(takewhile(lambda each: not each.info, reversed(before)))
        page = before[-len(shifted) - 1] if len(before) > len(shifted) else None
        is_shifted = not any(_is_block(text, each) for each in shifted)
        if page is not None and is_shifted and _is_page(page.info) and page.marks == fence.marks:
            yield _of_outer(text, page, shifted[-1] if shifted else fence)
            return
        outer = None
    end = None if outer is None else _end_of(text, fences, outer, fence)
    if outer and end and (outer is not fence or _contains_another(text, fence)):
        yield _of_outer(text, outer, end)
    elif (nesting := _nesting_by_place(text, fences, fence.opening.start)) is not None:
        yield nesting
    else:
        is_harmless = fence is last and (_ends_in_code(fence) or _ends_after_text(source, fences, fence))
        is_harmless = is_harmless or (fence.closed and _holds_only_code(fence))
        severity = Severity.INFO if is_harmless else None
        remedy = _remedy(source, fences, fence)
        if fence.text.strip() and _looks_like_end(text, fence) and not _is_after_block(source, fences, fence):
            remedy = "remove this line, or add the fence that opens the block above it"
        yield Finding(message, fence.opening, remedy, severity, file=text.file)


def _before_swapped(text: Text, fences: list[Fence], swapped: Fence) -> Finding | None:
    """Return the finding about the block above a fence that should end one, if that block ends where one should open."""
    above = [each for each in fences if each.closed and each.span.end <= swapped.opening.start]
    if not above or above[-1].info or not _ends_where_one_opens(text, above[-1]):
        return None
    line = text.source.position(max(above[-1].span.end - 1, 0)).line
    message = f"code fence is not closed before another one opens on line {line}"
    return Finding(message, above[-1].opening, "add the same fence where the code ends", file=text.file)


def _ends_where_one_opens(text: Text, fence: Fence) -> bool:
    """Return whether a blank line or one with a colon comes before the end of a block, and text right after it."""
    written = text.source.text
    end = written[: fence.span.end].rstrip()
    above = end[: end.rfind("\n") + 1].removesuffix("\n").rpartition("\n")[2].rstrip(" \t\r*_")
    below = written[len(end) :].partition("\n")[2].partition("\n")[0]
    return (not above or above.endswith(":")) and bool(below.strip())


def _looks_like_end(text: Text, fence: Fence) -> bool:
    """Return whether a fence without a language follows code directly, and a blank line or nothing follows it."""
    written = text.source.text
    start, end = fence.opening
    *_, before = (
        written[max(start - _LONGEST_PARAGRAPH, 0) : start].rstrip(" \t>").removesuffix("\n").rpartition("\n")
    )
    after = written[end : end + _LONGEST_PARAGRAPH].partition("\n")[2].partition("\n")[0]
    is_text = before.rstrip().endswith(":") or not before.strip()
    return not fence.info and not is_text and not after.strip()


def _is_page(info: str) -> bool:
    return info.lower() in PAGES


def _end_of(text: Text, fences: list[Fence], outer: Fence, fence: Fence) -> Fence | None:
    """Return the fence without a language that was meant as the end of `outer`, which ends too early; None if none.

    A few blocks of their own may come before it. But an example of a page is over where the next one begins,
    unless it is a page with examples of pages.
    """
    blocks = 0
    number = inner_fence(outer)
    inner = "" if number is None else outer.text.split("\n")[number - 1].strip().lstrip("`~").strip()
    is_page = _is_page(outer.info) and not _is_page(inner)
    for each in fences:
        if each.opening.start < outer.span.end:
            continue
        if is_page and _is_page(each.info) and each.marks == outer.marks:
            return None
        if not each.info and (each is fence or not _is_block(text, each)):
            return each
        blocks += 1
        if blocks > _MOST_INSIDE:
            return None
    return None if outer is fence else fence


def _is_block(text: Text, fence: Fence) -> bool:
    """Return whether a fence without a language opens a block of its own: the block is closed, and has only code."""
    is_closed = fence.closed and bool(fence.text.strip()) and not _looks_like_end(text, fence)
    return is_closed and _PROSE.search(fence.text) is None


def _nesting_by_place(text: Text, fences: list[Fence], at: int) -> Finding | None:
    """Return the finding about the block around offset `at` that ends at a fence meant to open a block inside it."""
    position = text.source.position
    by_opening = {each.opening.start: each for each in fences}
    for block in blocks_by_place(text.body, text.body_span.start):
        outer = by_opening.get(block.opening)
        if outer is None or not block.opening < at <= block.end:
            continue
        line = position(max(outer.span.end - 1, 0)).line
        if line in {position(each).line for each in block.inner}:
            message = f"line {line} closes this code block instead of opening another one inside it"
            remedy = f"fence it with {_longer(outer)}, here and on line {position(block.end).line}"
            return Finding(message, outer.opening, remedy, file=text.file)
    return None


def _contains_another(text: Text, fence: Fence) -> bool:
    """Return whether a fence without a language contains another block, and the page closes all such blocks.

    If it was forgotten to close the fence, a block stays open at the end.
    """
    is_outer = not fence.info and inner_fence(fence) is not None
    return is_outer and is_balanced_with_nesting(text.body)


def _ends_in_code(fence: Fence) -> bool:
    """Return whether an open block in a language has nothing that looks like text: the page ends with its code."""
    is_code = bool(fence.info) and not _is_page(fence.info)
    return is_code and bool(fence.text.strip()) and _PROSE.search(fence.text) is None


def _holds_only_code(fence: Fence) -> bool:
    """Return whether what ends with the fence of a block inside it has no text, so that only one line is misread."""
    lines = fence.text.split("\n")
    inner = inner_fence(fence)
    if inner is None:
        return False
    return _PROSE.search("\n".join([*lines[: inner - 1], "", *lines[inner:]])) is None


def _ends_after_text(source: Source, fences: list[Fence], fence: Fence) -> bool:
    """Return whether an open block is empty, and a sentence or an item before it, so that no block was to end there.

    Where a block without a language contains text, an earlier fence was forgotten, and text and code are swapped,
    unless a block with a language comes after it.
    """
    before = source.text[: fence.opening.start].rstrip(" \t\n\r>")[-_LONGEST_PARAGRAPH:]
    paragraph = re.split(r"\n[ \t]*\n|\n(?=[ \t>]*(?:[-*+]|\d{1,3}[.)])[ \t])", before)[-1]
    written = " ".join(paragraph.split())
    is_text = not fence.text.strip() and _SENTENCE.match(written.lstrip("> ")) is not None
    marked = max((number for number, each in enumerate(fences) if each.info), default=-1)
    return is_text and not any(_PROSE.search(each.text) for each in fences[marked + 1 :])


_LONGEST_PARAGRAPH = 3_000  # characters
_SENTENCE = lazy_pattern(r" {0,3}(?:[-*+] |\d{1,3}[.)] |[A-Z]\w{0,30} \w{1,30} \w[^\n]{0,2000}[.:!?]$)")


def _of_outer(text: Text, outer: Fence, opened: Fence) -> Finding:
    """Return the finding about a block that ends at a fence inside it, so that a later fence opens another."""
    line = text.source.position(opened.opening.start).line
    longer = f"fence it with {_longer(outer)}"
    is_next = not text.source.text[outer.span.end : opened.opening.start].strip()
    is_end = not opened.info and (is_next or _looks_like_end(text, opened))
    longer_to_end = f"{longer}, here and on line {line}" if is_end else longer
    is_page = _is_page(outer.info)
    if inner_fence(outer) == 1 and not is_page:
        message = "another code fence opens on the next line, inside this one"
        is_closed_twice = is_next and not opened.info
        remedy = longer_to_end if is_closed_twice else "remove one of the two lines"
    else:
        end = text.source.position(max(outer.span.end - 1, 0)).line
        inner = inner_fence(outer)
        opens = text.source.position(outer.opening.start).line + (inner or 0)
        instead = f"the one that opens on line {opens}" if inner else "opening an inner one"
        message = (
            f"line {end} closes this code block instead of {instead}, so line {line} opens another block"
        )
        is_meant = is_page or is_balanced_with_nesting(text.body)
        remedy = longer_to_end if is_meant else f"{longer}, or close it before the inner fence"
    is_harmless = is_next and not opened.text.strip() and opened.span.end >= text.body_span.end
    is_harmless = is_harmless or (_begins_with_comment(outer) and _begins_with_comment(opened))
    return Finding(
        message, outer.opening, remedy, severity=Severity.INFO if is_harmless else None, file=text.file
    )


def _is_after_block(source: Source, fences: list[Fence], fence: Fence) -> bool:
    """Return whether the line above a fence is the end of another block."""
    closed = [each for each in fences if each.closed and each.span.end <= fence.opening.start]
    between = source.text[closed[-1].span.end : fence.opening.start] if closed else "\n\n"
    return not between.strip(" \t>\r\n") and between.count("\n") <= 1


def _begins_with_comment(fence: Fence) -> bool:
    """Return whether before the fence inside a block there is a comment only: each such block is one example."""
    lines = fence.text.split("\n")[: (inner_fence(fence) or 1) - 1]
    return bool(lines) and all(not line.strip() or _COMMENT.fullmatch(line) is not None for line in lines)


_COMMENT = lazy_pattern(r"[ \t]*<!--[^\n]*-->[ \t]*")


def _longer(fence: Fence) -> str:
    return f"{len(fence.marks) + 1} {'backticks' if fence.marks[0] == '`' else 'tildes'}"


def _remedy(source: Source, fences: list[Fence], fence: Fence) -> str:
    """Return the help: the fence may be left over, or have been meant to close a page that contains fences."""
    if not fence.info and _is_after_block(source, fences, fence):
        return "remove this line: the block above it is closed already"
    if not fence.closed and not fence.text.strip():
        return "remove this line, or add the code and the same fence after it"
    inner = inner_fence(fence)
    lines = fence.text.split("\n")
    if inner is not None and fence.info and not "".join(lines[inner : inner + 1]).strip():
        line = source.position(fence.opening.start).line + inner
        language = lines[inner - 1].strip().lstrip("`~").strip()
        return f"if the block ends on line {line}, remove {backticked(language)} there"
    if inner is not None:
        remedy = "close the block before the next fence, or remove this line"
    else:
        remedy = "add the same fence where the code ends, or remove this line"
    pages = [
        each
        for each in fences
        if each.opening.start < fence.opening.start
        and _is_page(each.info)
        and each.marks[0] == fence.marks[0]
        and len(each.marks) <= len(fence.marks)
    ]
    between = [each for each in fences if pages and pages[-1].span.end <= each.span.start < fence.span.start]
    is_apart = bool(pages) and inner_fence(pages[-1]) is None and any(each.info for each in between)
    if not pages or fence.info or is_apart:
        return remedy
    line = source.position(pages[-1].opening.start).line
    return (
        f"if this line is meant to close the block opened on line {line}, use a longer fence there and here; "
        "otherwise remove this line"
    )

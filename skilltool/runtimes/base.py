"""What is known of a runtime: facts, and functions that several share by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from skilltool.diagnostic import Severity


@dataclass(frozen=True, kw_only=True)
class Runtime:
    """One target that skills are written for.

    `docs` says where the facts come from and `verified` when, and against which version, they
    were last looked at. `schema` is the name of the frontmatter schema (see `skilltool.schema`),
    which holds every limit. `roots` are the project directories in which the runtime looks, as
    relative paths with `/`. `reserved_words` may not occur in a name. `severities` are those of
    rules whose defect is worse or milder here than the rule's own severity says.
    """

    id: str
    title: str
    docs: str
    verified: str
    schema: str
    roots: tuple[str, ...] = ()
    reserved_words: tuple[str, ...] = ()
    severities: Mapping[str, Severity] = field(default_factory=lambda: MappingProxyType({}))

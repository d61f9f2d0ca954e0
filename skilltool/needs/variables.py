"""Names of environment variables: those that are everybody's, and those that hold secrets or addresses."""

from __future__ import annotations

from functools import cache

from skilltool.needs.words import words
from skilltool.runtimes.variables import conventions, variables
from skilltool.text.lazy_pattern import lazy_pattern

NAME = lazy_pattern(r"[A-Z][A-Z0-9_]{2,80}")
SECRET = lazy_pattern(
    r"(?:[A-Z][A-Z0-9]*_)+(?:(?:API|ACCESS|SECRET|AUTH|ACCOUNT|ENCRYPTION|SIGNING|MASTER|ADMIN|DEPLOY|LICENSE|PRIVATE|PUBLIC"
    r"|PUBLISHABLE|APP|SERVICE|SERVICE_ROLE|ANON|WRITE|READ|INGEST|CLIENT|USER|ORG)_?KEY(?:_ID)?|TOKEN|SECRET|PASSWORD|PASSWD"
    r"|CREDENTIALS|PAT|(?:TOKEN|SECRET|CLIENT)_ID)|API_?KEY|(?:ACCESS|AUTH|BOT|API)_TOKEN|(?:CLIENT|API)_SECRET|DATABASE_URL"
)
# What a shell or the system sets.
_OF_SYSTEM = words("system_variables")


def is_own(name: str) -> bool:
    """Return whether a name is one that a program must be given: not the system's, not a client's."""
    return NAME.fullmatch(name) is not None and name not in _OF_SYSTEM and name not in _of_clients()


@cache
def _of_clients() -> frozenset[str]:
    """Return the variables that clients put in, and the words that skills use for their own directory."""
    named = {row.variable.strip("${}") for row in variables()}
    words, prefixes, _ = conventions()
    return frozenset({*named, *words, *(f"{prefix.upper()}_{word}" for prefix in prefixes for word in words)})

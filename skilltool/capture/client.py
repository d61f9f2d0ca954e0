"""What capture must know of a client: how it is found, started and answered, and where its listing stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from skilltool.capture import protocols
from skilltool.capture.protocols import Call
from skilltool.runtimes.base import Session
from skilltool.runtimes.values import LoadedSkill

_NONE: Mapping[str, Any] = MappingProxyType({})
_NO_SKILL = "no-such-skill"


class Place(NamedTuple):
    """The private directories of one capture."""

    home: Path
    project: Path


class Start(NamedTuple):
    """How a client is started.

    `arguments` follow the program, `env` is added to a bare environment, `files` are written before, by
    their paths under the home directory. In all of them `{base}` stands for the model server's address.
    """

    arguments: tuple[str, ...]
    env: Mapping[str, str] = _NONE
    files: Mapping[str, str] = _NONE


class Listing(NamedTuple):
    """Where the listing is in the texts of a request, as regular expressions.

    It is from the beginning of `start` to the end of `end`, wherever that is in the request. `entry` matches
    one whole entry, whose group `key` is the skill's name.
    """

    start: str
    end: str
    entry: str


class Client(NamedTuple):
    """One client, by the id of its runtime; `skilltool.capture.clients` has a module for each.

    `programs` are its names on PATH, `package` is the name of its package, whose metadata has the version.
    `skills` are the directories of its skills under the project and under the home directory. `settings` are
    those of the session that a capture is compared with: they say what `start` does. `tool` is the tool that
    is called for a skill, with `arguments`. `prompt` is what the user says, for the loaded skills that are to
    be called. `answers` reads what a request has of the called skills, by their keys, `expected` is what our
    session says of them. With `unordered` the order of the listing is chance; `races` are probes of which
    that is so, too; `steady` takes chance, and names of skills but those given, out of a result. `needs` are
    programs that it uses and would otherwise fetch. `library` is for a library the Python program that makes
    an agent with it; `is_strict` says that one skill which it refuses ends the loading of all. `note` says
    what else is not as people have it. `record` makes a record in the form of the client's own pack of one in
    the usual form, given all results and the place of the listing.
    """

    id: str
    programs: tuple[str, ...]
    package: str
    skills: tuple[str, str]
    start: Callable[[Place, str], Start]
    listing: Listing
    tool: str | None = None
    settings: Mapping[str, Any] = _NONE
    prompt: Callable[[Sequence[LoadedSkill]], str] = lambda skills: "hello"
    arguments: Callable[[LoadedSkill], Mapping[str, Any]] | None = None
    answers: Callable[[Any, Sequence[str]], Mapping[str, str]] | None = None
    expected: Callable[[Session, str], Mapping[str, str]] | None = None
    unordered: bool = False
    steady: Callable[[str, frozenset[str]], str] = lambda text, names: text
    races: frozenset[str] = frozenset()
    needs: tuple[str, ...] = ()
    library: str | None = None
    is_strict: bool = False
    note: str | None = None
    record: Callable[[Mapping[str, Any], Mapping[str, str], str | None], Mapping[str, Any]] | None = None

    def calls(self, session: Session) -> list[tuple[str, Call]]:
        """Return the calls that are made, each with the key of its skill; the last is of no skill."""
        if self.tool is None:
            return []
        given = self.arguments or (lambda skill: {session.runtime.parameter or "name": skill.key})
        made = [(skill.key, Call(self.tool, given(skill))) for skill in session.skills]
        if self.arguments is None:
            made.append((_NO_SKILL, Call(self.tool, {session.runtime.parameter or "name": _NO_SKILL})))
        return made


def library_start(env: Mapping[str, str]) -> Callable[[Place, str], Start]:
    """Return how a library is started: with these variables; the program is the `library` of the client."""
    start = Start(
        (), {"OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": "{base}/v1", "PYTHONWARNINGS": "ignore", **env}
    )
    return lambda place, prompt: start


def user_texts(body: Any) -> Iterator[str]:
    """Yield the texts of the user's messages in a request to the Responses API."""
    for item in body.get("input", ()) if isinstance(body, Mapping) else ():
        if isinstance(item, Mapping) and item.get("role") == "user":
            yield from protocols.texts(item.get("content"))

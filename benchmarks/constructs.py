"""Skills in which one construct of Markdown or YAML is repeated; `constructs.toml` lists the constructs."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from itertools import count
from pathlib import Path

NAME = "pdf-tools"
_LIST = Path(__file__).with_name("constructs.toml")
_DESCRIPTION = "Fills in PDF forms. Use when the user mentions a PDF form."
# What is repeated stands where `%s` is.
_PLACES = {
    "body": f"---\nname: {NAME}\ndescription: {_DESCRIPTION}\n---\n\n# Tools\n\n%s\n",
    "frontmatter": f"---\nname: {NAME}\ndescription: {_DESCRIPTION}\n%s\n---\n\n# Tools\n\nFill it in.\n",
    "description": f"---\nname: {NAME}\ndescription: %s\n---\n\n# Tools\n\nFill the form in.\n",
}


@dataclass(frozen=True, slots=True)
class Construct:
    """What is repeated: see the comment in `constructs.toml`."""

    place: str
    name: str
    unit: str
    before: str = ""
    close: str = ""
    after: str = ""
    mark: str = ""

    def skill(self, size: int) -> str:
        """Return the SKILL.md of a skill called `NAME` that repeats the construct up to `size` characters."""
        many, length = 0, 0
        for many in count(1):
            length += len(self._repetition(many)) + len(self.close)
            if length >= size:
                break
        units = (self._repetition(each, many) for each in range(1, many + 1))
        text = f"{self.before}{''.join(units)}{self.close * many}{self.after}"
        return _PLACES[self.place].replace("%s", text)

    def _repetition(self, number: int, many: int = 0) -> str:
        plain = self.unit.replace("%r", str(many - number)).replace("%d", str(number))
        return plain.replace("%s", self.mark * number).replace("%%", "%")


def constructs() -> list[Construct]:
    """Return all constructs in the order of the list."""
    return [
        Construct(place, name, **({"unit": given} if isinstance(given, str) else given))
        for place, entries in tomllib.loads(_LIST.read_text("utf-8")).items()
        for name, given in entries.items()
    ]

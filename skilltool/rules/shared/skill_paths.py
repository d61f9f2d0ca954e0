"""How a body spells the paths of its own skill's files.

The variables for the skill's directory are those that clients put in, and words that skills use without
(`skilltool.runtimes.variables`).
"""

from __future__ import annotations

import re

from skilltool.runtimes.variables import SKILL, conventions, variables

# The directories of the open specification (https://agentskills.io/specification).
OWN_DIRECTORIES = ("scripts/", "references/", "assets/")

_WORDS, _PREFIXES, _ = conventions()
_PUT_IN = [row.variable for row in variables() if row.names == SKILL]
# `${NAME}`, which is also taken without braces, and `{name}`.
_NAMED = [variable[2:-1] for variable in _PUT_IN if variable.startswith("${")]
_BRACED = [variable[1:-1] for variable in _PUT_IN if variable.startswith("{")]
_OTHERS = [name for name in _NAMED if not name.endswith(_WORDS)]

# What may stand before a word and `_`; any other prefix names another skill (`FORMS_SKILL_DIR`).
VARIABLE_PREFIXES = frozenset(
    {
        *_PREFIXES,
        *(name[: -len(word) - 1].lower() for name in _NAMED for word in _WORDS if name.endswith(f"_{word}")),
    }
)
# The ends of the variables for the skill's own directory, with the slash after them.
DIRECTORY_VARIABLES = (
    *(f"{{{name}}}/" for name in _BRACED),
    *(f"{name}{end}" for name in (*_WORDS, *_OTHERS) for end in ("}/", "/")),
)
# Every variable contains one of these, so that few searches rule out all.
VARIABLE_HINTS = (
    *(f"{name}}}/" for name in _BRACED),
    *sorted({f"{word.partition('_')[0]}_" for word in _WORDS}),
    *_OTHERS,
)

_WORD = "|".join(map(re.escape, _WORDS))
_EITHER_BRACED = "|".join(map(re.escape, _BRACED))
_BY_NAME = "".join(f"|{re.escape(name)}" for name in _OTHERS)
_PREFIX = "|".join(map(re.escape, sorted(VARIABLE_PREFIXES)))
# A variable for the skill's own directory.
OWN_DIRECTORY = rf"\$\{{?(?:(?:(?:{_PREFIX})_)?(?:{_WORD}){_BY_NAME})\}}?|\$?\{{(?:{_EITHER_BRACED})\}}"
# One for the directory of this skill or of another, by what is before the word; and a placeholder for it.
ANY_DIRECTORY = (
    rf"\$\{{?(?:\w{{0,60}}(?:{_WORD}){_BY_NAME})\}}?|\$?\{{(?:{_EITHER_BRACED})\}}"
    rf"|<(?:{_WORD.replace('_', '[-_ ]?')})>"
)
# The last characters of what `ANY_DIRECTORY` matches.
ENDS = frozenset("}>").union(*({name[-1].lower(), name[-1].upper()} for name in (*_WORDS, *_OTHERS)))
# What is before the word is the name of a skill.
OWNER = rf"(?<!\w)(\w{{1,60}})_(?:{_WORD})\}}?/\Z"

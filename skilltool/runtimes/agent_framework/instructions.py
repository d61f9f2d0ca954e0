"""How does Agent Framework put the listing into its instructions, or into a template of the developer's own?

Source: `agent_framework/_skills.py` of agent-framework-core 1.23.0, and requests.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter

from skilltool.runtimes.fixed_text import fixed_text

_BEFORE = fixed_text(180, "e8da725db587e2da1931da9460befe185aaf10b35e4db3793453f9a204be291d")
_AFTER = fixed_text(802, "746267854d9ad94681be0948a3a476d13b3ecab840662293ee091a85003fbf08")
_OF_RESOURCES = fixed_text(183, "e1aaf9e927320e575843aae953261dee2934ada3f8e93d5063f3ab492dda10b4")
_OF_SCRIPTS = fixed_text(405, "23ce85b484373bafacb804ca41affb3b65b534dc44865521e91a2bbde7f68d6b")
_SKILLS = "skills"
_INVALID = (
    "The provided instruction_template is not a valid format string. It must contain a '{skills}' "
    "placeholder and escape any literal '{' or '}' by doubling them ('{{' or '}}')."
)
_WITHOUT = "The provided instruction_template must contain a '{skills}' placeholder."


def instructions(listing: str, template: str) -> str:
    """Return the instructions with the listing in them, in the framework's own words without a template."""
    if not template:
        return f"{_BEFORE}<available_skills>\n{listing}\n</available_skills>{_AFTER}"
    return _filled(template, {_SKILLS: listing, **_OTHERS})


def template_problem(template: str) -> str | None:
    """Return the error for a template of the developer's own, None if it can be filled."""
    if not template:
        return None
    try:
        parts = list(_parts(template))
    except ValueError:
        return _INVALID
    return None if any(name == _SKILLS for _, name in parts) else _WITHOUT


_OTHERS = {"runner_instructions": _OF_SCRIPTS, "resource_instructions": _OF_RESOURCES}


def _parts(template: str) -> list[tuple[str, str | None]]:
    """Return texts and the placeholder after each; raises ValueError for anything but the three names.

    Python's formats, such as `{skills:>9}`, are refused as well: they could fill the memory.
    """
    parts = []
    for text, name, form, conversion in Formatter().parse(template):
        if name is not None and (form or conversion or name not in (_SKILLS, *_OTHERS)):
            raise ValueError(name)
        parts.append((text, name))
    return parts


def _filled(template: str, values: Mapping[str, str]) -> str:
    return "".join(text + (values[name] if name is not None else "") for text, name in _parts(template))

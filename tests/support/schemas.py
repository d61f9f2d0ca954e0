"""Whether a report is what its schema says, and has nothing that the schema does not describe."""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator

from skilltool.skill import schema

_ALTERNATIVES = ("oneOf", "anyOf")


def validate(name: str, data: Any) -> None:
    """Raise `ValidationError` for a report that the schema `name` does not take or describe in full."""
    described = schema.load(name)
    Draft202012Validator(described).validate(data)
    parts = [part for key in _ALTERNATIVES for part in described.get(key, ())]
    for key, value in data.items():
        # A key of the top may be described in one of the alternatives.
        found = [part["properties"][key] for part in (described, *parts) if key in part.get("properties", {})]
        assert found, f"the schema {name} does not describe `{key}`"
        errors = [list(Draft202012Validator(closed(each)).iter_errors(value)) for each in found]
        assert not all(errors), f"{key}: {errors[0][0].message} at {errors[0][0].json_path}"


def closed(part: Any) -> Any:
    """Return a part of a schema in which no object has a property that is not described."""
    if isinstance(part, list):
        return [closed(each) for each in part]
    if not isinstance(part, dict):
        return part
    found = {key: closed(value) for key, value in part.items()}
    return found | ({"additionalProperties": False} if isinstance(part.get("properties"), dict) else {})

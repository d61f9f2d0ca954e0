"""What a runtime requires of a field is what its schema says, in the words of docs and editors."""

from __future__ import annotations

import pytest

from skilltool import runtimes
from skilltool.runtimes import fields
from skilltool.skill import schema


@pytest.mark.together
@pytest.mark.parametrize("name", runtimes.IDS)
def test_each_field_is_described_as_its_schema_has_it(name: str) -> None:
    runtime = runtimes.get(name)
    found = schema.load(runtime.schema)
    assert fields.known(runtime) == tuple(found["properties"])
    for key, about in found["properties"].items():
        assert fields.about(runtime, (key,)) == about
        said = (fields.demand(runtime, (key,)) or "").split(", ")
        assert (said[0] == "required") is (key in found.get("required", ()))
        assert (f"at most {about.get('maxLength', 0):,}" in said) is ("maxLength" in about)
        kind = about.get("type", ())
        kinds = [kind] if isinstance(kind, str) else kind
        assert (" or ".join(kinds) or "ignored") in said
    assert fields.about(runtime, ("no-such-field",)) is None
    assert fields.demand(runtime, ("no-such-field",)) is None


def test_a_field_within_a_field_is_named_by_its_path() -> None:
    agent = runtimes.get("agent")
    assert "keywords" in fields.known(agent, ("triggers",))
    assert fields.about(agent, ("triggers", "keywords")) is not None
    assert fields.demand(agent, ("triggers", "keywords"), "needed") == "array"
    assert fields.known(agent, ("no-such-field",)) == ()
    assert fields.demand(agent, ("name",), "needed") == "needed, string, at most 64"


def test_a_meaning_is_told_once_with_the_runtimes_that_have_it() -> None:
    known = [runtimes.get(name) for name in ("agentskills", "agent", "nfa")]
    found = fields.meanings(known, ("description",))
    assert [name for names in found.values() for name in names] == [
        each.id for each in known if "description" in (fields.about(each, ("description",)) or {})
    ]
    assert found
    assert fields.meanings(known, ("no-such-field",)) == {}

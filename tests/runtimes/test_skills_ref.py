"""What the reference library of the open specification printed on public fixtures."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.runtimes import agentskills
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused

HERE = Path(__file__).parents[1] / "goldens-public"
SKILLS = HERE / "fixtures" / "skills"
CASES = json.loads((HERE / "cases" / "skills-ref.json").read_text("utf-8"))["cases"]
LIBRARY = "Invalid YAML in frontmatter: "
# In the fixtures a link is stored as a text file that holds its target.
LINKS = {"linked-file", "linked-skill"}


def cases(call: str) -> list[tuple[list[str], str]]:
    found = []
    for case in CASES:
        match = re.fullmatch(rf"{call}\(\[?(?P<names>.*?)\]?\)", case["call"], re.DOTALL)
        names = match["names"].split(",") if match and match["names"] else []
        if match and not LINKS & set(names):
            found.append((names, case["output"].replace("{root}", str(HERE))))
    return found


def masked(text: str) -> str:
    """Cut what strictyaml wrote."""
    return text.partition(LIBRARY)[0] + LIBRARY if LIBRARY in text else text


def error(refusal: Refusal | Refused) -> str:
    return f"{refusal.kind or 'ParseError'}: {refusal.message}"


def read_properties(name: str) -> str:
    file = agentskills.skill_file(SKILLS / name)
    if file is None:
        return f"ParseError: SKILL.md not found in {SKILLS / name}"
    try:
        fields = agentskills.parse(file.read_bytes()).fields
        found = agentskills.properties(fields)
    except Refusal as refusal:
        return error(refusal)
    return json.dumps(dict(zip(("name", "description"), found, strict=True)), ensure_ascii=False)


@pytest.mark.together
@pytest.mark.parametrize(("names", "output"), cases("read_properties"), ids=lambda value: str(value)[:30])
def test_properties_are_read_as_the_library_reads_them(names: list[str], output: str) -> None:
    (name,) = names
    if not output.startswith(("ParseError", "ValidationError", "UnicodeDecodeError")):
        output = json.dumps(
            {k: v for k, v in json.loads(output).items() if k in ("name", "description")}, ensure_ascii=False
        )
    assert masked(output) == masked(read_properties(name))


@pytest.mark.together
@pytest.mark.parametrize(("names", "output"), cases("validate"), ids=lambda value: str(value)[:30])
def test_a_skill_is_judged_as_the_library_judges_it(names: list[str], output: str) -> None:
    (name,) = names
    found = agentskills.validate(SKILLS / name)
    if output.startswith("UnicodeDecodeError: "):
        assert [output.removeprefix("UnicodeDecodeError: ")] == found
    else:
        assert [masked(line) for line in json.loads(output)] == [masked(line) for line in found]


@pytest.mark.together
@pytest.mark.parametrize(("names", "output"), cases("to_prompt"), ids=lambda value: str(value)[:30])
def test_the_listing_is_the_library_s(names: list[str], output: str) -> None:
    load = runtimes.get("skills-ref@0.1.1").load
    assert load is not None
    found = [load(SKILLS / name) for name in names]
    refused = [skill for skill in found if isinstance(skill, Refused)]
    if refused:
        assert masked(output) == masked(error(refused[0]))
        return
    listed = [
        (s.name, s.description, agentskills.skill_file(s.directory))
        for s in found
        if not isinstance(s, Refused)
    ]
    assert output == agentskills.listing_of((name, text, file) for name, text, file in listed if file)


def test_the_edition_lists_and_reads_what_the_library_does(tmp_path: Path) -> None:
    # In the record of `to_prompt`, the fixtures are the arguments; here they are what the root holds.
    names = ["args", "desc-1100", "no-description", "ns-colon", "xml-specials"]
    root = tmp_path / ".agents/skills"
    root.mkdir(parents=True)
    for name in names:
        (root / name).symlink_to(SKILLS / name)
    session = runtimes.get("skills-ref@0.1.1").open(tmp_path, tmp_path / "home")
    records = {tuple(each): output for each, output in cases("to_prompt")}
    whole = "".join(
        records[name,].removeprefix("<available_skills>").removesuffix("\n</available_skills>")
        for name in names
        if name != "no-description"
    )
    assert session.catalog() == f"<available_skills>{whole}\n</available_skills>"
    (refused,) = session.skipped
    assert f"ValidationError: {refused.message}" == records["no-description",]


def test_the_edition_is_in_no_group() -> None:
    assert "skills-ref@0.1.1" in runtimes.IDS
    assert "skills-ref@0.1.1" not in runtimes.BARE


@pytest.mark.parametrize(("field", "most"), [("description", 1024), ("compatibility", 500)])
def test_a_field_may_be_as_long_as_its_limit(field: str, most: int, tmp_path: Path) -> None:
    values = {"name": "pdf", "description": "Fills in forms."}
    (tmp_path / "pdf").mkdir()
    load = runtimes.get("agentskills").load
    assert load is not None
    for length, kind in ((most, LoadedSkill), (most + 1, Refused)):
        lines = "".join(f"{key}: {value}\n" for key, value in {**values, field: "x" * length}.items())
        (tmp_path / "pdf" / "SKILL.md").write_text(f"---\n{lines}---\n\nText.\n", "utf-8")
        assert isinstance(load(tmp_path / "pdf"), kind)

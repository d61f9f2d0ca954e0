"""`new` renders any template with any answers, or says what is wrong with it, and writes nowhere else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tests.fuzz.box import command, write_tree
from tests.fuzz.skills import DOCUMENTS

_texts = st.one_of(
    st.sampled_from(
        [
            *(
                "a",
                "",
                "{{ cookiecutter.name }}",
                "{{ cookiecutter.x|upper }}",
                "{{",
                "{% for i in x %}",
                "{{ 1/0 }}",
            ),
            *(
                "{{ cookiecutter.__class__ }}",
                "{% raw %}",
                "{{ cookiecutter['name'] * 3 }}",
                "{% include 'x' %}",
            ),
            *(
                "{{ ''.__class__.__mro__ }}",
                "{{ range(9)|list }}",
                "{{ x.y.z }}",
                "{{ cookiecutter.name|slugify }}",
            ),
            *(
                "{% set x = 1 %}",
                "../x",
                "/etc",
                "a/b",
                "\x00",
                "{{ now() }}",
                "{{ random_ascii_string(3) }}",
            ),
        ]
    ),
    st.text(max_size=10),
)
_json: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.floats(), _texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_texts, inner, max_size=3)),
    max_leaves=5,
)
_keys = st.one_of(
    st.sampled_from(
        [
            *(
                "name",
                "description",
                "x",
                "_about",
                "__prompts__",
                "_extensions",
                "_jinja2_env_vars",
                "__description",
            ),
            *(
                "_copy_without_render",
                "_template",
                "_new_lines",
                "_output_dir",
                "_hidden",
                "__private",
                "_py",
            ),
        ]
    ),
    st.text(max_size=5),
)
_questions = st.one_of(
    st.dictionaries(_keys, st.one_of(_texts, _json), max_size=4).map(lambda found: {"name": "a", **found}),
    _json,
)
_folders = st.sampled_from(
    [
        "{{cookiecutter.name}}",
        "{{cookiecutter.name}}",
        "{{cookiecutter.x}}",
        "x",
        "hooks",
        "{{",
        "{{cookiecutter.name",
    ]
)
_files = st.dictionaries(
    st.builds(
        "{}/{}".format,
        _folders,
        st.sampled_from(
            ["SKILL.md", "SKILL.md", "{{cookiecutter.x}}.md", "pre_gen_project.py", "{% x %}", "a/b.md"]
        ),
    ),
    st.one_of(
        _texts.map(lambda text: f"---\nname: a\ndescription: d\n---\n{text}\n".encode("utf-8", "replace")),
        DOCUMENTS,
    ),
    max_size=4,
)
_answers = st.dictionaries(st.sampled_from(["x", "description", "name", "y", "_py"]), _texts, max_size=2)
INPUTS = st.tuples(_questions, _files, _answers, st.sampled_from(["a", "b-c", "A b", "..", "{{1}}"]))


def check(drawn: tuple[Any, dict[str, bytes], dict[str, str], str], place: Path) -> None:
    questions, files, answers, name = drawn
    write_tree(place / "t", {**files, "t": b""})
    (place / "t" / "cookiecutter.json").write_text(json.dumps(questions), "utf-8")
    given = [part for key, value in answers.items() for part in ("--data", f"{key}={value}")]
    before = sorted(path for path in place.rglob("*") if place / "skills" not in path.parents)
    status, _, messages = command(
        *(
            "new",
            "--template",
            str(place / "t"),
            "--output",
            str(place / "skills"),
            "--no-input",
            *given,
            "--",
            name,
        )
    )
    assert status != 2 or messages
    after = sorted(path for path in place.rglob("*") if place / "skills" not in path.parents)
    assert [path for path in after if path not in before] in ([], [place / "skills"])

"""The page docs/format.md: what each field means in each runtime, from its schema and its profile."""

from pathlib import Path

from skilltool import runtimes
from skilltool.runtimes import fields
from skilltool.runtimes.base import Runtime

_INTRO = Path(__file__).with_name("format-intro.md").read_text("utf-8")


def page() -> str:
    """Return the page as Markdown."""
    known = [runtimes.get(name) for name in ("portable", *runtimes.BARE)]
    parts = [_INTRO, "## Fields\n", _fields(known)]
    parts += ["## What each runtime does\n", *(_runtime(runtime) for runtime in known)]
    return "\n".join(parts)


def _fields(targets: list[Runtime]) -> str:
    names = list(dict.fromkeys(name for each in targets for name in fields.known(each)))
    ids = [each.id for each in targets]
    rows = ["| field | " + " | ".join(ids) + " |", "|---" * (len(ids) + 1) + "|"]
    for name in names:
        cells = [fields.demand(each, (name,), required="**required**") or "" for each in targets]
        rows.append(f"| `{name}` | " + " | ".join(cells) + " |")
    legend = (
        "Each cell says whether the runtime requires the field, and gives its type and maximum length. "
        "An empty cell means that the runtime does not know the field.\n"
    )
    meanings = [
        f"- `{name}` ({', '.join(who)}): {text}"
        for name in names
        for text, who in fields.meanings(targets, (name,)).items()
    ]
    return "\n".join([legend, *rows, "", *meanings]) + "\n"


def _runtime(runtime: Runtime) -> str:
    roots = ", ".join(f"`{root.path_template or root.role}`" for root in runtime.roots)
    lines = [f"### {runtime.id}\n", f"{runtime.title}. Source: {runtime.docs}.\n"]
    lines.append(f"- skills directories: {roots or 'the ones that you specify'}")
    lines += [f"- {name}: {sentence}" for name, sentence in runtime.facts.items()]
    return "\n".join(lines) + "\n"

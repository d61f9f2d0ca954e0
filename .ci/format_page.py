"""The page docs/format.md, from the schemas and the profiles of the runtimes."""

from pathlib import Path

from skilltool import runtimes, schema

_INTRO = Path(__file__).with_name("format-intro.md").read_text("utf-8")


def page() -> str:
    """Return the page as Markdown."""
    known = [runtimes.get(name) for name in ("portable", *runtimes.BARE)]
    parts = [_INTRO, "## Fields\n", _fields(known)]
    parts += ["## What each runtime does\n", *(_runtime(runtime) for runtime in known)]
    return "\n".join(parts)


def _fields(known: list) -> str:
    schemas = {runtime.id: schema.load(runtime.schema) for runtime in known}
    names = list(dict.fromkeys(name for each in schemas.values() for name in each.get("properties", {})))
    rows = ["| field | " + " | ".join(schemas) + " |", "|---" * (len(schemas) + 1) + "|"]
    rows += [f"| `{n}` | " + " | ".join(_cell(each, n) for each in schemas.values()) + " |" for n in names]
    legend = (
        "Each cell says whether the runtime needs the field, of which type it is, and how long it may be. "
        "An empty cell: the runtime does not know it.\n"
    )
    meanings = [line for name in names for line in _meanings(schemas, name)]
    return "\n".join([legend, *rows, "", *meanings]) + "\n"


def _meanings(schemas: dict, name: str) -> list[str]:
    """Return what a field is for, once for all runtimes whose schemas say the same."""
    said: dict[str, list[str]] = {}
    for runtime, found in schemas.items():
        about = found.get("properties", {}).get(name, {})
        if "description" in about:
            said.setdefault(about["description"], []).append(runtime)
    return [f"- `{name}` ({', '.join(who)}): {text}" for text, who in said.items()]


def _cell(found: dict, name: str) -> str:
    about = found.get("properties", {}).get(name)
    if about is None:
        return ""
    kind = about.get("type", "not looked at")
    words = [" or ".join(kind) if isinstance(kind, list) else kind]
    words = (["**needed**"] if name in found.get("required", ()) else []) + words
    words += [f"at most {about['maxLength']:,}"] if "maxLength" in about else []
    return ", ".join(words)


def _runtime(runtime) -> str:
    roots = ", ".join(f"`{root.place or root.role}`" for root in runtime.roots) or "any that are named"
    lines = [f"### {runtime.id}\n", f"{runtime.title}. Source: {runtime.docs}.\n", f"- roots: {roots}"]
    lines += [f"- {name}: {sentence}" for name, sentence in runtime.facts.items()]
    return "\n".join(lines) + "\n"

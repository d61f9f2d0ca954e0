"""The tables `[runtime.ID]` in schemas/config.schema.json: every setting of every runtime."""

from skilltool import runtimes
from skilltool.runtimes.base import Setting

TYPES = {bool: "boolean", int: "integer", str: "string", list: "array"}


def tables() -> dict[str, object]:
    """Return the JSON Schema of each runtime's table; that of a bare id holds for all editions."""
    found: dict[str, object] = {}
    for name in dict.fromkeys([*runtimes.IDS, *(known.partition("@")[0] for known in runtimes.IDS)]):
        # The runtime itself comes last, so that its own words win where an edition differs.
        meant = sorted((n for n in runtimes.IDS if name in (n, n.partition("@")[0])), key=name.__eq__)
        profiles = [runtimes.get(known) for known in meant]
        entries = {key: entry for p in profiles for s in p.settings.items() for key, entry in _entries(*s)}
        if entries:
            found[name] = {
                "title": profiles[-1].title,
                "description": f"Settings for {name}, the same as with `--set`.",
                "type": "object",
                "additionalProperties": False,
                "properties": dict(sorted(entries.items())),
            }
    return dict(sorted(found.items()))


def _entries(key: str, setting: Setting) -> list[tuple[str, object]]:
    about = f"{setting.about[0].upper()}{setting.about[1:]}."
    kind = {} if setting.default is None else {"type": TYPES[type(setting.default)]}
    entry = {"title": key, "description": about, **kind, "default": setting.default}
    return [(name, entry) for name in (key, *setting.aliases)]

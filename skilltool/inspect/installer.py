"""What does somebody get who runs the installer `skills` on a repository?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from skilltool.files.paths import display_path
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.inspect.packages import Installed, PassedOver, View
from skilltool.packages.installer import Target, candidates, directory_name
from skilltool.packages.manifest import forget_manifests
from skilltool.packages.plugins import forget_offers
from skilltool.skill.discovery import discover
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter import read
from skilltool.text.source import Source

NAME = "skills"
_ELSEWHERE = "not in a directory in which the installer looks"


def view(top: Path) -> View:
    """Return what the installer finds in a repository: the key is the directory that it makes."""
    forget_manifests()
    forget_offers()
    root = top.absolute().as_posix().rstrip("/") or "/"
    skills: dict[str, Installed] = {}
    passed: list[PassedOver] = []
    seen: set[str] = set()
    for each in candidates(root):
        seen.add(each.directory)
        shown = display_path(each.directory)
        name, why = _read(each.directory)
        if name is None:
            passed.append(PassedOver(shown, "", why))
        elif name in skills:
            passed.append(PassedOver(shown, "", f"`{skills[name].directory}` has the same name"))
        else:
            skills[name] = Installed(directory_name(name), "", shown, f"in {each.container}")
    left = [each for each in discover([top]).skills if each.as_posix() not in seen]
    passed += [PassedOver(display_path(each), "", _ELSEWHERE) for each in left]
    shown = display_path(root) or "."
    return View(NAME, shown, top.absolute().name, (), tuple(skills.values()), tuple(passed))


def _read(directory: str) -> tuple[str | None, str]:
    """Return the name of a skill, or None and why the installer does not take it."""
    try:
        raw = read_bounded(Path(directory, FILE_NAME), MEBIBYTE)
    except OSError as error:
        return None, f"cannot be read: {error.strerror}"
    if not raw.startswith(b"---"):
        return None, "the file does not begin with `---`"
    fields: dict[str, Any] = dict(read(Source.decode(raw)).data or {})
    for field in ("name", "description"):
        if not (isinstance(fields.get(field), str) and fields[field]):
            return (
                None,
                f"`{field}` is missing or is not a string" if fields else "the frontmatter is not YAML",
            )
    metadata = fields.get("metadata")
    if isinstance(metadata, dict) and metadata.get("internal") is True:
        return None, "it is marked as internal"
    return fields["name"], ""


def data(found: View, targets: tuple[Target, ...]) -> dict[str, Any]:
    """Return what is added to the JSON of a package: where each agent gets a skill."""
    rows = [
        {"agent": each.agent, "path": each.path, "link": each.is_link, "needs": each.needs}
        for each in targets
    ]
    return {"targets": rows}

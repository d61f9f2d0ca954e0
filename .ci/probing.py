"""Small projects to find out what a runtime does: lay files where it looks for skills, open it, and look."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Root, Runtime, Session

# path under the root -> text, bytes, or a link to a path under the project
Files = Mapping[str, "str | bytes | Link"]
DESCRIPTION = "Fills in PDF forms."


class Link(str):
    """The target of a symbolic link, under the project."""

    __slots__ = ()


def skill(
    name: str | None = "probe", description: str | None = DESCRIPTION, more: str = "", body: str = "Text."
) -> str:
    """Return a SKILL.md; `more` are further lines of frontmatter."""
    lines = [f"name: {name}\n"] * (name is not None) + [f"description: {description}\n"] * (
        description is not None
    )
    return f"---\n{''.join(lines)}{more}---\n\n{body}\n"


_NAMED = Root(role="root 1", path_template="{project}/skills")


def root_of(runtime: Runtime) -> Root | None:
    """Return the root in which skills are laid: the first of a project, else of the home directory.

    Where the user names the roots, that is a directory of the project.
    """
    if runtime.any_roots and not runtime.ground:
        return _NAMED
    usual = [root for root in runtime.roots if root.path_template and root.unscanned is None]
    own = [root for scope in ("project", "user") for root in usual if root.scope == scope]
    return next((root for root in own if (root.path_template or "").endswith("skills")), None)


def places(runtime: Runtime, scope: str) -> list[str]:
    """Return the directories of a scope, relative to the project or to the home directory, or absolute."""
    templates = [root.path_template for root in runtime.roots if root.path_template and root.scope == scope]
    return list(dict.fromkeys(re.sub(r"^\{\w+\}/", "", each) for each in templates))


@contextmanager
def opened(runtime: Runtime, files: Files, home: Files | None = None, **settings: Any) -> Iterator[Session]:
    """Open a runtime in a project with files under its root, and with files under the home directory."""
    root = root_of(runtime)
    with tempfile.TemporaryDirectory() as top:
        project, user = Path(top, "project"), Path(top, "home")
        (project / ".git").mkdir(parents=True)
        (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
        user.mkdir()
        if root is not None and root.path_template:
            _lay(Path(root.path_template.format(project=project, home=user)), files, project)
        _lay(user, home or {}, project)
        roots = {_NAMED.role: project / "skills"} if root is _NAMED else {}
        yield runtime.open(project, user, settings, roots)


def _lay(base: Path, files: Files, project: Path) -> None:
    for name, content in files.items():
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Link):
            path.symlink_to(project / content)
        elif isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, "utf-8", newline="")


def keys(runtime: Runtime, files: Files) -> list[str]:
    """Return the keys of the skills that a runtime loads from these files, in its order, without its own."""
    with opened(runtime, files) as session:
        return [each.key for each in session.skills if each.directory.is_relative_to(session.project.parent)]


def loads(runtime: Runtime, text: str | bytes, directory: str = "probe") -> bool:
    """Return whether a runtime loads this SKILL.md."""
    with opened(runtime, {f"{directory}/SKILL.md": text}) as session:
        return any(each.directory.name == directory for each in session.skills)


def shown(runtime: Runtime, text: str) -> str | None:
    """Return the listing of this one SKILL.md, None if nothing is listed."""
    with opened(runtime, {"probe/SKILL.md": text}) as session:
        return session.catalog()

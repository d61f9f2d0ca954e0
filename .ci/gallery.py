"""The tour as one page of `skilltool preview`, for the site and for pictures: the same on every machine."""

import re
import zlib
from base64 import b64decode, b64encode

from sandbox import Sandbox

_COMMAND = "skilltool preview --quiet --export preview.html"
_PACKED = re.compile(r'(?<=<script type="text/plain" id=")(?P<id>packed-[a-z]+)">(?P<data>[^<]*)')


def page() -> str:
    """Return the page; paths begin with `/home/you`, and not with that of the sandbox."""
    with Sandbox("tour") as sandbox:
        sandbox.run(_COMMAND, 100)
        document = (sandbox.project / "preview.html").read_text("utf-8")
        root = str(sandbox.project).partition("/home/you")[0]
    return _PACKED.sub(lambda match: _repacked(match, root), document).replace(root, "")


def _repacked(match: re.Match[str], root: str) -> str:
    """Return what a page holds compressed, with shorter paths."""
    text = zlib.decompress(b64decode(match["data"])).replace(root.encode(), b"")
    return f'{match["id"]}">{b64encode(zlib.compress(text, 9)).decode()}'

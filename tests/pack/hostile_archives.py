"""Archives that are made to hurt whoever unpacks them, each small on disk."""

from __future__ import annotations

import bz2
import io
import os
import resource
import struct
import subprocess
import sys
import tarfile
import warnings
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

from tests.support.warm import run_command

SKILL = b"---\nname: a\ndescription: Fills in forms. Use when asked.\n---\n\nText.\n"
MEMORY = 384 << 20  # bytes of address space, of which the interpreter alone needs some


def check(repo: Path, raw: bytes | None = None, little_memory: bool = False) -> tuple[int, str]:
    """Check the archive `x`; return the exit status and the only line it prints."""
    if raw is not None:
        (repo / "x").write_bytes(raw)
    temporary = repo.parent / "temporary"
    temporary.mkdir(exist_ok=True)
    if little_memory:
        run = subprocess.run(
            [sys.executable, "-m", "skilltool", "pack", "--check", "x"],
            cwd=repo,
            env={**os.environ, "TMPDIR": str(temporary)},
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        )
    else:
        run = run_command(["pack", "--check", "x"], repo, TMPDIR=str(temporary))
    assert os.listdir(temporary) == []
    if run.returncode == 0:
        assert run.stderr == ""
        return 0, run.stdout.splitlines()[0]
    (line,) = run.stderr.splitlines()
    assert len(line) < 300
    assert "internal" not in line
    return run.returncode, line.removeprefix("skilltool: x: ")


def zipped(
    entries: Iterable[tuple[str, bytes]] = (), method: int = zipfile.ZIP_DEFLATED, mode: int = 0o100644
) -> bytes:
    raw = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(raw, "w") as archive:  # of two of a name
        for name, content in [("a/SKILL.md", SKILL), *entries]:
            info = zipfile.ZipInfo(name)
            info.compress_type, info.external_attr = method, mode << 16
            archive.writestr(info, content)
    return raw.getvalue()


def tarred(*members: tuple[tarfile.TarInfo, bytes], kind: str = "w") -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode=kind) as archive:  # type: ignore[call-overload]
        skill = tarfile.TarInfo("a/SKILL.md")
        for info, content in [(skill, SKILL), *members]:
            if info.isreg():
                info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return raw.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE, **values: object) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    for key, value in values.items():
        setattr(info, key, value)
    return info


def zip_of_zeros(method: int, size: int, announced: int) -> bytes:
    """A zip with an entry of `size` zeros that says it has `announced` bytes."""
    step = bytes(1 << 20)
    coder = bz2.BZ2Compressor() if method == zipfile.ZIP_BZIP2 else zlib.compressobj(9, zlib.DEFLATED, -15)
    content = b"".join([*(coder.compress(step) for _ in range(size >> 20)), coder.flush()])
    plain = zipped([("a/zeros", content)], zipfile.ZIP_STORED)
    sizes = struct.pack("<LL", len(content), len(content))
    said = plain.replace(sizes, struct.pack("<LL", len(content), announced))
    local, listed = said.index(b"PK\3\4", 4), said.rindex(b"PK\1\2")
    changed = bytearray(said)
    changed[local + 8 : local + 10] = changed[listed + 10 : listed + 12] = struct.pack("<H", method)
    return bytes(changed)


def relisted(raw: bytes, listed: Iterable[int], claimed: int | None = None) -> bytes:
    """A zip whose directory lists only some of its entries, perhaps more than once, by their numbers."""
    end = raw.rindex(b"PK\5\6")
    start = struct.unpack_from("<L", raw, end + 16)[0]
    records = raw[start:end].split(b"PK\1\2")[1:]
    chosen = b"".join(b"PK\1\2" + records[number] for number in listed)
    count = len(list(listed)) if claimed is None else claimed
    return raw[:start] + chosen + b"PK\5\6" + struct.pack("<4H2LH", 0, 0, count, count, len(chosen), start, 0)


def sparse(path: Path, raw: bytes, size: int) -> None:
    """A file that begins with `raw` and goes on with a hole of up to `size` bytes in all."""
    path.write_bytes(raw)
    with path.open("r+b") as file:
        file.truncate(size)

"""Files that are whole or absent, also when the process is killed while it writes."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO


@contextlib.contextmanager
def whole_file(path: str | Path) -> Iterator[TextIO]:
    """Open a text file that appears, or is replaced, only when all of it is written.

    It is written beside its place, in UTF-8, and moved there by one step of the file system. A
    link stays a link, and a file keeps its mode. A device, such as ``/dev/stdout``, is written to.

    Raises
    ------
    OSError
        When it cannot be written; on entering the block, so before any work is done.
    """
    path = Path(path)
    if path.exists() and not path.is_file() and not path.is_dir():
        with path.open("w", encoding="utf-8") as device:
            yield device
        return
    target = Path(os.path.realpath(path))
    # A name of its own: one process may be killed and leave it, and another write the same file.
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    if target.is_dir():
        raise IsADirectoryError(None, "it is a directory", str(path))
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(None, "it is read-only", str(path))
    file = beside.open("x", encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        with file:
            yield file
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)

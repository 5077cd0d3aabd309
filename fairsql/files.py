"""Files that are written whole or not at all."""

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
    """Open a text file (UTF-8) that appears, or is replaced, only when all of it is written.

    What is written stands in a hidden file beside it until the block ends well; when it does not,
    nothing has changed. A device, such as ``/dev/stdout``, is written as it comes.

    Raises
    ------
    OSError
        When the file cannot be written, before the block begins; ``strerror`` says why.
    """
    path = Path(path)
    if path.exists() and not path.is_file() and not path.is_dir():
        with path.open("w", encoding="utf-8") as device:
            yield device
        return
    target = Path(os.path.realpath(path))  # a link stays a link
    # A name of its own, so that what a killed process left behind is in nobody's way.
    beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}")
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

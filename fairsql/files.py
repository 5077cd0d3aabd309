"""Files that are written whole or not at all, and names that lead to one file."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TextIO

_MOST_LINKS = 40
# Names of an open file of this process, on Linux and macOS. What they lead to may be a file like
# any other, as in `> log.txt`, which others write to as well.
_OPEN_FILE = re.compile(r"(?:/dev|/proc/(?:self|thread-self|\d+)(?:/task/\d+)?)/fd/(\d+)")
_STANDARD = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_FOLDER_IS_CLOSED = (errno.EACCES, errno.EPERM, errno.EROFS)
# A file that is mounted by itself, as containers mount one, can be written but not replaced.
_NOT_REPLACED = (*_FOLDER_IS_CLOSED, errno.EBUSY, errno.EXDEV)


@contextlib.contextmanager
def whole_file(path: str | Path) -> Iterator[TextIO]:
    """Open a text file (UTF-8) that appears, or is replaced, only when all of it is written.

    What is written stands in a hidden file beside it until the block ends well; when it does not,
    nothing has changed. A device, and an open file such as ``/dev/stdout``, is written as it comes.
    A file that can be written but not replaced, since it is mounted by itself or its folder may not
    be written to, is written in place when the block ends.

    Raises
    ------
    OSError
        When the file cannot be written, before the block begins; ``strerror`` says why.
    """
    path = Path(path)
    number = open_file(path)
    if number is not None or (path.exists() and not path.is_file() and not path.is_dir()):
        with _text(path if number is None else os.dup(number), "w") as device:
            yield device
        return
    target = Path(os.path.realpath(path))  # a link stays a link
    if target.is_dir():
        raise IsADirectoryError(None, "it is a directory", str(path))
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(None, "it is read-only", str(path))
    file = _opened_beside(target)
    beside = Path(file.name)
    try:
        with file:
            yield file
        if target.exists():
            shutil.copymode(target, beside)
        _put(beside, target)
    finally:
        beside.unlink(missing_ok=True)


def open_file(path: str | Path) -> int | None:
    """Return which open file of this process a name stands for, such as 1 for ``/dev/stdout``.

    >>> open_file("/dev/fd/2"), open_file("results.json")
    (2, None)
    """
    name = os.path.abspath(path)  # noqa: PTH100 - links are followed below, one at a time
    for _ in range(_MOST_LINKS):
        if name in _STANDARD:
            return _STANDARD[name]
        if found := _OPEN_FILE.fullmatch(name):
            return int(found[1])
        if not os.path.islink(name):  # noqa: PTH114 - as above
            return None
        parent = os.path.realpath(os.path.dirname(name))  # noqa: PTH120
        name = os.path.normpath(os.path.join(parent, os.readlink(name)))  # noqa: PTH115, PTH118
    return None


def same_file(one: str | Path, other: str | Path) -> bool:
    """Return whether two names lead to one file, by links of either kind; it need not exist."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return Path(one).samefile(other)
    except OSError:
        return False


def _opened_beside(target: Path) -> TextIO:
    # A name of its own, so that what a killed process left behind is in nobody's way.
    name = f".{target.name[:100]}.{secrets.token_hex(4)}"
    try:
        return _text(target.with_name(name), "x")
    except OSError as error:
        if error.errno not in _FOLDER_IS_CLOSED or not target.is_file():
            raise
    return _text(Path(tempfile.gettempdir()) / name, "x")


def _text(place: Path | int, mode: Literal["w", "x"]) -> TextIO:
    # Text of the data may hold what UTF-8 cannot, half of a surrogate pair.
    return open(place, mode, encoding="utf-8", errors="backslashreplace", newline="\n")  # noqa: PTH123 - a number has no method


def _put(beside: Path, target: Path) -> None:
    try:
        beside.replace(target)
    except OSError as error:
        if error.errno not in _NOT_REPLACED or not target.is_file():
            raise
        with beside.open("rb") as source, target.open("wb") as file:
            shutil.copyfileobj(source, file)

"""The journal: every reply that was paid for is on the disk before anything else is done with it.

It is a file of JSON lines. A judgement stands in it until the table has it; a reply of which no
judgement has been made yet, as it needs embeddings too, until one is. A run that is killed leaves
its journal, and the next run begins with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from fairsql.errors import ConfigurationError, WarehouseError

Key = tuple[str, str, str, str]
"""What is judged once: judge, prompt version, model and input hash."""

KEY_COLUMNS = ("judge", "prompt_version", "model", "input_hash")


def key_of(row: Mapping[str, Any]) -> Key:
    """Return the key of a judgement."""
    judge, prompt_version, model, input_hash = (str(row[name]) for name in KEY_COLUMNS)
    return judge, prompt_version, model, input_hash


@dataclass
class Journal:
    """An open journal, which is this process's alone.

    Attributes
    ----------
    judgements
        Those that the table does not have yet, in the order in which they came.
    replies
        Those of which no judgement has been made yet.
    """

    path: Path
    judgements: list[dict[str, Any]] = field(default_factory=list)
    replies: dict[Key, dict[str, Any]] = field(default_factory=dict)
    _file: IO[bytes] | None = None
    _waiting: list[tuple[bytes, asyncio.Future[None]]] = field(default_factory=list)
    _writer: asyncio.Task[None] | None = None
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _flushes: set[asyncio.Future[None]] = field(default_factory=set)

    async def judgement(self, row: Mapping[str, Any]) -> None:
        """Keep a judgement; it is on the disk when this returns."""
        kept = dict(row)
        self.judgements.append(kept)
        self.replies.pop(key_of(kept), None)
        await self._write({"judgement": kept})

    async def reply(self, key: Key, reply: Mapping[str, Any]) -> None:
        """Keep a reply of which a judgement is still to be made."""
        self.replies[key] = dict(reply)
        await self._write({"key": list(key), "reply": dict(reply)})

    async def written(self, count: int) -> None:
        """Forget the first judgements, which the table has now, in memory and in the file."""
        await self.settle()
        del self.judgements[:count]
        self.rewrite()

    def rewrite(self) -> None:
        """Make the file hold what is kept, and nothing else; either all of it is new or nothing."""
        lines = [_line({"judgement": row}) for row in self.judgements]
        lines += [_line({"key": list(key), "reply": one}) for key, one in self.replies.items()]
        beside = self.path.with_name(self.path.name + ".new")
        try:
            with _private(beside, "wb") as file:
                file.writelines(lines)
                file.flush()
                os.fsync(file.fileno())
            self._close()
            beside.replace(self.path)
            self._file = _private(self.path, "ab")
        except OSError as error:
            raise _unwritable(self.path, error) from None

    async def _write(self, record: Mapping[str, Any]) -> None:
        """Write a line with all others that wait, and return when the disk has it."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((_line(record), done))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_waiting())
        await asyncio.shield(done)

    async def _write_waiting(self) -> None:
        while self._waiting:
            waiting, self._waiting = self._waiting, []
            file = self._file
            assert file is not None  # noqa: S101 - an open journal has its file
            try:
                file.writelines(line for line, _ in waiting)
                file.flush()
                await asyncio.to_thread(os.fsync, file.fileno())
            except OSError as error:
                for _, done in waiting:
                    if not done.done():
                        done.set_exception(_unwritable(self.path, error))
                continue
            for _, done in waiting:
                if not done.done():
                    done.set_result(None)

    @property
    def is_flushing(self) -> bool:
        """Whether judgements are on their way into the table, or about to be."""
        return bool(self._flushes)

    async def flush(self, append: Callable[[list[dict[str, Any]]], Awaitable[object]]) -> None:
        """Hand all judgements to what appends them to the table, and forget them; one at a time.

        An append in its thread goes on when its waiter is cancelled: so must what follows it, or
        another flush would append the same rows again.
        """
        flush = asyncio.ensure_future(self._flushed(append))
        self._flushes.add(flush)
        flush.add_done_callback(self._flushes.discard)
        await asyncio.shield(flush)

    async def _flushed(self, append: Callable[[list[dict[str, Any]]], Awaitable[object]]) -> None:
        async with self._turn:
            if kept := list(self.judgements):
                await append(kept)
                await self.written(len(kept))

    async def settle(self) -> None:
        """Return when nothing waits to be written."""
        while self._writer is not None and not self._writer.done():
            await self._writer

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


@contextlib.contextmanager
def opened(path: Path, files: Iterable[str | Path] = ()) -> Iterator[Journal]:
    """Open a journal in a block, with what an earlier run has left in it.

    Its folder is made. File and folder go when nothing is left in them at the end.

    Parameters
    ----------
    path
        The file.
    files
        Those of the database. Beside each of them a lock says that this journal's table is being
        filled: two suites in two folders would pay for the same texts.

    Raises
    ------
    ConfigurationError
        When another process has it open, or it holds something else.
    WarehouseError
        When it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = _private(path.with_name(path.name + ".lock"), "ab")
    except OSError as error:
        raise _unwritable(path, error) from None
    with lock, contextlib.ExitStack() as locks:
        _lock(lock, path)
        for file in files:
            locks.enter_context(_held(Path(file).parent / f".{path.name}.lock", path))
        journal = Journal(path, *_read(path))
        try:
            journal.rewrite()
            yield journal
        finally:
            journal._close()
            if not journal.judgements and not journal.replies:
                path.unlink(missing_ok=True)
                Path(lock.name).unlink(missing_ok=True)
                with contextlib.suppress(OSError):  # others are in it
                    path.parent.rmdir()


def _read(path: Path) -> tuple[list[dict[str, Any]], dict[Key, dict[str, Any]]]:
    judgements: list[dict[str, Any]] = []
    replies: dict[Key, dict[str, Any]] = {}
    for key, what, record in _records(path):
        if what == "judgement":
            judgements.append(record)
            replies.pop(key, None)
        else:
            replies[key] = record
    return judgements, replies


def _records(path: Path) -> Iterable[tuple[Key, str, dict[str, Any]]]:
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return
    except OSError as error:
        raise ConfigurationError(f"journal {path}: cannot be read: {error.strerror}.") from None
    # A process that is killed as it writes leaves half a line: a reply that it never had.
    for place, line in enumerate(lines, 1):
        try:
            if line:
                yield _record(json.loads(line))
        except (KeyError, RecursionError, TypeError, ValueError):
            if place < len(lines):
                raise ConfigurationError(
                    f"journal {path}, line {place}: is no line of fairsql's; move the file away."
                ) from None


def _record(line: Any) -> tuple[Key, str, dict[str, Any]]:
    """Return what a line holds, and stumble over one of another shape."""
    what = "judgement" if "judgement" in line else "reply"
    kept = line[what]
    judge, prompt_version, model, input_hash = key_of(kept) if what == "judgement" else line["key"]
    if not isinstance(kept, dict):
        raise TypeError
    return (judge, prompt_version, model, input_hash), what, kept


def _line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=True).encode() + b"\n"


def _private(path: Path, mode: str) -> IO[bytes]:
    """Open a file that its owner alone may read: a reason may quote what was judged."""
    opened: IO[bytes] = open(path, mode, opener=lambda name, flags: os.open(name, flags, 0o600))  # noqa: SIM115
    return opened


@contextlib.contextmanager
def _held(path: Path, journal: Path) -> Iterator[None]:
    """Hold a lock in a block, where the folder lets us have one."""
    try:
        lock = _private(path, "ab")
    except OSError:  # others cannot write there either
        yield
        return
    with lock:
        _lock(lock, journal)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def _lock(file: IO[bytes], path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Another that has just ended may have removed the file between our opening and locking it.
        is_ours = os.path.samestat(os.fstat(file.fileno()), os.stat(file.name))  # noqa: PTH116
    except OSError:
        is_ours = False
    if not is_ours:
        raise ConfigurationError(
            f"journal {path}: another fairsql judge is writing to it; let that one end."
        ) from None


def _unwritable(path: Path, error: OSError) -> WarehouseError:
    return WarehouseError(f"the journal {str(path)!r} cannot be written: {error.strerror}.")

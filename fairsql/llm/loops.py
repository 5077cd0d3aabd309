"""Asynchronous work from a program that knows nothing of it, and that a signal may end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from fairsql.warehouses.waiting import interruptible

_Result = TypeVar("_Result")


def finished(work: Callable[[], Coroutine[Any, Any, _Result]]) -> _Result:
    """Return what asynchronous work returns.

    It has a loop in a thread of its own, so that a caller may have one too, as notebooks do. What
    interrupts the caller cancels the work, once, and is raised when the work has cleaned up.

    Examples
    --------
    >>> async def answer() -> int:
    ...     return 42
    >>> finished(answer)
    42
    """
    tasks: list[asyncio.Task[_Result]] = []
    stopped = False

    async def begun() -> _Result:
        task = asyncio.ensure_future(work())
        tasks.append(task)
        if stopped:
            task.cancel()
        return await task

    def stop() -> None:
        nonlocal stopped
        if not stopped and tasks:
            tasks[0].get_loop().call_soon_threadsafe(tasks[0].cancel)
        stopped = True

    return interruptible(lambda: asyncio.run(begun()), stop)

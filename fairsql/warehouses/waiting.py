"""Waiting for a driver that heeds neither Ctrl-C nor a timeout."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import TypeVar

_SECONDS_BETWEEN_SIGNALS = 0.2

_Result = TypeVar("_Result")


def interruptible(
    work: Callable[[], _Result],
    stop: Callable[[], object],
    seconds: float | None = None,
    thread: Callable[..., Thread] = Thread,
) -> _Result:
    """Return what the work, done in a thread, returns; or stop it, by Ctrl-C or when it is late.

    Parameters
    ----------
    work
        What blocks.
    stop
        What makes the work end soon, with any error. It is called again as long as it does not:
        a driver may have nothing to cancel just then.
    seconds
        When the work is late; ``None`` is never.
    thread
        The class of the thread.

    Raises
    ------
    TimeoutError
        When the work was late, and has ended.
    """
    future: Future[_Result] = Future()
    worker = thread(target=lambda: _fulfil(future, work))
    end = time.monotonic() + (seconds or math.inf)
    worker.start()
    try:
        # Windows lets Ctrl-C through between two waits only.
        while not _is_done(future, end):
            if time.monotonic() >= end:
                raise TimeoutError
    except (KeyboardInterrupt, TimeoutError):
        while not future.done():
            with contextlib.suppress(Exception):  # what stops it may fail; the interrupt goes on
                stop()
            _is_done(future)
        raise
    finally:
        worker.join()
    return future.result()


def _fulfil(future: Future[_Result], work: Callable[[], _Result]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001 - raised again where the result is awaited
        future.set_exception(error)


def _is_done(future: Future[_Result], end: float = math.inf) -> bool:
    seconds = min(_SECONDS_BETWEEN_SIGNALS, max(0, end - time.monotonic()))
    return bool(wait([future], seconds).done)

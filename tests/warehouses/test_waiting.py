"""Waiting: what the work returns or raises, and its end when nobody waits any longer."""

from __future__ import annotations

import _thread
import time
from threading import Event, Timer

import pytest

from fairsql.warehouses.waiting import interruptible


class Work:
    """Work that ends when it has been told to stop a number of times."""

    def __init__(self, deafness: int = 1) -> None:
        self._deafness = deafness
        self._stopped = Event()
        self.stops = 0
        self.has_ended = False

    def __call__(self) -> str:
        assert self._stopped.wait(20)
        self.has_ended = True
        raise ValueError("stopped")

    def stop(self) -> None:
        self.stops += 1
        if self.stops == self._deafness:
            self._stopped.set()


def test_what_the_work_returns_or_raises() -> None:
    work = Work()
    assert interruptible(lambda: 42, work.stop) == 42
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 / 0, work.stop)
    assert work.stops == 0


@pytest.mark.parametrize("deafness", [1, 3])
def test_late_work_is_stopped_until_it_ends(deafness: int) -> None:
    work = Work(deafness)
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        interruptible(work, work.stop, 0.05)
    assert time.monotonic() - started < 5
    assert (work.stops, work.has_ended) == (deafness, True)


def test_ctrl_c_stops_the_work() -> None:
    work = Work()
    Timer(0.1, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        interruptible(work, work.stop)
    assert work.has_ended

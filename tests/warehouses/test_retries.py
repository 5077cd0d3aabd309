"""Retries: of what is transient and of nothing else, with a wait between."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fairsql.warehouses import retries


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that would have been slept."""
    slept: list[float] = []
    monkeypatch.setattr(retries, "sleep", slept.append)
    return slept


def attempt_with(
    *errors: BaseException | None,
    is_transient: Callable[[BaseException], bool] = lambda error: isinstance(error, OSError),
) -> int:
    """Work that meets one error after the other; return at which attempt it succeeded."""
    coming = iter(errors)
    made = 0
    for attempt in retries.retrying(is_transient):
        with attempt:
            made += 1
            if (error := next(coming)) is not None:
                raise error
    return made


def test_work_that_succeeds_is_done_once(waits: list[float]) -> None:
    assert attempt_with(None) == 1
    assert waits == []


def test_a_transient_error_is_tried_again_after_a_growing_wait(waits: list[float]) -> None:
    assert attempt_with(*[ConnectionError()] * 3, None) == 4
    assert [int(seconds) for seconds in waits] == [1, 2, 4]
    assert sum(waits) <= 10
    assert len({seconds % 1 for seconds in waits}) == 3, "no jitter"


def test_the_last_error_is_raised_after_four_attempts(waits: list[float]) -> None:
    errors = [ConnectionError(str(number)) for number in range(5)]
    with pytest.raises(ConnectionError) as caught:
        attempt_with(*errors)
    assert caught.value is errors[3]
    assert len(waits) == 3


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), SystemExit(1)])
def test_any_other_error_is_raised_at_once(waits: list[float], error: BaseException) -> None:
    with pytest.raises(type(error)) as caught:
        attempt_with(error, None)
    assert caught.value is error
    assert waits == []


def test_an_interrupt_is_never_transient(waits: list[float]) -> None:
    with pytest.raises(KeyboardInterrupt):
        attempt_with(KeyboardInterrupt(), None, is_transient=lambda _: True)
    assert waits == []


def test_a_value_can_be_returned_from_within(waits: list[float]) -> None:
    def answer() -> int:
        for attempt in retries.retrying(lambda _: True):
            with attempt:
                if not waits:
                    raise ConnectionError
                return 42
        raise AssertionError

    assert answer() == 42
    assert len(waits) == 1

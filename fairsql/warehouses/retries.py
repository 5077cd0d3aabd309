"""Another try at what a driver calls transient, after a wait that grows."""

from __future__ import annotations

from collections.abc import Callable
from time import sleep

import tenacity

ATTEMPTS = 4
# 1, 2 and 4 seconds, each with up to one more, so that clients that failed together part.
_WAIT = tenacity.wait_exponential_jitter(initial=1, max=5, jitter=1)


def retrying(is_transient: Callable[[BaseException], bool]) -> tenacity.Retrying:
    """Return attempts at one piece of work: four, within some ten seconds of waiting.

    Parameters
    ----------
    is_transient
        Whether an error is one that the driver says may pass. Any other, and that of the last
        attempt, is raised as it is; so is Ctrl-C.

    Examples
    --------
    >>> for attempt in retrying(lambda error: isinstance(error, ConnectionError)):
    ...     with attempt:
    ...         answer = 42
    >>> answer
    42
    """
    return tenacity.Retrying(
        retry=tenacity.retry_if_exception(
            lambda error: isinstance(error, Exception) and is_transient(error)
        ),
        stop=tenacity.stop_after_attempt(ATTEMPTS),
        wait=_WAIT,
        sleep=sleep,
        reraise=True,
    )

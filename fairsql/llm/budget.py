"""What judging may cost: requests and money are counted before a request goes out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairsql.errors import ConfigurationError

if TYPE_CHECKING:
    from fairsql.config.judging import JudgeSpec

CHARACTERS_PER_TOKEN = 4
"""About as many of English in the usual tokenizers; other languages have fewer."""

_MILLION = 1_000_000


@dataclass(frozen=True)
class Prices:
    """Money per million tokens, in any currency."""

    input: float
    output: float

    def cost(self, input_tokens: int | None, output_tokens: int | None) -> float | None:
        """Return what tokens cost; ``None`` where their number is not known.

        >>> Prices(2.5, 10).cost(1000, 100)
        0.0035
        """
        if input_tokens is None and output_tokens is None:
            return None
        return ((input_tokens or 0) * self.input + (output_tokens or 0) * self.output) / _MILLION


def prices_of(spec: JudgeSpec) -> Prices | None:
    """Return the prices of a specification, if it has any."""
    return Prices(spec.prices.input, spec.prices.output) if spec.prices else None


def tokens(characters: float) -> int:
    """Return about how many tokens characters are.

    >>> tokens(10)
    3
    """
    return math.ceil(characters / CHARACTERS_PER_TOKEN)


class Budget:
    """How many requests may go out, and what they may cost; all judges of a run share one.

    What a request costs is known when its reply is there. Until then its estimate is set aside, so
    that many requests at a time do not together pass the limit.

    Parameters
    ----------
    max_requests
        Requests, those that are tried again included; ``None`` is no limit.
    max_cost
        Money, in the currency of the prices.
    """

    def __init__(self, max_requests: int | None = None, max_cost: float | None = None) -> None:
        self.requests = 0
        self.cost = 0.0
        self._max_requests = max_requests
        self._max_cost = max_cost
        self._reserved = 0.0

    def takes(self, estimate: float | None) -> bool:
        """Return whether one more request fits, and set aside what it may cost if it does."""
        if self._max_requests is not None and self.requests >= self._max_requests:
            return False
        if self._max_cost is not None:
            wanted = self.cost + self._reserved + (estimate or 0.0)
            if wanted > self._max_cost:
                return False
        self.requests += 1
        self._reserved += estimate or 0.0
        return True

    def settle(self, estimate: float | None, cost: float | None) -> None:
        """Put what a request cost in the place of what was set aside for it.

        Where nobody says what it cost, the estimate stands.
        """
        self._reserved -= estimate or 0.0
        self.cost += cost if cost is not None else (estimate or 0.0)

    def check(self, name: str, prices: Prices | None) -> None:
        """Complain of a judge whose cost is to be limited and is not known.

        Raises
        ------
        ConfigurationError
            When it has no prices.
        """
        if self._max_cost is not None and prices is None:
            raise ConfigurationError(
                f"--max-cost: judge {name!r} has no prices; write prices: {{input: …, output: …}},"
                " per million tokens."
            )

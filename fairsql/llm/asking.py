"""Asking a provider: within the budget, again where it may work later, and counted."""

from __future__ import annotations

import time
from asyncio import sleep
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import tenacity

from fairsql.errors import FairsqlError
from fairsql.llm.budget import Budget, Prices, tokens
from fairsql.llm.parameters import most_tokens
from fairsql.llm.providers import (
    Embeddings,
    Provider,
    RejectedError,
    Reply,
    Request,
    TransientError,
)

if TYPE_CHECKING:
    from tenacity import RetryCallState

ATTEMPTS = 6
"""How often a request goes out at most."""

LONGEST_WAIT = 60.0
"""Seconds between two attempts at most, unless the service asks for more."""

MOST_PATIENCE = 300.0
"""Seconds that a service may ask for."""

_Answer = TypeVar("_Answer", Reply, Embeddings)


class LimitReachedError(FairsqlError):
    """The next request would pass ``max_requests`` or ``max_cost``."""


@dataclass
class Usage:
    """What a judge's requests came to."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    def add(self, reply: Reply | Embeddings, cost: float | None) -> None:
        """Add one answer."""
        self.input_tokens += reply.input_tokens or 0
        self.output_tokens += (reply.output_tokens or 0) if isinstance(reply, Reply) else 0
        if cost is not None:
            self.cost = (self.cost or 0.0) + cost


class Asker:
    """Asks one provider for one judge.

    Parameters
    ----------
    provider
        The service.
    budget
        What all requests of a run may come to.
    prices
        Of the judge's model; embeddings are not priced, and cost little beside it.
    output_tokens
        How many tokens a reply has, about.
    wait
        Seconds before the second attempt, about; twice as many before the next.
    """

    def __init__(
        self,
        provider: Provider,
        budget: Budget,
        prices: Prices | None,
        output_tokens: int,
        wait: float = 1.0,
    ) -> None:
        self.usage = Usage()
        self._provider = provider
        self._budget = budget
        self._prices = prices
        self._output_tokens = output_tokens
        self._wait = tenacity.wait_random_exponential(multiplier=wait, max=LONGEST_WAIT)

    async def complete(self, request: Request) -> tuple[Reply, float | None, float]:
        """Return the reply, what it cost and how many seconds it took.

        Raises
        ------
        LimitReachedError
            When it would pass a limit; nothing has been asked then.
        TransientError
            When no attempt worked.
        RejectedError
            When the request is declined.
        ProviderError
            When no request will work.
        """
        prompt = request.prompt
        most = most_tokens(request.parameters, self._output_tokens)
        estimate = self._cost(tokens(len(prompt.system) + len(prompt.user)), most)
        return await self._asked(lambda: self._provider.complete(request), estimate)

    def cost_of(self, reply: Reply) -> float | None:
        """Return what a reply cost; ``None`` where there are no prices, or no count of tokens."""
        return self._cost(reply.input_tokens, reply.output_tokens)

    async def embed(self, model: str, texts: Sequence[str]) -> tuple[Embeddings, float]:
        """Return embeddings and seconds; the errors are those of :meth:`complete`."""
        found, _, seconds = await self._asked(lambda: self._provider.embed(model, texts), 0.0)
        return found, seconds

    def _cost(self, input_tokens: int | None, output_tokens: int | None) -> float | None:
        return self._prices.cost(input_tokens, output_tokens) if self._prices else None

    async def _asked(
        self, ask: Callable[[], Awaitable[_Answer]], estimate: float | None
    ) -> tuple[_Answer, float | None, float]:
        attempts = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type(TransientError),
            wait=self._seconds_to_wait,
            stop=tenacity.stop_after_attempt(ATTEMPTS),
            sleep=sleep,
            reraise=True,
        )
        return await attempts(self._once, ask, estimate)

    def _seconds_to_wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, TransientError) else None
        return self._wait(state) if asked is None else min(asked, MOST_PATIENCE)

    async def _once(
        self, ask: Callable[[], Awaitable[_Answer]], estimate: float | None
    ) -> tuple[_Answer, float | None, float]:
        if not self._budget.takes(estimate):
            raise LimitReachedError("a limit is reached")
        self.usage.requests += 1
        started = time.perf_counter()
        answer: Reply | Embeddings | None = None
        cost: float | None = 0.0
        try:
            found = await ask()
            answer = found
        except RejectedError as error:
            answer = error.reply
            raise
        finally:
            if isinstance(answer, Reply):
                cost = self.cost_of(answer)
            self._budget.settle(estimate, cost)
            if answer is not None:
                self.usage.add(answer, cost)
        return found, cost, time.perf_counter() - started

"""A model's answers to prompts, asked for once each and kept in a table of the warehouse.

An answer is kept under a hash of provider, model, parameters, prompt and repeat: the same question
is never paid for twice, and two repeats of one prompt are two questions, since their difference is
the noise that others are compared with. What is paid for is in the journal before it is in the
table.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsql.errors import ConfigurationError, FairsqlError
from fairsql.history import warehouse_files
from fairsql.llm import journal as journals
from fairsql.llm.answers import FREE, Answers, PromptRow, answers_kept_in
from fairsql.llm.asking import Asker, LimitReachedError
from fairsql.llm.budget import Budget, Prices, tokens
from fairsql.llm.parameters import check_parameters, most_tokens
from fairsql.llm.prompting import Prompt
from fairsql.llm.providers import Provider, RejectedError, Reply, Request, open_provider
from fairsql.llm.running import journal_path
from fairsql.llm.table import filled_alone

if TYPE_CHECKING:
    from fairsql.warehouses import Warehouse

_OUTPUT_TOKENS = 256  # of an answer, about, where the parameters do not say
_BATCH = 200


class NotRecordedError(FairsqlError):
    """An answer is not in the table, and nobody is to be asked."""


@dataclass(frozen=True)
class Question:
    """Whom all prompts are put to, and how."""

    provider: str
    model: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def parameters_text(self) -> str:
        """The parameters as JSON, the same for the same ones."""
        return json.dumps(dict(self.parameters), ensure_ascii=False, sort_keys=True)

    def hash_of(self, row: PromptRow) -> str:
        """Return the hash under which the answer to a prompt is kept.

        >>> question = Question("openai", "m")
        >>> first = question.hash_of({"prompt": "Hello?"})
        >>> first == question.hash_of({"prompt": "Hello?", "repeat": "1"})
        True
        >>> first == question.hash_of({"prompt": "Hello?", "repeat": "2"})
        False
        """
        said = [self.provider, self.model, self.parameters_text, row["prompt"]]
        text = json.dumps([*said, row.get("repeat") or "1"], ensure_ascii=False)
        return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


@dataclass
class Responses:
    """What came of a run.

    Attributes
    ----------
    prompts
        Rows of the file.
    asked
        Different questions that had no answer before.
    answered, failed
        Of these, those that have one now, and those that were declined.
    input_tokens, output_tokens
        Of what was asked; estimates before it is.
    cost
        Money, likewise; ``None`` without prices.
    """

    prompts: int
    asked: int
    answered: int = 0
    failed: int = 0
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    @property
    def left(self) -> int:
        """Questions that have no answer yet."""
        return self.asked - self.answered - self.failed


def respond(
    rows: Sequence[PromptRow],
    question: Question,
    warehouse: Warehouse,
    table: str,
    *,
    folder: Path,
    max_requests: int | None = None,
    max_cost: float | None = None,
    prices: Prices | None = None,
    concurrency: int = 8,
    replay_only: bool = False,
    retries_errors: bool = False,
    is_dry: bool = False,
    provider: Provider | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Responses:
    """Put prompts to a model, and its answers beside them into a table.

    Parameters
    ----------
    rows
        Prompts, as :func:`read_prompts` returns them; all their columns go into the table.
    table
        The table; it is made if it is not there.
    folder
        The journal goes into ``.fairsql`` in it.
    max_requests, max_cost
        Where it stops; a limit on cost needs prices.
    prices
        Of the model.
    replay_only
        Nobody is asked: an answer that is not there is an error.
    retries_errors
        Whether what was declined before is asked again.
    is_dry
        Only count; nobody is asked and nothing is written.
    provider
        In place of the one that the question names.

    Raises
    ------
    NotRecordedError
        With ``replay_only``, when an answer is not there; nothing has been written then.
    ConfigurationError
        When no table can be kept, a limit on cost lacks prices, a parameter is wrong, or the
        provider's key is not set.
    ProviderError
        When the provider cannot be used or does not answer; what it answered before is kept.
    WarehouseError
        When the warehouse says no.
    """
    kept_in = answers_kept_in(warehouse, table)
    check_parameters("answers", question.parameters)
    if max_cost is not None and prices is None:
        raise ConfigurationError("--max-cost: needs --prices, those of a million tokens.")
    place = f"answers {warehouse.dialect} {warehouse.name} {table}"
    wanted: dict[str, list[PromptRow]] = {}
    for row in rows:
        wanted.setdefault(question.hash_of(row), []).append(row)
    files = () if is_dry else warehouse_files(warehouse)
    alone = contextlib.nullcontext() if is_dry else filled_alone(table, warehouse)
    with alone, journals.opened(journal_path(folder, place), files) as journal:
        store = Answers(kept_in, table, journal)
        if not is_dry:
            store.recover()
        store.look(wanted)
        asked = {
            one: own
            for one, own in wanted.items()
            if one not in store.answers or (retries_errors and store.answers[one]["answer"] is None)
        }
        done = Responses(len(rows), len(asked))
        if replay_only and asked:
            first = next(iter(asked.values()))[0]["prompt_id"]
            raise NotRecordedError(
                f"{table} lacks {len(asked):,} of {len(wanted):,} answers of {question.model}"
                f" ({question.provider}), the first to prompt {first!r}; --replay-only asks nobody."
            )
        if is_dry:
            characters = sum(len(str(own[0]["prompt"])) for own in asked.values())
            done.input_tokens = tokens(characters)
            done.output_tokens = len(asked) * _most_tokens(question)
            if prices is not None:
                done.cost = prices.cost(done.input_tokens, done.output_tokens)
            return done
        store.append(store.copies(wanted))
        if asked:
            opened = provider or open_provider(question.provider)
            work = _Work(store, question, asked, done, on_progress)
            asyncio.run(work.run(opened, Budget(max_requests, max_cost), prices, concurrency))
    return done


def _most_tokens(question: Question) -> int:
    return most_tokens(question.parameters, _OUTPUT_TOKENS)


class _Work:
    """The questions of a run, and the workers that ask them."""

    def __init__(
        self,
        store: Answers,
        question: Question,
        asked: Mapping[str, Sequence[PromptRow]],
        done: Responses,
        on_progress: Callable[[int, int], None] | None,
    ) -> None:
        self._store = store
        self._question = question
        self._waiting = iter(asked.items())
        self._done = done
        self._on_progress = on_progress
        self._stopped: BaseException | None = None

    async def run(
        self, provider: Provider, budget: Budget, prices: Prices | None, concurrency: int
    ) -> None:
        """Ask until nothing is left, a limit is reached or something is wrong."""
        asker = Asker(provider, budget, prices, _most_tokens(self._question))
        with ThreadPoolExecutor(1) as thread:
            workers = [asyncio.create_task(self._worker(asker, thread)) for _ in range(concurrency)]
            try:
                await asyncio.gather(*workers)
            finally:
                for worker in workers:
                    worker.cancel()
                with contextlib.suppress(BaseException):
                    await asyncio.gather(*workers, return_exceptions=True)
                self._done.requests = asker.usage.requests
                self._done.input_tokens = asker.usage.input_tokens
                self._done.output_tokens = asker.usage.output_tokens
                self._done.cost = asker.usage.cost
                await self._flush(thread)
                await provider.close()
        if self._stopped is not None and not isinstance(self._stopped, LimitReachedError):
            raise self._stopped

    async def _worker(self, asker: Asker, thread: ThreadPoolExecutor) -> None:
        """Ask one question after the other; what is on its way when others stop may arrive."""
        for one, rows in self._waiting:
            if self._stopped is not None:
                return
            try:
                await self._ask(asker, one, rows)
                journal = self._store.journal
                if len(journal.judgements) >= _BATCH and not journal.is_flushing:
                    await self._flush(thread)
            except Exception as error:  # noqa: BLE001 - raised when the others have ended
                self._stopped = self._stopped or error

    async def _ask(self, asker: Asker, one: str, rows: Sequence[PromptRow]) -> None:
        question = self._question
        prompt = Prompt("", str(rows[0]["prompt"]))
        error: str | None = None
        seconds: float | None = None
        try:
            repeat = rows[0].get("repeat") or "1"
            request = Request(question.model, prompt, None, question.parameters, repeat)
            reply, _, seconds = await asker.complete(request)
        except RejectedError as rejected:
            if not rejected.is_of_the_texts:
                raise
            error, reply = str(rejected), rejected.reply or Reply("")
        answer = {
            "answer": reply.text or None,
            "error": error if error or reply.text else "the answer is empty.",
            "provider": question.provider,
            "model": question.model,
            "parameters": question.parameters_text,
            "request_hash": one,
            "input_tokens": reply.input_tokens,
            "output_tokens": reply.output_tokens,
            "seconds": seconds,
            "answered_at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        }
        kept = [{**row, **answer, **(FREE if place else {})} for place, row in enumerate(rows)]
        key = {"judge": "respond", "prompt_version": "", "model": question.model, "input_hash": one}
        await self._store.journal.judgement({**key, "rows": kept})
        self._done.answered += answer["answer"] is not None
        self._done.failed += answer["answer"] is None
        if self._on_progress:
            self._on_progress(self._done.answered + self._done.failed, self._done.asked)

    async def _flush(self, thread: ThreadPoolExecutor) -> None:
        """Put all of the journal into the table; whoever waits for it may be cancelled."""

        async def append(records: list[dict[str, Any]]) -> None:
            rows = [row for record in records for row in record["rows"]]
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(thread, lambda: self._store.append(rows))

        await self._store.journal.flush(append)

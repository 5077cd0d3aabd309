"""Judging: each text that has no judgement is put to a model once, and what it says is kept.

Rows come from the warehouse in pages; a bounded number of requests is on its way at a time; a reply
goes into the journal at once and into the table with others. Whatever ends a run, what was paid for
is in one of the two.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from fairsql.compile import relation
from fairsql.errors import FairsqlError
from fairsql.llm.asking import Asker, LimitReachedError
from fairsql.llm.budget import prices_of
from fairsql.llm.journal import Journal, key_of
from fairsql.llm.prompting import prompt_for
from fairsql.llm.providers import RejectedError, Reply, Request
from fairsql.llm.replies import Questions, ReplyError, Verdict, read_reply, schema_of
from fairsql.llm.rows import Counts, Job, Row, is_there, with_table
from fairsql.llm.table import COLUMNS, not_there_yet, storable

if TYPE_CHECKING:
    from fairsql.history import Keeping
    from fairsql.llm.budget import Budget
    from fairsql.llm.providers import Provider

BATCH = 500
"""Judgements that go into the table at a time."""

CONCURRENCY = 8
"""Requests that are on their way at a time, where nobody says."""

RECORDINGS = "recordings"
"""The parameter that names a file of recorded replies, and goes to no service."""

_FAILURES = 10  # requests that are declined while none works: then it is not the texts

_Result = TypeVar("_Result")
_OnProgress = Callable[[int, int], None] | None


@dataclass(frozen=True)
class Outcome:
    """What came of one judge.

    Attributes
    ----------
    name
        The specification's.
    counts
        What there was to do.
    scored, failed
        Judgements that were made, with a score and without.
    requests
        Those that went out.
    cost
        Money; ``None`` without prices.
    left
        Texts that have no judgement yet.
    """

    name: str
    counts: Counts
    scored: int = 0
    failed: int = 0
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    @property
    def left(self) -> int:
        """Texts that have no judgement yet."""
        return max(0, self.counts.unjudged_texts - self.scored - self.failed)


@dataclass
class Session:
    """A run of one or more judges over one warehouse.

    Attributes
    ----------
    warehouse
        Where the texts are, and the table.
    table
        The table's name as the suite has it.
    concurrency
        Requests that are on their way at a time.
    wait
        Seconds before a second attempt, about.
    """

    warehouse: Keeping
    table: str
    journal: Journal
    budget: Budget
    concurrency: int = CONCURRENCY
    wait: float = 1.0
    on_progress: _OnProgress = None
    batch: int = BATCH
    recovered: int = 0
    # One thread, so that the warehouse is asked one thing at a time, also while a run ends.
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    async def recover(self) -> None:
        """Put what an earlier run left in the journal into the table."""
        if not self.journal.judgements:
            return
        rows = list(self.journal.judgements)
        absent = await self._in_thread(lambda: not_there_yet(rows, self.table, self.warehouse))
        if absent:
            await self._append(absent)
        await self.journal.written(len(rows))
        self.recovered = len(absent)

    async def judge(self, job: Job, provider: Provider, outcomes: list[Outcome]) -> None:
        """Judge all texts of a job that have no judgement, as far as the budget goes.

        What came of it is added to ``outcomes``, whatever ends it.

        Raises
        ------
        ProviderError
            When the provider cannot be used, or does not answer; what it answered before is kept.
        WarehouseError
            When the warehouse says no.
        """
        counts = await self._in_thread(lambda: job.count(self.warehouse))
        asker = Asker(
            provider,
            self.budget,
            prices_of(job.spec),
            job.judge.output_tokens,
            self.wait,
        )
        work = _Work(self, job, provider, asker, counts)
        try:
            if counts.unjudged_texts:
                await work.run()
        finally:
            usage = asdict(asker.usage)
            outcomes.append(Outcome(job.spec.name, counts, work.scored, work.failed, **usage))
            await self.flush()

    async def flush(self) -> None:
        """Put all of the journal's judgements into the table."""
        await self.journal.flush(self._append)

    async def keep(self, row: Mapping[str, Any]) -> None:
        """Keep a judgement: in the journal now, and in the table with others."""
        await self.journal.judgement(row)
        if len(self.journal.judgements) >= self.batch and not self.journal.is_flushing:
            await self.flush()

    async def rows(self, job: Job) -> AsyncIterator[Row]:
        """Yield the rows to judge, which are fetched page by page."""
        after: str | None = None
        while page := await self._page(job, after):
            for row in page:
                yield row
            after = page[-1].input_hash

    async def has_table(self) -> bool:
        """Return whether the table is there."""
        table = relation(self.table, self.warehouse.dialect, "judgements")
        return await self._in_thread(lambda: is_there(table, self.warehouse))

    async def _page(self, job: Job, after: str | None) -> list[Row]:
        return await self._in_thread(lambda: job.page(self.warehouse, after))

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown()

    async def _append(self, rows: Sequence[Mapping[str, Any]]) -> None:
        kept = [storable(row) for row in rows]
        await self._in_thread(lambda: self.warehouse.append(self.table, COLUMNS, kept))

    async def _in_thread(self, work: Callable[[], _Result]) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


@dataclass(frozen=True)
class _Said:
    """A reply, what it cost, how many seconds it took, and what is made of it."""

    reply: Reply
    cost: float | None
    seconds: float | None
    verdict: Verdict | None = None
    error: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {"reply": asdict(self.reply), "cost": self.cost, "seconds": self.seconds}


class _Work:
    """One judge's rows: a queue that is filled from the warehouse, and workers that empty it."""

    def __init__(
        self, session: Session, job: Job, provider: Provider, asker: Asker, counts: Counts
    ) -> None:
        self.scored = 0
        self.failed = 0
        self._session = session
        self._job = job
        self._provider = provider
        self._asker = asker
        self._counts = counts
        self._schema = schema_of(job.judge)
        own = job.spec.parameters
        self._parameters = {name: own[name] for name in own if name != RECORDINGS}
        self._queue: asyncio.Queue[Row | None] = asyncio.Queue(2 * session.concurrency)
        self._stopped: BaseException | None = None
        # Rows whose request was declined as such, until one works and it is seen to be their fault:
        # of an account without credit, or a wrong parameter, no row may be told.
        self._suspects: list[tuple[Row, RejectedError]] = []
        self._has_worked = False

    async def run(self) -> None:
        """Work until no rows are left, a limit is reached or something is wrong."""
        workers = [asyncio.create_task(self._worker()) for _ in range(self._session.concurrency)]
        filling = asyncio.create_task(self._fill())
        everything = asyncio.gather(filling, *workers)
        try:
            await everything
        except BaseException:
            for task in (filling, *workers):
                task.cancel()
            with contextlib.suppress(BaseException):
                await asyncio.gather(filling, *workers, return_exceptions=True)
            raise
        if self._suspects and self._stopped is None:
            if self._has_worked:
                await self._clear_suspects()
            else:
                self._stopped = self._suspects[0][1]
        if self._stopped is not None and not isinstance(self._stopped, LimitReachedError):
            raise self._stopped

    async def _fill(self) -> None:
        try:
            async for row in self._session.rows(self._job):
                if self._stopped is not None:
                    break
                await self._queue.put(row)
        except FairsqlError as error:  # what is on its way is paid for: let it arrive
            self._stopped = self._stopped or error
        for _ in range(self._session.concurrency):
            await self._queue.put(None)

    async def _worker(self) -> None:
        """Judge rows until there are none; once stopped, take what comes and let it be."""
        while (row := await self._queue.get()) is not None:
            if self._stopped is not None:
                continue
            try:
                await self._judge(row)
            except Exception as error:  # noqa: BLE001 - raised when the others have ended
                self._stopped = self._stopped or error

    async def _judge(self, row: Row) -> None:
        try:
            said = await self._ask(row)
        except RejectedError as error:
            if not error.is_of_the_texts:
                self._suspects.append((row, error))
                if len(self._suspects) >= _FAILURES:
                    raise
                return
            await self._keep(row, self._declined(error))
            return
        self._has_worked = True
        await self._clear_suspects()
        await self._keep(row, said)

    async def _clear_suspects(self) -> None:
        while self._suspects:
            suspect, declined = self._suspects.pop()
            await self._keep(suspect, self._declined(declined))

    async def _ask(self, row: Row) -> _Said:
        """Ask about a row, unless an earlier run was answered and was killed then."""
        key = key_of(self._named(row))
        spec, journal = self._job.spec, self._session.journal
        if earlier := journal.replies.get(key):
            said = _Said(Reply(**earlier["reply"]), earlier["cost"], earlier["seconds"])
        else:
            prompt = prompt_for(self._job.judge, row.texts)
            request = Request(spec.model, prompt, self._schema, self._parameters)
            said = _Said(*await self._asker.complete(request))
        try:
            read = read_reply(self._job.judge, said.reply.text, row.texts)
            if isinstance(read, Questions):
                await journal.reply(key, said.as_json())
                read = await self._compared(read, row, said)
        except ReplyError as error:
            return replace(said, error=str(error))
        return replace(said, verdict=read)

    async def _compared(self, questions: Questions, row: Row, said: _Said) -> Verdict:
        model = self._job.spec.embedding_model
        assert model is not None  # noqa: S101 - judge_for() has seen to it
        texts = [row.texts["input"] or "", *questions.questions]
        try:
            found, _ = await self._asker.embed(model, texts)
        except RejectedError as error:
            error.reply = said.reply  # that was paid for, whatever came of it
            raise
        return questions.verdict(found.vectors[0], found.vectors[1:])

    def _declined(self, error: RejectedError) -> _Said:
        reply = error.reply or Reply("")
        return _Said(reply, self._asker.cost_of(reply), None, error=str(error))

    async def _keep(self, row: Row, said: _Said) -> None:
        verdict = said.verdict
        await self._session.keep(
            {
                **self._named(row),
                "row_key": row.row_key,
                "provider": self._provider.name,
                "score": verdict.score if verdict else None,
                "label": verdict.label if verdict else None,
                "reason": verdict.reason if verdict else None,
                "error": said.error,
                "input_tokens": said.reply.input_tokens,
                "output_tokens": said.reply.output_tokens,
                "cost": said.cost,
                "seconds": said.seconds,
                "judged_at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            }
        )
        self.scored += verdict is not None
        self.failed += verdict is None
        if self._session.on_progress:
            done = self.scored + self.failed
            self._session.on_progress(done, self._counts.unjudged_texts)

    def _named(self, row: Row) -> dict[str, str]:
        return {
            "judge": self._job.spec.judge,
            "prompt_version": self._job.prompt_version,
            "model": self._job.spec.model,
            "input_hash": row.input_hash,
        }


async def judge_all(
    session: Session,
    jobs: Sequence[Job],
    open_provider: Callable[[Job], Provider],
    outcomes: list[Outcome],
) -> None:
    """Judge one job after the other, and add what came of each to ``outcomes``."""
    async with contextlib.AsyncExitStack() as stack:
        stack.callback(session.close)
        providers = []
        for job in jobs:  # all of them, before anybody is asked
            providers.append(open_provider(job))
            stack.push_async_callback(providers[-1].close)
        await session.recover()
        for job, provider in zip(jobs, providers, strict=True):
            current = job
            if job.arguments["table"] is None and await session.has_table():
                current = with_table(job, relation(session.table, job.dialect, "judgements"))
            await session.judge(current, provider, outcomes)

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
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsql.compile import relation
from fairsql.compile.loader import macros_for
from fairsql.errors import ConfigurationError, FairsqlError
from fairsql.history import Keeping
from fairsql.llm import journal as journals
from fairsql.llm.asking import Asker, LimitReachedError
from fairsql.llm.budget import Budget, tokens
from fairsql.llm.prompting import Prompt
from fairsql.llm.providers import Provider, RejectedError, Reply, Request, open_provider
from fairsql.llm.rows import is_there
from fairsql.llm.running import journal_path
from fairsql.warehouses.row_files import read_rows
from fairsql.warehouses.tables import create_file

if TYPE_CHECKING:
    from fairsql.llm.journal import Journal
    from fairsql.warehouses import Warehouse

ANSWER_COLUMNS: Mapping[str, str] = {
    "answer": "text",
    "error": "text",
    "provider": "text",
    "model": "text",
    "parameters": "text",
    "request_hash": "text",
    "input_tokens": "integer",
    "output_tokens": "integer",
    "seconds": "number",
    "answered_at": "text",
}
"""Column that an answer adds to those of its prompt -> its kind."""

_REQUIRED = ("prompt_id", "prompt")
_OUTPUT_TOKENS = 256  # of an answer, about, where the parameters do not say
_FILE = "duckdb:///"
_BATCH = 200
_AT_A_TIME = 500

PromptRow = Mapping[str, str | None]


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
    """

    prompts: int
    asked: int
    answered: int = 0
    failed: int = 0
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def left(self) -> int:
        """Questions that have no answer yet."""
        return self.asked - self.answered - self.failed


def read_prompts(path: Path) -> list[dict[str, str | None]]:
    """Return the prompts of a file, each with an id of its own.

    Raises
    ------
    ConfigurationError
        When the file cannot be read or lacks a column, or a row lacks a prompt or has another's id.
    """
    rows = read_rows(path, _REQUIRED)
    for taken in ANSWER_COLUMNS:
        if any(taken in row for row in rows):
            raise ConfigurationError(f"{path} has a column {taken!r}, which answers are to have.")
    ids: set[str] = set()
    for place, row in enumerate(rows, 1):
        for name in _REQUIRED:
            if not (row.get(name) or "").strip():
                raise ConfigurationError(f"{path}, row {place}: {name} is empty.")
        prompt_id = str(row["prompt_id"])
        if prompt_id in ids:
            raise ConfigurationError(
                f"{path}, row {place}: prompt_id {prompt_id!r} is there twice."
            )
        ids.add(prompt_id)
    return rows


def make_file(url: str | None) -> None:
    """Make the DuckDB file of a URL where it is not there yet; other URLs are let be.

    Raises
    ------
    WarehouseError
        When it cannot be written.
    """
    if (path := _file_of(url)) is not None:
        create_file(path)


def lacks_file(url: str | None) -> bool:
    """Return whether the URL names a DuckDB file that is not there and could be made."""
    path = _file_of(url)
    return path is not None and not path.exists()


def _file_of(url: str | None) -> Path | None:
    name = (url or "").removeprefix(_FILE)
    path = Path(name)
    if url and url.startswith(_FILE) and name not in ("", ":memory:") and path.parent.is_dir():
        return path
    return None


def respond(
    rows: Sequence[PromptRow],
    question: Question,
    warehouse: Warehouse,
    table: str,
    *,
    folder: Path,
    max_requests: int | None = None,
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
    max_requests
        Stop after as many.
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
        When no table can be kept, or the provider's key is not set.
    ProviderError
        When the provider cannot be used or does not answer; what it answered before is kept.
    WarehouseError
        When the warehouse says no.
    """
    kept_in = _keeping(warehouse)
    place = f"answers {warehouse.dialect} {warehouse.name} {table}"
    wanted: dict[str, list[PromptRow]] = {}
    for row in rows:
        wanted.setdefault(question.hash_of(row), []).append(row)
    with journals.opened(journal_path(folder, place)) as journal:
        store = _Store(kept_in, table, journal)
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
            return done
        store.append(store.copies(wanted))
        if asked:
            opened = provider or open_provider(question.provider)
            work = _Work(store, question, asked, done, on_progress)
            asyncio.run(work.run(opened, Budget(max_requests), concurrency))
    return done


def _most_tokens(question: Question) -> int:
    return int(question.parameters.get("max_tokens", _OUTPUT_TOKENS))


def _keeping(warehouse: Warehouse) -> Keeping:
    if isinstance(warehouse, Keeping) and warehouse.keeps_tables:
        return warehouse
    raise ConfigurationError(
        f"answers: no table outlasts the run here: this warehouse is {warehouse.dialect},"
        f" {warehouse.name}; give a DuckDB file, such as duckdb:///answers.duckdb, or a server."
    )


class _Store:
    """The table, and the journal of what is on its way there.

    Attributes
    ----------
    answers
        Hash of a question -> the columns of its answer, one that is there before one that failed.
    """

    def __init__(self, warehouse: Keeping, table: str, journal: Journal) -> None:
        self.answers: dict[str, dict[str, Any]] = {}
        self.journal = journal
        self._present: set[tuple[str, str]] = set()
        self._warehouse = warehouse
        self._table = table
        self._source = relation(table, warehouse.dialect, "answers")

    def look(self, hashes: Iterable[str]) -> None:
        """Find the answers that the table has to questions, by their hashes."""
        if not is_there(self._source, self._warehouse):
            return
        listed = list(hashes)
        names = ", ".join(("prompt_id", *ANSWER_COLUMNS))
        literal = macros_for(self._warehouse.dialect).call
        for start in range(0, len(listed), _AT_A_TIME):
            part = listed[start : start + _AT_A_TIME]
            texts = ", ".join(str(literal("literal", text)) for text in part)
            sql = f"select {names} from {self._source} where request_hash in ({texts})"
            for row in self._warehouse.run(sql).rows:
                one = str(row["request_hash"])
                self._present.add((str(row["prompt_id"]), one))
                if one not in self.answers or self.answers[one]["answer"] is None:
                    self.answers[one] = {name: row[name] for name in ANSWER_COLUMNS}

    def recover(self) -> None:
        """Put what an earlier run left in the journal into the table."""
        kept = list(self.journal.judgements)
        if not kept:
            return
        self.look({str(record["input_hash"]) for record in kept})
        self.append([row for record in kept for row in record["rows"] if self._lacks(row)])
        asyncio.run(self.journal.written(len(kept)))

    def copies(self, wanted: Mapping[str, Sequence[PromptRow]]) -> list[dict[str, Any]]:
        """Return rows for prompts that have none and whose answer is there: they cost nothing."""
        free = {"input_tokens": 0, "output_tokens": 0, "seconds": None}
        return [
            {**row, **self.answers[one], **free}
            for one, own in wanted.items()
            if one in self.answers
            for row in own
            if (str(row["prompt_id"]), one) not in self._present
        ]

    def append(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Put rows into the table."""
        if not rows:
            return
        kinds: dict[str, str] = {}
        for row in rows:
            kinds.update({name: _kind(name) for name in row if name not in ANSWER_COLUMNS})
        kinds.update(ANSWER_COLUMNS)
        kept = [{name: _storable(row.get(name), kinds[name]) for name in kinds} for row in rows]
        self._warehouse.append(self._table, kinds, kept)
        self._present |= {(str(row["prompt_id"]), str(row["request_hash"])) for row in rows}

    def _lacks(self, row: Mapping[str, Any]) -> bool:
        return (str(row["prompt_id"]), str(row["request_hash"])) not in self._present


def _kind(name: str) -> str:
    return "integer" if name == "repeat" else "text"


def _storable(value: Any, kind: str) -> Any:
    """Return a value without what no warehouse's text holds: half of a surrogate pair, or NUL."""
    if kind == "integer" and isinstance(value, str):
        return int(value) if value.strip().isdigit() else None
    if not isinstance(value, str):
        return value
    return value.encode(errors="backslashreplace").decode().replace("\x00", r"\x00")


class _Work:
    """The questions of a run, and the workers that ask them."""

    def __init__(
        self,
        store: _Store,
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
        self._flushing = asyncio.Lock()

    async def run(self, provider: Provider, budget: Budget, concurrency: int) -> None:
        """Ask until nothing is left, a limit is reached or something is wrong."""
        asker = Asker(provider, budget, None, _most_tokens(self._question))
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
                if len(self._store.journal.judgements) >= _BATCH and not self._flushing.locked():
                    await self._flush(thread)
            except Exception as error:  # noqa: BLE001 - raised when the others have ended
                self._stopped = self._stopped or error

    async def _ask(self, asker: Asker, one: str, rows: Sequence[PromptRow]) -> None:
        question = self._question
        prompt = Prompt("", str(rows[0]["prompt"]))
        error: str | None = None
        seconds: float | None = None
        try:
            request = Request(question.model, prompt, None, question.parameters)
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
        free = {"input_tokens": 0, "output_tokens": 0, "seconds": None}
        kept = [{**row, **answer, **(free if place else {})} for place, row in enumerate(rows)]
        key = {"judge": "respond", "prompt_version": "", "model": question.model, "input_hash": one}
        await self._store.journal.judgement({**key, "rows": kept})
        self._done.answered += answer["answer"] is not None
        self._done.failed += answer["answer"] is None
        if self._on_progress:
            self._on_progress(self._done.answered + self._done.failed, self._done.asked)

    async def _flush(self, thread: ThreadPoolExecutor) -> None:
        """Put all of the journal into the table."""
        async with self._flushing:
            records = list(self._store.journal.judgements)
            if not records:
                return
            rows = [row for record in records for row in record["rows"]]
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(thread, lambda: self._store.append(rows))
            await self._store.journal.written(len(records))

"""A run of judges from its options: what ``fairsql judge`` calls."""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fairsql.errors import ConfigurationError, did_you_mean
from fairsql.history import warehouse_files
from fairsql.llm import journal as journals
from fairsql.llm.budget import Budget, prices_of, tokens
from fairsql.llm.judging import CONCURRENCY, RECORDINGS, Outcome, Session, judge_all
from fairsql.llm.loops import finished
from fairsql.llm.parameters import check_parameters, most_tokens
from fairsql.llm.prompting import prompt_for
from fairsql.llm.providers import Provider, open_provider
from fairsql.llm.rows import Counts, Job, job_for
from fairsql.llm.table import check_table, filled_alone, keeping

if TYPE_CHECKING:
    from fairsql.config import Test
    from fairsql.config.judging import JudgeSpec
    from fairsql.warehouses import Warehouse

_FOLDER = ".fairsql"


@dataclass(frozen=True)
class Options:
    """How a run judges.

    Attributes
    ----------
    concurrency
        Requests that are on their way at a time.
    max_requests, max_cost
        Where it stops; ``None`` is never.
    retries_errors
        Whether texts on which a judge failed are judged again.
    replay
        A file of recorded replies: nobody is asked.
    record
        A file that replies are recorded in.
    """

    concurrency: int = CONCURRENCY
    max_requests: int | None = None
    max_cost: float | None = None
    retries_errors: bool = False
    replay: str | None = None
    record: str | None = None


@dataclass(frozen=True)
class Estimate:
    """What judging would take, about: nobody has been asked.

    Attributes
    ----------
    requests
        One a text, and one more where texts are embedded.
    cost
        Money; ``None`` without prices.
    """

    spec: JudgeSpec
    counts: Counts
    requests: int
    input_tokens: int
    output_tokens: int
    cost: float | None


def judges_of(judges: Sequence[JudgeSpec], tests: Sequence[Test]) -> list[JudgeSpec]:
    """Return the judges that a suite asks: its own, then those written out in its tests.

    A judge in a test that names no relation judges what the test reads, its ``where`` included.
    """
    found = list(judges)
    for test in tests:
        for spec in test.judges:
            own = spec
            if spec not in judges and spec.relation is None:
                where = spec.where or test.where
                own = spec.model_copy(update={"relation": test.relation, "where": where})
            if own not in found:
                found.append(own)
    return found


def selected(judges: Sequence[JudgeSpec], patterns: Sequence[str]) -> list[JudgeSpec]:
    """Return the judges whose names match a pattern; all of them without one.

    Raises
    ------
    ConfigurationError
        When there are no judges, or none matches.
    """
    if not judges:
        raise ConfigurationError("the suite has no judges; list them under judges:.")
    names = [spec.name for spec in judges]
    for pattern in patterns:
        if not fnmatch.filter(names, pattern):
            hint = did_you_mean(pattern, names)
            raise ConfigurationError(f"--select: no judge is called {pattern!r}.{hint}")
    if not patterns:
        return list(judges)
    return [spec for spec in judges if any(fnmatch.fnmatchcase(spec.name, one) for one in patterns)]


def jobs_for(
    judges: Sequence[JudgeSpec], warehouse: Warehouse, *, retries_errors: bool = False
) -> list[Job]:
    """Return the jobs of judges that are not in the warehouse itself, all checked.

    Raises
    ------
    ConfigurationError
        When one of them is wrong.
    """
    asked = [spec for spec in judges if spec.provider != "in_warehouse"]
    for spec in asked:
        check_parameters(f"judge {spec.name!r}", spec.parameters)
        check_table(spec.table, f"judge {spec.name!r}, judgements", warehouse)
    return [job_for(spec, warehouse, retries_errors=retries_errors) for spec in asked]


def estimate(job: Job, warehouse: Warehouse) -> Estimate:
    """Return what a job would take."""
    counts = job.count(warehouse)
    empty = prompt_for(job.judge, dict.fromkeys(job.arguments["text_columns"], ""))
    frame = len(empty.system) + len(empty.user)
    texts = counts.unjudged_texts
    input_tokens = tokens(counts.characters + frame * texts)
    output_tokens = most_tokens(job.spec.parameters, job.judge.output_tokens) * texts
    prices = prices_of(job.spec)
    return Estimate(
        job.spec,
        counts,
        texts * (2 if job.judge.embedding_model else 1),
        input_tokens,
        output_tokens,
        prices.cost(input_tokens, output_tokens) if prices else None,
    )


def run_jobs(
    jobs: Sequence[Job],
    warehouse: Warehouse,
    folder: Path,
    options: Options,
    on_progress: Callable[[int, int], None] | None = None,
    outcomes: list[Outcome] | None = None,
) -> list[Outcome]:
    """Judge, and return what came of each job.

    Parameters
    ----------
    folder
        The journal goes into ``.fairsql`` in it.
    outcomes
        A list that is filled as jobs end, for a caller who wants those before an error.

    Raises
    ------
    ConfigurationError
        When no table can be kept, a limit on cost lacks prices, or a provider's key is not set.
    ProviderError
        When a provider cannot be used or does not answer.
    WarehouseError
        When the warehouse says no.
    """
    done = outcomes if outcomes is not None else []
    kept_in = keeping(warehouse)
    budget = Budget(options.max_requests, options.max_cost)
    for job in jobs:
        budget.check(job.spec.name, prices_of(job.spec))
    for table in dict.fromkeys(job.spec.table for job in jobs):
        own = [job for job in jobs if job.spec.table == table]
        place = f"{warehouse.dialect} {_name_of(warehouse)} {table}"
        files = warehouse_files(warehouse)
        with (
            filled_alone(table, warehouse),
            journals.opened(journal_path(folder, place), files) as journal,
        ):
            session = Session(
                kept_in, table, journal, budget, options.concurrency, on_progress=on_progress
            )
            _judge_all(session, own, options, done)
    return done


def _judge_all(
    session: Session, jobs: Sequence[Job], options: Options, outcomes: list[Outcome]
) -> None:
    finished(lambda: judge_all(session, jobs, lambda job: provider_for(job, options), outcomes))


def _name_of(warehouse: Warehouse) -> str:
    """Return a name that a database file has wherever it is named from."""
    files = [str(Path(file).resolve()) for file in warehouse_files(warehouse)]
    return " ".join(sorted(files)) or warehouse.name


def journal_path(folder: Path, place: str) -> Path:
    """Return where the journal of a table is."""
    digest = hashlib.sha256(place.encode(errors="surrogatepass")).hexdigest()[:12]
    return folder / _FOLDER / f"judgements-{digest}.jsonl"


def provider_for(job: Job, options: Options) -> Provider:
    """Return the provider of a job, or what replays or records its replies."""
    from fairsql.llm.providers.recorded import RecordedProvider, RecordingProvider

    recordings = options.replay or job.spec.parameters.get(RECORDINGS)
    if options.replay or job.spec.provider == "recorded":
        if recordings is None:
            raise ConfigurationError(
                f"judge {job.spec.name!r}: provider recorded needs the file of recordings, by"
                " --replay or as parameters: {recordings: FILE}."
            )
        return RecordedProvider(str(recordings))
    provider = open_provider(job.spec.provider)
    return RecordingProvider(provider, options.record) if options.record else provider
